"""The protocol line by line, the life and death of the server, and the guards of HTTP."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client

from noctuary.app import Memory
from tests.acceptance.conftest import Cli
from tests.acceptance.mcp_servers import HANDSHAKE, SECONDS, Wire, http_server

NO_METHOD, BAD_PARAMS, NO_RESOURCE = -32601, -32602, -32002
TOKEN = "n0ctuary-token-of-32-characters-"
HELLO = json.dumps(
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", **HANDSHAKE},
    }
).encode()
only_linux = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked up in /proc")


def code_of(answer: dict[str, Any]) -> int:
    """The code of an error."""
    return int(answer["error"]["code"])


def test_initialize_opens_nothing(cli: Cli) -> None:
    """Neither a database nor a model: every session of every agent waits for it."""
    with Wire(cli) as wire:
        hello = wire.shake_hands()["result"]
        tools = wire.ask("tools/list")["result"]["tools"]

        assert hello["protocolVersion"] == "2025-06-18"
        assert hello["serverInfo"]["name"] == "noctuary"
        assert {"tools", "resources", "prompts"} <= hello["capabilities"].keys()
        assert len(hello["instructions"]) < 2_048
        assert len(tools) == 8
        assert not cli.memory.exists()


def test_a_broken_memory_is_said_when_it_is_needed(cli: Cli) -> None:
    """The session begins all the same; tools say what is wrong and what to do."""
    cli.memory.mkdir()
    cli.database.write_bytes(b"this is no database " * 500)
    with Wire(cli) as wire:
        wire.shake_hands()
        result = wire.ask("tools/call", {"name": "session_search", "arguments": {"query": "x"}})["result"]

        assert result["isError"]
        assert "is damaged or is no database" in result["content"][0]["text"]
        assert "error" in wire.ask("resources/list")
        assert wire.ask("ping")["result"] == {}


def test_the_protocol_is_kept(cli: Cli) -> None:
    """Old versions, unknown methods, bad params, nonsense in between: each gets what the protocol says."""
    with Wire(cli) as wire:
        assert wire.shake_hands("2024-11-05")["result"]["protocolVersion"] == "2024-11-05"
        assert wire.ask("ping")["result"] == {}
        assert code_of(wire.ask("no/such/method")) == NO_METHOD
        assert code_of(wire.ask("completion/complete", {})) in (NO_METHOD, BAD_PARAMS)
        assert code_of(wire.ask("tools/call", {"arguments": {}})) == BAD_PARAMS
        assert code_of(wire.ask("tools/call", {"name": "no_tool"})) == BAD_PARAMS
        assert code_of(wire.ask("tools/call", {"name": "task", "arguments": [1]})) == BAD_PARAMS
        assert code_of(wire.ask("tools/list", {"cursor": "x"})) == BAD_PARAMS
        assert code_of(wire.ask("resources/list", {"cursor": "-1"})) == BAD_PARAMS
        assert code_of(wire.ask("resources/read", {"uri": "noctuary://pack/t-none"})) == NO_RESOURCE
        assert code_of(wire.ask("resources/read", {"uri": "file:///etc/passwd"})) == NO_RESOURCE
        assert code_of(wire.ask("prompts/get", {"name": "none"})) == BAD_PARAMS
        for nonsense in ("{", "[]", '"x"', '{"jsonrpc": "1.0", "id": 7}', "\u2028", '{"a":' * 2_000):
            wire.write(nonsense)
        wire.notify("notifications/no_such_notification", x=1)
        wire.notify("notifications/cancelled", requestId=99)

        assert wire.ask("ping")["result"] == {}
        assert "complete answer" in wire.call("session_search")


def test_requests_before_the_handshake_are_refused(cli: Cli) -> None:
    """But for ping; and a version from the future is answered with the last one that we know."""
    with Wire(cli) as wire:
        assert wire.ask("ping")["result"] == {}
        assert "error" in wire.ask("tools/list")
        assert wire.shake_hands("2099-01-01")["result"]["protocolVersion"] == "2025-11-25"


def test_long_lists_come_in_pages(cli: Cli) -> None:
    """Each page says where the next one begins, and together they have everything once."""
    folder = cli.user_home.resolve()
    with Memory.open(cli.memory, owner="ana") as memory:
        work = memory.work(str(folder))
        tasks = {f"noctuary://pack/{work.open_task(f'Task {number}').id}" for number in range(60)}
    with Wire(cli) as wire:
        wire.shake_hands()
        found: list[str] = []
        params: dict[str, str] = {}
        while True:
            page = wire.ask("resources/list", params)["result"]
            found += [each["uri"] for each in page["resources"]]
            if "nextCursor" not in page:
                break
            params = {"cursor": page["nextCursor"]}

        assert sorted(found) == sorted([*tasks, "noctuary://memory"])


def test_a_call_that_waits_holds_nothing_up_and_can_be_cancelled(cli: Cli) -> None:
    """While another process writes for long, pings and searches are answered; what was cancelled has no answer."""
    with Memory.open(cli.memory, owner="ana") as memory:
        memory.work("").remember("Before")
    lock = sqlite3.connect(cli.database, isolation_level=None)
    lock.execute("begin immediate")
    with Wire(cli, "--project", "shop", NOCTUARY_BUSY_SECONDS="60") as wire:
        wire.shake_hands()
        waiting = wire.send("tools/call", {"name": "remember", "arguments": {"text": "While somebody else wrote"}})

        assert wire.ask("ping")["result"] == {}
        assert "complete answer" in wire.call("session_search", query="xylophone")
        wire.notify("notifications/cancelled", requestId=waiting, reason="the user changed their mind")
        assert wire.ask("ping")["result"] == {}
        lock.execute("rollback")
        lock.close()
        assert "Kept m-" in wire.call("remember", text="Afterwards")
        assert [one for one in wire.heard if one.get("id") == waiting and "result" in one] == []


def test_it_ends_when_its_input_does(cli: Cli) -> None:
    """With 0, having said nothing but the protocol, and next to nothing to its log."""
    with Wire(cli) as wire:
        wire.shake_hands()
        wire.call("remember", text="Staging is reset every night")

        assert wire.end() == (0, "")
    assert "Staging" in cli("memory", "list", "--everywhere").out


def test_an_agent_that_reads_no_more_is_no_trouble(cli: Cli) -> None:
    """An agent that was killed hears no answer: the server ends, and calls nothing a bug."""
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as nobody:
        ran = subprocess.run(
            cli.command("mcp"),
            input=HELLO + b"\n",
            stdout=nobody,
            stderr=subprocess.PIPE,
            env=cli.environ(),
            check=False,
        )

    assert (ran.returncode, ran.stderr) == (1, b"")


def test_it_ends_when_nothing_ever_comes(cli: Cli) -> None:
    """An agent that dies before it says a word."""
    ran = cli("mcp", stdin="")

    assert (ran.code, ran.out) == (0, "")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_when_it_is_asked_to(cli: Cli, number: signal.Signals) -> None:
    """At once, although it waits for input that does not come."""
    with Wire(cli) as wire:
        wire.shake_hands()
        wire.process.send_signal(number)

        assert wire.process.wait(SECONDS) == 0


def is_running(pid: int) -> bool:
    """Whether the process is there and more than a name in a table."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


def ends(pid: int) -> bool:
    """Wait for the end of a process that is not our child."""
    until = time.monotonic() + SECONDS
    while is_running(pid) and time.monotonic() < until:
        time.sleep(0.05)
    return not is_running(pid)


_CLIENT = """
import anyio, json, os, sys
from mcp import Client, StdioServerParameters

async def main():
    server = StdioServerParameters(command=sys.executable, args=["-m", "noctuary", "mcp"], env=dict(os.environ))
    async with Client(server, mode="legacy") as client:
        await client.call_tool("session_search", {})
        with open(f"/proc/{os.getpid()}/task/{os.getpid()}/children") as children:
            print(children.read().split()[0], flush=True)
        await anyio.sleep_forever()

anyio.run(main)
"""

_PARENT = """
import subprocess, sys, time
server = subprocess.Popen([sys.executable, "-m", "noctuary", "mcp"], stdin=int(sys.argv[1]), stdout=subprocess.PIPE)
server.stdout.readline()
print(server.pid, flush=True)
time.sleep(1000)
"""


def killed(program: str, cli: Cli, *arguments: str, keep: tuple[int, ...] = ()) -> int:
    """Start a program that starts a server and says which it is; kill it, and give the server."""
    starter = subprocess.Popen(
        [sys.executable, "-c", program, *arguments],
        env=cli.environ(),
        cwd=cli.user_home,
        stdout=subprocess.PIPE,
        text=True,
        pass_fds=keep,
    )
    assert starter.stdout
    server = int(starter.stdout.readline())
    assert is_running(server)
    starter.kill()
    starter.communicate()
    return server


@only_linux
def test_no_server_is_left_when_its_client_is_killed(cli: Cli) -> None:
    """The official client, by SIGKILL in the middle of a session."""
    assert ends(killed(_CLIENT, cli))


@only_linux
def test_no_server_is_left_when_its_parent_dies_and_its_input_stays_open(cli: Cli) -> None:
    """Somebody else may hold the other end of the pipe, so that its end is never heard."""
    reading, writing = os.pipe()
    os.write(writing, HELLO + b"\n")
    try:
        server = killed(_PARENT, cli, str(reading), keep=(reading,))

        assert ends(server)
    finally:
        os.close(reading)
        os.close(writing)


def test_what_is_missing_is_said_in_one_line(cli: Cli, tmp_path: Path) -> None:
    """Whoever installed the base alone is told what to install, as with models."""
    missing = "raise ModuleNotFoundError(\"No module named 'mcp_types'\", name='mcp_types')"
    (tmp_path / "mcp_types.py").write_text(missing, encoding="utf-8")
    ran = cli("mcp", PYTHONPATH=f"{tmp_path}:{cli.environ()['PYTHONPATH']}")

    assert ran.code == 5
    assert ran.err.count("\n") == 1
    assert "pip install 'noctuary[mcp]'" in ran.err


def test_what_is_offered_can_be_printed(cli: Cli) -> None:
    """For whoever wants to see it without a client."""
    ran = cli("mcp", "--json")

    assert "session_search" in [tool["name"] for tool in ran.json["tools"]]
    assert not cli.memory.exists()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--http", "--host", "0.0.0.0"], "--token-file"),
        (["--port", "9"], "add --http"),
        (["--http", "--token-file", "none"], "cannot be read"),
    ],
)
def test_what_would_not_be_safe_is_not_begun(cli: Cli, options: list[str], sentence: str) -> None:
    """And a mistyped line is refused before anything listens."""
    ran = cli("mcp", *options, cwd=cli.user_home)

    assert ran.code == 2
    assert sentence in ran.err


def post(url: str, body: bytes, **headers: str) -> int:
    """The status that a request is answered with."""
    usual = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    try:
        request = urllib.request.Request(url, data=body, headers={**usual, **given})
        with urllib.request.urlopen(request, timeout=SECONDS) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        error.close()
        return error.code


@pytest.fixture(scope="module")
def open_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Cli]]:
    """A server by HTTP without a token, of a memory that is not there."""
    folder = tmp_path_factory.mktemp("http")
    cli = Cli(folder / "memory", folder)
    with http_server(cli) as (url, _):
        yield url, cli


def test_http_refuses_what_a_web_page_could_send(open_server: tuple[str, Cli]) -> None:
    """A rebound name, a page of another origin, a form, a flood: none of them gets to the memory."""
    url, cli = open_server
    port = url.split(":")[2].split("/")[0]

    assert post(url, HELLO) == 200
    assert post(url, HELLO, Host=f"localhost:{port}") == 200
    assert post(url, HELLO, Origin=f"http://127.0.0.1:{port}") == 200
    assert post(url, HELLO, Host="evil.example.com") == 421
    assert post(url, HELLO, Host=f"127.0.0.1.evil.example.com:{port}") == 421
    assert post(url, HELLO, Origin="https://evil.example.com") == 403
    assert post(url, HELLO, Origin="null") == 403
    assert post(url, HELLO, Content_Type="text/plain") == 400
    assert post(url, b"x" * 1_500_000) == 413
    assert post(url, b"[[[") == 400
    assert post(url.replace("/mcp", "/"), HELLO) == 404
    assert post(url, HELLO) == 200
    assert not cli.memory.exists()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_http_stops_although_clients_are_connected(cli: Cli, number: signal.Signals) -> None:
    """Cleanly, with 0."""
    with http_server(cli) as (url, process):

        async def main() -> None:
            async with Client(url, mode="legacy") as client:
                await client.call_tool("session_search", {})
                process.send_signal(number)
                await anyio.to_thread.run_sync(lambda: process.wait(SECONDS))

        anyio.run(main)
        assert process.returncode == 0


def test_http_with_a_token_answers_nobody_else(cli: Cli, tmp_path: Path) -> None:
    """Beyond loopback it is needed; it is compared as a whole, and in the time that it takes."""
    file = tmp_path / "token"
    file.write_text(f"{TOKEN}\n", encoding="utf-8")
    file.chmod(0o600)
    with http_server(cli, "--host", "0.0.0.0", "--token-file", str(file)) as (address, _):
        url = address.replace("0.0.0.0", "127.0.0.1")
        wrong = ["", "Bearer", f"Bearer {TOKEN[:-1]}", f"Bearer {TOKEN}x", f"Basic {TOKEN}", TOKEN]

        assert post(url, HELLO) == 401
        assert {post(url, HELLO, Authorization=each) for each in wrong} == {401}
        assert post(url, HELLO, Authorization=f"Bearer {TOKEN}") == 200
        assert _official(url, {"Authorization": f"bearer {TOKEN}"})


def _official(url: str, headers: dict[str, str]) -> bool:
    """Whether the official client gets an answer."""

    async def main() -> bool:
        async with (
            create_mcp_http_client(headers=headers) as http,
            Client(streamable_http_client(url, http_client=http), mode="auto") as client,
        ):
            return bool((await client.call_tool("session_search", {})).content)

    play: Callable[[], Any] = main
    return bool(anyio.run(play))


def test_a_port_that_is_taken_is_said(open_server: tuple[str, Cli]) -> None:
    """With what to do about it."""
    url, cli = open_server
    ran = cli("mcp", "--http", "--port", url.split(":")[2].split("/")[0])

    assert ran.code == 2
    assert "Choose another one with --port." in ran.err
