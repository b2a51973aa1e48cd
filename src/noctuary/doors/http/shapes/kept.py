"""Memories, why they are kept, and the brief that tells them."""

from typing import Annotated, Literal

from pydantic import Field

from noctuary.brief.page import Brief
from noctuary.doors.http.shapes.shape import By, Given, Mark, ProjectName, Shape, Text, Words
from noctuary.doors.http.shapes.work import EntryShape
from noctuary.store.memories import MemoryKind, MemoryStatus, Remembered


class MemoryShape(Shape):
    """A sentence worth keeping."""

    id: str
    project: str = Field(description="Empty: of all projects.")
    kind: MemoryKind
    text: str
    topic: str
    status: MemoryStatus
    pinned: bool
    approved: bool = Field(description="Whether it is the user's own word, or the user said yes to it.")
    trust: str | None
    confidence: float | None
    support: int = Field(description="How often it was said.")
    recorded_ms: int
    retired_ms: int | None
    superseded_by: str | None
    event: str

    @classmethod
    def of(cls, memory: Remembered) -> "MemoryShape":
        """The memory, with what is known of it."""
        facts = memory.facts
        support, trust, sureness = (facts.get(name) for name in ("support", "trust", "confidence"))
        return cls(
            id=memory.id,
            project=memory.project,
            kind=memory.kind,
            text=memory.text,
            topic=str(facts.get("topic") or ""),
            status=memory.status,
            pinned=facts.get("pinned") is True,
            approved=facts.get("approved") is True or trust == "user",
            trust=str(trust) if trust else None,
            confidence=sureness if isinstance(sureness, (int, float)) else None,
            support=support if isinstance(support, int) else 1,
            recorded_ms=memory.recorded_ms,
            retired_ms=memory.retired_ms,
            superseded_by=memory.superseded_by,
            event=memory.event,
        )


class WhyShape(Shape):
    """A memory, what it rests on, and the dreams that wrote about it."""

    memory: MemoryShape
    grounds: list[EntryShape]
    runs: list[str]


class NewMemory(Given):
    """A sentence to keep.  What an agent says of rules waits until the user says yes."""

    text: Text
    kind: Literal["decision", "constraint", "preference", "fact", "procedure", "gotcha"] = "fact"
    topic: Mark | Literal[""] = ""
    project: ProjectName | None = None
    everywhere: bool = Field(default=False, description="Whether it holds in all projects.")
    pinned: bool = Field(default=False, description="Whether it is shown always; takes a key with the scope `dream`.")
    confidence: Annotated[float, Field(ge=0, le=1)] | None = None
    by: By = "agent"


class Retiring(Given):
    """Why a memory holds no longer."""

    reason: Words = ""
    by: By = "agent"


class BriefLineShape(Shape):
    """A line of a brief, and the id of what it tells."""

    text: str
    id: str


class BriefSectionShape(Shape):
    """A part of a brief."""

    title: str
    lines: list[BriefLineShape]


class BriefShape(Shape):
    """What a session in a project is told at its start."""

    project: str
    budget: int
    tokens: int
    text: str
    sections: list[BriefSectionShape]

    @classmethod
    def of(cls, brief: Brief) -> "BriefShape":
        """The brief."""
        sections = [
            BriefSectionShape(
                title=section.title, lines=[BriefLineShape(text=line.text, id=line.id) for line in section.lines]
            )
            for section in brief.sections
        ]
        return cls(project=brief.project, budget=brief.budget, tokens=brief.tokens, text=brief.text, sections=sections)
