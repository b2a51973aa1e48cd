"""Move memories: look at both places, copy what is not there, compare, and only then let it be so.

The memory that is moved is read while nobody writes to it, and is never changed.  A server gets each owner's memory in
one transaction; a folder is made under another name, which is changed at the end.  So whatever was killed left nothing,
and can be done again; done again after it ended well, it finds that all is there.
"""

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from noctuary.clock import Clock
from noctuary.errors import BadInput, StoreBusy, StoreError
from noctuary.files import held as held_alone
from noctuary.files import make_private_folder, sync_folder, sync_tree, translated
from noctuary.moving.comparing import BESIDE, Held, check_journals, differing, held, is_empty, joined, models_of
from noctuary.moving.copying import copy_memory
from noctuary.moving.places import DATABASE, Opened, Place, opened
from noctuary.names import file_name
from noctuary.store.owned_rows import everybody

PAGES = "memory"
ShowProgress = Callable[[str, int, int], None]  # the owner, sessions that are copied, of how many


class Moved(NamedTuple):
    """What became of one owner's memory."""

    owner: str
    held: Mapping[str, Held]  # what there is, the same in both places
    was_there: bool = False  # already, from a move before
    left: Sequence[str] = ()  # others of the owner's teams, who are neither moved with them nor there


class Move(NamedTuple):
    """A move that somebody wants."""

    source: Place
    target: Place
    clock: Clock
    busy_seconds: float = 30.0
    is_dry: bool = False
    progress: ShowProgress | None = None

    def run(self, owners: Sequence[str]) -> list[Moved]:
        """Copy the memories of these owners; BadInput, and nothing done, if there is anything else of theirs."""
        if self.source.is_same(self.target):
            raise BadInput("The memory is there already: --to names the database that it is in.")
        if self.source.url is None and not (self.source.home / DATABASE).exists():
            raise BadInput(f"There is no memory in {self.source.home}. Name its folder with --home.")
        if self.target.url is not None or (self.target.home / DATABASE).exists():
            return [self._move(owner, self.target, owners) for owner in owners]
        with self._new_folder() as place:
            return [self._move(owner, place, owners) for owner in owners]

    def owners(self) -> list[str]:
        """Everybody who has something in the source, which must be a folder: a server shows nobody's but one's own."""
        if self.source.url is not None:
            raise BadInput("A server shows each owner only their own. Name them: --owner, and --also for each other.")
        with opened(self.source, "", self.busy_seconds) as memory:
            return everybody(memory.store.database)

    def _move(self, owner: str, place: Place, owners: Sequence[str]) -> Moved:
        with self._open(self.source, owner) as source, self._open(place, owner) as target:
            source.rows.begin()
            check_journals(source)
            here, there = held(source), held(target, models_of(source))
            wanted = joined(source, target, here)
            if not differing(wanted, there):
                return Moved(owner, here, not is_empty(here), _left(source, target, owners))
            _refuse_another(owner, place, wanted, there)
            if self.is_dry:
                return Moved(owner, here, left=_left(source, target, owners))
            if place.url is None and place == self.target:
                raise BadInput(f"{place.home} holds a memory of others. Name a folder that there is not yet.")
            if place.url is None:
                _refuse_other_model(source, target)
            copy_memory(source, target, self.clock, self._progress_of(owner))
            if wrong := differing(wanted, held(target, models_of(source))):
                raise StoreError(
                    f"Not all of {owner}'s memory arrived as it was ({', '.join(wrong)}), so nothing was moved. "
                    "Please report this."
                )
            self._copy_pages(owner, place)
            return Moved(owner, here, left=_left(source, target, owners))

    @contextmanager
    def _open(self, place: Place, owner: str) -> Iterator[Opened]:
        with opened(place, owner, self.busy_seconds) as memory, memory.store.database.transaction():
            memory.rows.begin()
            yield memory

    def _progress_of(self, owner: str) -> Callable[[int, int], None] | None:
        show = self.progress
        return None if show is None else lambda done, total: show(owner, done, total)

    def _copy_pages(self, owner: str, place: Place) -> None:
        """Pages are files in either case; a new folder gets those of the owner."""
        pages = self.source.home / PAGES / file_name(owner)
        if place.home != self.source.home and pages.is_dir():
            with translated(place.home):
                make_private_folder(place.home / PAGES)
                shutil.copytree(pages, place.home / PAGES / file_name(owner), dirs_exist_ok=True)

    @contextmanager
    def _new_folder(self) -> Iterator[Place]:
        """A folder under another name, which becomes the target at the end; what a killed move left is removed."""
        home = self.target.home
        _refuse_folder(home)
        partial = home.with_name(f".{home.name}.moving")
        lock = partial.with_name(f"{partial.name}.lock")
        with held_alone(lock) as is_mine:
            if not is_mine:
                raise StoreBusy(f"Another move to {home} is under way. Wait until it has ended.")
            try:
                _remove(partial)
                yield Place(partial)
                if not self.is_dry:
                    with translated(home):
                        sync_tree(partial)  # pages are copied as they are
                        if home.exists():
                            home.rmdir()
                        partial.rename(home)
                        sync_folder(home.parent)
            finally:
                _remove(partial)
                with translated(home):
                    lock.unlink(missing_ok=True)


def _left(source: Opened, target: Opened, owners: Sequence[str]) -> list[str]:
    """Who is in a team with the owner, is not moved and not there either: to others of it they are no member there."""
    teams = [team.id for team in source.store.sharing.teams(source.owner)]
    here, there = (_members(memory, teams) for memory in (source, target))
    return sorted({owner for team, owner in here - there if owner not in owners})


def _members(memory: Opened, teams: Sequence[str]) -> set[tuple[str, str]]:
    """Team and name of whoever is in one of these, as the owner sees them."""
    return {(team, one.owner) for team in teams for one in memory.store.sharing.members(memory.owner, team)}


def _refuse_another(owner: str, place: Place, wanted: Mapping[str, Held], there: Mapping[str, Held]) -> None:
    if is_empty({name: each for name, each in there.items() if name not in BESIDE}):
        return
    where = place.home if place.url is None else "that address"
    more = ", ".join(
        f"{name} ({there[name].rows:,} there, {wanted[name].rows:,} here)" for name in differing(wanted, there)
    )
    raise BadInput(
        f"There is another memory of {owner} at {where}, and memories are not "
        f"mixed: {more}. Nothing was changed. Choose another place or another --owner."
    )


def _refuse_other_model(source: Opened, target: Opened) -> None:
    """On a server each owner has a model of their own; in a folder one serves for all, and one more may be filled."""
    here, there = ({row[:-1] for _, row in memory.rows.embedders()} for memory in (source, target))
    names, states = ({row[place] for row in here | there} for place in (0, -1))
    if there and len(here | there) > min(len(names), len(states)):
        raise BadInput(
            f"{source.owner} searches with another model than those who were moved before, and a folder has one for "
            f"all. Nothing was moved. Move {source.owner} to a folder of their own."
        )


def _refuse_folder(home: Path) -> None:
    if home.exists() and not (home.is_dir() and not any(home.iterdir())):
        raise BadInput(f"{home} is not empty. Name a folder that there is not yet.")


def _remove(folder: Path) -> None:
    with translated(folder):
        if folder.exists():
            shutil.rmtree(folder)
