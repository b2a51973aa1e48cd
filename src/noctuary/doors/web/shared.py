"""What a team shares: to read, to review, to take back; and what others would see of a memory that is proposed."""

from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, RedirectResponse

from noctuary.access import Caller, Scope
from noctuary.app import Memory
from noctuary.doors.web.choosing import need_whole_memory, part_of, word
from noctuary.doors.web.filters import address
from noctuary.doors.web.frame import Form, Frame
from noctuary.doors.web.outcome import done, page
from noctuary.doors.web.wording import short
from noctuary.store.sharing import Share

_A_PAGE = 30
_CONCERN = "what is shared with a team"


def add(app: FastAPI, frame: Frame) -> None:
    """Let the server show what is shared, and write down what becomes of it."""

    @app.get("/shared", include_in_schema=False)
    def shared(request: Request, caller: Caller = frame.reader) -> HTMLResponse:
        given = request.query_params
        with frame.memory(caller) as memory:
            told = _told_whole(memory, given) if caller.project is None else _told_of(memory, caller.project, given)
            part = part_of(given, _A_PAGE)
            found: list[Share] = told.pop("found")
            return page(
                frame,
                request,
                caller,
                "shared.html",
                **told,
                shares=found[part.skip : part.skip + part.size],
                total=len(found),
                part=part,
                words=word(given, "words"),
                at=address("/shared", {"team": word(given, "team"), "words": word(given, "words")}),
                can_review=caller.may(Scope.ADMIN),
            )

    @app.get("/shared/preview/{name}", include_in_schema=False)
    def preview(request: Request, name: str, caller: Caller = frame.reader) -> HTMLResponse:
        need_whole_memory(caller, _CONCERN)
        with frame.memory(caller) as memory:
            teams, asked = memory.team.teams(), word(request.query_params, "team")
            chosen = next((team for team in teams if team.id == asked), teams[0] if teams else None)
            offers = memory.team.preview(chosen.id, memory=name) if chosen else []
            told = {"teams": teams, "chosen": chosen, "offers": offers, "name": name}
            return page(frame, request, caller, "share_preview.html", **told, can_publish=caller.may(Scope.ADMIN))

    _add_changes(app, frame)


def _add_changes(app: FastAPI, frame: Frame) -> None:
    @app.post("/shared/publish", include_in_schema=False)
    def publish(caller: Caller = frame.admin, form: Form = frame.form) -> RedirectResponse:
        need_whole_memory(caller, _CONCERN)
        with frame.memory(caller) as memory:
            published = memory.team.publish(form.get("team", ""), memory=form.get("memory", ""))
        name = short(published.team.name)
        words = f"Proposed to {name}; a reviewer decides." if published.proposed else f"{name} already has it."
        return done(frame, "/shared", words)

    @app.post("/shared/{share}/accept", include_in_schema=False)
    def accept(share: str, caller: Caller = frame.admin, form: Form = frame.form) -> RedirectResponse:
        need_whole_memory(caller, _CONCERN)
        with frame.memory(caller) as memory:
            accepted = memory.team.accept(share, form.get("text", "").strip() or None)
        return done(frame, form.get("back", "/shared"), f"Accepted: {short(accepted.text)}")

    @app.post("/shared/{share}/refuse", include_in_schema=False)
    def refuse(share: str, caller: Caller = frame.admin, form: Form = frame.form) -> RedirectResponse:
        need_whole_memory(caller, _CONCERN)
        with frame.memory(caller) as memory:
            refused = memory.team.refuse(share, form.get("reason", ""))
        return done(frame, form.get("back", "/shared"), f"Refused: {short(refused.content.text)}")

    @app.post("/shared/{share}/take-back", include_in_schema=False)
    def take_back(share: str, caller: Caller = frame.writer, form: Form = frame.form) -> RedirectResponse:
        need_whole_memory(caller, _CONCERN)
        with frame.memory(caller) as memory:
            memory.team.take_back(share)
        return done(frame, form.get("back", "/shared"), "Taken back: nobody sees it any more.")


def _told_whole(memory: Memory, given: Mapping[str, str]) -> dict[str, Any]:
    """All that somebody may see: of one team that is asked for, or of all of theirs."""
    teams, asked = memory.team.teams(), word(given, "team")
    chosen = next((team for team in teams if team.id == asked), None)
    name = chosen.id if chosen else None
    mine = [share for share in memory.team.mine() if name in (None, share.team)]
    return {
        "teams": teams,
        "chosen": chosen,
        "found": memory.team.shared(name, words=word(given, "words")),
        "proposals": [share for share in memory.team.proposals() if name in (None, share.team)],
        "mine": mine,
        "members": memory.team.members(name) if name else [],
        "history": memory.team.history(name) if name else [],
    }


def _told_of(memory: Memory, project: str, given: Mapping[str, str]) -> dict[str, Any]:
    """What a key for one project may see: what is shared with the teams that it is bound to."""
    bound = {one.team for one in memory.team.bindings(project)}
    found = [share for share in memory.team.shared(words=word(given, "words")) if share.team in bound]
    nothing: dict[str, Any] = {"teams": [], "chosen": None, "proposals": [], "mine": [], "members": [], "history": []}
    return {**nothing, "found": found}
