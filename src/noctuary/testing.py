"""Builders for tests: transcripts as the agents write them, one call a record.

    ClaudeTranscript().say("Why is the test flaky?").reply("It depends on the time zone.").save(home)

Ids and times follow from the order of the calls, so the same calls always give the same file.  Fields given
by name are added to the record or replace its own; `...` leaves one out.
"""

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Self
from uuid import NAMESPACE_URL, uuid5

from noctuary.records import Message
from noctuary.transcripts.items import Adapter, Item, Place, Said, Source

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
CWD = "/home/ana/code/shop"

Lines = list[dict[str, Any]]


class ClaudeTranscript:
    """A file of Claude Code: a chain of records, each the child of the one before."""

    def __init__(
        self,
        session: str = "6f1c1f6e-0000-4000-8000-000000000001",
        *,
        cwd: str = CWD,
        branch: str = "main",
        model: str = "claude-sonnet-4-5-20250929",
        start: datetime = START,
        agent: str | None = None,
    ) -> None:
        self.session = session
        self.cwd = cwd
        self.branch = branch
        self.model = model
        self.agent = agent
        self.now = start
        self.tip: str | None = None  # the uuid of the last record
        self.records: Lines = []
        self._call = ""

    def say(self, content: str | Lines, **fields: Any) -> Self:
        """A prompt."""
        return self._chain("user", {"role": "user", "content": content}, fields)

    def reply(self, text: str, **fields: Any) -> Self:
        """Words of the model."""
        return self._answer({"type": "text", "text": text}, fields)

    def think(self, text: str, **fields: Any) -> Self:
        """Thoughts of the model."""
        return self._answer({"type": "thinking", "thinking": text, "signature": "EqQB"}, fields)

    def call(self, name: str, tool_input: dict[str, Any], **fields: Any) -> Self:
        """A tool is called."""
        self._call = "toolu_" + self._id("call").replace("-", "")[:24]
        block = {"type": "tool_use", "id": self._call, "name": name, "input": tool_input}
        return self._answer(block, fields)

    def result(self, content: Any, *, call: str | None = None, failed: bool = False, **fields: Any) -> Self:
        """What the tool called last, or the named one, gave back."""
        block = {"type": "tool_result", "tool_use_id": call or self._call, "content": content}
        if failed:
            block["is_error"] = True
        message = {"role": "user", "content": [block]}
        return self._chain("user", message, {"toolUseResult": content, **fields})

    def compact(self, summary: str) -> Self:
        """The conversation is replaced by a summary."""
        logical = self.tip
        self.tip = None
        fields = {"subtype": "compact_boundary", "content": "Conversation compacted", "level": "info"}
        self._chain("system", None, {**fields, "logicalParentUuid": logical, "isMeta": False})
        return self.say(summary, isCompactSummary=True, isVisibleInTranscriptOnly=True)

    def queue(self, text: str) -> Self:
        """A prompt typed while the agent works."""
        return self.note("queue-operation", operation="enqueue", content=text)

    def note(self, kind: str, **fields: Any) -> Self:
        """A record outside the chain: a title, a snapshot, a queue operation."""
        self.records.append({"type": kind, "timestamp": self._tick(), "sessionId": self.session, **fields})
        return self

    def link(self, kind: str, **fields: Any) -> Self:
        """A record of the chain that is no message: progress, system, attachment."""
        return self._chain(kind, None, fields)

    def back_to(self, uuid: str | None) -> Self:
        """The next record is the child of this one: the user went back."""
        self.tip = uuid
        return self

    @property
    def last_call(self) -> str:
        """The id of the tool call made last."""
        return self._call

    def save(self, home: Path) -> Path:
        """Write the file where Claude Code would, below the home folder."""
        folder = "".join(letter if letter.isalnum() else "-" for letter in self.cwd)
        project = home / ".claude" / "projects" / folder
        if self.agent is None:
            return write_lines(project / f"{self.session}.jsonl", self.records)
        return write_lines(project / self.session / "subagents" / f"agent-{self.agent}.jsonl", self.records)

    def _answer(self, block: dict[str, Any], fields: dict[str, Any]) -> Self:
        message = {
            "model": self.model,
            "id": "msg_" + self._id("message").replace("-", "")[:24],
            "type": "message",
            "role": "assistant",
            "content": [block],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": {"input_tokens": 12, "output_tokens": 34, "service_tier": "standard"},
        }
        return self._chain("assistant", message, fields)

    def _chain(self, kind: str, message: dict[str, Any] | None, fields: dict[str, Any]) -> Self:
        uuid = self._id("record")
        record: dict[str, Any] = {
            "parentUuid": self.tip,
            "isSidechain": self.agent is not None,
            "userType": "external",
            "cwd": self.cwd,
            "sessionId": self.session,
            "version": "2.1.59",
            "gitBranch": self.branch,
        }
        if self.agent is not None:
            record["agentId"] = self.agent
        record["type"] = kind
        if message is not None:
            record["message"] = message
        record |= {"uuid": uuid, "timestamp": self._tick(), **fields}
        self.records.append({key: value for key, value in record.items() if value is not ...})
        if not record["isSidechain"] or self.agent is not None:
            self.tip = self.records[-1].get("uuid", self.tip)
        return self

    def _id(self, kind: str) -> str:
        return str(uuid5(NAMESPACE_URL, f"{self.session}/{self.agent}/{kind}/{len(self.records)}"))

    def _tick(self) -> str:
        self.now += timedelta(seconds=7)
        return _stamp(self.now)


class CodexTranscript:
    """A rollout of Codex: what is said is written twice, as an item and as an event."""

    def __init__(
        self,
        session: str = "019c9b17-0000-7000-8000-000000000001",
        *,
        cwd: str = CWD,
        branch: str | None = "main",
        model: str = "gpt-5.3-codex",
        start: datetime = START,
        **meta: Any,
    ) -> None:
        self.session = session
        self.cwd = cwd
        self.branch = branch
        self.model = model
        self.now = self.started = start
        self.records: Lines = []
        self._call = ""
        self.meta = {
            "id": session,
            "timestamp": _stamp(start),
            "cwd": cwd,
            "originator": "codex_cli_rs",
            "cli_version": "0.104.0",
            "source": "cli",
            "model_provider": "openai",
            **meta,
        }
        if branch is not None:
            address = "https://git.example.org/ana/shop.git"
            self.meta["git"] = {"commit_hash": "9fe9c314", "branch": branch, "repository_url": address}
        self.line("session_meta", self.meta)

    def prompt(self, text: str) -> Self:
        """What the user typed: first the item, then the event."""
        self.item("message", role="user", content=[{"type": "input_text", "text": text}])
        self.event("user_message", message=text, images=[], local_images=[], text_elements=[])
        context = {"cwd": self.cwd, "approval_policy": "never", "model": self.model, "effort": "high"}
        return self.line("turn_context", context)

    def reply(self, text: str) -> Self:
        """Words of the model: first the event, then the item."""
        self.event("agent_message", message=text)
        return self.item("message", role="assistant", content=[{"type": "output_text", "text": text}])

    def think(self, *parts: str) -> Self:
        """Summaries of what the model thought."""
        for part in parts:
            self.event("agent_reasoning", text=part)
        summary = [{"type": "summary_text", "text": part} for part in parts]
        return self.item("reasoning", summary=summary, content=None, encrypted_content="gAAAAA")

    def call(self, name: str, arguments: dict[str, Any]) -> Self:
        """A function is called."""
        return self.item("function_call", name=name, arguments=_dump(arguments), call_id=self._new_call())

    def patch(self, patch: str) -> Self:
        """A patch is applied by the custom tool for it."""
        call = self._new_call()
        return self.item("custom_tool_call", status="completed", call_id=call, name="apply_patch", input=patch)

    def result(self, output: Any, *, kind: str = "function_call_output") -> Self:
        """What the tool called last gave back."""
        return self.item(kind, call_id=self._call, output=output)

    def item(self, kind: str, **payload: Any) -> Self:
        """A response item."""
        return self.line("response_item", {"type": kind, **payload})

    def event(self, kind: str, **payload: Any) -> Self:
        """An event for the screen."""
        return self.line("event_msg", {"type": kind, **payload})

    def line(self, kind: str, payload: Any) -> Self:
        """Any line."""
        self.now += timedelta(seconds=5)
        self.records.append({"timestamp": _stamp(self.now), "type": kind, "payload": payload})
        return self

    def fork(self, session: str) -> "CodexTranscript":
        """A new session that begins by repeating this one, with new times, as forks do."""
        later = self.now + timedelta(hours=1)
        child = CodexTranscript(session, cwd=self.cwd, branch=self.branch, start=later, forked_from_id=self.session)
        for record in self.records:
            child.line(record["type"], record["payload"])
        return child

    def save(self, home: Path) -> Path:
        """Write the file where Codex would, below the home folder."""
        folder = home / ".codex" / "sessions" / self.started.strftime("%Y/%m/%d")
        name = f"rollout-{self.started.strftime('%Y-%m-%dT%H-%M-%S')}-{self.session}.jsonl"
        return write_lines(folder / name, self.records)

    def _new_call(self) -> str:
        self._call = f"call_{uuid5(NAMESPACE_URL, f'{self.session}/{len(self.records)}').hex[:24]}"
        return self._call


class FakeClock:
    """A clock that stands still until it is told otherwise."""

    def __init__(self, now: datetime = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)) -> None:
        self._now = now

    def now_ms(self) -> int:
        """The time it shows, in milliseconds since 1970, UTC."""
        return round(self._now.timestamp() * 1000)

    def advance(self, by: timedelta) -> None:
        """Let time pass."""
        self._now += by


def read_file(adapter: Adapter, path: Path, place: Place | None = None) -> list[Item]:
    """All items of one transcript, from the place on."""
    source = Source(adapter=adapter.name, path=path, session=path.stem)
    return list(adapter.read(source, place or Place()))


def messages(items: list[Item]) -> list[Message]:
    """What was said, of whichever session."""
    return [item.message for item in items if isinstance(item, Said)]


def write_lines(path: Path, records: Lines) -> Path:
    """Write records as lines of JSON, with the folders they need."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(_dump(record) + "\n" for record in records), encoding="utf-8")
    return path


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _stamp(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class FailingAdapter:
    """An adapter whose file fails after some items, as on a disk that goes bad or a share that goes away."""

    def __init__(self, adapter: Adapter, path: Path, *, after: int, error: OSError) -> None:
        self.name = adapter.name
        self.globally_unique = adapter.globally_unique
        self._adapter, self._path, self._after, self._error = adapter, path, after, error

    def find(self, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """What the adapter finds."""
        return self._adapter.find(home, environ)

    def find_at(self, path: Path, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """What the adapter finds there."""
        return self._adapter.find_at(path, home, environ)

    def read(self, source: Source, place: Place) -> Iterator[Item]:
        """What the adapter reads, until it fails."""
        for count, item in enumerate(self._adapter.read(source, place)):
            if source.path == self._path and count >= self._after:
                raise self._error
            yield item
