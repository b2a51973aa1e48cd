"""Aider: `.aider.chat.history.md` in the repository it works in, or in the home folder; many sessions a file.

A line `# aider chat started at …` begins a session.  What people type is written after `#### `, line by line, and what
Aider itself says after `> `; both end in two spaces, which is how they are told from headings and quotations that a
model wrote.  Everything else is the model's answer.  There is no time but that of the start, by the clock on the wall.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from noctuary.transcripts.documents import Entry, Talk, load_page, read_document
from noctuary.transcripts.drafts import Draft, answered, new, thought
from noctuary.transcripts.fenced import Spans, fenced_spans
from noctuary.transcripts.fields import time_ms
from noctuary.transcripts.finding import at_home, is_file, real_path, those_at
from noctuary.transcripts.items import Facts, Item, Place, Skipped, Source
from noctuary.transcripts.repositories import AIDER, folders_with
from noctuary.transcripts.speech import injected, sort_turn

_STARTED = b"\n# aider chat started at "
# What a person or Aider wrote: lines in a row that end in two spaces.  As an end of line begins it, it is found soon.
# Why an edit could not be made is told in many lines, of which Aider marks the first and ends the last.
_SPOKEN = re.compile(
    rb"\n(?:>(?= ).*  (?:\n>(?= ).*  )*(?:(?<=/edit-errors\.html  )\n>(?= )(?:.*\n)+?.*  )?"
    rb"|(####)(?= ).*  (?:\n####(?= ).*  )*)(?=\n)"
)
# What Aider says when an answer is over, and no model writes into a block of code.
_ANSWERED = re.compile(
    rb"\n> (?:(?:Tokens:|Applied edit to|Commit)(?= )|\^C again to exit|You can use /undo to undo).*(?=  \n)"
)
_NEWLINE = ord("\n")
_QUESTION = " (Y)es/(N)o"
_MODEL = re.compile("^> (?:Main m|M)odel: (.*)", re.MULTILINE)
_THOUGHTS = (("<think>", "</think>"), ("--------------\n► **THINKING**", "------------\n► **ANSWER**"))
_THINKING = tuple(opening for opening, _ in _THOUGHTS)


class Aider:
    """The adapter."""

    name = "aider"
    globally_unique = False

    def find(self, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """Every history in the home folder and in the folders of projects below it, and the one that is configured."""
        seen: set[Path] = set()
        for path in (*_configured(home, environ), *(folder / AIDER for folder in folders_with(home, AIDER))):
            if is_file(path) and (real := real_path(path)) not in seen:
                seen.add(real)
                yield Source(adapter=self.name, path=path, session="", is_log=False)

    def find_at(self, path: Path, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """The history at this path, if it lies where `find` looks; for another name nothing is walked."""
        names = {AIDER, *(configured.name for configured in _configured(home, environ))}
        return those_at(path, self.find(home, environ)) if path.name in names else iter(())

    def read(self, source: Source, place: Place) -> Iterator[Item]:
        """Yield what is new in the history."""
        return read_document(place, lambda: _talks(source.path))


def begins_chat(page: bytes) -> bool:
    """Whether a page, as `load_page` gives it, holds a chat."""
    return _STARTED in page


def _configured(home: Path, environ: Mapping[str, str]) -> list[Path]:
    configured = environ.get("AIDER_CHAT_HISTORY_FILE", "").strip()
    return [at_home(home, configured)] if configured else []


class Counted:
    """The lines of a page, counted as far as they were asked for."""

    def __init__(self, page: bytes) -> None:
        self._page, self._at, self._line = page, 0, 1

    def line(self, at: int) -> int:
        """The number of the line behind the end of a line that stands here, or after what was asked for before."""
        self._line += self._page.count(b"\n", self._at, at)
        self._at = at
        return self._line


def _talks(path: Path) -> Iterator[Talk | Skipped]:
    page, folder = load_page(path), path.parent
    started = [found.start() for found in re.finditer(_STARTED, page)]
    answered_at = [found.start() for found in _ANSWERED.finditer(page)] if started else ()
    code = fenced_spans(page, sorted([at + 1 for at in (*started, *answered_at)]))
    starts = [at for at in started if at + 1 not in code]
    if not starts:
        raise ValueError("no chat of Aider")
    modified_ms = path.stat().st_mtime_ns // 1_000_000
    names: dict[str, int] = {}
    counted = Counted(page)
    for at, end in zip([0, *starts], [*starts, len(page) - 1], strict=True):
        stamp, first = _started(page, at)
        entries, model = _entries(page, first, end, counted, code)
        if not entries:
            continue
        name = f"{folder.name}-{''.join(filter(str.isdigit, stamp)) or 'before'}"
        names[name] = names.get(name, 0) + 1  # two may start in one second
        session = f"{name}-{names[name]}" if names[name] > 1 else name
        facts = Facts(session, str(folder), model=model or None)
        yield Talk(facts, entries, started_ms=time_ms(stamp) or modified_ms)


def _started(page: bytes, at: int) -> tuple[str, int]:
    """When the session behind an end of line was started, and the end of the line that says so."""
    if not page.startswith(_STARTED, at):
        return "", at
    end = page.index(b"\n", at + 1)
    stamp = page[at + len(_STARTED) : end].decode("utf-8", "replace").strip()
    return stamp, end if stamp else at


def _entries(page: bytes, at: int, end: int, counted: Counted, code: Spans) -> tuple[list[Entry], str]:
    """The session in a part of the page, one entry a piece that one speaker said; and the model named last in it."""
    entries: list[Entry] = []
    command = model = ""
    for start, stop, is_typed in _spoken(page, at, end, code):
        if start - at > 1 and (drafts := _answer(page[at:start])):
            command = ""
            entries.append(new(Entry, (str(len(entries) + 1), drafts, 0, counted.line(at))))
        piece = page[start + 1 : stop].decode("utf-8", "replace")
        if is_typed:
            typed = _typed_in(piece)
            drafts, command = _typed(typed, command), typed
        elif drafts := _told(piece):
            command = ""
            model = _model(piece) or model
        if drafts:
            entries.append(new(Entry, (str(len(entries) + 1), drafts, 0, counted.line(start))))
        at = stop
    if end - at > 1 and (drafts := _answer(page[at:end])):
        entries.append(Entry(str(len(entries) + 1), drafts, 0, counted.line(at)))
    return entries, model


def _spoken(page: bytes, at: int, end: int, code: Spans) -> Iterator[tuple[int, int, bool]]:
    """Where a person or Aider wrote, from the end of the line before to that of the last line; whether by a person."""
    for each in code.without(_SPOKEN.finditer(page, at, end + 1), at):
        start, stop = each.span()
        is_typed = each.lastindex == 1
        if is_typed and page[start - 1] != _NEWLINE and not _may_be_typed(page, start):
            start = page.index(b"\n", start + 1)  # what a model wrote, with lines behind it that may be typed
        if start < stop:
            yield start, stop, is_typed


def _may_be_typed(page: bytes, at: int) -> bool:
    """Whether what people typed may stand behind the end of a line: that is blank, or theirs."""
    before = page[page.rfind(b"\n", 0, at) + 1 : at]
    return before.startswith(b"####") or not before.decode("utf-8", "replace").strip()


def _typed_in(piece: str) -> str:
    """The words in lines that a person typed."""
    if "\n" not in piece:
        return piece[5:-2].strip()
    return "\n".join([line[5:-2] for line in piece.split("\n")]).strip()


def _typed(text: str, command: str) -> list[Draft]:
    """What a person typed.  A command with words has Aider say the words once more, and it notes its own questions."""
    if not text or text == "<blank>":
        return []
    is_echo = command.startswith("/") and command.partition(" ")[2].strip() == text
    return [injected(text)] if is_echo or _QUESTION in text else sort_turn(text)


def _told(piece: str) -> list[Draft]:
    text = "\n".join([line.removeprefix("> ").rstrip() for line in piece.split("\n")]).strip()
    return [injected(text)] if text else []


def _answer(piece: bytes) -> list[Draft]:
    text = piece.decode("utf-8", "replace").strip()
    for opening, closing in _THOUGHTS if text.startswith(_THINKING) else ():
        if text.startswith(opening) and closing in text:
            inner, _, rest = text.removeprefix(opening).partition(closing)
            return [*thought(inner.strip()), *answered(rest.strip())]
    return answered(text)


def _model(told: str) -> str:
    """The model that is named last in what Aider said."""
    named = _MODEL.findall(told) if "odel: " in told else ()
    return named[-1].partition(" with ")[0].strip() if named else ""
