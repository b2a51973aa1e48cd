"""`noctuary service`, as a process: what it prints, puts into place and takes out; it enables nothing."""

import json
import os
import plistlib
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from noctuary.testing import ClaudeTranscript
from tests.acceptance.conftest import Cli
from tests.unit.doors.test_service_units import command_of, settings_of

SECRET = "postgresql://ana:hunter2@db.example/memory"


def units(cli: Cli) -> Path:
    """Where systemd looks for units of this user."""
    return cli.user_home / ".config" / "systemd" / "user"


def files_below(folder: Path) -> list[Path]:
    """Every file."""
    return sorted(path for path in folder.rglob("*") if path.is_file())


def test_it_only_prints(cli: Cli) -> None:
    """A unit for this memory and this Python, and not a file is made."""
    ran = cli("service", "--systemd")

    assert ran.code == 0
    command = command_of(ran.out)
    assert command == [
        sys.executable, "-P", "-m", "noctuary", "--home", str(cli.memory), "--owner", "ana", "watch", "--log", "-",
    ]  # fmt: skip
    assert files_below(cli.memory.parent) == []


def test_what_the_unit_starts_works_and_stops(cli: Cli) -> None:
    """The command of the unit, in its environment alone, follows transcripts, and ends well when it is stopped."""
    ClaudeTranscript().say("Why is the test flaky?").reply("It depends on the time zone.").save(cli.user_home)
    unit = cli("service", "--systemd", "--", "--every", "0.01").out
    environ = {"HOME": str(cli.user_home), "PYTHONPATH": cli.environ()["PYTHONPATH"], "PATH": os.environ["PATH"]}

    process = subprocess.Popen(command_of(unit), env=environ, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    lines = [json.loads(process.stderr.readline()) for _ in range(2)]
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)

    assert [line["what"] for line in lines] == ["started", "look"]
    assert lines[1]["messages"] == 2
    assert process.returncode == 0


def test_put_into_place_and_taken_out(cli: Cli) -> None:
    """Nothing but the unit is written, the commands that enable it are said, and removal leaves what was before."""
    other = units(cli) / "other.service"
    other.parent.mkdir(parents=True)
    other.write_text("[Service]\nExecStart=/bin/true\n")

    wrote = cli("service", "--systemd", "--write")
    again = cli("service", "--systemd", "--write")

    path = units(cli) / "noctuary-watch.service"
    assert wrote.code == again.code == 0
    assert f"Wrote {path}" in wrote.out
    assert "systemctl --user enable --now noctuary-watch.service" in wrote.out
    assert f"Already there: {path}" in again.out
    assert files_below(cli.user_home) == [path, other]
    assert not list(units(cli).glob("*.wants"))  # nothing is enabled

    removed = cli("service", "--systemd", "--remove")

    assert removed.code == 0
    assert "systemctl --user disable --now noctuary-watch.service" in removed.out
    assert files_below(cli.user_home) == [other]
    assert cli("service", "--systemd", "--remove").code == 1


def test_a_password_is_in_a_file_for_its_owner_only(cli: Cli) -> None:
    """Not in the unit, not on the screen, not in JSON; the file goes with the unit."""
    printed = cli("--database", SECRET, "service", "--systemd")
    wrote = cli("service", "--systemd", "--write", NOCTUARY_DATABASE=SECRET)
    as_json = cli("service", "--systemd", "--json", NOCTUARY_DATABASE=SECRET)

    secret = cli.memory / "service" / "watch.env"
    unit = (units(cli) / "noctuary-watch.service").read_text()
    for shown in (printed, wrote, as_json):
        assert shown.code == 0, shown.err
        assert "hunter2" not in shown.out + shown.err
    assert "hunter2" not in unit
    assert settings_of(unit)["EnvironmentFile"] == [str(secret)]
    assert as_json.json["environment_file"] == str(secret)
    assert secret.read_text().startswith(f'NOCTUARY_DATABASE="{SECRET}"\n')
    assert secret.stat().st_mode & 0o777 == 0o600

    assert cli("service", "--systemd", "--remove").code == 0
    assert files_below(cli.memory) == files_below(cli.user_home) == []


def test_a_database_of_config_toml_needs_no_file(cli: Cli) -> None:
    """The process reads it there by itself."""
    cli.memory.mkdir()
    (cli.memory / "config.toml").write_text(f'database = "{SECRET}"\n')

    ran = cli("service", "--systemd")

    assert ran.code == 0
    assert "EnvironmentFile" not in ran.out
    assert "hunter2" not in ran.out


@pytest.mark.parametrize("text", ["[Service]\nExecStart=/bin/true\n", None])
def test_what_is_not_ours_stays(cli: Cli, text: str | None) -> None:
    """A unit that somebody wrote or edited is neither replaced nor removed."""
    path = units(cli) / "noctuary-watch.service"
    if text is None:
        assert cli("service", "--systemd", "--write").code == 0
        text = path.read_text().replace("Nice=10", "Nice=5")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)

    wrote, removed = (
        cli("service", "--systemd", "--write", "--", "--every", "3"),
        cli("service", "--systemd", "--remove"),
    )

    assert wrote.code == removed.code == 2
    assert str(path) in wrote.err
    assert path.read_text() == text


def test_a_newer_unit_takes_the_place_of_ours(cli: Cli) -> None:
    """Written again with other options, it says what it says now."""
    assert cli("service", "--systemd", "--write").code == 0

    assert cli("service", "--systemd", "--write", "--", "--every", "3").code == 0

    unit = (units(cli) / "noctuary-watch.service").read_text()
    assert command_of(unit)[-2:] == ["--every", "3"]


def test_launchd(cli: Cli) -> None:
    """A property list that starts the same, with a log of its own, since launchd keeps none."""
    wrote = cli("service", "--launchd", "--what", "serve", "--write", NOCTUARY_DATABASE=SECRET)

    path = cli.user_home / "Library" / "LaunchAgents" / "dev.noctuary.serve.plist"
    job = plistlib.loads(path.read_bytes())
    assert wrote.code == 0
    assert shlex.join(["launchctl", "bootstrap", f"gui/{os.getuid()}", str(path)]) in wrote.out
    assert job["ProgramArguments"][-3:] == ["serve", "--log", str(cli.memory / "log" / "serve.log")]
    assert "hunter2" not in path.read_text()
    assert cli("service", "--launchd", "--what", "serve", "--remove").code == 0
    assert files_below(cli.user_home) == files_below(cli.memory) == []


def test_a_service_of_the_system_runs_as_somebody(cli: Cli) -> None:
    """As whom the memory belongs to, never as whoever happens to start it."""
    cli.memory.mkdir()

    unit = cli("service", "--systemd", "--system").out

    assert settings_of(unit)["User"] == [cli.memory.owner()]
    assert settings_of(unit)["WantedBy"] == ["multi-user.target"]


def test_dreams_that_write_elsewhere_may(cli: Cli) -> None:
    """Where dreams keep a block in a project's own files, the service may write below the user's home."""
    cli.memory.mkdir()
    (cli.memory / "config.toml").write_text('[dream]\nmirror = ["CLAUDE.md"]\n')

    unit = cli("service", "--systemd").out

    assert str(cli.user_home) in settings_of(unit)["ReadWritePaths"][0]


@pytest.mark.parametrize(
    ("what", "options", "why"),
    [
        ("serve", ["--port", "many"], "--port"),
        ("serve", ["--bogus"], "--bogus"),
        ("serve", ["word"], "word"),
        ("watch", ["--port", "7500"], "--port"),
        ("watch", ["--every", "0"], "--every"),
        ("watch", ["--once"], "--once"),
        ("watch", ["--database", "postgresql://ana:hunter2@db.example/x"], "--database"),
        ("serve", ["--home", "elsewhere"], "--home"),
        ("serve", ["--owner", "ben"], "--owner"),
        ("serve", ["--host", "0.0.0.0"], "--insecure"),
        ("serve", ["--tls-key", "key.pem"], "--tls-cert"),
    ],
)
def test_what_would_fail_at_the_start_is_refused_now(cli: Cli, what: str, options: list[str], why: str) -> None:
    """A unit that never starts helps nobody, and an address with a password is not for a unit."""
    ran = cli("service", "--systemd", "--what", what, "--write", "--", *options)

    assert ran.code == 2
    assert why in ran.err
    assert "hunter2" not in ran.out + ran.err
    assert files_below(cli.user_home) == files_below(cli.memory.parent) == []


def test_a_service_finds_what_lies_beside_whoever_writes_it(cli: Cli) -> None:
    """It has another folder, so paths are from the root on."""
    options = ["--tls-cert", "cert.pem", "--insecure", "--log", "-"]

    command = command_of(cli("service", "--systemd", "--what", "serve", "--", *options).out)

    assert Path(command[command.index("--tls-cert") + 1]).is_absolute()
    assert "--insecure" in command
    assert command[-2:] == ["--log", "-"]


def test_opposites_are_refused(cli: Cli) -> None:
    """Nobody means both."""
    assert cli("service", "--write", "--remove").code == 2
