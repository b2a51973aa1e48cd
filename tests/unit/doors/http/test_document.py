"""The document of the API: whole, and true for every route."""

import re
from typing import Any

import pytest

from noctuary.doors.http.problems import MEDIA_TYPE
from tests.unit.doors.http.serving import Served

pytestmark = pytest.mark.slow


@pytest.fixture
def document(served: Served) -> Any:
    return served.ask("GET", "/openapi.json").json()


def operations(document: Any) -> list[tuple[str, str, Any]]:
    """Every operation, with its method and address."""
    return [(method, path, each) for path, methods in document["paths"].items() for method, each in methods.items()]


def test_every_operation_says_what_it_does_and_what_it_may_answer(document: Any) -> None:
    """A sentence, an answer that is one, and problems for all else."""
    for method, path, operation in operations(document):
        where = f"{method} {path}"
        assert operation.get("description"), where
        assert any(status.startswith("2") for status in operation["responses"]), where
        for status, answer in operation["responses"].items():
            if status[0] in "45d":
                assert list(answer["content"]) == [MEDIA_TYPE], f"{where} {status}"


def test_every_operation_but_the_health_needs_a_key(document: Any, served: Served) -> None:
    """And the document says so."""
    open_to_all = [path for _, path, operation in operations(document) if operation.get("security") == []]

    assert open_to_all == ["/health"]
    for method, path, operation in operations(document):
        if operation.get("security") != []:
            answer = served.ask(method.upper(), path, headers={"Authorization": "Bearer unknown"})
            assert answer.status_code == 401, f"{method} {path}"
            assert "401" in operation["responses"]


def test_no_answer_has_a_schema_that_is_anything(document: Any) -> None:
    """Whoever reads it knows each field."""
    for method, path, operation in operations(document):
        for status, answer in operation["responses"].items():
            for media, content in answer.get("content", {}).items():
                assert content.get("schema"), f"{method} {path} {status} {media}"


def test_all_schemas_that_are_named_are_there(document: Any) -> None:
    """And none is there that nobody names, but for those of requests."""
    text = str(document)
    schemas = document["components"]["schemas"]

    for name in schemas:
        assert f"#/components/schemas/{name}'" in text, name
    assert "HTTPValidationError" not in schemas


@pytest.mark.parametrize(("shape", "field"), [("HandingOver", "summary"), ("Refusing", "reason"), ("NewNote", "text")])
def test_a_text_of_nothing_that_one_can_see_does_not_fit_the_document(document: Any, shape: str, field: str) -> None:
    """It is refused, so whoever reads the document is told so."""
    pattern = document["components"]["schemas"][shape]["properties"][field]["pattern"]

    assert re.search(pattern, "\x02 \u200b\n") is None
    assert re.search(pattern, "\u200b a") is not None


def test_only_decisions_have_alternatives_and_one_at_most_is_chosen(document: Any, served: Served) -> None:
    """The document says so, and so do the answers."""
    note = document["components"]["schemas"]["NewNote"]
    options: list[dict[str, Any]] = [{"option": "SQLite", "chosen": True}, {"option": "Redis"}]
    said: dict[str, Any] = {"text": "Sessions live in SQLite", "alternatives": options}

    assert note["then"]["properties"]["alternatives"] == {"maxItems": 0}
    assert note["properties"]["alternatives"]["maxContains"] == 1
    assert served.ask("POST", "/events", {**said, "kind": "decision"}).status_code == 201
    assert served.ask("POST", "/events", {**said, "kind": "finding"}).status_code == 422
    both = [{**each, "chosen": True} for each in options]
    assert served.ask("POST", "/events", {**said, "kind": "decision", "alternatives": both}).status_code == 422
