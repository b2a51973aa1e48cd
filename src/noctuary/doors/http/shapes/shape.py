"""What all shapes have in common, and the words that many of them use."""

from typing import Annotated, Generic, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from noctuary.doors.http.paging import Part

LONGEST_TEXT = 100_000
_UNSEEN = r"\s\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"
_SEEN = f"[^{_UNSEEN}]"  # a letter that one can see
SEEN_IN_PATH = f"[^/{_UNSEEN}]"
_GREATEST_MS = 2**53


class Shape(BaseModel):
    """Something that is answered: a record of ours, read by its fields."""

    model_config = ConfigDict(from_attributes=True, extra="forbid")


class Given(BaseModel):
    """Something that is asked for: nothing is guessed, and nothing unknown is passed over."""

    model_config = ConfigDict(strict=True, extra="forbid")


def _whole(value: object) -> object:
    """A number without fraction as one that has none: JSON does not tell 1 from 1.0."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _not_too_long(value: str) -> str:
    if len(value) > LONGEST_TEXT:
        raise ValueError(f"{LONGEST_TEXT:,} characters are the most")
    return value


whole = BeforeValidator(_whole)  # comes last, or the schema would not show what is before it
Ms = Annotated[int, Field(ge=0, le=_GREATEST_MS, description="Milliseconds since 1970, UTC."), whole]
Title = Annotated[str, Field(min_length=1, max_length=500, pattern=_SEEN)]
# How long it may be is said in words: beside a pattern, such a length is more than tools that read schemas can take.
Text = Annotated[
    str,
    Field(min_length=1, pattern=_SEEN, description=f"At most {LONGEST_TEXT:,} characters."),
    AfterValidator(_not_too_long),  # comes last, or the document would not show the pattern
]
Words = Annotated[str, Field(max_length=LONGEST_TEXT)]  # which may be none
Name = Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[!-~]+$")]  # of something of ours, by its id
LONGEST_SESSION = 1_000
# By its id, which its agent gave it: perhaps the name of a folder, with spaces and letters of any script.
KnownSession = Annotated[str, Field(min_length=1, max_length=LONGEST_SESSION, pattern=r"^[^\x00-\x1f\x7f]+$")]
ProjectName = Annotated[
    str,
    Field(
        max_length=1_000,
        pattern=rf"^({_SEEN}[^\x00-\x1f\x7f]*)?$",
        description="The whole name of a project: a path, or the address of its repository; empty is none.",
    ),
]
Mark = Annotated[str, Field(min_length=1, max_length=200, pattern=_SEEN)]
By = Annotated[
    Literal["agent", "user"],
    Field(description="Whose word it is.  `user` takes a key with the scope `admin`."),
]
Item = TypeVar("Item")


class TextShape(Shape):
    """A text for people and agents, in Markdown."""

    text: str


class Page(Shape, Generic[Item]):
    """Part of a list."""

    items: list[Item]
    next: str | None = Field(description="The cursor of the part that follows; null if this is the last.")

    @classmethod
    def of(cls, part: Part, items: list[Item]) -> "Page[Item]":
        """The part of a list, with these as its items."""
        return cls(items=items, next=part.next)


class ProblemFault(Shape):
    """Where a request is wrong."""

    where: str = Field(alias="in")
    fault: str


class ProblemShape(BaseModel):
    """What went wrong, as RFC 9457 has it."""

    type: str
    title: str
    status: int
    detail: str
    errors: list[ProblemFault] = Field(
        default=[], description="Where the request is wrong, if it is in several places."
    )
