"""Settings of the server: `[server]` in config.toml."""

from typing import Any, NamedTuple

from noctuary.errors import BadSettings


class ServerSettings(NamedTuple):
    """How a server listens and what it allows."""

    host: str = "127.0.0.1"
    port: int = 7400
    origins: tuple[str, ...] = ()  # other sites whose pages may call the API; none unless somebody says so
    hosts: tuple[str, ...] = ()  # names under which it is reached, beside those of this machine
    requests_per_minute: int = 600  # of one key
    most_body_bytes: int = 4_000_000

    @classmethod
    def load(cls, table: object) -> "ServerSettings":
        """Settings from the table; BadSettings names what is wrong with it."""
        if table is None:
            return cls()
        if not isinstance(table, dict):
            raise BadSettings("`server` in config.toml must be a table: [server].")
        unknown = sorted(table.keys() - cls._fields)
        if unknown:
            raise BadSettings(f"[server] in config.toml has no {unknown[0]!r}; it knows {', '.join(cls._fields)}.")
        return cls(**{name: _checked(name, value) for name, value in table.items()})


def _checked(name: str, value: object) -> Any:
    default = ServerSettings._field_defaults[name]
    if isinstance(default, tuple):
        if isinstance(value, list) and all(isinstance(each, str) and each for each in value):
            return tuple(value)
        raise BadSettings(f"[server] `{name}` in config.toml must be a list of texts in quotes.")
    if isinstance(value, bool) or not isinstance(value, type(default)) or not value or (name != "host" and value < 1):
        raise BadSettings(f"[server] `{name}` in config.toml must be like {default!r}.")
    return value
