"""`noctuary serve` as a process: who is let in, what is refused, what it says of itself, and how it ends."""

import json
import os
import re
import shlex
import shutil
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.acceptance.conftest import Cli
from tests.acceptance.web_servers import SECONDS, Served, web_server

STATUS = "/api/v1/status"
_ANSWERS = re.compile(rb"HTTP/1\.1 (\d{3}) ")


@pytest.fixture(scope="module")
def module_cli(tmp_path_factory: pytest.TempPathFactory) -> Cli:
    folder = tmp_path_factory.mktemp("serve")
    (folder / "home").mkdir()
    return Cli(folder / "memory", folder / "home")


@pytest.fixture(scope="module")
def served(module_cli: Cli) -> Iterator[Served]:
    """A server that tests share which change nothing."""
    with web_server(module_cli) as made:
        yield made


def test_the_address_that_is_printed_lets_in(served: Served) -> None:
    """A browser that opens it is shown the page, and goes on without the token."""
    with httpx.Client(base_url=served.address, timeout=SECONDS) as browser:
        first = browser.get("/", params={"token": served.token or ""}, follow_redirects=False)
        page = browser.get("/", headers={"accept": "text/html"})

    assert (first.status_code, first.headers["location"]) == (303, "/")
    assert {"httponly", "samesite=strict"} <= {part.strip().lower() for part in first.headers["set-cookie"].split(";")}
    assert page.status_code == 200
    assert "text/html" in page.headers["content-type"]


def test_without_the_token_nobody_is_let_in(served: Served) -> None:
    """Neither to the API nor to the page; to ask whether it is there needs no key."""
    with httpx.Client(base_url=served.address, timeout=SECONDS) as stranger:
        assert stranger.get(STATUS).status_code == 401
        assert stranger.get("/", headers={"accept": "text/html"}).status_code == 401
        assert stranger.get("/api/v1/health").status_code == 200


def test_the_token_stays_the_same(cli: Cli) -> None:
    """What is open goes on after the server was started again; only its owner can read it."""
    with web_server(cli) as first, first.client() as client:
        assert client.get(STATUS).status_code == 200
    with web_server(cli) as second:
        assert second.token == first.token
    assert stat.S_IMODE((cli.memory / "server.token").stat().st_mode) == 0o600


def test_the_environment_may_say_the_token(cli: Cli) -> None:
    """Then none is made; one that is too short is refused in a line."""
    with web_server(cli, NOCTUARY_TOKEN="a-token-of-my-own") as served, served.client("a-token-of-my-own") as client:
        assert client.get(STATUS).status_code == 200
    assert not (cli.memory / "server.token").exists()

    ran = cli("serve", "--port", "0", NOCTUARY_TOKEN="short")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "NOCTUARY_TOKEN" in ran.err


def test_a_journal_that_others_read_does_not_get_the_token(cli: Cli) -> None:
    """systemd says so by a variable; the token is in its file."""
    with web_server(cli, JOURNAL_STREAM="8:1") as served:
        assert served.token is None
        token = (cli.memory / "server.token").read_text().strip()
        with served.client(token) as client:
            assert client.get(STATUS).status_code == 200


def test_a_browser_that_is_opened_is_not_given_the_token(cli: Cli, tmp_path: Path) -> None:
    """Others on this machine can see its arguments; what it is given opens the page once."""
    opened, browser = tmp_path / "opened", tmp_path / "browser"
    os.mkfifo(opened)  # whoever reads it waits until the browser has written
    browser.write_text(f'#!/bin/sh\nprintf "%s %s" "$$" "$1" > {opened}\nexec sleep 60\n')  # and stays open
    browser.chmod(0o700)

    with web_server(cli, "--open", BROWSER=f"{browser} %s") as served:
        number, address = opened.read_text().split()
        answers = [httpx.get(address, timeout=SECONDS) for _ in range(2)]

        assert served.token is not None
        assert served.token not in address
        assert [answer.status_code for answer in answers] == [303, 401]
        os.kill(int(number), signal.SIGKILL)  # or it would be waited for


def test_a_key_made_elsewhere_is_good_and_a_revoked_one_is_not(cli: Cli) -> None:
    """Keys are in the database: a server that runs knows them at once, and forgets them at once."""
    with web_server(cli) as served:
        made = cli("key", "make", "laptop", "--json").json
        with served.client(made["key"]) as client:
            assert client.get(STATUS).status_code == 200
            assert client.put("/api/v1/sessions/s1", json={}).status_code == 403
            assert cli("key", "revoke", made["id"]).code == 0
            assert client.get(STATUS).status_code == 401


def test_each_owner_sees_their_own(cli: Cli) -> None:
    """A key opens the memory of whoever made it."""
    keys = {}
    for owner in ("ana", "ben"):
        keys[owner] = cli("key", "make", "k", "--scope", "read", "--scope", "write", "--owner", owner).out.strip()
    with web_server(cli) as served, served.client(keys["ana"]) as ana, served.client(keys["ben"]) as ben:
        assert ana.put("/api/v1/sessions/anas", json={}).status_code == 201
        assert ana.get("/api/v1/sessions/anas").status_code == 200
        assert ben.get("/api/v1/sessions/anas").status_code == 404


def test_a_key_for_a_project_sees_that_project(cli: Cli) -> None:
    """By its whole name: another that ends in the same word is another, and one that is asked for in vain too."""
    key = cli("key", "make", "k", "--scope", "read", "--scope", "write", "--project", "/home/ana/shop").out.strip()
    with web_server(cli) as served, served.client() as everything, served.client(key) as shop:
        for name, project in (("s1", "/home/ana/shop"), ("s2", "/home/ben/shop"), ("s3", "shop")):
            assert everything.put(f"/api/v1/sessions/{name}", json={"project": project}).status_code == 201
        seen = [shop.get(f"/api/v1/sessions/{name}").status_code for name in ("s1", "s2", "s3")]

        assert seen == [200, 404, 404]
        assert shop.get(STATUS).status_code == 403


def test_beyond_this_machine_it_wants_tls(cli: Cli) -> None:
    """It says so in one sentence, and how."""
    for host in ("0.0.0.0", "::", "192.0.2.1", "example.org"):
        ran = cli("serve", "--host", host, "--port", "0")

        assert ran.code == 2
        assert ran.out == ""
        assert ran.err.count("\n") == 1
        assert "--tls-cert" in ran.err
        assert "--insecure" in ran.err


def test_beyond_this_machine_there_are_only_keys(cli: Cli) -> None:
    """The token is for this machine; with --insecure somebody else does TLS."""
    key = cli("key", "make", "laptop").out.strip()
    with web_server(cli, "--host", "0.0.0.0", "--insecure") as served:
        here = served._replace(address=f"http://127.0.0.1:{served.port}")
        with here.client(key) as client:
            assert served.token is None
            assert client.get(STATUS).status_code == 200
            assert client.get(STATUS, headers={"host": f"evil.example:{served.port}"}).status_code == 421


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate for loopback, and its key."""
    if not shutil.which("openssl"):
        pytest.skip("openssl is not installed, so there is no certificate to serve with")
    folder = tmp_path_factory.mktemp("tls")
    made = (folder / "cert.pem", folder / "key.pem")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-out", made[0], "-keyout", made[1]],
        check=True, capture_output=True,
    )  # fmt: skip
    return made


def test_with_a_certificate_it_serves_tls(cli: Cli, certificate: tuple[Path, Path]) -> None:
    """Also beyond this machine; what is not TLS is not answered."""
    cert, key = map(str, certificate)
    api_key = cli("key", "make", "laptop").out.strip()
    with web_server(cli, "--host", "0.0.0.0", "--tls-cert", cert, "--tls-key", key) as served:
        here = served._replace(address=f"https://127.0.0.1:{served.port}")
        with here.client(api_key) as client:
            answer = client.get(STATUS)
            cookie = client.get("/", params={"token": api_key}).headers["set-cookie"]

        assert served.address.startswith("https://")
        assert answer.status_code == 200
        assert answer.headers["strict-transport-security"]
        assert "Secure" in cookie
        with pytest.raises(httpx.TransportError):
            httpx.get(f"http://127.0.0.1:{served.port}/api/v1/health", timeout=SECONDS)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--tls-key", "key.pem"), "--tls-cert"),
        (("--tls-cert", "absent.pem"), "absent.pem"),
        (("--port", "70000"), "70000"),
        (("--host", "256.1.1.1", "--insecure"), "256.1.1.1"),
        (("--host", "256.1.1.1", "--insecure"), "with --host"),
        (("--host", "192.0.2.1", "--insecure"), "with --host"),
        (("--log", "/proc/nowhere/log"), "--log"),
    ],
)
def test_what_cannot_be_served_is_said_in_a_line(cli: Cli, options: tuple[str, ...], said: str) -> None:
    """Before it begins."""
    ran = cli("serve", *options)

    assert ran.code == 2
    assert said in ran.err


def test_a_port_that_is_taken_is_said(cli: Cli, served: Served) -> None:
    """With what to do."""
    ran = cli("serve", "--port", str(served.port))

    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert f"Port {served.port}" in ran.err
    assert "--port" in ran.err


def test_settings_that_make_no_sense_are_said(cli: Cli) -> None:
    """And where they are."""
    cli.memory.mkdir()
    (cli.memory / "config.toml").write_text("[server]\nhots = []\n")

    ran = cli("serve")

    assert ran.code == 2
    assert "hots" in ran.err


def test_a_database_that_is_not_there_is_said_and_waited_for(cli: Cli) -> None:
    """It may start after its servers; until then who asks is told, and nobody is told the password."""
    with web_server(cli, "--database", "postgresql://ana:topsecret@127.0.0.1:1/none") as served:
        with served.client() as client, served.client("nk_stranger_x") as stranger:
            told, told_stranger = client.get(STATUS), stranger.get(STATUS)
        code, said = served.end()

    assert (code, told.status_code, told.headers["retry-after"]) == (0, 503, "5")
    assert "127.0.0.1:1" not in told.text + told_stranger.text
    assert said.startswith("noctuary: postgresql://127.0.0.1:1/none cannot be used")
    assert "topsecret" not in said


def test_settings_are_used(cli: Cli) -> None:
    """Limits, names and other sites are those of config.toml."""
    cli.memory.mkdir()
    (cli.memory / "config.toml").write_text(
        "[server]\nrequests_per_minute = 2\nmost_body_bytes = 100\nhosts = ['memory.example']\n"
        "origins = ['https://tool.example']\n"
    )
    with web_server(cli) as served, served.client() as client:
        first = client.get(STATUS, headers={"host": "memory.example", "origin": "https://tool.example"})
        codes = [client.get(STATUS).status_code for _ in range(2)]
        long = client.put("/api/v1/sessions/s", content=b"x" * 101)

    assert first.status_code == 200
    assert first.headers["access-control-allow-origin"] == "https://tool.example"
    assert codes == [200, 429]
    assert long.status_code == 413


def test_what_is_missing_is_said_in_one_line(cli: Cli, tmp_path: Path) -> None:
    """Whoever installed the base alone is told what to install, and into which environment."""
    missing = "raise ModuleNotFoundError(\"No module named 'uvicorn'\", name='uvicorn')"
    (tmp_path / "uvicorn.py").write_text(missing, encoding="utf-8")

    ran = cli("serve", PYTHONPATH=f"{tmp_path}:{cli.environ()['PYTHONPATH']}")

    assert ran.code == 5
    assert ran.err.count("\n") == 1
    assert f"{shlex.quote(sys.executable)} -m pip install 'noctuary[http]'" in ran.err


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_when_it_is_told_to(cli: Cli, number: signal.Signals) -> None:
    """With exit code 0, and a log that says so; nothing is left that listens."""
    with web_server(cli) as served:
        with served.client() as client:
            assert client.get(STATUS).status_code == 200

        code, log = served.end(number)

        assert code == 0, log
        assert json.loads(log.splitlines()[-1])["what"] == "stopped"
        with pytest.raises(OSError, match="refused"):
            socket.create_connection(("127.0.0.1", served.port))
    assert not (cli.memory / "noctuary.db-wal").exists()  # the last who leaves tidies it away


def test_what_is_under_way_ends_first(cli: Cli) -> None:
    """A request whose half has come when the server is stopped is answered, and what it said is kept."""
    body = json.dumps({"title": "half and half"}).encode()
    with web_server(cli) as served:
        head = (
            f"PUT /api/v1/sessions/s1 HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {served.token}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\nExpect: 100-continue\r\n\r\n"
        )
        with socket.create_connection(("127.0.0.1", served.port), timeout=SECONDS) as connection:
            connection.sendall(head.encode())
            assert connection.recv(100).startswith(b"HTTP/1.1 100 ")  # it waits for the body now
            connection.sendall(body[:10])
            served.process.send_signal(signal.SIGTERM)
            _wait_until_closed(served.port)
            connection.sendall(body[10:])
            answer = b"".join(iter(lambda: connection.recv(65_536), b""))

        assert _ANSWERS.findall(answer) == [b"201"]
        assert served.process.wait(SECONDS) == 0
    with web_server(cli) as again, again.client() as client:
        assert client.get("/api/v1/sessions/s1").json()["title"] == "half and half"


def _wait_until_closed(port: int) -> None:
    """Return when nobody listens there any more; a connection that waits for its turn may be let go."""
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=SECONDS).close()
        except OSError:
            return


def test_who_listens_to_changes_is_let_go(cli: Cli) -> None:
    """A stream that would never end ends with the server, and keeps nobody waiting."""
    with web_server(cli) as served:
        with served.client() as client, client.stream("GET", "/api/v1/changes") as stream:
            assert stream.status_code == 200
            lines = stream.iter_lines()
            next(lines)
            served.process.send_signal(signal.SIGTERM)

            for _ in lines:
                pass

        assert served.process.wait(SECONDS) == 0
        _, log = served.process.communicate(timeout=SECONDS)
    assert [json.loads(line)["level"] for line in log.splitlines()].count("error") == 0, log


def test_lines_about_requests_have_no_contents(cli: Cli, tmp_path: Path) -> None:
    """Each is JSON: route, status, key, time; in a file for its owner only, if one is named."""
    log = tmp_path / "serve.log"
    key = cli("key", "make", "laptop").out.strip()
    with web_server(cli, "--log", str(log)) as served:
        with served.client(key) as client:
            client.get("/api/v1/sessions/intimate-name", params={"q": "intimate-words"})
            client.get("/intimate-path", headers={"x-mine": "intimate-header"})
            client.put("/api/v1/sessions/s1", json={"title": "intimate-title"})
        code, err = served.end()

    text = log.read_text()
    lines = [json.loads(line) for line in text.splitlines()]
    assert (code, err) == (0, "")
    assert [(line["path"], line["status"]) for line in lines if line["what"] == "request"] == [
        ("/api/v1/sessions/{session}", 404),
        ("-", 404),
        ("/api/v1/sessions/{session}", 403),
    ]
    assert stat.S_IMODE(log.stat().st_mode) == 0o600
    for secret in ("intimate", key.split("_")[2], served.token or "-"):
        assert secret not in text
        for path in (path for path in cli.memory.rglob("*") if path.is_file() and path.name != "server.token"):
            assert secret.encode() not in path.read_bytes(), path


def test_what_was_asked_can_be_read(cli: Cli) -> None:
    """By key, and those who were not let in apart."""
    key = cli("key", "make", "laptop").out.strip()
    with web_server(cli) as served:
        with served.client(key) as client:
            client.get(STATUS)
        with served.client("nonsense") as client:
            client.get(STATUS)

    mine = cli("key", "audit", "--key", key.split("_")[1], "--json").json
    others = cli("key", "audit", "--refused", "--json").json
    assert [(each["verb"], each["path"], each["status"]) for each in mine] == [("GET", STATUS, 200)]
    assert [(each["key_id"], each["path"], each["status"]) for each in others] == [("", STATUS, 401)]
    assert cli("key", "list", "--json").json[0]["used_ms"] == mine[0]["at_ms"]
    assert cli("key", "audit").out.splitlines()[1].split()[-1] == STATUS


AUTHORIZED = "Authorization: Bearer {token}\r\n"


@pytest.mark.parametrize(
    "request_",
    [
        "POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n{next}",  # noqa: E501
        "POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n{next}",
        "POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\nContent-Length: 9\r\n\r\n{next}",
        "POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n{next}",
        "POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n{next}",
        "POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n{next}",
        "POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: +5\r\n\r\n{next}",
        "POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0x5\r\n\r\n{next}",
        "POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n{next}",
        "GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\n\r\n{next}",
        "GET {path} HTTP/1.1\r\n\r\n{next}",
        "GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX: a\0b\r\n\r\n{next}",
        "GET {path}\0 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n{next}",
        "GET {path} HTTP/9.9\r\nHost: 127.0.0.1\r\n\r\n{next}",
        "\x16\x03\x01\x02\x00\r\n\r\n{next}",
    ],
)
def test_no_request_hides_in_another(served: Served, request_: str) -> None:
    """What two readers could read differently is refused, and nothing behind it is read."""
    authorized = AUTHORIZED.format(token=served.token)
    hidden = f"GET {STATUS} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n{authorized}\r\n"

    answer = served.says(request_.format(path=STATUS, next=hidden).encode("latin-1"))

    assert _ANSWERS.findall(answer) in ([b"400"], [b"505"]), answer


def test_a_head_without_an_end_is_not_read_to_its_end(served: Served) -> None:
    """Nobody is let in by what comes behind it, and others are answered."""
    answer = served.says(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"a" * 10_000_000 + b"\r\n\r\n")

    assert _ANSWERS.findall(answer) in ([], [b"400"])
    with served.client() as client:
        assert client.get(STATUS).status_code == 200


@pytest.mark.parametrize(
    ("target", "host", "status"),
    [
        ("http://evil.example/api/v1/health", "evil.example", 421),
        ("/api/v1/health", "evil.example", 421),
        ("/api/v1/health", "127.0.0.1", 200),
        ("/api/v1/../v1/status", "127.0.0.1", 404),
        ("/static/../../../../../etc/passwd", "127.0.0.1", 404),
        ("/static/..%2f..%2f..%2f..%2fetc/passwd", "127.0.0.1", 404),
        ("//evil.example/?token=x", "127.0.0.1", 401),
    ],
)
def test_targets_lead_nowhere_else(served: Served, target: str, host: str, status: int) -> None:
    """Neither to another host nor out of a folder."""
    answer = served.says(f"GET {target} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())

    assert _ANSWERS.findall(answer) == [str(status).encode()]
    assert b"root:" not in answer


@pytest.mark.parametrize("is_in_pieces", [False, True])
def test_who_sends_too_much_is_told_so(served: Served, is_in_pieces: bool) -> None:
    """They read all of the answer, though they were still sending when it was given."""
    body = b" " * 9_000_000
    with served.client() as client:
        for _ in range(5):
            sent = iter([body[:5_000_000], body[5_000_000:]]) if is_in_pieces else body
            told = client.put("/api/v1/sessions/s1", content=sent, headers={"content-type": "application/json"})
            assert (told.status_code, told.json()["status"]) == (413, 413)


def test_a_stranger_is_refused_before_anything_is_read(served: Served) -> None:
    """The answer comes though nothing of the body does: nobody without a key makes the server hold one."""
    answer = served.says(
        b"POST /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        b"Content-Length: 4000000\r\nConnection: close\r\n\r\n"
    )

    assert _ANSWERS.findall(answer) == [b"401"]


def test_a_body_without_an_end_is_cut(served: Served) -> None:
    """Before it is all there: nobody can fill the memory of the server."""
    head = (
        f"PUT /api/v1/sessions/s1 HTTP/1.1\r\nHost: 127.0.0.1\r\n{AUTHORIZED.format(token=served.token)}"
        "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    piece = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
    sent = 0
    with socket.create_connection(("127.0.0.1", served.port), timeout=SECONDS) as connection:
        connection.sendall(head.encode())
        try:
            while sent < 100_000_000:
                connection.sendall(piece)
                sent += 0x10000
        except OSError:
            pass

    assert sent < 100_000_000
    with served.client() as client:
        assert client.get(STATUS).status_code == 200


def test_json_says_where_it_is(cli: Cli) -> None:
    """For programs that start it."""
    process = subprocess.Popen(
        cli.command("serve", "--port", "0", "--json"), env=cli.environ(), stdout=subprocess.PIPE, text=True
    )
    assert process.stdout
    told = "".join(iter(process.stdout.readline, "}\n")) + "}"
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=SECONDS)

    where = json.loads(told)
    assert where["page"].startswith(f"{where['address']}?token=")
