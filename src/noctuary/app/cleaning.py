"""The verbs by which things are taken out of a memory for good."""

from __future__ import annotations  # or the annotations would load the parts below

from pathlib import Path
from typing import TYPE_CHECKING, cast

from noctuary.app.briefing import drop_brief_files
from noctuary.errors import StoreBusy
from noctuary.lazily import lazy_module

if TYPE_CHECKING:
    from collections.abc import Iterable

    from noctuary import forgetting
    from noctuary.app.memory import Memory
    from noctuary.dream.life import run_lock
    from noctuary.forgetting import Eraser, Forgetting, Forgotten
    from noctuary.importing.run import ShowProgress
    from noctuary.scrubbing import home, snapshots
    from noctuary.scrubbing.tally import Tally
    from noctuary.store import holdings
else:
    forgetting = lazy_module("noctuary.forgetting")
    holdings = lazy_module("noctuary.store.holdings")
    home = lazy_module("noctuary.scrubbing.home")
    run_lock = lazy_module("noctuary.dream.life.run_lock")
    snapshots = lazy_module("noctuary.scrubbing.snapshots")


class Cleaning:
    """What `Memory` can take out of itself."""

    def plan_forgetting(self, what: Forgotten, *, progress: ShowProgress | None = None) -> Forgetting:
        """What `forget` would remove; nothing is removed."""
        return self._eraser().plan(what, progress)

    def forget(self, what: Forgotten, *, progress: ShowProgress | None = None) -> int:
        """Remove sessions or messages for good and keep later imports from bringing them back; how many messages."""
        memory = cast("Memory", self)
        forgotten = self._eraser().forget(what, progress)
        memory.team.follow_forgetting()
        drop_brief_files(memory)
        return forgotten

    def _eraser(self) -> Eraser:
        memory = cast("Memory", self)
        return forgetting.Eraser(memory.recall, memory.dreams.night)

    def scrub(self, *, snapshots_at: Iterable[str | Path] = (), dry_run: bool = False) -> Tally:
        """Take secrets out of all that is stored, by what redaction knows today, and out of snapshots; what was found.

        Of a memory in a folder, everybody's; of one on a server, this owner's.  StoreBusy while a dream goes on.
        """
        memory = cast("Memory", self)
        folder, store, owner = memory.settings.home, memory.store, memory.owner
        is_alone = memory.settings.database_url is None
        owners = sorted({owner, *(holdings.holdings(store.database) if is_alone else ())})
        with run_lock.dream_lock(memory.dreams.night) as is_mine:
            if not is_mine:
                raise StoreBusy("A dream is going on, and may be reading what should go; try again when it has ended.")
            tally = home.scrub_memory(store, folder, owners, memory.clock, is_dry=dry_run)
            for path in snapshots.snapshots_of(folder, [Path(path) for path in snapshots_at]):
                snapshots.scrub_snapshot(path, owner, memory.clock, tally, is_dry=dry_run)
        if tally.total and not dry_run:
            memory.team.follow()
            drop_brief_files(memory)
        return tally
