"""Which transcripts an import finds, and what it learns from where they lie."""

import json
from pathlib import Path

from noctuary.app import Memory
from noctuary.records import Relation, TitleSource
from noctuary.testing import ClaudeTranscript, CodexTranscript, write_lines
from tests.unit.importing.machine import accounted, open_memory, said, stored


def test_claude_projects(memory: Memory, home: Path) -> None:
    """Every session of every project of Claude Code is imported."""
    ClaudeTranscript("s-1", cwd="/home/ana/shop").say("Sell apples.").save(home)
    ClaudeTranscript("s-2", cwd="/home/ana/bank").say("Count coins.").save(home)

    report = memory.import_transcripts()

    assert (report.found, report.new, report.sessions, report.messages) == (2, 2, 2, 2)
    assert report.by_agent == {"claude-code": 2}
    assert said(memory, "s-1") == ["Sell apples."]
    assert memory.session("s-2").agent == "claude-code"
    assert memory.session("s-2").cwd == "/home/ana/bank"


def test_sub_agent_in_its_folder(memory: Memory, home: Path) -> None:
    """A sub-agent's own file is a session of its own, linked to the session that started it."""
    ClaudeTranscript("main").say("Find the leak.").save(home)
    ClaudeTranscript("main", agent="a1").say("Look at cache.py.").reply("It never evicts.").save(home)

    memory.import_transcripts()

    found = memory.session("agent-a1")
    assert (found.parent, found.relation) == ("main", Relation.SUBAGENT)
    assert said(memory, "agent-a1") == ["Look at cache.py.", "It never evicts."]
    assert said(memory, "main") == ["Find the leak."]


def test_sidechain_inside_a_file(memory: Memory, home: Path) -> None:
    """What a sub-agent did inside its parent's file is a session of its own, not part of the parent's."""
    talk = ClaudeTranscript("main").say("Find the leak.")
    talk.say("Look at cache.py.", isSidechain=True, agentId="x").reply("No eviction.", isSidechain=True, agentId="x")
    talk.reply("The cache leaks.").save(home)

    memory.import_transcripts()

    assert said(memory, "main") == ["Find the leak.", "The cache leaks."]
    assert said(memory, "main/x") == ["Look at cache.py.", "No eviction."]
    assert memory.session("main/x").parent == "main"


def test_desktop_sidecar_title(memory: Memory, home: Path) -> None:
    """A title given in the desktop application, which keeps it beside the transcripts, names the session."""
    ClaudeTranscript("s-1").say("hi, it leaks").save(home)
    sidecar = home / ".config/Claude/claude-code-sessions/a/b/local_1.json"
    sidecar.parent.mkdir(parents=True)
    sidecar.write_text(json.dumps({"sessionId": "local_1", "cliSessionId": "s-1", "title": "The great leak"}))

    memory.import_transcripts()

    assert (memory.session("s-1").title, memory.session("s-1").title_source) == ("The great leak", TitleSource.GIVEN)
    assert [hit.session.id for hit in memory.search("great leak").hits] == ["s-1"]


def test_codex_sessions_archive_and_index(memory: Memory, home: Path) -> None:
    """Codex's rollouts are found by date and in the archive, and are called as its index calls them."""
    live = CodexTranscript("019c9b17-0000-7000-8000-000000000001").prompt("Ship it.")
    old = CodexTranscript("019c9b17-0000-7000-8000-000000000002").prompt("Archive me.")
    live.save(home)
    archive = home / ".codex" / "archived_sessions" / old.save(home / "elsewhere").name
    write_lines(archive, old.records)
    write_lines(home / ".codex" / "session_index.jsonl", [{"id": live.session, "thread_name": "Shipping"}])

    report = memory.import_transcripts()

    assert (report.new, report.by_agent) == (2, {"codex": 2})
    assert memory.session(live.session).title == "Shipping"
    assert said(memory, old.session) == ["Archive me."]


def test_moved_to_the_archive(memory: Memory, home: Path) -> None:
    """A rollout that Codex moved to its archive is the same session, and nothing of it is stored again."""
    path = CodexTranscript().prompt("Ship it.").reply("Shipped.").save(home)
    memory.import_transcripts()
    archive = home / ".codex" / "archived_sessions"
    archive.mkdir()
    path.rename(archive / path.name)

    assert memory.import_transcripts().messages == 0
    assert memory.status().messages == 2


def test_codex_fork(memory: Memory, home: Path) -> None:
    """A fork is linked to the session it was forked from."""
    parent = CodexTranscript("019c9b17-0000-7000-8000-000000000001").prompt("Try SQLite.").reply("Works.")
    child = parent.fork("019c9b17-0000-7000-8000-000000000002").prompt("Now PostgreSQL.")
    parent.save(home)
    child.save(home)

    memory.import_transcripts()

    found = memory.session(child.session)
    assert (found.parent, found.relation) == (parent.session, Relation.FORK)


def test_one_transcript_through_a_link(memory: Memory, home: Path) -> None:
    """A transcript that is also reached through a link is read once."""
    path = ClaudeTranscript("s-1").say("Once is enough.").save(home)
    (path.parent / "again.jsonl").symlink_to(path)
    (home / ".claude" / "projects" / "linked").symlink_to(path.parent, target_is_directory=True)

    report = memory.import_transcripts()

    assert (report.found, report.messages) == (1, 1)


def test_name_that_is_no_utf_8(memory: Memory, home: Path) -> None:
    """A file whose name is no text is imported like any other, and so is its neighbour."""
    first = ClaudeTranscript("s-1").say("One.").save(home)
    (first.parent / "s-\udcff.jsonl").write_bytes(first.read_bytes().replace(b"One.", b"Two.").replace(b"s-1", b"s-2"))
    (first.parent / "s-\udcfe.jsonl").write_bytes(b"{broken\n")

    report = memory.import_transcripts()

    assert report.found == accounted(report) == 3
    assert {session.preview for session in memory.sessions()} == {"One."} | {
        message.content for message in stored(memory, "s-\\udcff")
    }
    assert all(problem.encode() for problem in report.problems)
    assert memory.import_transcripts().unchanged == 3
    assert memory.doctor().is_healthy


def test_owners_do_not_share(tmp_path: Path, home: Path) -> None:
    """Two owners who import the same transcripts into one database each have all of them."""
    ClaudeTranscript("s-1").say("Mine and yours.").reply("Both.").save(home)
    CodexTranscript().prompt("Ours too.").save(home)

    for owner in ("ana", "Ana"):
        with open_memory(tmp_path / "memory", home, owner) as memory:
            assert memory.import_transcripts().messages == 3
            assert said(memory, "s-1") == ["Mine and yours.", "Both."]
