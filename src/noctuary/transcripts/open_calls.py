"""Calls of tools whose results are still to come: logs name the tool with the call, and a result only by its call."""

from noctuary.transcripts.drafts import TOOL_CALL, TOOL_RESULT, Draft

MOST = 512  # an agent that was stopped leaves calls without a result


class OpenCalls:
    """The tools of open calls by the ids of the calls, from the beginning or from a state."""

    def __init__(self, state: dict[str, str]) -> None:
        self._names = dict(state)

    def state(self) -> dict[str, str]:
        """Plain JSON."""
        return dict(self._names)

    def joined(self, draft: Draft) -> Draft:
        """The draft; a result with the tool that it is of, if it does not name it."""
        if draft.kind is TOOL_CALL:
            if len(self._names) >= MOST:
                del self._names[next(iter(self._names))]
            self._names[draft.call_id or ""] = draft.tool_name or ""
        elif draft.kind is TOOL_RESULT:
            name = self._names.pop(draft.call_id or "", "")
            return draft if draft.tool_name else draft.of_tool(name)
        return draft
