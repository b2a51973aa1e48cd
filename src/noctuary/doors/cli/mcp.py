"""`noctuary mcp`: the memory for agents that speak the Model Context Protocol."""

from __future__ import annotations  # or the annotations would load the protocol's library

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from noctuary.doors.cli.as_json import print_json
from noctuary.doors.cli.memory_options import FOLDER, text, with_settings
from noctuary.doors.cli.work_options import agents_session
from noctuary.doors.mcp.keeper import Keeper, Serving
from noctuary.doors.mcp.tools import INSTRUCTIONS, TOOLS
from noctuary.errors import BadInput, ModelMissing
from noctuary.lazily import lazy_module
from noctuary.settings import Settings

if TYPE_CHECKING:
    from noctuary.doors.mcp import http, server
else:
    http = lazy_module("noctuary.doors.mcp.http")
    server = lazy_module("noctuary.doors.mcp.server")

_PARENT = os.getppid()  # now: to load the library takes a second, in which whoever started this may die
HOST, PORT = "127.0.0.1", 8377
_HERE = (".", "..")


@click.command()
@click.option("--http", "is_http", is_flag=True, help="Serve HTTP instead of standard input and output.")
@click.option("--host", type=text, help=f"With --http: the address to listen on.  [default: {HOST}]")
@click.option("--port", type=click.IntRange(0, 65_535), help=f"With --http: the port.  [default: {PORT}]")
@click.option("--token-file", type=FOLDER, help="With --http: a file with a token that every request must name.")
@click.option("--project", type=text, help="Whose work, if none is named.  [default: this folder's; with --http none]")
@with_settings
def mcp(
    settings: Settings,
    is_http: bool,
    host: str | None,
    port: int | None,
    token_file: Path | None,
    project: str | None,
    as_json: bool,
) -> None:
    """Serve the memory to agents over the Model Context Protocol.

    An agent starts this and speaks to it over standard input and output; it ends when the agent does.  With --http it
    serves any number of agents at /mcp until you stop it.  Whose memory it is, is settled here, never by a model.
    --json only prints what is offered.

    \b
    Examples:
      noctuary mcp
      noctuary mcp --http --port 8377
      noctuary mcp --http --host 192.168.0.7 --token-file ~/.config/noctuary-token
    """  # fmt: skip
    if not is_http and (host is not None or port is not None or token_file is not None):
        raise BadInput("--host, --port and --token-file are for HTTP: add --http.")
    if as_json:
        print_json({"tools": TOOLS, "instructions": INSTRUCTIONS})
        return
    with _extra_needed():
        keeper = Keeper(_serving(settings, project, is_http=is_http))
        if is_http:
            token = http.read_token(token_file.expanduser()) if token_file else None
            listening = http.Listening(host or HOST, PORT if port is None else port, token)
            http.serve_http(keeper, listening)
        else:
            if sys.stdin.isatty():
                click.echo("noctuary: waiting for an agent on standard input; Ctrl-C ends it.", err=True)
            server.serve_stdio(keeper, _PARENT)


def _serving(settings: Settings, project: str | None, *, is_http: bool) -> Serving:
    """What the server is for: the folder it was started in, unless agents of many folders call it."""
    if project is not None and project.split("/")[0] in _HERE:
        return Serving(settings, folder=Path(project).resolve(), session=agents_session(settings))
    folder = None if is_http else Path.cwd()
    return Serving(settings, folder, project, None if is_http else agents_session(settings))


@contextmanager
def _extra_needed() -> Iterator[None]:
    try:
        yield
    except ModuleNotFoundError as error:
        raise ModelMissing(
            f"`noctuary mcp` needs a library that is not installed ({error.name}); run: pip install 'noctuary[mcp]'"
        ) from error
