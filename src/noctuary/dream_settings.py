"""How dreams are to be: the table `[dream]` of `config.toml`, checked when it is read."""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from noctuary.errors import BadSettings

BACKENDS = ("rules", "anthropic", "openai", "claude", "codex")
MIRRORS = ("MEMORY.md", "CLAUDE.md", "AGENTS.md")


class DreamSettings(NamedTuple):
    """When to dream, with what, and where to write it."""

    enabled: bool = True  # by itself, that is: a dream that somebody asks for is always had
    session_count: int = 5  # so many waiting sessions make a dream due
    time_hours: float = 24.0  # so long after the last dream any waiting session does
    idle_hours: float = 24.0  # so long without a message ends a session
    hygiene_hours: float = 12.0  # how often idle sessions are looked for
    backend: str = "rules"
    model: str = ""
    address: str = ""  # of a server that speaks the protocol of OpenAI
    timeout_seconds: float = 60.0  # for an answer of a model
    retry_seconds: float = 2.0  # before a model that is busy is asked again; twice as long each time
    run_tokens: int = 200_000  # the most a run may spend; 0 for none at all
    run_dollars: float = 1.0
    day_tokens: int = 1_000_000
    day_dollars: float = 5.0
    wording: bool = False  # let the model word memories anew
    mirror: tuple[str, ...] = ()  # files of the project that have a block of ours
    read_claude_memory: bool = False  # also what Claude Code keeps in its own memory folder
    max_attempts: int = 5  # before a session that fails is left until somebody asks
    keep_reports_days: float = 365.0  # 0 keeps them for ever
    keep_backups: int = 5  # of MEMORY.md


_ABOVE_ZERO = (
    "session_count",
    "time_hours",
    "idle_hours",
    "hygiene_hours",
    "timeout_seconds",
    "retry_seconds",
    "max_attempts",
)


def dream_settings(given: object) -> DreamSettings:
    """The settings that a table of `config.toml` gives; BadSettings that names what is wrong with it."""
    if given is None:
        return DreamSettings()
    if not isinstance(given, Mapping):
        raise BadSettings("config.toml: `dream` must be a table: write [dream] on a line of its own.")
    known = DreamSettings()._asdict()
    for name, value in given.items():
        if name not in known:
            raise BadSettings(f"config.toml: [dream] has no setting {name!r}; there are {', '.join(known)}.")
        known[name] = _checked(name, value, known[name])
    return DreamSettings(**known)


def _checked(name: str, value: Any, default: Any) -> Any:
    if name == "mirror":
        return _mirrors(value)
    if isinstance(default, float) and type(value) is int:
        value = float(value)
    if type(value) is not type(default) or (isinstance(value, float) and not math.isfinite(value)):
        raise BadSettings(f"config.toml: dream.{name} is {value!r}; write something like {default!r}.")
    if name in _ABOVE_ZERO and value <= 0:
        raise BadSettings(f"config.toml: dream.{name} must be greater than zero, not {value}.")
    if isinstance(value, (int, float)) and value < 0:
        raise BadSettings(f"config.toml: dream.{name} must not be below zero, as {value} is.")
    if name == "backend" and value not in BACKENDS:
        raise BadSettings(f"config.toml: dream.backend is {value!r}; there are {', '.join(BACKENDS)}.")
    return value


def _mirrors(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not set(MIRRORS).issuperset(value):
        raise BadSettings(f"config.toml: dream.mirror must be a list of some of {', '.join(MIRRORS)}.")
    return tuple(dict.fromkeys(value))
