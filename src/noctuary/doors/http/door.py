"""What every route of the API needs: whose memories there are, who may come in, and what goes on behind answers."""

from collections.abc import Callable
from threading import Event
from typing import NamedTuple, Protocol

from starlette.requests import Request

from noctuary.access import Caller, Scope
from noctuary.app.house import House
from noctuary.doors.http.flights import Flights
from noctuary.doors.http.metering import Meter
from noctuary.doors.http.nights import Nights
from noctuary.server_settings import ServerSettings


class Guard(Protocol):
    """Says who a request is from."""

    def caller(self, scope: Scope) -> Callable[[Request], Caller]:
        """What finds the caller of a request, or raises a Problem (401, 403, 429) if nobody may come in for this."""
        ...

    def still_admits(self, request: Request, caller: Caller) -> bool:
        """Whether somebody who came in a while ago, and stays, would still be let in as who they are."""
        ...


class Door(NamedTuple):
    """What routes share."""

    house: House
    guard: Guard
    server: ServerSettings
    nights: Nights
    meter: Meter
    flights: Flights
    closing: Event  # is set when the server ends, so that whoever still listens is told
