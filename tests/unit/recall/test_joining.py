"""Who joins the candidates: what is alike in meaning or of the time asked for; its words alone give it a score."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from noctuary.recall.candidates import Candidates, Index, Word, gather
from noctuary.recall.database import DatabaseRecall
from noctuary.recall.joining import ALIKE, ALIKE_IN_TIME, IN_TIME, gather_in_time, with_alike, with_timely
from noctuary.recall.query import Query, parse
from noctuary.recall.scan import Likeness
from noctuary.recall.scoring import Context, Scored
from noctuary.records import Message, Role, Session, Term
from noctuary.store import keys, open_store
from noctuary.store.lexicon import NEWEST, IndexSize, Within
from noctuary.testing import FakeClock

APRICOT = Word(Term(words=("apricot",)), worth=2.0)
QUERY = parse("apricot", 0)


def key(session: int, place: int, voice: int = keys.USER, length: int = 16) -> int:
    return keys.pack(session, place, voice, length)


def candidates(*having: int) -> Candidates:
    """Messages that have the word."""
    return Candidates(words=[APRICOT], masks=dict.fromkeys(having, 1), average_length=200.0)


def alike(values: dict[int, float]) -> Likeness:
    ordered = sorted(values)
    return Likeness(np.array(ordered, np.int64), np.array([values[key] for key in ordered]))


def scored(found: Candidates) -> list[Scored]:
    context = Context(found)
    return [context.scored(context.whole(key), key) for key in found.masks]


def keys_of(joined: Sequence[Scored]) -> list[int]:
    return [each.key for each in joined]


class TestAlike:
    """What is alike in meaning takes part."""

    def test_the_most_alike_join_once(self) -> None:
        """Those that words have not found come behind those they have, the most alike first; none comes twice."""
        found = candidates(key(1, 1))
        likeness = alike({key(1, 1): 0.9, key(1, 9): 0.5, key(2, 1): 0.8})

        joined = with_alike(scored(found), found, likeness, [1, 2], QUERY)

        assert keys_of(joined) == [key(1, 1), key(2, 1), key(1, 9)]

    def test_scored_by_their_words(self) -> None:
        """Being alike gives no score here: a message without a word has none but what stands beside it."""
        found = candidates(key(1, 1))
        likeness = alike({key(1, 2, length=8): 0.9, key(7, 1): 0.8})

        beside, alone = with_alike([], found, likeness, [], QUERY)

        assert (alone.score, alone.worth) == (0.0, 0.0)
        assert beside.worth == 0.0
        assert beside.why["words"] == 0.0
        assert beside.score == beside.why["neighbours"] == Context(found).whole(beside.key) > 0

    def test_no_more_than_a_few(self) -> None:
        """However many there are, the best few join."""
        likeness = alike({key(n, 1): n / 1_000 for n in range(1, 500)})

        joined = with_alike([], candidates(), likeness, [], QUERY)

        assert keys_of(joined) == [key(n, 1) for n in range(499, 499 - ALIKE, -1)]

    def test_those_of_the_time_have_their_own_places(self) -> None:
        """Of the sessions of the time asked for the most alike join too, though others are more alike."""
        likeness = alike({key(n, 1): n / 1_000 for n in range(1, 500)})

        joined = with_alike([], candidates(), likeness, [*range(1, 50)], QUERY)

        of_time = [key(n, 1) for n in range(49, 49 - ALIKE_IN_TIME, -1)]
        assert keys_of(joined) == [*(key(n, 1) for n in range(499, 499 - ALIKE, -1)), *of_time]

    @pytest.mark.parametrize("text", ['apricot "on toast"', "apricot -jam", '"on toast"', 'apricot -"on toast"'])
    def test_nobody_joins_where_words_are_demanded(self, text: str) -> None:
        """What must or must not occur is known only of what words have found."""
        found = candidates(key(1, 1))
        before = scored(found)

        assert with_alike(before, found, alike({key(2, 1): 1.0}), [2], parse(text, 0)) == before

    @pytest.mark.parametrize("role", Role)
    def test_only_the_voices_asked_for(self, role: Role) -> None:
        """With a role only its voices join; those of others take no place away from them."""
        likeness = alike(
            {
                key(n, place, voice): (8 - voice) / 10
                for n in range(1, 100)
                for place, voice in enumerate([keys.USER, keys.ASSISTANT, keys.OUTPUT, keys.SUMMARY], 1)
            }
        )
        query = Query(text="apricot", terms=QUERY.terms, roles=(role,))

        joined = keys_of(with_alike([], candidates(), likeness, [3], query))

        assert len(joined) >= ALIKE
        assert {keys.voice_in(key) for key in joined} <= set(keys.VOICES_OF_ROLE[role])


class TestTimely:
    """What was said at the time asked for takes part."""

    def test_only_of_those_sessions(self) -> None:
        """Messages with words of the question, of the sessions of that time, join once; titles do not."""
        title = keys.pack(2, 0, keys.TITLE, 8)
        found = candidates(key(1, 1), key(2, 1), key(2, 5), title)
        before = [each for each in scored(found) if each.key == key(2, 1)]

        joined = with_timely(before, found, [2, 9])

        assert keys_of(joined) == [key(2, 1), key(2, 5)]

    def test_the_best_by_their_words(self) -> None:
        """However many there are, the best few join: those that say it in fewer words."""
        having = [key(n, 1, length=length) for n in range(1, 40) for length in (8, 24)]
        found = candidates(*having)

        joined = with_timely([], found, range(1, 40))

        assert len(joined) == IN_TIME
        assert (
            keys_of(joined) == sorted(having, key=lambda key: (Context(found).whole(key), key), reverse=True)[:IN_TIME]
        )

    def test_no_time_no_change(self) -> None:
        """Without sessions of that time nothing joins."""
        assert with_timely([], candidates(key(1, 1)), []) == []


@pytest.fixture
def recall(tmp_path: Path) -> Iterator[DatabaseRecall]:
    """A memory in which everybody always talks of apricots."""
    made = DatabaseRecall(open_store(tmp_path / "noctuary.db"), FakeClock())
    with made.store.database.transaction():
        for number in range(1, 9):
            said = [Message(role=Role.USER, content=f"apricot number {place}") for place in range(100)]
            made.add_session("ana", Session(id=f"s{number}"), said)
    yield made
    made.store.close()


class Lexical:
    """The owner's index, as a search asks for it."""

    def __init__(self, recall: DatabaseRecall) -> None:
        self.lexicon, self.messages = recall.store.lexicon, recall.store.messages
        self.containing, self.keys_at = self.lexicon.containing, self.lexicon.keys_at
        self.matching, self.matching_any = self.lexicon.matching, self.lexicon.matching_any
        self.texts = self.messages.texts

    def size(self) -> IndexSize:
        return self.lexicon.size("ana")

    def sessions_from(self, no: int) -> int:
        return self.lexicon.sessions_from("ana", no)


def test_gathering_in_time(recall: DatabaseRecall) -> None:
    """Of a word that is everywhere, what the sessions of that time have is looked up too, and counts like the rest."""
    index: Index = Lexical(recall)
    found = gather(index, QUERY.terms, Within())
    newest = set(index.matching(QUERY.terms, Within(), 350, NEWEST))
    found.masks = {key: mask for key, mask in found.masks.items() if key in newest}
    assert {keys.session_of(key) for key in found.positions.values()} == {5, 6, 7, 8}

    gather_in_time(found, index, Within(picked=[1, 2]))

    assert {keys.session_of(key) for key in found.masks} == {1, 2, 5, 6, 7, 8}
    assert set(found.positions.values()) == set(found.masks)
    assert set(found.masks.values()) == {1}
    assert found.worths.keys() == {0, 1}
