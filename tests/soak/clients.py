"""Programs that come in through the doors: an agent over MCP, a program over HTTP, and hooks by the dozen."""

import json
import random
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import anyio
import httpx
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp_types import TextContent

from tests.soak.acknowledged import Thing, event, message, node
from tests.soak.ground import HOOK, PATIENCE, Ground
from tests.soak.writer import TURNS, Words

API = "/api/v1"
Rest = Callable[[float], bool]
_SERVING = re.compile(r"noctuary: serving (http://[^/]+)/\?token=(\S+)\n")
_HOOKS = ("SessionStart", "UserPromptSubmit", "UserPromptSubmit", "PostToolUse", "PostToolUse", "Stop", "PreCompact",
          "UserPromptSubmit", "SessionEnd", "SessionStart")  # fmt: skip


class Fault(Exception):
    """Something was answered that should not be."""


@contextmanager
def web_server(ground: Ground) -> Iterator[tuple[subprocess.Popen[str], str, str]]:
    """A server that runs: its process, its address and the token that lets in.  It has nothing to say at its end."""
    with (ground.heard / "serve").open("w", encoding="utf-8") as log:
        process = subprocess.Popen(
            ground.command("serve", "--port", "0"),
            env=ground.environ(),
            cwd=ground.user_home,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
    try:
        assert process.stdout
        told = process.stdout.readline()
        found = _SERVING.fullmatch(told)
        if found is None:
            raise Fault(f"the server did not start: {told!r}")
        yield process, found[1], found[2]
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE)
    if process.returncode:
        raise Fault(f"`serve` ended with {process.returncode}")


class WebClient:
    """A program that keeps a conversation over HTTP; it sends some things twice, as if it had got no answer."""

    def __init__(self, address: str, token: str, project: str) -> None:
        self.words = Words("h0")
        self.project = project
        self._address, self._headers = address, {"authorization": f"Bearer {token}"}
        self._client = self._connected()
        self._turns = 0

    def _connected(self) -> httpx.Client:
        return httpx.Client(base_url=self._address, headers=self._headers, timeout=PATIENCE)

    def act(self) -> list[Thing]:
        """Say something, look for it and write something down."""
        session = f"h0-{self._turns // TURNS}"
        if self._turns % TURNS == 0:
            self._client.close()
            self._client = self._connected()
            self._ask("PUT", f"/sessions/{session}", json={"agent": "soak", "project": self.project})
        self._turns += 1
        said, found = self.words.asked(), self.words.noted()
        sent = {
            "json": {"messages": [{"role": "user", "content": said}]},
            "headers": {"idempotency-key": f"h0-{self._turns}"},
        }
        places = [self._ask("POST", f"/sessions/{session}/messages", **sent)["ids"] for _ in range(2)]
        if places[0] != places[1]:
            raise Fault(f"what was sent twice is at {places}")
        self._ask("GET", "/search/sessions", params={"q": said})
        noted = self._ask("POST", "/events", json={"kind": "finding", "text": found, "project": self.project})
        if self._turns % TURNS == 0:
            self._ask("POST", f"/sessions/{session}/complete")
        return [message(session, places[0][0], said), event(noted["id"], found)]

    def _ask(self, method: str, path: str, **more: Any) -> Any:
        answer = self._client.request(method, f"{API}{path}", **more)
        if not answer.is_success:
            raise Fault(f"{method} {path} was answered {answer.status_code}: {answer.text[:500]}")
        return answer.json()

    def close(self) -> None:
        """Let the connections go."""
        self._client.close()


def talk_to_mcp(ground: Ground, note: Callable[[list[Thing]], None], rest: Rest) -> None:
    """Let the official client search, remember and work on tasks, in one session for all the time.

    `rest` is told how long it took, and says whether to go on.
    """
    words = Words("m0")
    project = ground.projects[0]

    async def main() -> None:
        parameters = StdioServerParameters(
            command=sys.executable, args=ground.command("mcp")[1:], env=ground.environ(), cwd=ground.user_home
        )
        with (ground.heard / "mcp").open("w", encoding="utf-8") as log:
            async with Client(stdio_client(parameters, errlog=log), cache=None) as client:
                is_on = True
                while is_on:
                    begun = time.monotonic()
                    note(await _talked(client, words, project))
                    is_on = await anyio.to_thread.run_sync(rest, time.monotonic() - begun)

    anyio.run(main)


async def _talked(client: Client, words: Words, project: str) -> list[Thing]:
    title, found, kept = f"Do {words.word()}", words.noted(), words.noted()
    await _told(client, "session_search", query="why is the timeout too small?")
    opened = await _told(client, "task", action="open", title=title, goal="It works", project=project)
    task = re.findall(r"\bt-\w+", opened)[0]
    await _told(client, "task", action="note", task=task, kind="finding", text=found, project=project)
    await _told(client, "remember", text=kept, project=project)
    await _told(client, "task", action="close", task=task, text="It does", project=project)
    return [node(task, title), event("", found), event("", kept)]


async def _told(client: Client, tool: str, **arguments: str) -> str:
    answer = await client.call_tool(tool, arguments)
    content = answer.content[0]
    if answer.is_error or not isinstance(content, TextContent):
        raise Fault(f"{tool} answered {content}")
    return content.text


class Storm:
    """Hooks of many sessions at once, as agents run them."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self._chance = random.Random("storm")

    def act(self) -> list[Thing]:
        """One gust; nobody is told that anything was kept."""
        transcripts = sorted(self.ground.user_home.glob(".claude/projects/*/*.jsonl"))
        started = [self._start(name, transcripts) for name in _HOOKS]
        for name, process in started:
            out, err = process.communicate(timeout=PATIENCE)
            if process.returncode or err or not _is_answer(out):
                raise Fault(f"hook {name} ended with {process.returncode}: {out[:300]!r} {err[:300]!r}")
        return []

    def _start(self, name: str, transcripts: list[Path]) -> "tuple[str, subprocess.Popen[bytes]]":
        path = self._chance.choice(transcripts) if transcripts else self.ground.user_home / "none.jsonl"
        given = {
            "hook_event_name": name,
            "session_id": path.stem,
            "transcript_path": str(path),
            "cwd": self._chance.choice(self.ground.projects),
            "prompt": "Should Redis keep the timeout?",
            "tool_input": {"command": "redis-cli"},
            "source": "startup",
        }
        command = [sys.executable, "-I", "-S", str(HOOK), "--home", str(self.ground.memory)]
        process = subprocess.Popen(
            command,
            env=self.ground.environ(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert process.stdin
        with suppress(BrokenPipeError), process.stdin as pipe:  # its time may be over before it has read anything
            pipe.write(json.dumps(given).encode())
        process.stdin = None  # or `communicate` would want to empty it
        return name, process


def _is_answer(out: bytes) -> bool:
    try:
        return not out or isinstance(json.loads(out), dict)
    except ValueError:
        return False
