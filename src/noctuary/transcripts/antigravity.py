"""Antigravity: `brain/<session>/.system_generated/logs/transcript.jsonl` in the folders of its CLI and its editor.

A line is a step.  Steps may stand out of order, and one may be written again when it is done, so a file is read as a
whole.  `transcript_full.jsonl` beside it has the long texts that are cut there, and is read instead.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from noctuary.records import Kind
from noctuary.transcripts.anthropic_blocks import call, result
from noctuary.transcripts.documents import Entry, Talk, load_lines, read_document
from noctuary.transcripts.drafts import SYSTEM, Draft, answered, thought
from noctuary.transcripts.fields import dict_of, list_of, text_of, time_ms
from noctuary.transcripts.finding import entries, is_file, those_at
from noctuary.transcripts.items import Facts, Item, NewField, Place, Skipped, Source
from noctuary.transcripts.locations import chosen
from noctuary.transcripts.speech import injected, sort_turn
from noctuary.transcripts.unfamiliar import new_fields

_PLACES = ("antigravity-cli", "antigravity", "antigravity-ide")
_FILES = ("transcript_full.jsonl", "transcript.jsonl", "overview.txt")  # the last in early versions, of the same lines
_STEP = frozenset(
    [
        "step_index",
        "source",
        "type",
        "status",
        "created_at",
        "content",
        "thinking",
        "tool_calls",
        "error_code",
        "error",
        "model",
    ]
)
_LOGS = Path(".system_generated", "logs")
_REQUEST, _REQUEST_END = "<USER_REQUEST>", "</USER_REQUEST>"
_MODEL_CHOICE = "`Model Selection` from "
_SILENT = {"CONVERSATION_HISTORY"}
_ANSWERS = {"PLANNER_RESPONSE", "GENERATE_RESPONSE", "NOTIFY_USER"}


class Antigravity:
    """The adapter."""

    name = "antigravity"
    globally_unique = False

    def find(self, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """Every session that has a transcript."""
        root = chosen(home, environ, "GEMINI_CLI_HOME", "") / ".gemini"
        for place in _PLACES:
            for folder in entries(root / place / "brain"):
                path = best_of(folder / _LOGS)
                if path is not None:
                    yield Source(adapter=self.name, path=path, session=folder.name, is_log=False)

    def find_at(self, path: Path, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """The transcript at this path, if it lies where `find` looks."""
        return those_at(path, self.find(home, environ))

    def read(self, source: Source, place: Place) -> Iterator[Item]:
        """Yield what is new in the transcript."""
        return read_document(place, lambda: _talks(source))


def best_of(logs: Path) -> Path | None:
    """Of the files of one session, the one that says most."""
    return next((logs / name for name in _FILES if is_file(logs / name)), None)


def is_transcript(path: Path) -> bool:
    """Whether a file is called as one of those."""
    return path.name in _FILES


def session_around(path: Path) -> str:
    """The session that a transcript is of by the folders around it; empty if they are not there."""
    logs = path.parent
    is_there = logs.parts[-len(_LOGS.parts) :] == _LOGS.parts
    return logs.parent.parent.name if is_there else ""


def _talks(source: Source) -> Iterator[Talk]:
    oddities: list[Skipped | NewField] = []
    steps: dict[int, tuple[int, dict[str, Any]]] = {}
    for line in load_lines(source.path):
        step = line.record
        if step is None:
            oddities += [Skipped(line=line.number, reason=line.problem)] if line.problem else []
        elif type(step.get("step_index")) is not int:
            oddities.append(Skipped(line=line.number, reason="not a step"))
        else:
            oddities += new_fields("step", step, _STEP, line.number)
            steps[step["step_index"]] = (line.number, step)
    told = _Told(oddities)
    for index in sorted(steps):
        number, step = steps[index]
        told.add(index, step, number)
    facts = Facts(session=source.session, cwd=told.folder or None, model=told.model or None)
    yield Talk(facts, told.entries, oddities)


class _Told:
    """The entries of a session, step by step."""

    def __init__(self, oddities: list[Skipped | NewField]) -> None:
        self.entries: list[Entry] = []
        self.model, self.folder = "", ""
        self._oddities = oddities
        self._open: list[tuple[str, str]] = []  # the ids and names of calls that nothing came of yet

    def add(self, index: int, step: dict[str, Any], number: int) -> None:
        """Add what one step says."""
        kind, source, content = text_of(step, "type"), text_of(step, "source"), text_of(step, "content")
        ts_ms = time_ms(step.get("created_at"))
        if kind in _SILENT:
            return
        if kind == "USER_INPUT":
            self._put(str(index), self._typed(content, is_human=source == "USER_EXPLICIT"), ts_ms, number)
        elif kind == "CHECKPOINT":
            self._put(
                str(index), [Draft(SYSTEM, Kind.SUMMARY, None, content)] if content.strip() else [], ts_ms, number
            )
        elif kind in _ANSWERS:
            self._open = []
            self._put(str(index), _answer(step, content), ts_ms, number)
            self._call(index, step, ts_ms, number)
        elif source == "MODEL":
            self._call(index, step, ts_ms, number)
            self._result(index, kind, content, ts_ms, number)
        elif source == "SYSTEM":
            self._put(str(index), [injected(content)] if content.strip() else [], ts_ms, number)
        else:
            self._oddities.append(Skipped(line=number, reason="unknown type of step", unknown=kind or "?"))

    def _typed(self, content: str, *, is_human: bool) -> list[Draft]:
        """What the user asked for, apart from what stands around it."""
        before, found, rest = content.partition(_REQUEST)
        request, _, after = rest.partition(_REQUEST_END)
        self._choose_model(after)
        if not found or not is_human:
            return sort_turn(content) if is_human else [injected(content)] if content.strip() else []
        around = "\n".join(part for part in (before.strip(), after.strip()) if part)
        return [*sort_turn(request.strip()), *([injected(around)] if around else [])]

    def _choose_model(self, text: str) -> None:
        _, found, choice = text.partition(_MODEL_CHOICE)
        if found:
            self.model = choice.partition(" to ")[2].partition(". No need")[0].partition("\n")[0].strip()

    def _call(self, index: int, step: dict[str, Any], ts_ms: int, number: int) -> None:
        for nth, each in enumerate(list_of(step, "tool_calls")):
            if type(each) is not dict:
                continue
            name, call_id = text_of(each, "name").removeprefix("default_api:"), text_of(each, "id") or f"{index}.{nth}"
            given = each.get("args", each.get("arguments"))
            self._open.append((call_id, name))
            self._put(f"call:{index}.{nth}", [call(name, call_id, given)], ts_ms, number)
            self.folder = self.folder or text_of(dict_of({"": given}, ""), "Cwd").strip('"')

    def _result(self, index: int, kind: str, content: str, ts_ms: int, number: int) -> None:
        """What a tool gave back: to the call of its name, or else to the one that waits longest."""
        if not content.strip():
            return
        name = kind.lower()
        at = next((at for at, (_, called) in enumerate(self._open) if called == name), 0)
        call_id, name = self._open.pop(at) if self._open else ("", name)
        self._put(f"result:{index}", [result(call_id, content, name)], ts_ms, number)

    def _put(self, key: str, drafts: list[Draft], ts_ms: int, number: int) -> None:
        if drafts:
            self.entries.append(Entry(key, drafts, ts_ms, number))


def _answer(step: dict[str, Any], content: str) -> list[Draft]:
    return [*thought(text_of(step, "thinking")), *answered(content)]
