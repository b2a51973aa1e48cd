"""Verbs that make all of a memory again elsewhere, or from what it was: snapshot, restore, migrate, rebuild."""

import lzma
import tarfile
from collections.abc import Callable
from pathlib import Path

import psycopg

from noctuary.app import Memory
from noctuary.app.moves import move_memory
from noctuary.records import Message, Role
from noctuary.store.postgres_tables import newest_version
from noctuary.store.sqlite import newest_schema
from noctuary.testing import FakeClock
from tests.faults.knowing import SERVER, SHOP, flaws, integrity, is_at, known_in, open_memory
from tests.faults.night_verbs import after_dream
from tests.faults.verbs import Done, Verb, again, always, is_open, nothing

UPGRADES = Path(__file__).parents[1] / "fixtures" / "upgrades"
SNAPSHOTS = Path("home", "snapshots")
OLD, OLD_SERVER = UPGRADES / "schema-08.tar.xz", UPGRADES / "server-12.sql.xz"


def _snapshot_to(name: str) -> Callable[[Path, Done], None]:
    def act(root: Path, done: Done) -> None:
        with open_memory(root) as memory:
            if not (root / name).exists():
                memory.snapshot(root / name)
            done()

    return act


def _is_sound(name: str) -> Callable[[Path], bool]:
    return lambda root: not Memory.restore(root / name, root / "elsewhere", dry_run=True).warnings


def _completed_snapshot(name: str) -> Callable[[Path], None]:
    def complete(root: Path) -> None:
        if (root / name).exists():  # then it is whole
            assert _is_sound(name)(root)
        _snapshot_to(name)(root, nothing)
        assert _is_sound(name)(root)

    return complete


# Keeping only the newest of snapshots: those that go are whole until they are no snapshots any more.


def _before_keep(root: Path) -> None:
    after_dream(root)
    with open_memory(root) as memory:
        memory.snapshot(root / SNAPSHOTS / "old")
        memory.snapshot(root / SNAPSHOTS / "old.tar.gz")


def _keep(root: Path, done: Done) -> None:
    with open_memory(root) as memory:
        assert not memory.snapshot(keep=1).failed
        done()


def _is_kept(root: Path) -> bool:
    """Whether there is one snapshot, and it is sound."""
    return len(_sound_snapshots(root)) == 1


def _sound_snapshots(root: Path) -> list[str]:
    """Whatever is called as a snapshot; AssertionError if it is none."""
    names = [path.name for path in sorted((root / SNAPSHOTS).iterdir()) if path.name[:1] != "."]
    assert all(_is_sound(str(SNAPSHOTS / name))(root) for name in names)
    return names


def _kept_again(root: Path) -> None:
    assert _sound_snapshots(root)
    _keep(root, nothing)
    assert _is_kept(root)
    assert not list((root / SNAPSHOTS).glob(".*.removing-*"))


def _before_restore(root: Path) -> None:
    after_dream(root)
    with open_memory(root) as memory:
        memory.snapshot(root / "kept")


def _before_restore_elsewhere(root: Path) -> None:
    _before_restore(root)
    (root / "home").rename(root / "former")


INSIDE = SNAPSHOTS / "kept"


def _before_replace(root: Path) -> None:
    """The snapshot lies in the memory itself, as it usually does; so do models, which no snapshot has."""
    after_dream(root)
    (root / "home" / "models").mkdir()
    (root / "home" / "models" / "weights").write_text("many")
    with open_memory(root) as memory:
        memory.snapshot(root / INSIDE)
        memory.append("s-0", Message(role=Role.USER, content="Said after the snapshot."))


def _replace(root: Path, done: Done) -> None:
    Memory.restore(root / INSIDE, root / "home", replace=True, clock=FakeClock())
    done()


def _is_replaced(root: Path) -> bool:
    """Whether what is no part of a snapshot is where it was."""
    return _is_sound(str(INSIDE))(root) and (root / "home" / "models" / "weights").read_text() == "many"


def _replaced_again(root: Path) -> None:
    _replace(root, nothing)
    assert _is_replaced(root)


def _restore(root: Path, done: Done) -> None:
    Memory.restore(root / "kept", root / "home", replace=True, clock=FakeClock())
    done()


def _before_move(root: Path) -> None:
    after_dream(root)
    with open_memory(root) as memory:
        memory.work(SHOP).note("finding", "What is moved is more than a page of a file can hold. " * 200)


def _move(root: Path, done: Done) -> None:
    with open_memory(root) as memory:
        settings = memory.settings
    move_memory(settings, str(root / "moved" / "home"), FakeClock())
    done()


def _is_moved(root: Path) -> bool:
    """Whether what was moved is there, sound, and all of it."""
    return not flaws(root / "moved") and known_in(root / "moved") == known_in(root)


def _rebuild(root: Path, done: Done) -> None:
    with open_memory(root) as memory:
        memory.rebuild()
        done()


def _before_migrate(root: Path) -> None:
    with tarfile.open(OLD) as files:
        files.extractall(root / "home", filter="data")
    (root / "home").chmod(0o700)


def _migrate(root: Path, done: Done) -> None:
    open_memory(root).close()
    done()


def _is_migrated(root: Path) -> bool:
    backup = root / "home" / "noctuary.db.schema-8.backup"
    is_kept = is_at(backup, 8) and not integrity(backup)
    return is_kept and is_at(root / "home" / "noctuary.db", newest_schema())


def _before_migrate_on_server(root: Path) -> None:
    """The tables of an earlier schema, as it left them, in place of those of today."""
    url = (root / SERVER).read_text().replace("//noctuary@", "//postgres@")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("drop schema noctuary cascade")
        connection.execute(lzma.decompress(OLD_SERVER.read_bytes()))


def _is_migrated_on_server(root: Path) -> bool:
    with psycopg.connect((root / SERVER).read_text()) as connection:
        found = connection.execute("select version from noctuary.schema_version").fetchall()
    return found == [(newest_version(),)]


COPY_VERBS: dict[str, Verb] = {
    "snapshot": Verb(after_dream, _snapshot_to("kept"), [_is_sound("kept")], _completed_snapshot("kept")),
    "archive": Verb(after_dream, _snapshot_to("a.tar.gz"), [_is_sound("a.tar.gz")], _completed_snapshot("a.tar.gz")),
    "keep": Verb(_before_keep, _keep, [_is_kept], _kept_again),
    "restore": Verb(_before_restore_elsewhere, _restore, [is_open], again(_restore)),
    "replace": Verb(_before_replace, _replace, [_is_replaced], _replaced_again),
    "move": Verb(_before_move, _move, [_is_moved], again(_move)),
    "rebuild": Verb(after_dream, _rebuild, [always], again(_rebuild)),
    "migrate": Verb(_before_migrate, _migrate, [_is_migrated], again(_migrate)),
}
ON_SERVERS: dict[str, Verb] = {
    "snapshot": COPY_VERBS["snapshot"],
    "rebuild": COPY_VERBS["rebuild"],
    "migrate": Verb(_before_migrate_on_server, _migrate, [_is_migrated_on_server], again(_migrate)),
}
