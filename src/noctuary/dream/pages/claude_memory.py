"""What Claude Code keeps in its own memory folder: its lines are read and proposed, and the folder is never touched."""

import re
from collections.abc import Iterator
from pathlib import Path

from noctuary.authored import Author, EventSource, EventStatus, EventType, Trust
from noctuary.dream.merging.gates import is_instruction_like
from noctuary.dream.night import Night
from noctuary.dream.pages.lines import shown_text
from noctuary.dreams import ChangeKind, MemoryChange
from noctuary.ids import derived_id
from noctuary.redact import redact
from noctuary.store.memories import MemoryKind, MemoryStatus
from noctuary.work.desk import Writer

READER = Writer(author=Author.DREAM, source=EventSource.IMPORT, trust=Trust.IMPORT)
_LONGEST_NAME = 200  # a longer name of a folder is cut there, and something is added
_MOST_BYTES = 256 * 1024  # of a file
_MOST_LINES = 1_000
_LONGEST_TEXT = 1_000
_FEWEST_WORDS = 3
_COMPARED = 400  # memories that a line may say again
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_ITEM = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])\s+")
_POINTER = re.compile(r"\[[^\]]*\]\([^)]*\.md\)")  # to another file of the folder
_NO_TEXT = re.compile(r"\s*(?:#|<!--|\||>|[-*_=]{3,}\s*$)")
_WORD = re.compile(r"\w+")


def read_claude_memory(user_home: Path, folder: Path) -> list[tuple[Path, int, str]]:
    """The lines of the memory that Claude Code keeps for a folder: the file, the line's number, the text.

    Headings, code, tables and what only points to another file are left out, as is what cannot be read.
    """
    lines: list[tuple[Path, int, str]] = []
    for memory in _memory_folders(user_home, folder):
        for path in sorted(_files(memory)):
            lines += [(path, number, text) for number, text in _lines(path)]
    return lines[:_MOST_LINES]


def take_in_claude_memory(
    night: Night, project: str, user_home: Path, folder: Path, run: str = "", *, is_asked: bool = False
) -> list[MemoryChange]:
    """Propose each line that was not proposed before; nothing of it holds until a person says so.

    The entries name the run, which may be taken back; what went with one is proposed again if that `is_asked`.
    """
    changes: list[MemoryChange] = []
    lines = read_claude_memory(user_home, folder)
    if not lines:
        return changes
    held = night.store.memories.leading(night.owner, project, _COMPARED)
    known = {shown_text(memory.text).casefold() for memory in held}
    desk = night.desk(project, READER)
    events: list[str] = []
    with desk.writing() as write:
        for path, number, text in lines:
            words = redact(text)
            name = derived_id("m", project, "claude-memory", shown_text(words).casefold())
            if shown_text(words).casefold() in known or _was_proposed(night, name, is_asked=is_asked):
                continue
            memory = {"id": name, "kind": str(MemoryKind.FACT), "text": words, "status": str(MemoryStatus.PROPOSED)}
            where = {"file": path.relative_to(user_home).as_posix(), "line": number}
            written = write(
                EventType.REMEMBER,
                words,
                change={"memories": [{**memory, "trust": str(Trust.IMPORT)}]},
                meta={"claude_memory": where, "dream": {"run": run}},
                status=EventStatus.SUGGESTED,
            )
            events.append(written.id)
            why = f"{where['file']}, line {number}"
            changes.append(MemoryChange(ChangeKind.PROPOSED, name, words, why, project))
        if events:  # by this it is found again which projects a run wrote to
            write(EventType.STATUS, meta={"bookkeeping": True, "dream": {"run": run, "events": events}})
    return changes


def _was_proposed(night: Night, name: str, *, is_asked: bool) -> bool:
    """Whether a line was proposed before; not if only its run was taken back, and somebody asks for it again."""
    memory = night.store.memories.find(night.owner, name)
    if memory is None:
        return False
    said = night.ledger.entry(memory.event) if is_asked and memory.status is MemoryStatus.RETRACTED else None
    ended_by = night.ledger.entry(said.hidden_by) if said and said.hidden_by else None
    return ended_by is None or "undo" not in ended_by.event.meta.get("dream", {})


def encoded_folder(folder: Path) -> str:
    """The name that Claude Code gives to a folder: all but letters and digits of ASCII become dashes."""
    return "".join(
        sign if sign.isascii() and sign.isalnum() else "-" * (1 + (ord(sign) > 0xFFFF))  # it counts in UTF-16
        for sign in str(folder)
    )


def _memory_folders(user_home: Path, folder: Path) -> Iterator[Path]:
    """Of the folder itself and of the repository that it lies in."""
    projects = user_home / ".claude" / "projects"
    repository = next((each for each in (folder, *folder.parents) if _is_repository(each)), folder)
    for place in dict.fromkeys((folder, repository)):
        name = encoded_folder(place)
        if len(name) <= _LONGEST_NAME:
            yield projects / name / "memory"
        elif projects.is_dir():
            yield from (each / "memory" for each in sorted(projects.glob(f"{name[:_LONGEST_NAME]}*")))


def _is_repository(folder: Path) -> bool:
    try:
        return (folder / ".git").exists()
    except OSError:  # a name that is too long for this machine, say
        return False


def _files(folder: Path) -> Iterator[Path]:
    try:
        yield from (path for path in folder.iterdir() if path.suffix == ".md" and path.is_file())
    except OSError:
        return


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        with path.open("rb") as file:
            content = file.read(_MOST_BYTES).decode("utf-8", "replace")
    except OSError:
        return
    lines = content.removeprefix("\ufeff").splitlines()
    start = _behind_front_matter(lines)
    fence = ""
    for number, line in enumerate(lines[start:], start + 1):
        if fence or (opening := _FENCE.match(line)):
            closes = line.strip().startswith(fence) if fence else False
            fence = "" if closes else fence or (opening[1] if opening else "")
        elif text := _sentence(line):
            yield number, text


def _behind_front_matter(lines: list[str]) -> int:
    if not lines or lines[0].strip() != "---":
        return 0
    return next((number + 1 for number, line in enumerate(lines) if number and line.strip() == "---"), 0)


def _sentence(line: str) -> str:
    text = shown_text(_ITEM.sub("", line, count=1))
    is_told = len(_WORD.findall(text)) >= _FEWEST_WORDS and len(text) <= _LONGEST_TEXT
    is_text = not _NO_TEXT.match(line) and not _POINTER.search(line)
    return text if is_told and is_text and not is_instruction_like(text) else ""
