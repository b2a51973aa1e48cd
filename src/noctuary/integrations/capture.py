"""Write down a conversation while it goes on, from any program that is an agent.

    with Memory.open() as memory:
        capture = Capture(memory, session_id="support-17", agent="support")
        capture.user("Why is the test flaky?")
        capture.assistant("It depends on the time zone.")
        capture.end()

Nothing that goes wrong here ever reaches the agent: it is logged once, counted in `failures`, and given to `on_error`.
What is said is stored without secrets, and without what memory itself had told (`noctuary.fences`).
"""

import asyncio
import json
import logging
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Any, NamedTuple

from noctuary.app import Memory
from noctuary.fences import heard
from noctuary.records import Hidden, Kind, Message, Role, Session, TitleSource

AGENT = "library"
LONGEST_TITLE = 100
_OURS = "noctuary"
_FOLDERS = ("/", ".", "~")  # what the path of a folder begins with, where the name of a project may stand, too
_log = logging.getLogger(__name__)
OnError = Callable[[Exception], object]


class ToolCall(NamedTuple):
    """A tool that was called."""

    name: str
    arguments: object = ""
    call_id: str | None = None


class Unfailing:
    """For `with`: what goes wrong inside is handed to `failed`; an agent's turn must not fail because of its memory."""

    def __init__(self, failed: Callable[[Exception], object]) -> None:
        self._failed = failed

    def __enter__(self) -> None:
        """Begin."""

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> bool:
        """End; whoever wants the program to end is not kept from it."""
        if isinstance(error, Exception):
            self._failed(error)
            return True
        return False


class Capture:
    """One conversation, as it is written down; may be used by several threads at once."""

    def __init__(
        self,
        memory: Memory,
        *,
        session_id: str,
        project: str | Path | None = None,
        agent: str = AGENT,
        on_error: OnError | None = None,
    ) -> None:
        """`project` is a name of a project, a folder of it, or None for the folder that the program runs in."""
        self.memory, self.session_id, self.agent = memory, session_id, agent
        self.failures = 0
        self._project, self._on_error = project, on_error
        self._name: str | None = None
        self._lock = Lock()
        self._is_begun = self._is_titled = False

    def user(self, text: object) -> bool:
        """What a person said; whether it was written down."""
        return self._keep(lambda: [Message(Role.USER, _text(text))])

    def assistant(self, text: object = "", *, tool_calls: Iterable[ToolCall | Mapping[str, Any]] = ()) -> bool:
        """What the agent said, and the tools it called; whether it was written down."""
        return self._keep(lambda: [*_spoken(Role.ASSISTANT, text), *map(_call, tool_calls)])

    def thinking(self, text: object) -> bool:
        """What the agent thought; whether it was written down."""
        return self._keep(lambda: _spoken(Role.ASSISTANT, text, Kind.THINKING))

    def tool(self, name: str | None, result: object, *, call_id: str | None = None) -> bool:
        """What a tool gave back; whether it was written down."""
        return self._keep(lambda: [_result(name, result, call_id)])

    def injected(self, text: object) -> bool:
        """What a program put into the conversation; whether it was written down."""
        return self._keep(lambda: [message._replace(hidden=Hidden.INJECTED) for message in _spoken(Role.SYSTEM, text)])

    def end(self) -> bool:
        """The conversation is over, so that the next dream reads it; whether that was written down."""
        return self._safely(lambda: self.memory.dreams.end_session(self.session_id) if self._is_begun else None)

    def unfailing(self) -> Unfailing:
        """For adapters: what goes wrong while they look for words in what a library gave them is no error either."""
        return Unfailing(self._failed)

    def _keep(self, made: Callable[[], list[Message]]) -> bool:
        return self._safely(lambda: self._store([part for message in made() for part in heard(message)]))

    def _store(self, messages: list[Message]) -> None:
        now_ms = self.memory.clock.now_ms()
        timed = [message._replace(ts_ms=now_ms) for message in messages]
        if not timed:
            return
        self.memory.add_session(self._session(timed), timed)
        self._is_begun = True

    def _session(self, messages: list[Message]) -> Session:
        """The session, with its facts; what is known of it already stays."""
        typed = (each.content for each in messages if each.role is Role.USER and not each.hidden)
        title = None if self._is_titled else next((_title(text) for text in typed), None)
        self._is_titled = self._is_titled or title is not None
        return Session(
            id=self.session_id,
            agent=self.agent,
            project=self._project_name(),
            title=title,
            title_source=TitleSource.PROMPT if title else None,
            started_ms=messages[0].ts_ms,
        )

    def _project_name(self) -> str | None:
        if self._name is None:
            self._name = project_named(self.memory, self._project)
        return self._name or None

    def _safely(self, write: Callable[[], object]) -> bool:
        with self.unfailing(), self._lock:
            write()
            return True
        return False

    def _failed(self, error: Exception) -> None:
        self.failures += 1
        if self.failures == 1:
            _log.warning("Noctuary could not write down session %s: %s", self.session_id, error)
        if self._on_error is not None:
            with suppress(Exception):
                self._on_error(error)


class AsyncCapture:
    """The same for programs with an event loop: what is written is written in a thread, and the loop goes on."""

    def __init__(self, capture: Capture) -> None:
        self.capture = capture

    async def user(self, text: object) -> bool:
        """What a person said."""
        return await asyncio.to_thread(self.capture.user, text)

    async def assistant(self, text: object = "", *, tool_calls: Iterable[ToolCall | Mapping[str, Any]] = ()) -> bool:
        """What the agent said, and the tools it called."""
        return await asyncio.to_thread(self.capture.assistant, text, tool_calls=tool_calls)

    async def thinking(self, text: object) -> bool:
        """What the agent thought."""
        return await asyncio.to_thread(self.capture.thinking, text)

    async def tool(self, name: str | None, result: object, *, call_id: str | None = None) -> bool:
        """What a tool gave back."""
        return await asyncio.to_thread(self.capture.tool, name, result, call_id=call_id)

    async def injected(self, text: object) -> bool:
        """What a program put into the conversation."""
        return await asyncio.to_thread(self.capture.injected, text)

    async def end(self) -> bool:
        """The conversation is over."""
        return await asyncio.to_thread(self.capture.end)


def project_named(memory: Memory, project: str | Path | None) -> str:
    """The project that a name or a folder means; None is the folder that the program runs in."""
    if isinstance(project, str) and not project.startswith(_FOLDERS):
        return memory.project_called(project)
    return memory.project_of(Path(project or ".").expanduser()) or ""


def _spoken(role: Role, text: object, kind: Kind = Kind.TEXT) -> list[Message]:
    said = _text(text)
    return [Message(role, said, kind)] if said.strip() else []


def _call(call: ToolCall | Mapping[str, Any]) -> Message:
    if isinstance(call, Mapping):
        call = ToolCall(str(call["name"]), call.get("arguments", ""), call.get("id") or call.get("call_id"))
    calls = json.dumps([{"id": call.call_id or "", "name": call.name}], ensure_ascii=False)
    return Message(Role.ASSISTANT, _text(call.arguments), Kind.TOOL_CALL, 0, 0, call.name, calls, call.call_id)


def _result(name: str | None, result: object, call_id: str | None) -> Message:
    hidden = Hidden.RECALLED if name and _OURS in name.lower() else None  # what we kept before is no news
    return Message(Role.TOOL, _text(result), Kind.TOOL_RESULT, 0, 0, name, None, call_id, hidden)


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value, ensure_ascii=False, default=str)


def _title(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= LONGEST_TITLE else words[: LONGEST_TITLE - 1].rstrip() + "…"
