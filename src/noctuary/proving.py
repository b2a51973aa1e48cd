"""What was forgotten, where it was removed, and the proof that it is gone: the files are read and searched for it.

The words themselves are in no report; they are known only while something is being forgotten.  Probes are pieces of
what is to go, as it is stored.  Those that are said elsewhere as well, and stay there, prove nothing and are left out.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from noctuary.files import replace_private, translated
from noctuary.redact import redact
from noctuary.snapshot.aside import SNAPSHOTS, copies_aside
from noctuary.store import Store
from noctuary.store.stored_texts import StoredTexts

FOLDER = "forgotten"
_LONGEST, _SHORTEST, _MOST = 60, 12, 400  # characters of a probe; probes
_MOST_ROWS = 1_000_000
_BACKUP = ".backup"
_CHUNK = 1 << 22


class Proof(NamedTuple):
    """How the absence was looked for, and what is left."""

    probes: int
    files: int = 0  # that were read
    rows: int = 0  # the same of a server's
    bytes: int = 0
    left: Mapping[str, int] = {}  # occurrences by file or table; none is the proof
    elsewhere: int = 0  # probes that others said, too, and that prove nothing

    @property
    def is_gone(self) -> bool:
        """Whether nothing is left."""
        return not self.left


class ForgetReport(NamedTuple):
    """What one forgetting did."""

    made_ms: int
    what: str  # session, project, query or text: which, never the words
    removed: Mapping[str, int]  # by what it was
    proof: Proof
    untouched: Sequence[str]  # snapshots and copies that still have it, or may


def probes_of(texts: Iterable[str]) -> list[str]:
    """Pieces of texts that one would know them by: of each its longest line, or the beginning of that."""
    found: dict[str, None] = {}
    for text in texts:
        longest = max((line.strip() for line in text.split("\n")), key=len, default="")[:_LONGEST]
        if len(longest) >= _SHORTEST:
            found[longest] = None
        if len(found) >= _MOST:
            break
    return list(found)


def prove(store: Store, home: Path, owner: str, probes: Sequence[str]) -> Proof:
    """Look for the probes in all that is kept: in files by their bytes, and on a server in the rows, too."""
    own = [probe for probe in probes if not store.messages.containing(probe)]
    proof = Proof(len(own), elsewhere=len(probes) - len(own))
    wanted = list(dict.fromkeys(spelled for probe in own for spelled in _spellings(probe)))
    left, rows = (Counter[str](), 0) if store.database.dialect == "sqlite" else _in_rows(store, owner, wanted)
    files = [path for path in _files(home) if not _is_copy(home, path)]
    for path in files:
        if number := _occurrences(path, wanted):
            left[path.relative_to(home).as_posix()] = number
    return proof._replace(
        files=len(files), rows=rows, bytes=sum(path.stat().st_size for path in files), left=dict(left)
    )


def _spellings(probe: str) -> Iterator[bytes]:
    """How a piece may stand in a file: as it is, and in JSON with and without letters beyond ASCII."""
    yield probe.encode("utf-8", "surrogatepass")
    for is_ascii in (False, True):
        yield json.dumps(probe, ensure_ascii=is_ascii)[1:-1].encode("utf-8", "surrogatepass")


def untouched(home: Path) -> list[str]:
    """Snapshots, memories that a restore moved aside and copies of the database, which forgetting leaves alone."""
    folder = home / SNAPSHOTS
    snapshots = sorted(folder.iterdir()) if folder.is_dir() else []
    copies = [*snapshots, *copies_aside(home), *sorted(home.glob(f"*{_BACKUP}"))]
    return [str(path) for path in dict.fromkeys(copies)]


def save_report(home: Path, report: ForgetReport) -> Path:
    """Keep a report; where."""
    path = home / "state" / FOLDER / f"{report.made_ms}.json"
    with translated(path):
        replace_private(path, json.dumps(as_json(report), indent=2, ensure_ascii=False).encode() + b"\n")
    return path


def reports(home: Path) -> list[ForgetReport]:
    """All reports that were kept, the oldest first; what is none of ours is passed over."""
    found: list[ForgetReport] = []
    for path in sorted((home / "state" / FOLDER).glob("*.json")):
        try:
            said = json.loads(path.read_text(encoding="utf-8"))
            found.append(ForgetReport(**{**said, "proof": Proof(**said["proof"])}))
        except (OSError, ValueError, TypeError, KeyError):
            continue
    return found


def as_json(report: ForgetReport) -> dict[str, object]:
    """A report as it is kept, and as programs read it."""
    proof = {key: value for key, value in report.proof._asdict().items() if key != "is_gone"}
    return {**report._asdict(), "untouched": [redact(name) for name in report.untouched], "proof": proof}


def _in_rows(store: Store, owner: str, wanted: Sequence[bytes]) -> tuple[Counter[str], int]:
    """Occurrences in an owner's rows by table, and how many rows there are; messages were asked for before."""
    texts = [("events", str(row[-1])) for row in store.events.all(owner, None)]
    texts += [("memories", memory.text) for memory in store.memories.where(owner, statuses=None, most=_MOST_ROWS)]
    texts += [(found.table, text) for found in StoredTexts(store.database, owner).all() for text in found.texts if text]
    left: Counter[str] = Counter()
    for table, text in texts:
        content = text.encode("utf-8", "surrogatepass")
        left[table] += sum(content.count(piece) for piece in wanted)
    return +left, len(texts)


def _files(home: Path) -> list[Path]:
    return sorted(path for path in home.rglob("*") if path.is_file() and not path.is_symlink())


def _is_copy(home: Path, path: Path) -> bool:
    """Whether a file is one of those that are told as untouched, or a model's."""
    first = path.relative_to(home).parts[0]
    return first in (SNAPSHOTS, "models") or first.endswith(_BACKUP)


def _occurrences(path: Path, wanted: Sequence[bytes]) -> int:
    """How often the pieces stand in a file; it is read in parts that overlap."""
    longest, number, tail = max(map(len, wanted), default=1), 0, b""
    with translated(path), path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            part = tail + chunk
            number += sum(part.count(piece) - tail.count(piece) for piece in wanted)
            tail = part[-(longest - 1) :] if longest > 1 else b""
    return number
