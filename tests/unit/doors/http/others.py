"""What others have, and strangers who know all of its ids; the tests of isolation share it.

Everything that the others have said has one strange word in it, which no request ever has.
"""

from typing import NamedTuple

from noctuary.access import Caller
from tests.unit.doors.http.serving import ANA, BOB, OF_SHOP, Served

WORD = "xyzzy"
THEIR_PROJECT = f"/home/ana/code/{WORD}"


class Stranger(NamedTuple):
    """Somebody, and what others have that they must not see."""

    caller: Caller
    others: Caller
    project: str  # of the others
    may_name_it: bool  # a project of the same name is the stranger's own


STRANGERS = (
    Stranger(BOB, ANA, THEIR_PROJECT, may_name_it=True),
    Stranger(OF_SHOP, ANA, THEIR_PROJECT, may_name_it=False),
)


def of_others(served: Served, others: Caller, project: str) -> dict[str, str]:
    """One of everything that somebody can have, by what it is; its id."""
    served.session(
        "their-session", f"We decided to use {WORD} from now on, because it is fast.", project=project, as_=others
    )
    task = served.task(f"Task {WORD}", project=project, as_=others, goal=f"A {WORD}")
    goal = served.post("/goals", {"title": f"Goal {WORD}", "project": project}, as_=others)["id"]
    served.post("/graph/edges", {"type": "contains", "from_id": goal, "to_id": task}, as_=others)
    written = {"kind": "finding", "text": f"A finding: {WORD}.", "node": task}
    event = served.post("/events", written, as_=others)["id"]
    rule = served.post("/events", {"kind": "constraint", "text": f"Never {WORD}.", "project": project}, as_=others)[
        "id"
    ]
    memory = served.post("/memories", {"text": f"A memory: {WORD}.", "project": project}, as_=others)["id"]
    everywhere = served.post("/memories", {"text": f"Everywhere {WORD}.", "everywhere": True}, as_=others)["id"]
    served.post("/handoff", {"goal": goal, "summary": f"Did {WORD}."}, as_=others)
    served.post("/sessions/their-session/complete", as_=others)
    dream = served.dream(as_=others)
    return {
        "session": "their-session", "task": task, "goal": goal, "event": event, "rule": rule, "memory": memory,
        "everywhere": everywhere, "run": dream["run"], "request": dream["id"],
    }  # fmt: skip
