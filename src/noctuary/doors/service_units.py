"""Texts by which a service manager keeps `noctuary watch` or `noctuary serve` running: systemd's and launchd's.

Every value is escaped for the place where it stands, and each place has rules of its own:

- a word of systemd's ExecStart=, Environment= or ReadWritePaths= stands in quotes, with C escapes and `%%` for `%`;
- ExecStart= begins with `:`, so that `$` is only a dollar;
- EnvironmentFile= is a bare path to the end of the line, in which only `%` means something;
- a file of the environment is read by systemd and, for launchd, by a shell: what both understand is a value in double
  quotes, with a backslash before the four characters that mean something there.

A password of a database never stands in a unit, which others may read and managers show; it stands in a file of the
environment, for its owner only.
"""

import plistlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from noctuary.errors import BadSettings

WHAT = ("watch", "serve")
DATABASE = "NOCTUARY_DATABASE"
_SAYS = {"watch": "Noctuary follows coding agents and dreams", "serve": "Noctuary serves its page and its API"}
_WITH_ENVIRONMENT = 'set -a; . "$0"; set +a; exec "$@"'  # for launchd, which reads no such file
_RESTART_SECONDS = 30
_MOST_STARTS, _STARTS_SECONDS = 5, 600
_STOP_SECONDS = 60  # more than the process takes to end what it is writing
_NICE = 10
_MOST_MEMORY = "2G"
# Each thread is a task, and `serve` has one for each request at work.  For systemd; launchd would count all that its
# user runs, which is more, and nothing could be begun.
_MOST_TASKS = {"watch": 128, "serve": 512}
_NO_PROGRAM = "\"'\\"  # systemd starts no program with these in its name
_TEMPORARY = (Path("/tmp"), Path("/var/tmp"))  # noqa: S108 (nothing is written there)
_BAD_SETTINGS = 2  # the exit code; to start it again would change nothing


class Service(NamedTuple):
    """What is to be kept running, and as whom."""

    what: str  # watch or serve
    command: Sequence[str]  # begins with an absolute path
    writable: Sequence[Path]  # folders; everything else is only read
    environment: Mapping[str, str]  # nothing secret
    environment_file: Path | None = None  # what is secret
    user: str = ""  # for a service of the system; empty for one of the user who is logged in
    has_namespaces: bool = True  # whether this machine lets a user's services have a file system of their own
    log: Path | None = None  # for launchd, which keeps no journal

    @property
    def unit_name(self) -> str:
        """The name of systemd's unit."""
        return f"noctuary-{self.what}.service"

    @property
    def label(self) -> str:
        """The name of launchd's job."""
        return f"dev.noctuary.{self.what}"


def systemd_unit(service: Service) -> str:
    """The unit; BadSettings if a value cannot stand in one."""
    lines = [
        "[Unit]",
        f"Description={_SAYS[service.what]}",
        *(["Wants=network-online.target", "After=network-online.target"] if service.user else []),
        f"StartLimitIntervalSec={_STARTS_SECONDS}",
        f"StartLimitBurst={_MOST_STARTS}",
        "",
        "[Service]",
        "Type=exec",
        f"ExecStart={_command(service.command)}",
        *(f"Environment={_word(f'{name}={value}')}" for name, value in service.environment.items()),
        *([f"EnvironmentFile={_bare(service.environment_file)}"] if service.environment_file else []),
        *([f"User={_bare(service.user)}"] if service.user else []),
        "Restart=on-failure",
        f"RestartSec={_RESTART_SECONDS}",
        f"RestartPreventExitStatus={_BAD_SETTINGS}",
        "KillMode=mixed",
        f"TimeoutStopSec={_STOP_SECONDS}",
        f"Nice={_NICE if service.what == 'watch' else 0}",
        f"MemoryMax={_MOST_MEMORY}",
        f"TasksMax={_MOST_TASKS[service.what]}",
        *_hardening(service),
        "",
        "[Install]",
        f"WantedBy={'multi-user' if service.user else 'default'}.target",
    ]
    return "\n".join(lines) + "\n"


def _hardening(service: Service) -> Iterable[str]:
    """What the process may not do, though it has no reason to."""
    yield "UMask=0077"
    yield "NoNewPrivileges=yes"
    yield "LockPersonality=yes"
    yield "RestrictRealtime=yes"
    yield "RestrictSUIDSGID=yes"
    yield "SystemCallArchitectures=native"
    yield "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK"
    if not (service.user or service.has_namespaces):
        yield "# This machine gives a user's services no file system of their own, so ProtectSystem= would fail here."
        return
    if not service.user:
        yield "PrivateUsers=yes"  # without it a user's service manager cannot do what follows
    yield "ProtectSystem=strict"
    yield f"ReadWritePaths={' '.join(_word(f'-{path}') for path in service.writable)}"
    if not any(path.is_relative_to(folder) for path in _named(service) for folder in _TEMPORARY):
        yield "PrivateTmp=yes"
    yield "ProtectControlGroups=yes"
    yield "ProtectKernelTunables=yes"
    if service.user:
        yield "PrivateDevices=yes"
        yield "ProtectKernelModules=yes"
        yield "ProtectKernelLogs=yes"
        yield "ProtectClock=yes"
        yield "ProtectHostname=yes"
        yield "CapabilityBoundingSet="


def _named(service: Service) -> list[Path]:
    """The places that the process has to find."""
    return [*service.writable, Path(service.command[0])]


def launchd_plist(service: Service) -> str:
    """The property list; BadSettings if a value cannot stand in one."""
    arguments = [_written(word) for word in service.command]
    if service.environment_file:
        arguments = ["/bin/sh", "-c", _WITH_ENVIRONMENT, str(service.environment_file), *arguments]
    job: dict[str, object] = {
        "Label": service.label,
        "ProgramArguments": arguments,
        "EnvironmentVariables": {name: _written(value) for name, value in service.environment.items()},
        "RunAtLoad": True,
        "KeepAlive": {"SuccessfulExit": False},
        "ThrottleInterval": _RESTART_SECONDS,
        "ExitTimeOut": _STOP_SECONDS,
        "ProcessType": "Background" if service.what == "watch" else "Standard",
        "Umask": 0o077,
        "StandardOutPath": "/dev/null",
        "StandardErrorPath": str(service.log) if service.log else "/dev/null",
    }
    if service.what == "watch":
        job |= {"Nice": _NICE, "LowPriorityIO": True}
    if service.user:
        job |= {"UserName": service.user}
    try:
        return plistlib.dumps(job, sort_keys=False).decode()
    except ValueError as error:
        raise BadSettings("A path has control characters, which no property list can hold. Move it.") from error


def environment_text(secrets: Mapping[str, str]) -> str:
    """A file of the environment; BadSettings if a value cannot stand in one."""
    return "".join(f'{name}="{_in_shell_quotes(_written(value))}"\n' for name, value in secrets.items())


def _command(words: Sequence[str]) -> str:
    first, *others = words
    if any(character in _NO_PROGRAM or not character.isprintable() for character in first):
        first, *others = "/bin/sh", "-c", 'exec "$0" "$@"', *words
    return " ".join([_word(f":{first}"), *map(_word, others)])


def _word(text: str) -> str:
    """One word of systemd's, in quotes."""
    return '"' + "".join(_escaped(character) for character in _written(text)) + '"'


def _escaped(character: str) -> str:
    if character in '"\\':
        return f"\\{character}"
    if character == "%":
        return "%%"
    code = ord(character)
    return f"\\x{code:02x}" if code < 32 or code == 127 else character


def _bare(value: str | Path) -> str:
    """A value that goes to the end of its line."""
    text = _written(str(value))
    if text != text.strip() or text.endswith("\\") or any(ord(character) < 32 for character in text):
        raise BadSettings(
            f"{text!r} cannot stand in a unit: it has line breaks, or white space or a backslash at its end. "
            "Choose another folder with --home."
        )
    return text.replace("%", "%%")


def _in_shell_quotes(text: str) -> str:
    if any(ord(character) < 32 for character in text):
        raise BadSettings("The address of the database has control characters; write them as %0A and the like.")
    return "".join(f"\\{character}" if character in '"\\$`' else character for character in text)


def _written(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise BadSettings(f"{text!r} is not UTF-8, which no unit can hold. Move it, or choose another.") from error
    if "\0" in text:
        raise BadSettings("A value has a zero byte, which no unit can hold.")
    return text
