"""Who may listen where, and what a token must be; the server itself is met in the acceptance tests."""

from pathlib import Path

import pytest

from noctuary.doors.leftovers import Receive, Scope, Send
from noctuary.doors.mcp.http import (
    Listening,
    configured,
    guarded,
    is_loopback,
    read_token,
    serve_http,
)
from noctuary.doors.patience import Patience
from noctuary.errors import BadSettings
from tests.unit.doors.mcp.serving import Served

TOKEN = "n0ctuary-token-of-32-characters-"


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.8.8", "localhost", "::1", "[::1]"])
def test_these_are_reached_from_this_machine_only(host: str) -> None:
    """Without a token nothing else is listened on."""
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.0.7", "example.com", "localhost.example.com", "", "127.1"])
def test_these_may_be_reached_from_elsewhere(host: str, served: Served) -> None:
    """A name may mean anything, so it counts as elsewhere, and a token is asked for."""
    assert not is_loopback(host)
    with pytest.raises(BadSettings, match="--token-file"):
        serve_http(served.keeper, Listening(host=host, port=0))


def token_file(folder: Path, text: str, mode: int = 0o600) -> Path:
    """A file with a token."""
    path = folder / "token"
    path.write_text(text, encoding="utf-8")
    path.chmod(mode)
    return path


def test_a_token_is_the_word_in_a_file(tmp_path: Path) -> None:
    """Without the line's end that editors add."""
    assert read_token(token_file(tmp_path, f"{TOKEN}\n")) == TOKEN


@pytest.mark.parametrize("text", ["", "short", "two words in this file here", "nicht-ascii-zeichen-öäüß", "a\nb" * 10])
def test_a_token_that_will_not_do_is_refused(tmp_path: Path, text: str) -> None:
    """Empty files and short words protect nothing, and some cannot be sent in a header."""
    with pytest.raises(BadSettings, match="at least 16"):
        read_token(token_file(tmp_path, text))


def test_a_token_that_others_can_read_is_refused(tmp_path: Path) -> None:
    """As ssh does with keys."""
    with pytest.raises(BadSettings, match="chmod 600"):
        read_token(token_file(tmp_path, TOKEN, 0o644))


def test_a_missing_token_is_said(tmp_path: Path) -> None:
    """Nobody should believe to be protected by a file that is not there."""
    with pytest.raises(BadSettings, match="cannot be read"):
        read_token(tmp_path / "none")


def test_nobody_keeps_the_server_waiting() -> None:
    """Whoever opens connections and says nothing is let go, as by the server of a team: see doors/test_patience."""

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        """Says nothing."""

    assert configured(guarded(application, TOKEN)).http is Patience
