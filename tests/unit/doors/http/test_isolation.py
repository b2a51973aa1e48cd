"""Nobody gets anything of others out of any route, whichever of their ids they know: walked over the API's document."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.unit.doors.http.others import STRANGERS, WORD, Stranger, of_others
from tests.unit.doors.http.serving import SHOP, Served

pytestmark = pytest.mark.slow

STREAMS = ("/changes",)  # told by tests of their own
SLOW = {"/snapshots": "POST", "/checkup": "GET"}  # which look at everything, and take nothing that names a thing
OWN_WORDS = "What is ours."


class Walk:
    """The routes of the document, and requests to each that name what others have."""

    def __init__(self, served: Served, stranger: Stranger) -> None:
        self.served = served
        self.stranger = stranger
        self.document = served.ask("GET", "/openapi.json").json()
        self.ids = of_others(served, stranger.others, stranger.project)
        served.session("own-session", OWN_WORDS, as_=stranger.caller)
        served.task(OWN_WORDS, as_=stranger.caller)

    def operations(self) -> list[tuple[str, str, Any]]:
        """All but those that are asked once, or never end."""
        return [
            (method, path, operation)
            for path, methods in self.document["paths"].items()
            for method, operation in methods.items()
            if path not in (*STREAMS, *SLOW)
        ]

    def ask(self, method: str, path: str, operation: Any, draw: Any) -> Any:
        """One request, with ids of others wherever there is room for a text."""
        queries: dict[str, Any] = {}
        for parameter in operation.get("parameters", ()):
            if parameter["in"] == "path":
                path = path.replace(f"{{{parameter['name']}}}", str(self.value(parameter["schema"], "", draw)))
            elif parameter["in"] == "query" and (parameter.get("required") or draw(st.booleans())):
                queries[parameter["name"]] = self.value(parameter["schema"], parameter["name"], draw)
        content = operation.get("requestBody", {}).get("content", {}).get("application/json")
        body = self.value(content["schema"], "", draw) if content else None
        return self.served.ask(method.upper(), path, body, params=queries, as_=self.stranger.caller)

    def value(self, schema: Any, name: str, draw: Any) -> Any:
        """A value that the schema allows; texts are ids of others."""
        if "$ref" in schema:
            return self.value(self.document["components"]["schemas"][schema["$ref"].rpartition("/")[2]], name, draw)
        if "anyOf" in schema:
            return self.value(draw(st.sampled_from(schema["anyOf"])), name, draw)
        if "enum" in schema or "const" in schema:
            return draw(st.sampled_from(schema.get("enum") or [schema["const"]]))
        kind = schema.get("type")
        if kind == "object":
            fields = schema.get("properties", {})
            wanted = [key for key in fields if key in schema.get("required", ()) or draw(st.booleans())]
            return {key: self.value(fields[key], key, draw) for key in wanted}
        if kind == "array":
            return [self.value(schema["items"], name, draw)]
        if kind == "string":
            return self.text(name, draw)
        plain = {"boolean": draw(st.booleans()), "null": None, "integer": schema.get("minimum", 1) or 1, "number": 1.0}
        return plain[kind]

    def text(self, name: str, draw: Any) -> str:
        """An id of others; a project of theirs, unless to name it would make one of that name."""
        if name == "project":
            return SHOP if self.stranger.may_name_it else str(draw(st.sampled_from([SHOP, self.stranger.project])))
        if name == "cursor":
            return "999999999999999."
        if name == "q":
            return str(draw(st.sampled_from(["finding", "memory", "decided fast", "task", *self.ids.values()])))
        return str(draw(st.sampled_from([*self.ids.values()])))

    def kept(self) -> str:
        """All that the others have, as they see it themselves."""
        asked = [
            f"/sessions/{self.ids['session']}", f"/sessions/{self.ids['session']}/messages",
            f"/tasks/{self.ids['task']}", f"/tasks/{self.ids['goal']}", f"/events/{self.ids['event']}",
            f"/events/{self.ids['rule']}", f"/memories/{self.ids['memory']}", f"/memories/{self.ids['everywhere']}",
            f"/dream/runs/{self.ids['run']}", f"/events?project={self.stranger.project}&limit=200&hidden=true",
        ]  # fmt: skip
        return json.dumps([self.served.get(path, as_=self.stranger.others) for path in asked], indent=1)


@pytest.fixture(params=STRANGERS, ids=["another owner", "a key of another project"])
def walk(request: pytest.FixtureRequest, tmp_path: Path, database: str) -> Iterator[Walk]:
    served = Served(tmp_path / "memory")
    yield Walk(served, request.param)
    served.close()


@pytest.mark.slow
@settings(max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(data=st.data())
def test_no_route_tells_or_changes_anything_of_others(walk: Walk, data: st.DataObject) -> None:
    """Not a word of theirs is in any answer, and all they have is as it was."""
    before = walk.kept()
    assert WORD in before

    for method, path, operation in walk.operations():
        answer = walk.ask(method, path, operation, data.draw)

        assert answer.status_code < 500, f"{method} {path}: {answer.status_code} {answer.text}"
        assert WORD not in answer.text, f"{method} {path}: {answer.text}"
        assert WORD not in str(answer.headers), f"{method} {path}: {answer.headers}"
    assert walk.served.door.nights.wait_until_idle(60)
    assert walk.kept() == before


def test_what_the_stranger_has_is_theirs_to_see(walk: Walk) -> None:
    """The walk would notice nothing if nobody could see anything."""
    caller = walk.stranger.caller

    assert [each["id"] for each in walk.served.get("/sessions", as_=caller)["items"]] == ["own-session"]
    assert [each["title"] for each in walk.served.get("/tasks", as_=caller)["items"]] == [OWN_WORDS]
    assert OWN_WORDS in walk.served.ask("GET", "/search/sessions?q=ours", as_=caller).text


def test_an_id_of_others_is_as_good_as_none(walk: Walk) -> None:
    """What there is and may not be seen is answered as what there is not, to the letter but for the id itself."""
    paths = [path for path, methods in walk.document["paths"].items() if "get" in methods and path.endswith("}")]

    for beginning in (path.partition("{")[0] for path in paths if path.count("{") == 1):
        none = walk.served.ask("GET", f"{beginning}t-0000000000", as_=walk.stranger.caller)
        for name in walk.ids.values():
            real = walk.served.ask("GET", f"{beginning}{name}", as_=walk.stranger.caller)

            assert real.status_code == none.status_code in (403, 404), f"{beginning}{name}"
            assert real.text.replace(name, "t-0000000000") == none.text


def test_what_looks_at_everything_tells_nothing_of_others(walk: Walk) -> None:
    """A copy of all, and a look at all, are told in numbers."""
    for path, method in SLOW.items():
        answer = walk.served.ask(method, path, as_=walk.stranger.caller)

        assert answer.status_code in (200, 201, 403), answer.text
        assert WORD not in answer.text
        assert walk.stranger.others.owner not in answer.text or walk.stranger.caller.owner == walk.stranger.others.owner
