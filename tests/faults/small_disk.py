"""A disk that is really full, after each of its pages in turn: `python -m tests.faults.small_disk VERB`.

The memory is on a tmpfs with room for one page more each time, from where it just fits to where the verb succeeds.
Then the disk is made larger, and what is left must be as `enumerating` asks.  Must be run where mounting is allowed and
seen by nobody else: `command` says how.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import count
from pathlib import Path

from tests.faults.enumerating import ENDED, VERBS, Counts, Ended, Trial, counts_of, in_a_process, outcome

SMALL = "small"  # the fault
PAGE = os.sysconf("SC_PAGE_SIZE")
_LARGE = 64 << 20


class NoMounting(Exception):
    """Nothing can be mounted here."""


def command() -> list[str]:
    """What to begin a command with so that it may mount, alone; NoMounting if that is not allowed here."""
    for how in (["unshare", "--mount"], ["unshare", "--mount", "--user", "--map-root-user"]):
        with tempfile.TemporaryDirectory() as folder:
            probe = [*how, "mount", "-t", "tmpfs", "-o", "size=64k", "none", folder]
            if shutil.which("unshare") and subprocess.run(probe, capture_output=True, check=False).returncode == 0:
                return how
    raise NoMounting("No small disk can be mounted here (it needs root, or namespaces of users)")


@contextmanager
def _mounted(folder: Path, size: int) -> Iterator[None]:
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "none", folder], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", folder], check=True)


def _enlarge(folder: Path) -> None:
    subprocess.run(["mount", "-o", f"remount,size={_LARGE}", folder], check=True)


def _fits(trial: Trial) -> bool:
    try:
        shutil.copytree(trial.folder / "prepared", trial.root, dirs_exist_ok=True)
    except OSError:  # also shutil's own, which is one
        return False
    return True


def _disturbed(trial: Trial) -> Ended:
    """Act on the disk as it is; how that ended."""
    return in_a_process(partial(outcome, trial.verb, trial.root))


def every_page(name: str, folder: Path) -> Counts:
    """Let the disk be full after each page of the verb, until it has room for all of them."""
    trial, tally = Trial(VERBS[name], folder), Counter[str]()
    shutil.rmtree(trial.root)
    trial.root.mkdir()
    for pages in count(max(1, _pages_of(folder / "prepared"))):  # none would be no limit
        with _mounted(trial.root, pages * PAGE):
            if not _fits(trial):
                continue
            ended = _disturbed(trial)
            _enlarge(trial.root)
            tally["points"] += 1
            where = f"{SMALL} {pages} pages, ended with {ended.code}"
            if ended.code not in ENDED:
                tally["crashed"] += 1
                trial.note(where, "crashed", ended.said)
            tally.update(dict.fromkeys(trial.judge(ended.steps, where), 1))
            if ended.code == 0 and ended.steps >= len(trial.verb.promised):
                break
    return counts_of(name, SMALL, trial, tally)


def _pages_of(folder: Path) -> int:
    return sum(-(-path.stat().st_size // PAGE) for path in folder.rglob("*") if path.is_file())


def main(arguments: Sequence[str] | None = None) -> None:
    """One verb: counts as a line of JSON."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("verb", choices=VERBS)
    parser.add_argument("fault", choices=[SMALL])
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="noctuary-faults-") as folder:
        found = every_page(given.verb, Path(folder))
    json.dump(found._asdict(), sys.stdout)
    print()


if __name__ == "__main__":
    main()
