"""The server as one ASGI application: the API below `/api/v1`, and the page beside it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from threading import Event

from anyio import to_thread
from fastapi import FastAPI
from starlette.concurrency import run_in_threadpool

from noctuary.access import Scope
from noctuary.app.house import House
from noctuary.doors.http.admitting import Admitting
from noctuary.doors.http.document import write_document
from noctuary.doors.http.door import Door, Guard
from noctuary.doors.http.flights import Flights
from noctuary.doors.http.media_types import JsonOnly
from noctuary.doors.http.metering import Meter, Metering
from noctuary.doors.http.nights import Nights
from noctuary.doors.http.problems import add_problems
from noctuary.doors.http.routes import (
    changes,
    dreams,
    events,
    graph,
    memories,
    searching,
    sessions,
    sharing,
    tasks,
    upkeep,
)
from noctuary.doors.web.site import add_pages
from noctuary.server_settings import ServerSettings
from noctuary.version import VERSION

API = "/api/v1"
MOST_THREADS = 250  # several owners who ask as much as one may leave some to the others
SECONDS_TO_END = 10.0  # for a dream at work, when the server ends
ROUTES = (sessions, searching, events, tasks, graph, memories, sharing, dreams, upkeep, changes)


def build(house: House, guard: Guard, server: ServerSettings) -> FastAPI:
    """The whole application; the API is an application within it, with a document of its own."""
    door = Door(house, guard, server, Nights(house), Meter(), Flights(), Event())
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None, lifespan=_lifespan)
    app.state.door = door
    add_problems(app)
    app.mount(API, _api(door))
    add_pages(app, house, guard)
    return app


def end_streams(app: FastAPI) -> None:
    """Tell whoever listens to changes that the server ends; to be called before it waits for open connections."""
    app.state.door.closing.set()


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    to_thread.current_default_thread_limiter().total_tokens = MOST_THREADS
    yield
    end_streams(app)
    await run_in_threadpool(app.state.door.nights.close, SECONDS_TO_END)


def _api(door: Door) -> FastAPI:
    api = FastAPI(title="Noctuary", version=VERSION, docs_url=None, redoc_url=None, openapi_url="/openapi.json")
    api.state.door = door
    api.state.admit = door.guard.caller(Scope.READ)
    api.add_middleware(Admitting)
    api.add_middleware(JsonOnly)
    add_problems(api)
    api.add_middleware(Metering, meter=door.meter)
    for routes in ROUTES:
        api.include_router(routes.router)
    write_document(api)
    return api
