"""How much each owner has in the database: what a snapshot says of itself, and is compared by."""

from typing import NamedTuple

from noctuary.store.database import Database


class Holdings(NamedTuple):
    """What one owner has."""

    sessions: int = 0
    messages: int = 0
    events: int = 0
    nodes: int = 0
    memories: int = 0
    dreamt: int = 0  # completions that a dream has read
    waiting: int = 0  # completions that one has not
    runs: int = 0
    tombstones: int = 0
    last_success_ms: int = 0  # of a dream

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing at all."""
        return not any(self)


def holdings(database: Database) -> dict[str, Holdings]:
    """What everybody has who has anything, by owner."""
    owners = [row[0] for row in database.fetch("all_owners")]
    return {owner: Holdings(*database.fetch("holdings", owner=owner)[0]) for owner in owners}
