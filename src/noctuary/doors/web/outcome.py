"""After a change: where the browser goes, and once, on the page it comes to, in words what was done.

The words travel in a cookie and not in the address, or whoever writes an address could put words into this page.
"""

from typing import Any
from urllib.parse import quote, unquote

from fastapi import Request
from fastapi.responses import HTMLResponse, RedirectResponse

from noctuary.access import Caller
from noctuary.doors.web.frame import Frame

COOKIE = "noctuary-done"
_LONGEST = 300  # characters
_SECONDS = 60


def done(frame: Frame, place: str, words: str) -> RedirectResponse:
    """Go to a place of this page, which says what was done."""
    answer = frame.go_to(place)
    shown = words if len(words) <= _LONGEST else words[: _LONGEST - 1] + "…"
    answer.set_cookie(
        COOKIE, quote(shown.encode("utf-8", "replace")), max_age=_SECONDS, httponly=True, samesite="strict"
    )
    return answer


def page(frame: Frame, request: Request, caller: Caller, template: str, **values: Any) -> HTMLResponse:
    """A page on which it can be said what was done; it is said once."""
    words = request.cookies.get(COOKIE, "")
    answer = frame.page(request, caller, template, done=unquote(words, errors="replace")[:_LONGEST], **values)
    if words:
        answer.delete_cookie(COOKIE, httponly=True, samesite="strict")
    return answer
