"""The tools of the work: tasks and notes, what can be begun, packs, and what is handed over.

Everything is written as an agent's word.  Constraints and preferences are only proposed by it: a rule is a user's.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from noctuary.app.work import Work
from noctuary.doors.cli.words import counted, last_part
from noctuary.doors.mcp.asked import Asked
from noctuary.doors.mcp.telling import LONGEST_ANSWER, Answer, given, line, listed, short
from noctuary.doors.mcp.tools import ENDINGS, NOTES, TASK_ACTIONS, WORK_ACTIONS
from noctuary.graph import ENDED, HELD, Node, NodeStatus
from noctuary.moments import show_day, show_time
from noctuary.work.tree import Branch

RULES = ("constraint", "preference", "procedure")  # which an agent can only propose
_TITLE = 160
_MOST_LISTED = 40
_MOST_GAPS = 20
_MOST_BRANCHES = 150
_DEEPEST = 12
_PACK, _LEAST_PACK = 8_000, 500
_FENCE = 120
_LONGEST = 8_000  # of answers that have no budget of their own
_MOST_MINUTES = 7 * 24 * 60


def task(asked: Asked) -> Answer:
    """Open, note, close, check, list or reopen."""
    action = asked.arguments.one_of("action", TASK_ACTIONS)
    is_write = action not in ("check", "list")
    with asked.work(writes=is_write) as work:
        if action == "open":
            lines = _opened(asked, work)
        elif action == "note":
            lines = _noted(asked, work)
        elif action == "close":
            lines = _closed(asked, work)
        elif action == "reopen":
            name = asked.arguments.needed("task", "the id of a closed task")
            lines = [f"Open again: {_named(work.reopen(name, reason=asked.arguments.text('text')))}"]
        elif action == "check":
            lines = _checked(asked, work)
        else:
            lines = _listed(asked, work)
        return Answer(given("\n".join(lines), _LONGEST))


def _opened(asked: Asked, work: Work) -> list[str]:
    title = asked.arguments.needed("title", "what is to be done, in a line")
    node = work.open_task(
        title,
        goal=asked.arguments.text("goal"),
        context=asked.arguments.text("text"),
        parent=asked.arguments.text("parent") or None,
    )
    return [f"Opened {_named(node)}", "Notes go to it from now on, unless another task is named."]


def _noted(asked: Asked, work: Work) -> list[str]:
    kind = asked.arguments.one_of("kind", NOTES)
    text = asked.arguments.needed("text", "what was decided, rejected or found, and why")
    name = asked.arguments.text("task")
    about = work.desk.node(name) if name else work.active_task()
    is_rule = kind in RULES
    entry = work.note(kind, text, node=about, suggested=is_rule)
    where = f"about {about.id} {short(about.title, _TITLE)}" if about else "about the project as a whole"
    told = f"Noted the {kind} {entry.event.id} {where}."
    waits = f"It is a proposal until the user confirms it: `noctuary event confirm {entry.event.id}`."
    return [told, waits] if is_rule else [told]


def _closed(asked: Asked, work: Work) -> list[str]:
    ending = asked.arguments.one_of("ending", ENDINGS, "done")
    node = work.task_at_hand(asked.arguments.text("task") or None)
    closed = work.close(node, outcome=asked.arguments.text("text"), tag=ending, folder=_work_tree(asked, work, node))
    return [f"Closed {_named(closed.node)}", *(short(note, 400) for note in closed.notes)]


def _checked(asked: Asked, work: Work) -> list[str]:
    node = work.task_at_hand(asked.arguments.text("task") or None)
    found = work.check(node, folder=_work_tree(asked, work, node))
    gaps = [f"- {gap.severity}: {short(gap.detail, 300).rstrip('.')}. {short(gap.fix, 200)}" for gap in found.gaps]
    lacks = listed("What it lacks", gaps, _MOST_GAPS) or ["It has no gaps."]
    return [f"The record of {_named(node)}: {found.score} of 100.", *lacks]


def _listed(asked: Asked, work: Work) -> list[str]:
    nodes = work.tasks(everywhere=asked.is_everywhere)
    still = [node for node in nodes if node.status not in ENDED]
    ended = [node for node in nodes if node.status in ENDED]
    lines = listed("Open tasks", [f"- {_told(node, asked)}" for node in still], _MOST_LISTED)
    lines += listed("Ended", [f"- {_told(node, asked)}" for node in ended], _MOST_LISTED // 4)
    return lines or ["There is no task yet. This is a complete answer; action open makes one."]


def _work_tree(asked: Asked, work: Work, node: Node) -> Path | None:
    """Where git can be asked about it; over HTTP nobody knows where the agent works."""
    folder = asked.keeper.serving.folder
    return work.work_tree(node, folder) if folder else None


def work(asked: Asked) -> Answer:
    """What can be begun, what first; claims; the tree."""
    action = asked.arguments.one_of("action", WORK_ACTIONS)
    name = asked.arguments.text("task")
    with asked.work(writes=action in ("claim", "release")) as desk:
        if action in ("claim", "release"):
            lines = _claimed(asked, desk, action, asked.arguments.needed("task", "the id of the task"))
        elif action == "ready":
            lines = _ready(asked, desk, name or None)
        elif action == "next":
            lines = _next(asked, desk, name or None)
        else:
            lines = list(_tree(desk.tree(name or None, everywhere=asked.is_everywhere)))
        return Answer(given("\n".join(lines), _LONGEST))


def _claimed(asked: Asked, desk: Work, action: str, name: str) -> list[str]:
    who = asked.caller.name
    if action == "release":
        node = desk.release(name, who)
        return [f"Given back: {_named(node)}. Others can take it now."]
    minutes = asked.arguments.number("minutes", 30, 1, _MOST_MINUTES)
    node = desk.claim(name, who, minutes=minutes)
    return [f"{_named(node)} is held by {who} until {show_time(node.lease_ms)} UTC; claiming it again renews that."]


def _ready(asked: Asked, desk: Work, below: str | None) -> list[str]:
    found = desk.ready(below, everywhere=asked.is_everywhere)
    lines = listed("Ready, the most important first", [f"- {_told(one, asked)}" for one in found.tasks], _MOST_LISTED)
    stuck = [
        f"- {_told(one.task, asked)}: waits for {short(one.on[0].on, 40)} {short(one.on[0].title, _TITLE)}, "
        f"which is {one.on[0].status}"
        for one in found.stuck
    ]
    lines += listed("Stuck: what they wait for will not be done", stuck, _MOST_LISTED)
    return lines or ["No task is ready. This is a complete answer; action tree shows where all of them stand."]


def _next(asked: Asked, desk: Work, below: str | None) -> list[str]:
    ranked = desk.next_task(below, everywhere=asked.is_everywhere)
    if ranked is None:
        return ["No task is ready. This is a complete answer; action tree shows where all of them stand."]
    others = f" {counted(ranked.others, 'other task is', 'other tasks are')} ready." if ranked.others else ""
    goal = [f"What it is for: {short(ranked.task.goal, 400)}"] if ranked.task.goal else []
    return [_told(ranked.task, asked), f"Why: {'; '.join(ranked.why)}.{others}", *goal]


def _tree(branches: Sequence[Branch]) -> Iterator[str]:
    """Each node below what contains it; what has ended has a line, and no more."""
    if not branches:
        yield "There is no goal or task yet. This is a complete answer."
    for branch in branches[:_MOST_BRANCHES]:
        node = branch.node
        done = f"{branch.done:,} of {branch.total:,} done" if branch.total else ""
        waits = f"waits for {', '.join(branch.depends_on[:5])}" if node.status is NodeStatus.PENDING else ""
        held = f"by {short(node.assigned_to, 60)}" if node.assigned_to and node.status in HELD else ""
        facts = line(node.status, done, held, waits if branch.depends_on else "")
        yield f"{'  ' * min(branch.depth, _DEEPEST)}{node.type} {node.id} {short(node.title, _TITLE)} ({facts})"
    if len(branches) > _MOST_BRANCHES:
        yield f"… and {len(branches) - _MOST_BRANCHES:,} more; `task` shows only what is below it"


def pack(asked: Asked) -> Answer:
    """All one needs to resume a task."""
    budget = asked.arguments.number("budget", _PACK, _LEAST_PACK, LONGEST_ANSWER)
    with asked.work() as desk:
        node = desk.task_at_hand(asked.arguments.text("task") or None)
        return Answer(given(desk.pack(node, budget=budget - _FENCE), budget))


def handoff(asked: Asked) -> Answer:
    """Where the work on a goal stands; with a summary, this session's work on it ends."""
    summary = asked.arguments.text("summary")
    if not summary:
        with asked.work() as desk:
            return Answer(given(_standing(desk.handoff(_goal(asked, desk))), _LONGEST))
    with asked.work(writes=True) as desk:
        started = desk.start_session(_goal(asked, desk), agents=[asked.caller.name])
        ended = desk.end_session(started.session.id, summary=summary)
        kept = f"Kept for the next session on {ended.goal}, as {ended.id}."
        return Answer(given("\n".join([kept, "", _standing(ended.notes or "")]), _LONGEST))


def _standing(notes: str) -> str:
    """The notes; of a goal or task that nothing is part of they have only titles, which would tell an agent nothing."""
    has_lines = any(each.startswith("- ") for each in notes.splitlines())
    return notes if has_lines else "Nothing is part of it yet. pack tells all that was decided and noted about a task."


def _goal(asked: Asked, desk: Work) -> str | None:
    """What is handed over: what is named, else the active goal; where there is none, the task at hand."""
    name = asked.arguments.text("goal")
    if name or desk.goals(status=NodeStatus.ACTIVE):
        return name or None
    return desk.task_at_hand().id


def _named(node: Node) -> str:
    return f"{node.id} {short(node.title, _TITLE)} ({node.status})"


def _told(node: Node, asked: Asked) -> str:
    where = last_part(node.project) if asked.is_everywhere else ""
    held = f"held by {short(node.assigned_to, 60)}" if node.assigned_to and node.status in HELD else ""
    return line(
        f"{node.id} {short(node.title, _TITLE)}",
        str(node.status),
        f"priority {node.priority}" if node.priority else "",
        held,
        where,
        show_day(node.last_ms),
    )
