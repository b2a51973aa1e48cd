"""The tools by their names, and one way to call them: whatever happens, the answer is a text that a model can use."""

import os
import traceback
from collections.abc import Callable, Mapping

from noctuary.doors.cli.failures import BUG, failure_of
from noctuary.doors.mcp.arguments import Arguments
from noctuary.doors.mcp.asked import Asked
from noctuary.doors.mcp.keeper import Caller, Keeper
from noctuary.doors.mcp.knowing import dream_status, recall_why, remember
from noctuary.doors.mcp.searching import session_search
from noctuary.doors.mcp.telling import LONGEST_ERROR, Answer, given
from noctuary.doors.mcp.tools import arguments_of
from noctuary.doors.mcp.working import handoff, pack, task, work

VERBS: Mapping[str, Callable[[Asked], Answer]] = {
    "session_search": session_search,
    "remember": remember,
    "recall_why": recall_why,
    "task": task,
    "work": work,
    "pack": pack,
    "handoff": handoff,
    "dream_status": dream_status,
}


def call(keeper: Keeper, caller: Caller, tool: str, arguments: Mapping[str, object] | None) -> Answer:
    """Call a tool that there is; an error is an answer, too, and says what to do next."""
    try:
        return VERBS[tool](Asked(Arguments(tool, arguments, arguments_of(tool)), keeper, caller))
    except Exception as error:  # noqa: BLE001 (this is where errors become answers)
        failure = failure_of(error)
        if failure.code == BUG and os.environ.get("NOCTUARY_DEBUG"):
            traceback.print_exc()  # to where logs go
        return Answer(given(failure.message, LONGEST_ERROR), is_error=True)
