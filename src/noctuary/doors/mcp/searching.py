"""`session_search`: one tool whose arguments say what is wanted.

    query                     discover   the sessions that answer best
    session_id and query      discover   the messages of that session that answer best
    session_id and around     scroll     the messages around one
    session_id                read       how the session begins and how it ends
    nothing                   browse     the last active sessions, within the filters

What is more particular wins: `around` over `query`, both over `session_id` alone.  The session that the agent is in
is left out unless it is named.  Whatever is stored, an answer stays within the budget of its `detail`.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from noctuary.app import Memory
from noctuary.doors.cli.words import counted, last_part, title_of
from noctuary.doors.mcp.asked import Asked
from noctuary.doors.mcp.telling import Answer, body, given, level, line, short, size, tokens
from noctuary.doors.mcp.tools import DEFAULT_WINDOW, DETAILS, ROLES, SORTS
from noctuary.errors import BadInput, NotFound
from noctuary.moments import parse_moment, show_day, show_time
from noctuary.recall.query import Query
from noctuary.records import Hit, Kind, Message, Role, Session, Window
from noctuary.store.sessions import Selection

_FENCE = 120  # characters that a fence takes
_HEAD = 60  # that the first line of a message takes, about
_LEAST_MESSAGE = 100  # so many messages are shown at most that each has this much room, with its first line
_LEAST_HIT = 250
_LEAST_SNIPPET = 60  # characters that who speaks takes, about
_TITLE = 100
_MOST_FOUND, _MOST_BROWSED, _MOST_READ, _MOST_WINDOW = 20, 50, 100, 20
_MOST_SORTED = 50  # hits that are put in order of time
_MOST_LOOKED_THROUGH = 2_000  # messages of a session, for those of one role
_LAST_SHARE = 3  # one in so many messages of a long session that is read is from its end
_GREATEST_ID = 10**9
_CERTAIN = 0.5
_EMPTY = "No conversation is stored yet; `noctuary import` brings them in. This is a complete answer."


class _Detail(NamedTuple):
    """How much text there is."""

    budget: int
    snippet: int
    speech: int  # of a message that somebody said
    output: int  # of what a tool gave, and of thoughts
    neighbours: int = 0  # messages shown around a hit


_DETAILS = {
    "brief": _Detail(budget=3_000, snippet=0, speech=300, output=120),
    "normal": _Detail(budget=8_000, snippet=300, speech=1_500, output=400),
    "full": _Detail(budget=20_000, snippet=600, speech=6_000, output=2_000, neighbours=2),
}


def session_search(asked: Asked) -> Answer:
    """Find, read on, read or list past sessions."""
    arguments = asked.arguments
    detail = _DETAILS[arguments.one_of("detail", DETAILS, "normal")]
    named, query = arguments.text("session_id"), arguments.text("query")
    if arguments.has("around") and not named:
        raise BadInput("around is the id of a message in a session: give its session_id, too.")
    with asked.keeper.reading() as memory:
        if arguments.has("around"):
            lines = _scroll(memory, asked, named, detail)
        elif query:
            lines = _discover(memory, asked, query, named, detail)
        elif named:
            lines = _read(memory, asked, named, detail)
        else:
            lines = _browse(memory, asked, detail)
        return Answer(given("\n".join(lines), detail.budget))


def _selection(memory: Memory, asked: Asked) -> Selection:
    """The filters that choose sessions."""
    arguments = asked.arguments
    now_ms = memory.clock.now_ms()
    project = arguments.text("project")
    after, before = (arguments.text(name) for name in ("after", "before"))
    return Selection(
        agent=arguments.text("agent") or None,
        project=None if project in ("", "*") else asked.project(memory) or None,
        after_ms=parse_moment(after, now_ms) if after else None,
        before_ms=parse_moment(before, now_ms) if before else None,
        excluded=tuple(_excluded(memory, asked)),
    )


def _excluded(memory: Memory, asked: Asked) -> Iterator[str]:
    """The ids of sessions to leave out; one that is not known leaves out nothing."""
    for name in asked.arguments.names("exclude_sessions"):
        try:
            yield memory.session(name).id
        except NotFound:
            continue
    if asked.keeper.serving.session:
        yield asked.keeper.serving.session


def _discover(memory: Memory, asked: Asked, text: str, named: str, detail: _Detail) -> Iterator[str]:
    arguments = asked.arguments
    limit = min(arguments.number("limit", 5, 1, _MOST_FOUND), detail.budget // _LEAST_HIT)
    sort = arguments.one_of("sort", SORTS, "relevance")
    query = _narrowed(memory.query(text), _selection(memory, asked), arguments.one_of("role", ROLES, ""))
    if named:
        query = query._replace(session=memory.session(named).id, exclude_sessions=())
    most = limit if sort == "relevance" else _MOST_SORTED
    found = (memory.search_messages if named else memory.search)(query, limit=most)
    if not found.hits:
        yield from _missed(memory, asked, found.note, query)
        return
    hits = _sorted(found.hits, sort)[:limit]
    order = "best first" if sort == "relevance" else f"{sort} first"
    sure = "" if found.strength >= _CERTAIN else " None is a sure answer."
    what = counted(len(hits), "message" if named else "session")
    yield f"{what} for {short(text, 80)!r}, {order}.{sure} Matches are marked >>>so<<<."
    if named:
        yield _headline(hits[0].session)
    yield from _hits(hits, detail, is_within=bool(named))
    if found.note:
        yield short(found.note, 300)


def _narrowed(query: Query, selection: Selection, role: str) -> Query:
    """The query with the filters of the arguments, which win over those in its text."""
    return query._replace(
        roles=(Role(role),) if role else query.roles,
        agent=selection.agent or query.agent,
        project=selection.project or query.project,
        after_ms=query.after_ms if selection.after_ms is None else selection.after_ms,
        before_ms=query.before_ms if selection.before_ms is None else selection.before_ms,
        exclude_sessions=selection.excluded,
    )


def _sorted(hits: Sequence[Hit], sort: str) -> list[Hit]:
    if sort == "relevance":
        return list(hits)
    return sorted(hits, key=lambda hit: hit.anchor.ts_ms or hit.session.last_ms or 0, reverse=sort == "newest")


def _hits(hits: Sequence[Hit], detail: _Detail, *, is_within: bool) -> Iterator[str]:
    """Each hit in its share of the budget, so that the last has room as well; `is_within`: all of one session."""
    share = (detail.budget - 2 * _FENCE - 600) // len(hits)
    for rank, hit in enumerate(hits, start=1):
        lines = _within(hit) if is_within else _from_anywhere(hit)
        room = share - sum(len(each) + 4 for each in lines)
        yield f"{rank}. {lines[0]}"
        yield from (f"   {each}" for each in lines[1:])
        if detail.snippet and room > _LEAST_SNIPPET:
            said = short(hit.snippet, min(detail.snippet, room - _LEAST_SNIPPET))
            yield f"   {_speaker(hit.anchor)}: {said}"
            yield from _neighbours(hit, detail, room - _LEAST_SNIPPET - len(said))


def _from_anywhere(hit: Hit) -> tuple[str, ...]:
    session = hit.session
    return (
        line(show_day(hit.anchor.ts_ms or session.last_ms), _title(session)),
        line(
            f"session {short(session.id, _TITLE)} message {hit.anchor_id}",
            short(session.agent, 30),
            short(last_part(session.project or ""), 30),
            f"around it: {_cost(hit.window)}",
        ),
    )


def _within(hit: Hit) -> tuple[str, ...]:
    return (line(f"message {hit.anchor_id}", show_time(hit.anchor.ts_ms), f"around it: {_cost(hit.window)}"),)


def _neighbours(hit: Hit, detail: _Detail, room: int) -> Iterator[str]:
    """Messages right before and after the hit, if there is room for them."""
    if not detail.neighbours:
        return
    at = next((place for place, one in enumerate(hit.window) if one.id == hit.anchor_id), 0)
    around = [*hit.window[max(0, at - detail.neighbours) : at], *hit.window[at + 1 : at + 1 + detail.neighbours]]
    each = min(500, room // max(1, len(around)) - 30)
    if each > 40:
        yield from (f"   [{one.id}] {_speaker(one)}: {short(one.content, each)}" for one in around)


def _missed(memory: Memory, asked: Asked, note: str, query: Query) -> Iterator[str]:
    """That nothing was found, which is an answer, and what else could be asked."""
    yield short(note, 400) or "Nothing found. This is a complete answer."
    if not memory.sessions(limit=1):
        yield _EMPTY
        return
    tries = ["other words for it, a name, an error or a file"]
    if not query.is_unfiltered:
        tries.append("fewer filters")
    tries.append("recall_why for decisions and rejections")
    yield f"What else could be tried: {'; '.join(tries)}. The same words again would find nothing again."
    if own := asked.keeper.serving.session:
        yield f"The session you are in was left out; session_id {own} searches it."


def _scroll(memory: Memory, asked: Asked, named: str, detail: _Detail) -> Iterator[str]:
    anchor = asked.arguments.number("around", 1, 0, _GREATEST_ID)  # an id is no limit: what is not there is said
    window = asked.arguments.number("window", DEFAULT_WINDOW, 0, _MOST_WINDOW)
    part = memory.show(named, around=anchor, window=window)
    role = asked.arguments.one_of("role", ROLES, "")
    shown = [one for one in part.messages if not role or one.role == role or one.id == anchor]
    yield from _told(part._replace(messages=shown), detail, anchor, "")


def _read(memory: Memory, asked: Asked, named: str, detail: _Detail) -> Iterator[str]:
    """How the session begins and, if it is long, how it ends."""
    most = min(asked.arguments.number("limit", 20, 1, _MOST_READ), detail.budget // _LEAST_MESSAGE)
    role = asked.arguments.one_of("role", ROLES, "")
    part = memory.show(named, limit=_MOST_LOOKED_THROUGH if role else most)
    said = [one for one in part.messages if not role or one.role == role]
    if part.after == 0 and len(said) <= most:
        yield from _told(part._replace(messages=said), detail, None, "")
        return
    last = [] if role else _last(memory, part, max(1, most // _LAST_SHARE))
    first = said[: most - len(last)]
    missing = part.after + len(part.messages) - len(first) - len(last)
    go_on = f"around={first[-1].id + DEFAULT_WINDOW}" if first else "around a message id"
    gap = f"… {counted(missing, 'message')} left out here; they begin at session_search with {go_on}"
    yield from _told(Window(part.session, [*first, *last], 0, 0), detail, None, gap, after=len(first))


def _last(memory: Memory, part: Window, most: int) -> list[Message]:
    """The last messages of a session that goes on after what was read."""
    shown = {one.id for one in part.messages}
    end = memory.show(part.session.id, first=max(1, part.session.message_count - most + 1), limit=most * 2)
    return [one for one in end.messages if one.id not in shown][-most:]


def _told(part: Window, detail: _Detail, anchor: int | None, gap: str, *, after: int = -1) -> Iterator[str]:
    """The session, and its messages as long as the budget allows; the one that was asked for is cut last."""
    yield _headline(part.session)
    if not part.messages:
        yield "No message to show here." if part.session.message_count else "The session has no messages."
    if part.before:
        yield f"… {counted(part.before, 'message')} before: around={max(1, part.messages[0].id)} shows them"
    room = detail.budget - 2 * _FENCE - len(_headline(part.session)) - _HEAD * (len(part.messages) + 4)
    longest = _longest(part.messages, detail, anchor, room)
    for place, message in enumerate(part.messages):
        if gap and place == after:
            yield gap
        mark = " ← the message asked for" if message.id == anchor else ""
        yield f"[{message.id}] {_speaker(message)}{_what(message)} {show_time(message.ts_ms)}{mark}".rstrip()
        yield body(message.content, longest[message.id])
    if gap and after >= len(part.messages):
        yield gap
    if part.after:
        yield f"… {counted(part.after, 'message')} after: around={part.messages[-1].id} shows them"


def _longest(messages: Sequence[Message], detail: _Detail, anchor: int | None, room: int) -> dict[int, int]:
    """How long each message may be."""
    wanted = {one.id: min(size(one.content), detail.speech if _is_speech(one) else detail.output) for one in messages}
    first = min(wanted.get(anchor or 0, 0), room // 2)
    others = {name: length + 30 for name, length in wanted.items() if name != anchor}  # 30: what says it was cut
    share = level(others.values(), max(0, room - first))
    return {name: max(0, first if name == anchor else min(length, share - 30)) for name, length in wanted.items()}


def _browse(memory: Memory, asked: Asked, detail: _Detail) -> Iterator[str]:
    selection = _selection(memory, asked)
    most = min(asked.arguments.number("limit", 10, 1, _MOST_BROWSED), detail.budget // 150)
    sort = asked.arguments.one_of("sort", SORTS, "newest")
    found = memory.sessions(limit=most + len(selection.excluded), selection=selection._replace(excluded=()))
    listed = [session for session in found if session.id not in selection.excluded][:most]
    if not listed:
        is_empty = not memory.sessions(limit=1)
        yield (
            _EMPTY if is_empty else "No session matches. This is a complete answer; without filters there may be some."
        )
        return
    order = "the last active first"
    if sort == "oldest":
        listed, order = listed[::-1], "of the last active the oldest first"
    yield f"{counted(len(listed), 'session')}, {order}. session_id reads one; query searches all."
    share = (detail.budget - 2 * _FENCE - 200) // len(listed)
    yield from (short(_headline(session), max(60, share)) for session in listed)


def _headline(session: Session) -> str:
    return line(
        show_time(session.last_ms) or show_time(session.started_ms),
        _title(session),
        session.agent,
        short(last_part(session.project or ""), _TITLE),
        counted(session.message_count, "message"),
        f"session {short(session.id, _TITLE)}",
    )


def _title(session: Session) -> str:
    return short(title_of(session), _TITLE)


def _cost(messages: Iterable[Message]) -> str:
    """What it costs to read around a hit with as much detail as usual."""
    usual = _DETAILS["normal"]
    lengths = [_HEAD + min(len(one.content), usual.speech if _is_speech(one) else usual.output) for one in messages]
    return tokens(min(usual.budget, sum(lengths)))


def _is_speech(message: Message) -> bool:
    return message.kind in (Kind.TEXT, Kind.SUMMARY) and message.role is not Role.TOOL


def _speaker(message: Message) -> str:
    return f"{message.role} {short(message.tool_name, 40)}" if message.tool_name else str(message.role)


def _what(message: Message) -> str:
    return "" if message.kind in (Kind.TEXT, Kind.TOOL_RESULT) else f" ({message.kind.value.replace('_', ' ')})"
