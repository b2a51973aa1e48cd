"""The OpenAI Agents SDK: a session that is written down, and tools for an agent's own memory.

    session = RecordedSession(memory, "support-17")
    agent = Agent(name="support", instructions=memory.brief(), tools=memory_tools(memory))
    await Runner.run(agent, "Why is the test flaky?", session=session)

What the SDK needs to go on (ids, encrypted reasoning) must come back to the last letter, and a memory leaves out
secrets.  So the history stays in a session of the SDK, and what is said in it is written down beside it.
"""

import asyncio
from pathlib import Path
from typing import Any

from agents import FunctionTool, SQLiteSession, TResponseInputItem, function_tool
from agents.memory import Session, SessionSettings

from noctuary.app import Memory
from noctuary.integrations.capture import Capture, OnError, ToolCall
from noctuary.integrations.recalling import REMEMBER, SEARCH, Recalling

AGENT = "openai-agents"


class RecordedSession:
    """A `Session` of the SDK, whichever it is, that is also written down in a memory."""

    def __init__(
        self,
        memory: Memory,
        session_id: str,
        *,
        project: str | Path | None = None,
        agent: str = AGENT,
        history: Session | None = None,
        on_error: OnError | None = None,
    ) -> None:
        """`history` keeps the items for the SDK; by default it is one that ends with the program."""
        self.session_id = session_id
        self.history: Session = history or SQLiteSession(session_id)
        self.capture = Capture(memory, session_id=session_id, project=project, agent=agent, on_error=on_error)

    @property
    def session_settings(self) -> SessionSettings | None:
        """How much of the history the SDK is to read."""
        return self.history.session_settings

    @session_settings.setter
    def session_settings(self, value: SessionSettings | None) -> None:
        """Say how much that is to be."""
        self.history.session_settings = value

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """The history, or the last so many items of it."""
        return await self.history.get_items(limit)

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        """Add to the history, and write down what is said in it."""
        await self.history.add_items(items)
        await asyncio.to_thread(self._write_down, items)

    async def pop_item(self) -> TResponseInputItem | None:
        """Take the last item out of the history; that it was said stays written down."""
        return await self.history.pop_item()

    async def clear_session(self) -> None:
        """Empty the history; what was said stays written down."""
        await self.history.clear_session()

    async def end(self) -> bool:
        """The conversation is over, so that the next dream reads it."""
        return await asyncio.to_thread(self.capture.end)

    def _write_down(self, items: list[TResponseInputItem]) -> None:
        for item in items:
            with self.capture.unfailing():
                _write_item(self.capture, dict(item))


def memory_tools(
    memory: Memory, project: str | Path | None = None, *, exclude_session: str | None = None
) -> list[FunctionTool]:
    """Tools by which an agent searches its memory and keeps sentences in it."""
    recalling = Recalling(memory, project, exclude_session=exclude_session)

    async def search_memory(query: str) -> str:
        return await asyncio.to_thread(recalling.search_memory, query)

    async def remember(text: str) -> str:
        return await asyncio.to_thread(recalling.remember, text)

    return [
        function_tool(search_memory, description_override=SEARCH),
        function_tool(remember, description_override=REMEMBER),
    ]


def _write_item(capture: Capture, item: dict[str, Any]) -> None:
    kind, role, call_id = item.get("type", "message"), item.get("role"), item.get("call_id")
    if kind == "message" and role == "user":
        capture.user(_text(item.get("content")))
    elif kind == "message" and role == "assistant":
        capture.assistant(_text(item.get("content")))
    elif kind == "message":
        capture.injected(_text(item.get("content")))  # system and developer
    elif kind == "reasoning":
        capture.thinking(_text(item.get("summary")))
    elif str(kind).endswith("_call_output"):
        capture.tool(str(item.get("name", "")), _text(item.get("output")), call_id=call_id)
    elif str(kind).endswith("_call"):
        arguments = item.get("arguments") or item.get("input") or item.get("action") or ""
        capture.assistant(tool_calls=[ToolCall(str(item.get("name") or kind), arguments, call_id or item.get("id"))])


def _text(content: object) -> object:
    """The words of a content: a text, or a list of parts; what has none is left as it is."""
    if not isinstance(content, list):
        return content
    parts = [part.get("text") or part.get("refusal") or "" for part in content if isinstance(part, dict)]
    return "\n".join(str(part) for part in parts if part)
