"""Whose transcript a file is can be seen by what stands in it, wherever it lies and whatever it is called."""

import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noctuary import Memory
from noctuary.records import Relation
from noctuary.testing import ClaudeTranscript, CodexTranscript
from noctuary.transcripts.agents import adapters
from noctuary.transcripts.documents import LARGEST, LARGEST_LOG
from noctuary.transcripts.items import Place, Said, Source
from noctuary.transcripts.recognising import agent_of, transcripts_at
from tests.unit.transcripts.golden_cases import Case, cases, sources

pytestmark = pytest.mark.slow
# What one agent writes as another does is taken for the other's; these say nothing of whose they are.
SAME_AS = {"openclaw": "pi", "roo": "cline", ("kilo", "tasks"): "cline", ("kilo", "database"): "opencode"}
WITH_FOLDERS = {("grok", "chat-history"), ("kiro", "events"), ("opencode", "files")}
WITH_FOLDERS |= {("openhands", "conversation"), ("openhands", "first"), ("kimi", "cli"), ("kimi", "code")}
DESCRIBED = {("ledger", "json"), ("vibe", "jsonl")}
ALONE = [case for case in cases() if (case.agent, case.name) not in WITH_FOLDERS | DESCRIBED]


@pytest.mark.parametrize("case", ALONE, ids=lambda case: f"{case.agent}-{case.name}")
def test_every_transcript_that_stands_alone_is_known(case: Case, tmp_path: Path) -> None:
    """The file says whose it is, and that agent's adapter reads it where it lies."""
    home = case.laid_out(tmp_path / "home")
    expected = SAME_AS.get((case.agent, case.name), SAME_AS.get(case.agent, case.agent))
    readers = {each.name: each for each in adapters()}
    told = 0
    for number, source in enumerate(sources(case, home)):
        ending = ".messages.json" if source.path.name.endswith(".messages.json") else source.path.suffix
        moved = tmp_path / "elsewhere" / f"copy-{number}{ending}"
        moved.parent.mkdir(exist_ok=True)
        moved.write_bytes(source.path.read_bytes())
        found = list(transcripts_at(moved, []))
        if source.is_log or source.session:
            assert {each.adapter for each in found} <= {expected}
        told += sum(isinstance(item, Said) for each in found for item in readers[each.adapter].read(each, Place()))

    assert told


# Aider names a session after the folder around it, exports are found by nobody, and OpenClaw begins sessions anew.
ELSEWHERE = {("aider", "open-fence"), ("chatgpt", "export"), ("claude.ai", "export"), ("openclaw", "sessions")}


@pytest.mark.parametrize(
    "case",
    [case for case in cases() if (case.agent, case.name) not in ELSEWHERE | DESCRIBED],
    ids=lambda case: f"{case.agent}-{case.name}",
)
def test_a_copy_of_a_home_is_the_same_sessions(case: Case, tmp_path: Path) -> None:
    """A copy tells the sessions that the original tells: their names, their parents, and who says what in them."""
    home = case.laid_out(tmp_path / "home")
    shutil.copytree(home, tmp_path / "copy")
    with Memory.open(tmp_path / "one", user_home=home) as memory:
        memory.import_transcripts()
        original = _told(memory)
        assert memory.import_transcripts(at=tmp_path / "copy").messages == 0
    with Memory.open(tmp_path / "other", user_home=home) as memory:
        memory.import_transcripts(at=tmp_path / "copy")
        copied = _told(memory)
        assert memory.import_transcripts().messages == 0

    assert original
    assert copied == original


def _told(memory: Memory) -> list[Any]:
    shown = [memory.show(session.id) for session in sorted(memory.sessions(limit=100), key=lambda each: each.id)]
    return [
        (
            each.session.id,
            each.session.parent,
            each.session.relation,
            [(said.role, said.content) for said in each.messages],
        )
        for each in shown
    ]


SAYING = ("amp", "copilot-chat", "copilot-cli", "droid", "gemini", "grok", "pi")  # of which session they are
UNSAID = {("copilot-cli", "messages"), ("copilot-chat", "database"), ("pi", "database"), ("pi", "oh-my-pi")}
NAMED = [case for case in ALONE if case.agent in SAYING and (case.agent, case.name) not in UNSAID]


@pytest.mark.parametrize("case", NAMED, ids=lambda case: f"{case.agent}-{case.name}")
def test_a_file_that_says_its_session_may_be_called_anything(case: Case, tmp_path: Path) -> None:
    """What was imported where its agent keeps it is not imported again from a copy of another name."""
    home = case.laid_out(tmp_path / "home")
    (tmp_path / "copies").mkdir()
    for number, source in enumerate(sources(case, home)):
        shutil.copy2(source.path, tmp_path / "copies" / f"copy-{number}{source.path.suffix}")
    with Memory.open(tmp_path / "memory", user_home=home) as memory:
        memory.import_transcripts()
        report = memory.import_transcripts(at=tmp_path / "copies")

    assert report.found
    assert report.messages == 0


def test_a_task_of_a_sub_agent_alone_is_nobodys_word(tmp_path: Path) -> None:
    """A file that says it is a sub-agent's is one, though what started it does not lie beside it."""
    path = tmp_path / "agent_7.messages.json"
    path.write_text('{"sessionId": "1772", "agent": "subagent", "messages": [{"role": "user", "content": "Go on"}]}')

    [source] = transcripts_at(path, [])

    assert (source.session, source.parent, source.relation) == ("1772__agent_7", "1772", Relation.SUBAGENT)


@pytest.mark.parametrize("agent", ["specstory", "cursor"])
def test_a_copy_may_lie_where_no_folders_are_around_it(
    agent: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file in the first folder of a disk is read as any other, and belongs to no project."""
    case = next(case for case in ALONE if case.agent == agent)
    source = next(each for each in sources(case, case.laid_out(tmp_path / "home")) if each.session)
    copy = Path(f"copy{source.path.suffix}")
    shutil.copy2(source.path, tmp_path / copy)
    monkeypatch.chdir(tmp_path)

    items = list(case.adapter.read(Source(adapter=agent, path=copy, session="copy", is_log=False), Place()))

    assert any(isinstance(item, Said) for item in items)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.jsonl", '{"type": [], "payload": 1}'),
        ("b.jsonl", '{"kind": {}, "data": 1}'),
        ("c.jsonl", '{"role": [], "message": {}}'),
        ("d.json", '[{"role": {}, "content": ""}]'),
    ],
)
def test_a_record_may_have_anything_where_a_word_is_expected(name: str, text: str, tmp_path: Path) -> None:
    """A list or an object there is no agent's, and stops nothing."""
    path = tmp_path / name
    path.write_text(text)

    assert agent_of(path) == ""


@pytest.mark.parametrize(
    ("name", "begins", "size", "agent"),
    [
        ("conversations.json", '[{"mapping": {}, "id": "a"},', LARGEST, "chatgpt"),
        ("rollout.jsonl", '{"type": "session_meta", "payload": {}}\n', LARGEST_LOG, "codex"),
    ],
)
def test_a_file_may_be_larger_than_a_document(name: str, begins: str, size: int, agent: str, tmp_path: Path) -> None:
    """What is read piece by piece may be of any size, so it is known at any size."""
    path = tmp_path / name
    path.write_text(begins)
    os.truncate(path, size + 1)  # a hole, which takes no room

    assert agent_of(path) == agent


def test_folders_may_lie_deeper_than_python_calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever somebody names is looked through to its end."""
    monkeypatch.chdir(tmp_path)
    for _ in range(1200):
        os.mkdir("a")  # noqa: PTH102 (a path to there would be too long)
        os.chdir("a")
    found = list(transcripts_at(tmp_path, []))
    for _ in range(1200):  # who cleans up afterwards does call itself
        os.chdir("..")
        os.rmdir("a")  # noqa: PTH106

    assert found == []


@pytest.mark.parametrize("case", [case for case in cases() if case not in ALONE], ids=str)
def test_what_needs_its_folder_is_not_guessed(case: Case, tmp_path: Path) -> None:
    """A file that does not say whose it is is left out, and not taken for something else."""
    home = case.laid_out(tmp_path / "home")

    assert {agent_of(source.path) for source in sources(case, home) if source.path.is_file()} == {""}


@given(raw=st.binary(max_size=200), ending=st.sampled_from([".jsonl", ".json", ".md", ".db", ".zip", ".txt", ""]))
def test_any_bytes_are_nobodys_or_somebodys(tmp_path_factory: pytest.TempPathFactory, raw: bytes, ending: str) -> None:
    """Whatever stands in a file, nothing is raised but that it cannot be read."""
    path = tmp_path_factory.mktemp("any") / f"file{ending}"
    path.write_bytes(raw)

    try:
        assert agent_of(path) in ["", *(each.name for each in adapters())]
    except OSError:
        assert raw.startswith(b"SQLite format 3\0")


def test_a_folder_of_copies_is_imported_once(tmp_path: Path) -> None:
    """Transcripts of several agents come in by their content, and what was imported from its own place is the same."""
    home, copies = tmp_path / "home", tmp_path / "copies" / "deeper"
    copies.mkdir(parents=True)
    claude = ClaudeTranscript("c0de0001-0000-4000-8000-000000000001").say("Where do sessions live?").save(home)
    codex = CodexTranscript().prompt("Why a cent too much?").save(home)
    (copies / claude.name).write_bytes(claude.read_bytes())
    (copies / "backup of something.jsonl").write_bytes(codex.read_bytes())
    (copies / "shopping.json").write_text('{"milk": 2}')
    with Memory.open(tmp_path / "memory", user_home=home) as memory:
        named = memory.import_transcripts(at=tmp_path / "copies")
        again = memory.import_transcripts(at=tmp_path / "copies")
        usual = memory.import_transcripts()

    assert (named.found, dict(named.by_agent)) == (2, {"claude-code": 1, "codex": 1})
    assert (again.messages, again.unchanged, usual.messages) == (0, 2, 0)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    """It is said which, and all others come in."""
    (tmp_path / "broken.db").write_bytes(b"SQLite format 3\0" + b"?" * 100)
    ClaudeTranscript("c0de0001-0000-4000-8000-000000000001").say("Where do sessions live?").save(tmp_path)
    with Memory.open(tmp_path / "memory", user_home=tmp_path / "nobody") as memory:
        report = memory.import_transcripts(at=tmp_path)

    assert report.messages == 1
    assert [problem.partition(": ")[0] for problem in report.problems] == [str(tmp_path / "broken.db")]


@pytest.mark.parametrize(
    ("name", "text", "session"),
    [
        ("a.jsonl", '{"session_id": "s1", "type": "userpromptsubmitted", "prompt": "Hello"}', "s1"),
        ("b.jsonl", '{"session_id": "s2", "type": "assistantresponse", "result": "Hello"}', "s2"),
        ("c.json", '{"history": [{"role": "human", "content": "Hello"}], "workspacePath": "/srv"}', "c"),
    ],
)
def test_early_files_of_copilot_are_known(name: str, text: str, session: str, tmp_path: Path) -> None:
    """What its first versions wrote has other names for the same."""
    (tmp_path / name).write_text(text + "\n")

    [source] = transcripts_at(tmp_path / name, [])

    assert (source.adapter, source.session) == ("copilot-cli", session)
