"""The tools about what is known: why things were done, what to remember, and where dreams stand."""

from collections.abc import Iterator, Sequence

from noctuary.app.dreaming import Overview
from noctuary.app.work import Work
from noctuary.authored import Entry, EventType
from noctuary.doors.cli.words import counted, last_part
from noctuary.doors.mcp.asked import Asked
from noctuary.doors.mcp.telling import Answer, given, listed, short
from noctuary.doors.mcp.tools import KINDS
from noctuary.doors.mcp.working import RULES
from noctuary.moments import show_day, show_time
from noctuary.store.memories import Remembered
from noctuary.work.finding import FoundEntry, Rejected

_LONGEST = 8_000
_LIMIT, _MOST = 8, 20
_TEXT = 400
_SOURCES = 2  # messages that are named as what something rests on
_NOTED = (
    EventType.CONSTRAINT,
    EventType.PREFERENCE,
    EventType.FINDING,
    EventType.EVIDENCE,
    EventType.HYPOTHESIS,
    EventType.REDIRECT,
    EventType.SUPERSEDE,
)


def recall_why(asked: Asked) -> Answer:
    """Decisions, rejections, notes and memories about a topic, with what each rests on."""
    topic = asked.arguments.needed("topic", "a few words, or a question")
    most = asked.arguments.number("limit", _LIMIT, 1, _MOST)
    with asked.work() as work:
        lines = list(_about(work, topic, most, everywhere=asked.is_everywhere))
        if not lines:
            lines = list(_nothing(work, topic, everywhere=asked.is_everywhere))
        return Answer(given("\n".join(lines), _LONGEST))


def _about(work: Work, topic: str, most: int, *, everywhere: bool) -> Iterator[str]:
    decided = _best(work.find_entries(topic, types=[EventType.DECISION], everywhere=everywhere, limit=_MOST * 2))
    yield from listed("Decided", [_entry(each) for each in decided], most)
    rejected = work.rejected(topic, everywhere=everywhere, limit=_MOST * 2)
    yield from listed("Rejected", [_rejection(each) for each in rejected], most)
    noted = _best(work.find_entries(topic, types=_NOTED, everywhere=everywhere, limit=_MOST * 2))
    yield from listed("Noted", [_entry(each) for each in noted], most)
    said = _best(work.find_entries(topic, types=[EventType.REMEMBER], everywhere=everywhere, limit=_MOST * 2))
    yield from listed("Remembered", _memories(work, said, everywhere=everywhere), most)


def _best(found: Sequence[FoundEntry]) -> list[Entry]:
    """What has all the words; if nothing has, what has some of them."""
    return [each.entry for each in found if each.has_all] or [each.entry for each in found]


def _nothing(work: Work, topic: str, *, everywhere: bool) -> Iterator[str]:
    yield f"Nothing was decided, rejected or noted about {short(topic, 80)!r} here. This is a complete answer."
    if not everywhere and (elsewhere := len(list(_about(work, topic, 1, everywhere=True)))):
        yield f"In other projects there {'is' if elsewhere == 1 else 'are'} some: project * shows them."
    yield "What was said without being written down is found by session_search."


def _entry(entry: Entry) -> str:
    event = entry.event
    marks = "".join(
        [
            ", a proposal" if entry.is_suggested else "",
            f", superseded by {entry.superseded_by}" if entry.superseded_by else "",
        ]
    )
    head = f"{show_day(event.ts_ms)} {entry.acts_as} by {event.author}{marks} [{event.id}]"
    return f"- {head}: {short(event.text, _TEXT)}{_grounds(entry, event.node)}"


def _rejection(rejected: Rejected) -> str:
    entry = rejected.entry
    name = entry.event.id if entry else rejected.option.id if rejected.option else ""
    about = rejected.decision.id if rejected.decision else entry.event.node if entry else None
    why = f". Because: {short(rejected.reason, _TEXT)}" if rejected.reason else ""
    return f"- {show_day(rejected.ts_ms)} [{name}]: {short(rejected.text, _TEXT)}{why}{_grounds(entry, about)}"


def _grounds(entry: Entry | None, about: str | None) -> str:
    """What it is about, and the messages it rests on, which session_search can read around."""
    cited = entry.event.refs.messages[:_SOURCES] if entry else ()
    named = [f"message {each.id} of session {short(each.session, 60)}" for each in cited]
    told = [*([f"about {about}"] if about else []), *([f"rests on {' and '.join(named)}"] if named else [])]
    return f" ({'; '.join(told)})" if told else ""


def _memories(work: Work, said: Sequence[Entry], *, everywhere: bool) -> list[str]:
    """Those of the memories that still hold."""
    held = {memory.event: memory for memory in work.memories(everywhere=everywhere)} if said else {}
    found = [(held[entry.event.id], entry) for entry in said if entry.event.id in held]
    return [f"{_memory(memory)}{_grounds(entry, None)}" for memory, entry in found]


def _memory(memory: Remembered) -> str:
    where = "" if memory.project else ", for all projects"
    status = ", a proposal" if memory.status == "proposed" else ""
    return f"- {show_day(memory.recorded_ms)} {memory.kind}{status}{where} [{memory.id}]: {short(memory.text, _TEXT)}"


def remember(asked: Asked) -> Answer:
    """Keep a sentence, as an agent's word; what would be a rule waits for the user."""
    text = asked.arguments.needed("text", "the sentence to keep")
    kind = asked.arguments.one_of("kind", KINDS, "fact")
    with asked.work(writes=True) as work:
        memory = work.remember(text, kind=kind, topic=asked.arguments.text("topic"), suggested=kind in RULES)
        where = f"in {last_part(memory.project)}" if memory.project else "for all projects"
        lines = [f"Kept {memory.id}, a {memory.kind}, {where}: {short(memory.text, _TEXT)}"]
        if memory.status == "proposed":
            lines.append(f"It is a proposal until the user confirms it: `noctuary event confirm {memory.event}`.")
        return Answer(given("\n".join(lines), _LONGEST))


def dream_status(asked: Asked) -> Answer:
    """When sessions were last read, and what waits."""
    with asked.keeper.reading() as memory:
        project = None if asked.is_everywhere else asked.project(memory)
        found = memory.dreams.overview(project)
        lines = list(_standing(found))
        if not found.is_enabled:
            lines.append("Dreams by themselves are switched off in config.toml.")
        lines += [short(problem, 300) for problem in found.problems[:5]]
        return Answer(given("\n".join(lines), _LONGEST))


def _standing(found: Overview) -> Iterator[str]:
    last, outlook = found.last, found.outlook
    if last:
        when = show_time(last.finished_ms or last.started_ms)
        yield f"Last dream: {when} UTC, {last.status}, {counted(last.kept, 'entry', 'entries')} kept."
    else:
        yield "There was no dream yet."
    read = f"read so far: {found.completed:,}"
    yield f"Waiting to be read: {counted(outlook.waiting, 'session')}; still open: {outlook.open:,}; {read}."
    yield "A dream is due now." if found.due else "No dream is due by itself."
    review = " (`noctuary dream review`)" if found.suggestions else ""
    yield f"Proposals that the user has not looked at: {found.suggestions:,}{review}."
