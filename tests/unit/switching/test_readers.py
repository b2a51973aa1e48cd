"""What other tools kept is read as they wrote it, and what is not theirs is refused."""

from collections.abc import Callable
from pathlib import Path

import apsw
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from noctuary.authored import EventType
from noctuary.errors import BadInput
from noctuary.records import Kind, Role
from noctuary.store.memories import MemoryKind
from noctuary.switching.basic_memory import front_matter, observations, read_basic_memory
from noctuary.switching.brought import Brought
from noctuary.switching.claude_mem import read_claude_mem
from noctuary.switching.mem0 import read_mem0
from noctuary.switching.mempalace import read_mempalace
from tests.unit.switching.tools import (
    MORNING_MS,
    claude_mem,
    drawer,
    insert,
    mem0_export,
    mem0_history,
    notes,
    observe,
    palace,
    run,
)

WRITES = "pragma journal_mode = wal; create table more (x); begin immediate; insert into more values (1)"


def same(name: str) -> str:
    return name or "(none)"


def from_claude_mem(path: Path) -> Brought:
    return read_claude_mem(path, same, lambda _: False)


READERS: list[tuple[Callable[[Path], Brought], Callable[[Path], Path], str]] = [
    (from_claude_mem, claude_mem, "claude-mem.db"),
    (lambda path: read_mempalace(path, same), palace, "chroma.sqlite3"),
    (lambda path: read_mem0(path, same), mem0_history, "history.db"),
]
each_database = pytest.mark.parametrize(("read", "make", "name"), READERS, ids=["claude-mem", "mempalace", "mem0"])


def test_claude_mem(tmp_path: Path) -> None:
    """Prompts and summaries are sessions, observations events, directives proposed."""
    brought = from_claude_mem(claude_mem(tmp_path / "claude-mem.db"))

    (talk,) = brought.talks
    assert (talk.facts.session, talk.facts.project, talk.facts.source) == ("claude-mem-c-1", "shop", "import")
    told = [(draft.role, draft.kind, draft.content) for entry in talk.entries for draft in entry.drafts]
    assert told[:2] == [
        (Role.USER, Kind.TEXT, "Why do orders fail on Mondays?"),
        (Role.USER, Kind.TEXT, "Then fix the timezone."),
    ]
    assert told[2][:2] == (Role.SYSTEM, Kind.SUMMARY)
    assert told[2][2].startswith("Request: Orders that fail on Mondays\n\nLearned: The job")
    decision, fix, directive = brought.notes
    assert (decision.type, decision.ts_ms) == (EventType.DECISION, MORNING_MS + 5_000)
    assert decision.text == "Times are kept in UTC\nLocal time broke the Monday job."
    assert (fix.type, fix.files, fix.session) == (EventType.FINDING, ("jobs.py",), "claude-mem-c-1")
    assert fix.text.endswith("- cron ran twice")
    assert (directive.type, directive.kind) == (EventType.REMEMBER, MemoryKind.CONSTRAINT)


def test_claude_mem_of_the_first_versions(tmp_path: Path) -> None:
    """Other names for the sessions, and only a text: all of it is found."""
    path = run(
        tmp_path / "claude-mem.db",
        "create table sdk_sessions (id integer primary key, claude_session_id text, sdk_session_id text, project text);"
        "create table observations (id integer primary key, sdk_session_id text, project text, text text, type text,"
        " created_at text, created_at_epoch integer);"
        "create table session_summaries (id integer primary key, sdk_session_id text, project text, request text,"
        " created_at_epoch integer);"
        "insert into sdk_sessions values (1, 'c-1', 's-1', 'shop');"
        "insert into observations values (1, 's-1', 'shop', 'Plain words.', 'finding', '2026-02-02T10:00:00Z', 0);"
        "insert into session_summaries values (1, 's-1', 'shop', 'A request', 1770000000);",
    )

    brought = from_claude_mem(path)

    assert [talk.facts.session for talk in brought.talks] == ["claude-mem-c-1"]
    assert brought.talks[0].entries[0].ts_ms == 1_770_000_000_000
    assert [(note.text, note.session) for note in brought.notes] == [("Plain words.", "claude-mem-c-1")]


def test_claude_mem_leaves_out_what_the_transcript_has(tmp_path: Path) -> None:
    """If the transcript of a session is here its prompts are, too; observations then belong to that session."""
    brought = read_claude_mem(claude_mem(tmp_path / "claude-mem.db"), same, lambda name: name == "c-1")

    assert brought.talks == []
    assert brought.notes[0].session == "c-1"
    assert brought.left_out == {"prompts and summaries of sessions whose transcript is here": 3}


def test_claude_mem_says_what_it_leaves_out(tmp_path: Path) -> None:
    """What is empty, switched off or still waits is counted with its reason."""
    path = observe(claude_mem(tmp_path / "claude-mem.db"), title="", narrative=None, facts="no list")
    insert(path, "directives", content="Old rule.", status="archived")
    insert(path, "pending_messages", status="pending")

    brought = from_claude_mem(path)

    assert brought.left_out == {
        "empty observations": 1,
        "directives that were switched off": 1,
        "tool calls that claude-mem had not looked at yet": 1,
    }


def test_mempalace(tmp_path: Path) -> None:
    """Pieces of one source are one session in their order; what was mined is no one's word, what was filed is."""
    brought = read_mempalace(palace(tmp_path / "chroma.sqlite3"), same)

    mined, filed = brought.talks
    assert (mined.facts.title, mined.facts.project) == ("shop / backend / tax.md", "shop")
    assert [entry.drafts[0].content[:12] for entry in mined.entries] == ["First piece:", "Second piece"]
    assert mined.entries[0].drafts[0].role is Role.TOOL
    assert mined.entries[0].ts_ms == 1_770_026_400_000
    assert (filed.entries[0].drafts[0].role, filed.facts.project) == (Role.ASSISTANT, "shop")
    assert brought.left_out == {"closets, which are an index of drawers": 1, "entries of its own books": 1}


def test_mempalace_in_its_folder(tmp_path: Path) -> None:
    """The folder of the tool, the palace in it and its file all name the same."""
    palace(tmp_path / "home" / "palace" / "chroma.sqlite3")

    for path in ("home", "home/palace", "home/palace/chroma.sqlite3"):
        assert len(read_mempalace(tmp_path / path, same).talks) == 2


def test_documents_that_are_no_drawers(tmp_path: Path) -> None:
    """A database of Chroma may hold anything; only what has a wing is a drawer."""
    path = drawer(tmp_path / "chroma.sqlite3", 1, "Some other program's.")

    brought = read_mempalace(path, same)

    assert (brought.talks, brought.left_out) == ([], {"documents that are no drawers": 1})


def test_mem0_history(tmp_path: Path) -> None:
    """What a memory says last is proposed, with when; what was deleted is left out, and so is the buffer."""
    brought = read_mem0(mem0_history(tmp_path / "history.db"), same)

    (note,) = brought.notes
    assert (note.text, note.type, note.kind) == ("Ana likes coffee.", EventType.REMEMBER, MemoryKind.FACT)
    assert note.ts_ms == 1_767_434_400_000
    assert note.meta["id"] == "a"
    assert brought.left_out == {
        "memories that were deleted there": 1,
        "messages in its buffer, which has only the last of each conversation": 1,
    }


def test_mem0_export(tmp_path: Path) -> None:
    """A file of memories: with what they are about, and the project if they name one."""
    path = mem0_export(
        tmp_path / "memories.json",
        {"id": "1", "memory": "Ana wants short pages.", "user_id": "ana", "categories": ["user_preferences"]},
        {"memory": "No id.", "created_at": "2026-01-01T00:00:00Z", "metadata": {"cwd": "/code/shop"}},
        {"id": "3"},
    )

    brought = read_mem0(path, same)

    first, second = brought.notes
    assert (first.kind, first.meta["user_id"]) == (MemoryKind.PREFERENCE, "ana")
    assert (second.project, second.ts_ms) == ("/code/shop", 1_767_225_600_000)
    assert brought.left_out == {"records that are no memories": 1}


@pytest.mark.parametrize("content", ['[{"memory": "A."}]', '{"memory": "A."}\n{"memory": "B."}\n', '{"memory": "A."}'])
def test_shapes_of_mem0_files(tmp_path: Path, content: str) -> None:
    """A list, one a line, or a single one."""
    path = tmp_path / "m.json"
    path.write_text(content)

    assert read_mem0(path, same).notes[0].text == "A."


def test_basic_memory(tmp_path: Path) -> None:
    """A note is a session with its words as they stand; observations with a category are proposed."""
    brought = read_basic_memory(notes(tmp_path / "notes"), same)

    (talk,) = brought.talks
    assert (talk.facts.title, talk.entries[0].ts_ms) == ("Search", 1_770_105_600_000)
    assert talk.entries[0].drafts[0].content.startswith("# Search\n\nHow the shop")
    assert "- implements [[Shop]]" in talk.entries[0].drafts[0].content
    decision, preference = brought.notes
    assert (decision.text, decision.kind, decision.files) == (
        "Search uses FTS5",
        MemoryKind.DECISION,
        ("specs/Search.md",),
    )
    assert decision.meta == {
        "file": "specs/Search.md",
        "note": "Search",
        "permalink": "specs/search",
        "type": "spec",
        "line": 13,
        "category": "decision",
        "tags": ["search", "sqlite"],
        "context": "measured in March",
    }
    assert preference.kind is MemoryKind.PREFERENCE
    assert brought.left_out == {"files that are no notes": 1}


def test_basic_memory_that_asks_not_to_be_read_for_observations(tmp_path: Path) -> None:
    """A text that was taken from elsewhere says that its syntax means nothing."""
    raw = "---\ntitle: Raw\nbm_parse_semantics: false\n---\n- [fact] taken from a PDF\n"

    brought = read_basic_memory(notes(tmp_path / "notes", [("raw.md", raw)]), same)

    assert len(brought.talks) == 2
    assert not any("PDF" in note.text for note in brought.notes)


def test_links_out_of_a_folder_are_not_followed(tmp_path: Path) -> None:
    """A folder of notes says nothing about files elsewhere; loops of links end."""
    (tmp_path / "secret.md").write_text("- [fact] outside\n")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "more.md").write_text("- [fact] outside, too\n")
    folder = notes(tmp_path / "notes")
    (folder / "link.md").symlink_to(tmp_path / "secret.md")
    (folder / "gone.md").symlink_to(tmp_path / "nothing")
    (folder / "loop").symlink_to(folder)
    (folder / "away").symlink_to(tmp_path / "elsewhere")

    brought = read_basic_memory(folder, same)

    assert len(brought.talks) == 1
    assert brought.left_out["links that lead out of the folder"] == 2
    assert not any("outside" in note.text for note in brought.notes)


@each_database
def test_a_database_in_a_link(
    tmp_path: Path, read: Callable[[Path], Brought], make: Callable[[Path], Path], name: str
) -> None:
    """What somebody names may be a link."""
    (tmp_path / "link").symlink_to(make(tmp_path / name))

    brought = read(tmp_path / "link")

    assert brought.talks or brought.notes


@each_database
def test_what_is_not_of_the_tool_is_refused(
    tmp_path: Path, read: Callable[[Path], Brought], make: Callable[[Path], Path], name: str
) -> None:
    """Nothing there, another kind of file, another program's database, an empty folder: each is told as it is."""
    del make
    (tmp_path / "empty").mkdir()
    (tmp_path / "text").write_text("hello")
    run(tmp_path / "other.db", "create table t (x)")

    for path in ("nothing", "empty", "text", "other.db"):
        with pytest.raises(BadInput, match=r"Nothing was changed\.") as refused:
            read(tmp_path / path)
        assert str(tmp_path / path) in str(refused.value)
        assert path != "empty" or name in str(refused.value)


@each_database
def test_a_view_instead_of_a_table_is_refused(
    tmp_path: Path, read: Callable[[Path], Brought], make: Callable[[Path], Path], name: str
) -> None:
    """A view can be a question without end."""
    del make
    endless = "as with recursive n(x) as (select 1 union all select x + 1 from n) select x as id from n"
    tables = ("observations", "session_summaries", "embeddings", "history")
    path = run(tmp_path / name, "".join(f"create view {table} {endless};" for table in tables))

    with pytest.raises(BadInput, match="has no table"):
        read(path)


@each_database
@given(data=st.data())
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_broken_database_is_refused_or_read(
    tmp_path: Path,
    read: Callable[[Path], Brought],
    make: Callable[[Path], Path],
    name: str,
    data: st.DataObject,
) -> None:
    """Whatever bytes of it are wrong, or wherever it ends: it is read as far as it goes, or refused as a whole."""
    path = tmp_path / f"whole-{name}"
    if not path.exists():
        make(path)
    whole = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 20))):
        whole[data.draw(st.integers(16, len(whole) - 1))] = data.draw(st.integers(0, 255))
    broken = tmp_path / name
    broken.write_bytes(bytes(whole[: data.draw(st.integers(0, len(whole)))]))

    try:
        brought = read(broken)
    except BadInput:
        return
    assert isinstance(brought, Brought)


@each_database
def test_a_database_that_is_written_to(
    tmp_path: Path, read: Callable[[Path], Brought], make: Callable[[Path], Path], name: str
) -> None:
    """A tool that has the database open, and writes, keeps nobody from reading what it committed."""
    path = make(tmp_path / name)
    connection = apsw.Connection(str(path))
    list(connection.execute(WRITES))

    brought = read(path)

    assert brought.talks or brought.notes
    connection.execute("rollback")
    connection.close()


@given(
    st.text()
    | st.lists(st.sampled_from(["---", "title: x", "- [a] b #c (d)", "```", "", "- [x] y", "\0"])).map("\n".join)
)
def test_any_text_is_a_note(text: str) -> None:
    """No text stops the reading of a note, and each observation stands on its line."""
    lines = text.splitlines()
    start, _ = front_matter(lines)

    for one in observations(lines, start):
        assert one.text
        assert f"[{one.category}]" in lines[one.line - 1].replace(" ", "") or one.category in lines[one.line - 1]
