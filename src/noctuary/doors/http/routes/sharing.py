"""Teams: made, joined and left; memories published to them, reviewed, read and taken back.

What concerns others takes a key that speaks for the user.  A key for one project alone reads what is shared with the
teams that this project is bound to, and nothing else of teams.
"""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Path, Query
from starlette.responses import Response

from noctuary.app.within import Within
from noctuary.doors.http.asked import Adding, Administering, Asked, Asking, Judging, Reading
from noctuary.doors.http.document import told
from noctuary.doors.http.paging import DEFAULT, Cursor, Limit, Place, cut, decode, part_of
from noctuary.doors.http.routes.names import ThingName
from noctuary.doors.http.shapes.shape import SEEN_IN_PATH, Page
from noctuary.doors.http.shapes.sharing import (
    Accepting,
    BindingShape,
    Bound,
    DeedShape,
    Inviting,
    MemberShape,
    NewTeam,
    OfferShape,
    OffersShape,
    PublishedShape,
    PublishingMemory,
    PublishingProject,
    Refusing,
    ShareShape,
    TakenBackShape,
    TeamShape,
)
from noctuary.store.sharing import Share

router = APIRouter(tags=["teams"])
# A name that begins with a letter which one can see, of whichever script.
OwnerName = Annotated[str, Path(min_length=1, max_length=200, pattern=rf"^{SEEN_IN_PATH}[^/\x00-\x1f\x7f]*$")]
Publishing = PublishingMemory | PublishingProject


@router.get("/teams", response_model=Page[TeamShape])
def list_teams(asked: Reading, limit: Limit = DEFAULT, cursor: Cursor = None) -> Response:
    """The teams that one is in, the oldest first."""
    asked.whole()
    with asked.memory() as within:
        part = cut(within.memory.team.teams(), cursor, limit, lambda team: Place(team.made_ms, team.id))
        return asked.tell(Page[TeamShape].of(part, [TeamShape.model_validate(team) for team in part.rows]))


@router.post("/teams", status_code=201, response_model=TeamShape)
def make_team(asked: Administering, body: NewTeam) -> Response:
    """Make a team; whoever does is its first reviewer."""
    asked.whole()

    def write(within: Within) -> tuple[int, TeamShape]:
        return HTTPStatus.CREATED, TeamShape.model_validate(within.memory.team.make(body.name))

    return asked.once(body, write)


@router.get("/teams/{team}/members", response_model=Page[MemberShape], responses=told(404))
def list_members(asked: Reading, team: ThingName, limit: Limit = DEFAULT, cursor: Cursor = None) -> Response:
    """Who is in a team, by name."""
    asked.whole()
    with asked.memory() as within:
        part = cut(within.memory.team.members(team), cursor, limit, lambda member: Place(0, member.owner))
        return asked.tell(Page[MemberShape].of(part, [MemberShape.model_validate(member) for member in part.rows]))


@router.put("/teams/{team}/members/{owner}", response_model=MemberShape, responses=told(404))
def invite(asked: Administering, team: ThingName, owner: OwnerName, body: Inviting) -> Response:
    """Let somebody in, or make them a reviewer or no longer one; only a reviewer may."""
    asked.whole()

    def write(within: Within) -> tuple[int, MemberShape]:
        member = within.memory.team.invite(team, owner, as_reviewer=body.reviewer)
        return HTTPStatus.OK, MemberShape.model_validate(member)

    return asked.once(body, write)


@router.delete("/teams/{team}/members/{owner}", response_model=TeamShape, responses=told(404))
def remove(asked: Administering, team: ThingName, owner: OwnerName) -> Response:
    """Let somebody be no member any more; oneself, or as a reviewer anybody."""
    asked.whole()

    def write(within: Within) -> tuple[int, TeamShape]:
        return HTTPStatus.OK, TeamShape.model_validate(within.memory.team.remove(team, owner))

    return asked.once(None, write)


@router.get("/teams/{team}/history", response_model=Page[DeedShape], responses=told(404))
def history(asked: Reading, team: ThingName, limit: Limit = DEFAULT, cursor: Cursor = None) -> Response:
    """What was done in a team, the newest first."""
    asked.whole()
    behind = decode(cursor)
    with asked.memory() as within:
        found = within.memory.team.history(team, before=behind.name if behind else None, most=limit + 1)
        part = part_of(found, limit, lambda done: Place(0, done.id))
        return asked.tell(Page[DeedShape].of(part, [DeedShape.model_validate(done) for done in part.rows]))


@router.post("/teams/{team}/preview", response_model=OffersShape, responses=told(404, 409))
def preview(asked: Asking, team: ThingName, body: Publishing) -> Response:
    """Exactly what others would see; nothing is published."""
    asked.whole()
    with asked.memory() as within:
        offers = within.memory.team.preview(team, **body.model_dump())
        return asked.tell(OffersShape(items=[OfferShape.model_validate(offer) for offer in offers]))


@router.post("/teams/{team}/shares", status_code=201, response_model=PublishedShape, responses=told(404))
def publish(asked: Administering, team: ThingName, body: Publishing) -> Response:
    """Propose a memory, or all memories of a project that hold now; a reviewer decides."""
    asked.whole()

    def write(within: Within) -> tuple[int, PublishedShape]:
        done = within.memory.team.publish(team, **body.model_dump())
        return HTTPStatus.CREATED, PublishedShape.of(done)

    return asked.once(body, write)


@router.get("/teams/{team}/shares", response_model=Page[ShareShape], responses=told(404))
def list_of_team(
    asked: Reading,
    team: ThingName,
    words: Annotated[str, Query(max_length=1_000, description="Only what has all of them.")] = "",
    limit: Limit = DEFAULT,
    cursor: Cursor = None,
) -> Response:
    """What a team shares, the oldest first."""
    asked.whole()
    with asked.memory() as within:
        return _listed(asked, within.memory.team.shared(team, words=words), cursor, limit)


@router.get("/shares", response_model=Page[ShareShape])
def list_mine(asked: Reading, limit: Limit = DEFAULT, cursor: Cursor = None) -> Response:
    """What one has published and not taken back, the oldest first."""
    asked.whole()
    with asked.memory() as within:
        return _listed(asked, within.memory.team.mine(), cursor, limit)


@router.get("/shared", response_model=Page[ShareShape])
def list_shared(asked: Reading, limit: Limit = DEFAULT, cursor: Cursor = None) -> Response:
    """What all of one's teams share; for a key of one project, those that it is bound to."""
    with asked.memory() as within:
        team = within.memory.team
        bound = {one.team for one in team.bindings(within.project)} if within.project is not None else None
        found = [share for share in team.shared() if bound is None or share.team in bound]
        return _listed(asked, found, cursor, limit)


@router.get("/proposals", response_model=Page[ShareShape])
def list_proposals(asked: Reading, limit: Limit = DEFAULT, cursor: Cursor = None) -> Response:
    """What waits for one's review, the oldest first."""
    asked.whole()
    with asked.memory() as within:
        return _listed(asked, within.memory.team.proposals(), cursor, limit)


@router.get("/shares/{share}", response_model=ShareShape, responses=told(404))
def read_share(asked: Reading, share: ThingName) -> Response:
    """One thing that is shared, if one may see it."""
    asked.whole()
    with asked.memory() as within:
        return asked.tell(ShareShape.of(within.memory.team.share(share)))


@router.post("/shares/{share}/accept", response_model=ShareShape, responses=told(404))
def accept(asked: Judging, share: ThingName, body: Accepting) -> Response:
    """Accept a proposal for all members, as it is or in other words; only a reviewer may."""
    asked.whole()

    def write(within: Within) -> tuple[int, ShareShape]:
        return HTTPStatus.OK, ShareShape.of(within.memory.team.accept(share, body.text or None))

    return asked.once(body, write)


@router.post("/shares/{share}/refuse", response_model=ShareShape, responses=told(404))
def refuse(asked: Judging, share: ThingName, body: Refusing) -> Response:
    """Say why something is not for the team; only a reviewer may."""
    asked.whole()

    def write(within: Within) -> tuple[int, ShareShape]:
        return HTTPStatus.OK, ShareShape.of(within.memory.team.refuse(share, body.reason))

    return asked.once(body, write)


@router.delete("/shares/{share}", response_model=TakenBackShape, responses=told(404))
def take_back(asked: Adding, share: ThingName) -> Response:
    """Take back what one published, by the id of the share or of the memory; nobody sees it any more."""
    asked.whole()

    def write(within: Within) -> tuple[int, TakenBackShape]:
        taken = within.memory.team.take_back(share)
        return HTTPStatus.OK, TakenBackShape(taken_back=[one.id for one in taken])

    return asked.once(None, write)


@router.post("/teams/{team}/bindings", response_model=BindingShape, responses=told(404))
def bind(asked: Adding, team: ThingName, body: Bound) -> Response:
    """Let sessions in a project be told what a team shares, as statements of others and never as rules."""
    asked.whole()

    def write(within: Within) -> tuple[int, BindingShape]:
        return HTTPStatus.OK, BindingShape.model_validate(within.memory.team.bind(team, body.project))

    return asked.once(body, write)


@router.post("/teams/{team}/unbind", response_model=BindingShape, responses=told(404))
def unbind(asked: Adding, team: ThingName, body: Bound) -> Response:
    """Let them no longer be told."""
    asked.whole()

    def write(within: Within) -> tuple[int, BindingShape]:
        found = within.memory.team.named(team)
        within.memory.team.unbind(team, body.project)
        return HTTPStatus.OK, BindingShape(project=body.project, team=found.id, team_name=found.name)

    return asked.once(body, write)


def _listed(asked: Asked, shares: list[Share], cursor: str | None, limit: int) -> Response:
    part = cut(shares, cursor, limit, lambda share: Place(share.proposed_ms, share.id))
    return asked.tell(Page[ShareShape].of(part, [ShareShape.of(share) for share in part.rows]))
