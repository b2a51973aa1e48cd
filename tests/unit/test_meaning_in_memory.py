"""A memory with a model keeps every promise of one without: real parts, and models that need no weights."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from noctuary import Memory
from noctuary.clock import SystemClock
from noctuary.errors import ModelUnreachable
from noctuary.models.hashing import HashingEmbedder
from noctuary.recall.database import DatabaseRecall
from noctuary.recall.query import parse
from noctuary.recall.searching import NOTHING_FOUND
from noctuary.records import Message, Role, Session
from noctuary.store import Store
from noctuary.store.database import Row, Value
from noctuary.store.sqlite import SqliteDatabase
from tests.unit.models.serving import Asked, Reply, Server, embeddings

THINGS = ["apricot", "walnut", "cherry", "lemon", "quince", "medlar", "plum", "fig", "olive", "almond"]


class Noting(HashingEmbedder):
    """A model that remembers what it was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.questions: list[str] = []

    def question(self, text: str) -> Any:
        """As ever, and noted."""
        self.questions.append(text)
        return super().question(text)


class Devoted(HashingEmbedder):
    """A model to which every question is most like one text, and like nothing else."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text
        self.meanwhile: list[Callable[[], None]] = []

    def passages(self, texts: Sequence[str]) -> Any:
        """One direction for the text it likes, another for all others."""
        liked = [[1.0, 0.0] if self.text in text else [0.0, 1.0] for text in texts]
        return np.array([[*pair, *[0.0] * (self.dimension - 2)] for pair in liked], dtype=np.float32)

    def question(self, text: str) -> Any:  # noqa: ARG002
        """Always the direction of what it likes; what is to happen while it thinks happens once."""
        while self.meanwhile:
            self.meanwhile.pop()()
        return np.array([[1.0, *[0.0] * (self.dimension - 1)]], dtype=np.float32)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory.open(tmp_path, owner="ana") as opened:
        for number, thing in enumerate(THINGS):
            tell(opened, f"s{number}", f"we planted the {thing} tree by the wall", f"the {thing} stands there now")
        yield opened


def tell(memory: Memory, session: str, *texts: str) -> None:
    """Store a conversation."""
    memory.add_session(Session(id=session), [Message(role=Role.USER, content=text, ts_ms=1) for text in texts])


def found(memory: Memory, text: str) -> list[str]:
    """Ids of the sessions that were found."""
    return [hit.session.id for hit in memory.search(text, limit=20).hits]


@pytest.mark.parametrize("text", ["apricot", "where is the walnut tree?", "the cherry and a spaceship", "wall of figs"])
def test_what_words_show_a_model_shows_too(memory: Memory, text: str) -> None:
    """A model adds answers; it never takes one away."""
    by_words = found(memory, text)
    memory.use_model(HashingEmbedder())
    memory.embed()

    assert by_words
    assert set(by_words) <= set(found(memory, text))


def test_a_filter_does_not_blind_the_model(memory: Memory) -> None:
    """What is found by meaning alone is also found in its session, although the model has read little of it there."""
    memory.use_model(Devoted("quince"))
    memory.embed()

    assert found(memory, "zeppelin sprocket")[:1] == ["s4"]
    assert found(memory, "zeppelin sprocket session:s4") == ["s4"]


def test_a_session_with_the_token_stays_first(memory: Memory) -> None:
    """However much a model likes another session, and whatever else that one has, as long as words put it below."""
    tell(memory, "exact", "it ended with ERR_POOL_77 and nobody knew", "so we went home")
    liked = "they were thrown out after the update of the page"
    tell(memory, "liked", *[f"{liked} {number}" for number in range(5)])
    question = "thrown out of the page after an update, was it ERR_POOL_77?"
    assert found(memory, question)[0] == "exact"
    memory.use_model(Devoted(liked))
    memory.embed()

    assert found(memory, question)[0] == "exact"


@pytest.mark.parametrize("text", ["E-98765", "src/nope/absent.py", "--no-such-flag"])
def test_a_name_that_is_nowhere_is_nowhere(memory: Memory, text: str) -> None:
    """Who types a name, a path or an error wants that and nothing that is only alike; the model is not even asked."""
    model = Noting()
    memory.use_model(model)
    memory.embed()
    answer = memory.search(text)

    assert (list(answer.hits), answer.note, model.questions) == ([], NOTHING_FOUND, [])


def test_every_hit_has_a_reason(memory: Memory) -> None:
    """Nothing is shown that has neither a word nor a meaning of the question."""
    memory.use_model(Devoted("plum"))
    memory.embed()

    assert all(hit.score > 0 and hit.why for hit in memory.search("apricot zeppelin", limit=20).hits)


def test_a_model_that_has_read_nothing_is_not_asked(memory: Memory) -> None:
    """Between choosing a model and the first embedding there is nothing to compare with."""
    model = Noting()
    memory.use_model(model)

    assert found(memory, "apricot") == ["s0"]
    assert model.questions == []


def test_an_endpoint_gets_nothing_of_other_owners(tmp_path: Path) -> None:
    """In a memory of several owners no endpoint is opened: it would be sent what all of them said."""
    with Memory.open(tmp_path, owner="bob") as of_bob:
        tell(of_bob, "private", "a private text of bob")
    with Memory.open(tmp_path, owner="ana") as of_ana:
        with pytest.raises(ModelUnreachable, match="several owners"):
            of_ana.use_model("http://127.0.0.1:9/v1#model")
        assert of_ana.used_models() == []


def sent_to(server: Server) -> list[str]:
    """Every text that an endpoint was sent."""
    return [text for asked in server.asked for text in asked.json["input"]]


def test_an_endpoint_gets_nothing_of_an_owner_who_comes_later(tmp_path: Path) -> None:
    """Also if the other owner comes in the middle of a run, or between two questions to a model that is open."""
    with Memory.open(tmp_path, owner="ana") as of_ana, Memory.open(tmp_path, owner="bob") as of_bob:
        tell(of_ana, "own", "the apricot of ana")

        def answer(asked: Asked) -> Reply:
            if "the apricot of ana" in asked.json["input"]:
                tell(of_bob, "private", "a private text of bob")
            return embeddings(asked)

        with Server(answer) as server:
            of_ana.use_model(f"{server.url}/v1#model")
            with pytest.raises(ModelUnreachable, match="several owners"):
                of_ana.embed()

            assert "a private text of bob" not in sent_to(server)
            assert of_ana.used_models()[0][1].done == 1

            of_bob.recall.delete_session("bob", "private")
            of_ana.search("where is the fruit")
            assert "where is the fruit" in sent_to(server)
            tell(of_bob, "private", "a private text of bob")
            assert "several owners" in of_ana.search("where is the quince").note
            assert "where is the quince" not in sent_to(server)


@pytest.mark.parametrize("query", ["zeppelin sprocket", "zeppelin sprocket before:2030-01-01"])
def test_nothing_of_an_owner_who_comes_while_one_asks(memory: Memory, tmp_path: Path, query: str) -> None:
    """However long the model takes for a question, and whoever stores what meanwhile: one's own is found, and no more.

    Not even if the other one's session gets the number of one that was forgotten.
    """
    with Memory.open(tmp_path, owner="bob") as of_bob:
        model = Devoted("zanzibar")
        memory.use_model(model)
        for session in ("kept", "last"):
            tell(memory, session, "the cloves of zanzibar are mine")
        memory.embed()
        of_bob._given.update(memory._given)

        def come() -> None:
            memory.recall.delete_session("ana", "last")
            for number in range(30):
                tell(of_bob, f"private{number}", "the cloves of zanzibar are not hers")
            of_bob.embed()

        model.meanwhile = [come]

        assert found(memory, query) == ["kept"]
        assert found(memory, query) == ["kept"]
        assert len(found(of_bob, query)) == 20


def test_what_does_not_add_up_is_embedded_again(memory: Memory) -> None:
    """A row whose parts do not fit is dropped and made again by the next run, and only that one."""
    memory.use_model(HashingEmbedder())
    memory.embed()
    known = memory.store.vectors.serving()
    assert known is not None
    whole = sorted(memory.store.vectors.rows(known.no, None))
    session, lows, scales, codes = whole[3]
    memory.store.database.fetch(
        "save_vectors", embedder=known.no, session=session, upto=2, lows=lows, scales=scales, codes=codes[:-1]
    )

    assert memory.embed().messages == 2
    assert sorted(memory.store.vectors.rows(known.no, None)) == whole


def test_a_version_is_no_date(memory: Memory) -> None:
    """A number with dots is found as it was typed, also if it could be read as a day."""
    tell(memory, "version", "after the upgrade to 2024.5.1 the dashboard was empty")

    assert found(memory, "dashboard trouble with 2024.5.1")[0] == "version"
    assert "2024.5.1" in memory.query("dashboard trouble with 2024.5.1").literals


class Shared(SqliteDatabase):
    """A database where somebody else does something just after sessions were read, once."""

    meanwhile: Callable[[], object] | None = None

    def fetch(self, query: str, /, **values: Value) -> list[Row]:
        """Run one named query and give all its rows."""
        rows = super().fetch(query, **values)
        if query == "sessions_by_number" and self.meanwhile:
            action, self.meanwhile = self.meanwhile, None
            action()
        return rows


def test_a_number_that_changes_hands_while_hits_are_read(tmp_path: Path) -> None:
    """Messages are read by their session's number; if that is another owner's by then, there is no hit."""
    database = Shared(tmp_path / "noctuary.db")
    with Memory.open(tmp_path, owner="bob") as other:
        of_ana = DatabaseRecall(Store(database), SystemClock())
        of_ana.append("ana", "own", Message(role=Role.USER, content="the apricot of ana"))

        def change_hands() -> None:
            other.recall.delete_session("ana", "own")
            tell(other, "private", "the cherry of bob")

        database.meanwhile = change_hands

        assert not of_ana.search("ana", parse("apricot", 0)).hits
        assert other.search("cherry").hits
    database.close()
