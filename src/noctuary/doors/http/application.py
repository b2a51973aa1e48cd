"""The server as one ASGI application: the API below `/api/v1`, and the page beside it."""

from collections.abc import Callable
from threading import Event

from fastapi import APIRouter, FastAPI

from noctuary.app.house import House
from noctuary.doors.http.door import Door, Guard
from noctuary.doors.http.problems import add_problems
from noctuary.server_settings import ServerSettings
from noctuary.version import VERSION

API = "/api/v1"
_ROUTES: tuple[Callable[[Door], APIRouter], ...] = ()


def build(house: House, guard: Guard, server: ServerSettings) -> FastAPI:
    """The whole application; the API is an application within it, with a document of its own."""
    door = Door(house, guard, server, Event())
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
    app.state.door = door
    add_problems(app)
    app.mount(API, _api(door))
    return app


def end_streams(app: FastAPI) -> None:
    """Tell whoever listens to changes that the server ends; to be called before it waits for open connections."""
    app.state.door.closing.set()


def _api(door: Door) -> FastAPI:
    api = FastAPI(title="Noctuary", version=VERSION, docs_url=None, redoc_url=None, openapi_url="/openapi.json")
    add_problems(api)
    for routes in _ROUTES:
        api.include_router(routes(door))
    return api
