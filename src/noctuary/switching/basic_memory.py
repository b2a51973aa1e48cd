"""Basic Memory: a folder of Markdown notes (`~/basic-memory`).

Verified in its public source (`markdown/plugins.py`, `markdown/entity_parser.py`): front matter with title, type,
permalink, tags, created and modified; observations are items of lists, `- [category] text #tag (context)`, which are
neither tasks, clock times, links nor callouts, and none with `bm_parse_semantics: false`; relations are
`- relation_type [[Target]] (context)`.  Its database is an index of the files and is not read.

A note becomes a session with its words as they stand, relations included.  An observation with a category is proposed
as a memory.  Links that lead out of the folder are not followed.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from noctuary.authored import EventType
from noctuary.errors import BadInput
from noctuary.records import BROUGHT, TitleSource
from noctuary.store.memories import MemoryKind
from noctuary.switching.brought import Brought, Note, ProjectOf
from noctuary.switching.reading import short
from noctuary.switching.tools import Tool
from noctuary.transcripts.documents import Entry, Talk
from noctuary.transcripts.drafts import ASSISTANT, TEXT, Draft
from noctuary.transcripts.fields import time_ms
from noctuary.transcripts.finding import within
from noctuary.transcripts.items import Facts

NAME = Tool.BASIC_MEMORY
LARGEST = 2 * 1024 * 1024  # bytes of a note
MOST_NOTES = 100_000
_FIELD = re.compile(r"(\w[\w-]*)\s*:\s*(.*)")
_ITEM = re.compile(r"\s*[-*+]\s+\[([^\[\]()]+)\]\s+(\S.*)")
_CLOCK = re.compile(r"\d{1,3}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?(?:\s+-\s+\S+)?")
_CONTEXT = re.compile(r"\s*\(([^()]*)\)\s*$")
_TAG = re.compile(r"(?:^|\s)#([\w/-]+)")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_KINDS = {
    "decision": MemoryKind.DECISION, "preference": MemoryKind.PREFERENCE, "constraint": MemoryKind.CONSTRAINT,
    "rule": MemoryKind.CONSTRAINT, "requirement": MemoryKind.CONSTRAINT, "gotcha": MemoryKind.GOTCHA,
    "warning": MemoryKind.GOTCHA, "method": MemoryKind.PROCEDURE, "technique": MemoryKind.PROCEDURE,
    "process": MemoryKind.PROCEDURE, "howto": MemoryKind.PROCEDURE,
}  # fmt: skip


class Observation(NamedTuple):
    """One observation of a note."""

    line: int
    category: str
    text: str
    tags: list[str]
    context: str


def read_basic_memory(path: Path, project_of: ProjectOf) -> Brought:
    """Every note of a folder, or one note."""
    if not path.exists():
        raise BadInput(f"There is no folder {path}. Nothing was changed.")
    if path.is_file() and path.suffix.lower() != ".md":
        raise BadInput(f"{path} is no note of {NAME}: name the folder of its notes. Nothing was changed.")
    brought = Brought(path)
    folder = path if path.is_dir() else path.parent
    notes = _files(path, brought) if path.is_dir() else [path]
    for file in notes:
        brought.files.append(file)
        _read_note(file, file.relative_to(folder).as_posix(), brought, project_of)
    if not brought.talks:
        raise BadInput(f"There is no note (*.md) in {path}. Nothing was changed.")
    return brought


def _files(folder: Path, brought: Brought) -> Iterator[Path]:
    count = 0
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(name for name in files if not name.startswith(".")):
            file = Path(parent) / name
            if file.suffix.lower() != ".md":
                brought.left_out["files that are no notes"] += 1
            elif within(folder, file) is None:
                brought.left_out["links that lead out of the folder"] += 1
            elif count == MOST_NOTES:
                brought.left_out[f"notes beyond {MOST_NOTES:,}"] += 1
            else:
                count += 1
                yield file


def _read_note(file: Path, name: str, brought: Brought, project_of: ProjectOf) -> None:
    try:
        stat = file.stat()
        if stat.st_size > LARGEST:
            brought.left_out[f"notes larger than {LARGEST // (1024 * 1024)} MB"] += 1
            return
        content = file.read_bytes().removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    except OSError:
        brought.left_out["notes that cannot be read"] += 1
        return
    lines = content.splitlines()
    start, fields = front_matter(lines)
    body = "\n".join(lines[start:]).strip()
    if not body:
        brought.left_out["empty notes"] += 1
        return
    ts_ms = next((ms for key in ("modified", "updated", "created", "date") if (ms := time_ms(fields.get(key)))), 0)
    ts_ms = ts_ms or stat.st_mtime_ns // 1_000_000
    session = f"{NAME}-{short(fields.get('permalink') or name)}"
    title = fields.get("title") or file.stem
    facts = Facts(session=session, project=project_of(""), source=BROUGHT, title=title, title_source=TitleSource.GIVEN)
    brought.talks.append(Talk(facts, [Entry(name, [Draft(ASSISTANT, TEXT, None, body)], ts_ms, start + 1)]))
    where = {"file": name, "note": title, **{key: fields[key] for key in ("permalink", "type") if fields.get(key)}}
    for one in observations(lines, start) if fields.get("bm_parse_semantics", "").lower() != "false" else ():
        key, kind = f"{name}-{short(one.category, one.text)}", _KINDS.get(one.category.lower(), MemoryKind.FACT)
        about = {**where, "line": one.line, "category": one.category, "tags": one.tags, "context": one.context}
        meta = {name: value for name, value in about.items() if value}
        note = Note(key, EventType.REMEMBER, one.text, ts_ms, project_of(""), kind, session, (name,), meta)
        brought.notes.append(note)


def front_matter(lines: list[str]) -> tuple[int, dict[str, str]]:
    """On which line the body begins, counted from 0, and the plain fields before it."""
    if not lines or lines[0].strip() != "---":
        return 0, {}
    end = next((number for number, line in enumerate(lines) if number and line.strip() == "---"), None)
    if end is None:
        return 0, {}
    found = (_FIELD.fullmatch(line.rstrip()) for line in lines[1:end])
    return end + 1, {match[1].lower(): match[2].strip().strip("'\"") for match in found if match}


def observations(lines: list[str], start: int) -> Iterator[Observation]:
    """The observations with a category; not those in code."""
    fence = ""
    for number, line in enumerate(lines[start:], start + 1):
        if fence or (opening := _FENCE.match(line)):
            closes = bool(fence) and line.strip().startswith(fence)
            fence = "" if closes else fence or (opening[1] if opening else "")
        elif (item := _ITEM.match(line)) and _is_category(item[1].strip()):
            said, context = item[2].strip(), ""
            if match := _CONTEXT.search(said):
                said, context = said[: match.start()], match[1].strip()
            if words := " ".join(_TAG.sub(" ", said).split()):
                yield Observation(number, item[1].strip(), words, _TAG.findall(said), context)


def _is_category(category: str) -> bool:
    is_mark = len(category) == 1 and (category in "xX" or not category.isalnum())  # of a task
    return bool(category) and not is_mark and not _CLOCK.fullmatch(category)
