"""The adapter of a format that a person described: see `declared_format` and docs/formats.md."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from noctuary.records import Relation, Role, TitleSource
from noctuary.transcripts.anthropic_blocks import call, drafts_of, result
from noctuary.transcripts.blocks import flatten, render_arguments
from noctuary.transcripts.declared_format import SESSION_FIELDS, Format, Paths, Steps
from noctuary.transcripts.documents import Entry, Talk, load_document, read_document
from noctuary.transcripts.drafts import ASSISTANT, TEXT, THINKING, TOOL, Draft, called, is_typed
from noctuary.transcripts.fields import time_ms
from noctuary.transcripts.finding import is_file, real_path, those_at
from noctuary.transcripts.items import Facts, Item, Place, Said, Skipped, Source, State
from noctuary.transcripts.jsonl import Record, read_items
from noctuary.transcripts.speech import injected, sort_turn, title_from

MOST_FILES = 100_000


class Declared:
    """Reads the transcripts of one agent as a description says."""

    globally_unique = False

    def __init__(self, form: Format) -> None:
        self.name = form.agent
        self._form = form

    def find(self, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:  # noqa: ARG002 (of the protocol)
        """Every file that the patterns describe, each once."""
        seen: set[Path] = set()
        for pattern in self._form.files:
            for path in _matching(home, pattern):
                real = real_path(path)
                if real in seen or not is_file(real) or len(seen) >= MOST_FILES:
                    continue
                seen.add(real)
                session = path.parent.name if self._form.is_named_by_folder else path.stem
                yield Source(adapter=self.name, path=path, session=session, is_log=self._form.is_log)

    def find_at(self, path: Path, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """The file at this path, if the patterns describe it."""
        return those_at(path, self.find(home, environ))

    def read(self, source: Source, place: Place) -> Iterator[Item]:
        """Yield what is new in the file."""
        fields = _Fields(self._form)
        # Where a format has no times, that of the file has to do.
        ms = 0 if "time" in self._form.fields else source.path.stat().st_mtime_ns // 1_000_000
        if self._form.is_log:
            return read_items(source.path, place, _Lines(source, {"ts": ms} | place.state, fields))
        return read_document(place, lambda: _talks(source, fields, ms))


def _matching(home: Path, pattern: str) -> list[Path]:
    absolute = Path(pattern)
    root = Path(absolute.anchor) if absolute.anchor else home
    try:
        return sorted(root.glob(str(absolute.relative_to(absolute.anchor))))
    except (OSError, ValueError):
        return []


class _Fields:
    """Takes out of a record what the description says."""

    def __init__(self, form: Format) -> None:
        self.form = form
        self._readers = {name: _reader(paths) for name, paths in form.fields.items()}
        self._role, self._text = self._readers["role"], self._readers["text"]
        self._thinking = self._readers.get("thinking")
        self._given, self._output = self._readers.get("tool_input"), self._readers.get("tool_output")
        self._of_session = [name for name in SESSION_FIELDS if name != "session" and name in form.fields]

    def value(self, record: Any, name: str) -> Any:
        """What stands in a field; None if nothing does."""
        read = self._readers.get(name)
        return None if read is None else read(record)

    def text(self, record: Any, name: str) -> str:
        """The text in a field, or a number as text."""
        value = self.value(record, name)
        return value if type(value) is str else str(value) if type(value) is int else ""

    def said_of_session(self, record: Any) -> dict[str, str]:
        """What a record says of its session, by the names of the fields that say it."""
        return {name: value for name in self._of_session if (value := self.text(record, name))}

    def said_first(self, records: Iterable[Any]) -> dict[str, str]:
        """What the first record that says it says of the session."""
        said: dict[str, str] = {}
        wanted = list(self._of_session)
        for record in records:
            for name in wanted:
                if value := self.text(record, name):
                    said[name] = value
            if said:
                wanted = [name for name in wanted if name not in said]
            if not wanted:
                break
        return said

    def drafts(self, record: Any) -> list[Draft] | None:
        """The messages that a record is made of; None if the word for its role is not known."""
        word = self._role(record)
        if type(word) is not str or word not in self.form.roles:
            return None
        role = self.form.roles[word]
        if role is None:
            return []
        drafts = self._spoken(role, record)
        if self._thinking is not None and (text := flatten(self._thinking(record))).strip():
            drafts.insert(0, Draft(ASSISTANT, THINKING, None, text))
        given = self._given(record) if self._given is not None else None
        output = self._output(record) if self._output is not None else None
        return drafts if given is None and output is None else [*drafts, *self._tools(record, given, output)]

    def _spoken(self, role: Role, record: Any) -> list[Draft]:
        value = self._text(record)
        if role is TOOL:
            return [result(self.text(record, "call_id"), value, self.text(record, "tool_name"))] if value else []
        if type(value) is list:  # blocks, of which some may be tools
            return drafts_of("user" if role is Role.USER else "assistant", value)
        text = flatten(value)
        if not text.strip():
            return []
        if role is Role.USER:
            return sort_turn(text)
        return [injected(text)] if role is Role.SYSTEM else [Draft(ASSISTANT, TEXT, None, text)]

    def _tools(self, record: Any, given: Any, output: Any) -> list[Draft]:
        name, call_id = self.text(record, "tool_name"), self.text(record, "call_id")
        drafts = []
        if given is not None:
            is_text = type(given) is str
            written = called(name, call_id, render_arguments(given))
            drafts.append(written if is_text else call(name, call_id, given))
        if output is not None:
            drafts.append(result(call_id, output, name))
        return drafts


def _reader(paths: Paths) -> Callable[[Any], Any]:
    """What leads from a record to a field; the plain case is by far the most frequent."""
    [steps, *others] = paths
    if others:
        return lambda record: _first(record, paths)
    if len(steps) == 1 and type(steps[0]) is str:
        name = steps[0]
        return lambda record: record.get(name) if type(record) is dict else None
    names = [step for step in steps if type(step) is str]
    return (lambda record: _below(record, names)) if len(names) == len(steps) else lambda record: _at(record, steps)


def _below(value: Any, names: list[str]) -> Any:
    for name in names:
        if type(value) is not dict:
            return None
        value = value.get(name)
    return value


def _first(record: Any, paths: Paths) -> Any:
    for steps in paths:
        value = _at(record, steps)
        if value is not None:
            return value
    return None


def _at(value: Any, steps: Steps) -> Any:
    for step in steps:
        if type(step) is int:
            if type(value) is not list or step >= len(value):
                return None
            value = value[step]
        elif type(value) is dict:
            value = value.get(step)
        else:
            return None
    return value


class _Lines:
    """Reads a log: every line is a record, and the first that names a fact of the session counts."""

    def __init__(self, source: Source, state: State, fields: _Fields) -> None:
        self._fields = fields
        self._session: str = state.get("session", source.session)
        self._ts: int = state.get("ts", 0)
        self._told: dict[str, Any] = dict(state.get("told", {}))

    def state(self) -> State:
        """What another reader needs to go on here."""
        return {"session": self._session, "ts": self._ts, "told": dict(self._told)}

    def take(self, record: Record, number: int) -> list[Item]:
        """The items of one line."""
        fields = self._fields
        self._session = fields.text(record, "session") or self._session
        self._ts = time_ms(fields.value(record, "time")) or self._ts
        items: list[Item] = [*self._news(fields.said_of_session(record))]
        drafts = fields.drafts(record)
        if drafts is None:
            word = fields.text(record, "role")
            return [*items, *([_unknown(number, word)] if word else [])]
        key = fields.text(record, "id") or str(number)
        for place, draft in enumerate(drafts):
            if is_typed(draft) and "title" not in self._told and (title := title_from(draft.content)):
                self._told["title"] = ""
                items.append(Facts(session=self._session, title=title, title_source=TitleSource.PROMPT))
            items.append(Said(self._session, draft.message(f"{self._session}:{key}:{place}", number, self._ts)))
        return items

    def _news(self, said: dict[str, str]) -> Iterator[Facts]:
        """The facts, if there is one in them that was not told."""
        if any(self._told.get(name) != value for name, value in said.items()):
            self._told |= said
            yield _facts(self._session, said)


def _facts(session: str, said: Mapping[str, str]) -> Facts:
    parent, title = said.get("parent"), said.get("title")
    is_fork = parent is not None and parent != session
    return Facts(
        session=session,
        cwd=said.get("cwd"),
        branch=said.get("branch"),
        model=said.get("model"),
        title=title,
        title_source=TitleSource.GIVEN if title else None,
        parent=parent if is_fork else None,
        relation=Relation.FORK if is_fork else None,
    )


def _unknown(number: int, word: str) -> Skipped:
    return Skipped(line=number, reason="unknown role", unknown=f"role/{word[:60]}")


def _talks(source: Source, fields: _Fields, ms: int) -> Iterator[Talk | Skipped]:
    document = load_document(source.path)
    messages = _at(document, fields.form.messages)
    if type(messages) is not list:
        raise ValueError("there is no list of messages where the format says")
    session = fields.text(document, "session") or source.session
    told: dict[str, Entry] = {}
    oddities: list[Skipped] = []
    for number, message in enumerate(messages, 1):
        drafts = fields.drafts(message)
        if drafts is None:
            word = fields.text(message, "role")
            oddities.append(_unknown(number, word) if word else Skipped(line=number, reason="no role"))
            continue
        key = fields.text(message, "id") or str(number)
        key = key if key not in told else f"{key}:{number}"
        told[key] = Entry(key, drafts, time_ms(fields.value(message, "time")), number)
    said = fields.said_first((document, *messages))
    yield Talk(_facts(session, said), list(told.values()), oddities, started_ms=ms)
