"""Teams, what is shared with them, and what was done there."""

from typing import Annotated, Literal

from pydantic import Field

from noctuary.doors.http.shapes.shape import Given, Mark, Name, ProjectName, Shape, Text, Words
from noctuary.sharing.publishing import Published
from noctuary.store.memories import MemoryKind
from noctuary.store.sharing import Deed, Role, Share, ShareState

OwnProject = Annotated[ProjectName, Field(min_length=1)]


class TeamShape(Shape):
    """A team's project, and what the owner of the key is in it."""

    id: str
    name: str
    made_by: str
    made_ms: int
    role: Role


class MemberShape(Shape):
    """Somebody in a team."""

    owner: str
    role: Role
    invited_by: str
    since_ms: int


class CitedShape(Shape):
    """Words that a shared memory rests on; the message itself is its publisher's alone."""

    session: str
    message: int
    quote: str


class ContentShape(Shape):
    """All that others see of a memory: a copy."""

    memory: str
    kind: MemoryKind
    text: str
    topic: str
    event: str
    said_by: str
    trust: str
    said_ms: int
    valid_from_ms: int | None
    valid_to_ms: int | None
    recorded_ms: int
    cited: list[CitedShape]


class ShareShape(Shape):
    """A memory that was proposed to a team, and what became of that."""

    id: str
    team: str
    team_name: str
    publisher: str
    text: str = Field(description="What the team reads: the reviewer's words if there are any, else the publisher's.")
    content: ContentShape
    proposed_ms: int
    state: ShareState
    wording: str
    reason: str
    reviewer: str
    reviewed_ms: int | None

    @classmethod
    def of(cls, share: Share) -> "ShareShape":
        """The share."""
        return cls.model_validate(share)


class OfferShape(Shape):
    """What others would see of a memory, and what publishing it does."""

    content: ContentShape
    step: Literal["propose", "propose anew", "known", "refused"]


class OffersShape(Shape):
    """What publishing would do; nothing is done."""

    items: list[OfferShape]


class PublishedShape(Shape):
    """What was proposed, and what was left out because it was known or refused."""

    team: TeamShape
    proposed: list[ShareShape]
    left_out: list[OfferShape]

    @classmethod
    def of(cls, published: Published) -> "PublishedShape":
        """What was published."""
        return cls.model_validate(published)


class DeedShape(Shape):
    """Something that was done in a team; never what was said."""

    id: str
    team: str
    at_ms: int
    who: str
    what: Deed
    about: str = Field(description="A share or a member; empty: the team.")
    publisher: str


class TakenBackShape(Shape):
    """The ids of what is shared no longer."""

    taken_back: list[str]


class BindingShape(Shape):
    """A project whose sessions are told what a team shares."""

    project: str
    team: str
    team_name: str


class NewTeam(Given):
    """A team to make."""

    name: Mark


class Inviting(Given):
    """What somebody is to be in a team."""

    reviewer: bool = False


class PublishingMemory(Given):
    """A memory to publish."""

    memory: Name


class PublishingProject(Given):
    """A project of which all memories that hold now are to be published."""

    project: OwnProject


class Accepting(Given):
    """In which words; empty: the publisher's."""

    text: Words = ""


class Refusing(Given):
    """Why it is not for the team."""

    reason: Text


class Bound(Given):
    """A project of one's own."""

    project: OwnProject
