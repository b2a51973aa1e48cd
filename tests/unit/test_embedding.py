"""Embedding: it can be stopped, repeated and shared, and always ends as if nothing had happened."""

import json
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noctuary.app import Memory
from noctuary.embedding import BATCH, MOST_AT_ONCE, Embedded, EmbeddingRun
from noctuary.errors import ModelDamaged, ModelMissing, ModelUnreachable
from noctuary.forgetting import Forgotten
from noctuary.models.hashing import HashingEmbedder
from noctuary.recall.database import DatabaseRecall
from noctuary.recall.scan import packed
from noctuary.records import Hidden, Kind, Message, Role, Session
from noctuary.store import Store, keys, open_store
from noctuary.store.sqlite import SqliteDatabase
from noctuary.store.vectors import NOTHING, Damage, KnownEmbedder, SessionVectors, State, Vectors
from noctuary.testing import ClaudeTranscript, FakeClock
from tests.unit.importing.machine import OWNER
from tests.unit.listening import Listening

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from noctuary.models.embedder import Vectors as EmbedderVectors

Doing = Callable[[int], None]


class Watched(HashingEmbedder):
    """The hashing model, which tells its batches apart and lets a test do something before each of them."""

    def __init__(self, doing: Doing | None = None, dimension: int = 64, name: str = "") -> None:
        super().__init__(dimension)
        self.name = name or self.name
        self.doing = doing
        self.batches: list[list[str]] = []

    def passages(self, texts: Sequence[str]) -> "EmbedderVectors":
        assert len(self.batches) < 1_000, "the run does not end"
        self.batches.append(list(texts))
        if self.doing:
            self.doing(len(self.batches))
        return super().passages(texts)

    @property
    def texts(self) -> list[str]:
        """Every text it was given."""
        return [text for batch in self.batches for text in batch]


class Choosy(HashingEmbedder):
    """A model that makes nothing of bananas."""

    name = "choosy@1"

    def __init__(self) -> None:
        super().__init__()
        self.name = Choosy.name

    def passages(self, texts: Sequence[str]) -> "EmbedderVectors":
        rows = super().passages(texts)
        rows[["banana" in text for text in texts]] = 0.0
        return rows


def once(action: Callable[[], object], batch: int = 1) -> Doing:
    """Does something before one of the batches."""

    def doing(number: int) -> None:
        if number == batch:
            action()

    return doing


def failing(after: int) -> Doing:
    """The model cannot be reached any more after so many batches."""

    def doing(number: int) -> None:
        if number > after:
            raise ModelUnreachable

    return doing


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An empty store."""
    opened = open_store(tmp_path / "noctuary.db")
    yield opened
    opened.close()


def fill(store: Store, *, sessions: int = 12, turns: int = 60) -> Store:
    """Sessions of several batches together: prompts and answers, and one that is stored in several parts."""
    recall = DatabaseRecall(store, FakeClock())
    for number in range(sessions):
        many = 3 * MOST_AT_ONCE if number == 1 else turns
        said = [
            Message(
                role=(Role.USER, Role.ASSISTANT)[turn % 3 > 0],
                content=f"word{turn} of session{number} thing{turn * number}",
                hidden=Hidden.INJECTED if turn % 17 == 5 else None,
                ts_ms=1_000 * number + turn,
            )
            for turn in range(many)
        ]
        recall.add_session(OWNER, Session(id=f"s{number}"), said)
    return store


def choose(store: Store, embedder: HashingEmbedder) -> KnownEmbedder:
    return store.vectors.choose(embedder.name, "hashing", embedder.dimension)


def embed(store: Store, embedder: HashingEmbedder | None = None) -> Embedded:
    used = embedder or HashingEmbedder()
    return EmbeddingRun(store, used, choose(store, used)).run()


Rows = dict[tuple[str, int], tuple[int, SessionVectors]]


def rows_in(store: Store) -> Rows:
    """How far each model has come in each session, and with which vectors; every row adds up."""
    found: Rows = {}
    for known in store.vectors.embedders():
        for session, *_ in store.vectors.rows(known.no, None):
            upto, *parts = store.database.fetch("vectors_of_session", embedder=known.no, session=session)[0]
            vectors = SessionVectors(*parts)
            assert vectors.adds_up(known.dimension)
            found[known.name, session] = (upto, vectors)
    return found


def keys_in(store: Store) -> list[int]:
    """Keys of the messages that have vectors, as often as they have."""
    return [
        session << keys.SESSION_SHIFT | low
        for (_, session), (_, vectors) in rows_in(store).items()
        for low in array("I", vectors.lows)
    ]


def texts_in(store: Store) -> list[str]:
    """Texts of the messages that have vectors, in order; each of these messages is short, so it has one."""
    found = sorted(keys_in(store))
    assert len(found) == len(set(found)), "a message has its vectors twice"
    texts = store.messages.texts(found)
    return [texts[key][1] for key in found]


def key_of(store: Store, text: str) -> int:
    return store.messages.containing(text)[0]


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> Rows:
    """What an uninterrupted run makes of `fill`."""
    store = fill(open_store(tmp_path_factory.mktemp("whole") / "noctuary.db"))
    watched = Watched()
    embed(store, watched)
    assert len(watched.batches) > 4, "one batch cannot be interrupted"
    assert max(len(batch) for batch in watched.batches) > BATCH // 2
    rows = rows_in(store)
    store.close()
    return rows


class TestRun:
    """One run from its beginning to its end."""

    def test_all_visible_messages(self, store: Store) -> None:
        """Every message of the conversation has vectors afterwards, and nothing else has."""
        fill(store)
        done = embed(store)

        visible = {key for key in store.messages.containing("") if store.messages.by_key([key])[key].hidden is None}
        assert set(keys_in(store)) == visible
        assert len(keys_in(store)) == done.passages
        total = store.vectors.coverage(1).total
        assert done == Embedded("hashing-64@1", total, done.passages, waiting=0, is_serving=True)
        assert total > len(visible)  # hidden ones are looked at too

    def test_nothing_left_to_do(self, store: Store) -> None:
        """A second run asks the model for nothing and changes nothing."""
        fill(store, sessions=3)
        embed(store)
        before, watched = rows_in(store), Watched()

        assert embed(store, watched) == Embedded(watched.name, 0, 0, waiting=0, is_serving=True)
        assert (rows_in(store), watched.batches) == (before, [])

    def test_an_empty_memory(self, store: Store) -> None:
        """There is nothing to do, and the model serves."""
        assert embed(store) == Embedded("hashing-64@1", is_serving=True)

    def test_progress(self, store: Store) -> None:
        """Whoever watches is told after each batch how many messages are done, up to all of them."""
        fill(store)
        shown: list[tuple[int, int]] = []
        embedder = HashingEmbedder()

        EmbeddingRun(store, embedder, choose(store, embedder)).run(lambda done, total: shown.append((done, total)))

        total = store.vectors.coverage(1).total
        assert len(shown) > 4
        assert shown == sorted(set(shown))
        assert shown[-1] == (total, total)

    def test_newest_sessions_first(self, store: Store) -> None:
        """If a run is stopped, what was said last is done."""
        fill(store)

        with pytest.raises(ModelUnreachable):
            embed(store, Watched(failing(after=1)))

        done = {session for _, session in rows_in(store)}
        assert done == set(range(13 - len(done), 13))

    def test_texts_without_words(self, store: Store) -> None:
        """A message without a single word has a vector of length 0, like any other."""
        recall = DatabaseRecall(store, FakeClock())
        said = [Message(role=Role.USER, content=text) for text in ("=>", "  ", "", "apricot")]
        recall.add_session(OWNER, Session(id="s"), said)

        embed(store)

        assert texts_in(store) == ["=>", "apricot"]
        (_, (upto, vectors)) = rows_in(store).popitem()
        assert (upto, vectors.scales[:4], vectors.codes[:64]) == (4, array("f", [NOTHING]).tobytes(), bytes(64))

    def test_what_a_model_makes_nothing_of_is_counted(self, store: Store) -> None:
        """Passages with words that have no vector all the same are told; that signs have none is not worth a word."""
        recall = DatabaseRecall(store, FakeClock())
        for text in ("=>", "apricot", "a banana", "cherry", "bananas"):
            recall.append(OWNER, "s", Message(role=Role.USER, content=text))
        done = embed(store, Choosy())

        assert (done.passages, done.silent, done.is_serving) == (5, 2, True)
        assert embed(store, Choosy()) == Embedded(Choosy.name, is_serving=True)

    def test_long_messages_have_several(self, store: Store) -> None:
        """A long prompt has a vector for each of its passages, side by side."""
        recall = DatabaseRecall(store, FakeClock())
        recall.append(OWNER, "s", Message(role=Role.USER, content="One more sentence of it. " * 200))
        recall.append(OWNER, "s", Message(role=Role.USER, content="short"))

        done = embed(store)

        places = [keys.place_of(key) for key in keys_in(store)]
        assert done.passages == len(places) > 2
        assert places == [*[1] * (len(places) - 1), 2]


class TestStopped:
    """A run that ends early."""

    @pytest.mark.parametrize("after", [0, 1, 2, 4])
    def test_goes_on_where_it_stopped(self, store: Store, expected: Rows, after: int) -> None:
        """What was stored stays, is not made again, and in the end all is as if it had never stopped."""
        fill(store)
        with pytest.raises(ModelUnreachable):
            embed(store, Watched(failing(after)))
        kept = rows_in(store)
        assert bool(kept) == (after > 0)
        assert kept != expected
        rest = Watched()

        done = embed(store, rest)

        assert rows_in(store) == expected
        assert all(rows_in(store)[at][1].codes.startswith(vectors.codes) for at, (_, vectors) in kept.items())
        assert len(rest.texts) == done.passages == len(keys_in(store)) - sum(len(v.lows) // 4 for _, v in kept.values())

    def test_stopped_again_and_again(self, store: Store, expected: Rows) -> None:
        """However often it stops, after one batch each time, it comes to an end."""
        fill(store)

        for _ in range(40):
            try:
                embed(store, Watched(failing(after=1)))
            except ModelUnreachable:
                continue
            break

        assert rows_in(store) == expected

    def test_a_model_that_never_answers(self, store: Store) -> None:
        """Nothing is stored, and nothing is lost."""
        fill(store, sessions=2)

        with pytest.raises(ModelUnreachable):
            embed(store, Watched(failing(after=0)))

        assert rows_in(store) == {}
        assert store.vectors.coverage(1).done == 0


EMPTY = SessionVectors()


def replace(store: Store, session: int, vectors: SessionVectors) -> None:
    """Put others in the place of a session's vectors, as if they were all there are."""
    ((_, (upto, _)),) = [each for each in rows_in(store).items() if each[0][1] == session]
    store.database.fetch("save_vectors", embedder=1, session=session, upto=upto, **vectors._asdict())


def without_last(vectors: SessionVectors) -> SessionVectors:
    return SessionVectors(vectors.lows[:-4], vectors.scales[:-4], vectors.codes[:-64])


ANYTHING = st.builds(
    Message,
    role=st.sampled_from(Role),
    kind=st.sampled_from(Kind),
    content=st.sampled_from(["", " ", "\n\t ", "\u00a0\u2003", "y", "=>", "apricot", "One more sentence of it. " * 90]),
    hidden=st.sampled_from([None, None, None, *Hidden]),
    **dict.fromkeys(["id", "ts_ms"], st.just(0)),
    **dict.fromkeys(["tool_name", "tool_calls", "call_id", "source_line", "uid"], st.none()),
)


class Shared(SqliteDatabase):
    """A database where somebody else does something just before one's turn to write."""

    def __init__(self, path: Path, meanwhile: Callable[[], object]) -> None:
        super().__init__(path)
        self.meanwhile = meanwhile

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """As ever, but later than somebody else."""
        self.meanwhile()
        with super().transaction():
            yield


class TestMending:
    """Vectors that were lost are noticed, and made again."""

    def test_what_is_dropped_is_a_change(self, store: Store) -> None:
        """Whoever keeps a copy of the vectors can tell that the damaged ones are gone."""
        fill(store, sessions=2)
        embed(store)
        replace(store, 2, EMPTY)
        (before,) = store.vectors.embedders()

        store.vectors.drop_damaged(before)

        (after,) = store.vectors.embedders()
        assert after.changes > before.changes
        store.vectors.drop_damaged(after)
        assert store.vectors.embedders() == [after]

    def test_somebody_else_was_faster(self, tmp_path: Path, store: Store) -> None:
        """What another process has mended between the look and one's turn to write is not dropped again."""
        fill(store, sessions=2)
        embed(store)
        (known,) = store.vectors.embedders()
        before = rows_in(store)
        replace(store, 2, EMPTY)
        shared = Shared(tmp_path / "noctuary.db", lambda: embed(store))

        Vectors(shared).drop_damaged(known)

        assert rows_in(store) == before
        shared.close()

    def test_only_what_is_lost(self, store: Store, expected: Rows) -> None:
        """Sessions that were emptied, or lost a part, are embedded again, and no other is."""
        fill(store)
        embed(store)
        replace(store, 3, EMPTY)
        replace(store, 5, without_last(rows_in(store)["hashing-64@1", 5][1]))
        watched = Watched()

        done = embed(store, watched)

        assert rows_in(store) == expected
        assert {text.split("session")[1].split()[0] for text in watched.texts} == {"2", "4"}
        assert done.messages == 2 * 60

    def test_more_vectors_than_messages(self, store: Store) -> None:
        """A session whose long messages have several is looked at message by message."""
        recall = DatabaseRecall(store, FakeClock())
        recall.append(OWNER, "s", Message(role=Role.USER, content="One more sentence of it. " * 200))
        recall.append(OWNER, "s", Message(role=Role.USER, content="short"))
        embed(store)
        before = rows_in(store)
        replace(store, 1, without_last(before["hashing-64@1", 1][1]))
        assert len(keys_in(store)) > 2

        embed(store)

        assert rows_in(store) == before

    def test_of_a_session_that_goes_on(self, store: Store) -> None:
        """What was lost is made again together with what is new."""
        recall = DatabaseRecall(store, FakeClock())
        recall.append(OWNER, "s", Message(role=Role.USER, content="apricot"))
        embed(store)
        replace(store, 1, EMPTY)
        recall.append(OWNER, "s", Message(role=Role.USER, content="cherry"))

        embed(store)

        assert texts_in(store) == ["apricot", "cherry"]

    @settings(max_examples=60, deadline=None)
    @given(st.lists(st.lists(ANYTHING, min_size=1, max_size=6), min_size=1, max_size=4))
    def test_whatever_was_said(self, tmp_path_factory: pytest.TempPathFactory, said: list[list[Message]]) -> None:
        """What has all its vectors is never suspected, blank or hidden as it may be; what has lost them always is."""
        store = open_store(tmp_path_factory.mktemp("mending") / "noctuary.db")
        for number, messages in enumerate(said):
            DatabaseRecall(store, FakeClock()).add_session(OWNER, Session(id=f"s{number}"), messages)
        embed(store)
        before = rows_in(store)
        (known,) = store.vectors.embedders()
        assert list(store.vectors.damages(known)) == []
        again = Watched()
        embed(store, again)
        assert again.batches == []

        for _, session in before:
            replace(store, session, EMPTY)
        filled = {session for (_, session), (_, vectors) in before.items() if vectors != EMPTY}
        assert list(store.vectors.damages(known)) == [(session, Damage.LACKING) for session in sorted(filled)]
        embed(store)

        assert rows_in(store) == before
        store.close()

    def test_nothing_is_read_where_all_is_well(self, tmp_path: Path, store: Store) -> None:
        """To find that nothing is lost takes one look at keys and lengths, no vector, no text and no turn to write."""
        fill(store)
        recall = DatabaseRecall(store, FakeClock())
        recall.append(OWNER, "blank", Message(role=Role.TOOL, content=""))
        embed(store)
        (known,) = store.vectors.embedders()
        listening = Listening(tmp_path / "noctuary.db", busy_seconds=0)

        with store.database.transaction():
            Vectors(listening).drop_damaged(known)

        (blank,) = store.database.fetch("embeddable_keys", low=13 << 32, high=14 << 32)
        assert listening.asked == [
            ("vectors_beside_index", {"embedder": known.no, "dimension": known.dimension}),
            ("texts_by_key", {"keys": json.dumps(blank)}),
        ]
        listening.close()


class TestTwoAtOnce:
    """Two processes that embed the same memory."""

    @pytest.mark.parametrize(("at", "batches"), [(1, 1), (1, 99), (2, 1), (3, 2), (4, 99)])
    def test_nothing_is_doubled(self, tmp_path: Path, store: Store, expected: Rows, at: int, batches: int) -> None:
        """Whoever stores first wins; the result is that of one run."""
        fill(store)
        other = open_store(tmp_path / "noctuary.db")

        def run_other() -> None:
            if batches < 99:
                with pytest.raises(ModelUnreachable):
                    embed(other, Watched(failing(batches)))
            else:
                embed(other)

        done = embed(store, Watched(once(run_other, at)))
        other.close()

        assert rows_in(store) == expected
        assert done.is_serving

    def test_turn_by_turn(self, tmp_path: Path, store: Store, expected: Rows) -> None:
        """Also if each of them works on what the other has just begun, batch by batch."""
        fill(store)
        other = open_store(tmp_path / "noctuary.db")

        def one_more(_: int) -> None:
            with suppress(ModelUnreachable):
                embed(other, Watched(failing(after=1)))

        embed(store, Watched(one_more))
        other.close()

        assert rows_in(store) == expected

    def test_both_finish_a_new_model(self, tmp_path: Path, store: Store) -> None:
        """Two runs that both replace the model that serves end with the new one, whole."""
        fill(store, sessions=3)
        embed(store)
        other = open_store(tmp_path / "noctuary.db")
        new = Watched(dimension=32)
        new.doing = once(lambda: embed(other, HashingEmbedder(32)))

        assert embed(store, new).is_serving
        assert [(known.name, known.state) for known in store.vectors.embedders()] == [("hashing-32@1", State.SERVING)]
        assert len(keys_in(store)) == len(set(keys_in(store)))
        other.close()


def gone_meanwhile(recall: DatabaseRecall, how: str) -> None:
    """What may become of the message `cherry` of the session `s`."""
    messages = recall.store.messages
    key = key_of(recall.store, "cherry")
    if how == "forgotten":
        messages.remove(OWNER, [key])
    elif how == "session":
        recall.delete_session(OWNER, "s")
    else:
        messages.hide(OWNER, keys.session_of(key), [key], Hidden(how))


class TestMeanwhile:
    """The memory changes while it is embedded."""

    @pytest.mark.parametrize("how", [Hidden.REWOUND, Hidden.RECALLED, "forgotten", "session"])
    def test_what_goes_leaves_no_vector(self, tmp_path: Path, store: Store, how: str) -> None:
        """A message that is hidden, taken back or forgotten while it is embedded has no vector; the others have."""
        recall = DatabaseRecall(store, FakeClock())
        for text in ("apricot", "cherry", "plum"):
            recall.append(OWNER, "s", Message(role=Role.USER, content=text))
        recall.append(OWNER, "t", Message(role=Role.USER, content="quince"))
        other = DatabaseRecall(open_store(tmp_path / "noctuary.db"), FakeClock())

        embed(store, Watched(once(lambda: gone_meanwhile(other, how))))

        assert texts_in(store) == (["quince"] if how == "session" else ["apricot", "plum", "quince"])
        other.store.close()

    def test_a_prompt_that_goes_is_not_in_its_answers(self, store: Store) -> None:
        """An answer whose prompt is forgotten while both are embedded is embedded without it."""
        recall = DatabaseRecall(store, FakeClock())
        recall.append(OWNER, "s", Message(role=Role.USER, content="cherry"))
        recall.append(OWNER, "s", Message(role=Role.ASSISTANT, content="plum"))
        watched = Watched(once(lambda: gone_meanwhile(recall, "forgotten")))

        embed(store, watched)

        assert watched.batches == [["cherry", "cherry\nplum"], ["plum"]]
        (_, (_, vectors)) = rows_in(store).popitem()
        assert vectors[1:] == packed(HashingEmbedder().passages(["plum"]))

    def test_a_prompt_that_goes_between_two_parts(self, store: Store) -> None:
        """Also if the prompt was stored already, and only its answers are being embedded."""
        recall = DatabaseRecall(store, FakeClock())
        recall.append(OWNER, "s", Message(role=Role.USER, content="cherry"))
        embed(store)
        recall.append(OWNER, "s", Message(role=Role.ASSISTANT, content="plum"))
        watched = Watched(once(lambda: gone_meanwhile(recall, "forgotten")))

        embed(store, watched)

        assert watched.batches == [["cherry\nplum"], ["plum"]]
        (_, (_, vectors)) = rows_in(store).popitem()
        assert vectors[1:] == packed(HashingEmbedder().passages(["plum"]))

    def test_what_comes_gets_its_vector_once(self, store: Store) -> None:
        """A message that is stored while its session is embedded is embedded next, in the same run."""
        recall = DatabaseRecall(store, FakeClock())
        recall.append(OWNER, "s", Message(role=Role.USER, content="apricot"))
        cherry = Message(role=Role.USER, content="cherry")
        watched = Watched(once(lambda: recall.append(OWNER, "s", cherry)))

        done = embed(store, watched)

        assert watched.batches == [["apricot"], ["cherry"]]
        assert texts_in(store) == ["apricot", "cherry"]
        assert (done.messages, done.waiting) == (2, 0)

    def test_another_model_is_chosen(self, tmp_path: Path, store: Store) -> None:
        """A run whose model is given up ends, and takes nothing from the model that has its place and its number."""
        fill(store)
        embed(store)
        before = rows_in(store)
        other = open_store(tmp_path / "noctuary.db")
        third = HashingEmbedder(32)
        third.name = "third@1"

        done = embed(store, Watched(once(lambda: choose(other, third), 2), dimension=32))

        assert not done.is_serving
        assert done.waiting == store.vectors.coverage(1).total
        assert [known.name for known in store.vectors.embedders()] == ["hashing-64@1", "third@1"]
        assert rows_in(store) == before
        other.close()

    def test_no_model_any_more(self, tmp_path: Path, store: Store) -> None:
        """A run ends when its model is not wanted any more."""
        fill(store)
        other = open_store(tmp_path / "noctuary.db")
        watched = Watched(once(other.vectors.remove_all, 2))

        assert not embed(store, watched).is_serving
        assert (store.vectors.embedders(), len(watched.batches)) == ([], 2)
        other.close()


class TestGrowing:
    """Sessions that go on."""

    def test_only_what_is_new(self, store: Store) -> None:
        """Of a session that grew only the new messages are given to the model, after the prompt they answer."""
        recall = DatabaseRecall(store, FakeClock())
        recall.append(OWNER, "s", Message(role=Role.USER, content="Why is it slow?"))
        recall.append(OWNER, "s", Message(role=Role.ASSISTANT, content="There is no index."))
        recall.append(OWNER, "t", Message(role=Role.USER, content="Something else."))
        embed(store)
        watched = Watched()
        recall.append(OWNER, "s", Message(role=Role.ASSISTANT, content="Shall I add one?"))
        recall.append(OWNER, "s", Message(role=Role.USER, content="Yes."))
        recall.append(OWNER, "s", Message(role=Role.ASSISTANT, content="Done."))

        embed(store, watched)

        assert watched.batches == [["Why is it slow?\nShall I add one?", "Yes.", "Yes.\nDone."]]

    @settings(max_examples=25, deadline=None)
    @given(st.lists(st.tuples(st.integers(0, 3), st.sampled_from([*Role, None]), st.booleans()), max_size=25))
    def test_step_by_step_or_at_once(
        self, tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[int, Role | None, bool]]
    ) -> None:
        """However a memory grows, and however often it is embedded meanwhile, it has the vectors of one run."""
        folder = tmp_path_factory.mktemp("growing")
        slow, fast = open_store(folder / "slow.db"), open_store(folder / "fast.db")
        for store in (slow, fast):
            recall = DatabaseRecall(store, FakeClock())
            for number, (session, role, is_embedded) in enumerate(steps):
                hidden = Hidden.INJECTED if role is None else None
                said = Message(role=role or Role.USER, content=f"text{number} {number % 3}", hidden=hidden)
                recall.append(OWNER, f"s{session}", said)
                if is_embedded and store is slow:
                    embed(store)
            embed(store)

        assert rows_in(slow) == rows_in(fast)
        slow.close()
        fast.close()

    def test_injected_texts_are_not_embedded(self, store: Store) -> None:
        """What programs put into a conversation, and what was taken back, is never given to a model."""
        recall = DatabaseRecall(store, FakeClock())
        for why in Hidden:
            recall.append(OWNER, "s", Message(role=Role.USER, content=f"{why} words", hidden=why))
        recall.append(OWNER, "s", Message(role=Role.ASSISTANT, content="apricot"))
        watched = Watched()

        embed(store, watched)

        assert watched.texts == ["apricot"]


class TestModels:
    """Which model's vectors there are."""

    def test_one_after_the_other(self, store: Store) -> None:
        """The old model serves until the new one has seen everything; then its vectors are gone."""
        fill(store, sessions=2)
        embed(store)
        new = Watched(dimension=32)
        states: list[list[tuple[int, State]]] = []
        new.doing = lambda _: states.append([(k.dimension, k.state) for k in store.vectors.embedders()])

        done = embed(store, new)

        assert states
        assert all(state == [(64, State.SERVING), (32, State.WANTED)] for state in states)
        assert done.is_serving
        assert {name for name, _ in rows_in(store)} == {new.name}
        assert store.database.fetch("all_vectors", embedder=1) == []

    def test_other_weights_under_the_same_source(self, store: Store) -> None:
        """A model that is not the one the memory knows is refused before anything is embedded."""
        known = choose(store, HashingEmbedder())
        renamed, wider = Watched(name="hashing-64@2"), Watched(name="hashing-64@1", dimension=32)

        for changed in (renamed, wider):
            with pytest.raises(ModelDamaged, match="no longer hashing-64@1"):
                EmbeddingRun(store, changed, known)
            assert changed.batches == []

    def test_without_a_model(self, memory: Memory) -> None:
        """Who embeds before choosing is told to choose."""
        with pytest.raises(ModelMissing, match="No model is chosen"):
            memory.embed()


def codes(*texts: str) -> list[bytes]:
    """The codes of texts, as they are stored."""
    return [packed(HashingEmbedder().passages([text])).codes for text in texts]


def file_bytes(memory: Memory) -> bytes:
    """All bytes of the database as they are on disk, its write-ahead log included."""
    return b"".join(path.read_bytes() for path in memory.settings.home.glob("noctuary.db*"))


ASKED = "Where are the cloves of zanzibar77 kept, far from the quay?"
ANSWERED = "Behind the third barrel of the northern storehouse."
OTHERWISE = "Tea is brewed at noon, in the blue pot."

WAYS = {
    "session": Forgotten(session="s-1"),
    "project": Forgotten(project="/nowhere/spice"),
    "text": Forgotten(text="cloves of zanzibar77"),
}


class TestForgetting:
    """What is forgotten leaves no vector, in no table and in no byte of the file."""

    @pytest.mark.parametrize("way", WAYS)
    def test_gone_from_the_file(self, memory: Memory, home: Path, way: str) -> None:
        """The vectors of what is forgotten, and of the answers that have a forgotten prompt in them, are gone."""
        spice = ClaudeTranscript("s-1", cwd="/nowhere/spice").say("Good morning.").say(ASKED).reply(ANSWERED)
        spice.save(home)
        for number in range(30):
            tea = ClaudeTranscript(f"o-{number}", cwd="/nowhere/tea").say(OTHERWISE)
            tea.reply(f"Of sort {number}.").save(home)
        memory.import_transcripts()
        memory.use_model("hashing")
        memory.embed()
        secret = codes(ASKED, f"{ASKED}\n{ANSWERED}")
        assert all(code in file_bytes(memory) for code in [*secret, *codes(OTHERWISE)])

        memory.forget(WAYS[way])

        left = file_bytes(memory)
        assert not any(code in left for code in secret)
        assert not any(code[start : start + 16] in left for code in secret for start in (0, 16, 32, 48))
        assert all(code in left for code in codes(OTHERWISE))
        assert memory.embed().passages == (1 if way == "text" else 0)
        assert (codes(f"Good morning.\n{ANSWERED}")[0] in file_bytes(memory)) == (way == "text")
        assert not any(code in file_bytes(memory) for code in secret)

    def test_taken_back_by_a_rewind(self, memory: Memory, home: Path) -> None:
        """Messages of a branch that was taken back lose their vectors with the import that finds out."""
        transcript = ClaudeTranscript("s-1").say("Make it blue.").reply("It is blue.")
        before = transcript.tip
        transcript.say("Now green.").reply("It is green.").save(home)
        memory.import_transcripts()
        memory.use_model("hashing")
        memory.embed()
        assert "It is green." in texts_in(memory.store)
        transcript.back_to(before).say("Now red.").reply("It is red.").save(home)
        memory.import_transcripts()

        assert texts_in(memory.store) == ["Make it blue.", "It is blue."]
        memory.embed()
        assert texts_in(memory.store) == ["Make it blue.", "It is blue.", "Now red.", "It is red."]

    def test_another_model_leaves_nothing(self, memory: Memory, home: Path) -> None:
        """Vectors of a model that is not used any more are gone from the tables."""
        ClaudeTranscript("s-1").say(ASKED).save(home)
        memory.import_transcripts()
        memory.use_model("hashing")
        memory.embed()

        memory.use_no_model()

        assert memory.used_models() == []
        assert memory.store.database.fetch("all_vectors", embedder=1) == []
