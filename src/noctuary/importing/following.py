"""Following transcripts: which of them changed since they were last brought in, by size and time alone.

To ask the database about every transcript costs more than to look at the files, and opens it.  So whoever follows
keeps in mind what each file was like, and asks only about those that are different now.
"""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from noctuary.importing.files import FileState, look
from noctuary.importing.run import discover
from noctuary.settings import Settings
from noctuary.transcripts.items import Source


class Changed(NamedTuple):
    """A transcript that is not what it was, as it was seen now."""

    source: Source
    file: FileState


class Follower:
    """Keeps in mind what transcripts were like when they were last brought in."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._seen: dict[Path, FileState] = {}

    def changed(self) -> list[Changed]:
        """Every transcript that is new, or different from what was brought in; those that are gone are forgotten."""
        there: dict[Path, Changed] = {}
        for source in discover(self._settings):
            with suppress(OSError):  # it went away meanwhile, or is nobody's to look at
                there[source.path] = Changed(source, look(source))
        self._seen = {path: state for path, state in self._seen.items() if path in there}
        return [each for path, each in there.items() if self._seen.get(path) != each.file]

    def brought_in(self, changed: Iterable[Changed]) -> None:
        """Keep in mind that these were read as they were seen; what was added since is a change again."""
        self._seen |= {each.source.path: each.file for each in changed}
