"""Which messages could answer, within a budget of rows."""

from collections.abc import Iterable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noctuary.recall.candidates import MOST_LOOKS, MOST_ROWS, MOST_TOGETHER, RARE_ROWS, Candidates, gather, worth
from noctuary.records import Term
from noctuary.store import keys
from noctuary.store.lexicon import NEWEST, IndexSize, Within

pytestmark = pytest.mark.slow

ANYWHERE = Within()


class Words:
    """An index in memory: a set of words a message; counts the rows that are read from it."""

    def __init__(self, *messages: str) -> None:
        self.keys = {keys.pack(number, 1): set(text.split()) for number, text in enumerate(messages, start=1)}
        self.rows_read = 0

    def size(self) -> IndexSize:
        return IndexSize(messages=len(self.keys), characters=100 * len(self.keys), sessions=len(self.keys))

    def sessions_from(self, no: int) -> int:
        return len({keys.session_of(key) for key in self.keys if keys.session_of(key) >= no})

    def matching(self, terms: Sequence[Term], within: Within, most: int, below: int = NEWEST) -> list[int]:
        wanted = {word for term in (*terms, *within.required) for word in term.words}
        unwanted = {word for term in within.excluded for word in term.words}
        found = [key for key, words in self.keys.items() if wanted <= words and not unwanted & words]
        found = sorted((key for key in found if key < below), reverse=True)[:most]
        self.rows_read += len(found)
        return found

    def matching_any(self, terms: Sequence[Term], any_of: Sequence[Term], within: Within, most: int) -> list[int]:
        some = {word for term in any_of for word in term.words}
        every = self.matching(terms, within, len(self.keys))
        self.rows_read -= len(every)
        found = [key for key in every if some & self.keys[key]][:most]
        self.rows_read += len(found)
        return found

    def containing(self, text: str, within: Within, most: int) -> list[int]:
        raise AssertionError((text, within, most))

    def keys_at(self, positions: Iterable[int]) -> list[int]:
        raise AssertionError(positions)

    def texts(self, wanted: Iterable[int]) -> dict[int, tuple[int, str]]:
        raise AssertionError(wanted)


def terms(text: str) -> list[Term]:
    """A term a word."""
    return [Term(words=(word,)) for word in text.split()]


def by_session(found: Candidates) -> dict[int, int]:
    """The words of each session's only message, as bits."""
    return {keys.session_of(key): mask for key, mask in found.masks.items()}


def test_each_message_knows_its_words() -> None:
    """Every message with any of the words is a candidate, with the set of them as bits."""
    found = gather(Words("a b", "b", "c", "a"), terms("a b"), ANYWHERE)

    by_word = {word.term.words[0]: 1 << i for i, word in enumerate(found.words)}
    assert by_session(found) == {1: by_word["a"] | by_word["b"], 2: by_word["b"], 4: by_word["a"]}


def test_rare_words_are_worth_more() -> None:
    """What is in one message says more than what is in all of them, and is never worth nothing."""
    assert worth(1, 1000) > worth(500, 1000) > worth(1000, 1000) > 0
    assert worth(0, 0) > 0
    assert worth(5, 3) > 0


def test_words_that_are_nowhere_count_in_the_whole() -> None:
    """What was asked for and not found lowers what was found."""
    found = gather(Words("a", "b", "b"), terms("a missing"), ANYWHERE)

    assert len(found.masks) == 1
    assert found.total_worth > max(word.worth for word in found.words)


def test_a_word_that_is_nowhere_hides_none() -> None:
    """A word of many messages is read beside one that no message has, as if that had not been typed."""
    index = Words(*(["redis"] + ["nothing"] * 9) * 700)

    alone, beside = gather(index, terms("redis"), ANYWHERE), gather(index, terms("unheardof redis"), ANYWHERE)
    assert by_session(beside).keys() == by_session(alone).keys() != set()
    assert beside.words[0].term.words == ("redis",)
    assert beside.common == []


@given(st.lists(st.sampled_from(["a", "a b", "b c", "c", "a b c"]), max_size=30), st.permutations("abcxyz"))
def test_words_that_are_nowhere_change_no_message(messages: list[str], typed: list[str]) -> None:
    """Whatever is typed beside them, the words that are somewhere are found in the same messages."""
    known = [word for word in typed if word in "abc"]
    found = gather(Words(*messages), terms(" ".join(typed)), ANYWHERE)
    without = gather(Words(*messages), terms(" ".join(known)), ANYWHERE)

    assert found.worths == without.worths
    assert by_session(found) == by_session(without)
    assert found.total_worth > without.total_worth


def test_required_phrases_alone_are_enough() -> None:
    """A query of nothing but a phrase finds what has it."""
    found = gather(Words("a b", "a", "b"), [], Within(required=terms("a b")))

    assert set(by_session(found)) >= {1}


def test_what_is_left_out_is_no_candidate() -> None:
    """Excluded words keep a message away."""
    found = gather(Words("a b", "a"), terms("a"), Within(excluded=terms("b")))

    assert set(by_session(found)) == {2}


def test_an_empty_index_has_no_candidates() -> None:
    """Nothing stored, nothing found, nothing broken."""
    found = gather(Words(), terms("a b"), ANYWHERE)

    assert (found.masks, found.average_length) == ({}, 1.0)


def test_common_words_are_read_only_where_a_rare_one_is() -> None:
    """Words of many messages are not read in full once there is a rare one, and the rare one's mask is whole."""
    plain, busy = ["nothing"] * 29, ["often where"]
    index = Words(*(plain + busy) * 700, "often where rare", *(plain + busy) * 700)

    found = gather(index, terms("often where rare"), ANYWHERE)
    assert index.rows_read <= 6 * RARE_ROWS + 3 * MOST_TOGETHER
    assert found.words[0].term.words == ("rare",)
    assert by_session(found)[21_001] == 0b111


def test_words_that_are_everywhere_are_only_looked_for() -> None:
    """A word of most messages is not asked of the index beside others; the text of the best will show it."""
    index = Words(*["every where"] * 20_000, "every where rare", *["every where"] * 20_000)

    found = gather(index, terms("every where rare"), ANYWHERE)
    assert [word.term.words for word in found.words] == [("rare",)]
    assert {word.term.words[0] for word in found.common} == {"every", "where"}
    assert set(by_session(found)) == {20_001}


def test_a_query_of_common_words_reads_a_bounded_part() -> None:
    """If all is common the newest are read, and no more than the budget."""
    index = Words(*["every where"] * 50_000)

    found = gather(index, terms("every where"), ANYWHERE)
    assert 0 < len(found.masks) <= MOST_ROWS + RARE_ROWS * MOST_LOOKS
    assert max(by_session(found)) == 50_000


def test_a_session_that_talks_of_nothing_else_is_jumped_over() -> None:
    """Older sessions are looked at too, however many messages of the newest one match."""
    index = Words("apricot", "plum")
    index.keys |= {keys.pack(3, place): {"apricot"} for place in range(1, 5 * RARE_ROWS)}

    found = gather(index, terms("apricot"), ANYWHERE)
    assert keys.pack(1, 1) in found.masks
