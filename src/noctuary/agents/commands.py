"""The command lines that agents call us by, built in one place."""

import os
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from noctuary.errors import BadSettings

HOOK_FILE = Path(__file__).parents[1] / "doors" / "hook" / "__main__.py"
MARK = "noctuary/doors/hook/__main__.py"  # by which a command is known to be ours, wherever Python lies
# Python ends with 2 if a file is gone, which to an agent means: do not let this prompt through.  Nobody may be blocked
# because noctuary was removed, or its environment, without `noctuary uninstall`.
_IF_THERE = 'test -x "$0" && test -r "$3" && exec "$0" "$@"; '
_GONE = (
    '{"systemMessage": "noctuary is not where its hooks look for it, so sessions are not remembered. Install it and '
    'run `noctuary install` again, or take its hooks out of the settings of this agent."}'
)


class Calls(NamedTuple):
    """What the command lines say besides the agent: which Python, and which memory if not the usual one."""

    python: str
    home: Path | None = None
    owner: str | None = None
    state: Path | None = None  # a folder of the memory, to note that the user was told that we are gone

    @classmethod
    def by_this_python(cls, home: Path | None = None, owner: str | None = None, state: Path | None = None) -> "Calls":
        """Those that run what runs now; BadSettings if they could not be written down."""
        if not sys.executable:
            raise BadSettings(
                "Python does not say where it is, so no agent can start it. Run install by its full path."
            )
        whole = [path and Path(os.path.abspath(path)) for path in (home, state)]  # noqa: PTH100 (symlinks stay)
        calls = cls(sys.executable, whole[0], owner, whole[1])
        try:
            "\0".join(calls.hook("", is_start=True)).encode()
        except UnicodeEncodeError as error:
            raise BadSettings(
                "The path of Python or of the memory has characters that are not UTF-8, which settings cannot hold. "
                "Move it, or choose another with --home."
            ) from error
        return calls

    def hook(self, agent: str, *, is_start: bool = False) -> list[str]:
        """The hook: no site packages and nothing of the environment, so that it starts at once.

        Where it is gone nothing happens, but at the start of a session the user is told, once.
        """
        line = [self.python, "-I", "-S", str(HOOK_FILE), "--agent", agent, *self._memory()]
        if sys.platform == "win32":
            return line
        told = shlex.quote(f"{self.state}/told-gone") if self.state and is_start else ""
        once = f"mkdir {told} 2>/dev/null && echo {shlex.quote(_GONE)}; " if told else ""
        return ["/bin/sh", "-c", f"{_IF_THERE}{once}exit 0", *line]

    def server(self) -> list[str]:
        """The MCP server; `-P`, or a module in the folder of a project could take the place of ours."""
        return [self.python, "-P", "-m", "noctuary", *self._memory(), "mcp"]

    def _memory(self) -> list[str]:
        home = ["--home", str(self.home)] if self.home else []
        return [*home, *(["--owner", self.owner] if self.owner else [])]


def as_line(arguments: Sequence[str]) -> str:
    """The command line for agents that hand it to a shell."""
    return subprocess.list2cmdline(arguments) if sys.platform == "win32" else shlex.join(arguments)


def arguments_of(handler: object) -> list[str] | None:
    """What an agent would start for a handler in its settings; None if it is none that we know.

    A command with arguments is started as it is, a line is handed to a shell.
    """
    if not isinstance(handler, dict) or not isinstance(command := handler.get("command"), str):
        return None
    arguments = handler.get("args")
    if isinstance(arguments, list) and all(isinstance(each, str) for each in arguments):
        return [command, *arguments]
    return ["cmd", "/c", command] if sys.platform == "win32" else ["/bin/sh", "-c", command]


def is_our_hook(handler: object) -> bool:
    """Whether a handler in the settings of an agent calls our hook."""
    return any(MARK in each.replace("\\", "/") for each in arguments_of(handler) or ())


def is_our_server(entry: object) -> bool:
    """Whether an entry for an MCP server is one that we write."""
    if not isinstance(entry, dict):
        return False
    command, more = entry.get("command"), entry.get("args") or []
    words = [*(command if isinstance(command, list) else [command]), *(more if isinstance(more, list) else [])]
    return words[1:4] == ["-P", "-m", "noctuary"] and words[-1] == "mcp"
