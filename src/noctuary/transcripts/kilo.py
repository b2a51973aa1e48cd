"""Kilo: tasks of its extension and of its first command line, as with Cline, and the database of what it is by now.

Since its version 1.0 the command line is made of OpenCode, and keeps the same tables in `kilo/kilo.db` in the folder of
data, with some columns of its own, of which none is about what was said.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from noctuary.transcripts.cline import Tasks
from noctuary.transcripts.finding import real_path
from noctuary.transcripts.foreign_sqlite import beside, is_sqlite
from noctuary.transcripts.items import Item, Place, Source
from noctuary.transcripts.locations import data_folders
from noctuary.transcripts.opencode import read_database

_DATABASE = "kilo.db"


class Kilo(Tasks):
    """The adapter."""

    name = "kilo"
    extensions = ("kilocode.kilo-code",)

    def find(self, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """Every database, and every task."""
        seen: set[Path] = set()
        for path in (folder / _DATABASE for folder in data_folders(home, environ, "kilo")):
            if is_sqlite(path) and (real := real_path(path)) not in seen:
                seen.add(real)
                yield Source(adapter=self.name, path=path, session="", is_log=False, beside=beside(path))
        yield from super().find(home, environ)

    def read(self, source: Source, place: Place) -> Iterator[Item]:
        """Yield what is new in the database or the task."""
        return super().read(source, place) if source.session else read_database(source.path, place, "Kilo")

    def _folders(self, home: Path, environ: Mapping[str, str]) -> Iterator[Path]:
        yield home / ".kilocode" / "cli" / "global"
        yield from super()._folders(home, environ)
