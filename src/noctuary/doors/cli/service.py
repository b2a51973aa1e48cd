"""`noctuary service`: the unit that keeps `watch` or `serve` running, printed or put into place."""

import os
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click

from noctuary.app import service_files
from noctuary.app.service_files import ServiceFile
from noctuary.doors.cli.as_json import print_json
from noctuary.doors.cli.failures import FOUND, NOTHING_FOUND
from noctuary.doors.cli.memory_options import with_settings
from noctuary.doors.cli.paint import safe
from noctuary.doors.cli.service_options import checked
from noctuary.doors.service_units import (
    DATABASE,
    WHAT,
    Service,
    environment_text,
    launchd_plist,
    systemd_unit,
)
from noctuary.errors import BadInput, BadSettings
from noctuary.settings import Settings

_CARRIED = ("PATH", "CLAUDE_CONFIG_DIR", "CODEX_HOME")  # where agents and their transcripts are
_NAMESPACES = Path("/proc/sys/user/max_user_namespaces")
_RESTRICTED = Path("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")


class _Choice(NamedTuple):
    """What somebody asked for."""

    what: str
    is_launchd: bool
    is_system: bool


class _Place(NamedTuple):
    """Where files go, and what to type then."""

    unit: Path
    environment: Path
    enable: list[str]
    disable: list[str]


@click.command()
@click.option("--systemd", "manager", flag_value="systemd", help="A unit of systemd.  [default: by the system]")
@click.option("--launchd", "manager", flag_value="launchd", help="A property list of launchd.")
@click.option("--what", type=click.Choice(WHAT), default="watch", show_default=True, help="What is kept running.")
@click.option("--user/--system", "is_user", default=True, show_default=True, help="While you are logged in, or always.")
@click.option("--write", is_flag=True, help="Put it into place; nothing is enabled.")
@click.option("--remove", is_flag=True, help="Take out exactly what --write put into place.")
@click.argument("options", nargs=-1, type=click.UNPROCESSED, metavar="[-- OPTIONS]")
@with_settings
def service(
    settings: Settings,
    manager: str | None,
    what: str,
    is_user: bool,
    write: bool,
    remove: bool,
    options: tuple[str, ...],
    as_json: bool,
) -> int:
    """Write the unit that keeps `watch` or `serve` running.

    It is printed, for this memory and this machine.  With --write it is put into place, and you are told the command
    that enables it; nothing is ever enabled or started here.  What stands after `--` is for `watch` or `serve`.

    An address of a database is not in the unit, since it may have a password: it is in a file for you only.

    \b
    Examples:
      noctuary service
      noctuary service --write
      noctuary service --what serve --write -- --port 7500
      noctuary service --remove
    """
    if write and remove:
        raise BadInput("--write and --remove are opposites; choose one.")
    is_launchd = manager == "launchd" or (manager is None and sys.platform == "darwin")
    choice = _Choice(what, is_launchd, not is_user)
    place = _place_of(settings, choice)
    if remove:
        return _remove(place, as_json)
    files = list(_files(settings, choice, place, options))
    changed = service_files.put_all(settings, files) if write else []
    _tell(place, files, changed, is_written=write, as_json=as_json)
    return FOUND


def _files(settings: Settings, choice: _Choice, place: _Place, options: tuple[str, ...]) -> Iterator[ServiceFile]:
    """The unit, and if there is something secret a file for that."""
    secrets = _secrets(settings)
    service = Service(
        what=choice.what,
        command=_command(settings, choice, options),
        writable=service_files.folders_written(settings),
        environment={name: value for name in _CARRIED if (value := settings.environ.get(name))},
        environment_file=place.environment if secrets else None,
        user=_login(settings) if choice.is_system else "",
        has_namespaces=_has_namespaces(),
        log=settings.home.absolute() / "log" / f"{choice.what}.err" if choice.is_launchd else None,
    )
    text = launchd_plist(service) if choice.is_launchd else systemd_unit(service)
    yield ServiceFile(place.unit, text, is_xml=choice.is_launchd)
    if secrets:
        yield ServiceFile(place.environment, environment_text(secrets))


def _command(settings: Settings, choice: _Choice, options: tuple[str, ...]) -> list[str]:
    if not sys.executable:
        raise BadSettings("Python does not say where it is, so nothing can start it. Run this by its full path.")
    log = str(settings.home.absolute() / "log" / f"{choice.what}.log") if choice.is_launchd else "-"
    memory = ["--home", str(settings.home.absolute()), "--owner", settings.owner]
    python = os.path.abspath(sys.executable)  # noqa: PTH100 (symlinks stay)
    wanted = checked(settings, choice.what, options)
    return [python, "-P", "-m", "noctuary", *memory, choice.what, "--log", log, *wanted]


def _secrets(settings: Settings) -> dict[str, str]:
    """The address of a database that the process would not find by itself."""
    found = Settings.load({}, home=settings.home, owner=settings.owner, user_home=settings.user_home).database_url
    return {DATABASE: settings.database_url} if settings.database_url and settings.database_url != found else {}


def _login(settings: Settings) -> str:
    """As whom a service of the system runs: whoever the folder of the memory belongs to."""
    folder = settings.home if settings.home.exists() else settings.user_home
    try:
        return folder.owner()
    except (OSError, KeyError, NotImplementedError) as error:
        raise BadSettings(f"{folder} belongs to nobody who is known here, so no service could run as them.") from error


def _has_namespaces() -> bool:
    """Whether a user's services may have a file system of their own on this machine; yes if it cannot be told."""
    return _number_in(_NAMESPACES, 1) > 0 and _number_in(_RESTRICTED, 0) == 0


def _number_in(path: Path, otherwise: int) -> int:
    try:
        return int(path.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return otherwise


def _place_of(settings: Settings, choice: _Choice) -> _Place:
    name = Service(choice.what, (), (), {})
    environment = settings.home.absolute() / "service" / f"{choice.what}.env"
    if choice.is_launchd:
        return _launchd_place(settings, choice, name.label, environment)
    config = Path(settings.environ.get("XDG_CONFIG_HOME") or settings.user_home / ".config").absolute()
    folder = Path("/etc/systemd/system") if choice.is_system else config / "systemd" / "user"
    systemctl = "systemctl" if choice.is_system else "systemctl --user"
    return _Place(
        folder / name.unit_name,
        environment,
        [f"{systemctl} daemon-reload", f"{systemctl} enable --now {name.unit_name}"],
        [f"{systemctl} disable --now {name.unit_name}", f"{systemctl} daemon-reload"],
    )


def _launchd_place(settings: Settings, choice: _Choice, label: str, environment: Path) -> _Place:
    library = Path("/Library/LaunchDaemons") if choice.is_system else settings.user_home / "Library" / "LaunchAgents"
    path = library.absolute() / f"{label}.plist"
    domain = "system" if choice.is_system else f"gui/{os.getuid() if hasattr(os, 'getuid') else 0}"
    return _Place(
        path,
        environment,
        [shlex.join(["launchctl", "bootstrap", domain, str(path)])],
        [f"launchctl bootout {domain}/{label}"],
    )


def _remove(place: _Place, as_json: bool) -> int:
    removed = service_files.take_out_all([place.unit, place.environment])
    if as_json:
        print_json({"removed": removed, "disable": place.disable})
    elif removed:
        lines = [*(f"Removed {path}." for path in removed), "If it was enabled:", *(f"  {c}" for c in place.disable)]
        click.echo("\n".join(map(safe, lines)))
    else:
        click.echo("Nothing of this command was in place. Nothing was removed.")
    return FOUND if removed else NOTHING_FOUND


def _tell(place: _Place, files: list[ServiceFile], changed: list[Path], *, is_written: bool, as_json: bool) -> None:
    unit = files[0]
    if as_json:
        secret = place.environment if len(files) > 1 else None
        print_json(
            {
                "path": unit.path,
                "text": unit.text,
                "environment_file": secret,
                "written": changed,
                "enable": place.enable,
            }
        )
        return
    if not is_written:
        click.echo(safe(unit.text) if sys.stdout.isatty() else unit.text, nl=False)  # a file gets it as it is
        return
    lines = [f"{'Wrote' if file.path in changed else 'Already there:'} {file.path}" for file in files]
    click.echo("\n".join(map(safe, [*lines, "It is not enabled. To enable it:", *(f"  {c}" for c in place.enable)])))
