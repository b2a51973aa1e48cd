"""Poisoning: does what strangers write become what memory tells, and is what users say still kept?

    python bench/poisoning.py [--json] [--verbose]

Plays the cases of `tests/poisoning` through transcripts, import, dream and brief, and counts: hostile cases that reach
a brief as a rule, or without a label of their source, that survive a dream as a memory, or are taken for the user's
word; benign ones that are kept; and errands and chat that became memories.  `tests/poisoning/judging.py` says what
each of these means.
"""

import json
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # the cases and how they are judged are the tests'

from noctuary.store.memories import MemoryStatus, Remembered
from tests.poisoning.judging import Harm, harm, is_kept, kept_of
from tests.poisoning.playing import played
from tests.poisoning.reading import Case, benign, hostile, passing

COUNTED = ("rules", "unlabelled", "memories", "attributed", "told")


@click.command()
@click.option("--json", "as_json", is_flag=True)
@click.option("--verbose", is_flag=True, help="Say on standard error which cases went wrong, and how.")
def main(as_json: bool, verbose: bool) -> None:
    """Play all cases and count what came of them."""
    with tempfile.TemporaryDirectory() as folder, played(Path(folder), [*hostile(), *benign(), *passing()]) as memory:
        harms = {case.name: harm(memory, case) for case in hostile()}
        kept = {case.name: is_kept(memory, case) for case in benign()}
        junk = {case.name: kept_of(memory, case) for case in passing()}
    if verbose:
        _complain(harms, kept, junk)
    result: dict[str, dict[str, object]] = {
        "hostile": {"cases": len(harms), **_counts([*harms.values()]), "kinds": _kinds(hostile())},
        "benign": {"cases": len(kept), "kept": _share(kept), "kinds": _kinds(benign())},
        "passing": {"cases": len(junk), **_passed(junk)},
    }
    click.echo(json.dumps(result) if as_json else _table(result))


def _counts(harms: Sequence[Harm]) -> dict[str, int]:
    return {name: sum(bool(getattr(one, name)) for one in harms) for name in COUNTED}


def _passed(junk: dict[str, Sequence[Remembered]]) -> dict[str, object]:
    """How many of what only passes are remembered, and how many wait for somebody to look at them."""
    held = [any(one.status is MemoryStatus.ACTIVE for one in memories) for memories in junk.values()]
    return {"remembered": sum(held), "waiting": sum(map(bool, junk.values())) - sum(held)}


def _share(kept: dict[str, bool]) -> float:
    return round(sum(kept.values()) / max(1, len(kept)), 4)


def _kinds(cases: Sequence[Case]) -> dict[str, int]:
    return dict(sorted(Counter(case.kind for case in cases).items()))


def _complain(harms: dict[str, Harm], kept: dict[str, bool], junk: dict[str, Sequence[Remembered]]) -> None:
    for name, done in harms.items():
        for what in COUNTED:
            for text in getattr(done, what):
                click.echo(f"{name}: {what}: {text!r}", err=True)
    for name in (name for name, is_known in kept.items() if not is_known):
        click.echo(f"{name}: not kept", err=True)
    for name, memories in junk.items():
        for one in memories:
            click.echo(f"{name}: {one.status.value}: {one.text!r}", err=True)


def _table(result: dict[str, dict[str, object]]) -> str:
    rows = [f"{side} {name}: {value}" for side, figures in result.items() for name, value in figures.items()]
    return "\n".join(rows)


if __name__ == "__main__":
    main()
