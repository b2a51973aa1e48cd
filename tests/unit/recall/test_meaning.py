"""Meaning at search time: the model that serves is asked, and whatever fails costs a search nothing but its meaning."""

import threading
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import apsw
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noctuary.embedding import EmbeddingRun
from noctuary.errors import ModelMissing, ModelUnreachable
from noctuary.models.hashing import HashingEmbedder
from noctuary.recall.database import DatabaseRecall
from noctuary.recall.meaning import (
    BY_WORDS,
    LONGEST_QUESTION,
    MOST_PARTS,
    REST_MS,
    KeptVectors,
    Meanings,
    Understanding,
    nothing_understood,
)
from noctuary.recall.query import parse
from noctuary.recall.scan import Matrix, packed
from noctuary.records import Found, Message, Role
from noctuary.store import Store, keys
from noctuary.store.vectors import KnownEmbedder, SessionVectors, State
from noctuary.testing import FakeClock
from tests.unit.listening import Listening

if TYPE_CHECKING:
    from noctuary.models.embedder import Embedder, Vectors

OWNER = "ana"
REST = timedelta(milliseconds=REST_MS)
MOMENT = timedelta(milliseconds=1)


class Asked(HashingEmbedder):
    """The hashing model under another name, that turns words round if told so, and fails while told so."""

    def __init__(self, name: str = "asked@1", *, reverse: bool = False, dimension: int = 64) -> None:
        super().__init__(dimension)
        self.name = name
        self.reverse = reverse
        self.is_down = False
        self.questions: list[str] = []
        self.meanwhile: Callable[[], object] | None = None

    def passages(self, texts: Sequence[str]) -> "Vectors":
        return super().passages([text[::-1] if self.reverse else text for text in texts])

    def question(self, text: str) -> "Vectors":
        self.questions.append(text)
        if self.is_down:
            raise ModelUnreachable("The model is down.")
        if self.meanwhile:
            self.meanwhile()
        return super().question(text)


class Shelf:
    """Models by their source, and how often each was opened."""

    def __init__(self, **models: "Embedder") -> None:
        self.models = models
        self.opened: list[str] = []

    def open(self, source: str) -> "Embedder":
        self.opened.append(source)
        if source not in self.models:
            raise ModelMissing(f"There is no model {source}.")
        return self.models[source]


class Part:
    """A store with a few messages, a shelf of models, and what searches with them."""

    def __init__(self, path: Path, **models: "Embedder") -> None:
        self.path = path
        self.database = Listening(path)
        self.store = Store(self.database)
        self.clock = FakeClock()
        self.shelf = Shelf(**models)
        self.meanings = Meanings(self.store, self.shelf.open, self.clock)
        self.recall = DatabaseRecall(self.store, self.clock, self.meanings.understand)

    def tell(self, session: str, *said: str, owner: str = OWNER) -> None:
        for text in said:
            self.recall.append(owner, session, Message(role=Role.USER, content=text))

    def use(self, source: str) -> None:
        """Choose a model and embed everything with it."""
        model = self.shelf.models[source]
        known = self.store.vectors.choose(model.name, source, model.dimension)
        EmbeddingRun(self.store, model, known).run()

    def alike(self, question: str, picked: Sequence[int] | None = None) -> dict[str, float]:
        """How alike each message is, by its text."""
        likeness = self.meanings.understand(question, picked).likeness
        assert likeness is not None
        found = likeness.of(likeness.keys.tolist())
        return {text: found[key] for key, (_, text) in self.store.messages.texts(found).items()}

    def search(self, text: str, owner: str = OWNER) -> Found:
        return self.recall.search(owner, parse(text, self.clock.now_ms()))

    def times_read(self) -> int:
        """How often vectors were read to be compared."""
        return sum(query in ("all_vectors", "vectors_of_sessions") for query, _ in self.database.asked)


@pytest.fixture
def part(tmp_path: Path) -> Iterator[Part]:
    """Two sessions, and two models of which none is used yet."""
    made = Part(tmp_path / "noctuary.db", a=Asked("a@1"), b=Asked("b@1", reverse=True), c=Asked("c@1", dimension=32))
    made.tell("s", "apricot jam on toast", "cherry pie")
    made.tell("t", "the train to Lisbon")
    yield made
    made.store.close()


class TestUnderstanding:
    """What a question means, compared with what is stored."""

    def test_without_a_model(self, part: Part) -> None:
        """Nothing is understood, nothing is opened, and nothing is said about it."""
        assert part.meanings.understand("apricot", None) == Understanding() == nothing_understood("apricot", None)
        assert part.shelf.opened == []

    def test_every_message(self, part: Part) -> None:
        """Each message is as alike as the model says."""
        part.use("a")

        alike = part.alike("apricot jam on toast")

        assert alike.keys() == {"apricot jam on toast", "cherry pie", "the train to Lisbon"}
        assert alike["apricot jam on toast"] == pytest.approx(1.0, abs=0.01)
        model = HashingEmbedder()
        for text, value in alike.items():
            exact = float(np.dot(model.passages([text])[0], model.question("apricot jam on toast")[0]))
            assert value == pytest.approx(exact, abs=0.01)

    @pytest.mark.parametrize("is_kept", [True, False])
    def test_picked_sessions_only(self, part: Part, is_kept: bool) -> None:
        """Of the picked sessions is known what is known of all; whether all were looked at before or not."""
        part.use("a")
        part.tell("u", "not embedded yet")
        if is_kept:
            part.alike("train")

        assert part.alike("train", [2]).keys() == {"the train to Lisbon"}
        assert part.alike("train", [1]).keys() == {"apricot jam on toast", "cherry pie"}
        assert part.alike("train", [3]) == part.alike("train", []) == {}
        assert part.alike("train", [1, 2, 3]) == part.alike("train")

    def test_the_model_is_opened_once(self, part: Part) -> None:
        """A model that answers is not opened again for the next question."""
        part.use("a")
        for _ in range(3):
            part.alike("train")

        assert part.shelf.opened == ["a"]

    @pytest.mark.parametrize("blank", ["", " ", "\n\t"])
    def test_no_question(self, part: Part, blank: str) -> None:
        """Where nothing is asked the model is not asked either."""
        part.use("a")

        assert part.meanings.understand(blank, None) == Understanding()
        assert part.shelf.opened == []

    def test_long_questions_are_cut(self, part: Part) -> None:
        """A pasted log is no question: the model is given its beginning."""
        part.use("a")
        part.alike("x" * 100_000)
        model = part.shelf.models["a"]
        assert isinstance(model, Asked)

        assert model.questions == ["x" * LONGEST_QUESTION]

    def test_a_question_without_words(self, part: Part) -> None:
        """A question that the model finds nothing in is like nothing, and breaks nothing."""
        part.use("a")

        assert set(part.alike("=> !?").values()) == {0.0}
        assert not part.search("=>").hits

    def test_changes_are_seen(self, part: Part) -> None:
        """What is embedded or forgotten, by whichever process, is so for the next question."""
        part.use("a")
        part.alike("train")
        part.tell("s", "plum cake")
        assert "plum cake" not in part.alike("train")
        other = Part(part.path, **part.shelf.models)
        other.use("a")
        assert "plum cake" in part.alike("train")

        other.recall.delete_session(OWNER, "t")

        assert part.alike("train").keys() == {"apricot jam on toast", "cherry pie", "plum cake"}
        other.store.close()

    @pytest.mark.parametrize("column", ["lows", "scales", "codes"])
    def test_damaged_rows(self, part: Part, column: str) -> None:
        """A row that does not add up is left out; the others are compared, and search goes on."""
        part.use("a")
        connection = apsw.Connection(str(part.path))
        connection.execute(f"update vectors set {column} = x'010203' where session = 1")
        connection.close()

        assert part.alike("train").keys() == {"the train to Lisbon"}
        assert [hit.session.id for hit in part.search("cherry").hits][:1] == ["s"]

    def test_vectors_of_another_dimension(self, part: Part) -> None:
        """Vectors whose length is not that of the model are not compared."""
        part.use("c")
        connection = apsw.Connection(str(part.path))
        connection.execute("update vectors set codes = zeroblob(2 * length(codes)) where session = 1")
        connection.close()

        assert part.alike("train").keys() == {"the train to Lisbon"}


class TestKept:
    """What was compared once is in memory for the next question."""

    def test_each_owner_reads_once(self, part: Part) -> None:
        """Several owners ask in turn: each one's vectors are read once, and nobody finds another's."""
        part.tell("theirs", "apricot tree in the garden", owner="bob")
        part.use("a")
        for _ in range(3):
            assert {hit.session.owner for hit in part.search("apricot").hits} == {OWNER}
            assert {hit.session.owner for hit in part.search("apricot", owner="bob").hits} == {"bob"}

        assert part.times_read() == 2

    def test_a_part_of_what_is_kept(self, part: Part) -> None:
        """Fewer sessions than were asked for before are taken from what is there; others are read."""
        part.use("a")
        part.alike("train", [1, 2])

        assert part.alike("train", [2]).keys() == {"the train to Lisbon"}
        assert part.alike("train", [2, 1]).keys() == {"apricot jam on toast", "cherry pie", "the train to Lisbon"}
        assert part.times_read() == 1
        assert part.alike("train", [2, 3]).keys() == {"the train to Lisbon"}
        assert part.times_read() == 2

    def test_all_has_every_part(self, part: Part) -> None:
        """Once all vectors were read, no sessions are read by themselves; but a part is not all."""
        part.use("a")
        part.alike("train", [1])
        part.alike("train")
        assert part.times_read() == 2

        assert part.alike("train", [1]).keys() == {"apricot jam on toast", "cherry pie"}
        assert part.alike("train", [2, 3]).keys() == {"the train to Lisbon"}
        assert part.times_read() == 2

    def test_a_number_that_another_owner_got(self, part: Part) -> None:
        """A session that has the number of a forgotten one is not taken for it."""
        part.use("a")
        assert part.alike("train", [2]).keys() == {"the train to Lisbon"}
        part.recall.delete_session(OWNER, "t")
        part.tell("theirs", "quince jelly", owner="bob")
        assert part.store.sessions.numbers("bob") == [2]

        assert part.alike("train", [2]) == {}
        part.use("a")
        assert part.alike("train", [2]).keys() == {"quince jelly"}

    def test_no_more_than_there_is_room_for(self) -> None:
        """What was asked for longest ago goes first; what is too much by itself is not kept, and drives nobody out."""
        known = KnownEmbedder(1, "a@1", "a", 8, State.SERVING)
        one, much = matrix_of(1), matrix_of(3)
        kept = KeptVectors(most=2 * one.size)
        for session in (1, 2):
            kept.keep(known, [session], one)
        assert kept.find(known, [1]) is one  # so 2 is the one that was not asked for
        kept.keep(known, [3], one)
        kept.keep(known, [4], much)
        kept.keep(known, None, much)

        assert [kept.find(known, [session]) for session in (1, 2, 3, 4)] == [one, None, one, None]

    def test_no_more_parts_than_a_few(self) -> None:
        """However little they hold, parts that nobody asks for any more are given up."""
        known = KnownEmbedder(1, "a@1", "a", 8, State.SERVING)
        kept = KeptVectors()
        for session in range(MOST_PARTS + 1):
            kept.keep(known, [session], matrix_of(0))

        assert kept.find(known, [0]) is None
        assert all(kept.find(known, [session]) is not None for session in range(1, MOST_PARTS + 1))

    def test_who_comes_while_they_are_read_waits_for_them(self) -> None:
        """Many who ask at once read the vectors once; those of another model are not waited for."""
        known, kept, matrix = KnownEmbedder(1, "a@1", "a", 8, State.SERVING), KeptVectors(), matrix_of(1)
        is_reading, may_end = threading.Event(), threading.Event()
        read, found = list[str](), list[Matrix]()

        def slowly() -> Matrix:
            read.append("a")
            is_reading.set()
            assert may_end.wait(60)
            return matrix

        threads = [threading.Thread(target=lambda: found.append(kept.of(known, None, slowly))) for _ in range(8)]
        for thread in threads:
            thread.start()
        assert is_reading.wait(60)
        other = kept.of(known._replace(no=2, name="b@1"), None, lambda: matrix_of(2))
        may_end.set()
        for thread in threads:
            thread.join()

        assert read == ["a"]
        assert all(each is matrix for each in found)
        assert kept.find(known._replace(no=2, name="b@1"), None) is other
        assert kept.find(known, None) is matrix

    def test_what_changed_is_given_up_at_once(self) -> None:
        """With the first look for newer vectors the older ones are gone, so that both are never in memory."""
        known = KnownEmbedder(1, "a@1", "a", 8, State.SERVING)
        kept = KeptVectors()
        kept.keep(known, None, matrix_of(1))

        assert kept.find(known._replace(changes=1), [1]) is None
        assert kept.find(known, [1]) is None

    @settings(max_examples=50, deadline=None)
    @given(
        st.lists(st.one_of(st.none(), st.lists(st.integers(1, 6), unique=True)), max_size=12),
        st.integers(0, 2_000),
    )
    def test_whoever_asked_before(self, picks: list[list[int] | None], most: int) -> None:
        """Whatever was asked for before, and however much is kept, what is found is what would be read."""
        known = KnownEmbedder(1, "a@1", "a", 8, State.SERVING)
        rows = [(session, *row_of(session)) for session in range(1, 5)]
        kept = KeptVectors(most)

        for picked in picks:
            read = Matrix.of_rows([row for row in rows if picked is None or row[0] in picked], 8)
            found = kept.find(known, picked)
            if found is None:
                kept.keep(known, picked, read)
            else:
                assert found.keys.tolist() == read.keys.tolist()
                assert found.codes.tolist() == read.codes.tolist()


def row_of(messages: int) -> SessionVectors:
    """As many vectors as there are messages."""
    lows = np.arange(1, messages + 1, dtype="<u4") << keys.PLACE_SHIFT
    vectors = np.random.default_rng(messages).normal(size=(messages, 8)).astype(np.float32)
    return SessionVectors(lows.tobytes(), *packed(vectors / np.linalg.norm(vectors, axis=1, keepdims=True)))


def matrix_of(messages: int) -> Matrix:
    return Matrix.of_rows([(1, *row_of(messages))], 8)


class TestModelsNeverMix:
    """A question is compared only with vectors of the model that it was put to."""

    def test_until_the_new_one_is_full(self, part: Part) -> None:
        """The old model is asked until the new one has seen everything, and then the new one alone."""
        part.use("a")
        before = part.alike("cherry pie")
        new = part.shelf.models["b"]
        part.store.vectors.choose(new.name, "b", new.dimension)

        assert part.alike("cherry pie") == before
        part.use("b")
        after = part.alike("cherry pie")

        assert after["cherry pie"] == pytest.approx(1.0, abs=0.01)
        assert after != before
        assert part.shelf.opened == ["a", "b"]

    def test_the_model_after_one_that_was_given_up(self, part: Part) -> None:
        """Vectors kept in memory are not those of the next model; no number is given twice."""
        part.use("a")
        assert part.alike("cherry pie")["cherry pie"] == pytest.approx(1.0, abs=0.01)
        old = part.store.vectors.serving()
        part.store.vectors.remove_all()
        part.use("b")
        new = part.store.vectors.serving()
        assert old is not None
        assert new is not None
        assert old.no != new.no

        assert part.alike("cherry pie")["cherry pie"] == pytest.approx(1.0, abs=0.01)

    def test_changed_while_the_question_is_asked(self, part: Part) -> None:
        """If the model is replaced at this very moment, its question is compared with nothing, not with others."""
        part.use("a")
        other = Part(part.path, **part.shelf.models)
        model = part.shelf.models["a"]
        assert isinstance(model, Asked)

        def replace() -> None:
            other.store.vectors.remove_all()
            other.use("b")

        model.meanwhile = replace

        assert part.alike("cherry pie") == {}
        assert part.alike("cherry pie")["cherry pie"] == pytest.approx(1.0, abs=0.01)
        other.store.close()


class TestFailing:
    """A model that cannot be used."""

    def test_said_once_and_tried_again_later(self, part: Part) -> None:
        """Search goes on by words, says so once, leaves the model in peace for a minute, and then tries again."""
        part.use("a")
        model = part.shelf.models["a"]
        assert isinstance(model, Asked)
        model.is_down = True

        first, second = part.search("cherry"), part.search("cherry")
        part.clock.advance(REST - MOMENT)
        third = part.search("cherry")
        assert len(model.questions) == 1
        part.clock.advance(MOMENT)
        fourth = part.search("cherry")

        assert [found.note for found in (first, second, third, fourth)] == [
            f"{BY_WORDS}The model is down.",
            "",
            "",
            f"{BY_WORDS}The model is down.",
        ]
        for found in (first, second, third, fourth):
            assert [hit.anchor.content for hit in found.hits] == ["cherry pie"]
        assert len(model.questions) == 2

    def test_meaning_is_back_once_it_answers(self, part: Part) -> None:
        """After its rest a model that answers again is used as before."""
        part.use("a")
        model = part.shelf.models["a"]
        assert isinstance(model, Asked)
        model.is_down = True
        part.search("cherry")
        model.is_down = False
        assert part.meanings.understand("cherry", None) == Understanding()
        part.clock.advance(REST)

        assert part.alike("cherry pie")["cherry pie"] == pytest.approx(1.0, abs=0.01)
        assert part.search("cherry").note == ""

    def test_a_clock_that_goes_back(self, part: Part) -> None:
        """A clock that is set back does not keep the model resting for hours."""
        part.use("a")
        model = part.shelf.models["a"]
        assert isinstance(model, Asked)
        model.is_down = True
        part.search("cherry")
        model.is_down = False
        part.clock.advance(-timedelta(hours=5))

        assert part.alike("cherry")

    def test_with_nothing_found(self, part: Part) -> None:
        """The warning stands beside what else there is to say."""
        part.use("a")
        del part.shelf.models["a"]

        note = part.search("zanzibar").note

        assert note.startswith("Nothing")
        assert note.endswith(f"{BY_WORDS}There is no model a.")

    def test_a_model_that_is_gone(self, part: Part) -> None:
        """A model that cannot be opened is as one that does not answer, and is found again when it is back."""
        part.use("a")
        model = part.shelf.models.pop("a")

        assert part.search("cherry").note == f"{BY_WORDS}There is no model a."
        assert part.search("cherry").note == ""
        assert part.shelf.opened == ["a"]
        part.shelf.models["a"] = model
        part.clock.advance(REST)
        assert part.search("cherry").note == ""
        assert part.alike("cherry")

    @pytest.mark.parametrize("changed", [Asked("a@2"), Asked("a@1", dimension=32)])
    def test_other_weights_under_the_same_source(self, part: Part, changed: Asked) -> None:
        """The vectors of a model that is not what it was are not compared; one of another name is not even asked."""
        part.use("a")
        part.shelf.models["a"] = changed

        found = part.search("cherry")

        assert found.note.startswith(BY_WORDS)
        assert "is no longer a@1" in found.note
        assert "noctuary model use a" in found.note
        assert [hit.anchor.content for hit in found.hits] == ["cherry pie"]
        assert changed.questions == ([] if changed.name != "a@1" else ["cherry"])
        assert part.search("cherry").note == ""

    def test_the_same_name_chosen_again_with_another_dimension(self, part: Part) -> None:
        """A model that is open already is opened again if its vectors have another length now."""
        part.use("a")
        part.alike("cherry")
        part.shelf.models["a"] = Asked("a@1", dimension=32)
        part.use("a")

        assert part.alike("cherry pie")["cherry pie"] == pytest.approx(1.0, abs=0.01)


def test_keys_are_those_of_messages(part: Part) -> None:
    """What is alike is named by the keys under which messages are stored."""
    part.use("a")
    likeness = part.meanings.understand("cherry pie", None).likeness
    assert likeness is not None

    (nearest,) = likeness.nearest(1)

    assert part.store.messages.by_key([nearest])[nearest].content == "cherry pie"
    assert (keys.session_of(nearest), keys.place_of(nearest)) == (1, 2)
    assert likeness.keys.tolist() == sorted(part.store.messages.containing(""))
