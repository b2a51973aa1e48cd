"""Restore a snapshot: checked and copied beside the place first, then put there; what was there is never deleted."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

from noctuary.clock import Clock
from noctuary.dream.life.run_lock import run_lock
from noctuary.errors import BadInput, NotFree, StoreBusy, StoreError
from noctuary.files import make_private_folder, mark_of_one, translated
from noctuary.ledger.ledger import Ledger
from noctuary.snapshot.aside import BEFORE, RESTORING
from noctuary.snapshot.copying import remove_tree, sync_folders
from noctuary.snapshot.live import Live, look_at
from noctuary.snapshot.making import free_name, time_name
from noctuary.snapshot.manifest import DATABASE, Manifest, state_name
from noctuary.snapshot.placing import finish, put_instead, put_into
from noctuary.snapshot.reading import Snapshot, opened, read_out
from noctuary.snapshot.state import settle_state
from noctuary.store import open_store
from noctuary.store.sqlite import newest_schema

_MOST_SHOWN = 12


class Restored(NamedTuple):
    """What was restored, or would be."""

    home: Path
    manifest: Manifest
    live: Live  # what was there
    aside: Path | None = None  # where that is now
    warnings: Sequence[str] = ()
    is_dry: bool = False
    refusal: str = ""  # why it would be refused


def restore(path: Path, home: Path, clock: Clock, *, replace: bool = False, dry_run: bool = False) -> Restored:
    """Put what is in a snapshot into the folder of a memory.

    A memory that is there is moved aside, and only with `replace`, unless it is empty.  Nothing is changed before the
    whole snapshot was found to be sound.
    """
    place = home.expanduser().resolve()
    if not dry_run:
        with translated(place):
            finish(place)  # the snapshot itself may lie where a restore that was killed left it
    with translated(path), opened(path) as snapshot:
        live = look_at(place, snapshot.manifest)
        aside = free_name(place.with_name(f"{place.name}{BEFORE}{time_name(clock.now_ms())}"))
        refusal = "" if replace or live.is_empty else _refusal(snapshot, place, live, aside)
        result = Restored(place, snapshot.manifest, live, aside if live.is_there else None, refusal=refusal)
        if dry_run:
            return result._replace(warnings=read_out(snapshot)[1], is_dry=True)
        if refusal:
            raise BadInput(refusal)
        with translated(place), _stage(place, beside=live.is_there) as stage:
            states, warnings = read_out(snapshot, stage)
            warnings += _settle(stage, snapshot.manifest, states, clock)
            sync_folders(stage)
            if live.is_there:
                warnings += _put_instead(stage, place, aside)
            else:
                put_into(stage, place)
    return result._replace(warnings=warnings)


def _put_instead(stage: Path, home: Path, aside: Path) -> list[str]:
    with run_lock(home) as is_mine:
        if not is_mine:
            raise NotFree(f"A dream is running over {home}. Nothing was changed; restore again when it has ended.")
        with _nobody_writing(home / DATABASE):
            return put_instead(stage, home, aside)


@contextmanager
def _nobody_writing(database: Path) -> Iterator[None]:
    """Who has the memory open waits to write to it, and finds then that another is in its place.

    StoreBusy if somebody writes for too long.  To one that is damaged or newer, nobody does with this version.
    """
    with ExitStack() as opened_database:
        if database.exists():
            try:
                store = open_store(database)
                opened_database.callback(store.close)
                opened_database.enter_context(store.database.transaction())
            except StoreBusy:
                raise
            except StoreError:
                opened_database.close()
        yield


@contextmanager
def _stage(home: Path, *, beside: bool) -> Iterator[Path]:
    """A folder to prepare the memory in: beside the one it will replace, or in the one it will be moved into."""
    name = f"{RESTORING}{mark_of_one()}"
    stage = home.with_name(f"{home.name}{name}") if beside else home / name
    is_new_home = not stage.parent.exists()
    make_private_folder(stage.parent)
    stage.mkdir(mode=0o700)
    made = stage.stat().st_ino
    try:
        yield stage
    except BaseException as error:
        try:
            _clear_away(stage, made)
            if is_new_home and not any(stage.parent.iterdir()):
                stage.parent.rmdir()
        except StoreError as left:
            raise StoreError(f"{error} {left}") from error
        raise
    _clear_away(stage, made)


def _clear_away(stage: Path, made: int) -> None:
    """Remove the folder that was made: never another of that name, which could be the memory that stood there."""
    if stage.exists() and stage.stat().st_ino == made:
        remove_tree(stage)


def _settle(stage: Path, manifest: Manifest, states: Mapping[str, bytes], clock: Clock) -> list[str]:
    """Open the copy of the database, and make sure that it knows the dream state of everybody."""
    warnings: list[str] = []
    is_same = manifest.schema == newest_schema()
    store = open_store(stage / DATABASE)
    try:
        for owner in manifest.owners:
            content = states.get(state_name(owner))
            warnings += settle_state(Ledger(store, stage, owner, clock), content, is_same_schema=is_same)
    finally:
        store.close()
    return warnings


def _refusal(snapshot: Snapshot, home: Path, live: Live, aside: Path) -> str:
    found = [*(f"newer: {each}" for each in live.newer), *(f"fewer: {each}" for each in live.fewer)]
    shown = [f"  {each}" for each in found[:_MOST_SHOWN]]
    if len(found) > _MOST_SHOWN:
        shown.append(f"  … and {len(found) - _MOST_SHOWN:,} more")
    if not live.newer:
        shown.insert(0, "  nothing was counted there that the snapshot does not have")
    return "\n".join(
        [
            f"{home} holds a memory already. Nothing was changed. Compared with {snapshot.path}:",
            *shown,
            f"With --replace that memory is first moved to {aside}, and stays there.",
            "With --into FOLDER the snapshot is restored beside it.",
        ]
    )
