"""That a sentence cannot say what another says, or contradict it, is seen word by word, and never wrongly."""

import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from noctuary.dream.comparing.outline import may_contradict, may_say_all_of
from noctuary.dream.comparing.sameness import Relation, compare

LOTS = tomllib.loads((Path(__file__).parent / "dedup_pairs.toml").read_text())
BOTH_WAYS = [each for lot in LOTS.values() for _, _, new, old in lot for each in ((new, old), (old, new))]
LONG = (
    "The root cause is the lock file of the login form, and two workers raced for one row, so I raised it to 597",
    "The root cause is the sort order of the stock sync, and the tests hang without it, so I raised it to 614",
)


def test_whatever_says_the_same_or_more_may_do_so() -> None:
    """No labelled pair that is judged so is passed over, whichever of both is the new one."""
    fuller = [pair for pair in BOTH_WAYS if compare(*pair) in (Relation.SAME, Relation.SAYS_MORE)]
    assert len(fuller) > 500
    assert [pair for pair in fuller if not may_say_all_of(*pair)] == []


def test_whatever_contradicts_may_do_so() -> None:
    """No labelled pair that is judged so is passed over, whichever of both is the new one."""
    contradicting = [pair for pair in BOTH_WAYS if compare(*pair) is Relation.CONTRADICTS]
    assert len(contradicting) > 400
    assert [pair for pair in contradicting if not may_contradict(*pair)] == []


def test_long_sentences_of_one_form_are_told_apart() -> None:
    """What is said in the same form of other things is neither the same nor the opposite, and is not read for it."""
    assert compare(*LONG) in (Relation.RELATED, Relation.UNRELATED)
    assert not may_say_all_of(*LONG)
    assert not may_contradict(*LONG)


@pytest.mark.parametrize("judge", [may_say_all_of, may_contradict])
def test_nobody_knows_of_scripts_without_spaces(judge: Callable[[str, str], bool]) -> None:
    """Where words are not apart nothing is denied."""
    assert judge("我们使用 SQLite 作为数据库", "The button is green, and the page has a header and a footer of its own")
