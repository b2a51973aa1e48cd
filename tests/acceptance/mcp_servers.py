"""Real servers of `noctuary mcp`: what the tests of the protocol share."""

import json
import re
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.acceptance.conftest import Cli

SECONDS = 120  # after which a server that does not answer is killed, and its test fails
HANDSHAKE = {"capabilities": {}, "clientInfo": {"name": "tester", "version": "1"}}


class Wire:
    """A server by stdio, spoken to line by line, as no well-behaved client would."""

    def __init__(self, cli: Cli, *options: str, cwd: Path | None = None, **extra: str) -> None:
        self.process = subprocess.Popen(
            cli.command("mcp", *options),
            env=cli.environ(**extra),
            cwd=cwd or cli.user_home,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        self.heard: list[dict[str, Any]] = []  # everything that came, in its order
        self._last_id = 0
        self._guard = threading.Timer(SECONDS, self.process.kill)
        self._guard.daemon = True

    def __enter__(self) -> Self:
        self._guard.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._guard.cancel()
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()

    def write(self, line: str) -> None:
        """Send a line as it stands."""
        assert self.process.stdin
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def notify(self, method: str, **params: Any) -> None:
        """Tell something that has no answer."""
        self.write(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}))

    def send(self, method: str, params: Any = None) -> int:
        """Ask something and do not wait; the id of the request."""
        self._last_id += 1
        body = {} if params is None else {"params": params}
        self.write(json.dumps({"jsonrpc": "2.0", "id": self._last_id, "method": method, **body}))
        return self._last_id

    def answer_to(self, request: int) -> dict[str, Any]:
        """Wait for the answer; every line until then must be of the protocol."""
        assert self.process.stdout
        while not (found := [one for one in self.heard if one.get("id") == request]):
            line = self.process.stdout.readline()
            assert line, self.process.communicate()[1]
            self.heard.append(json.loads(line))
            assert self.heard[-1]["jsonrpc"] == "2.0"
        return found[0]

    def ask(self, method: str, params: Any = None) -> dict[str, Any]:
        """Ask and wait."""
        return self.answer_to(self.send(method, params))

    def call(self, tool: str, **arguments: Any) -> str:
        """The text of a tool's answer."""
        result = self.ask("tools/call", {"name": tool, "arguments": arguments})["result"]
        return str(result["content"][0]["text"])

    def shake_hands(self, version: str = "2025-06-18") -> dict[str, Any]:
        """Begin as the protocol says."""
        answer = self.ask("initialize", {"protocolVersion": version, **HANDSHAKE})
        self.notify("notifications/initialized")
        return answer

    def end(self) -> tuple[int, str]:
        """Close its input; the exit code, and what it wrote to its log."""
        _, log = self.process.communicate(timeout=SECONDS)
        return self.process.returncode, log


@contextmanager
def http_server(cli: Cli, *options: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The address of a server by HTTP, and its process; it is stopped at the end."""
    process = subprocess.Popen(
        cli.command("mcp", "--http", "--port", "0", *options),
        env=cli.environ(),
        cwd=cli.user_home,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr
    try:
        told = process.stderr.readline()
        found = re.fullmatch(r"noctuary: serving (http://\S+)\n", told)
        assert found, told + process.communicate()[1]
        yield found[1], process
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise
