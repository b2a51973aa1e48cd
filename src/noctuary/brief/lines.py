"""Lines of a brief: one thing each, what it is, and the name by which one can ask why.

Whatever a text holds, it stays one line of plain words: what cannot be seen is taken out, links become words, and of
what is too long the sentences stay that decide something.  Dates are days, never "ago".
"""

import re

from noctuary.authored import EventType, Trust
from noctuary.brief.material import Goal, Told
from noctuary.brief.page import Line
from noctuary.brief.telling import SOURCES, may_be_told, told_title, told_work
from noctuary.dream.pages.lines import line_of, shortened, shown_text
from noctuary.graph import Node
from noctuary.moments import show_day
from noctuary.records import Session
from noctuary.store.memories import Remembered, is_of_user
from noctuary.store.sharing import Share
from noctuary.work.cutting import cut

ENDING = 8  # letters of the id of an event that tell it from others
_WHAT = {
    EventType.DECISION: "Decided",
    EventType.REJECTION: "Rejected",
    EventType.CONSTRAINT: "Required",
    EventType.PREFERENCE: "Preferred",
    EventType.CORRECTION: "Corrected",
    EventType.FINDING: "Found",
    EventType.EVIDENCE: "Checked",
    EventType.HYPOTHESIS: "Assumed",
}
_UNTITLED = "untitled"
_OTHERS = {trust: f" ({source})" for trust, source in SOURCES.items()}
_AGENT = "agent"
_ID = re.compile(r"\[([\w.:-]+)\]\s*$")
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-(?P<version>[0-9a-f])[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")
_LONGEST_TITLE = 64
_LONGEST_NAME = 40
_LONGEST_ID = 40


def memory_line(memory: Remembered, longest: int, *, is_rejection: bool = False, against: str = "") -> Line:
    """A memory, with the day since when it holds, and whose word it is unless a user said or approved it."""
    source = "" if is_of_user(memory) else SOURCES.get(memory.facts.get("trust", ""), _AGENT)
    return Line(line_of(memory, is_rejection=is_rejection, against=against, source=source, longest=longest), memory.id)


def told_line(one: Told, longest: int, *, with_day: bool = False) -> Line:
    """What was said in a session: in a user's own words, or what an agent did."""
    name = one.id if one.id.startswith("m-") else short_event(one.id)
    what = _WHAT.get(one.type, "Said")
    if one.trust is Trust.USER:
        what = "User rejected" if one.type is EventType.REJECTION else "User"
    notes = _OTHERS.get(one.trust, "") + (f" ({show_day(one.ts_ms)})" if with_day else "")
    return _line(f"{what}: ", one.text, notes, name, longest)


def node_line(what: str, node: Node, longest: int, more: str = "") -> Line:
    """A goal, a task or a decision, and where it stands."""
    text = told_work(node, more) or _UNTITLED
    notes = f" ({node.priority})" if node.priority else ""
    return _line(f"{what}: ", text, notes, node.id, longest)


def goal_lines(goal: Goal, longest: int) -> list[Line]:
    """Where the work on a goal stands: how much is left, what the last session on it ended with, what was done last."""
    count = f" ({goal.done} done, {goal.remaining} left)" if goal.done or goal.remaining else ""
    lines = [_line("Goal: ", told_work(goal.node) or _UNTITLED, count, goal.node.id, longest)]
    ended = goal.handoff
    if ended and (ended.summary or "").strip() and may_be_told(ended.summary or "", Trust.AGENT):
        lines.append(_line("Handed over: ", ended.summary or "", _on(ended.ended_ms), ended.id, longest))
    for node in goal.last:
        told = told_work(node, node.outcome or "") or _UNTITLED
        lines.append(_line("Done: ", told, _on(node.completed_ms), node.id, longest))
    return lines


def shared_line(share: Share, longest: int) -> Line:
    """What somebody else shares: who, through whom, since when; their statement and never the user's."""
    content = share.content
    through = "" if content.trust == Trust.USER else _OTHERS.get(Trust(content.trust), " (their agent)")
    who = shortened(shown_text(share.publisher), _LONGEST_NAME)
    notes = f"{through} ({show_day(content.said_ms)})"
    return _line(f"{who} says ({content.kind}): ", share.text, notes, share.id, longest)


def session_line(session: Session) -> Line:
    """A session: its day, its title, and the beginning of its id."""
    title = cut(shown_text(told_title(session) or _UNTITLED), _LONGEST_TITLE)
    day = show_day(session.last_ms or session.started_ms)
    name = short_session(session.id)
    return Line(f"### {f'{day} ' if day else ''}{title} [{name}]", name, is_heading=True)


def short_event(event_id: str) -> str:
    """The end of an id, for its beginning is the time and the same for all that were written together."""
    return f"e-{event_id[-ENDING:].lower()}"


def short_session(session_id: str) -> str:
    """As much of an id as tells it from others: what begins with the time needs all of that."""
    if uuid := _UUID.fullmatch(session_id):
        return session_id[: 13 if uuid["version"] == "7" else 8]
    return re.split(r"[^\w.:-]", session_id, maxsplit=1)[0][:_LONGEST_ID] or "…"  # programs call them anything


def id_in(line: str) -> str:
    """The id that a line ends with; empty if there is none."""
    found = _ID.search(line)
    return found[1] if found else ""


def _line(what: str, text: str, notes: str, name: str, longest: int) -> Line:
    room = longest - len(what) - len(notes) - len(name) - 5
    return Line(f"- {what}{shortened(shown_text(text), max(1, room))}{notes} [{name}]", name)


def _on(ts_ms: int | None) -> str:
    day = show_day(ts_ms)
    return f" ({day})" if day else ""
