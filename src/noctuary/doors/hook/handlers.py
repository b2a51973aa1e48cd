"""What is to be done at each event, as a plan; nothing here writes, waits, prints or starts anything."""

from noctuary import bearing, brief_file, marks
from noctuary.doors.hook import home as files
from noctuary.doors.hook import trouble
from noctuary.doors.hook.answers import can_be_told
from noctuary.doors.hook.events import Event

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

INBOX = "inbox/hooks.jsonl"
_TAKEN = ".taken"  # of the names of files that a sweep deals with
_WAITED_LONG_MS = 5 * 60_000
_MOST_TOLD = 1_000_000  # bytes: more than all that can be recalled, each told once


class Memory:
    """Where a memory is, and what the time is there."""

    __slots__ = ("home", "now_ms", "owner")

    def __init__(self, home: str, owner: str, now_ms: int) -> None:
        self.home = home
        self.owner = owner  # empty unless the hook was told
        self.now_ms = now_ms


class Plan:
    """What is to be done: a note for the inbox, a sweep, a wait for a brief, and what is said."""

    __slots__ = ("awaited", "context", "hits", "note", "waiting_since", "wants_sweep")

    def __init__(
        self,
        *,
        note: "dict[str, str | int] | None" = None,
        context: str = "",
        wants_sweep: bool = False,
        waiting_since: int = 0,
        awaited: str = "",
        hits: "Sequence[bearing.Hit]" = (),
    ) -> None:
        self.note = note
        self.context = context
        self.wants_sweep = wants_sweep
        self.waiting_since = waiting_since  # in milliseconds, the first of the notes that wait
        self.awaited = awaited  # the path of a brief that the sweep will write
        self.hits = hits  # to be told if no other hook of the session tells them


def at_start(event: Event, memory: Memory) -> Plan:
    """A session begins: it is told the brief of its folder, made anew if that is not as things are."""
    if event.is_of_subagent or not event.cwd:
        return Plan()
    path = brief_file.path_of(memory.home, memory.owner, event.cwd)
    brief = brief_file.read(path)
    text = brief.text if brief else ""
    if brief and brief.is_fresh and is_inbox_empty(memory.home):
        return Plan(context=text)
    note, since = event.note(memory.now_ms, memory.owner), _waiting_since(memory)
    return Plan(note=note, context=text, wants_sweep=True, waiting_since=since, awaited=path)


def at_start_of_subagent(event: Event, memory: Memory) -> Plan:
    """A sub-agent begins: if that is wanted it is told the brief that there is; nobody waits for a new one."""
    if not event.cwd or "subagent_brief" not in files.switched_on(memory.home):
        return Plan()
    brief = brief_file.read(brief_file.path_of(memory.home, memory.owner, event.cwd))
    return Plan(context=brief.text if brief else "")


def at_prompt(event: Event, memory: Memory) -> Plan:
    """Somebody asks: memory adds what bears on it, if that is wanted; notes that wait for long are dealt with."""
    plan = _recalled(event, memory, "prompt_recall")
    plan.waiting_since = _waiting_since(memory)
    has_waited_long = 0 < plan.waiting_since < memory.now_ms - _WAITED_LONG_MS
    was_asked = plan.waiting_since <= trouble.asked_ms(memory.home) <= memory.now_ms  # later: a clock was set back
    plan.wants_sweep = has_waited_long and not was_asked
    return plan


def after_tool(event: Event, memory: Memory) -> Plan:
    """A tool was used: memory adds what was rejected before, if that is wanted."""
    return _recalled(event, memory, "tool_recall", (bearing.REJECTED,))


def left_as_note(event: Event, memory: Memory) -> Plan:
    """Something is over: whoever sweeps the inbox will see to it."""
    return Plan(note=event.note(memory.now_ms, memory.owner))


HANDLERS: "dict[str, Callable[[Event, Memory], Plan]]" = {
    "SessionStart": at_start,
    "SubagentStart": at_start_of_subagent,
    "UserPromptSubmit": at_prompt,
    "PostToolUse": after_tool,
    "PreCompact": left_as_note,
    "PostCompact": left_as_note,
    "Stop": left_as_note,
    "SubagentStop": left_as_note,
    "SessionEnd": left_as_note,
}


def is_inbox_empty(home: str) -> bool:
    """Whether no note waits."""
    return not any(name == "hooks.jsonl" or name.endswith(_TAKEN) for name in files.names_in(f"{home}/inbox"))


def told_path(home: str, session: str) -> str:
    """Where it is kept what a session was told."""
    return f"{home}/state/told/{marks.sum_of(session)}"


def told_in(home: str, session: str) -> "dict[str, str] | None":
    """What a session was told, and which hook was the first to tell it; None if that is too much to know."""
    content = brief_file.content_of(told_path(home, session), _MOST_TOLD)
    if len(content) == _MOST_TOLD:
        return None
    told: dict[str, str] = {}
    for line in content.decode("utf-8", "replace").splitlines():
        name, _, teller = line.partition(" ")
        told.setdefault(name, teller)
    return told


def lines_of_told(hits: "Sequence[bearing.Hit]", teller: str) -> bytes:
    """What is added to the file of a session before something is told; `teller` is no other hook's name."""
    return "".join(f"{hit.id} {teller}\n" for hit in hits).encode("utf-8", "replace")


def words_of(hits: "Sequence[bearing.Hit]") -> str:
    """Hits as they are told, fenced."""
    return marks.fenced(bearing.told_lines(hits)) if hits else ""


def _recalled(event: Event, memory: Memory, switch: str, kinds: "tuple[str, ...]" = ()) -> Plan:
    if not event.asked or not event.cwd or not event.session or not can_be_told(event):
        return Plan()
    if event.is_of_subagent or switch not in files.switched_on(memory.home):
        return Plan()
    content = brief_file.content_of(brief_file.recall_path_of(memory.home, memory.owner, event.cwd), bearing.MOST_BYTES)
    told = told_in(memory.home, event.session)
    if told is None:
        return Plan()
    return Plan(hits=bearing.bearing_on(content, event.asked, session=event.session, told=told, kinds=kinds))


def _waiting_since(memory: Memory) -> int:
    """When the first of the notes that wait was left; 0 if there is none."""
    first = brief_file.content_of(f"{memory.home}/{INBOX}", 200)
    at = first.partition(b'"at_ms": ')[2].partition(b",")[0]
    return int(at) if at.isdigit() and len(at) < 20 else 0
