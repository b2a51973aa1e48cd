"""Documents that were written."""

import pytest

from noctuary.authored import EventType, Trust
from tests.unit.models.rules.talking import call, found, texts, user

pytestmark = pytest.mark.slow

TASK = user("Write the specification")
BODY = """# Shop

The shop has a page for each thing that is sold.

- All requests must go through the gateway, never to the store
- Prices are kept in cents instead of fractions, to avoid rounding

```py
must = never(always)  # required at least once, not allowed at most twice
```
"""


def test_rules_and_choices_of_a_document_are_found() -> None:
    """Line by line, and not in its code."""
    rule, choice = found(TASK, call("Write", f"file_path: /shop/SPEC.md\ncontent: {BODY}"))

    assert rule.type is EventType.CONSTRAINT
    assert rule.text == "All requests must go through the gateway, never to the store"
    assert rule.messages[0].quote == f"- {rule.text}"
    assert rule.trust is Trust.AGENT
    assert choice.type is EventType.DECISION


def test_code_is_no_document() -> None:
    """A comment in a program is not mined."""
    assert texts(TASK, call("Write", f"file_path: /shop/spec.py\ncontent: {BODY}")) == []


def test_a_plan_is_a_document() -> None:
    """Wherever it is kept."""
    assert len(texts(TASK, call("ExitPlanMode", BODY))) == 2


def test_of_a_change_only_what_is_new_counts() -> None:
    """What was replaced holds no longer."""
    old, new = (f"You must use {what} in each of the files" for what in ("tabs", "spaces"))
    told = f"file_path: /shop/AGENTS.md\nold_string: {old}\nnew_string: {new}"

    assert texts(TASK, call("Edit", told)) == [new]


def test_the_last_version_counts() -> None:
    """Earlier ones were replaced."""
    old, new = (f"file_path: /shop/SPEC.md\ncontent: \nEach page must load within {n} seconds at most" for n in (9, 2))

    assert texts(TASK, call("Write", old), call("Write", new)) == ["Each page must load within 2 seconds at most"]


def test_our_own_pages_are_not_read() -> None:
    """Memory does not learn from what it wrote."""
    assert texts(TASK, call("Write", f"file_path: /shop/MEMORY.md\ncontent: <!-- noctuary:begin -->\n{BODY}")) == []


def test_letters_that_grow_when_lowered_break_nothing() -> None:
    """İ is two letters then: where words stand would be wrong."""
    assert texts(TASK, call("ExitPlanMode", "İ\nEach page must load within two seconds at most")) == []
