"""How much was said when, by which agents and about what: what a person wants to see before any single session."""

from __future__ import annotations  # a memory is named before it is loaded

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from noctuary.app.memory import Memory
    from noctuary.store.database import Row

DAY_MS = 86_400_000


class Amount(NamedTuple):
    """How much is kept."""

    sessions: int
    messages: int


class Activity:
    """What happened in a memory, or in one project of it: the one with exactly this name."""

    def __init__(self, memory: Memory, project: str | None = None) -> None:
        self._memory, self._project = memory, project

    def amount(self) -> Amount:
        """How many sessions there are, and how many messages in them."""
        sessions, messages = self._fetch("amount_said")[0]
        return Amount(int(sessions), int(messages))

    def days(self, after_ms: int) -> Mapping[int, int]:
        """How many messages each day has, by its number since 1970 in UTC; days without any are left out.

        A session of one day is counted as a whole, so that what is read follows the number of sessions.
        """
        days: Counter[int] = Counter()
        for query in ("days_of_sessions", "days_of_messages"):
            for day, messages in self._fetch(query, after_ms=after_ms):
                days[int(day)] += int(messages)
        return days

    def agents(self) -> list[str]:
        """The agents that were heard, by name."""
        return [row[0] for row in self._fetch("agents_heard")]

    def projects(self, most: int = 50) -> list[str]:
        """The projects that were worked on, the last first."""
        return [row[0] for row in self._fetch("projects_heard", most=most)]

    def _fetch(self, query: str, **values: int) -> list[Row]:
        return self._memory.store.database.fetch(query, owner=self._memory.owner, project=self._project, **values)
