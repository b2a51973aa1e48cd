"""What searches and lists are narrowed by: the agent, the project, a time; and what a key allows to see at all."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple
from urllib.parse import urlencode

from noctuary.access import Caller
from noctuary.app import Memory
from noctuary.errors import SessionNotFound
from noctuary.moments import parse_moment
from noctuary.records import Session
from noctuary.store.sessions import Selection

_LONGEST = 500  # characters of a value


class Filters(NamedTuple):
    """What a form says, as it was typed; what is empty does not restrict."""

    agent: str = ""
    project: str = ""
    after: str = ""
    before: str = ""

    @classmethod
    def of(cls, given: Mapping[str, str]) -> "Filters":
        """The filters in the query of an address."""
        return cls(*(given.get(name, "").strip()[:_LONGEST] for name in cls._fields))

    @property
    def is_any(self) -> bool:
        """Whether anything is narrowed."""
        return any(self)

    def selection(self, caller: Caller, now_ms: int) -> Selection:
        """The sessions that are meant, never more than the key is for; BadTime if a time cannot be read."""
        return Selection(
            agent=self.agent or None,
            project=caller.project if caller.project is not None else self.project or None,
            after_ms=parse_moment(self.after, now_ms) if self.after else None,
            before_ms=parse_moment(self.before, now_ms) if self.before else None,
        )


def may_see(caller: Caller, session: Session) -> bool:
    """Whether the key is for this session.

    A selection also takes projects whose path ends in the same way, so what it gives is looked at again.
    """
    return caller.project is None or session.project == caller.project


def session_for(memory: Memory, caller: Caller, name: str) -> Session:
    """The session of this name that the caller may see; what a key is not for is not there."""
    try:
        session = memory.session(name)
    except SessionNotFound:
        if caller.project is None:
            raise
        raise SessionNotFound from None  # not even which others begin so
    if not may_see(caller, session):
        raise SessionNotFound
    return session


def address(path: str, given: Mapping[str, str], **changed: str) -> str:
    """An address with these values in its query; what is empty is left out."""
    values: Sequence[tuple[str, str]] = [(name, value) for name, value in {**given, **changed}.items() if value]
    return f"{path}?{urlencode(values, errors='replace')}" if values else path
