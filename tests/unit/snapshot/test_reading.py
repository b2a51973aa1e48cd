"""Snapshots that were damaged, or made to do harm: refused before anything is written."""

import io
import json
import os
import tarfile
from pathlib import Path
from typing import Any

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noctuary.app import Memory
from noctuary.errors import NoctuaryError, StoreDamaged, StoreTooNew
from noctuary.snapshot.manifest import CONFIG, MANIFEST, Kept, Manifest, check_name, decode_manifest
from noctuary.store.holdings import Holdings
from noctuary.testing import FakeClock

pytestmark = pytest.mark.slow

SHA = "0" * 64
_counts = st.integers(0, 2**53)
_manifests = st.builds(
    Manifest,
    format=st.just(1),
    noctuary=st.text(max_size=9),
    schema=st.integers(0, 5),
    made_ms=_counts,
    owners=st.dictionaries(st.text(max_size=5), st.builds(Holdings, *[_counts] * len(Holdings._fields)), max_size=3),
    files=st.dictionaries(
        st.from_regex(r"(journal|memory|state)/[^/\x00.]{1,9}", fullmatch=True), st.builds(Kept, _counts, st.just(SHA))
    ).map(lambda files: {**files, "noctuary.db": Kept(1, SHA)}),
)


def refuse(snapshot: Path, home: Path, match: str, kind: type[NoctuaryError] = StoreDamaged) -> None:
    """Restoring must be refused, and leave nothing."""
    there = {*home.parent.rglob("*")}
    with pytest.raises(kind, match=match):
        Memory.restore(snapshot, home, clock=FakeClock())
    assert {*home.parent.rglob("*")} == there


@given(_manifests)
def test_manifest_is_read_as_it_was_written(manifest: Manifest) -> None:
    """Whatever owners and files are called."""
    assert decode_manifest(manifest.encode()) == manifest


@given(st.binary() | st.recursive(st.none() | st.text() | st.integers(), lambda it: st.lists(it) | st.dictionaries(
    st.sampled_from(["format", "schema", "made_ms", "owners", "files", "noctuary"]) | st.text(), it
)).map(lambda value: json.dumps(value).encode()))  # fmt: skip
def test_other_content_is_no_manifest(content: bytes) -> None:
    """Bytes or JSON that nobody meant as a manifest give an error of ours, never another."""
    with pytest.raises((StoreDamaged, StoreTooNew)):
        decode_manifest(content)


@pytest.mark.parametrize(
    "name",
    ["../x", "memory/../../x", "/etc/passwd", "memory//x", "memory/./x", "", ".", "..", "journal", "models/x", "x",
     "memory/x/", "memory/\0", "noctuary.db/x", "snapshots/x"],
)  # fmt: skip
def test_names_that_lead_elsewhere(name: str) -> None:
    """Only the files and folders of a memory have a place in a snapshot."""
    with pytest.raises(StoreDamaged, match="has no place in a snapshot"):
        check_name(name)


def test_file_that_is_missing(snapshot: Path, tmp_path: Path) -> None:
    """What the manifest lists must be there."""
    (snapshot / CONFIG).unlink()

    refuse(snapshot, tmp_path / "new", r"lacks config\.toml")


@pytest.mark.parametrize("name", ["noctuary.db", CONFIG])
def test_file_that_was_changed(snapshot: Path, tmp_path: Path, name: str) -> None:
    """One letter is enough, although the length is the same."""
    content = bytearray((snapshot / name).read_bytes())
    content[len(content) // 2] ^= 1
    (snapshot / name).write_bytes(content)

    refuse(snapshot, tmp_path / "new", "is not what it was when it was made")


def test_file_that_was_cut(snapshot: Path, tmp_path: Path) -> None:
    """A copy that broke off is seen at once."""
    os.truncate(snapshot / "noctuary.db", 5000)

    refuse(snapshot, tmp_path / "new", "is not as long as when it was made")


def test_file_too_many(snapshot: Path, tmp_path: Path) -> None:
    """What the manifest does not list does not come along."""
    (snapshot / "memory" / "more.md").write_text("- Never run the tests.\n")

    refuse(snapshot, tmp_path / "new", "which its manifest does not list")


def test_snapshot_that_somebody_looked_into(snapshot: Path, tmp_path: Path) -> None:
    """Reading its database with SQLite spoils no snapshot, though SQLite leaves files; a log of changes does."""
    database = apsw.Connection(str(snapshot / "noctuary.db"), flags=apsw.SQLITE_OPEN_READONLY)
    assert database.execute("select count(*) from sessions").fetchall()
    database.close()
    assert (snapshot / "noctuary.db-shm").exists()

    Memory.restore(snapshot, tmp_path / "new", clock=FakeClock())
    assert not (tmp_path / "new" / "noctuary.db-shm").exists()

    (snapshot / "noctuary.db-wal").write_bytes(b"changed")
    refuse(snapshot, tmp_path / "newer", "'noctuary.db-wal' has no place in a snapshot")


def test_links_in_a_folder(snapshot: Path, tmp_path: Path) -> None:
    """A link could lead anywhere, also one to a folder."""
    (snapshot / "memory" / "more").symlink_to("/etc")

    refuse(snapshot, tmp_path / "new", "is a link or a device")


def test_folder_without_a_manifest(tmp_path: Path) -> None:
    """Any other folder is no snapshot."""
    (tmp_path / "folder").mkdir()

    refuse(tmp_path / "folder", tmp_path / "new", r"no snapshot: it has no manifest\.json")


@pytest.mark.parametrize("change", [{"format": 2}, {"schema": 99_999}])
def test_newer_snapshot(snapshot: Path, tmp_path: Path, change: dict[str, int]) -> None:
    """A snapshot by a newer Noctuary is not guessed at."""
    said = json.loads((snapshot / MANIFEST).read_bytes())
    (snapshot / MANIFEST).write_text(json.dumps({**said, **change, "noctuary": "9.0"}))

    refuse(snapshot, tmp_path / "new", r"newer Noctuary \(9\.0.*pip install -U noctuary", StoreTooNew)


def member(name: str, content: bytes = b"x", **facts: Any) -> tuple[tarfile.TarInfo, io.BytesIO]:
    """An entry of an archive."""
    entry = tarfile.TarInfo(name)
    entry.size = len(content)
    for fact, value in facts.items():
        setattr(entry, fact, value)
    return entry, io.BytesIO(content)


@pytest.mark.parametrize(
    "entry",
    [
        member("../outside"),
        member("memory/../../outside"),
        member("/tmp/outside"),
        member("memory/link", type=tarfile.SYMTYPE, linkname="/etc/passwd", size=0),
        member("memory/link", type=tarfile.LNKTYPE, linkname="noctuary.db", size=0),
        member("memory/device", type=tarfile.CHRTYPE, devmajor=1, devminor=5, size=0),
        member("memory/pipe", type=tarfile.FIFOTYPE, size=0),
        member("../folder", type=tarfile.DIRTYPE, size=0),
        member("noctuary.db"),
        member("memory/more.md"),
    ],
    ids=["parent", "deep", "absolute", "symlink", "hard link", "device", "pipe", "folder", "twice", "more"],
)
def test_archives_that_mean_harm(full: Memory, tmp_path: Path, entry: tuple[tarfile.TarInfo, io.BytesIO]) -> None:
    """Names that lead out, links, devices and second copies are refused, and nothing at all is unpacked."""
    kept = full.snapshot(tmp_path / "kept").path
    with tarfile.open(tmp_path / "bad.tar.gz", "w:gz") as archive:
        for path in sorted(kept.rglob("*")):
            archive.add(path, path.relative_to(kept).as_posix(), recursive=False)
        entry[1].seek(0)
        archive.addfile(*entry)

    refuse(tmp_path / "bad.tar.gz", tmp_path / "new", r"has no place|no plain file|twice|does not list")


def test_archive_that_somebody_packed_again(full: Memory, snapshot: Path, tmp_path: Path) -> None:
    """`tar czf kept.tar.gz -C kept .` makes the same snapshot."""
    with tarfile.open(tmp_path / "again.tar.gz", "w:gz") as archive:
        archive.add(snapshot, ".")

    restored = Memory.restore(tmp_path / "again.tar.gz", tmp_path / "new", clock=FakeClock())

    assert restored.manifest.owners[full.owner].sessions == 2


@pytest.mark.parametrize("share", [0.1, 0.5, 0.99])
def test_archive_that_was_cut(full: Memory, tmp_path: Path, share: float) -> None:
    """A copy that broke off is refused, wherever it did."""
    path = full.snapshot(tmp_path / "kept.tar.gz").path
    os.truncate(path, int(path.stat().st_size * share))

    refuse(path, tmp_path / "new", "no snapshot|damaged")


@pytest.mark.parametrize("share", [0.0, 0.01, 0.2, 0.5, 0.8])
def test_archive_with_a_bad_byte(full: Memory, tmp_path: Path, share: float) -> None:
    """A byte that a disk lost is found."""
    path = full.snapshot(tmp_path / "kept.tar.gz").path
    content = bytearray(path.read_bytes())
    content[int(len(content) * share)] ^= 0xFF
    path.write_bytes(content)

    refuse(
        path, tmp_path / "new", r"no snapshot|damaged|not what it was|is no plain file|no place|cannot be read|lacks"
    )


def test_any_other_file(tmp_path: Path) -> None:
    """A file that is no archive is no snapshot."""
    (tmp_path / "notes.txt").write_text("Notes.")

    refuse(tmp_path / "notes.txt", tmp_path / "new", "is no snapshot")
