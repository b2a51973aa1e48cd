"""Where a server listens, and what it says of trouble; how it runs and ends is tested with real ones."""

import json
import logging
from pathlib import Path

import pytest

from noctuary.doors.http.serving import Ready, Tls, _Telling, serve
from noctuary.doors.logging_lines import LogLines
from noctuary.errors import BadSettings
from noctuary.server_settings import ServerSettings
from noctuary.settings import Settings
from noctuary.testing import FakeClock
from tests.unit.doors.http.guarded import KeptLog


def never(ready: Ready) -> None:
    """Nobody is to be told that it is ready."""
    raise AssertionError(ready)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.0.7", "memory.example", "localhost.evil.example"])
def test_beyond_this_machine_it_does_not_begin_without_tls(tmp_path: Path, host: str) -> None:
    """Nothing is made, neither a token nor a database."""
    settings = Settings(home=tmp_path / "memory", owner="ana", user_home=tmp_path, environ={})

    with pytest.raises(BadSettings, match="in the clear"):
        serve(settings, ServerSettings(host=host, port=0), LogLines(KeptLog(), FakeClock()), never)
    assert list(tmp_path.iterdir()) == []


def test_a_certificate_that_is_none_is_refused(tmp_path: Path) -> None:
    """Before anybody connects."""
    file = tmp_path / "cert.pem"
    file.write_text("nonsense")
    settings = Settings(home=tmp_path / "memory", owner="ana", user_home=tmp_path, environ={})

    with pytest.raises(BadSettings, match=r"cert\.pem"):
        serve(settings, ServerSettings(port=0), LogLines(KeptLog(), FakeClock()), never, tls=Tls(file))
    assert not settings.home.exists()


def test_an_address_has_the_token_only_if_there_is_one() -> None:
    """Else people come with keys."""
    assert Ready("http://localhost:1/", "secret", None).page == "http://localhost:1/?token=secret"
    assert Ready("http://localhost:1/", None, None).page == "http://localhost:1/"


def test_trouble_is_told_without_its_words() -> None:
    """What libraries say may have contents: who says it, the kind of error and where it happened are enough."""
    kept = KeptLog()
    with _Telling(LogLines(kept, FakeClock())):
        try:
            raise ValueError("private words")
        except ValueError:
            logging.getLogger("uvicorn.error").exception("private %s", "message")
        logging.getLogger("noctuary.http").error("private", extra={"kind": "KeyError"})
        logging.getLogger("uvicorn.error").info("private news")

    first, second = [json.loads(line) for line in kept.lines]
    assert (first["logger"], first["kind"]) == ("uvicorn.error", "ValueError")
    assert first["where"].startswith("test_serving.py:")
    assert (second["logger"], second["kind"], second["where"]) == ("noctuary.http", "KeyError", None)
    assert "private" not in kept.text
