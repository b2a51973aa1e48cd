"""Nobody gets anything of others out of any page, whichever of their ids they know: walked over all of the site."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.routing import Route
from starlette.testclient import TestClient

from tests.unit.doors.http.others import STRANGERS, WORD, Stranger, of_others
from tests.unit.doors.http.serving import SHOP, Served

pytestmark = pytest.mark.slow

BROWSER = {"accept": "text/html"}
QUERIES = (
    "q",
    "session",
    "goal",
    "team",
    "words",
    "after",
    "topic",
    "kind",
    "agent",
    "at",
    "whole",
    "run",
    "node",
    "key",
)
FORMS = ("text", "reason", "memory", "team", "pinned")
OWN_WORDS = "What is ours."


class Visits:
    """The routes of the pages, and visits to each that name what others have."""

    def __init__(self, served: Served, stranger: Stranger) -> None:
        self.served, self.stranger = served, stranger
        self.ids = of_others(served, stranger.others, stranger.project)
        team = served.post("/teams", {"name": "Theirs"}, as_=stranger.others)["id"]
        memory = self.ids["memory"]
        (share,) = served.post(f"/teams/{team}/shares", {"memory": memory}, as_=stranger.others)["proposed"]
        self.ids |= {"team": team, "share": share["id"]}
        served.session("own-session", OWN_WORDS, as_=stranger.caller)
        served.task(OWN_WORDS, as_=stranger.caller)
        self._client = TestClient(served.app, base_url="http://127.0.0.1:7400", follow_redirects=False)

    def routes(self) -> list[tuple[str, str]]:
        """Every page, and everything that can be done on one."""
        found = [each for each in self.served.app.routes if isinstance(each, Route)]
        return [(method, each.path) for each in found for method in sorted(each.methods or ()) if method != "HEAD"]

    def visit(self, method: str, path: str, draw: Any) -> Any:
        """One visit, with ids of others wherever there is room for one."""
        names = st.sampled_from([*self.ids.values()])
        while "{" in path:
            head, _, rest = path.partition("{")
            path = f"{head}{draw(names)}{rest.partition('}')[2]}"
        queries = {name: draw(names) for name in QUERIES if draw(st.booleans())}
        if not self.stranger.may_name_it:
            queries["project"] = SHOP
        form = {name: draw(names) for name in FORMS} if method == "POST" else None
        headers = {**BROWSER, "authorization": f"Bearer {self.stranger.caller.key_id}"}
        return self._client.request(method, path, params=queries, data=form, headers=headers)

    def kept(self) -> str:
        """All that the others have, as they see it themselves."""
        ids = self.ids
        asked = [
            f"/sessions/{ids['session']}/messages", f"/tasks/{ids['task']}", f"/events/{ids['event']}", "/shares",
            f"/memories/{ids['memory']}", f"/memories/{ids['everywhere']}", "/dream/suggestions", "/proposals",
            f"/dream/runs/{ids['run']}", f"/events?project={self.stranger.project}&limit=200&hidden=true",
        ]  # fmt: skip
        return json.dumps([self.served.get(path, as_=self.stranger.others) for path in asked], indent=1)


@pytest.fixture(params=STRANGERS, ids=["another owner", "a key of another project"])
def visits(request: pytest.FixtureRequest, tmp_path: Path, database: str) -> Iterator[Visits]:
    served = Served(tmp_path / "memory")
    yield Visits(served, request.param)
    served.close()


@settings(max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(data=st.data())
def test_no_page_tells_or_changes_anything_of_others(visits: Visits, data: st.DataObject) -> None:
    """Not a word of theirs is on any page, and all they have is as it was."""
    before = visits.kept()
    assert before.count(WORD) > 5

    for method, path in visits.routes():
        answer = visits.visit(method, path, data.draw)

        assert answer.status_code < 500, f"{method} {path}: {answer.status_code} {answer.text}"
        assert WORD not in answer.text, f"{method} {path}: {answer.text}"
        assert WORD not in str(answer.headers), f"{method} {path}: {answer.headers}"
    assert visits.kept() == before


def test_what_the_stranger_has_is_on_their_pages(visits: Visits) -> None:
    """The walk would notice nothing if no page showed anything."""
    headers = {**BROWSER, "authorization": f"Bearer {visits.stranger.caller.key_id}"}
    for place in ("/", "/sessions", "/search?q=ours", "/work"):
        assert OWN_WORDS in TestClient(visits.served.app).get(place, headers=headers).text
    assert len(visits.routes()) > 25
