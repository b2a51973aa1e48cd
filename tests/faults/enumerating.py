"""Disturb a verb at each of its points in turn, and look what is left: `python -m tests.faults.enumerating VERB FAULT`.

Run where faults.c is loaded.  Each try is a process of its own, forked from this one, on a copy of the same memory; it
is killed, or something fails in it.  Then the memory must open and be sound, nothing that was acknowledged may be lost,
and when its user has completed the verb it must know exactly what it would know had nobody disturbed it.  Tries that
leave the same files are looked at once, unless something is wrong with them.  A verb that fails by itself, before the
fault has happened, is no end of its points: it is tried again, counted as crashed, and what it said is an example.
"""

import argparse
import errno
import gc
import json
import os
import shutil
import signal
import sys
import tempfile
import threading
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

from noctuary.errors import NoctuaryError
from tests.faults import injecting, knowing
from tests.faults.copy_verbs import COPY_VERBS
from tests.faults.injecting import CHANGING, Action, Kind
from tests.faults.night_verbs import NIGHT_VERBS
from tests.faults.power import Cut, Disk, read_log
from tests.faults.step_verbs import STEP_VERBS
from tests.faults.verbs import VERBS as DAY_VERBS
from tests.faults.verbs import Verb

VERBS = {**DAY_VERBS, **STEP_VERBS, **NIGHT_VERBS, **COPY_VERBS}


class Fault(NamedTuple):
    """What goes wrong, and at which points."""

    kinds: Kind
    action: Action
    error: int = 0


FAULTS = {
    "kill": Fault(CHANGING | Kind.MARKING, Action.KILL),
    "sync": Fault(Kind.NAMING | Kind.SYNCING, Action.KILL),  # where files begin to count: a part of the first
    "tear": Fault(Kind.WRITING, Action.KILL_HALFWAY),
    "full": Fault(Kind.NAMING | Kind.WRITING, Action.FAIL_FROM_THERE, errno.ENOSPC),
    "readonly": Fault(Kind.NAMING | Kind.WRITING | Kind.OPENING, Action.FAIL_FROM_THERE, errno.EROFS),
    "eio": Fault(CHANGING | Kind.READING, Action.FAIL_ONCE, errno.EIO),
    "gone": Fault(CHANGING | Kind.READING, Action.FAIL_FROM_THERE, errno.EIO),  # a disk that answers no more
}
POWER = "power"
ENDED = (0, 1)  # how a process ends that comes to its end, or says why not
_NOT_REACHED, _CRASHED, _FAILED_BEFORE = 2, 3, 4
_SAID = b"\0"  # stands between the steps that were done and what a process said at its end


class Ended(NamedTuple):
    """How a process ended in which a verb was acted out."""

    code: int
    steps: int  # that it said were done
    said: str  # what went wrong in it, by its own account


class Counts(NamedTuple):
    """What came of all tries of one verb and one fault."""

    verb: str
    fault: str
    points: int = 0
    states: int = 0  # different sets of files that were left
    lost: int = 0
    doubled: int = 0
    broken: int = 0
    incomplete: int = 0
    crashed: int = 0  # the process ended with an error that is none of ours
    examples: tuple[str, ...] = ()


_MOST_EXAMPLES = 5
MOST_FAILURES = 5  # by themselves, of a verb, before its points are given up


class Trial:
    """One verb, in a folder of its own."""

    def __init__(self, verb: Verb, folder: Path, *, is_quick: bool = False) -> None:
        self.verb = verb
        self.is_quick = is_quick
        self.folder = folder
        self.root = folder / "run"
        self.root.mkdir()
        verb.prepare(self.root)
        shutil.copytree(self.root, folder / "prepared")
        self.prepared = _listing(folder / "prepared")
        steps = list[str]()
        verb.act(self.root, lambda: steps.append("done"))
        assert len(steps) == len(verb.promised), "undisturbed, it does not do what it promises"
        self.acknowledged = knowing.known_in(self.root)
        verb.complete(self.root)
        self.expected = self._known()
        self.seen: dict[tuple[str, int], Counter[str]] = {}
        self.examples: list[str] = []
        assert threading.active_count() == 1, "a process with threads cannot be forked"
        gc.collect()
        gc.freeze()  # or every child would copy what it never changes

    def renew(self) -> None:
        """Let the folder be as it was at first; AssertionError if somebody changed what it is copied from.

        Whoever looks into a database with SQLite leaves files beside it, with which a snapshot is none any more.
        """
        assert _listing(self.folder / "prepared") == self.prepared, "somebody changed the memory that was prepared"
        shutil.rmtree(self.root, ignore_errors=True)
        shutil.copytree(self.folder / "prepared", self.root)

    def disturb(self, fault: Fault, at: int) -> Ended:
        """Act in another process in which the fault happens; how that ended."""
        self.renew()
        return in_a_process(partial(self._act, fault, at))

    def _act(self, fault: Fault, at: int, writing: int) -> int:
        """Exit code 2 if it came to its end and the fault did not happen, 4 if it failed before, else of `outcome`."""
        injecting.arm(self.root, fault.kinds, at, fault.action, error=fault.error)
        code = outcome(self.verb, self.root, writing)
        if injecting.disarm() >= at:
            return code
        return _FAILED_BEFORE if code else _NOT_REACHED

    def note(self, where: str, kind: str, detail: str) -> None:
        """Keep an example, if there are few."""
        if len(self.examples) < _MOST_EXAMPLES:
            self.examples.append(f"{where}: {kind}: {detail}"[:600])

    def judge(self, steps: int, where: str) -> Counter[str]:
        """What is wrong with what was left; the same files are looked at again if it was something."""
        key = knowing.digest_of(self.root, is_quick=self.is_quick), steps
        if self.seen.get(key) != Counter():
            found = Counter[str]()
            for kind, detail in self._wrong(steps):
                if kind not in found:  # one of each, so that several points are shown
                    self.note(where, kind, detail)
                found[kind] += 1
            self.seen[key] = found
        return self.seen[key]

    def _wrong(self, steps: int) -> Iterator[tuple[str, str]]:
        try:
            if flaws := knowing.flaws(self.root):
                yield "broken", "; ".join(flaws)
            for number, holds in enumerate(self.verb.promised[:steps], 1):
                if not holds(self.root):
                    yield "lost", f"step {number} was acknowledged"
            if steps == len(self.verb.promised):  # or what completes it would hide what is missing
                late = knowing.told_late(self.root)
                known, expected = (_without(late, each) for each in (knowing.known_in(self.root), self.acknowledged))
                yield from ((kind, f"acknowledged: {what}") for kind, what in differences(known, expected))
        except Exception as error:  # noqa: BLE001 (whatever it is, the memory cannot be used)
            yield "broken", shown(error)
            return
        try:
            self.verb.complete(self.root)
            known = self._known()
        except Exception as error:  # noqa: BLE001
            yield "incomplete", shown(error)
            return
        yield from differences(known, self.expected)

    def _known(self) -> knowing.Known:
        with knowing.open_memory(self.root) as memory:
            if found := knowing.problems(memory):
                raise AssertionError(f"the doctor says: {found}")
            return knowing.known(memory)


def _without(late: tuple[str, ...], known: knowing.Known) -> knowing.Known:
    """But for those pages of which the memory says that they are late: what was acknowledged stands elsewhere."""
    return known._replace(pages={name: body for name, body in known.pages.items() if not name.startswith(late)})


def _listing(folder: Path) -> list[tuple[str, int, int]]:
    """Its files, how long they are and when each was written."""
    files = [(str(path), path.stat()) for path in sorted(folder.rglob("*")) if path.is_file()]
    return [(name, found.st_size, found.st_mtime_ns) for name, found in files]


def in_a_process(act: Callable[[int], int]) -> Ended:
    """Act in another process, which is given a pipe to write to and ends with what `act` returns."""
    reading, writing = os.pipe()
    pid = os.fork()
    if not pid:
        code = _CRASHED
        try:
            code = act(writing)
        finally:
            os._exit(code)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        steps, _, said = pipe.read().partition(_SAID)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return Ended(code, len(steps), said.decode("utf-8", "replace"))


def _say(pipe: int, what: bytes) -> None:
    os.write(pipe, what)


def outcome(verb: Verb, root: Path, writing: int) -> int:
    """Act, as a process that ends with it: 0 at the end, 1 after an error of ours, 3 else; the pipe is told."""
    try:
        verb.act(root, partial(_say, writing, b"."))
    except (NoctuaryError, AssertionError) as error:
        _say(writing, _SAID + shown(error).encode())
        return 1
    except BaseException as error:  # noqa: BLE001 (it is counted, and shown)
        _say(writing, _SAID + shown(error).encode())
        traceback.print_exc()
        return _CRASHED
    return 0


def differences(known: knowing.Known, expected: knowing.Known) -> Iterator[tuple[str, str]]:
    """What a memory knows too much, what it lacks, and what is otherwise."""
    for name, now, then in zip(known._fields, known, expected, strict=True):
        if isinstance(now, Counter) and isinstance(then, Counter):
            if now - then:
                yield "doubled", f"{name}: {dict(now - then)}"
            if then - now:
                yield "lost", f"{name}: {dict(then - now)}"
        elif now != then:
            yield "incomplete", f"{name}: {now!r} instead of {then!r}"


def shown(error: BaseException) -> str:
    """An error, and where it was raised."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({Path(frame.filename).name}:{frame.lineno})"


def every_point(name: str, fault_name: str, folder: Path, *, step: int = 1, is_quick: bool = False) -> Counts:
    """Let the fault happen at each point of the verb (or each so many) until it is not reached any more."""
    trial, fault, tally = Trial(VERBS[name], folder, is_quick=is_quick), FAULTS[fault_name], Counter[str]()
    at, failures = 1, 0
    while (ended := trial.disturb(fault, at)).code != _NOT_REACHED and failures < MOST_FAILURES:
        where = f"{fault_name} {at}"
        if ended.code in (_CRASHED, _FAILED_BEFORE):
            tally["crashed"] += 1
            trial.note(where, "crashed" if ended.code == _CRASHED else "failed before the fault", ended.said)
        if ended.code == _FAILED_BEFORE:
            failures += 1
            continue
        tally["points"] += 1
        assert fault.action not in (Action.KILL, Action.KILL_HALFWAY) or ended.code == -signal.SIGKILL
        tally.update(dict.fromkeys(trial.judge(ended.steps, where), 1))
        at += step
    # That no fault was reached is the end only if all was done: somebody may have taken the files away meanwhile.
    tally.update(dict.fromkeys(trial.judge(ended.steps, f"{fault_name} {at}, which was not reached"), 1))
    return counts_of(name, fault_name, trial, tally)


def every_cut(name: str, folder: Path, *, step: int = 1, is_late: bool = False) -> Counts:
    """Cut the power after each operation of the verb (or each so many), and leave only what had been synced.

    If it is to be late, only cuts count after which something was acknowledged.
    """
    trial, tally = Trial(VERBS[name], folder), Counter[str]()
    trial.renew()
    disk, log = Disk(trial.root), folder / "log"
    with log.open("wb") as file, _acted(trial, file.fileno()):
        pass
    steps, cuts = 0, set[tuple[int, Cut, int]]()
    for number, done in enumerate(read_log(log.read_bytes())):
        disk.do(done)
        steps += done.name == "mark" and done.path == Path(_STEP)
        if number % step or (is_late and not steps):
            continue
        for cut in Cut:
            tally["points"] += 1
            left = disk.left(cut)
            key = hash(frozenset(left.items())), cut, steps
            if key in cuts:
                continue
            cuts.add(key)
            shutil.rmtree(trial.root, ignore_errors=True)
            disk.write(left)
            where = f"{cut}, after {number} {done.name} {done.path.name}"
            tally.update(dict.fromkeys(trial.judge(steps, where), 1))
    return counts_of(name, POWER, trial, tally)


_STEP = "step"


@contextmanager
def _acted(trial: Trial, log: int) -> Iterator[None]:
    """The verb has been acted out in another process, which wrote down what it did."""
    pid = os.fork()
    if not pid:
        injecting.arm(trial.root, CHANGING, 0, Action.NOTHING, log=log)
        trial.verb.act(trial.root, lambda: injecting.mark(_STEP))
        os._exit(0)
    assert os.waitpid(pid, 0)[1] == 0
    yield


def counts_of(verb: str, fault: str, trial: Trial, tally: Counter[str]) -> Counts:
    """What a tally says, with what is known of the trial."""
    numbers = {name: tally[name] for name in Counts._fields if name in tally}
    return Counts(verb, fault, **numbers, states=len(trial.seen), examples=tuple(trial.examples))


def main() -> None:
    """One verb and one fault: counts as a line of JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("verb", choices=VERBS)
    parser.add_argument("fault", choices=[*FAULTS, POWER])
    parser.add_argument("--step", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="look once at what differs only behind the last commit")
    parser.add_argument("--late", action="store_true", help="cut the power only when something was acknowledged")
    given = parser.parse_args()
    memory_disk = Path("/dev/shm")
    tempfile.tempdir = str(memory_disk) if memory_disk.is_dir() else None
    if given.fault == "kill":
        injecting.mark_statements()
    with tempfile.TemporaryDirectory(prefix="noctuary-faults-") as folder:
        if given.fault == POWER:
            counts = every_cut(given.verb, Path(folder), step=given.step, is_late=given.late)
        else:
            counts = every_point(given.verb, given.fault, Path(folder), step=given.step, is_quick=given.quick)
    json.dump(counts._asdict(), sys.stdout)
    print()


if __name__ == "__main__":
    main()
