"""Where transcripts are found: each once, in order, whatever is in the way."""

import json
from pathlib import Path

import pytest

from noctuary.records import Relation
from noctuary.testing import ClaudeTranscript, CodexTranscript, write_lines
from noctuary.transcripts.claude_code import ClaudeCode
from noctuary.transcripts.codex import Codex
from noctuary.transcripts.items import Source


def found(home: Path, **environ: str) -> list[str]:
    return [source.session for source in ClaudeCode().find(home, environ)]


def test_nothing_is_found_in_an_empty_home(tmp_path: Path) -> None:
    """Not having an agent is no error."""
    assert found(tmp_path) == []
    assert list(Codex().find(tmp_path, {})) == []


def test_sessions_and_sub_agents_are_found(tmp_path: Path) -> None:
    """A sub-agent knows its parent by the folder it is in."""
    main = ClaudeTranscript("aaaa").say("x").save(tmp_path)
    agent = ClaudeTranscript("aaaa", agent="b1").say("x").save(tmp_path)
    (main.parent / "notes.txt").write_text("not a transcript")

    sources = {source.session: source for source in ClaudeCode().find(tmp_path, {})}

    assert sources == {
        "aaaa": Source(adapter="claude-code", path=main, session="aaaa"),
        "agent-b1": Source(
            adapter="claude-code",
            path=agent,
            session="agent-b1",
            parent="aaaa",
            relation=Relation.SUBAGENT,
        ),
    }


def test_every_folder_of_claude_is_looked_into(tmp_path: Path) -> None:
    """The folder in the home, the one for configuration, and loose transcripts."""
    record = [{"type": "user"}]
    write_lines(tmp_path / ".claude/projects/p/one.jsonl", record)
    write_lines(tmp_path / ".claude/transcripts/two.jsonl", record)
    write_lines(tmp_path / ".config/claude/projects/p/three.jsonl", record)
    write_lines(tmp_path / ".claude/projects/p/one/subagents/workflow/deep.jsonl", record)

    assert found(tmp_path) == ["one", "deep", "two", "three"]


def test_configured_folders_replace_the_usual_ones(tmp_path: Path) -> None:
    """There may be several, with commas between, and a tilde is the home."""
    write_lines(tmp_path / ".claude/projects/p/no.jsonl", [])
    write_lines(tmp_path / "a/projects/p/one.jsonl", [])
    write_lines(tmp_path / "b/projects/p/two.jsonl", [])

    assert found(tmp_path, CLAUDE_CONFIG_DIR=f"{tmp_path}/a, ~/b,") == ["one", "two"]


def test_links_and_overlaps_give_each_file_once(tmp_path: Path) -> None:
    """Neither a linked folder nor a circle of links tells anything twice."""
    write_lines(tmp_path / ".claude/projects/p/one.jsonl", [])
    write_lines(tmp_path / ".claude/projects/p/one/subagents/agent-1.jsonl", [])
    (tmp_path / ".claude/projects/q").symlink_to(tmp_path / ".claude/projects/p")
    (tmp_path / ".claude/projects/p/one/subagents/loop").symlink_to(tmp_path / ".claude/projects/p/one")
    (tmp_path / ".claude/projects/p/gone.jsonl").symlink_to(tmp_path / "nowhere")

    assert found(tmp_path) == ["one", "agent-1"]


def test_unreadable_folder_is_passed_over(tmp_path: Path) -> None:
    """A file where a folder should be stands for whatever cannot be listed."""
    write_lines(tmp_path / ".claude/projects/p/one.jsonl", [])
    (tmp_path / ".claude/projects/a-file").write_text("")
    (tmp_path / ".claude/projects/p/two").mkdir()
    (tmp_path / ".claude/projects/p/two/subagents").write_text("")

    assert found(tmp_path) == ["one"]


@pytest.mark.parametrize("root", ["Library/Application Support/Claude", ".config/Claude"])
def test_title_from_the_desktop_application(tmp_path: Path, root: str) -> None:
    """Its files beside the transcripts name the sessions; a broken one does no harm."""
    ClaudeTranscript("aaaa").say("x").save(tmp_path)
    folder = tmp_path / root / "claude-code-sessions" / "x"
    folder.mkdir(parents=True)
    (folder / "local_1.json").write_text(json.dumps({"cliSessionId": "aaaa", "title": " No Redis "}))
    (folder / "local_2.json").write_text("{")
    (folder / "local_3.json").write_text("[" * 100_000)
    (folder / "local_4.json").write_text('{"title": 5, "sessionId": []}')

    assert [source.title for source in ClaudeCode().find(tmp_path, {})] == ["No Redis"]


def test_rollouts_are_found_with_the_names_of_their_threads(tmp_path: Path) -> None:
    """Archived ones too; the last line of the index counts."""
    first = CodexTranscript("019c9b17-0000-7000-8000-000000000001").prompt("x").save(tmp_path)
    second = CodexTranscript("019c9b17-0000-7000-8000-000000000002").prompt("x").save(tmp_path)
    archive = tmp_path / ".codex" / "archived_sessions"
    archive.mkdir()
    second.rename(archive / second.name)
    (first.parent / "other.jsonl").write_text("")
    write_lines(
        tmp_path / ".codex" / "session_index.jsonl",
        [
            {"id": "019c9b17-0000-7000-8000-000000000001", "thread_name": "Old name"},
            {"id": "019c9b17-0000-7000-8000-000000000001", "thread_name": "New name"},
            {"id": 5},
        ],
    )

    assert [(source.session[-1], source.title) for source in Codex().find(tmp_path, {})] == [
        ("1", "New name"),
        ("2", None),
    ]


def test_codex_home_can_be_elsewhere(tmp_path: Path) -> None:
    """As the environment says."""
    write_lines(tmp_path / "cx/sessions/rollout-x.jsonl", [])

    assert [source.session for source in Codex().find(tmp_path, {"CODEX_HOME": "~/cx"})] == ["rollout-x"]
