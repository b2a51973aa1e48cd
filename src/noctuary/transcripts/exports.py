"""Exports of chat services: the archive that one downloads, its unpacked folder, or the file of conversations in it.

That file is one array of all conversations ever, so it is read one by one: the memory of a reader is that of the
longest conversation.
"""

import codecs
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, cast

from noctuary.transcripts.documents import Talk, read_store
from noctuary.transcripts.finding import entries, is_file, is_folder, open_file
from noctuary.transcripts.items import Item, Place, Skipped, Source
from noctuary.transcripts.jsonl import LONGEST, load_clean, scan_clean

_CHUNK = 4 * 1024 * 1024  # the conversation that does not end in it is begun anew with the next
_BLANK = " \t\n\r"
_between = cast("Callable[[str, int], re.Match[str]]", re.compile(f"[{_BLANK},]*").match)  # may be most of a file
_NAME = re.compile(r"(?:.*/)?conversations(?:-\d+)?\.json")  # large exports are cut into numbered files
_BROKEN_ZIP = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError)

Conversation = dict[str, Any]
Versioned = tuple[str, str]  # the session, and what changes with it
BROKEN: Versioned = ("", "broken")


def sources_in(adapter: str, path: Path) -> Iterator[Source]:
    """The export that somebody names: a file, an archive, or a folder with such files in it or one deeper."""
    if is_folder(path):
        inside = entries(path)
        found = [each for each in inside if _NAME.fullmatch(each.name) and is_file(each)]
        deeper = (each for folder in inside if is_folder(folder) for each in entries(folder))
        found = found or [each for each in deeper if _NAME.fullmatch(each.name) and is_file(each)]
        if not found and path.name.startswith("conversations"):  # one file each, as programs on the desktop keep them
            found = [each for each in inside if each.suffix == ".json" and is_file(each)]
    else:
        found = [path] if is_file(path) else []
    for each in found:
        yield Source(adapter=adapter, path=each, session="", is_log=False)


def read_export(
    path: Path,
    place: Place,
    version: Callable[[Conversation], Versioned | None],
    talk: Callable[[Conversation], Talk],
    what: str,
) -> Iterator[Item]:
    """Yield what is new in an export; `version` is None for what is no conversation of this service."""
    present: list[Conversation | Skipped] = []

    def listed() -> Iterator[Versioned]:
        known = 0
        try:
            for number, value in enumerate(conversations(path), 1):
                found = version(value) if type(value) is dict else None
                if found is None:
                    if not known:
                        raise ValueError(f"not an export of {what}")
                    present[:] = [Skipped(line=number, reason=f"not a conversation of {what}")]
                    yield "", str(number)
                    continue
                known += 1
                present[:] = [value]
                yield found
        except ValueError as error:
            present[:] = [Skipped(line=known + 1, reason=str(error))]
            yield BROKEN

    def told(_: str) -> Talk | Skipped:
        [now] = present
        return now if isinstance(now, Skipped) else talk(now)

    return read_store(place, listed(), told)


def conversations(path: Path) -> Iterator[Any]:
    """Every conversation of an export in its order; ValueError says what is wrong with it, OSError if it is unreadable.

    A file with one conversation alone is one, too.
    """
    if not zipfile.is_zipfile(path):
        with open_file(path) as file:
            yield from array_items(file)
        return
    try:
        with zipfile.ZipFile(path) as archive:
            names = sorted(name for name in archive.namelist() if _NAME.fullmatch(name))
            if not names:
                raise ValueError("the archive has no conversations.json")
            for name in names:
                with archive.open(name) as file:
                    yield from array_items(file)
    except _BROKEN_ZIP as error:
        raise ValueError(f"the archive cannot be read: {error}") from None


def array_items(file: IO[bytes], longest: int = LONGEST, chunk: int = _CHUNK) -> Iterator[Any]:
    """The items of a JSON array, or the one value that is there instead, without holding all of it; ValueError."""
    decode = codecs.getincrementaldecoder("utf-8-sig")("replace").decode
    held = ""
    while not held and (raw := file.read(chunk)):
        held = decode(raw).lstrip(_BLANK)
    if not held.startswith("["):
        yield _only_value(held + decode(file.read(longest)), longest)
        return
    at = 1
    while True:
        at = _between(held, at).end()
        if held.startswith("]", at):
            return
        try:
            value, end = scan_clean(held, at)
        except (StopIteration, ValueError):
            end = len(held)  # it may go on beyond what is held
        except RecursionError:
            raise ValueError("nested too deeply") from None
        if end < len(held):
            yield value
            at = end
            continue
        held = held[at:]
        more = decode(file.read(max(chunk, 2 * len(held))))
        if not more:
            raise ValueError("not valid JSON, or it ends too early")
        if len(held) > longest:
            raise ValueError(f"a conversation is longer than {longest} characters")
        held, at = held + more, 0


def _only_value(text: str, longest: int) -> Any:
    if len(text) >= longest:
        raise ValueError(f"longer than {longest} characters")
    try:
        return load_clean(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except ValueError:
        raise ValueError("not valid JSON") from None
