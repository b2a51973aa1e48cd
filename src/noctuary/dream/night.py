"""What every part of a dream needs: the journals and tables of an owner, the folder, and how dreams are to be."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from noctuary.authored import Author, EventSource, Trust
from noctuary.dream_settings import DreamSettings
from noctuary.ledger.ledger import Ledger
from noctuary.models.chat.meter import Meter
from noctuary.models.writer import Writer
from noctuary.store import Store
from noctuary.work.desk import Desk
from noctuary.work.desk import Writer as Hand

DREAMER = Hand(author=Author.DREAM, source=EventSource.DREAM, trust=Trust.AGENT)
HOUR_MS = 3_600_000


class Night(NamedTuple):
    """One owner's dreams."""

    ledger: Ledger
    settings: DreamSettings = DreamSettings()
    writer: Callable[[], Writer] | None = None  # opens what words memories anew, if anything is to
    meter: Meter | None = None  # of one run: all that is asked of models is counted there

    likeness: Callable[[str, str], float | None] | None = None  # of two sentences, if a model is in use
    door: str = EventSource.CLI  # through which people come who look at what dreams did

    @property
    def store(self) -> Store:
        """The tables."""
        return self.ledger.store

    @property
    def owner(self) -> str:
        """Whose dreams they are."""
        return self.ledger.owner

    @property
    def home(self) -> Path:
        """The folder of the memory."""
        return self.ledger.home

    @property
    def reviewer(self) -> Hand:
        """Whoever looks at what dreams did, and says what becomes of it."""
        return Hand(author=Author.USER, source=EventSource(self.door), trust=Trust.USER)

    def now_ms(self) -> int:
        """What time it is."""
        return self.ledger.clock.now_ms()

    def desk(self, project: str, writer: Hand = DREAMER) -> Desk:
        """The work of a project, as a dream writes it."""
        return Desk(self.ledger, project, writer)
