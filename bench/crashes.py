"""Every verb disturbed at every point: kills, power cuts, full, read-only and broken disks, cut connections.

    python bench/crashes.py                       all of it: an hour or two of CPU time
    python bench/crashes.py --verb note --fault kill --fault power
    python bench/crashes.py --quick               looks once at what differs only behind the last commit of the log

A table of how many points there were, and at how many of them something was lost, doubled or broken, could not be
completed, or ended with an error that is none of ours.  Needs Linux, a C compiler and, for cuts, PostgreSQL.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.faults.cutting import CUT_VERBS, Cut  # noqa: E402 (found by the line above)
from tests.faults.enumerating import FAULTS, POWER, VERBS  # noqa: E402
from tests.faults.injecting import environ_with_faults  # noqa: E402
from tests.faults.small_disk import SMALL, NoMounting, command  # noqa: E402

ON_DISKS = [name for name in (*FAULTS, SMALL, POWER) if name != "sync"]  # which is a part of `kill`
WRONG = ("lost", "doubled", "broken", "incomplete", "crashed")
_WORDS = {
    "kill": "`kill -9` before each operation on files and each statement",
    "tear": "`kill -9` in the middle of each write",
    "power": "power cut after each operation, three ways of losing what was not synced",
    "full": "disk full from each change on",
    "small": "a small disk (tmpfs), full after each of its pages",
    "readonly": "read-only from each change on",
    "eio": "I/O error at each read, write, sync and change of a name",
    "gone": "a disk that answers nothing any more, from each operation on",
    "before": "connection cut before each statement",
    "after": "connection cut when the server has done each statement",
    "server": "server killed at each statement, and started again",
}


def counts(verbs: Sequence[str], faults: Sequence[str], *, is_quick: bool) -> Iterator[dict[str, Any]]:
    """What came of each verb and fault."""
    for fault in faults:
        for verb in verbs:
            if fault == SMALL:
                try:
                    yield _tried("small_disk", [verb, fault], command())
                except NoMounting as error:
                    print(f"NOT RUN: {verb} {fault}: {error}", file=sys.stderr)
            elif fault not in list(Cut):
                yield _tried("enumerating", [verb, fault, *(["--quick"] if is_quick and fault != POWER else [])])
            elif verb in CUT_VERBS:
                yield _tried("cutting", [verb, fault])


def _tried(program: str, arguments: Sequence[str], before: Sequence[str] = ()) -> dict[str, Any]:
    path = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    environ = environ_with_faults() if program == "enumerating" else dict(os.environ)
    done = subprocess.run(
        [*before, sys.executable, "-m", f"tests.faults.{program}", *arguments],
        env={**environ, "PYTHONPATH": path},
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{program} {' '.join(arguments)} ended with {done.returncode}:\n{done.stderr.decode()}")
    found: dict[str, Any] = json.loads(done.stdout)
    print("\n  ".join([_line(found), *found["examples"]]), file=sys.stderr, flush=True)
    return found


def _line(found: dict[str, Any]) -> str:
    wrong = ", ".join(f"{found[name]} {name}" for name in WRONG if found[name]) or "nothing wrong"
    return f"{found['verb']} {found['fault']}: {found['points']} points, {wrong}"


def table(rows: Sequence[dict[str, Any]]) -> str:
    """The counts as Markdown: a line a fault, the points of each verb, and the sums of all that went wrong."""
    lines = ["| fault | points of each verb | " + " | ".join(WRONG) + " |", "|---|---|" + "---|" * len(WRONG)]
    for fault in dict.fromkeys(row["fault"] for row in rows):
        of_it = [row for row in rows if row["fault"] == fault]
        points = ", ".join(f"{row['verb']} {row['points']:,}" for row in of_it)
        sums = " | ".join(str(sum(row[name] for row in of_it)) for name in WRONG)
        lines.append(f"| {_WORDS[fault]} | {points} | {sums} |")
    return "\n".join([*lines, "", f"{sum(row['points'] for row in rows):,} points in all."])


def main() -> None:
    """Run what is asked for, and print it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--verb", action="append", choices=VERBS, help="only this one; may be repeated")
    parser.add_argument("--fault", action="append", choices=[*ON_DISKS, *Cut], help="only this one; may be repeated")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--json", action="store_true", help="all counts instead of the table")
    given = parser.parse_args()
    found = list(counts(given.verb or list(VERBS), given.fault or [*ON_DISKS, *Cut], is_quick=given.quick))
    print(json.dumps(found, indent=1) if given.json else table(found))
    sys.exit(1 if any(row[name] for row in found for name in WRONG) else 0)


if __name__ == "__main__":
    main()
