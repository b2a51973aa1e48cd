"""What every page has in common: its frame, its templates, who asks, and how stored text becomes harmless.

A module of pages has one function, `add(app, frame)`, that registers its routes:

    def add(app: FastAPI, frame: Frame) -> None:
        @app.get("/dreams", include_in_schema=False)
        def dreams(request: Request, caller: Caller = frame.reader) -> HTMLResponse:
            with frame.memory(caller) as memory:
                return frame.page(request, caller, "dreams.html", reports=memory.dreams.log())

        @app.post("/dreams/{run}/undo", include_in_schema=False)
        def undo(run: str, caller: Caller = frame.dreamer, form: Form = frame.form) -> RedirectResponse: ...

A template begins with `{% extends "layout.html" %}`, fills the blocks `title`, `main` and, if it has a script of its
own, `scripts`; `{% set here = "dreams" %}` marks its place in the navigation.  Every text that a template prints is
escaped and loses what a reader cannot see, whether or not somebody thought of it.
"""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from functools import cache
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import parse_qsl

from fastapi import Depends, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from noctuary.access import Caller, Scope
from noctuary.app import Memory
from noctuary.app.house import House
from noctuary.digests import digest
from noctuary.doors.cli.paint import safe
from noctuary.doors.web.wording import FILTERS
from noctuary.version import VERSION

PAGES = Path(__file__).parent / "pages"
STATIC = Path(__file__).parent / "static"

Form = Mapping[str, str]


class Guard(Protocol):
    """Who tells callers from strangers: `doors/http/guarding.py`, or a test."""

    def caller(self, scope: Scope) -> Callable[..., Any]:
        """What gives the caller of a request, if the key of it is for this."""
        ...


class Frame:
    """What pages are made with."""

    def __init__(self, house: House, guard: Guard) -> None:
        self.house = house
        self.reader: Any = Depends(guard.caller(Scope.READ))
        self.writer: Any = Depends(guard.caller(Scope.WRITE))
        self.dreamer: Any = Depends(guard.caller(Scope.DREAM))
        self.admin: Any = Depends(guard.caller(Scope.ADMIN))
        self.form: Any = Depends(_form)
        self.templates = _templates()

    def memory(self, caller: Caller) -> AbstractContextManager[Memory]:
        """The caller's memory, for this thread alone."""
        return self.house.memory(caller.owner)

    def page(
        self, request: Request, caller: Caller | None, template: str, *, status: int = 200, **values: Any
    ) -> HTMLResponse:
        """A page, or a part of one, made of the template and the values."""
        text = self.templates.get_template(template).render(
            caller=caller, path=request.url.path, now_ms=self.house.clock.now_ms(), **values
        )
        return HTMLResponse(text, status_code=status)

    def go_to(self, place: str) -> RedirectResponse:
        """Where the browser goes after a change; a place of this page, whatever else is asked for."""
        is_ours = place.startswith("/") and not place.startswith(("//", "/\\"))
        return RedirectResponse(place if is_ours else "/", status_code=303)


async def _form(request: Request) -> Form:
    """The fields of a form; of one that is there twice, the last."""
    body = await request.body()
    return dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True))


@cache
def _templates() -> Environment:
    templates = Environment(
        loader=FileSystemLoader(PAGES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_harmless,
        auto_reload=False,
    )
    templates.filters.update(FILTERS)
    templates.globals.update(version=VERSION, static=_static, here="")
    return templates


def _harmless(value: Any) -> Any:
    """A text without what a reader cannot see: whatever turns direction, hides words, or is meant for a terminal."""
    return safe(value) if isinstance(value, str) and not isinstance(value, Markup) else value


@cache
def _static(name: str) -> str:
    """The address of a file of ours, which changes when its contents do, so that a browser may keep it for ever."""
    return f"/static/{name}?v={digest((STATIC / name).read_bytes(), size=6).hex()}"
