"""The API against its own document: whatever a machine can think of is answered as the document says.

Schemathesis makes requests that are right, wrong at one place, and wrong in any way, and looks at each answer with all
of its checks.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import schemathesis
from schemathesis.config import SchemathesisConfig
from schemathesis.engine import StopReason, events, from_schema

from noctuary.app.house import House
from noctuary.clock import SystemClock
from noctuary.doors.http.application import API, build
from noctuary.doors.http.guarding import Guard
from noctuary.server_settings import ServerSettings
from noctuary.settings import Settings

TOKEN = "a-token-that-is-long-enough"
SERVER = ServerSettings(requests_per_minute=10_000_000, hosts=("testserver",))  # as the tool calls it
IS_FUZZING = "NOCTUARY_EXAMPLES" in os.environ
EXAMPLES = max(2, int(os.environ.get("NOCTUARY_EXAMPLES", "0")) // 100)  # of each sort of request, on each route
# A request may fit its schema and not what there is: a conflict, or another state than the one that was read (412).
# One that does not fit may be refused for its size or its media type before anybody reads it.
RULES = f"""
headers = {{ Authorization = "Bearer {TOKEN}" }}
[generation]
max-examples = {EXAMPLES}
deterministic = {"false" if IS_FUZZING else "true"}
[checks]
positive_data_acceptance.expected-statuses = ["2xx", 304, 401, 403, 404, 409, 412]
negative_data_rejection.expected-statuses = [400, 401, 403, 404, 405, 409, 412, 413, 415, 422]
"""
STREAM = "/changes"  # which never ends; it has tests of its own
SLOW = "^/(snapshots|checkup)$"  # which look at all there is each time


class HurriedClock:
    """A clock on which some seconds go by each time it is looked at: who tries wrong keys has waited long enough."""

    def __init__(self) -> None:
        self._now_ms = SystemClock().now_ms()

    def now_ms(self) -> int:
        """The time it shows."""
        self._now_ms += 5_000
        return self._now_ms


@pytest.fixture
def schema(tmp_path: Path) -> Iterator[schemathesis.BaseSchema]:
    """The document of a server over an empty memory, with all that guards it."""
    house = House(Settings(home=tmp_path, owner="ana", user_home=tmp_path, environ={}), HurriedClock())
    guard = Guard(house, SERVER, TOKEN)
    app = build(house, guard, SERVER)
    guard.protect(app)
    found = schemathesis.openapi.from_asgi(f"{API}/openapi.json", app, config=SchemathesisConfig.from_str(RULES))
    yield found.exclude(path=STREAM).exclude(path_regex=SLOW)
    app.state.door.nights.close(60)
    house.close()


@pytest.mark.slow
@pytest.mark.hypothesis  # `make fuzz` tries more
@pytest.mark.filterwarnings("ignore")  # of libraries of the tool
def test_no_request_is_answered_otherwise_than_the_document_says(schema: schemathesis.BaseSchema) -> None:
    """Nothing fails, and every route was asked."""
    failures: list[str] = []
    asked: set[str] = set()
    for event in from_schema(schema).execute():
        if isinstance(event, events.ScenarioFinished):
            failures += [
                f"{check.name}: {check.failure_info.failure}: {check.failure_info.code_sample[-1_500:]}"
                for checks in event.recorder.checks.values()
                for check in checks
                if check.failure_info is not None
            ]
            asked.add(event.recorder.label)
        elif isinstance(event, (events.NonFatalError, events.FatalError)):
            failures.append(str(event))
        elif isinstance(event, events.EngineFinished):
            assert event.stop_reason is StopReason.COMPLETED

    assert not failures, "\n".join(failures)
    assert "POST /sessions/{session}/messages" in asked
    assert len(asked) >= 60
