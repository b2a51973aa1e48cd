"""Real servers of `noctuary serve`: what their tests share."""

import re
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

import httpx

from tests.acceptance.conftest import Cli

SECONDS = 120  # after which a server that does not answer or end is killed, and its test fails


class Served(NamedTuple):
    """A server that runs."""

    address: str  # without the slash at its end
    token: str | None
    process: subprocess.Popen[str]

    @property
    def port(self) -> int:
        """Where it listens."""
        return urlsplit(self.address).port or 0

    def client(self, key: str | None = None) -> httpx.Client:
        """Somebody who comes with a key, or with the token."""
        return httpx.Client(
            base_url=self.address,
            headers={"authorization": f"Bearer {key or self.token}"},
            timeout=SECONDS,
            verify=False,
        )

    def end(self, by: signal.Signals = signal.SIGTERM) -> tuple[int, str]:
        """Stop it; its exit code, and what it wrote to its log."""
        self.process.send_signal(by)
        _, log = self.process.communicate(timeout=SECONDS)
        return self.process.returncode, log

    def says(self, raw: bytes) -> bytes:
        """All that it answers to these bytes until it closes the connection."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=SECONDS) as connection:
            heard = bytearray()
            with suppress(ConnectionError):  # it may close while there is more to send
                connection.sendall(raw)
                while piece := connection.recv(65_536):
                    heard += piece
            return bytes(heard)


@contextmanager
def web_server(cli: Cli, *options: str, port: int = 0, **extra: str) -> Iterator[Served]:
    """A server on a port that is free; it is stopped at the end."""
    process = subprocess.Popen(
        cli.command("serve", "--port", str(port), *options),
        env=cli.environ(**extra),
        cwd=cli.user_home,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    try:
        told = process.stdout.readline()
        found = re.fullmatch(r"noctuary: serving (https?://\S+)\n", told)
        assert found, told + process.communicate()[1]
        parts = urlsplit(found[1])
        token = parse_qs(parts.query).get("token", [None])[0]
        yield Served(f"{parts.scheme}://{parts.netloc}", token, process)
    finally:
        _stop(process)


def _stop(process: subprocess.Popen[str]) -> None:
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
    try:
        process.communicate(timeout=SECONDS)
    except ValueError:  # it was read to its end before
        process.wait(SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise
