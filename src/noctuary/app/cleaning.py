"""The verbs by which things are taken out of a memory for good."""

from __future__ import annotations  # or the annotations would load the parts below

from pathlib import Path
from typing import TYPE_CHECKING, cast

from noctuary.app.briefing import drop_brief_files
from noctuary.errors import StoreBusy
from noctuary.lazily import lazy_module

if TYPE_CHECKING:
    from collections.abc import Iterable

    from noctuary import forgetting, proving
    from noctuary.app.memory import Memory
    from noctuary.dream.life import run_lock
    from noctuary.forgetting import Eraser, Forgetting, Forgotten
    from noctuary.importing.run import ShowProgress
    from noctuary.proving import ForgetReport
    from noctuary.scrubbing import home, snapshots
    from noctuary.scrubbing.tally import Tally
    from noctuary.store import holdings
else:
    forgetting = lazy_module("noctuary.forgetting")
    proving = lazy_module("noctuary.proving")
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
        return self.forget_provably(what, progress=progress).removed["messages"]

    def forget_provably(self, what: Forgotten, *, progress: ShowProgress | None = None) -> ForgetReport:
        """The same; what was removed where, and the proof that it is gone, which is kept as well."""
        memory, eraser = cast("Memory", self), self._eraser()
        probes = proving.probes_of(eraser.words(what))
        before = self._counts()
        removed = eraser.forget(what, progress)
        memory.team.follow_forgetting()
        drop_brief_files(memory)
        after = self._counts()
        home = memory.settings.home
        report = proving.ForgetReport(
            made_ms=memory.clock.now_ms(),
            what=next(name for name in ("session", "project", "query", "text") if getattr(what, name)),
            removed={**{name: before[name] - after[name] for name in before}, "messages": removed, **eraser.done},
            proof=proving.prove(memory.store, home, memory.owner, probes),
            untouched=proving.untouched(home),
        )
        proving.save_report(home, report)
        return report

    def forget_reports(self) -> list[ForgetReport]:
        """What was forgotten on this machine, where it was removed, and the proofs; the oldest first."""
        return proving.reports(cast("Memory", self).settings.home)

    def _counts(self) -> dict[str, int]:
        """How much there is of what forgetting removes."""
        memory = cast("Memory", self)
        vectors = memory.store.vectors
        held = holdings.holdings(memory.store.database).get(memory.owner, holdings.Holdings())
        return {
            "sessions": held.sessions,
            "index entries": memory.store.lexicon.size(memory.owner).messages,
            "vectors": sum(len(row[1]) // 4 for one in vectors.embedders() for row in vectors.rows(one.no, None)),
        }

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
            given = [Path(path) for path in snapshots_at]
            if not dry_run:
                tally.warnings += snapshots.remove_rests(folder, given)
            for path in snapshots.snapshots_of(folder, given):
                snapshots.scrub_snapshot(path, owner, memory.clock, tally, is_dry=dry_run)
            tally.warnings += snapshots.told_of_copies(folder)
        if tally.total and not dry_run:
            with store.database.hurried():  # at its end, that the log is empty is on the disk, too
                memory.team.follow()
            drop_brief_files(memory)
        return tally
