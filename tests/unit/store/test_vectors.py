"""Vectors in the database: models never mix, nothing is stored twice, and what is gone leaves none behind."""

from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import apsw
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import noctuary.store
from noctuary.clock import SystemClock
from noctuary.digests import digest
from noctuary.recall.database import DatabaseRecall
from noctuary.recall.query import parse
from noctuary.recall.scan import Likeness, Matrix, asked_elsewhere, packed, told_elsewhere
from noctuary.records import Hidden, Kind, Message, Role, Session
from noctuary.store import Store, keys, open_server_store, open_store
from noctuary.store.migrate import migrate
from noctuary.store.vectors import (
    LOW_MASK,
    Coverage,
    KnownEmbedder,
    SessionVectors,
    State,
    Unfinished,
    mark_of,
)
from tests.databases import (
    COMPARING_KINDS,
    Reused,
    change_behind,
    needs_vectors,
    of_kind,
    on_postgres,
    place_of,
    store_in,
)

OWNER = "ana"
DIMENSION = 8
MOST = 1_000


@pytest.fixture(params=COMPARING_KINDS)
def database(request: pytest.FixtureRequest) -> Iterator[str]:
    """Each kind of database, and a server that compares vectors itself."""
    with of_kind(request) as kind:
        yield kind


@pytest.fixture
def store(tmp_path: Path, database: str) -> Iterator[Store]:
    """An empty store; whatever is done to it, a server that compares its vectors compares exactly those."""
    opened = store_in(tmp_path)
    yield opened
    for known in opened.vectors.embedders() if opened.vectors.are_compared else ():
        assert compared_there(opened, known) == compared_here(opened, known)
    opened.close()


def compared_here(store: Store, known: KnownEmbedder, picked: Sequence[int] | None = None) -> list[tuple[int, float]]:
    """How alike each message is to a question, as this process finds by reading all vectors."""
    matrix = Matrix.of_rows(store.vectors.rows(known.no, picked), known.dimension)
    return likeness_pairs(matrix.compare(question_of(known.dimension)))


def compared_there(store: Store, known: KnownEmbedder, picked: Sequence[int] | None = None) -> list[tuple[int, float]]:
    """The same as the server tells it."""
    codes, factor = asked_elsewhere(question_of(known.dimension))
    return likeness_pairs(told_elsewhere(*store.vectors.compared(known.no, codes, factor, picked)))


def question_of(dimension: int) -> Any:
    """A vector of length 1."""
    made = np.random.default_rng(dimension).standard_normal(dimension).astype(np.float32)
    return made / np.linalg.norm(made)


def likeness_pairs(likeness: Likeness) -> list[tuple[int, float]]:
    """Keys and values."""
    return list(zip(likeness.keys.tolist(), likeness.values.tolist(), strict=True))


def tell(store: Store, session: str, *said: str | Message) -> int:
    """Add messages to a session; its number."""
    messages = [Message(role=Role.USER, content=each) if isinstance(each, str) else each for each in said]
    with store.database.transaction():
        no = store.sessions.ensure(OWNER, Session(id=session))
        store.messages.add(OWNER, no, messages)
    return no


def answer(text: str) -> Message:
    return Message(role=Role.ASSISTANT, content=text)


def choose(store: Store, name: str, dimension: int = DIMENSION) -> KnownEmbedder:
    return store.vectors.choose(name, f"source of {name}", dimension)


def made_of(texts: Sequence[tuple[int, str]], dimension: int = DIMENSION) -> SessionVectors:
    """A vector for each message, such as only its text has."""
    return SessionVectors(
        array("I", [key & LOW_MASK for key, _ in texts]).tobytes(),
        array("f", [0.5] * len(texts)).tobytes(),
        b"".join(codes_of(text, dimension) for _, text in texts),
    )


def codes_of(text: str, dimension: int = DIMENSION) -> bytes:
    return digest(text.encode(), size=dimension)


def fill(store: Store, known: KnownEmbedder) -> int:
    """Give every message its vector; how many sessions got some."""
    parts = store.vectors.unfinished(known.no, MOST)
    return sum(add(store, known, part) for part in parts)


def add(store: Store, known: KnownEmbedder, part: Unfinished) -> bool:
    texts = store.vectors.texts(part)
    return store.vectors.add(known, part, made_of(texts, known.dimension), seen=mark_of(texts))


def kept(store: Store, known: KnownEmbedder) -> dict[int, bytes]:
    """The codes of each message that has some, by key; each has one vector."""
    found: dict[int, bytes] = {}
    for session, *parts in store.vectors.rows(known.no, None):
        vectors = SessionVectors(*parts)
        assert vectors.adds_up(known.dimension)
        for i, low in enumerate(array("I", vectors.lows)):
            key = session << keys.SESSION_SHIFT | low
            assert key not in found, "a message has its vector twice"
            found[key] = vectors.codes[i * known.dimension : (i + 1) * known.dimension]
    return found


def texts_of(store: Store, known: KnownEmbedder) -> list[str]:
    """The texts of the messages that have vectors, in order; each has the vector of its own text."""
    found = kept(store, known)
    texts = store.messages.texts(found)
    assert all(codes_of(texts[key][1], known.dimension) == codes for key, codes in found.items())
    return [texts[key][1] for key in sorted(found)]


def key_of(store: Store, text: str) -> int:
    return store.messages.containing(text)[0]


def damage(store: Store, column: str, value: bytes | str | int) -> None:
    """Write over a part of every row, as a bad disk may."""
    change_behind(place_of(store), f"update vectors set {column} = ?", value)


class TestModels:
    """Which model is searched with and which is filled."""

    def test_first_serves_at_once(self, store: Store) -> None:
        """Where there was none, the model that is chosen is searched with, whatever it has seen."""
        assert (store.vectors.serving(), store.vectors.to_fill()) == (None, None)

        known = choose(store, "a")

        assert known == KnownEmbedder(known.no, "a", "source of a", DIMENSION, State.SERVING, 0)
        assert store.vectors.serving() == store.vectors.to_fill() == known

    def test_second_waits(self, store: Store) -> None:
        """A model that serves goes on until the new one is full; new messages get vectors of the new one."""
        tell(store, "s", "apricot")
        a = choose(store, "a")
        fill(store, a)

        b = choose(store, "b")

        assert [known.name for known in store.vectors.embedders()] == ["a", "b"]
        assert store.vectors.to_fill() == b
        serving = store.vectors.serving()
        assert serving is not None
        assert serving.no == a.no
        assert texts_of(store, a) == ["apricot"]
        assert texts_of(store, b) == []

    def test_serving_drops_the_other(self, store: Store) -> None:
        """Once the new model serves, the old one and its vectors are gone."""
        tell(store, "s", "apricot")
        a = choose(store, "a")
        fill(store, a)
        b = choose(store, "b")
        fill(store, b)

        store.vectors.serve(b)

        assert [(known.name, known.state) for known in store.vectors.embedders()] == [("b", State.SERVING)]
        assert store.vectors.rows(a.no, None) == []
        assert texts_of(store, b) == ["apricot"]

    def test_the_same_again(self, store: Store) -> None:
        """Choosing the model that serves changes nothing but where it is found."""
        tell(store, "s", "apricot")
        a = choose(store, "a")
        fill(store, a)
        before = store.vectors.serving()
        assert before is not None

        again = store.vectors.choose("a", "elsewhere", DIMENSION)

        assert again == before._replace(source="elsewhere")
        assert texts_of(store, a) == ["apricot"]
        assert store.vectors.unfinished(a.no, MOST) == []

    def test_the_wanted_one_again(self, store: Store) -> None:
        """Choosing the model that is being filled keeps what it has."""
        tell(store, "s", "apricot")
        choose(store, "a")
        b = choose(store, "b")
        fill(store, b)

        assert choose(store, "b")._replace(changes=0) == b
        assert texts_of(store, b) == ["apricot"]

    def test_back_to_the_old_one(self, store: Store) -> None:
        """Who changes their mind has the old model as it was, and nothing of the other."""
        tell(store, "s", "apricot")
        a = choose(store, "a")
        fill(store, a)
        b = choose(store, "b")
        fill(store, b)

        assert choose(store, "a").no == a.no
        assert [known.name for known in store.vectors.embedders()] == ["a"]
        assert texts_of(store, a) == ["apricot"]
        assert store.vectors.rows(b.no, None) == []

    def test_a_third_one(self, store: Store) -> None:
        """A model that was never served is given up for the next, which begins with nothing."""
        tell(store, "s", "apricot")
        choose(store, "a")
        fill(store, choose(store, "b"))

        c = choose(store, "c")

        assert [known.name for known in store.vectors.embedders()] == ["a", "c"]
        assert store.vectors.rows(c.no, None) == []
        assert len(store.vectors.unfinished(c.no, MOST)) == 1

    @pytest.mark.parametrize("is_serving", [True, False])
    def test_the_same_name_with_other_vectors(self, store: Store, is_serving: bool) -> None:
        """A name whose vectors have another length is another model: it begins anew."""
        tell(store, "s", "apricot")
        if not is_serving:
            choose(store, "other")
        fill(store, choose(store, "a", 8))

        again = choose(store, "a", 16)

        assert again.dimension == 16
        assert again.state is (State.SERVING if is_serving else State.WANTED)
        assert store.vectors.rows(again.no, None) == []
        assert fill(store, again) == 1

    def test_serving_a_model_that_was_given_up(self, store: Store) -> None:
        """A run that ends after another model was chosen takes nothing from it; no number is given twice."""
        tell(store, "s", "apricot")
        a = choose(store, "a")
        fill(store, a)
        b = choose(store, "b")
        c = choose(store, "c")
        assert c.no != b.no

        store.vectors.serve(b)

        assert [known.name for known in store.vectors.embedders()] == ["a", "c"]
        assert not store.vectors.is_chosen(b)
        assert texts_of(store, a) == ["apricot"]

    def test_remove_all(self, store: Store) -> None:
        """Without models there are no vectors."""
        tell(store, "s", "apricot")
        a = choose(store, "a")
        fill(store, a)
        fill(store, choose(store, "b"))

        store.vectors.remove_all()

        assert store.vectors.embedders() == []
        assert store.database.fetch("all_vectors", embedder=a.no) == []


class TestUnfinished:
    """What still needs vectors."""

    def test_last_active_first(self, store: Store) -> None:
        """Sessions come by their last activity, the newest first, and no more than asked for."""
        for number, ts_ms in enumerate([20, 30, 10]):
            tell(store, f"s{number}", Message(role=Role.USER, content="x", ts_ms=ts_ms))
        known = choose(store, "a")

        assert [part.session for part in store.vectors.unfinished(known.no, MOST)] == [2, 1, 3]
        assert [part.session for part in store.vectors.unfinished(known.no, 1)] == [2]

    def test_sessions_that_grow(self, store: Store) -> None:
        """Of a session that grew only the new messages are wanting."""
        no = tell(store, "s", "apricot", "cherry")
        known = choose(store, "a")
        fill(store, known)
        assert store.vectors.unfinished(known.no, MOST) == []

        tell(store, "s", "plum")

        (part,) = store.vectors.unfinished(known.no, MOST)
        assert part == Unfinished(no, 2, 3)
        assert [text for _, text in store.vectors.texts(part)] == ["plum"]
        assert add(store, known, part)
        assert texts_of(store, known) == ["apricot", "cherry", "plum"]

    def test_in_parts(self, store: Store) -> None:
        """A long session can be done a few messages at a time."""
        said = [f"number {i}" for i in range(10)]
        tell(store, "s", *said)
        known = choose(store, "a")
        sizes = []

        while parts := store.vectors.unfinished(known.no, MOST):
            part = parts[0].first(3)
            sizes.append(len(store.vectors.texts(part)))
            assert add(store, known, part)

        assert sizes == [3, 3, 3, 1]
        assert texts_of(store, known) == said

    def test_what_comes_meanwhile_is_not_part(self, store: Store) -> None:
        """A message that is stored after the part was chosen waits for the next part, or it would have two vectors."""
        tell(store, "s", "apricot")
        known = choose(store, "a")
        (part,) = store.vectors.unfinished(known.no, MOST)
        tell(store, "s", "cherry")

        assert [text for _, text in store.vectors.texts(part)] == ["apricot"]
        assert add(store, known, part)
        assert fill(store, known) == 1
        assert texts_of(store, known) == ["apricot", "cherry"]

    def test_hidden_messages_are_none(self, store: Store) -> None:
        """What is hidden, for whatever reason, is not embedded, but counts as seen."""
        hidden = [Message(role=Role.USER, content=f"{why} words", hidden=why) for why in Hidden]
        tell(store, "s", *hidden)
        known = choose(store, "a")

        assert fill(store, known) == 1
        assert kept(store, known) == {}
        assert store.vectors.coverage(known.no) == Coverage(3, 3)
        assert store.vectors.unfinished(known.no, MOST) == []

    def test_last_place_of_a_session(self, store: Store) -> None:
        """A session with as many messages as one can have is read to its end and no further."""
        for no in (6, 7):  # an even and an odd number: bits of a place must not run over into it
            low = keys.pack(no, keys.MOST_MESSAGES)
            row = (low, "user", "text", 0, None, None, None, None, None, None, f"last of {no}")
            store.database.run_many("add_message", [row])

        for no in (6, 7):
            part = Unfinished(no, keys.MOST_MESSAGES - 5, keys.MOST_MESSAGES).first(200)
            assert [text for _, text in store.vectors.texts(part)] == [f"last of {no}"]

    def test_coverage(self, store: Store) -> None:
        """How many messages a model has seen, of how many."""
        tell(store, "s", "apricot", "cherry")
        known = choose(store, "a")
        assert store.vectors.coverage(known.no) == Coverage(0, 2)
        assert not store.vectors.coverage(known.no).is_full
        fill(store, known)
        tell(store, "t", "plum")
        assert store.vectors.coverage(known.no) == Coverage(2, 3)
        fill(store, known)

        assert store.vectors.coverage(known.no) == Coverage(3, 3)
        assert store.vectors.coverage(known.no).is_full


class TestAdding:
    """What was embedded is stored once, and only if it is still so."""

    def test_who_stores_first_wins(self, tmp_path: Path, store: Store) -> None:
        """Two processes that embed the same part store it once."""
        tell(store, "s", "apricot")
        known = choose(store, "a")
        other = store_in(tmp_path)
        (part,) = store.vectors.unfinished(known.no, MOST)
        assert other.vectors.unfinished(known.no, MOST) == [part]

        assert add(other, known, part) is True
        assert add(store, known, part) is False
        assert texts_of(store, known) == ["apricot"]
        other.close()

    def test_the_session_was_forgotten(self, store: Store) -> None:
        """Vectors of a session that went while they were made are not stored."""
        tell(store, "s", "apricot")
        known = choose(store, "a")
        (part,) = store.vectors.unfinished(known.no, MOST)
        texts = store.vectors.texts(part)
        DatabaseRecall(store, SystemClock()).delete_session(OWNER, "s")

        assert store.vectors.add(known, part, made_of(texts), seen=mark_of(texts)) is False
        assert store.vectors.rows(known.no, None) == []

    @pytest.mark.of_files
    def test_another_session_took_its_number(self, store: Store) -> None:
        """Nor are they stored with a session that is given the number of the forgotten one."""
        no = tell(store, "s", "apricot")
        known = choose(store, "a")
        (part,) = store.vectors.unfinished(known.no, MOST)
        texts = store.vectors.texts(part)
        DatabaseRecall(store, SystemClock()).delete_session(OWNER, "s")
        assert tell(store, "t", "avocado") == no
        assert key_of(store, "avocado") == texts[0][0]

        assert store.vectors.add(known, part, made_of(texts), seen=mark_of(texts)) is False
        assert fill(store, known) == 1
        assert texts_of(store, known) == ["avocado"]

    @pytest.mark.parametrize("how", ["hidden", "forgotten"])
    def test_a_message_went(self, store: Store, how: str) -> None:
        """A message that is hidden or forgotten while it is embedded gets no vector; the others do, next time."""
        no = tell(store, "s", "apricot", "cherry", "plum")
        known = choose(store, "a")
        (part,) = store.vectors.unfinished(known.no, MOST)
        texts = store.vectors.texts(part)
        if how == "hidden":
            store.messages.hide(OWNER, no, [key_of(store, "cherry")], Hidden.REWOUND)
        else:
            store.messages.remove(OWNER, [key_of(store, "cherry")])

        assert store.vectors.add(known, part, made_of(texts), seen=mark_of(texts)) is False
        assert kept(store, known) == {}
        assert fill(store, known) == 1
        assert texts_of(store, known) == ["apricot", "plum"]

    def test_another_model_took_its_place(self, store: Store) -> None:
        """Vectors of a model that was given up are not stored with the next one."""
        tell(store, "s", "apricot")
        choose(store, "a")
        b = choose(store, "b")
        (part,) = store.vectors.unfinished(b.no, MOST)
        c = choose(store, "c")
        assert c.no != b.no

        assert add(store, b, part) is False
        assert store.vectors.rows(c.no, None) == []

    def test_no_model_any_more(self, store: Store) -> None:
        """Vectors of a model that is not used any more are not stored."""
        tell(store, "s", "apricot")
        known = choose(store, "a")
        (part,) = store.vectors.unfinished(known.no, MOST)
        store.vectors.remove_all()

        assert add(store, known, part) is False
        assert store.vectors.rows(known.no, None) == []

    def test_every_change_counts(self, store: Store) -> None:
        """Whoever keeps a copy of the vectors can tell that they have changed; refusing changes nothing."""
        no = tell(store, "s", "apricot", "cherry")
        known = choose(store, "a")
        seen = [changes(store)]
        (part,) = store.vectors.unfinished(known.no, MOST)
        add(store, known, part)
        seen.append(changes(store))
        store.messages.hide(OWNER, no, [key_of(store, "cherry")], Hidden.REWOUND)
        seen.append(changes(store))
        DatabaseRecall(store, SystemClock()).delete_session(OWNER, "s")
        seen.append(changes(store))

        assert seen == sorted(set(seen))
        assert add(store, known, part) is False
        assert changes(store) == seen[-1]


def changes(store: Store) -> int:
    known = store.vectors.serving()
    assert known is not None
    return known.changes


class TestDropping:
    """What is forgotten or hidden has no vectors."""

    def test_only_those(self, store: Store) -> None:
        """Other messages and sessions, and other models, keep their own."""
        tell(store, "s", "who?", answer("apricot"), answer("cherry"))
        tell(store, "t", "plum")
        both = [choose(store, "a"), choose(store, "b")]
        for known in both:
            fill(store, known)

        store.messages.remove(OWNER, [key_of(store, "apricot")])

        for known in both:
            assert texts_of(store, known) == ["who?", "cherry", "plum"]
            assert store.vectors.unfinished(known.no, MOST) == []

    def test_a_prompt_takes_its_answers_along(self, store: Store) -> None:
        """The vector of an answer has the prompt in it, so without the prompt it is made again."""
        no = tell(store, "s", "first?", answer("one"), "second?", answer("two"), answer("three"), "third?")
        known = choose(store, "a")
        fill(store, known)

        store.messages.remove(OWNER, [key_of(store, "second?")])

        assert texts_of(store, known) == ["first?", "one"]
        assert store.vectors.unfinished(known.no, MOST) == [Unfinished(no, 2, 6)]
        fill(store, known)
        assert texts_of(store, known) == ["first?", "one", "two", "three", "third?"]

    def test_session(self, store: Store) -> None:
        """With a session go its vectors of every model, and nobody else's."""
        tell(store, "s", "apricot")
        tell(store, "t", "plum")
        both = [choose(store, "a"), choose(store, "b")]
        for known in both:
            fill(store, known)

        DatabaseRecall(store, SystemClock()).delete_session(OWNER, "s")

        for known in both:
            assert texts_of(store, known) == ["plum"]

    def test_nothing_to_drop_is_no_change(self, store: Store) -> None:
        """Hiding what has no vector leaves every copy of the vectors valid."""
        no = tell(store, "s", "apricot")
        known = choose(store, "a")
        fill(store, known)
        before = changes(store)
        tell(store, "s", "cherry")

        store.messages.hide(OWNER, no, [key_of(store, "cherry")], Hidden.REWOUND)

        assert changes(store) == before
        assert texts_of(store, known) == ["apricot"]

    @pytest.mark.of_files
    def test_new_session_with_the_number_of_a_forgotten_one(self, store: Store) -> None:
        """A session begins without vectors, whoever had its number before."""
        no = tell(store, "s", "apricot")
        known = choose(store, "a")
        fill(store, known)
        DatabaseRecall(store, SystemClock()).delete_session(OWNER, "s")

        assert tell(store, "t", "avocado") == no
        assert store.vectors.rows(known.no, None) == []
        assert store.vectors.unfinished(known.no, MOST) == [Unfinished(no, 0, 1)]


DAMAGES = {
    "half a number": ("lows", b"\1\0\0"),
    "one message too many": ("lows", b"\0\1\0\0" * 4),
    "no factor": ("scales", b""),
    "codes too short": ("codes", b"\1" * (3 * DIMENSION - 1)),
    "another dimension": ("codes", b"\1" * (3 * 2 * DIMENSION)),
    "no codes": ("codes", b""),
}
NO_REACH: list[bytes | str | int] = ["abc", b"\1", -3]


class TestDamaged:
    """A row that does not add up is not trusted, stops nothing, and is made again when it is touched."""

    @pytest.mark.parametrize(("column", "value"), DAMAGES.values(), ids=DAMAGES)
    def test_forgetting_goes_on(self, store: Store, column: str, value: bytes) -> None:
        """Whose bytes are whose cannot be told any more, so all of them go, and the session is done again."""
        no = tell(store, "s", answer("apricot"), answer("cherry"), answer("plum"))
        known = choose(store, "a")
        fill(store, known)
        damage(store, column, value)

        assert store.messages.remove(OWNER, [key_of(store, "cherry")]) == 1

        assert kept(store, known) == {}
        assert store.vectors.unfinished(known.no, MOST) == [Unfinished(no, 0, 3)]
        fill(store, known)
        assert texts_of(store, known) == ["apricot", "plum"]

    @pytest.mark.parametrize("upto", NO_REACH)
    @pytest.mark.of_files
    def test_forgetting_where_the_reach_is_no_id(self, store: Store, upto: bytes | str | int) -> None:
        """The same if it cannot be told how far the vectors reach."""
        no = tell(store, "s", answer("apricot"), answer("cherry"))
        known = choose(store, "a")
        fill(store, known)
        damage(store, "upto", upto)

        assert store.messages.remove(OWNER, [key_of(store, "cherry")]) == 1

        assert kept(store, known) == {}
        assert store.vectors.unfinished(known.no, MOST) == [Unfinished(no, 0, 2)]

    @pytest.mark.parametrize(("column", "value"), DAMAGES.values(), ids=DAMAGES)
    def test_adding_goes_on(self, store: Store, column: str, value: bytes) -> None:
        """Nothing is added to a damaged row; the session is done again from its beginning."""
        tell(store, "s", answer("apricot"), answer("cherry"), answer("plum"))
        known = choose(store, "a")
        fill(store, known)
        damage(store, column, value)
        tell(store, "s", answer("quince"))

        assert fill(store, known) == 0
        assert fill(store, known) == 1
        assert texts_of(store, known) == ["apricot", "cherry", "plum", "quince"]


class TestPrompt:
    """What a person said last before a message."""

    def test_the_last_one(self, store: Store) -> None:
        """It is the nearest before the place, and not what an agent said."""
        no = tell(store, "s", "first?", answer("one"), "second?", answer("two"))

        assert [store.vectors.prompt_before(no, place) for place in range(1, 6)] == [
            "",
            "first?",
            "first?",
            "second?",
            "second?",
        ]

    def test_of_this_session_and_visible(self, store: Store) -> None:
        """Neither the session before nor what is hidden is asked."""
        tell(store, "s", "of another session")
        injected = Message(role=Role.USER, content="context", hidden=Hidden.INJECTED)
        no = tell(store, "t", injected, "taken back", answer("one"))
        store.messages.hide(OWNER, no, [key_of(store, "taken back")], Hidden.REWOUND)

        assert store.vectors.prompt_before(no, 3) == ""

    def test_only_talk(self, store: Store) -> None:
        """A result handed to the agent in the user's name is no prompt."""
        result = Message(role=Role.USER, content="exit code 1", kind=Kind.TOOL_RESULT)
        no = tell(store, "s", "asked", result)

        assert store.vectors.prompt_before(no, 3) == "asked"


def test_rows_of_some_sessions(store: Store) -> None:
    """The rows of some sessions are those among all rows."""
    numbers = [tell(store, f"s{i}", f"text {i}") for i in range(5)]
    known = choose(store, "a")
    fill(store, known)
    rows = {row[0]: row for row in store.vectors.rows(known.no, None)}

    assert sorted(rows) == numbers
    for some in ([], numbers[:1], numbers[1:4], [*numbers, 999]):
        found = store.vectors.rows(known.no, some)
        assert {row[0]: row for row in found} == {no: rows[no] for no in some if no in rows}


@given(st.integers(0, 50), st.integers(1, 40), st.integers(-9, 9), st.sampled_from(["lows", "scales", "codes"]))
def test_adding_up(count: int, dimension: int, more: int, part: str) -> None:
    """Vectors add up exactly if there are as many messages, factors and codes as there must be."""
    vectors = SessionVectors(bytes(4 * count), bytes(4 * count), bytes(count * dimension))
    changed = vectors._replace(**{part: bytes(max(0, len(getattr(vectors, part)) + more))})

    assert vectors.adds_up(dimension)
    assert changed.adds_up(dimension) == (changed == vectors)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_dropping_any_messages(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    """Whatever is hidden or forgotten, in whatever order: the next run gives all that is left its vector, once."""
    store = open_store(tmp_path_factory.mktemp("drop") / "noctuary.db")
    spoken = st.lists(st.booleans(), min_size=1, max_size=12)
    for session, voices in enumerate(data.draw(st.lists(spoken, min_size=1, max_size=3))):
        said = [f"text {session}-{i}" for i in range(len(voices))]
        roles = [Role.USER if is_user else Role.ASSISTANT for is_user in voices]
        pairs = zip(roles, said, strict=True)
        tell(store, f"s{session}", *(Message(role=role, content=text) for role, text in pairs))
    known = choose(store, "a")
    fill(store, known)
    left = dict(kept(store, known))

    for key in data.draw(st.lists(st.sampled_from(sorted(left)), unique=True)):
        if data.draw(st.booleans()):
            store.messages.hide(OWNER, keys.session_of(key), [key], Hidden.REWOUND)
        else:
            store.messages.remove(OWNER, [key])
        del left[key]
        assert kept(store, known).items() <= left.items()
        if data.draw(st.booleans()):
            fill(store, known)
            assert kept(store, known) == left

    fill(store, known)
    assert kept(store, known) == left
    store.close()


SQL = Path(noctuary.store.__file__).parent / "sql" / "migrations"


def test_from_a_database_without_vectors(tmp_path: Path) -> None:
    """A database of schema 2 gets its tables, keeps everything, and can be embedded."""
    path, old = tmp_path / "noctuary.db", tmp_path / "old"
    old.mkdir()
    for migration in sorted(SQL.glob("000[12]*.sql")):
        (old / migration.name).write_text(migration.read_text(encoding="utf-8"), encoding="utf-8")
    connection = apsw.Connection(str(path))
    migrate(connection, path, old)
    key = keys.pack(1, 1, keys.USER, keys.length_class(7))
    connection.execute(
        """insert into sessions (owner, id, message_count, last_id, last_ms) values ('ana', 's', 1, 1, 5);
        insert into totals values ('ana', 1, 7);
        insert into tombstones values ('ana', 'session', 'gone', 1)"""
    )
    connection.execute(
        "insert into messages (key, role, kind, ts_ms, content) values (?, 'user', 'text', 5, 'apricot')", (key,)
    )
    connection.execute("insert into message_index (rowid, text) values (?, 'apricot')", (key,))
    assert connection.pragma("user_version") == 2
    connection.close()

    store = open_store(path)

    assert store.database.fetch("tombstones", owner=OWNER) == [("session", "gone")]
    recall = DatabaseRecall(store, SystemClock())
    assert [hit.anchor.content for hit in recall.search(OWNER, parse("apricot", 0)).hits] == ["apricot"]
    assert (tmp_path / "noctuary.db.schema-2.backup").exists()
    known = choose(store, "a")
    assert fill(store, known) == 1
    assert texts_of(store, known) == ["apricot"]
    store.close()


@pytest.fixture
def comparing(database_with_vectors: Reused, tmp_path: Path) -> Iterator[Store]:
    """A store on a server that compares vectors."""
    with on_postgres(database_with_vectors):
        opened = store_in(tmp_path)
        assert opened.vectors.are_compared
        yield opened
        opened.close()


@pytest.mark.slow
@pytest.mark.parametrize("dimension", [1, 7, 384, 1024])
def test_a_server_compares_exactly_as_this_process(comparing: Store, dimension: int) -> None:
    """To the last bit, of vectors of any length, of all sessions or of some, also as sessions grow and shrink."""
    random = np.random.default_rng(7)
    known = choose(comparing, "model", dimension)
    sessions = [tell(comparing, f"s{n}", *(f"message {m} of {n}" for m in range(6))) for n in range(4)]
    for upto in (3, 6):
        for session in sessions:
            lows = sorted(key & LOW_MASK for key, _ in comparing.vectors.texts(Unfinished(session, 0, upto)))
            vectors = np.random.default_rng(session).standard_normal((2 * upto, dimension)).astype(np.float32)
            vectors[1] = 0.0  # what a model makes nothing of
            vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
            doubled = array("I", sorted([*lows, *lows])).tobytes()
            comparing.vectors._save(known.no, session, upto, SessionVectors(doubled, *packed(vectors)))
        assert compared_there(comparing, known) == compared_here(comparing, known)
    picked = [int(number) for number in random.choice(sessions, 2, replace=False)]
    assert compared_there(comparing, known, picked) == compared_here(comparing, known, picked)
    assert len(compared_there(comparing, known, picked)) == 12
    assert compared_there(comparing, known, []) == []
    comparing.vectors.drop(comparing.messages.containing("message 3 of 1"))
    assert compared_there(comparing, known) == compared_here(comparing, known)
    comparing.vectors.drop_session(sessions[0])
    assert compared_there(comparing, known) == compared_here(comparing, known)


@pytest.mark.slow
def test_vectors_that_were_there_before_are_compared_too(postgres_url: str) -> None:
    """When an administrator adds pgvector later, everybody's vectors are; without it they are compared by us again."""
    needs_vectors()
    stores = [open_server_store(postgres_url, owner) for owner in ("ana", "ben")]
    models = []
    for store, owner in zip(stores, ("ana", "ben"), strict=True):
        DatabaseRecall(store, SystemClock()).append(owner, "s", Message(role=Role.USER, content=f"{owner} says"))
        models.append(choose(store, "model"))
        assert not store.vectors.are_compared
        assert fill(store, models[-1]) == 1
    change_behind(postgres_url, "create extension vector")
    stores[0].extend()

    for owner, known in zip(("ana", "ben"), models, strict=True):
        opened = open_server_store(postgres_url, owner)
        assert opened.vectors.are_compared
        assert compared_there(opened, known) == compared_here(opened, known) != []
        assert len(compared_there(opened, known)) == 1  # nobody is shown another's
        opened.close()
    assert compared_there(stores[0], models[1]) == []

    change_behind(postgres_url, "drop extension vector cascade")
    after = open_server_store(postgres_url, "ana")
    assert not after.vectors.are_compared
    DatabaseRecall(after, SystemClock()).append("ana", "s", Message(role=Role.USER, content="more"))
    assert fill(after, models[0]) == 1
    change_behind(postgres_url, "create extension vector")
    after.extend()
    assert compared_there(after, models[0]) == compared_here(after, models[0])
    assert len(compared_here(after, models[0])) == 2
    for store in (*stores, after):
        store.close()
