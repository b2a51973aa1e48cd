"""The verbs by which a whole memory is kept elsewhere, and put back."""

from __future__ import annotations  # or the annotations would load the parts below

import os
from pathlib import Path
from typing import TYPE_CHECKING

from noctuary.clock import Clock, SystemClock
from noctuary.errors import BadInput
from noctuary.files import RESTORED, translated
from noctuary.lazily import lazy_module
from noctuary.settings import Settings
from noctuary.store import open_store

if TYPE_CHECKING:
    import tempfile

    from noctuary.app import moves
    from noctuary.snapshot import keeping, making, placing, restoring
    from noctuary.snapshot.making import Made
    from noctuary.snapshot.restoring import Restored
    from noctuary.store import Store
else:
    tempfile = lazy_module("tempfile")
    moves = lazy_module("noctuary.app.moves")
    keeping = lazy_module("noctuary.snapshot.keeping")
    making = lazy_module("noctuary.snapshot.making")
    placing = lazy_module("noctuary.snapshot.placing")
    restoring = lazy_module("noctuary.snapshot.restoring")


def finish_restoring(home: Path) -> None:
    """Let a restore that was killed when all but the last was done come to its end."""
    if (home / RESTORED).exists():
        with translated(home):
            placing.finish(home)


class Snapshots:
    """What `Memory` can do with all of itself."""

    store: Store
    settings: Settings
    clock: Clock

    def snapshot(self, target: str | Path | None = None, *, keep: int | None = None) -> Made:
        """Copy everything, of all owners, to a new folder or `.tar.gz` file, while others go on writing.

        By default it goes below the home.  With `keep` only so many of the snapshots beside it stay, the newest.  Of
        a server it copies what is this owner's, as nobody else's can be seen.
        """
        if keep is not None and keep < 1:
            raise BadInput(f"{keep} snapshots cannot be kept, as the one to be made is one; say 1 or more.")
        home, owner = self.settings.home, self.settings.owner
        path = Path(target) if target else None
        if self.settings.database_url is None:
            made = making.make_snapshot(self.store, home, owner, self.clock, path)
        else:
            made = self._snapshot_of_server(path or making.free_place(home, self.clock.now_ms()))
        return made if keep is None else keeping.keep_newest(made, keep)

    def _snapshot_of_server(self, target: Path) -> Made:
        """Move the owner's memory to a folder that is gone afterwards, and copy that."""
        settings = self.settings
        with tempfile.TemporaryDirectory(prefix="noctuary-") as folder:
            place = Path(folder) / "memory"
            moves.move_memory(settings, str(place), self.clock)
            store = open_store(place / settings.database.name)
            try:
                return making.make_snapshot(store, place, settings.owner, self.clock, target)
            finally:
                store.close()

    @staticmethod
    def restore(
        snapshot: str | Path,
        home: str | Path | None = None,
        *,
        replace: bool = False,
        dry_run: bool = False,
        clock: Clock | None = None,
    ) -> Restored:
        """Put a snapshot into a folder, by default the usual one.

        A memory that is there already is refused, or moved aside with `replace`.
        """
        place = Path(home) if home else Settings.load(os.environ).home
        return restoring.restore(Path(snapshot), place, clock or SystemClock(), replace=replace, dry_run=dry_run)
