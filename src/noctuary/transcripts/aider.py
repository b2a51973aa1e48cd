"""Aider: `.aider.chat.history.md` in the repository it works in, or in the home folder; many sessions a file.

A line `# aider chat started at …` begins a session.  What people type is written after `#### `, line by line, and what
Aider itself says after `> `; both end in two spaces, which is how they are told from headings and quotations that a
model wrote.  Everything else is the model's answer.  There is no time but that of the start, by the clock on the wall.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from pathlib import Path

from noctuary.transcripts.documents import LARGEST, Entry, Talk, read_document
from noctuary.transcripts.drafts import Draft, answered, thought
from noctuary.transcripts.fenced import fenced_lines, lines_with
from noctuary.transcripts.fields import time_ms
from noctuary.transcripts.finding import at_home, real_path, those_at
from noctuary.transcripts.items import Facts, Item, Place, Skipped, Source
from noctuary.transcripts.repositories import AIDER, folders_with
from noctuary.transcripts.speech import injected, sort_turn

_STARTED = "# aider chat started at "
_TYPED, _TOLD, _BREAK = "####", "> ", "  "
# What Aider says when an answer is over, and no model writes into a block of code.
_ANSWERED = ("> Tokens: ", "> Applied edit to ", "> Commit ", "> ^C again to exit", "> You can use /undo to undo")
_QUESTION = " (Y)es/(N)o"
_MODEL = "odel: "  # what lines have that name one
_MODELS = ("> Model: ", "> Main model: ")
_THOUGHTS = (("<think>", "</think>"), ("--------------\n► **THINKING**", "------------\n► **ANSWER**"))


class Aider:
    """The adapter."""

    name = "aider"
    globally_unique = False

    def find(self, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """Every history in the home folder and in the folders of projects below it, and the one that is configured."""
        seen: set[Path] = set()
        for path in (*_configured(home, environ), *(folder / AIDER for folder in folders_with(home, AIDER))):
            if path.is_file() and (real := real_path(path)) not in seen:
                seen.add(real)
                yield Source(adapter=self.name, path=path, session="", is_log=False)

    def find_at(self, path: Path, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """The history at this path, if it lies where `find` looks; for another name nothing is walked."""
        names = {AIDER, *(configured.name for configured in _configured(home, environ))}
        return those_at(path, self.find(home, environ)) if path.name in names else iter(())

    def read(self, source: Source, place: Place) -> Iterator[Item]:
        """Yield what is new in the history."""
        return read_document(place, lambda: _talks(source.path))


def _configured(home: Path, environ: Mapping[str, str]) -> list[Path]:
    configured = environ.get("AIDER_CHAT_HISTORY_FILE", "").strip()
    return [at_home(home, configured)] if configured else []


def _talks(path: Path) -> Iterator[Talk | Skipped]:
    stat = path.stat()
    if stat.st_size > LARGEST:
        raise ValueError(f"larger than {LARGEST // (1024 * 1024)} MB")
    text = path.read_bytes().decode("utf-8", "replace").replace("\0", "\ufffd")
    text = text.replace("\r\n", "\n") if "\r" in text else text
    lines = text.split("\n")
    marked = [at for at, line in enumerate(lines) if line[-2:] == _BREAK]
    started = [at for at in lines_with(text, _STARTED) if lines[at].startswith(_STARTED)]
    answered = [at for at in marked if lines[at].startswith(_ANSWERED)]
    inside = fenced_lines(lines, text, sorted(started + answered))
    starts = [at for at in started if not inside[at]]
    if not starts:
        raise ValueError("no chat of Aider")
    spoken = [at for at in marked if not inside[at]]
    models = [at for at in lines_with(text, _MODEL) if lines[at].startswith(_MODELS)]
    names: dict[str, int] = {}
    folder = path.parent
    for at, end in zip([0, *starts], [*starts, len(lines)], strict=True):
        stamp = lines[at].removeprefix(_STARTED).strip() if lines[at].startswith(_STARTED) else ""
        first = at + 1 if stamp else at
        entries = _entries(lines, _between(spoken, first, end), first, end)
        if not entries:
            continue
        name = f"{folder.name}-{''.join([c for c in stamp if c.isdigit()]) or 'before'}"
        names[name] = names.get(name, 0) + 1  # two may start in one second
        session = f"{name}-{names[name]}" if names[name] > 1 else name
        facts = Facts(session=session, cwd=str(folder), model=_model(lines, _between(models, at, end)))
        yield Talk(facts, entries, started_ms=time_ms(stamp) or stat.st_mtime_ns // 1_000_000)


def _between(numbers: list[int], start: int, end: int) -> list[int]:
    return numbers[bisect_left(numbers, start) : bisect_left(numbers, end)]


def _entries(lines: list[str], marked: list[int], start: int, end: int) -> list[Entry]:
    """The session in these lines, one entry a piece that one speaker said; those that are marked may begin one."""
    entries: list[Entry] = []
    command = ""
    for begun, speaker, piece in _pieces(lines, marked, start, end):
        if speaker == _TYPED:
            text = "\n".join([line[5:-2] for line in piece]).strip()
            drafts = _typed(text, command)
            command = text
        else:
            drafts = _told(piece) if speaker == _TOLD else _answer("\n".join(piece))
            command = command if not drafts else ""
        if drafts:
            entries.append(Entry(str(len(entries) + 1), drafts, 0, begun + 1))
    return entries


def _pieces(lines: list[str], ends: list[int], start: int, end: int) -> Iterator[tuple[int, str, list[str]]]:
    """Lines in a row that one speaker wrote: where they begin, who it is, and the lines."""
    at, begun, said = start, start, ""
    for marked in ends:
        speaker = _speaker(lines, marked)
        if not speaker or (speaker == said and marked == at):
            at = marked + 1 if speaker else at
            continue
        if said:
            yield begun, said, lines[begun:at]
            begun = at
        if begun < marked:
            yield begun, "", lines[begun:marked]
        begun, at, said = marked, marked + 1, speaker
    if said:
        yield begun, said, lines[begun:at]
        begun = at
    if begun < end:
        yield begun, "", lines[begun:end]


def _speaker(lines: list[str], at: int) -> str:
    """Who wrote a line that ends in two spaces: `####` a person, `> ` Aider, and the model if neither."""
    line = lines[at]
    if line.startswith(_TOLD):
        return _TOLD
    if line.startswith("#### ") and (at == 0 or not lines[at - 1].strip() or lines[at - 1].startswith(_TYPED)):
        return _TYPED
    return ""


def _typed(text: str, command: str) -> list[Draft]:
    """What a person typed.  A command with words has Aider say the words once more, and it notes its own questions."""
    if not text or text == "<blank>":
        return []
    is_echo = command.startswith("/") and command.partition(" ")[2].strip() == text
    return [injected(text)] if is_echo or _QUESTION in text else sort_turn(text)


def _told(piece: list[str]) -> list[Draft]:
    text = "\n".join([line[2:].rstrip() for line in piece]).strip()
    return [injected(text)] if text else []


def _answer(text: str) -> list[Draft]:
    text = text.strip()
    for opening, closing in _THOUGHTS:
        if text.startswith(opening) and closing in text:
            inner, _, rest = text.removeprefix(opening).partition(closing)
            return [*thought(inner.strip()), *answered(rest.strip())]
    return answered(text)


def _model(lines: list[str], named: list[int]) -> str | None:
    """The model that answered last, by the lines that name one."""
    return lines[named[-1]].partition(": ")[2].partition(" with ")[0].strip() or None if named else None
