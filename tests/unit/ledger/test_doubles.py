"""Of proposals that several runs made of the same words one counts, whichever journal they come from."""

from typing import Any

import pytest

from noctuary.authored import Author, Event, EventStatus, EventType, MessageRef, Refs
from noctuary.ledger.doubles import is_double
from noctuary.ledger.ledger import Ledger, entry_from
from tests.unit.ledger.writing import PROJECT, everything, found

TABS = "Use tabs."


def proposal(run: str, text: str = TABS, message: int = 3, **more: Any) -> Event:
    """What a run took from a message."""
    refs = Refs(messages=(MessageRef("s-1", message, text), MessageRef("s-1", 9, text)))
    meta = {"dream": {"run": run, "session": "s-1", "epoch": 1}}
    given = {"author": Author.DREAM, "status": EventStatus.SUGGESTED, "refs": refs, "meta": meta, **more}
    return Event(EventType.CONSTRAINT, text, project=PROJECT, **given)


def undoing(target: str, run: str) -> Event:
    meta = {"bookkeeping": True, "dream": {"undo": run}}
    return Event(EventType.RETRACT, project=PROJECT, corrects=target, meta=meta)


def shown(ledger: Ledger) -> list[str]:
    return [entry_from(row).event.id for row in ledger.store.events.suggested(ledger.owner, PROJECT)]


def test_the_first_counts(ledger: Ledger) -> None:
    """The others are in the journal, and neither shown nor found."""
    first, second, third = (ledger.record(proposal(run)).id for run in ("A", "B", "C"))

    assert shown(ledger) == [first]
    assert found(ledger, "tabs") == [TABS]
    hidden = [entry.hidden_by for name in (second, third) if (entry := ledger.entry(name))]
    assert hidden == [first, first]
    assert is_double(second, first)
    assert not is_double(first, second)
    assert not is_double(first, None)


@pytest.mark.parametrize(
    "other",
    [
        proposal("A"),
        proposal("B", "Use spaces."),
        proposal("B", message=4),
        proposal("B", author=Author.USER),
        proposal("B", status=EventStatus.CONFIRMED),
        proposal("B", refs=Refs()),
        proposal("B", meta={}),
        proposal("B", meta={"dream": "B"}),
    ],
)
def test_what_is_not_the_same_counts_too(ledger: Ledger, other: Event) -> None:
    """Of the same run, in other words, from another message, or by somebody else."""
    ledger.record(proposal("A"))
    name = ledger.record(other).id

    entry = ledger.entry(name)
    assert entry is not None
    assert entry.hidden_by is None


def test_what_is_said_of_one_is_said_of_all(ledger: Ledger) -> None:
    """Whoever confirmed, corrected or rejected one of them on another machine meant what counts."""
    for text, kind, words in (
        ("Use tabs.", EventType.CONFIRM, ""),
        ("Use black.", EventType.CONFIRM, "Use ruff."),
        ("Use vim.", EventType.RETRACT, ""),
        ("Use make.", EventType.CORRECTION, "Use just."),
    ):
        first, second = (ledger.record(proposal(run, text)).id for run in ("A", "B"))
        ledger.record(Event(kind, words, project=PROJECT, corrects=second))
        entry, double = ledger.entry(first), ledger.entry(second)
        assert entry
        assert double
        assert shown(ledger) == []
        assert double.hidden_by
        assert (entry.hidden_by is None) is (text == "Use tabs.")
    assert [found(ledger, word) for word in ("tabs", "ruff", "just", "vim", "black", "make")] == [
        ["Use tabs."],
        ["Use ruff."],
        ["Use just."],
        [],
        [],
        [],
    ]


@pytest.mark.parametrize("order", [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)])
def test_the_next_counts_when_the_first_is_undone(ledger: Ledger, order: tuple[int, ...]) -> None:
    """In whichever order the runs are taken back one of those that are left counts; and rebuilt it is the same."""
    runs = ("A", "B", "C")
    names = [ledger.record(proposal(run)).id for run in runs]
    left = set(names)
    for place in order:
        ledger.record(undoing(names[place], runs[place]))
        left -= {names[place]}
        assert shown(ledger) == ([min(left)] if left else [])
        before = everything(ledger)
        ledger.rebuild()
        assert everything(ledger) == before
    again = ledger.record(proposal("D")).id
    assert shown(ledger) == [again]
