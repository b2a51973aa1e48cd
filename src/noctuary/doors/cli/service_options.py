"""What stands after `--` of `noctuary service`: checked as `watch` or `serve` would, so that no unit fails at once.

A service has another folder than whoever writes it, so paths are those from the root on.
"""

from collections.abc import Sequence
from pathlib import Path

import click
from click.core import ParameterSource

from noctuary.doors.cli.serve import need_certificate, serve
from noctuary.doors.cli.watch import watch
from noctuary.doors.http.origins import need_safe
from noctuary.doors.logging_lines import STDERR
from noctuary.errors import BadInput
from noctuary.server_settings import ServerSettings
from noctuary.settings import Settings

_COMMANDS: dict[str, click.Command] = {"watch": watch, "serve": serve}
_PATHS = ("log", "log_place", "tls_cert", "tls_key")
_OF_THE_MEMORY = ("home", "owner", "database")  # an address may have a password, and a unit is no place for one


def checked(settings: Settings, what: str, options: Sequence[str]) -> list[str]:
    """The options as the command takes them; click's own error or one of ours if it would not, or should not."""
    command = _COMMANDS[what]
    with command.make_context(f"noctuary {what}", [*options]) as context:
        given = [one for one in command.params if _is_given(context, one)]
        for option in given:
            if option.name in _OF_THE_MEMORY:
                raise BadInput(f"Say {option.opts[0]} before `--`; what stands behind it is for `{what}` alone.")
            if option.name == "once":
                raise BadInput("What looks once ends by itself, so nothing can keep it running. Leave --once out.")
        if what == "serve":
            _need_safe(settings, context)
        return [word for option in given for word in _words(option, context.params[str(option.name)])]


def _need_safe(settings: Settings, context: click.Context) -> None:
    """What `serve` refuses before it listens; a certificate is looked at when it starts, as it may come later."""
    asked = context.params
    need_certificate(asked["tls_cert"], asked["tls_key"])
    host = asked["host"] or ServerSettings.load(settings.server_table).host
    need_safe(host, has_tls=asked["tls_cert"] is not None, is_insecure=asked["insecure"])


def _is_given(context: click.Context, option: click.Parameter) -> bool:
    return context.get_parameter_source(str(option.name)) is ParameterSource.COMMANDLINE


def _words(option: click.Parameter, value: object) -> list[str]:
    if isinstance(option, click.Option) and option.is_flag:
        return [option.opts[0]]
    if option.name in _PATHS and str(value) != STDERR:
        return [option.opts[0], str(Path(str(value)).expanduser().absolute())]
    is_whole = isinstance(value, float) and value.is_integer()
    return [option.opts[0], f"{value:.0f}" if is_whole else str(value)]
