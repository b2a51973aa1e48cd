"""Units: whatever a path or a value is, the service manager reads back exactly that, and never a password."""

import os
import plistlib
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from noctuary.doors.http.application import MOST_THREADS
from noctuary.doors.service_units import Service, environment_text, launchd_plist, systemd_unit
from noctuary.errors import BadSettings

pytestmark = pytest.mark.slow

ODD = [
    "/a b/python",
    "/50%/python",
    '/a"b/python',
    "/a'b/python",
    "/a\\b",
    "/$HOME/${X}",
    "/ünïcødé/日本",
    "/;/",
    "/a\tb",
]
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1)
PLAIN = Service("watch", ["/usr/bin/python3", "-m", "noctuary", "watch"], [Path("/home/ana/memory")], {})


def settings_of(unit: str) -> dict[str, list[str]]:
    """What a unit sets, name by name, as it is written."""
    found: dict[str, list[str]] = {}
    for line in unit.split("\n"):
        if line and line[0] not in "[#":
            name, _, value = line.partition("=")
            found.setdefault(name, []).append(value)
    return found


def words_of(value: str) -> list[str]:
    """The words of a value, as systemd.syntax(7) and systemd.unit(5) have them: quotes, C escapes, then specifiers."""
    words = re.findall(r'"((?:[^"\\]|\\.)*)"(?: |$)', value)
    assert " ".join(f'"{word}"' for word in words) == value
    return [_specified(_unescaped(word)) for word in words]


def _unescaped(word: str) -> str:
    return re.sub(r'\\(?:x([0-9a-f]{2})|(["\\]))', lambda m: chr(int(m[1], 16)) if m[1] else m[2], word)


def _specified(word: str) -> str:
    assert "%" not in word.replace("%%", "")
    return word.replace("%%", "%")


def command_of(unit: str) -> list[str]:
    """What would be started."""
    first, *others = words_of(settings_of(unit)["ExecStart"][0])
    assert first.startswith(":/")  # so that systemd takes a dollar for a dollar
    if others[:1] == ["-c"]:
        return others[2:]
    return [first[1:], *others]


@given(first=texts, others=st.lists(texts), value=texts, path=texts)
@example(first="py thon", others=ODD, value='%h "$x" \\', path="a b%")
@example(first="it's", others=[";", "\\;", "$$"], value="\n", path="\x7f")
def test_a_unit_is_read_back_as_it_was_meant(first: str, others: list[str], value: str, path: str) -> None:
    """Spaces, quotes, per cent, dollars, line breaks and any script come through, and no value adds a line."""
    service = PLAIN._replace(
        command=[f"/{first}", *others], environment={"PATH": value}, writable=[Path("/m") / path.strip("/")]
    )

    unit = systemd_unit(service)

    assert command_of(unit) == [f"/{first}", *others]
    assert words_of(settings_of(unit)["Environment"][0]) == [f"PATH={value}"]
    assert words_of(settings_of(unit)["ReadWritePaths"][0]) == [f"-{service.writable[0]}"]
    assert unit.count("\n") == systemd_unit(PLAIN._replace(environment={"PATH": "x"})).count("\n")


@given(words=st.lists(texts.filter(lambda text: all(map(_is_xml, text))), min_size=1))
@example(words=ODD)
@example(words=["<key>&amp;</key>", "]]>", "-->"])
def test_a_property_list_is_read_back_as_it_was_meant(words: list[str]) -> None:
    """What XML can hold comes through."""
    job = plistlib.loads(launchd_plist(PLAIN._replace(command=words)).encode())

    assert job["ProgramArguments"] == words
    assert job["Label"] == "dev.noctuary.watch"
    assert job["KeepAlive"] == {"SuccessfulExit": False}


def test_a_server_may_begin_all_threads_that_it_answers_with() -> None:
    """Each is a task to systemd; where no more can be begun, requests fail."""
    most = settings_of(systemd_unit(PLAIN._replace(what="serve")))["TasksMax"]

    assert int(most[0]) >= 2 * MOST_THREADS  # dreams, models and connections have some of their own


def _is_xml(character: str) -> bool:
    code = ord(character)
    return code in (9, 10) or (32 <= code < 0xFFFE and code not in (13, 127, 0x85)) or code > 0xFFFF


def shell_reads(path: Path) -> str:
    """What a shell makes of a file of the environment."""
    program = 'set -a; . "$0"; set +a; exec "$@"'
    show = "import os, sys; sys.stdout.buffer.write(os.environb[b'NOCTUARY_DATABASE'])"
    command = ["/bin/sh", "-c", program, str(path), sys.executable, "-c", show]
    return subprocess.run(command, check=True, capture_output=True).stdout.decode()


@pytest.mark.parametrize(
    "value",
    [
        "postgresql://ana:p%40ss@db/memory",
        "postgresql://ana:a$HOME`id`\"'\\ #;&@db/memory?sslmode=require",
        "postgresql://ünï:日本@db/m",
    ],
)
def test_a_file_of_the_environment_says_it_to_a_shell(tmp_path: Path, value: str) -> None:
    """launchd reads no such file, so a shell does; nothing in it is run."""
    (tmp_path / "watch.env").write_text(environment_text({"NOCTUARY_DATABASE": value}))

    assert shell_reads(tmp_path / "watch.env") == value


def test_where_the_secret_is(tmp_path: Path) -> None:
    """A unit and a property list name the file, and that is all they say of it."""
    service = PLAIN._replace(environment_file=Path("/home/ana/my 50% memory/watch.env"))

    unit, job = systemd_unit(service), plistlib.loads(launchd_plist(service).encode())

    assert settings_of(unit)["EnvironmentFile"] == ["/home/ana/my 50%% memory/watch.env"]
    assert job["ProgramArguments"][3:] == ["/home/ana/my 50% memory/watch.env", *service.command]


@pytest.mark.parametrize("bad", ["/a\nExecStart=/bin/evil/watch.env", "/a/watch.env\\", "/a/watch.env "])
def test_what_a_bare_value_cannot_hold_is_refused(bad: str) -> None:
    """A path with a line break would be a setting of its own."""
    with pytest.raises(BadSettings, match="--home"):
        systemd_unit(PLAIN._replace(environment_file=Path(bad)))


def test_what_no_file_can_hold_is_refused() -> None:
    """Bytes that are not UTF-8, and control characters in XML: half a unit is worse than none."""
    path = os.fsdecode(b"/\xff/python")

    for make in (systemd_unit, launchd_plist):
        with pytest.raises(BadSettings, match="UTF-8"):
            make(PLAIN._replace(command=[path]))
    with pytest.raises(BadSettings, match="control"):
        launchd_plist(PLAIN._replace(command=["/a\x01b"]))
    with pytest.raises(BadSettings, match="control"):
        environment_text({"NOCTUARY_DATABASE": "postgresql://db\nPATH=x"})


def test_launchd_counts_no_processes() -> None:
    """It would count all that its user runs, so that on a desktop the service could not begin a single one."""
    job = plistlib.loads(launchd_plist(PLAIN).encode())

    assert "NumberOfProcesses" not in str(job)


def test_a_service_may_do_little() -> None:
    """It starts again after a failure, a few times; writes to its folder, gains no rights and takes its turn last."""
    found = settings_of(systemd_unit(PLAIN))

    for name, value in {
        "Restart": "on-failure",
        "StartLimitBurst": "5",
        "RestartPreventExitStatus": "2",
        "NoNewPrivileges": "yes",
        "ProtectSystem": "strict",
        "ReadWritePaths": '"-/home/ana/memory"',
        "PrivateTmp": "yes",
        "UMask": "0077",
        "Nice": "10",
        "MemoryMax": "2G",
        "WantedBy": "default.target",
    }.items():
        assert found[name] == [value], name


def test_what_a_machine_cannot_do_is_left_out() -> None:
    """Where a user's services have no file system of their own, a unit starts all the same, and says what it lacks."""
    unit = systemd_unit(PLAIN._replace(has_namespaces=False))

    assert not {"ProtectSystem", "PrivateUsers", "PrivateTmp"} & settings_of(unit).keys()
    assert "# This machine" in unit
    assert "ProtectSystem" in settings_of(systemd_unit(PLAIN._replace(has_namespaces=False, user="ana")))


def test_a_memory_below_tmp_is_found() -> None:
    """A /tmp of its own would hide it."""
    assert "PrivateTmp" not in settings_of(systemd_unit(PLAIN._replace(writable=[Path("/tmp/memory")])))


def verified(unit: str, folder: Path, *, is_user: bool) -> str:
    """What systemd itself says of a unit; nothing if it is sound."""
    path = folder / "noctuary-watch.service"
    path.write_text(unit)
    command = ["systemd-analyze", "verify", *(["--user"] if is_user else []), str(path)]
    environ = {**os.environ, "XDG_RUNTIME_DIR": str(folder)}
    ran = subprocess.run(command, capture_output=True, text=True, check=False, env=environ)
    return "\n".join(line for line in (ran.stderr + ran.stdout).splitlines() if path.name in line)


@pytest.fixture
def programs(tmp_path: Path) -> list[Path]:
    """Programs in folders with odd names."""
    folders = [tmp_path / name.strip("/").replace("/", "-") for name in ODD]
    for folder in folders:
        folder.mkdir()
        (folder / "py %h").symlink_to(sys.executable)
    return [folder / "py %h" for folder in folders]


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not here, so it cannot read a unit")
@pytest.mark.parametrize("is_user", [True, False])
def test_systemd_takes_it_without_a_word(tmp_path: Path, programs: list[Path], is_user: bool) -> None:
    """Every odd path is found by systemd where it is, and every setting is one that it knows."""
    for program in programs:
        service = PLAIN._replace(
            command=[str(program), *ODD],
            writable=[program.parent],
            environment={"PATH": str(program)},
            environment_file=tmp_path / "a 50% b" / "watch.env",
            user="" if is_user else "root",
        )

        assert verified(systemd_unit(service), tmp_path, is_user=is_user) == ""


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not here, so it cannot read a unit")
def test_systemd_would_say_what_is_wrong(tmp_path: Path) -> None:
    """The test above can fail: a program that is not there, and a setting that makes no sense, are both told."""
    unit = systemd_unit(PLAIN._replace(command=["/nowhere/python"]))

    assert "not executable" in verified(unit, tmp_path, is_user=True)
    assert "bogus" in verified(unit.replace("=strict", "=bogus"), tmp_path, is_user=True)
