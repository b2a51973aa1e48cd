"""What comes first: by who said it, what it is, how often it was said and when."""

import pytest

from noctuary.authored import Trust
from noctuary.brief.importance import is_said, ranked, words_of
from noctuary.brief.material import Told
from tests.unit.brief.shop import DAY_MS, NOON, told

PAIRS = {
    "a user before an agent": (told("a", "finding", trust=Trust.USER), told("b", "finding")),
    "an agent before a tool": (told("a", "evidence"), told("b", "evidence", trust=Trust.TOOL)),
    "what was ruled out before what was found": (told("a", "rejection"), told("b", "finding")),
    "a decision before what was looked at": (told("a", "decision"), told("b", "evidence")),
    "what somebody confirmed before what nobody did": (told("a", is_confirmed=True), told("b")),
    "what is surer first": (told("a", confidence=0.9), told("b", confidence=0.4)),
    "what was said again before what was said once": (told("a", support=3), told("b")),
    "what cost time before what did not": (told("a", is_gotcha=True), told("b")),
    "the new before the old": (told("a"), told("b", ts_ms=NOON - 90 * DAY_MS)),
}


@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
def test_the_first_comes_first(pair: tuple[Told, Told]) -> None:
    """In whichever order they are given."""
    first, second = (one._replace(session=one.text) for one in pair)

    assert ranked([first, second]) == ranked([second, first]) == [first, second]


def test_one_session_does_not_push_out_another() -> None:
    """The twentieth line of a long session comes after the first of a short one, though alone it would not."""
    long = [told(f"decision {number:02}", "decision", session="long") for number in range(20)]
    short = told("finding", "finding", session="short")
    order = ranked([*long, short])

    assert order[0] in long
    assert 0 < order.index(short) < 10


def test_age_is_measured_by_the_newest() -> None:
    """So the order of what there is does not change while nothing happens."""
    given = [told(f"text {number}", session=f"s-{number}", ts_ms=NOON - number * DAY_MS) for number in range(5)]
    later = [one._replace(ts_ms=one.ts_ms + 1_000 * DAY_MS) for one in given]

    assert [one.text for one in ranked(given)] == [one.text for one in ranked(later)]


def test_what_is_almost_the_same_is_said() -> None:
    """Endings and small words do not tell texts apart; other words do."""
    before = [words_of("Coupons expire at midnight UTC")]

    assert is_said(words_of("The coupon expires at midnight, UTC"), before)
    assert not is_said(words_of("Coupons are printed in Lisbon"), before)
    assert not is_said(words_of("Anything"), [frozenset()])
