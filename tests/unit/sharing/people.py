"""Several people with memories in one database, as the tests of sharing need them."""

from datetime import timedelta
from pathlib import Path

from noctuary.app import Memory
from noctuary.authored import MessageRef, Refs
from noctuary.records import Kind, Message, Role, Session
from noctuary.settings import Settings
from noctuary.store.memories import Remembered
from noctuary.store.sharing import Share
from noctuary.testing import FakeClock
from tests.databases import url_of

PROJECT = "/home/ana/code/shop"


class GoingClock(FakeClock):
    """A clock that goes on whenever somebody looks, so that what is done later is later for everybody."""

    def now_ms(self) -> int:
        """The time it shows."""
        self.advance(timedelta(milliseconds=1))
        return super().now_ms()


class People:
    """Opens one memory for each name, all of them at the same time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.clock = GoingClock()
        self._open: dict[str, Memory] = {}

    def __getitem__(self, name: str) -> Memory:
        """The memory of this owner."""
        if name not in self._open:
            settings = Settings(
                home=self.folder, owner=name, user_home=self.folder, environ={}, database_url=url_of(self.folder)
            )
            self._open[name] = Memory.from_settings(settings, self.clock)
        return self._open[name]

    def close(self) -> None:
        """Close all of them."""
        for memory in self._open.values():
            memory.close()


def remembered(memory: Memory, text: str, kind: str = "fact", **more: object) -> Remembered:
    """A memory that its owner keeps, of the project that all tests are about."""
    return memory.work(PROJECT).remember(text, kind=kind, **more)


def cited(memory: Memory, text: str, quote: str, session: str = "s1") -> Remembered:
    """A memory that rests on a message of a session."""
    message = Message(id=0, role=Role.USER, kind=Kind.TEXT, content=f"Well, {quote}", ts_ms=memory.clock.now_ms())
    memory.recall.ensure_session(memory.owner, Session(owner=memory.owner, id=session, project=PROJECT))
    number = memory.append(session, message)
    return remembered(memory, text, refs=Refs(messages=(MessageRef(session, number, quote),)))


def published(memory: Memory, team: str, text: str, **more: object) -> Share:
    """A memory that its owner keeps and has just proposed to a team."""
    return memory.team.publish(team, memory=remembered(memory, text, **more).id).proposed[0]  # type: ignore[arg-type]


def texts(shares: list[Share]) -> list[str]:
    """What is read in them."""
    return [share.text for share in shares]
