"""Who may come in through a server, and what for."""

from enum import StrEnum
from typing import NamedTuple


class Scope(StrEnum):
    """What a key is for; none of them contains another, but `admin` all the others."""

    READ = "read"
    WRITE = "write"
    DREAM = "dream"
    ADMIN = "admin"


class Caller(NamedTuple):
    """Whoever a request is from: never what the request says, always what its key is for."""

    owner: str
    scopes: frozenset[Scope]
    project: str | None = None  # the only one that the key is for; None is all of the owner's
    key_id: str = ""  # "" is the token of a server on this machine

    def may(self, scope: Scope) -> bool:
        """Whether the key is for this."""
        return scope in self.scopes or Scope.ADMIN in self.scopes
