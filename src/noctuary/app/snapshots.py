"""The verbs by which a whole memory is kept elsewhere, and put back."""

from __future__ import annotations  # or the annotations would load the parts below

import os
from pathlib import Path
from typing import TYPE_CHECKING

from noctuary.clock import Clock, SystemClock
from noctuary.errors import BadInput
from noctuary.lazily import lazy_module
from noctuary.settings import Settings

if TYPE_CHECKING:
    from noctuary.snapshot import keeping, making, restoring
    from noctuary.snapshot.making import Made
    from noctuary.snapshot.restoring import Restored
    from noctuary.store import Store
else:
    keeping = lazy_module("noctuary.snapshot.keeping")
    making = lazy_module("noctuary.snapshot.making")
    restoring = lazy_module("noctuary.snapshot.restoring")


class Snapshots:
    """What `Memory` can do with all of itself."""

    store: Store
    settings: Settings
    clock: Clock

    def snapshot(self, target: str | Path | None = None, *, keep: int | None = None) -> Made:
        """Copy everything, of all owners, to a new folder or `.tar.gz` file, while others go on writing.

        By default it goes below the home.  With `keep` only so many of the snapshots beside it stay, the newest.
        """
        if keep is not None and keep < 1:
            raise BadInput(f"{keep} snapshots cannot be kept, as the one to be made is one; say 1 or more.")
        home, owner = self.settings.home, self.settings.owner
        made = making.make_snapshot(self.store, home, owner, self.clock, Path(target) if target else None)
        return made if keep is None else keeping.keep_newest(made, keep)

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
