"""One search from candidates to hits, while others write."""

from collections.abc import Sequence
from pathlib import Path

from noctuary.recall.database import DatabaseRecall, _Index, _Shelf
from noctuary.recall.query import parse
from noctuary.recall.searching import Sources, search
from noctuary.records import Message, Role, Session
from noctuary.store import open_store
from noctuary.testing import FakeClock

OWNER = "ana"


class ForgettingShelf(_Shelf):
    """A shelf from which a session vanishes in the moment between reading it and its messages."""

    forgotten = "gone"

    def sessions(self, numbers: Sequence[int]) -> dict[int, Session]:
        found = super().sessions(numbers)
        DatabaseRecall(self.store, FakeClock()).delete_session(self.owner, self.forgotten)
        return found


def test_what_is_forgotten_meanwhile_is_no_hit(tmp_path: Path) -> None:
    """A session that is forgotten while a search dresses its hits is left out, and the others are shown."""
    store = open_store(tmp_path / "noctuary.db")
    recall = DatabaseRecall(store, FakeClock())
    for name in ("gone", "kept"):
        recall.append(OWNER, name, Message(role=Role.USER, content=f"the apricot of {name}"))

    shelf = ForgettingShelf(store, OWNER)
    sources = Sources(words=_Index(store, OWNER), shelf=shelf, pick=lambda _: None)
    found = search(sources, parse("apricot", 0), limit=5, picked=None, now_ms=0)

    assert [hit.session.id for hit in found.hits] == ["kept"]
    store.close()
