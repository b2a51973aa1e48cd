"""Dreams as people read them: what a run did, what waits, what a line rests on."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from noctuary.app.dreaming import Outlook, Overview
from noctuary.authored import Author, MessageRef
from noctuary.doors.cli.memory_options import command_line
from noctuary.doors.cli.paint import (
    bold,
    clipped,
    coloured,
    dim,
    is_terminal,
    line_width,
    one_line,
    safe,
    width,
    wrapped,
)
from noctuary.doors.cli.tables import facts, table
from noctuary.doors.cli.words import counted, last_part
from noctuary.dream.explaining import Ground, Why
from noctuary.dream.reviewing import Suggestion
from noctuary.dreams import (
    ChangeKind,
    DreamRecord,
    DreamStatus,
    MemoryChange,
    PageReport,
    Report,
    RunStatus,
    Trigger,
)
from noctuary.moments import show_time
from noctuary.proposals import Spent

_MARKS = {
    ChangeKind.ADDED: ("+", "green"),
    ChangeKind.PROPOSED: ("?", "yellow"),
    ChangeKind.MERGED: ("=", "cyan"),
    ChangeKind.SUPERSEDED: ("-", "red"),
    ChangeKind.DISPUTED: ("!", "red"),
    ChangeKind.DISTRUSTED: ("-", "red"),
    ChangeKind.STALE: ("!", "yellow"),
    ChangeKind.VERIFIED: ("=", "green"),
    ChangeKind.EDITED: ("~", "cyan"),
    ChangeKind.REMOVED: ("-", "red"),
    ChangeKind.PRUNED: ("-", "yellow"),
}
_WIDEST_KIND = max(map(len, ChangeKind))
_ENDED = {RunStatus.FAILED: "was interrupted", RunStatus.RUNNING: "has not ended"}
_BECAUSE = {
    Trigger.MANUAL: "somebody asked",
    Trigger.SESSION_COUNT: "enough sessions waited",
    Trigger.TIME_ELAPSED: "enough time had gone by",
}
_DUE = {**_BECAUSE, Trigger.SESSION_COUNT: "enough sessions wait", Trigger.TIME_ELAPSED: "some have waited long enough"}
# Together no more than a screen.
_MOST_CHANGES, _MOST_PAGES, _MOST_FAILURES, _MOST_WARNINGS = 12, 5, 4, 4
_MOST_SHOWN = 12
_SHOWN = 160
_LEAST_SHOWN = 24
_INDENT = "    "


def report_told(
    report: Report, *, outlook: Outlook | None = None, is_chosen: bool = False, is_whole: bool = False
) -> list[str]:
    """What a run did; `is_whole` with every line and every reason.

    Where there was nothing to do, the outlook says what is to be done about it; `is_chosen` if somebody had named
    sessions or a project.
    """
    if not_run := _not_run(report, outlook.waiting if outlook else report.waiting):
        return [not_run]
    if is_whole:
        return [*_headline(report), *_whole(report)]
    if outlook and _is_idle(report):
        return _nothing_chosen(outlook) if is_chosen and not outlook.is_empty else nothing_told(outlook)
    return [*_headline(report), *_short(report)]


def _not_run(report: Report, count: int) -> str:
    waiting = f"{counted(count, 'session')} {'waits' if count == 1 else 'wait'}"
    if report.lock == "nested":
        return "This runs inside a dream (NOCTUARY_DREAMING is set), so no other dream begins. Nothing was done."
    if report.status is RunStatus.SKIPPED:
        if report.looks_again:
            return f"Another dream is running; {waiting}, and it was asked to look again when it is done."
        return f"Another dream is running; {waiting}. When it is done: noctuary dream"
    return f"No dream is due: {waiting}." if report.status is RunStatus.NOT_DUE else ""


def _is_idle(report: Report) -> bool:
    """Whether there was nothing to read, and nothing else happened."""
    is_quiet = not (report.considered or report.changes or report.pages or report.warnings)
    return is_quiet and report.status is RunStatus.COMPLETED


def nothing_told(outlook: Outlook) -> list[str]:
    """Why there is nothing to dream of, and what to do about it."""
    if outlook.is_empty:
        return [f"Nothing to dream of: no conversation is kept yet. Begin with: {command_line('import')}"]
    lines = ["Nothing to dream of: every session that has ended is read."]
    if outlook.open:
        lines.append(f"{_still_open(outlook)}. Read one now: {command_line('dream', '--session', 'SESSION')}")
    else:
        lines.append(f"Bring in what is new with: {command_line('import')}")
    return lines


def _nothing_chosen(outlook: Outlook) -> list[str]:
    others = outlook.waiting + outlook.held
    of_all = f"; {counted(others, 'session')} elsewhere" if others else ""
    read_all = f": {command_line('dream')}" if others else "."
    return [f"Nothing to dream of there: every session that has ended is read{of_all}{read_all}"]


def _still_open(outlook: Outlook) -> str:
    first = show_time(outlook.open_until_ms)
    if outlook.open == 1:
        return f"1 session is still open and will be read if it stays quiet until {first}"
    return f"{outlook.open:,} sessions are still open; the first will be read if it stays quiet until {first}"


def _headline(report: Report) -> Iterator[str]:
    seconds = ((report.finished_ms or report.started_ms) - report.started_ms) / 1000
    would = "Would dream" if report.is_dry else "Dreamt"
    tasks = sum(len(session.events) for session in report.sessions) - report.kept
    found = [counted(report.kept, "entry", "entries"), *([f"{counted(tasks, 'task')} proposed"] if tasks > 0 else [])]
    ended = (
        ""
        if report.status in (RunStatus.COMPLETED, RunStatus.UNDONE)
        else f" The run {_ENDED.get(report.status, report.status)}."
    )
    read = sum(session.status is DreamStatus.COMPLETED for session in report.sessions)
    told = f"{', '.join(found)}; {_changed(report.changes)}"
    yield bold(f"{would} over {counted(read, 'session')} in {seconds:.1f} s: {told}.{ended}")
    if report.status is RunStatus.UNDONE:
        yield coloured("This dream was undone.", "yellow")


def _short(report: Report) -> Iterator[str]:
    rest = "--json has them" if report.is_dry else command_line("dream", "show")
    yield from _changes(_once_each(report.changes), _MOST_CHANGES, rest)
    yield from _failures(report)
    yield from _some([coloured(f"  {one_line(warning)}", "yellow") for warning in report.warnings], _MOST_WARNINGS)
    if report.is_dry:
        yield from _diff(report.diff)
        yield from _cost(report)
        yield "Nothing was changed: this was a dry run."
        return
    yield from pages_told(report.written)
    yield from _cost(report)
    if report.kept:
        yield dim(f"Review it: {command_line('dream', 'review')}   undo it: {command_line('dream', 'undo')}")


def _once_each(changes: Sequence[MemoryChange]) -> list[MemoryChange]:
    """Without what only says that a memory was checked, if something else is said of it."""
    others = {change.memory for change in changes if change.kind is not ChangeKind.VERIFIED}
    return [each for each in changes if each.kind is not ChangeKind.VERIFIED or each.memory not in others]


def pages_told(written: Sequence[PageReport]) -> Iterator[str]:
    """What was written, a line a project, and where."""
    lines = [f"  {_page_told(page)}" for page in written]
    yield from _some(lines, _MOST_PAGES)
    if written:
        folder = Path(written[0].path).parent if len(written) == 1 else Path(written[0].path).parent.parent
        yield dim(f"  below {one_line(str(folder))}")


def _page_told(page: PageReport) -> str:
    name = f"MEMORY.md of {one_line(page.project) or 'all projects'}"
    topics = f", {counted(page.topics, 'topic file')}" if page.topics else ""
    return f"{name}: {counted(page.lines, 'line')}{topics}" if page.lines else f"{name}: nothing left to say{topics}"


def _some(lines: Sequence[str], most: int) -> Iterator[str]:
    yield from lines[:most]
    if len(lines) > most:
        yield f"  … and {len(lines) - most:,} more; --json has them"


def _whole(report: Report) -> Iterator[str]:
    yield from facts(
        (
            ("run", report.run),
            ("status", str(report.status)),
            ("began", show_time(report.started_ms)),
            ("because", _BECAUSE[report.trigger]),
            ("read by", report.backend),
            ("sessions", _sessions(report)),
            ("proposals", f"{report.kept} kept, {report.merged} known already, {len(report.dropped)} dropped"),
        )
    )
    for phase in report.phases:
        yield f"  {phase.name}: {one_line(phase.summary)}"
    yield from _changes(report.changes, len(report.changes), "")
    for session in report.sessions:
        why = f": {one_line(session.failure)}" if session.failure else ""
        found = counted(len(session.events), "entry", "entries")
        yield f"  {one_line(session.session)}  {last_part(session.project)}  {session.status}, {found}{why}"
    for dropped in report.dropped:
        yield dim(f"  dropped ({one_line(dropped.why)}): {clipped(one_line(dropped.text), _SHOWN)}")
    yield from (coloured(f"  {one_line(warning)}", "yellow") for warning in report.warnings)
    yield from (f"  wrote {one_line(page)}" for page in report.pages)
    yield from _cost(report)
    yield from _diff(report.diff)


def _sessions(report: Report) -> str:
    counts = f"{report.considered} considered, {report.processed} read, {report.failed} failed"
    return f"{counts}, {report.waiting} waiting"


def _changes(changes: Sequence[MemoryChange], most: int, rest: str) -> Iterator[str]:
    for change in changes[:most]:
        mark, colour = _MARKS[change.kind]
        why = f"({one_line(change.why)}) " if change.why else ""
        end = f"{why}{change.memory}"
        front = f"{mark} {change.kind:<{_WIDEST_KIND}}"
        room = max(_LEAST_SHOWN, line_width() - width(front) - width(end) - 6) if is_terminal() else _SHOWN
        words = clipped(one_line(change.text), room)
        yield f"  {coloured(front, colour)}  {words}  {dim(end)}"
    if len(changes) > most:
        yield f"  … and {len(changes) - most:,} more: {rest}"


def _changed(changes: Iterable[MemoryChange]) -> str:
    kinds = [change.kind for change in changes]
    counts = ((kind, kinds.count(kind)) for kind in ChangeKind)
    told = ", ".join(f"{count:,} {kind}" for kind, count in counts if count)
    return f"memories: {told}" if told else "no memory changed"


def _failures(report: Report) -> Iterator[str]:
    failed = [session for session in report.sessions if session.status is DreamStatus.FAILED]
    lines = (f"  failed {one_line(one.session)}: {clipped(one_line(one.failure or ''), _SHOWN)}" for one in failed)
    yield from _some([coloured(line, "red") for line in lines], _MOST_FAILURES)
    if failed and not report.is_dry:
        yield f"  What failed is tried again later, or now with: {command_line('dream')}"


def _cost(report: Report) -> Iterator[str]:
    spent = report.spent
    if spent.calls:
        tokens = f"{spent.tokens_in:,} tokens in, {spent.tokens_out:,} out"
        yield f"  asked {one_line(report.backend)} {counted(spent.calls, 'time')}: {tokens}{_price(spent)}"


def _diff(diff: str) -> Iterator[str]:
    colours = {"+": "green", "-": "red", "@": "cyan"}
    for line in safe(diff).splitlines():
        yield coloured(line, colours[line[0]]) if line[:1] in colours else line


def overview_told(overview: Overview, waiting: Sequence[DreamRecord]) -> list[str]:
    """Where dreams stand."""
    lines = facts(
        (
            ("by itself", "yes" if overview.is_enabled else "no: switched off in config.toml"),
            ("read by", overview.backend),
            ("waiting", _waiting(overview.outlook)),
            ("open", _still_open(overview.outlook) if overview.outlook.open else ""),
            ("read", counted(overview.completed, "session")),
            ("due", _due(overview)),
            ("last", _last(overview.last)),
            ("to review", counted(overview.suggestions, "proposal")),
            ("spent today", _spent(overview.spent_today)),
        )
    )  # fmt: skip
    lines += [coloured(one_line(problem), "red") for problem in overview.problems]
    shown = waiting[:_MOST_SHOWN]
    lines += [f"  {one_line(each.session)}  {_standing(each)}" for each in shown]
    return lines + ([f"  … and {len(waiting) - len(shown):,} more"] if len(waiting) > len(shown) else [])


def _last(last: Report | None) -> str:
    return f"{show_time(last.finished_ms or last.started_ms)}  {last.run}  {last.status}" if last else "never"


def _waiting(outlook: Outlook) -> str:
    held = f", and {outlook.held:,} until you ask" if outlook.held else ""
    return f"{counted(outlook.waiting, 'session')}{held}"


def _due(overview: Overview) -> str:
    if overview.due:
        return f"now: {_DUE[overview.due]}; {command_line('dream')}"
    if overview.outlook.waiting or overview.outlook.held:
        return f"not by itself yet; at any time with {command_line('dream')}"
    return "not yet"


def _spent(spent: Spent) -> str:
    tokens = f"{spent.tokens_in + spent.tokens_out:,} tokens"
    return f"{tokens}{_price(spent)} in {counted(spent.calls, 'question')}" if spent.calls else ""


def _price(spent: Spent) -> str:
    return f", ${spent.dollars:.4f}" if spent.dollars else ""  # nobody knows what a server of one's own costs


def _standing(record: DreamRecord) -> str:
    failure = f": {one_line(record.failure)}" if record.failure else ""
    tries = f" after {counted(record.attempts, 'attempt')}" if record.attempts else ""
    held = ", until you ask" if record.is_held else ""
    return f"{record.status}{tries}{held}{failure}"


def log_told(reports: Sequence[Report]) -> list[str]:
    """Runs as a table."""
    rows = [
        (
            report.run,
            show_time(report.started_ms),
            str(report.status),
            str(report.processed),
            str(report.kept),
            _changed(report.changes).removeprefix("memories: "),
        )
        for report in reports
    ]
    return table(("RUN", "BEGAN", "STATUS", "SESSIONS", "ENTRIES", "MEMORIES"), rows)


def why_told(why: Why) -> list[str]:
    """What a memory rests on."""
    memory, known = why.memory, why.memory.facts
    head = [bold(f"{memory.id}  {memory.kind}"), _INDENT + wrapped(one_line(memory.text), _INDENT)]
    about = facts(
        (
            ("status", f"{memory.status}{', pinned' if known.get('pinned') else ''}"),
            ("stands for", counted(int(known.get("support") or 1), "session")),
            ("said by", "you" if known.get("approved") else str(known.get("trust", ""))),
            ("holds since", show_time(known.get("valid_from") or memory.recorded_ms)),
            ("held until", show_time(known.get("valid_to"))),
            ("superseded by", memory.superseded_by or ""),
            ("checked", f"{known.get('verified', 'unknown')} {one_line(str(known.get('why', '')))}".strip()),
            ("dreams", ", ".join(why.runs)),
        )
    )
    return [*head, *about, *(line for ground in why.grounds for line in _ground(ground))]


def _ground(ground: Ground) -> Iterator[str]:
    entry = ground.entry
    yield f"{dim(entry.event.id)}  {show_time(entry.event.ts_ms)}  {bold(entry.acts_as)}  said by {entry.event.trust}"
    if entry.event.text:
        yield _INDENT + wrapped(one_line(entry.event.text), _INDENT)
    yield from (_cited(message) for message in ground.messages)


def _cited(message: MessageRef) -> str:
    quote = f": “{clipped(one_line(message.quote), _SHOWN)}”" if message.quote else ""
    return f"{_INDENT}{command_line('show', message.session, '--around', str(message.id))}{quote}"


def suggestion_told(suggestion: Suggestion) -> list[str]:
    """A proposal, and the words it rests on."""
    entry, memory = suggestion
    event = entry.event
    sure = f", {event.confidence:.0%} sure" if event.confidence is not None else ""
    who = f"said by {event.trust}{'' if event.author is Author.DREAM else f', proposed by {event.author}'}"
    kept = f"memory {memory.id} {memory.status}" if memory else "an entry only"
    return [
        f"{dim(event.id)}  {show_time(event.ts_ms)}  {bold(entry.acts_as)}  {who}{sure}; {kept}",
        _INDENT + wrapped(one_line(event.text), _INDENT),
        *(_cited(message) for message in event.refs.messages),
    ]
