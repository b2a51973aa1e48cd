"""The site: all pages of the memory, put onto a server."""

import os
from typing import Any

from fastapi import FastAPI
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from noctuary.app.house import House
from noctuary.doors.web import audit, dreams, health, home, listing, memories, reading, review, searching, shared, work
from noctuary.doors.web.frame import STATIC, Frame, Guard
from noctuary.doors.web.trouble import Trouble

PAGES = (  # each has `add(app, frame)`: see frame.py
    home,
    searching,
    listing,
    reading,
    dreams,
    review,
    memories,
    work,
    shared,
    health,
    audit,
)
_FOR_EVER = "public, max-age=31536000, immutable"


def add_pages(app: FastAPI, house: House, guard: Guard) -> None:
    """Let the server answer with pages as well."""
    frame = Frame(house, guard)
    for pages in PAGES:
        pages.add(app, frame)
    app.mount("/static", _Files(directory=STATIC), name="static")
    app.add_middleware(Trouble, frame=frame)


class _Files(StaticFiles):
    """Files of ours; a browser may keep one whose address says which version it is."""

    def file_response(
        self, full_path: Any, stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        response = super().file_response(full_path, stat_result, scope, status_code)
        if scope["query_string"].startswith(b"v="):
            response.headers["Cache-Control"] = _FOR_EVER
        return response
