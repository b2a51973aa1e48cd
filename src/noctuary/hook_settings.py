"""What hooks may do beside telling a session where the work stands: the table `[hooks]` of `config.toml`.

Hooks themselves read two lines of the file and no more; here it is checked, for whoever asks what is wrong with it.
"""

from collections.abc import Mapping
from typing import NamedTuple

from noctuary.errors import BadSettings


class HookSettings(NamedTuple):
    """What is recalled, or told to whom, unasked."""

    prompt_recall: bool = False  # what bears on a prompt
    tool_recall: bool = False  # what was rejected and bears on what a tool does
    subagent_brief: bool = False  # the brief, for sub-agents too


def hook_settings(given: object) -> HookSettings:
    """The settings that a table of `config.toml` gives; BadSettings that names what is wrong with it."""
    if given is None:
        return HookSettings()
    if not isinstance(given, Mapping):
        raise BadSettings("config.toml: `hooks` must be a table: write [hooks] on a line of its own.")
    known = HookSettings._fields
    for name, value in given.items():
        if name not in known:
            raise BadSettings(f"config.toml: [hooks] has no setting {name!r}; there are {', '.join(known)}.")
        if type(value) is not bool:
            raise BadSettings(f"config.toml: hooks.{name} is {value!r}; write true or false.")
    return HookSettings(**given)
