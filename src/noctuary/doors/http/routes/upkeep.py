"""What looks after a server: is it well, how much is there, numbers for a monitor, a copy of everything."""

from http import HTTPStatus
from typing import Literal

from fastapi import APIRouter
from pydantic import Field
from starlette.responses import PlainTextResponse, Response

from noctuary.app.within import Within
from noctuary.doors.http.asked import Administering, Asking, Checking, Reading
from noctuary.doors.http.metering import MEDIA_TYPE, Gauge
from noctuary.doors.http.shapes.shape import Shape
from noctuary.health import Finding
from noctuary.version import VERSION

router = APIRouter(tags=["upkeep"])


class HealthShape(Shape):
    """That the server answers."""

    status: Literal["ok"]
    version: str


class AgentShape(Shape):
    """What is kept of one agent."""

    agent: str
    sessions: int
    messages: int
    last_ms: int | None


class StatusShape(Shape):
    """How much is kept."""

    version: str
    owner: str
    sessions: int
    messages: int
    first_ms: int | None
    last_ms: int | None
    agents: list[AgentShape]
    goals: int
    tasks: int
    open_tasks: int
    decisions: int
    events: int


class CheckedShape(Shape):
    """One thing that was looked at."""

    name: str
    finding: Finding
    detail: str


class CheckupShape(Shape):
    """What was found when all was looked at."""

    is_healthy: bool
    checks: list[CheckedShape]


class SnapshotShape(Shape):
    """A copy of everything, on the server's disk."""

    name: str = Field(description="Of the folder or file, below where snapshots are.")
    bytes: int
    made_ms: int
    sessions: int = Field(description="Of the key's owner, as all that follow.")
    messages: int
    events: int
    memories: int
    warnings: int


@router.get("/health", response_model=HealthShape)
async def health() -> HealthShape:
    """Whether the server answers; the only question that needs no key."""
    # Not in a thread as all others: those may all be waiting for a database that does not answer.
    return HealthShape(status="ok", version=VERSION)


@router.get("/status", response_model=StatusShape)
def status(asked: Reading) -> Response:
    """How much is kept, and from where."""
    asked.whole()
    with asked.memory() as within:
        return asked.tell(StatusShape.model_validate(within.memory.status()))


@router.get("/checkup", response_model=CheckupShape)
def checkup(asked: Checking) -> Response:
    """Look at everything that can go wrong; changes nothing, and may take a while."""
    asked.whole()
    with asked.memory() as within:
        found = within.memory.doctor()
        checks = [CheckedShape.model_validate(each) for each in found.checks]
        return asked.tell(CheckupShape(is_healthy=found.is_healthy, checks=checks))


@router.post("/snapshots", status_code=201, response_model=SnapshotShape)
def snapshot(asked: Administering) -> Response:
    """Copy everything, of all owners, to the server's disk, while others go on writing."""
    asked.whole()

    def copy(within: Within) -> tuple[int, SnapshotShape]:
        made = within.memory.snapshot()
        own = made.manifest.owners.get(within.memory.owner)
        return HTTPStatus.CREATED, SnapshotShape(
            name=made.path.name,
            bytes=made.size,
            made_ms=made.manifest.made_ms,
            sessions=own.sessions if own else 0,
            messages=own.messages if own else 0,
            events=own.events if own else 0,
            memories=own.memories if own else 0,
            warnings=len(made.warnings),
        )

    return asked.once(None, copy, is_apart=True)


@router.get(
    "/metrics",
    response_class=PlainTextResponse,
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
)
def metrics(asked: Asking) -> Response:
    """Numbers for a monitor: of the server, and of the key's own memory."""
    gauges = [Gauge("noctuary_dreams_at_work", "Dreams that this server has right now.", asked.door.nights.at_work)]
    if asked.caller.project is None:
        with asked.memory() as within:
            gauges += _own(within)
    return Response(asked.door.meter.text(gauges), media_type=MEDIA_TYPE)


def _own(within: Within) -> list[Gauge]:
    kept, dreams = within.memory.status(), within.dreams.standing()
    return [
        Gauge("noctuary_sessions", "Sessions of the key's owner.", kept.sessions),
        Gauge("noctuary_messages", "Messages of the key's owner.", kept.messages),
        Gauge("noctuary_events", "Events of the key's owner.", kept.events),
        Gauge("noctuary_tasks_open", "Open tasks of the key's owner.", kept.open_tasks),
        Gauge("noctuary_sessions_waiting", "Sessions that wait for a dream.", dreams.outlook.waiting),
        Gauge("noctuary_dream_last_success_seconds", "When the last dream ended well.", (dreams.last_ms or 0) / 1_000),
    ]
