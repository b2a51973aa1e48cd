"""Every kind of chat model on something real: servers on this machine, and commands in a folder.

A test says what the model says or which fault happens, one a question; each kind puts it as its own protocol has it.
"""

import fcntl
import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

from noctuary.models.chat.anthropic_api import AnthropicChat
from noctuary.models.chat.claude_program import ClaudeProgram
from noctuary.models.chat.codex_program import CodexProgram
from noctuary.models.chat.model import ChatModel, Price
from noctuary.models.chat.openai_api import OpenAIChat
from noctuary.models.chat.program import Program
from noctuary.models.chat.server import Server as Place
from tests.unit.models.serving import HANG_UP, Asked, Reply, Server

KEY = "sk-very-secret-key"
PRICE = Price(1.0, 5.0)
SCHEMA: Mapping[str, Any] = {"type": "object", "required": ["events"], "properties": {"events": {"type": "array"}}}
TOKENS_IN, TOKENS_OUT = 120, 30
FAR_TOO_MUCH = 5_000_000  # bytes
LONG = 20.0  # seconds
_JSON = (("Content-Type", "application/json"),)


class Fault(StrEnum):
    """What can happen instead of an answer."""

    BUSY = "429"
    BUSY_FOR_A_WHILE = "429, retry after 7 seconds"
    BROKEN = "500"
    CUT = "cut in the middle"
    GONE = "closed without a word"
    HTML = "a page instead of JSON"
    HUGE = "far too much"
    SLOW = "slow beyond the time-out"


PASSING = [fault for fault in Fault if fault not in (Fault.HUGE, Fault.SLOW)]  # that are tried again at once
Said = str | Fault
Brain = Callable[[str], Said]  # what is said to a prompt


class Kept(NamedTuple):
    """What the other side got with one question."""

    prompt: str
    details: Mapping[str, Any]


class Spoken(NamedTuple):
    """A model, and all that it was asked so far."""

    chat: ChatModel
    asked: Callable[[], list[Kept]]


Opener = Callable[[Path, "Brain | Sequence[Said]", float], AbstractContextManager[Spoken]]


def brain_of(said: Brain | Sequence[Said]) -> Brain:
    """The answers one after another, then nothing found."""
    if callable(said):
        return said
    left = iter(said)
    return lambda _: next(left, '{"events": []}')


def anthropic_body(text: str, **more: object) -> dict[str, Any]:
    """A message as Anthropic's servers send it."""
    usage = {"input_tokens": 20, "cache_read_input_tokens": 100, "output_tokens": TOKENS_OUT}
    block = {"type": "text", "text": text}
    about = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "stop_reason": "end_turn"}
    return {**about, "content": [block], "usage": usage, **more}


def openai_body(text: str | None, *, finish: str = "stop", **more: object) -> dict[str, Any]:
    """A completion as OpenAI's servers send it."""
    usage = {"prompt_tokens": TOKENS_IN, "completion_tokens": TOKENS_OUT, "total_tokens": TOKENS_IN + TOKENS_OUT}
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish}
    return {"id": "c", "object": "chat.completion", "model": "m", "choices": [choice], "usage": usage, **more}


def reply(body: object, status: int = 200, headers: tuple[tuple[str, str], ...] = ()) -> Reply:
    """A body of JSON."""
    return Reply(json.dumps(body).encode(), status, (*_JSON, *headers))


def http_fault(fault: Fault, good: bytes) -> Reply:
    """The fault as a server has it."""
    error = {"type": "error", "error": {"type": "some_error", "message": f"not now, {KEY}"}}
    return {
        Fault.BUSY: reply(error, 429),
        Fault.BUSY_FOR_A_WHILE: reply(error, 429, (("Retry-After", "7"),)),
        Fault.BROKEN: reply(error, 500),
        Fault.CUT: Reply(good[: len(good) // 2], headers=_JSON, promised=len(good)),
        Fault.GONE: Reply(status=HANG_UP),
        Fault.HTML: Reply(b"<html>Hello</html>", headers=(("Content-Type", "text/html"),)),
        Fault.HUGE: Reply(b'{"a": "' + b"x" * FAR_TOO_MUCH + b'"}', headers=_JSON),
        Fault.SLOW: Reply(good, headers=_JSON, pause=1.0),
    }[fault]


@contextmanager
def anthropic_chat(_: Path, said: Brain | Sequence[Said], timeout: float = LONG) -> Iterator[Spoken]:
    """A model behind Anthropic's protocol."""
    brain = brain_of(said)

    def answer(asked: Asked) -> Reply:
        said = brain(asked.json["messages"][0]["content"])
        good = json.dumps(anthropic_body(said)).encode()
        return http_fault(said, good) if isinstance(said, Fault) else Reply(good, headers=_JSON)

    with Server(answer) as server:
        chat = AnthropicChat(Place(server.url, "m", KEY, "ANTHROPIC_API_KEY", "anthropic", timeout), price=PRICE)
        yield Spoken(chat, lambda: [Kept(each.json["messages"][0]["content"], each.json) for each in server.asked])


@contextmanager
def openai_chat(_: Path, said: Brain | Sequence[Said], timeout: float = LONG) -> Iterator[Spoken]:
    """A model behind OpenAI's protocol."""
    brain = brain_of(said)

    def answer(asked: Asked) -> Reply:
        prompt = asked.json["messages"][1]["content"]
        said = brain(prompt)
        usage = {"prompt_tokens": max(TOKENS_IN, len(prompt) // 4), "completion_tokens": TOKENS_OUT}
        good = json.dumps(openai_body(said, usage=usage)).encode()
        return http_fault(said, good) if isinstance(said, Fault) else Reply(good, headers=_JSON)

    with Server(answer) as server:
        place = Place(f"{server.url}/v1", "m", KEY, "OPENAI_API_KEY", "openai", timeout)
        chat = OpenAIChat(place, price=PRICE)
        yield Spoken(chat, lambda: [Kept(each.json["messages"][1]["content"], each.json) for each in server.asked])


_PROGRAM = """#!{python} -SE
import fcntl, json, os, socket, sys, time
from pathlib import Path

prompt = sys.stdin.read()
kept = {{"argv": sys.argv[1:], "environ": dict(os.environ), "cwd": os.getcwd(), "files": {{}}}}
for path in Path().iterdir():
    kept["files"][path.name] = path.read_text()
body = json.dumps({{"prompt": prompt, "kept": kept}}).encode()
with socket.create_connection(("127.0.0.1", {port})) as connection:
    connection.sendall(b"POST / HTTP/1.0\\r\\nContent-Length: %d\\r\\n\\r\\n" % len(body) + body)
    answer = connection.makefile("rb").read()
step = json.loads(answer.partition(b"\\r\\n\\r\\n")[2])
if step.get("child"):
    if os.fork() == 0:
        held = open(Path(__file__).parent / "held", "w")
        fcntl.flock(held, fcntl.LOCK_EX)
        (Path(__file__).parent / "child").write_text("lives")
        time.sleep(600)
    while not (Path(__file__).parent / "child").exists():
        time.sleep(0.01)
time.sleep(step.get("sleep", 0))
sys.stdout.write(step.get("out", "") + "x" * step.get("more", 0))
sys.stderr.write(step.get("err", ""))
sys.exit(step.get("code", 0))
"""


class Step(NamedTuple):
    """What a command does with one question."""

    out: str = ""
    err: str = ""
    code: int = 0
    sleep: float = 0.0
    more: int = 0  # characters after what it says
    child: bool = False  # whether it leaves a process behind that keeps its output open


@contextmanager
def program(folder: Path, name: str, step: Callable[[str], Step]) -> Iterator[Callable[[], list[Kept]]]:
    """A command of this name in the folder, which does as the function says; gives what it was asked."""

    def answer(asked: Asked) -> Reply:
        return reply(step(asked.json["prompt"])._asdict())

    with Server(answer) as server:
        path = folder / name
        path.write_text(_PROGRAM.format(python=sys.executable, port=server.url.rpartition(":")[2]), encoding="utf-8")
        path.chmod(0o755)
        yield lambda: [Kept(each.json["prompt"], each.json["kept"]) for each in server.asked]


def is_left_alone(folder: Path) -> bool:
    """Whether the process that a command left behind has ended, some moments later; it was there."""
    assert (folder / "child").exists()
    with (folder / "held").open("w") as held:
        for _ in range(3_000):
            with suppress(BlockingIOError):
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return True
            time.sleep(0.02)
    return False


def environ_for(folder: Path) -> dict[str, str]:
    """An environment that finds commands in this folder only."""
    return {"PATH": str(folder), "HOME": str(folder), "ANTHROPIC_API_KEY": KEY, "CLAUDECODE": "1"}


def claude_envelope(text: str, **more: object) -> str:
    """What `claude -p --output-format json` prints."""
    usage = {"input_tokens": 20, "cache_creation_input_tokens": 100, "output_tokens": TOKENS_OUT}
    about = {"type": "result", "subtype": "success", "is_error": False, "num_turns": 1, "session_id": "s"}
    return json.dumps({**about, "result": text, "total_cost_usd": 0.0125, "usage": usage, **more})


def claude_step(said: Said) -> Step:
    """What `claude` does to say this."""
    good = claude_envelope(said)
    if not isinstance(said, Fault):
        return Step(good)
    return {
        Fault.BUSY: Step(claude_envelope(f"API Error: 429 slow down {KEY}", is_error=True), code=1),
        Fault.BUSY_FOR_A_WHILE: Step(claude_envelope("Claude AI usage limit reached|1", is_error=True), code=1),
        Fault.BROKEN: Step(claude_envelope("Overloaded", is_error=True, api_error_status=529), code=1),
        Fault.CUT: Step(good[: len(good) // 2]),
        Fault.GONE: Step(err=f"Segmentation fault {KEY}", code=139),
        Fault.HTML: Step("<html>Hello</html>"),
        Fault.HUGE: Step(good, more=FAR_TOO_MUCH),
        Fault.SLOW: Step(good, sleep=60),
    }[said]


def codex_lines(text: str, **usage: int) -> str:
    """What `codex exec --json` prints."""
    events: list[dict[str, Any]] = [
        {"type": "thread.started", "thread_id": "t"},
        {"type": "turn.started"},
        {"type": "item.completed", "item": {"id": "item_0", "type": "reasoning", "text": "thinking"}},
        {"type": "item.completed", "item": {"id": "item_1", "type": "agent_message", "text": text}},
        {"type": "turn.completed", "usage": usage or {"input_tokens": TOKENS_IN, "output_tokens": TOKENS_OUT}},
    ]
    return "".join(json.dumps(event) + "\n" for event in events)


def codex_failure(message: str) -> str:
    """What it prints if the turn fails."""
    begun = '{"type": "thread.started", "thread_id": "t"}\n{"type": "turn.started"}\n'
    return begun + json.dumps({"type": "turn.failed", "error": {"message": message}}) + "\n"


def codex_step(said: Said) -> Step:
    """What `codex` does to say this."""
    good = codex_lines(said)
    if not isinstance(said, Fault):
        return Step(good)
    return {
        Fault.BUSY: Step(codex_failure(f"exceeded retry limit, last status: 429 {KEY}"), code=1),
        Fault.BUSY_FOR_A_WHILE: Step(codex_failure("You've hit your usage limit."), code=1),
        Fault.BROKEN: Step(codex_failure("unexpected status 500 Internal Server Error"), code=1),
        Fault.CUT: Step(good[: good.index("agent_message")]),
        Fault.GONE: Step(code=101),
        Fault.HTML: Step("<html>Hello</html>"),
        Fault.HUGE: Step(good, more=FAR_TOO_MUCH),
        Fault.SLOW: Step(good, sleep=60),
    }[said]


@contextmanager
def claude_chat(folder: Path, said: Brain | Sequence[Said], timeout: float = LONG) -> Iterator[Spoken]:
    """A model behind the command `claude`."""
    brain = brain_of(said)
    with program(folder, "claude", lambda prompt: claude_step(brain(prompt))) as asked:
        yield Spoken(ClaudeProgram(Program("claude", environ_for(folder), timeout), "m", price=PRICE), asked)


@contextmanager
def codex_chat(folder: Path, said: Brain | Sequence[Said], timeout: float = LONG) -> Iterator[Spoken]:
    """A model behind the command `codex`."""
    brain = brain_of(said)
    with program(folder, "codex", lambda prompt: codex_step(brain(prompt))) as asked:
        yield Spoken(CodexProgram(Program("codex", environ_for(folder), timeout), "m", price=PRICE), asked)


CHATS: Mapping[str, Opener] = {
    "anthropic": anthropic_chat,
    "openai": openai_chat,
    "claude": claude_chat,
    "codex": codex_chat,
}
