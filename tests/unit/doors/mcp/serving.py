"""What the tests of tools share: a server without the protocol, and sessions to find."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from noctuary.authored import Author, Trust
from noctuary.doors.mcp.keeper import Caller, Keeper
from noctuary.doors.mcp.telling import Answer
from noctuary.doors.mcp.verbs import call
from noctuary.records import Kind, Message, Role, Session

OWNER = "ana"
MINUTE_MS = 60_000
NOW = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)
START_MS = 1_772_442_000_000  # 2026-03-02 09:00
CALLER = Caller("session-of-the-agent", "codex")


class Served(NamedTuple):
    """Tools that can be called by their names."""

    keeper: Keeper
    caller: Caller = CALLER

    def __call__(self, tool: str, **arguments: Any) -> str:
        """The answer of a call that must work."""
        answer = self.asked(tool, **arguments)
        assert not answer.is_error, answer.text
        return answer.text

    def refused(self, tool: str, **arguments: Any) -> str:
        """The answer of a call that must not work."""
        answer = self.asked(tool, **arguments)
        assert answer.is_error, answer.text
        return answer.text

    def asked(self, tool: str, **arguments: Any) -> Answer:
        """Whatever comes."""
        return call(self.keeper, self.caller, tool, arguments)

    def keep(self, name: str, said: Sequence[str | Message], **facts: Any) -> None:
        """Store a session, what is said being the user's and the agent's turns, a minute apart."""
        start = int(facts.pop("start_ms", START_MS))
        session = Session(name, **{"agent": "claude-code", "project": "/home/ana/code/shop", **facts})
        with self.keeper.writing() as memory:
            memory.add_session(session, [_turn(one, place, start) for place, one in enumerate(said)])

    def authors(self) -> set[tuple[Author, Trust]]:
        """Who wrote the entries of the project, and whose word they are."""
        with self.keeper.reading() as memory:
            entries = memory.work(self.project).entries(limit=1_000)
            return {(entry.event.author, entry.event.trust) for entry in entries}

    @property
    def project(self) -> str:
        """The project of the folder that the server was started in."""
        assert self.keeper.serving.folder is not None
        return str(self.keeper.serving.folder.resolve())  # it lies in no repository


def output(text: str) -> Message:
    """What a tool gave."""
    return Message(Role.TOOL, text, Kind.TOOL_RESULT, tool_name="Bash")


def _turn(said: str | Message, place: int, start_ms: int) -> Message:
    if isinstance(said, Message):
        return said._replace(ts_ms=start_ms + place * MINUTE_MS)
    return Message(Role.ASSISTANT if place % 2 else Role.USER, said, ts_ms=start_ms + place * MINUTE_MS)
