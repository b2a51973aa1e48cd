"""What has a token as typed stays where words put it, whatever means the same."""

from dataclasses import dataclass, field

from hypothesis import example, given
from hypothesis import strategies as st

from noctuary.recall.exactness import AS_TYPED, MEANING, keep_below_exact


@dataclass
class Entry:
    """Something ranked, as a message or a session is."""

    words: float
    meaning: float
    is_exact: bool
    why: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.why = {AS_TYPED if self.is_exact else "words": self.words, MEANING: self.meaning}

    @property
    def score(self) -> float:
        """What all reasons add up to."""
        return sum(self.why.values())


amounts = st.floats(0.01, 100)
entries = st.lists(st.builds(Entry, amounts, amounts, st.booleans()), max_size=12)


@given(entries)
@example([Entry(100.0, 1.0, True), Entry(99.99999999999999, 29.0, False)])
def test_meaning_carries_nothing_over_an_exact_one(ranked: list[Entry]) -> None:
    """What words put below each message with the token stays below each of them."""
    keep_below_exact(ranked)

    for exact in (entry for entry in ranked if entry.is_exact):
        for other in (entry for entry in ranked if not entry.is_exact and entry.words < exact.words):
            assert other.score < exact.score


@given(entries)
def test_meaning_is_only_taken_from_what_is_not_exact(ranked: list[Entry]) -> None:
    """Exact ones keep theirs, nobody gets more than before, and nobody is punished below what words say."""
    keep_below_exact(ranked)

    for entry in ranked:
        assert 0 <= entry.why[MEANING] <= entry.meaning
        assert not entry.is_exact or entry.why[MEANING] == entry.meaning


@given(st.lists(st.builds(Entry, amounts, amounts, st.just(False)), max_size=12))
def test_without_an_exact_one_nothing_changes(ranked: list[Entry]) -> None:
    """Where no token was typed, meaning counts as it does."""
    keep_below_exact(ranked)

    assert all(entry.why[MEANING] == entry.meaning for entry in ranked)


def test_what_words_put_above_may_stay_above() -> None:
    """A message without the token that ranks first by its words gains as before."""
    first, exact = Entry(10, 5, is_exact=False), Entry(3, 0, is_exact=True)
    keep_below_exact([first, exact])

    assert first.score == 15
