"""What is written down over HTTP, and what it rests on."""

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from noctuary.doors.http.shapes.shape import (
    By,
    Given,
    KnownSession,
    Mark,
    Ms,
    Name,
    ProjectName,
    Text,
    Title,
    Words,
    whole,
)

NoteKind = Literal["hypothesis", "finding", "evidence", "decision", "rejection", "constraint", "preference", "redirect"]

# What cannot be said of one field alone.
_ONLY_DECISIONS_HAVE_OPTIONS: dict[str, Any] = {
    "if": {"properties": {"kind": {"not": {"const": "decision"}}}},
    "then": {"properties": {"alternatives": {"maxItems": 0}}},
}
_ONE_IS_CHOSEN: dict[str, Any] = {
    "contains": {"properties": {"chosen": {"const": True}}, "required": ["chosen"]},
    "minContains": 0,
    "maxContains": 1,
}


class GivenMessageRef(Given):
    """A message that a note rests on."""

    session: KnownSession
    id: Annotated[int, Field(ge=1, le=2**24 - 1), whole]
    quote: Annotated[str, Field(max_length=10_000)] = ""


class GivenRefs(Given):
    """What a note rests on."""

    messages: list[GivenMessageRef] = Field(default=[], max_length=50)
    commits: list[Mark] = Field(default=[], max_length=50)
    files: list[Mark] = Field(default=[], max_length=50)


class GivenAlternative(Given):
    """One of the options of a decision."""

    option: Title
    chosen: bool = False
    rationale: Words = ""


class NewNote(Given):
    """Something to write down."""

    model_config = ConfigDict(json_schema_extra=_ONLY_DECISIONS_HAVE_OPTIONS)
    kind: NoteKind
    text: Text
    node: Name | None = Field(default=None, description="The id of what it is about.")
    project: ProjectName | None = None
    alternatives: list[GivenAlternative] = Field(default=[], max_length=20, json_schema_extra=_ONE_IS_CHOSEN)
    refs: GivenRefs = GivenRefs()
    strength: Literal["weak", "medium", "strong"] | None = None
    confidence: Annotated[float, Field(ge=0, le=1)] | None = None
    supersedes: Name | None = None
    suggested: bool = False
    ts_ms: Ms | None = None
    by: By = "agent"
    session: KnownSession | None = Field(default=None, description="Of the agent.")
