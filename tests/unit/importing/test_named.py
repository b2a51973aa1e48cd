"""Transcripts that somebody names: found as a search for all would find them, and nothing else is."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noctuary.importing.named import find_named, unread_bytes
from noctuary.importing.run import discover
from noctuary.settings import Settings
from noctuary.testing import ClaudeTranscript, CodexTranscript, write_lines
from tests.unit.importing.machine import OWNER, open_memory

SAMPLES = Path(__file__).parents[3] / "samples" / "home"
ONE, TWO = "6f1c1f6e-0000-4000-8000-000000000001", "6f1c1f6e-0000-4000-8000-000000000002"


def settings(home: Path, **environ: str) -> Settings:
    """Of a user with this home folder."""
    return Settings(home / "memory", OWNER, home, environ)


def many(home: Path) -> None:
    """Transcripts of all kinds and at all places, and the names that people gave them."""
    ClaudeTranscript(ONE).say("one").save(home)
    ClaudeTranscript(ONE, agent="a1").say("of one").save(home)
    ClaudeTranscript(ONE, agent="a2").say("of one, too").save(home)
    ClaudeTranscript(TWO, cwd="/home/ana/code/till").say("two").save(home)
    write_lines(home / ".claude" / "transcripts" / "loose.jsonl", ClaudeTranscript("loose").say("loose").records)
    write_lines(home / ".config" / "claude" / "projects" / "p" / "x.jsonl", ClaudeTranscript("x").say("x").records)
    rollout = CodexTranscript().prompt("three").save(home)
    archived = home / ".codex" / "archived_sessions" / f"rollout-2026-01-01T00-00-00-{TWO}.jsonl"
    write_lines(archived, CodexTranscript(TWO).prompt("four").records)
    session = rollout.stem[-36:]
    write_lines(home / ".codex" / "session_index.jsonl", [{"id": session, "thread_name": "A name"}])
    sidecar = home / ".config" / "Claude" / "claude-code-sessions" / "s.json"
    write_lines(sidecar, [{"sessionId": ONE, "title": "A title"}])


def test_every_transcript_can_be_named_by_its_path(home: Path) -> None:
    """And is what it is when all are looked for: the same session, parent and title."""
    many(home)
    every = discover(settings(home))

    assert len(every) == 8
    for source in every:
        assert source in find_named(settings(home), [str(source.path)])
    assert find_named(settings(home), [str(source.path) for source in every]) == every


def test_the_samples_can_be_named() -> None:
    """Real transcripts, at the places where agents left them."""
    every = discover(settings(SAMPLES))

    assert every
    assert all(source in find_named(settings(SAMPLES), [str(source.path)]) for source in every)


def test_with_a_session_come_its_agents(home: Path) -> None:
    """By its path and by its id; what an agent of it did is named alone by its own path."""
    many(home)
    [main] = [source.path for source in discover(settings(home)) if source.session == ONE]
    named = find_named(settings(home), [str(main)])

    assert [source.session for source in named] == [ONE, "agent-a1", "agent-a2"]
    assert find_named(settings(home), [], [ONE]) == named
    assert find_named(settings(home), [str(main)], [ONE]) == named
    assert [source.session for source in find_named(settings(home), [str(named[1].path)])] == ["agent-a1"]


def test_links_lead_to_the_same_transcript(home: Path, tmp_path: Path) -> None:
    """It has the path that it has when all are looked for, or it would be read twice."""
    many(home)
    (tmp_path / "link").symlink_to(home)
    for source in discover(settings(home)):
        named = find_named(settings(home), [str(tmp_path / "link" / source.path.relative_to(home))])

        assert source.path in [each.path for each in named]


def test_agents_may_keep_them_elsewhere(tmp_path: Path) -> None:
    """Where their own variables say; then what lies at the usual place is none of theirs."""
    claude = ClaudeTranscript(ONE).say("one").save(tmp_path / "a")
    codex = CodexTranscript().prompt("two").save(tmp_path / "a")
    moved = {"CLAUDE_CONFIG_DIR": str(tmp_path / "a" / ".claude"), "CODEX_HOME": str(tmp_path / "a" / ".codex")}
    paths = [str(claude), str(codex)]

    assert len(find_named(settings(tmp_path / "b", **moved), paths)) == 2
    assert find_named(settings(tmp_path / "b"), paths) == []
    assert find_named(settings(tmp_path / "a", **{name: str(tmp_path) for name in moved}), paths) == []


@pytest.mark.parametrize(
    "path",
    [
        ".claude/settings.json",
        ".claude/projects/p/notes.txt",
        ".claude/projects/p",
        ".claude/projects/p/q/x.jsonl",
        ".claude/projects/x.jsonl",
        ".claude/other/p/x.jsonl",
        ".claude/projects/../../secret.jsonl",
        ".claude/projects/p/missing.jsonl",
        ".codex/auth.json",
        ".codex/history.jsonl",
        ".codex/sessions/notes.jsonl",
        ".codex/archived_sessions/2026/rollout-x.jsonl",
        "secret.jsonl",
    ],
)
def test_what_is_no_transcript_cannot_be_named(home: Path, path: str) -> None:
    """Though it is there, and lies in a folder of an agent."""
    many(home)
    if "missing" not in path and not (home / path).is_dir():
        write_lines(home / path, [{"type": "user", "message": {"role": "user", "content": "secret"}}])

    assert find_named(settings(home), [str(home / path)]) == []


@given(st.text(max_size=40))
def test_any_text_can_be_given_as_a_path(path: str) -> None:
    """It is passed over."""
    assert find_named(settings(SAMPLES), [path]) == []


def test_what_is_unread_is_counted(home: Path, tmp_path: Path) -> None:
    """Of a transcript that grew, what was added; of one that is gone, nothing."""
    transcript = ClaudeTranscript(ONE).say("one")
    path = transcript.save(home)
    with open_memory(tmp_path / "memory", home) as memory:
        sources = find_named(memory.settings, [str(path)])
        whole = unread_bytes(memory.store, OWNER, sources)
        memory.import_transcripts()
        assert (whole, unread_bytes(memory.store, OWNER, sources)) == (path.stat().st_size, 0)
        transcript.say("more").save(home)
        assert unread_bytes(memory.store, OWNER, sources) == path.stat().st_size - whole
        path.unlink()
        assert unread_bytes(memory.store, OWNER, sources) == 0
