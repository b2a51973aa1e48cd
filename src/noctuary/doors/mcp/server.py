"""The protocol: the official SDK's lowlevel server around our tools, resources and prompts, by stdio or for HTTP.

Both eras of the protocol are served, the one that begins with `initialize` and the one without.  Nothing is opened
before a call needs it.  Verbs run in threads, so that a slow one keeps no other message waiting.
"""

import os
import re
import secrets
import signal
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from types import FrameType
from typing import Any, TypeVar

import anyio
import mcp_types as types
from anyio import to_thread
from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError

from noctuary.doors.cli.failures import failure_of
from noctuary.doors.mcp.keeper import Caller, Keeper
from noctuary.doors.mcp.tools import INSTRUCTIONS, NAME, TITLE, TOOLS
from noctuary.errors import BadInput, NoctuaryError, NotFound
from noctuary.lazily import lazy_module
from noctuary.version import VERSION

prompts: Any = lazy_module("noctuary.doors.mcp.prompts")
resources: Any = lazy_module("noctuary.doors.mcp.resources")
verbs: Any = lazy_module("noctuary.doors.mcp.verbs")

Context = ServerRequestContext[Any, Any]
Result = TypeVar("Result")
RESOURCE_NOT_FOUND = -32002  # as the protocol has it
MOST_AT_ONCE = 8  # calls that run at the same time; more of them wait
PAGE = 50  # resources in one answer
_SECONDS_BETWEEN_LOOKS = 0.5  # whether whoever started the server still lives
_LONGEST_NAME = 40
_LASTING = CacheHint(ttl_ms=3_600_000)  # what does not change as long as the server runs


class Door:
    """Answers the protocol's requests from the memory."""

    def __init__(self, keeper: Keeper) -> None:
        self.keeper = keeper
        self._own_session = f"mcp-{secrets.token_hex(6)}"
        self._tools = [types.Tool.model_validate(tool) for tool in TOOLS]
        self._limiter: anyio.CapacityLimiter | None = None

    def server(self) -> Server[Any]:
        """The SDK's server."""
        server: Server[Any] = Server(
            NAME,
            version=VERSION,
            title=TITLE,
            instructions=INSTRUCTIONS,
            cache_hints={"tools/list": _LASTING, "prompts/list": _LASTING, "resources/templates/list": _LASTING},
            get_tool_input_schema=_schema_of,
            on_list_tools=self.list_tools,
            on_call_tool=self.call_tool,
            on_list_resources=self.list_resources,
            on_list_resource_templates=self.list_templates,
            on_read_resource=self.read_resource,
            on_list_prompts=self.list_prompts,
            on_get_prompt=self.get_prompt,
        )
        server.middleware.clear()  # the SDK's own traces every call: nothing here is traced
        return server

    async def list_tools(self, _: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        """All tools on one page."""
        _refuse_pages(params)
        return types.ListToolsResult(tools=self._tools)

    async def call_tool(self, context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        """What a tool answers; what went wrong is an answer, too."""
        if _schema_of(params.name) is None:
            raise MCPError(types.INVALID_PARAMS, f"There is no tool {params.name[:_LONGEST_NAME]!r}.")
        caller = self._caller(context)
        answer = await self._in_thread(lambda: verbs.call(self.keeper, caller, params.name, params.arguments))
        return types.CallToolResult(content=[types.TextContent(text=answer.text)], is_error=answer.is_error)

    async def list_resources(
        self, context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        """MEMORY.md, packs and sessions, a page at a time."""
        start = _start_of(params)
        caller = self._caller(context)
        found = await self._in_thread(lambda: resources.resources(self.keeper, caller))
        page = [
            types.Resource(uri=each.uri, name=each.name, description=each.about, mime_type=each.kind)
            for each in found[start : start + PAGE]
        ]
        following = str(start + PAGE) if start + PAGE < len(found) else None
        return types.ListResourcesResult(resources=page, next_cursor=following)

    async def list_templates(
        self, _: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        """What can be read without being listed."""
        _refuse_pages(params)
        templates = [
            types.ResourceTemplate(uri_template=each.uri, name=each.name, description=each.about, mime_type=each.kind)
            for each in resources.TEMPLATES
        ]
        return types.ListResourceTemplatesResult(resource_templates=templates)

    async def read_resource(
        self, context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        """One of them."""
        uri, caller = str(params.uri), self._caller(context)
        text, kind = await self._in_thread(lambda: resources.read(self.keeper, caller, uri))
        contents = types.TextResourceContents(uri=uri, text=text, mime_type=kind)
        return types.ReadResourceResult(contents=[contents])

    async def list_prompts(self, _: Context, params: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
        """All prompts on one page."""
        _refuse_pages(params)
        return types.ListPromptsResult(prompts=[_prompt(each) for each in prompts.PROMPTS])

    async def get_prompt(self, context: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        """A prompt, filled with what is known."""
        caller = self._caller(context)
        text = await self._in_thread(lambda: prompts.prompt(self.keeper, caller, params.name, params.arguments))
        content = types.TextContent(text=text)
        return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=content)])

    async def _in_thread(self, run: Callable[[], Result]) -> Result:
        """Run it beside the protocol; whoever gives up waiting is free at once, and what was begun is still ended."""
        if self._limiter is None:
            self._limiter = anyio.CapacityLimiter(MOST_AT_ONCE)
        try:
            return await to_thread.run_sync(run, abandon_on_cancel=True, limiter=self._limiter)
        except NotFound as error:
            raise MCPError(RESOURCE_NOT_FOUND, str(error)) from error
        except BadInput as error:
            raise MCPError(types.INVALID_PARAMS, str(error)) from error
        except (NoctuaryError, OSError) as error:
            raise MCPError(types.INTERNAL_ERROR, failure_of(error).message) from error

    def _caller(self, context: Context) -> Caller:
        """Who calls; over HTTP each session of the protocol is one, and without sessions each program."""
        params = context.session.client_params
        name = re.sub(r"[^\w.-]+", "-", params.client_info.name if params else "")[:_LONGEST_NAME] or "agent"
        if context.request is None:
            return Caller(self.keeper.serving.session or self._own_session, name)
        given = str(context.request.headers.get("mcp-session-id") or name)
        return Caller(f"mcp-{given[:_LONGEST_NAME]}", name)


def serve_stdio(keeper: Keeper, parent: int) -> None:
    """Serve whoever started this process, until it closes its end, dies, or asks for the end."""

    def end(signal_number: int, frame: FrameType | None) -> None:  # noqa: ARG001
        _end(keeper)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, end)  # the thread that reads waits for input and would hear nothing
    threading.Thread(target=_watch_parent, args=(parent, partial(_end, keeper)), daemon=True).start()
    anyio.run(_stdio, Door(keeper).server())
    keeper.close()


async def _stdio(server: Server[Any]) -> None:
    async with stdio_server() as (received, sent):
        await server.run(received, sent, server.create_initialization_options())


def _watch_parent(parent: int, end: Callable[[], None]) -> None:
    """End as soon as the process has another parent: the one that wanted answers is gone, even if its pipe is open."""
    while os.getppid() == parent:
        time.sleep(_SECONDS_BETWEEN_LOOKS)
    end()


def _end(keeper: Keeper) -> None:
    """Let a write that was begun end, and leave at once: threads may wait for input that never comes."""
    keeper.close()
    os._exit(0)


def _schema_of(tool: str) -> dict[str, Any] | None:
    return next((each["inputSchema"] for each in TOOLS if each["name"] == tool), None)


def _start_of(params: types.PaginatedRequestParams | None) -> int:
    cursor = params.cursor if params else None
    if cursor is None:
        return 0
    if not (cursor.isascii() and cursor.isdecimal() and len(cursor) < 10):
        raise MCPError(types.INVALID_PARAMS, "This cursor was not given by this server.")
    return int(cursor)


def _refuse_pages(params: types.PaginatedRequestParams | None) -> None:
    if params is not None and params.cursor is not None:
        raise MCPError(types.INVALID_PARAMS, "There is only one page; leave out the cursor.")


def _prompt(each: Any) -> types.Prompt:
    arguments: Sequence[Any] = each.arguments
    return types.Prompt(
        name=each.name,
        title=each.title,
        description=each.about,
        arguments=[types.PromptArgument(name=one.name, description=one.about, required=False) for one in arguments],
    )
