"""Search with a model keeps every promise of search without one: owners, filters, phrases, what is hidden or gone."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noctuary.embedding import EmbeddingRun
from noctuary.models.hashing import HashingEmbedder
from noctuary.recall.database import DatabaseRecall
from noctuary.recall.meaning import Meanings
from noctuary.records import Hidden, Message, Role, Session
from noctuary.store import keys
from noctuary.testing import FakeClock
from tests.contract.building import DAY, NOW, OWNER, ask, at, named, say, tell
from tests.databases import COMPARING_KINDS, of_kind, store_in

if TYPE_CHECKING:
    from noctuary.models.embedder import Vectors

MEANS = {"automobile": "car", "vehicle": "car", "motorway": "road", "physician": "doctor"}
BROKEN, PARKED = "the car stalled again", "her car stands before the house"
LISBON = "Lisbon is sunny"


class Thesaurus(HashingEmbedder):
    """The hashing model with a few synonyms."""

    def passages(self, texts: Sequence[str]) -> "Vectors":
        return super().passages([" ".join(MEANS.get(word, word) for word in text.split()) for text in texts])


class Meaningful:
    """A store in which everything that was said is embedded, of any number of owners."""

    def __init__(self, folder: Path, owner: str = OWNER) -> None:
        self.folder = folder
        self.store = store_in(folder, owner)
        self.model = Thesaurus()
        meanings = Meanings(self.store, lambda _: self.model, FakeClock())
        self.recall = DatabaseRecall(self.store, FakeClock(), meanings.understand)

    def of(self, owner: str) -> "Meaningful":
        """The same for another owner: this one, where a store is everybody's."""
        return self if self.store.database.dialect == "sqlite" else Meaningful(self.folder, owner)

    def embed(self) -> None:
        known = self.store.vectors.choose(self.model.name, "thesaurus", self.model.dimension)
        EmbeddingRun(self.store, self.model, known).run()

    def found(self, text: str, *, owner: str = OWNER, **narrowed: object) -> list[str]:
        """What every message says that a search finds."""
        hits = self.recall.search_messages(owner, ask(text, **narrowed), 100).hits
        return [hit.anchor.content for hit in hits]


@pytest.fixture(params=COMPARING_KINDS)
def database(request: pytest.FixtureRequest) -> Iterator[str]:
    """Each kind of database, and a server that compares vectors itself."""
    with of_kind(request) as kind:
        yield kind


@pytest.fixture
def memory(tmp_path: Path, database: str) -> Iterator[Meaningful]:
    """Two sessions of two agents about cars and Lisbon, a year apart, among others."""
    made = Meaningful(tmp_path)
    recall = made.recall
    recall.ensure_session(OWNER, Session(id="garage", project="/code/shop", agent="codex"))
    tell(recall, "garage", BROKEN, *filler("garage"), LISBON, start=at(2026, 2, 10))
    recall.ensure_session(OWNER, Session(id="street", project="/code/blog", agent="claude-code"))
    said: list[str | Message] = [say(PARKED, Role.ASSISTANT), *filler("street"), say(f"{LISBON} today", Role.ASSISTANT)]
    tell(recall, "street", *said, start=at(2025, 2, 10))
    for number in range(4):
        tell(recall, f"other{number}", *filler(f"other{number}"))
    made.embed()
    yield made
    made.store.close()


def filler(session: str) -> list[str]:
    """Enough talk between two messages that they are no neighbours."""
    return [f"{session} line {number} about nothing in particular" for number in range(6)]


def test_found_by_meaning(memory: Meaningful) -> None:
    """A message that shares no word with the question is found if it means the same."""
    assert {BROKEN, PARKED, LISBON} <= set(memory.found("automobile Lisbon"))
    by_words = DatabaseRecall(memory.store, FakeClock()).search_messages(OWNER, ask("automobile Lisbon"), 100)
    assert LISBON in [hit.anchor.content for hit in by_words.hits]
    assert BROKEN not in [hit.anchor.content for hit in by_words.hits]


def test_asked_again_the_answer_is_the_same_until_something_is_said(memory: Meaningful) -> None:
    """Whoever compares, a server or a process that has kept the vectors; what is new is found at once."""
    question = "automobile Lisbon"
    first = memory.recall.search_messages(OWNER, ask(question), 100)
    again = [memory.recall.search_messages(OWNER, ask(question), 100) for _ in range(2)]
    tell(memory.recall, "late", "a car by the sea", *filler("late"))
    memory.embed()

    assert [found.hits for found in again] == [first.hits] * 2
    assert "a car by the sea" in memory.found(question)


IN, OUT = BROKEN, PARKED
FILTERS = [
    "project:shop",
    "project:/code/shop",
    "agent:codex",
    "role:user",
    "after:2026-01-01",
    "session:garage",
    "session:gar",
    "project:shop role:user after:2026-02-01",
]


@pytest.mark.parametrize("filters", FILTERS)
def test_filters_hold_for_what_is_alike(memory: Meaningful, filters: str) -> None:
    """What a filter leaves out is not found by its meaning either; what it leaves in is."""
    found = memory.found(f"automobile Lisbon {filters}")

    assert IN in found
    assert OUT not in found


@pytest.mark.parametrize("filters", ["project:blog", "agent:claude", "role:assistant", "before:2026-01-01"])
def test_filters_the_other_way(memory: Meaningful, filters: str) -> None:
    """The same filters the other way round find the other message."""
    found = memory.found(f"automobile Lisbon {filters}")

    assert OUT in found
    assert IN not in found


def test_sessions_that_are_left_out(memory: Meaningful) -> None:
    """A session that the caller leaves out is not found by its meaning."""
    found = memory.found("automobile Lisbon", exclude_sessions=("street",))

    assert IN in found
    assert OUT not in found


def test_a_message_outside_the_times(memory: Meaningful) -> None:
    """Of a session that went on for days only what was said in the times asked for is found."""
    tell(memory.recall, "long", "a car on Monday", *filler("long"), start=at(2026, 1, 5))
    tell(memory.recall, "long", "a car on Friday", *filler("long"), LISBON, start=at(2026, 1, 9))
    memory.embed()

    found = memory.found("automobile Lisbon", after_ms=at(2026, 1, 8), before_ms=at(2026, 1, 8) + 3 * DAY)

    assert [text for text in found if "car" in text] == ["a car on Friday"]


@pytest.mark.parametrize("phrase", ['"Lisbon is sunny"', '"is sunny" automobile', '"sunny today" vehicle'])
def test_phrases_hold(memory: Meaningful, phrase: str) -> None:
    """What must occur occurs in everything that is found."""
    found = memory.found(phrase)

    assert found
    assert all(phrase.split('"')[1] in text for text in found)


@pytest.mark.parametrize("unwanted", ["stalled", "house", '"stalled again"'])
def test_excluded_words_hold(memory: Meaningful, unwanted: str) -> None:
    """What must not occur occurs in nothing that is found."""
    found = memory.found(f"car Lisbon -{unwanted}")

    assert found
    assert not [text for text in found if unwanted.strip('"') in text]


def test_many_of_another_role_hide_nothing(memory: Meaningful) -> None:
    """However much an agent said that is alike, what a person said is found among what people said."""
    for number in range(100):
        named(memory.recall, f"agent{number}", say("vehicle", Role.ASSISTANT), *filler(f"agent{number}"))
    memory.embed()

    assert BROKEN in memory.found("automobile Lisbon role:user")


class TestOwners:
    """Several owners in one database."""

    def test_by_meaning_too(self, memory: Meaningful) -> None:
        """What is another's is not found, however alike it is."""
        bobs = memory.of("bob")
        tell(bobs.recall, "secret", "my car is for sale", *filler("secret"), "I moved to Lisbon", owner="bob")
        bobs.embed()

        mine, theirs = memory.found("automobile Lisbon"), bobs.found("automobile Lisbon", owner="bob")

        assert BROKEN in mine
        assert not {"my car is for sale", "I moved to Lisbon"} & set(mine)
        assert {"my car is for sale", "I moved to Lisbon"} <= set(theirs)
        assert not {BROKEN, PARKED, LISBON} & set(theirs)
        assert memory.found("automobile Lisbon", owner="nobody") == []

    def test_after_a_search_of_the_only_owner(self, memory: Meaningful) -> None:
        """What was kept in memory when there was one owner is not shown to the next."""
        assert BROKEN in memory.found("automobile Lisbon")
        bobs = memory.of("bob")
        tell(bobs.recall, "mine", "Lisbon for the first time", owner="bob")

        assert bobs.found("automobile Lisbon", owner="bob") == ["Lisbon for the first time"]

    @settings(max_examples=25, deadline=None)
    @given(st.data())
    def test_any_owners(self, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
        """Whoever says whatever in whichever session, each owner finds only what is theirs."""
        made = Meaningful(tmp_path_factory.mktemp("owners"))
        words = st.lists(st.sampled_from(["car", "vehicle", "road", "doctor", "Lisbon"]), min_size=1, max_size=4)
        entries = st.tuples(st.sampled_from(["ana", "bob", "Ana"]), st.sampled_from(["s", "t"]), words)
        for number, (owner, session, spoken) in enumerate(data.draw(st.lists(entries, min_size=1, max_size=12))):
            tell(made.recall, session, f"{owner} said {' '.join(spoken)} in {number}", owner=owner)
        made.embed()

        for owner in ("ana", "bob", "Ana"):
            for text in (" ".join(data.draw(words)), "automobile", "said physician"):
                for search in (made.recall.search, made.recall.search_messages):
                    hits = search(owner, ask(text), 100).hits
                    assert all(hit.session.owner == owner for hit in hits)
                    assert all(message.content.startswith(f"{owner} said") for hit in hits for message in hit.window)
        made.store.close()


class TestGone:
    """What was found by its meaning before, and may not be any more."""

    @pytest.mark.parametrize("how", ["hidden", "removed", "session"])
    def test_not_found_any_more(self, memory: Meaningful, how: str) -> None:
        """What is hidden or forgotten is not found by its meaning, though it was a moment ago."""
        assert {BROKEN, PARKED} <= set(memory.found("automobile Lisbon"))
        (key,) = memory.store.messages.containing(PARKED)
        if how == "hidden":
            memory.store.messages.hide(OWNER, keys.session_of(key), [key], Hidden.REWOUND)
        elif how == "removed":
            memory.store.messages.remove(OWNER, [key])
        else:
            memory.recall.delete_session(OWNER, "street")

        found = memory.found("automobile Lisbon")

        assert BROKEN in found
        assert PARKED not in found

    def test_injected_texts(self, memory: Meaningful) -> None:
        """What programs put in is found by its words, last, and never by its meaning."""
        injected = Message(role=Role.USER, content="a vehicle of the system", hidden=Hidden.INJECTED, ts_ms=NOW)
        tell(memory.recall, "injected", injected, *filler("injected"))
        memory.embed()

        assert injected.content not in memory.found("automobile Lisbon")
        assert injected.content in memory.found("vehicle")

    def test_without_vectors_yet(self, memory: Meaningful) -> None:
        """A message that has no vectors yet is found by its words, as without a model."""
        tell(memory.recall, "fresh", "a zeppelin was seen", *filler("fresh"))

        assert memory.found("zeppelin")[0] == "a zeppelin was seen"

    def test_one_hit_a_session(self, memory: Meaningful) -> None:
        """Also with a model a search gives each session once, the messages of a window in their order."""
        hits = memory.recall.search(OWNER, ask("automobile Lisbon"), 100).hits

        assert len({hit.session.id for hit in hits}) == len(hits) > 1
        assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
        assert all(hit.anchor in hit.window for hit in hits)
        assert memory.recall.search(OWNER, ask("automobile Lisbon"), 1).hits == hits[:1]
