"""What every answer carries so that a browser does nothing that a page does not need; and trouble, as a page."""

import json
from typing import Any

from fastapi import Request
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from noctuary.doors.web.frame import Frame

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
_HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",  # for browsers that do not know `frame-ancestors`
    "Referrer-Policy": "same-origin",  # none at all would also hide where a form comes from, which the guard asks
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_NOT_PAGES = ("/api/", "/static/")
_PROBLEM = "application/problem+json"
_FOREVER = "public, max-age=31536000, immutable"  # the address of a file changes with its contents
_ASK_AGAIN = "private, no-cache"


class Safety:
    """Adds the headers, and shows people who ask for a page what went wrong as one."""

    def __init__(self, app: ASGIApp, frame: Frame) -> None:
        self.app = app
        self.frame = frame

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http" or scope["path"].startswith("/api/"):
            await self.app(scope, receive, send)
            return
        await self.app(scope, receive, _Answer(self.frame, Request(scope), send).send)


class _Answer:
    """One answer on its way out."""

    def __init__(self, frame: Frame, request: Request, send: Send) -> None:
        self.frame = frame
        self.request = request
        self._send = send
        self._held: Message | None = None  # the beginning of what will be another answer
        self._body = b""

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers[name] = value
            is_file = self.request.url.path.startswith("/static/") and message["status"] == 200
            headers.setdefault("Cache-Control", _FOREVER if is_file and self.request.url.query else _ASK_AGAIN)
            if self._is_trouble(headers):
                self._held = message
                return
        elif self._held is not None:
            self._body += message.get("body", b"")
            if not message.get("more_body"):
                await self._send_trouble(self._held)
            return
        await self._send(message)

    def _is_trouble(self, headers: MutableHeaders) -> bool:
        is_problem = headers.get("content-type", "").startswith(_PROBLEM)
        return is_problem and "text/html" in self.request.headers.get("accept", "")

    async def _send_trouble(self, start: Message) -> None:
        problem: dict[str, Any] = json.loads(self._body)
        page = self.frame.page(
            self.request,
            None,
            "trouble.html",
            title=str(problem.get("title", "This did not work")),
            detail=str(problem.get("detail", "")),
            code=start["status"],
        )
        headers = MutableHeaders(scope=start)
        headers["Content-Type"] = "text/html; charset=utf-8"
        headers["Content-Length"] = str(len(page.body))
        await self._send(start)
        await self._send({"type": "http.response.body", "body": bytes(page.body)})
