"""The site: all pages of the memory, put onto a server."""

from fastapi import FastAPI
from starlette.staticfiles import StaticFiles

from noctuary.app.house import House
from noctuary.doors.web import home, listing, reading, searching
from noctuary.doors.web.frame import STATIC, Frame, Guard
from noctuary.doors.web.safety import Safety

PAGES = (  # each has `add(app, frame)`: see frame.py
    home,
    searching,
    listing,
    reading,
)


def add_pages(app: FastAPI, house: House, guard: Guard) -> None:
    """Let the server answer with pages as well."""
    frame = Frame(house, guard)
    for pages in PAGES:
        pages.add(app, frame)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    app.add_middleware(Safety, frame=frame)
