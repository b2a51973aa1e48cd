"""The document of the API: what FastAPI knows of the routes, and what holds for all of them, said once."""

from http import HTTPStatus
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from noctuary.doors.http.problems import MEDIA_TYPE
from noctuary.doors.http.shapes.shape import ProblemShape

_REF = "#/components/schemas/{model}"
_BEARER = {
    "type": "http",
    "scheme": "bearer",
    "description": "A key of `noctuary key`, or the token of a server on this machine.",
}
_ETAG = {"description": "A tag of what is answered.", "schema": {"type": "string"}}
_INTRODUCTION = """The memory of coding agents: conversations, the work, what is worth keeping, and dreams over it.

Whose memory it is follows from the key, never from the request; a key for one project sees nothing of others.
Times are milliseconds since 1970 in UTC.  Errors are problems as RFC 9457 has them."""


def told(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """What a route answers beside what it is for, and beside what every route answers."""
    return {status: _problem(status) for status in statuses}


def _problem(status: int) -> dict[str, Any]:
    content = {MEDIA_TYPE: {"schema": {"$ref": _REF.format(model=ProblemShape.__name__)}}}
    return {"description": HTTPStatus(status).phrase, "content": content}


def write_document(api: FastAPI) -> None:
    """Let the application serve the whole document; it is made once."""

    def document() -> dict[str, Any]:
        if api.openapi_schema is None:
            api.openapi_schema = _completed(
                get_openapi(
                    title=api.title,
                    version=api.version,
                    description=_INTRODUCTION,
                    routes=api.routes,
                    servers=[{"url": "/api/v1"}],
                )
            )
        return api.openapi_schema

    api.openapi = document  # type: ignore[method-assign]  # which is how FastAPI wants it


def _completed(schema: dict[str, Any]) -> dict[str, Any]:
    shapes = schema.setdefault("components", {}).setdefault("schemas", {})
    problem = ProblemShape.model_json_schema(ref_template=_REF)
    shapes |= problem.pop("$defs", {})
    shapes[ProblemShape.__name__] = problem
    for unused in ("HTTPValidationError", "ValidationError"):
        shapes.pop(unused, None)
    schema["components"]["securitySchemes"] = {"key": _BEARER}
    schema["security"] = [{"key": []}]
    for path, operations in schema["paths"].items():
        for operation in operations.values():
            _complete(path, operation)
    return schema


def _complete(path: str, operation: dict[str, Any]) -> None:
    answers = operation["responses"]
    answers.pop("422", None)
    if path == "/health":
        operation["security"] = []
    else:
        answers |= {str(status): _problem(status) for status in (401, 403, 429)}
    names = {parameter["name"].lower() for parameter in operation.get("parameters", ())}
    if names or "requestBody" in operation:
        answers["422"] = _problem(422)
    if "requestBody" in operation:
        answers |= {str(status): _problem(status) for status in (413, 415)}
    if "if-match" in names:
        answers["412"] = _problem(412)
    if "idempotency-key" in names:
        answers.setdefault("409", _problem(409))
    if "if-none-match" in names:
        answers["304"] = {"description": "Not Modified", "headers": {"ETag": _ETAG}}
        answers["200"]["headers"] = {"ETag": _ETAG}
    answers["default"] = _problem(500) | {"description": "Whatever else goes wrong."}
