"""What every route of the API needs: whose memories there are, who may come in, and what goes on behind answers."""

from collections.abc import Callable
from threading import Event
from typing import NamedTuple, Protocol

from noctuary.access import Caller, Scope
from noctuary.app.house import House
from noctuary.server_settings import ServerSettings


class Guard(Protocol):
    """Says who a request is from."""

    def caller(self, scope: Scope) -> Callable[..., Caller]:
        """A dependency of FastAPI: the caller, or a Problem (401, 403, 429) if nobody may come in for this."""


class Door(NamedTuple):
    """What routes share."""

    house: House
    guard: Guard
    server: ServerSettings
    closing: Event  # is set when the server ends, so that whoever still listens is told
