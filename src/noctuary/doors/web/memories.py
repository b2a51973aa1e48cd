"""Pages of memories: all by topic, kind and project; one with what it rests on and what became of it; MEMORY.md."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, RedirectResponse

from noctuary.access import Caller, Scope
from noctuary.app import Memory
from noctuary.app.browsing import HOLDING, PAST, Browsing, Told
from noctuary.doors.web.choosing import EVERYWHERE, may_see, part_of, project_of, word
from noctuary.doors.web.filters import address
from noctuary.doors.web.frame import Form, Frame
from noctuary.doors.web.outcome import done, page
from noctuary.doors.web.wording import short
from noctuary.errors import NotFound
from noctuary.store.memories import MemoryChoice, MemoryKind, MemoryStatus

_A_PAGE = 40
_MOST_LINES = 1_000
_ID = re.compile(r"\s*\[(m-[0-9a-z]+)\]\s*$")
# A form may be sent twice, or from a page that is older than the last change.
_GONE = "Nothing was changed: this memory no longer holds."
_ASKED = ("project", "kind", "topic", "words", "held", "pinned")


class PageLine(NamedTuple):
    """A line of MEMORY.md."""

    look: str  # title, heading, item or text
    text: str
    memory: str = ""  # the id at its end
    notes: Sequence[str] = ()  # what is noted behind the words: since when, pinned, stale


def add(app: FastAPI, frame: Frame) -> None:
    """Let the server tell of memories, and write down what becomes of them."""

    @app.get("/memories", include_in_schema=False)
    def memories(request: Request, caller: Caller = frame.reader) -> HTMLResponse:
        given = request.query_params
        asked = {name: word(given, name) for name in _ASKED}
        part, project = part_of(given, _A_PAGE), project_of(caller, given)
        with frame.memory(caller) as memory:
            browsing = Browsing(memory)
            shelf = browsing.memories(_choice(asked, project), part.size, part.skip)
            return page(
                frame,
                request,
                caller,
                "memories.html",
                shelf=shelf,
                shares=browsing.shares(project),
                projects=browsing.shares().projects if caller.project is None else {},
                asked=asked,
                kinds=[*MemoryKind],
                part=part,
                everywhere=EVERYWHERE,
                narrowed=lambda **changed: address("/memories", asked, **changed),
                is_narrowed=any(asked.values()),
            )

    _add_reading(app, frame)
    _add_changes(app, frame)


def _add_reading(app: FastAPI, frame: Frame) -> None:
    @app.get("/memories/file", include_in_schema=False)
    def file(request: Request, caller: Caller = frame.reader) -> HTMLResponse:
        with frame.memory(caller) as memory:
            browsing = Browsing(memory)
            known = browsing.projects() if caller.project is None else []
            project = project_of(caller, request.query_params)
            if project is None:  # nobody asked for one, so there is something to read if there is any
                project = next(iter(browsing.with_memory_file()), "")
            text = browsing.memory_file(project)
            lines = [*_page_lines(text)]
            return page(
                frame,
                request,
                caller,
                "memory_file.html",
                project=project,
                projects=known,
                everywhere=EVERYWHERE,
                lines=lines[:_MOST_LINES],
                size=len(text.encode()),
            )

    @app.get("/memories/{name}", include_in_schema=False)
    def one(request: Request, name: str, caller: Caller = frame.reader) -> HTMLResponse:
        with frame.memory(caller) as memory:
            told = _told(memory, caller, name)
            holds = told.why.memory.status in HOLDING
            can_write = holds and caller.may(Scope.WRITE)
            can_edit = can_write and caller.may(Scope.ADMIN)  # what is said so is the user's word
            cited = (message.session for ground in told.why.grounds for message in ground.messages)
            rights = {"holds": holds, "can_write": can_write, "can_edit": can_edit}
            titles = Browsing(memory).titles(cited, caller.project)
            return page(frame, request, caller, "memory.html", told=told, titles=titles, **rights)


def _add_changes(app: FastAPI, frame: Frame) -> None:
    @app.post("/memories/{name}/pin", include_in_schema=False)
    def pin(name: str, caller: Caller = frame.writer, form: Form = frame.form) -> RedirectResponse:
        is_pinned = form.get("pinned") != "no"
        with frame.memory(caller) as memory:
            known = _told(memory, caller, name).why.memory
            if known.status not in HOLDING:
                return done(frame, f"/memories/{known.id}", _GONE)
            memory.dreams.pin(known.id, known.project, is_pinned=is_pinned)
        words = "Pinned: MEMORY.md always shows it." if is_pinned else "Unpinned: MEMORY.md shows it if there is room."
        return done(frame, f"/memories/{known.id}", words)

    @app.post("/memories/{name}/edit", include_in_schema=False)
    def edit(name: str, caller: Caller = frame.admin, form: Form = frame.form) -> RedirectResponse:
        with frame.memory(caller) as memory:
            told, words = _told(memory, caller, name), form.get("text", "")
            known = told.why.memory
            if known.status not in HOLDING and not (told.later and told.later.text == words.strip()):
                return done(frame, f"/memories/{known.id}", f"{_GONE} Go back to copy what you wrote.")
            new = told.later or memory.dreams.reword(known.id, words, known.project)
        is_new = new.id != known.id
        words = "Saved. What it said before is kept below." if is_new else "Nothing was changed: it already says so."
        return done(frame, f"/memories/{new.id}", words)

    @app.post("/memories/{name}/forget", include_in_schema=False)
    def forget(name: str, caller: Caller = frame.writer, form: Form = frame.form) -> RedirectResponse:
        with frame.memory(caller) as memory:
            known = _told(memory, caller, name).why.memory
            if known.status in HOLDING:
                memory.dreams.forget(known.id, known.project, reason=form.get("reason", "").strip())
            elif known.status is not MemoryStatus.RETRACTED:
                return done(frame, f"/memories/{known.id}", _GONE)
        return done(frame, "/memories", f"Forgotten, and no dream will bring it back: {short(known.text)}")


def _told(memory: Memory, caller: Caller, name: str) -> Told:
    """The memory of this id; NotFound if there is none that the key is for, or what it rests on elsewhere."""
    told = Browsing(memory).told(name)
    if not may_see(caller, told.why.memory.project):
        raise NotFound(f"There is no memory {name!r}.")
    later = told.later if told.later and may_see(caller, told.later.project) else None
    return told._replace(later=later, earlier=[one for one in told.earlier if may_see(caller, one.project)])


def _choice(asked: dict[str, str], project: str | None) -> MemoryChoice:
    kind = asked["kind"]
    return MemoryChoice(
        project=project,
        kind=MemoryKind(kind) if kind in set(MemoryKind) else None,
        topic=asked["topic"] or None,
        statuses=PAST if asked["held"] == "no" else HOLDING,
        is_pinned=True if asked["pinned"] == "yes" else None,
        words=asked["words"],
    )


def _page_lines(text: str) -> Iterator[PageLine]:
    """The lines of MEMORY.md by what they are; what is a comment in Markdown is only for programs."""
    for line in text.splitlines():
        if line.startswith("# "):
            yield PageLine("title", line[2:])
        elif line.startswith("#"):
            yield PageLine("heading", line.lstrip("#").strip())
        elif line.startswith("- "):
            yield _item(line[2:])
        elif line.strip() and not line.startswith("<!--"):
            yield PageLine("text", line)


def _item(text: str) -> PageLine:
    """An item of a list; one that somebody wrote into the file by hand is shown as it stands."""
    found = _ID.search(text)
    if found is None:
        return PageLine("item", text)
    words, notes = Browsing.words_of(text)
    return PageLine("item", words, found[1], notes)
