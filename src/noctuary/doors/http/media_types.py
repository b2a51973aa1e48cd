"""Bodies are JSON: what says it is something else is refused, and not guessed at."""

from http import HTTPStatus

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from noctuary.doors.http.problems import Problem, answer

_WITH_BODY = {"POST", "PUT", "PATCH"}


class JsonOnly:
    """Refuses bodies that are not JSON."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Call what is within, unless a body comes that is something else."""
        if scope["type"] == "http" and scope["method"] in _WITH_BODY and not _is_json(Headers(scope=scope)):
            detail = "The body must be JSON: Content-Type: application/json."
            await answer(Problem(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, detail))(scope, receive, send)
            return
        await self.app(scope, receive, send)


def _is_json(headers: Headers) -> bool:
    has_body = headers.get("content-length", "0") != "0" or "transfer-encoding" in headers
    essence = headers.get("content-type", "").partition(";")[0].strip().lower()
    return not has_body or essence == "application/json" or essence.endswith("+json")
