"""Hermes: `state.db` in its home folder, and one for each of its profiles."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from noctuary.records import Kind, Relation, TitleSource
from noctuary.transcripts.anthropic_blocks import call, result
from noctuary.transcripts.blocks import flatten, parse_json, render_arguments
from noctuary.transcripts.documents import Entry, Original, Talk, read_store, version_of
from noctuary.transcripts.drafts import ASSISTANT, SYSTEM, TEXT, Draft, by_agent, taken_back, thought
from noctuary.transcripts.fields import dict_of, text_of, time_ms
from noctuary.transcripts.finding import entries, real_path, those_at
from noctuary.transcripts.foreign_sqlite import ForeignDatabase, beside, is_sqlite, json_in, open_foreign, text_in
from noctuary.transcripts.hermes_copies import Row, carried_over, copies
from noctuary.transcripts.items import Facts, Item, NewField, Place, Skipped, Source
from noctuary.transcripts.locations import chosen
from noctuary.transcripts.speech import injected, sort_turn

DEEPEST = 8  # branches of branches
_JSON = ("\0json:", "\1json:")  # what begins like this is no text but blocks
_SUMMARIES = ("[CONTEXT COMPACTION", "[CONTEXT SUMMARY]")
_PROGRAM = (
    "[Your active task list was preserved across context compression]",
    "[System note:",
    "[SYSTEM:",
    "Review the conversation above and update the skill library",
    "Review the conversation above and consider saving to memory",
)
_TITLES = {"user": TitleSource.GIVEN, "llm": TitleSource.SUMMARY, "derived": TitleSource.PROMPT}
_SILENT = {"session_meta"}


_COLUMNS = (*Row._fields[:-1], "_compressed_summary")


class Hermes:
    """The adapter."""

    name = "hermes"
    globally_unique = False

    def find(self, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """The database of every profile."""
        root = chosen(home, environ, "HERMES_HOME", ".hermes")
        roots = [root, *entries(root / "profiles"), chosen(home, environ, "LOCALAPPDATA", "AppData/Local") / "hermes"]
        seen: set[Path] = set()
        for path in (folder / "state.db" for folder in roots):
            if is_sqlite(path) and (real := real_path(path)) not in seen:
                seen.add(real)
                yield Source(adapter=self.name, path=path, session="", is_log=False, beside=beside(path))

    def find_at(self, path: Path, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """The database at this path, if it lies where `find` looks."""
        return those_at(path, self.find(home, environ))

    def read(self, source: Source, place: Place) -> Iterator[Item]:
        """Yield what is new in the database."""
        with open_foreign(source.path) as database:
            if "started_at" not in database.columns("sessions") or "role" not in database.columns("messages"):
                yield Skipped(line=1, reason="not a database of Hermes")
                return
            yield from read_store(place, _listed(database), lambda session: _talk(database, session))


def _listed(database: ForeignDatabase) -> list[tuple[str, str]]:
    """Every session, parents first, with what changes when it does; messages are only ever added or taken back."""
    sizes = "select session_id, count(*) as messages, max(id) as last from messages group by session_id"
    by_session = {row[0]: row[1:] for row in database.rows(sizes)}
    about = database.these("sessions", "id", "title", "model", "cwd", "git_branch", "ended_at", "rewind_count")
    rows = database.rows(f"select {about} from sessions order by started_at, id")  # noqa: S608 (names of ours)
    return [(text_in(row[0]), version_of(*row[1:], by_session[row[0]])) for row in rows if row[0] in by_session]


def _talk(database: ForeignDatabase, session: str) -> Talk | None:
    made = _rows(database, session)
    facts, started_ms = _facts(database, session)
    if not made or facts is None:
        return None
    told: list[Entry] = []
    oddities: list[Skipped | NewField] = []
    if facts.cwd is None:
        facts = facts._replace(cwd=next(_workdirs(made), None))
    repeated = _repeated(database, facts, made)
    for number, row in enumerate(made, 1):
        if row.id in repeated:
            continue
        drafts = _drafts(row, number, oddities)
        if drafts:
            drafts = by_agent(drafts) if facts.relation is Relation.SUBAGENT else drafts
            if row.active == 0 and not row.compacted:  # what was compacted was said all the same
                drafts = taken_back(drafts)
            told.append(Entry(f"{row.id}", drafts, time_ms(row.timestamp), number))
    return Talk(facts, told, oddities, started_ms=started_ms, copied=_copied(database, facts, made, 0))


def _rows(database: ForeignDatabase, session: str) -> list[Row]:
    columns = database.these("messages", *_COLUMNS)
    sql = f"select {columns} from messages where session_id = ? order by id"  # noqa: S608 (names of ours)
    return [Row._make(row) for row in database.rows(sql, session)]


def _copied(database: ForeignDatabase, facts: Facts, rows: list[Row], depth: int) -> dict[str, Original]:
    """What the first messages of a branch are copies of, by their keys: they have numbers and times of their own."""
    if facts.relation is not Relation.FORK or not facts.parent or depth >= DEEPEST:
        return {}
    theirs = _rows_before(database, facts.parent, rows)
    parent, _ = _facts(database, facts.parent)
    originals = _copied(database, parent, theirs, depth + 1) if parent and theirs else {}
    return {
        f"{own}": originals.get(f"{their}", (facts.parent, f"{their}")) for own, their in copies(rows, theirs).items()
    }


def _repeated(database: ForeignDatabase, facts: Facts, rows: list[Row]) -> set[int]:
    """What a session that goes on after a compression has of the one before it, which has it, too."""
    if facts.relation is not Relation.RESUME or not facts.parent:
        return set()
    return carried_over(rows, _rows_before(database, facts.parent, rows), _is_put_in)


def _rows_before(database: ForeignDatabase, session: str, rows: list[Row]) -> list[Row]:
    return [row for row in _rows(database, session) if row.id < rows[0].id]


def _is_put_in(row: Row) -> bool:
    """Whether a compression put a message there."""
    return bool(row.is_summary) or _text(row.content).startswith((*_SUMMARIES, *_PROGRAM))


def _facts(database: ForeignDatabase, session: str) -> tuple[Facts | None, int]:
    names = ("source", "model", "model_config", "parent_session_id", "started_at", "cwd", "git_branch", "title")
    about = database.these("sessions", *names, "title_source")
    found = database.rows(f"select {about} from sessions where id = ?", session)  # noqa: S608 (names of ours)
    if not found:
        return None, 0
    source, model, config, parent, started, cwd, branch, title, title_source = found[0]
    settings = json_in(config)
    settings = settings if type(settings) is dict else {}
    relation = _relation(database, text_in(source), settings, text_in(parent)) if parent else None
    facts = Facts(
        session=session,
        source=text_in(source) or None,
        model=text_in(model) or None,
        cwd=text_in(cwd) or text_of(settings, "cwd") or None,
        branch=text_in(branch) or None,
        title=text_in(title) or None,
        title_source=_TITLES.get(text_in(title_source), TitleSource.GIVEN) if title else None,
        parent=text_in(parent) if relation else None,
        relation=relation,
    )
    return facts, time_ms(started)


def _relation(database: ForeignDatabase, source: str, settings: dict[str, Any], parent: str) -> Relation | None:
    """What a session is to its parent: a branch, what goes on after its context was full, or a sub-agent."""
    if "_branched_from" in settings:
        return Relation.FORK
    if "_reset_from" in settings:  # a conversation of its own
        return None
    if source != "subagent" and "_delegate_from" not in settings:
        reason = database.these("sessions", "end_reason")
        ended = database.rows(f"select {reason} from sessions where id = ?", parent)  # noqa: S608 (a name of ours)
        if ended and ended[0][0] == "compression":
            return Relation.RESUME
    return Relation.SUBAGENT


def _drafts(message: Row, number: int, oddities: list[Skipped | NewField]) -> list[Draft]:
    role, content = text_in(message.role), _text(message.content)
    if role == "tool":
        return [result(text_in(message.tool_call_id), content, text_in(message.tool_name))]
    if role == "assistant":
        inner = text_in(message.reasoning) or text_in(message.reasoning_content)
        thinking = thought(inner)
        return [*thinking, *_spoken(role, content, is_summary=bool(message.is_summary)), *_calls(message)]
    if role in ("user", "system"):
        return _spoken(role, content, is_summary=bool(message.is_summary))
    if role not in _SILENT:
        oddities.append(Skipped(line=number, reason="unknown role", unknown=f"message/{role or '?'}"))
    return []


def _spoken(role: str, text: str, *, is_summary: bool) -> list[Draft]:
    if not text or text.isspace():
        return []
    if is_summary or text.startswith(_SUMMARIES):
        return [Draft(SYSTEM, Kind.SUMMARY, None, text)]
    if role == "assistant":
        return [Draft(ASSISTANT, TEXT, None, text)]
    return [injected(text)] if role == "system" or text.startswith(_PROGRAM) else sort_turn(text)


def _calls(message: Row) -> list[Draft]:
    calls = json_in(message.tool_calls) if message.tool_calls else None
    drafts = []
    for each in calls if type(calls) is list else []:
        if type(each) is dict:
            function = dict_of(each, "function")
            call_id = text_of(each, "id") or text_of(each, "call_id")
            drafts.append(call(text_of(function, "name"), call_id, render_arguments(function.get("arguments"))))
    return drafts


def _workdirs(rows: list[Row]) -> Iterator[str]:
    """The folders that commands were run in; early versions noted no other."""
    for row in rows:
        calls = json_in(row.tool_calls) if row.tool_calls else None
        for each in calls if type(calls) is list else []:
            given = parse_json(text_of(dict_of(each, "function"), "arguments")) if type(each) is dict else None
            folder = text_of(given, "workdir") if type(given) is dict else ""
            if folder.startswith("/") or folder[1:3] == ":\\":
                yield folder


def _text(content: object) -> str:
    text = text_in(content)
    if not text.startswith(_JSON):
        return text
    blocks = parse_json(text[len(_JSON[0]) :])
    if type(blocks) is not list:
        return flatten(blocks)
    named = [{"type": "image"} if type(b) is dict and b.get("type") == "image_url" else b for b in blocks]
    return flatten(named)
