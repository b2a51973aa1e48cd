"""The only part of the hook that reads standard input, prints, waits, starts processes and ends its own.

The exit code is always 0.  A second thread ends the process when its time is over, whatever the first is doing.
"""

import _thread
import os
import sys
import time

from noctuary import brief_file
from noctuary.doors.hook import answers, handlers, trouble
from noctuary.doors.hook import home as files
from noctuary.doors.hook.events import NAMES, PROMPTS, SECONDS, SECONDS_OF_A_PROMPT, Event, event_in
from noctuary.doors.hook.json_reading import object_from, written

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import NoReturn

    from noctuary.bearing import Hit

_SECONDS_OF_WAITING = 0.7
_OLDEST = 5.0  # seconds after its start that a process may come here; more are a clock of another kind
_AT_LEAST = 0.1  # seconds that a note has, however long Python took to start on a machine that is busy
_NAMES_OF_PROMPTS = [f'"{name}"'.encode() for name, ours in NAMES.items() if ours in PROMPTS]
_PIECE = 65_536
_LOOKING_EVERY = 0.01
_STANDARD_HANDLES = 3


def _begun() -> float:
    """When the process was started, on the clock that goes on evenly; about when, if the system does not tell."""
    try:
        fields = brief_file.content_of("/proc/self/stat", 1_000).rpartition(b")")[2].split()
        age = time.clock_gettime(time.CLOCK_BOOTTIME) - int(fields[19]) / os.sysconf("SC_CLK_TCK")
    except (AttributeError, IndexError, ValueError, OSError):
        age = -1.0
    return time.monotonic() - (age if 0 <= age < _OLDEST else time.process_time())


_BEGUN = _begun()


def main(arguments: "Sequence[str]") -> "NoReturn":
    """Deal with the event on standard input, and end the process."""
    if "NOCTUARY_DREAMING" not in os.environ:  # a model call of our own, by an agent that has our hooks
        _hold_standard_handles()
        saying = _Saying()
        saying.end_in(SECONDS)
        options = _options(arguments)
        given = object_from(_read_piece, _NAMES_OF_PROMPTS, lambda: saying.end_in(SECONDS_OF_A_PROMPT))
        event = event_in(given, options["--agent"]) if given else None
        if event:
            saying.end_in(event.seconds)
            _deal_with(event, options, saying)
    os._exit(0)


class _Saying:
    """Standard output, on which something is said once or never."""

    def __init__(self) -> None:
        self._once = _thread.allocate_lock()
        self.last_words = b""  # of a process whose time is over
        self._seconds = 0.0

    def say(self, output: bytes) -> None:
        """Print, unless something was."""
        if not self._once.acquire(blocking=False):
            return
        try:
            while output:
                output = output[os.write(1, output) :]
        except OSError:  # nobody listens
            return

    def end_in(self, seconds: float) -> None:
        """End the process so many seconds after it began, whatever was asked for before."""
        if seconds != self._seconds:
            self._seconds = seconds
            _thread.start_new_thread(self._end, (seconds,))

    def _end(self, seconds: float) -> None:
        at_least = _AT_LEAST if seconds == SECONDS else 0.0
        time.sleep(max(at_least, _BEGUN + seconds - time.monotonic()))
        if seconds != self._seconds:
            return
        if not self._once.locked():
            self.say(self.last_words)
        os._exit(0)


def _deal_with(event: Event, options: "Mapping[str, str]", saying: _Saying) -> None:
    saying.last_words = answers.answer(event)
    home = options["--home"] or files.default_home(os.environ)
    memory = handlers.Memory(home, options["--owner"], time.time_ns() // 1_000_000)
    context = _slowly_recalled(event, memory) if event.name in PROMPTS else _done(event, memory)
    message = trouble.untold(home) if answers.can_be_shown(event) else ""
    saying.say(answers.answer(event, context, message))


def _done(event: Event, memory: handlers.Memory) -> str:
    """Do what is planned for an event; what is to be said."""
    plan = handlers.HANDLERS[event.name](event, memory)
    if plan.note:
        _leave(plan.note, memory)
    before = brief_file.stamp(plan.awaited) if plan.awaited else ""
    if plan.wants_sweep:
        trouble.ask(memory.home, plan.waiting_since, memory.now_ms)
        _start_sweep(memory)
    if plan.awaited and (anew := _awaited(plan.awaited, before, memory)):
        return anew
    return plan.context or handlers.words_of(_claimed(plan.hits, event, memory))


def _slowly_recalled(event: Event, memory: handlers.Memory) -> str:
    """As `_done`, but not if that has been too slow lately."""
    if not files.switched_on(memory.home):
        return _done(event, memory)
    mark = trouble.begin(memory.home, trouble.PROMPT, memory.now_ms, os.getpid())
    if mark is None:
        return ""
    context = _done(event, memory)
    trouble.end(mark)
    return context


def _leave(note: "Mapping[str, str | int]", memory: handlers.Memory) -> None:
    path = f"{memory.home}/{handlers.INBOX}"
    try:
        files.append(path, written(note).encode("ascii") + b"\n")
    except (OSError, ValueError) as error:
        sentence = f"hooks cannot write to {path} ({error}), so sessions are not noticed; `noctuary doctor` says more."
        trouble.record(memory.home, trouble.UNWRITTEN, sentence, memory.now_ms)
        return
    if note["event"] == "SessionStart":
        trouble.clear(memory.home, trouble.UNWRITTEN)


def _claimed(hits: "Sequence[Hit]", event: Event, memory: handlers.Memory) -> "Sequence[Hit]":
    """The hits that are this hook's to tell: of hooks that want to tell one, the first that says so in the file."""
    teller = f"{os.getpid()}-{time.monotonic_ns()}"
    try:
        if hits:
            files.append(handlers.told_path(memory.home, event.session), handlers.lines_of_told(hits, teller))
    except (OSError, ValueError):
        return ()
    told = handlers.told_in(memory.home, event.session) if hits else {}
    return [hit for hit in hits if told and told.get(hit.id) == teller]


def _awaited(path: str, before: str, memory: handlers.Memory) -> str:
    """The brief as soon as it is written anew; empty if that takes too long, or has lately."""
    mark = trouble.begin(memory.home, trouble.START, memory.now_ms, os.getpid())
    while mark and time.monotonic() < _BEGUN + _SECONDS_OF_WAITING:
        if brief_file.stamp(path) != before and (brief := brief_file.read(path)):
            trouble.end(mark)
            return brief.text
        time.sleep(_LOOKING_EVERY)
    return ""


def _start_sweep(memory: handlers.Memory) -> None:
    """Start the sweep as a process of its own, which outlives this one and the agent."""
    package = __file__.replace("\\", "/").rpartition("/noctuary/doors/hook/")[0]
    known = [package, *filter(None, [os.environ.get("PYTHONPATH")])]
    owner = ["--owner", memory.owner] if memory.owner else []
    # Without -P a folder of the user's project that is called noctuary would be run.
    command = [sys.executable, "-P", "-m", "noctuary", "--home", memory.home, *owner, "sweep", "--detached"]
    try:
        _spawn(command, {**os.environ, "PYTHONPATH": os.pathsep.join(known)})
    except (OSError, ValueError, NotImplementedError) as error:  # the last where `setsid` is not known
        sentence = f"the sweep of the inbox cannot be started ({error}); `noctuary doctor` says more."
        trouble.record(memory.home, trouble.FAILED, sentence, memory.now_ms)


def _spawn(command: "Sequence[str]", environ: "Mapping[str, str]") -> None:
    if sys.platform == "win32":
        os.spawnve(os.P_DETACH, command[0], list(command), environ)  # noqa: S606
        return
    for handle in range(_STANDARD_HANDLES, 20):  # what an agent left open is not for a process that outlives it
        try:
            os.set_inheritable(handle, False)
        except OSError:
            continue
    quiet = [(os.POSIX_SPAWN_OPEN, handle, os.devnull, os.O_RDWR, 0) for handle in range(_STANDARD_HANDLES)]
    os.posix_spawn(command[0], list(command), environ, file_actions=quiet, setsid=True)


def _options(arguments: "Sequence[str]") -> "dict[str, str]":
    """What the command line says; what is not known there is left out."""
    options = {"--home": "", "--owner": "", "--agent": ""}
    waiting = ""
    for argument in arguments:
        name, is_given, value = argument.partition("=")
        if waiting:
            options[waiting], waiting = argument, ""
        elif name in options and is_given:
            options[name] = value
        elif name in options:
            waiting = name
    return options


def _hold_standard_handles() -> None:
    """If standard input or output is closed, no file that is opened later may take its place."""
    handle = 0
    while handle < _STANDARD_HANDLES:
        handle = os.open(os.devnull, os.O_RDWR)
    os.close(handle)


def _read_piece() -> bytes:
    try:
        return os.read(0, _PIECE)
    except OSError:
        return b""
