"""Dreams as people read them: what a run did, what waits, what a line rests on."""

from collections.abc import Iterable, Iterator, Sequence

from noctuary.app.dreaming import Overview
from noctuary.authored import MessageRef
from noctuary.doors.cli.memory_options import command_line
from noctuary.doors.cli.paint import bold, clipped, coloured, dim, one_line, safe, wrapped
from noctuary.doors.cli.tables import facts, table
from noctuary.doors.cli.words import counted, last_part
from noctuary.dream.explaining import Ground, Why
from noctuary.dream.reviewing import Suggestion
from noctuary.dreams import ChangeKind, DreamRecord, DreamStatus, MemoryChange, Report, RunStatus
from noctuary.moments import show_time
from noctuary.proposals import Spent

_MARKS = {
    ChangeKind.ADDED: ("+", "green"),
    ChangeKind.PROPOSED: ("?", "yellow"),
    ChangeKind.MERGED: ("=", "cyan"),
    ChangeKind.SUPERSEDED: ("-", "red"),
    ChangeKind.DISPUTED: ("!", "red"),
    ChangeKind.STALE: ("!", "yellow"),
    ChangeKind.VERIFIED: ("=", "green"),
    ChangeKind.EDITED: ("~", "cyan"),
    ChangeKind.REMOVED: ("-", "red"),
    ChangeKind.PRUNED: ("-", "yellow"),
}
_MOST_SHOWN = 12
_SHOWN = 160
_INDENT = "    "


def report_told(report: Report, *, is_whole: bool = False) -> list[str]:
    """What a run did; `is_whole` with every line and every reason."""
    return [*_headline(report), *(_whole(report) if is_whole else _short(report))]


def _headline(report: Report) -> Iterator[str]:
    if report.status is RunStatus.SKIPPED:
        waiting = counted(report.waiting, "session")
        yield f"Another dream is running; {waiting} wait, and it was asked to go on with them."
        return
    if report.status is RunStatus.NOT_DUE:
        yield f"No dream is due: {counted(report.waiting, 'session')} wait."
        return
    seconds = ((report.finished_ms or report.started_ms) - report.started_ms) / 1000
    would = "Would dream" if report.is_dry else "Dreamt"
    found = f"{counted(report.kept, 'entry', 'entries')}, {_changed(report.changes)}"
    ended = "" if report.status in (RunStatus.COMPLETED, RunStatus.UNDONE) else f" The run {report.status}."
    read = len(report.sessions) if report.is_dry else report.processed
    yield bold(f"{would} over {counted(read, 'session')} in {seconds:.1f} s: {found}.{ended}")
    if report.status is RunStatus.UNDONE:
        yield coloured("This dream was taken back.", "yellow")


def _short(report: Report) -> Iterator[str]:
    if report.status in (RunStatus.SKIPPED, RunStatus.NOT_DUE):
        return
    yield from _changes(report.changes, _MOST_SHOWN)
    yield from _failures(report)
    yield from (coloured(f"  {one_line(warning)}", "yellow") for warning in report.warnings)
    if report.is_dry:
        yield from _diff(report.diff)
        yield "Nothing was changed: this was only a look."
        return
    yield from (f"  wrote {one_line(page)}" for page in report.pages[:_MOST_SHOWN])
    yield from _cost(report)
    if report.kept:
        yield dim(f"Look through it: {command_line('dream', 'review')}   take it back: {command_line('dream', 'undo')}")


def _whole(report: Report) -> Iterator[str]:
    yield from facts(
        (
            ("run", report.run),
            ("status", str(report.status)),
            ("began", show_time(report.started_ms)),
            ("because", str(report.trigger)),
            ("read by", report.backend),
            ("sessions", _sessions(report)),
            ("proposals", f"{report.kept} kept, {report.merged} known already, {len(report.dropped)} dropped"),
        )
    )
    for phase in report.phases:
        yield f"  {phase.name}: {one_line(phase.summary)}"
    yield from _changes(report.changes, len(report.changes))
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


def _changes(changes: Sequence[MemoryChange], most: int) -> Iterator[str]:
    for change in changes[:most]:
        mark, colour = _MARKS[change.kind]
        why = f"  ({one_line(change.why)})" if change.why else ""
        words = clipped(one_line(change.text), _SHOWN)
        yield f"  {coloured(mark, colour)} {change.kind}  {words}  {dim(change.memory + why)}"
    if len(changes) > most:
        yield f"  … and {len(changes) - most:,} more: {command_line('dream', 'show')}"


def _changed(changes: Iterable[MemoryChange]) -> str:
    kinds = [change.kind for change in changes]
    counts = ((kind, kinds.count(kind)) for kind in ChangeKind)
    told = ", ".join(f"{count} {kind}" for kind, count in counts if count)
    return f"memories: {told}" if told else "no memory changed"


def _failures(report: Report) -> Iterator[str]:
    for session in report.sessions:
        if session.status is DreamStatus.FAILED:
            yield coloured(f"  failed {one_line(session.session)}: {one_line(session.failure or '')}", "red")


def _cost(report: Report) -> Iterator[str]:
    spent = report.spent
    if spent.calls:
        tokens = f"{spent.tokens_in:,} tokens in, {spent.tokens_out:,} out"
        yield f"  asked {report.backend} {counted(spent.calls, 'time')}: {tokens}, ${spent.dollars:.4f}"


def _diff(diff: str) -> Iterator[str]:
    colours = {"+": "green", "-": "red", "@": "cyan"}
    for line in safe(diff).splitlines():
        yield coloured(line, colours[line[0]]) if line[:1] in colours else line


def overview_told(overview: Overview, waiting: Sequence[DreamRecord]) -> list[str]:
    """Where dreams stand."""
    last = overview.last
    lines = facts(
        (
            ("by itself", "yes" if overview.is_enabled else "switched off in config.toml"),
            ("read by", overview.backend),
            ("waiting", counted(overview.waiting, "session")),
            ("read", counted(overview.completed, "session")),
            ("due", f"now, because of {overview.due}" if overview.due else "not yet"),
            ("last", f"{show_time(last.finished_ms)}  {last.run}  {last.status}" if last else "never"),
            ("to review", counted(overview.suggestions, "proposal")),
            ("spent today", _spent(overview.spent_today)),
        )
    )  # fmt: skip
    lines += [coloured(problem, "red") for problem in overview.problems]
    shown = waiting[:_MOST_SHOWN]
    lines += [f"  {one_line(each.session)}  {_standing(each)}" for each in shown]
    return lines + ([f"  … and {len(waiting) - len(shown):,} more"] if len(waiting) > len(shown) else [])


def _spent(spent: Spent) -> str:
    return f"{spent.tokens_in + spent.tokens_out:,} tokens, ${spent.dollars:.4f}" if spent.calls else ""


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
    kept = f"memory {memory.id} {memory.status}" if memory else "an entry only"
    return [
        f"{dim(event.id)}  {show_time(event.ts_ms)}  {bold(entry.acts_as)}  said by {event.trust}{sure}; {kept}",
        _INDENT + wrapped(one_line(event.text), _INDENT),
        *(_cited(message) for message in event.refs.messages),
    ]
