"""Lines that could not be imported are kept in a file of their own: mended there, they can be imported again.

FILE.bad      beside the file they come from, one line each as it was; why is in the report
FILE.bad.2    if there is a FILE.bad already that says something else: it may have been mended
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from noctuary.work.exchange import ImportedLines

ENDING = ".bad"


class ImportedFiles(NamedTuple):
    """What became of the lines of files, and where the bad ones are."""

    report: ImportedLines
    written: tuple[Path, ...] = ()
    unwritable: tuple[Path, ...] = ()  # beside which nothing could be written; the report has the lines


def set_aside(path: Path, report: ImportedLines) -> ImportedFiles:
    """Write the bad lines of a file, or of each file in a folder, beside it."""
    by_file: dict[str, list[str]] = {}
    for bad in report.bad:
        if bad.line:
            by_file.setdefault(bad.file, []).append(bad.line)
    written, unwritable = [], []
    for name, lines in by_file.items():
        source = _source(path, name)
        try:
            written.append(_written(source, "".join(f"{line}\n" for line in lines)))
        except OSError:
            unwritable.append(source)
    return ImportedFiles(report, tuple(written), tuple(unwritable))


def _source(path: Path, name: str) -> Path:
    """The file of this name: the path itself, or where the files of a folder are looked for."""
    if not name:
        return path
    return next(
        (found for folder in (path / "events", path / ".beads") if (found := folder / name).exists()), path / name
    )


def _written(source: Path, text: str) -> Path:
    content = text.encode("utf-8", "surrogateescape")
    for place in _places(source):
        if not place.exists():
            place.write_bytes(content)
            return place
        if place.is_file() and place.read_bytes() == content:
            return place
    raise FileExistsError


def _places(source: Path) -> Iterator[Path]:
    first = source.with_name(source.name + ENDING)
    yield first
    for number in range(2, 1_000):
        yield first.with_name(f"{first.name}.{number}")
