"""The memory over the Model Context Protocol: sessions of the official client, by stdio and HTTP, in both eras."""

import re
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, Literal

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp.shared.exceptions import MCPError
from mcp_types import TextContent, TextResourceContents

from noctuary.app import Memory
from noctuary.doors.mcp.tools import TOOLS
from noctuary.fences import without_fenced
from tests.acceptance.conftest import SAMPLES, Cli
from tests.acceptance.mcp_servers import http_server

PROJECT = "github.com/ana/shop"
ERAS: dict[Literal["legacy", "auto"], str] = {"legacy": "2025-11-25", "auto": "2026-07-28"}
each_era = pytest.mark.parametrize("era", ERAS)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Cli:
    """A memory with the sample home imported, which the tests here write to."""
    cli = Cli(tmp_path_factory.mktemp("mcp") / "memory", SAMPLES)
    assert cli("import").code == 0
    return cli


@pytest.fixture(scope="module")
def address(shop: Cli) -> Iterator[str]:
    """A server by HTTP that the tests here share."""
    with http_server(shop) as (url, _):
        yield url


def by_stdio(cli: Cli, cwd: Path, *options: str) -> StdioServerParameters:
    """How an agent starts the server."""
    arguments = ["-m", "noctuary", "mcp", *options]
    return StdioServerParameters(command=sys.executable, args=arguments, env=cli.environ(), cwd=cwd)


def session(
    server: StdioServerParameters | str, era: Literal["legacy", "auto"], play: Callable[[Client], Awaitable[None]]
) -> None:
    """Let the official client connect, and play a session."""

    async def main() -> None:
        with anyio.fail_after(60):
            async with Client(server, mode=era, cache=None) as client:
                assert client.protocol_version == ERAS[era]
                await play(client)

    anyio.run(main)


async def told(client: Client, tool: str, *, is_error: bool = False, **arguments: Any) -> str:
    """The text that a tool answers, which is fenced."""
    result = await client.call_tool(tool, arguments)
    content = result.content[0]
    assert isinstance(content, TextContent)
    assert bool(result.is_error) is is_error, content.text
    assert without_fenced(content.text).strip() == ""
    return content.text


async def read(client: Client, uri: str) -> str:
    """The text of a resource."""
    contents = (await client.read_resource(uri)).contents[0]
    assert isinstance(contents, TextResourceContents)
    assert contents.uri == uri
    return contents.text


async def play_everything(client: Client, **where: Any) -> None:
    """All tools, resources, templates and prompts, and what is answered to nonsense."""
    await play_lists(client)
    await play_search(client)
    task = await play_work(client, **where)
    await play_resources(client, task)
    await play_errors(client, **where)


async def play_lists(client: Client) -> None:
    """What is offered."""
    tools = (await client.list_tools()).tools
    assert [tool.name for tool in tools] == [tool["name"] for tool in TOOLS]
    assert all(tool.title and tool.description and tool.annotations for tool in tools)
    assert client.instructions
    assert len(client.instructions) < 2_048
    assert client.server_info is None or client.server_info.name == "noctuary"
    assert [prompt.name for prompt in (await client.list_prompts()).prompts] == ["resume", "review"]
    templates = (await client.list_resource_templates()).resource_templates
    assert {"noctuary://pack/{task}", "noctuary://session/{id}"} <= {each.uri_template for each in templates}


async def play_search(client: Client) -> None:
    """All four shapes of the search, from one to the next, and a miss."""
    assert "Flaky tax test" in await told(client, "session_search")
    hit = re.search(r"session (\S+) message (\d+)", await told(client, "session_search", query="why no redis?"))
    assert hit
    assert f"[{hit[2]}]" in await told(client, "session_search", session_id=hit[1], around=int(hit[2]), window=1)
    assert "[1] user" in await told(client, "session_search", session_id=hit[1])
    assert ">>>Redis<<<" in await told(client, "session_search", session_id=hit[1], query="redis")
    assert "complete answer" in await told(client, "session_search", query="xylophone zeppelin")


async def play_work(client: Client, **where: Any) -> str:
    """A task from its beginning to its end, and what is known of it then; its id."""
    opened = await told(client, "task", action="open", title="Move sessions to SQLite", goal="No Redis", **where)
    task = str(re.findall(r"\bt-\w+", opened)[0])
    await told(client, "task", action="note", task=task, kind="decision", text="Sessions live in SQLite", **where)
    await told(client, "task", action="note", task=task, kind="rejection", text="Memcached loses logins", **where)
    assert task in await told(client, "work", action="ready", **where)
    assert "Why: " in await told(client, "work", action="next", **where)
    assert "is held by" in await told(client, "work", action="claim", task=task)
    assert task in await told(client, "work", action="tree", **where)
    assert "Memcached" in await told(client, "recall_why", topic="memcached", **where)
    assert "Sessions live in SQLite" in await told(client, "pack", task=task)
    assert "of 100" in await told(client, "task", action="check", task=task, **where)
    await told(client, "task", action="open", title="Write the table", parent=task, **where)
    assert "Write the table" in await told(client, "handoff", goal=task)
    assert "Kept for the next session" in await told(client, "handoff", goal=task, summary="Wrote it.")
    assert "Kept m-" in await told(client, "remember", text="Staging is reset every night", **where)
    assert "Waiting to be read" in await told(client, "dream_status", **where)
    return task


async def play_resources(client: Client, task: str) -> None:
    """What is listed can be read, and so can what the templates name."""
    listed = (await client.list_resources()).resources
    sessions = [each.uri for each in listed if each.uri.startswith("noctuary://session/")]
    assert f"noctuary://pack/{task}" in [each.uri for each in listed]
    assert "[1] user" in await read(client, sessions[0])
    assert "Sessions live in SQLite" in await read(client, f"noctuary://pack/{task}")
    resumed = (await client.get_prompt("resume", {"task": task})).messages[0].content
    assert isinstance(resumed, TextContent)
    assert "Sessions live in SQLite" in resumed.text


async def play_errors(client: Client, **where: Any) -> None:
    """Nonsense is answered: by a tool with a sentence, by the protocol with its codes."""
    assert "is a whole number" in await told(client, "session_search", is_error=True, limit="many")
    assert "There is no node" in await told(client, "pack", is_error=True, task="t-none")
    assert "has no argument" in await told(client, "remember", is_error=True, texts="x", **where)
    for refused in (
        client.call_tool("drop_all", {}),
        client.read_resource("noctuary://pack/t-none"),
        client.get_prompt("none"),
        client.list_resources(cursor="nonsense"),
    ):
        with pytest.raises(MCPError):
            await refused


@each_era
def test_a_session_over_stdio(shop: Cli, tmp_path: Path, era: Literal["legacy", "auto"]) -> None:
    """The official client uses everything there is; the project is that of the folder it was started in."""

    async def play(client: Client) -> None:
        await play_everything(client)
        assert "No dream has written" in await read(client, "noctuary://memory")

    session(by_stdio(shop, tmp_path), era, play)

    entries = shop("event", "list", "--project", str(tmp_path.resolve()), "--json", "-n", "50").json["entries"]
    assert {(entry["event"]["author"], entry["event"]["trust"]) for entry in entries} == {("agent", "agent")}
    assert len({entry["event"]["session"] for entry in entries}) == 1


@each_era
def test_a_session_over_http(address: str, era: Literal["legacy", "auto"]) -> None:
    """The same; the project is named, for agents of several folders call one server."""

    async def play(client: Client) -> None:
        await play_everything(client, project=PROJECT)
        assert "Which project?" in await told(client, "task", is_error=True, action="list")

    session(address, era, play)


def test_eight_clients_at_once_over_http(shop: Cli, address: str) -> None:
    """They search and write at the same time; every answer is right and nothing is lost."""
    everyone, each = 8, 5

    async def one(number: int) -> None:
        async with Client(address, mode="legacy" if number % 2 else "auto", cache=None) as client:
            for turn in range(each):
                text = f"finding{number}x{turn}"
                await told(client, "task", action="note", kind="finding", text=text, project="crowd")
                assert text in await told(client, "recall_why", topic=text, project="crowd")
                assert "complete" not in await told(client, "session_search", query="redis", limit=turn + 1)

    async def main() -> None:
        with anyio.fail_after(90):
            async with anyio.create_task_group() as group:
                for number in range(everyone):
                    group.start_soon(one, number)

    anyio.run(main)

    with Memory.open(shop.memory, owner="ana") as memory:
        kept = [entry.event.text for entry in memory.work("crowd").entries(limit=1_000)]
    assert sorted(kept) == sorted(f"finding{number}x{turn}" for number in range(everyone) for turn in range(each))


def test_eight_servers_at_once_over_stdio(shop: Cli, tmp_path: Path) -> None:
    """As many agents, each with a server of its own, on one memory: nothing is lost, and each task has one holder."""
    everyone = 8
    with Memory.open(shop.memory, owner="ana") as memory:
        task = memory.work(str(tmp_path.resolve())).open_task("Wanted by all").id
    won: list[int] = []

    async def one(number: int) -> None:
        async with Client(by_stdio(shop, tmp_path), mode="legacy", cache=None) as client:
            for turn in range(3):
                await told(client, "remember", text=f"fact{number}x{turn}")
            claimed = await client.call_tool("work", {"action": "claim", "task": task})
            won.extend([] if claimed.is_error else [number])

    async def main() -> None:
        with anyio.fail_after(120):
            async with anyio.create_task_group() as group:
                for number in range(everyone):
                    group.start_soon(one, number)

    anyio.run(main)

    with Memory.open(shop.memory, owner="ana") as memory:
        kept = {one.text for one in memory.work(str(tmp_path.resolve())).memories() if one.text.startswith("fact")}
    assert kept == {f"fact{number}x{turn}" for number in range(everyone) for turn in range(3)}
    assert len(won) == 1


def test_whose_memory_it_is_is_settled_by_who_starts_the_server(shop: Cli, tmp_path: Path) -> None:
    """A model can name no owner, and one owner's server finds nothing of another's."""

    async def play(client: Client) -> None:
        assert "no argument 'owner'" in await told(client, "session_search", is_error=True, query="redis", owner="ana")
        assert "complete answer" in await told(client, "session_search", query="redis owner:ana")

    session(by_stdio(shop, tmp_path, "--owner", "bob"), "legacy", play)
