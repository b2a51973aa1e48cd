"""What pages of memories, dreams and work are narrowed by: the project that a key is for, or one that is asked for."""

from collections.abc import Mapping
from typing import NamedTuple

from noctuary.access import Caller
from noctuary.doors.http.problems import Problem

EVERYWHERE = "*"  # in an address: what holds in all projects, and belongs to none
_LONGEST = 500
_MOST_PAGES = 100_000


class Part(NamedTuple):
    """Which part of a list is shown."""

    page: int
    size: int

    @property
    def skip(self) -> int:
        """How much comes before it."""
        return (self.page - 1) * self.size


def part_of(given: Mapping[str, str], size: int) -> Part:
    """The part that an address asks for; the first unless it names another."""
    asked = given.get("page", "")
    number = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 9 else 1
    return Part(max(1, min(number, _MOST_PAGES)), size)


def project_of(caller: Caller, given: Mapping[str, str]) -> str | None:
    """The project that is shown: the key's own; else the one that is asked for; else None, which is all of them."""
    if caller.project is not None:
        return caller.project
    return {"": None, EVERYWHERE: ""}.get(asked := word(given, "project"), asked)


def word(given: Mapping[str, str], name: str) -> str:
    """A value of an address or a form, within reason."""
    return given.get(name, "").strip()[:_LONGEST]


def may_see(caller: Caller, project: str) -> bool:
    """Whether the key is for what belongs to this project."""
    return caller.project in (None, project)


def need_whole_memory(caller: Caller, what: str) -> None:
    """Problem unless the key is for all projects."""
    if caller.project is not None:
        raise Problem(403, f"This key is for one project, and {what} concerns all of them. Use a key for all projects.")
