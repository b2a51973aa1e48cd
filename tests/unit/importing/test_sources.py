"""Which agents were ever seen on this machine, and what came of their transcripts."""

from pathlib import Path

from noctuary.app import Memory
from noctuary.health import Checked, Finding
from noctuary.importing.sources import AgentSources, folders_of
from noctuary.records import Message, Role, Session
from noctuary.testing import ClaudeTranscript, CodexTranscript
from tests.unit.importing.machine import age, open_memory


def agent(memory: Memory, name: str) -> AgentSources:
    return next(each for each in memory.sources().agents if each.agent == name)


def formats(memory: Memory) -> Checked:
    return next(check for check in memory.doctor().checks if check.name == "formats")


def test_agents_are_listed_with_what_came_of_them(memory: Memory, home: Path) -> None:
    """Sessions, messages, transcripts and where they are, of each agent; those that were never seen by name."""
    ClaudeTranscript("s-1").say("One.").reply("Two.").save(home)
    ClaudeTranscript("s-2", cwd="/elsewhere").say("Three.").save(home)
    memory.import_transcripts()

    found = memory.sources()

    assert [each.agent for each in found.agents] == ["claude-code"]
    one = found.agents[0]
    assert (one.sessions, one.messages, one.transcripts, one.read, one.parsed, one.told) == (2, 3, 2, 2, 2, 3)
    assert (one.skipped, one.unknown, one.new_fields, one.unparsed) == (0, 0, 0, [])
    assert one.folders == [str(home / ".claude" / "projects")]
    assert one.last_ms == memory.sessions()[0].last_ms
    assert "codex" in found.not_found
    assert found.drift == []


def test_transcripts_that_were_never_imported_are_found(memory: Memory, home: Path) -> None:
    """What is there is counted before it is read."""
    CodexTranscript().prompt("One.").save(home)

    one = agent(memory, "codex")

    assert (one.transcripts, one.read, one.sessions, one.last_ms) == (1, 0, 0, None)


def test_an_agent_that_is_gone_stays_listed(memory: Memory, home: Path) -> None:
    """Counts persist: what was read stays counted when its transcripts are deleted."""
    ClaudeTranscript("s-1").say("One.").note("hologram").save(home).unlink()
    path = ClaudeTranscript("s-2").say("One.").note("hologram").save(home)
    memory.import_transcripts()
    path.unlink()

    one = agent(memory, "claude-code")

    assert (one.transcripts, one.read, one.parsed, one.unknown, one.messages) == (0, 1, 1, 1, 1)
    assert one.folders == [str(path.parent)]


def test_drift_names_what_was_new_and_where(memory: Memory, home: Path) -> None:
    """Types and fields that no adapter knows, how often, when and on which line of the newest transcript."""
    older = age(ClaudeTranscript("s-1").say("One.").note("hologram").note("hologram").save(home), days=9)
    newer = age(ClaudeTranscript("s-2").note("aura").note("hologram").say("Two.").save(home), days=2)
    memory.import_transcripts()

    hologram, aura = memory.sources().drift

    assert (hologram.agent, hologram.what, hologram.name, hologram.times) == ("claude-code", "type", "hologram", 3)
    assert hologram.first_ms == older.stat().st_mtime_ns // 1_000_000
    assert hologram.last_ms == newer.stat().st_mtime_ns // 1_000_000
    assert hologram.example == f"{newer}:2"
    assert (aura.name, aura.times, aura.example) == ("aura", 1, f"{newer}:1")


def test_a_log_that_grows_is_counted_on(memory: Memory, home: Path) -> None:
    """What is read in two pieces is counted as if it had been read at once; importing again counts nothing twice."""
    growing = ClaudeTranscript("s-1").say("One.").note("hologram")
    growing.save(home)
    memory.import_transcripts()
    path = growing.note("hologram").note("aura").reply("Two.").save(home)
    path.write_text(path.read_text() + "{oops\n")
    memory.import_transcripts()
    memory.import_transcripts()

    one = agent(memory, "claude-code")

    assert (one.told, one.unknown, one.skipped) == (2, 3, 1)
    assert {each.name: each.times for each in memory.sources().drift} == {"hologram": 2, "aura": 1}


def test_a_log_that_was_rewritten_is_counted_anew(memory: Memory, home: Path) -> None:
    """What is not in the file any more is not told of it."""
    ClaudeTranscript("s-1").say("One.").note("hologram").save(home)
    memory.import_transcripts()
    ClaudeTranscript("s-1").say("Another beginning.").note("aura").reply("Two.").save(home)
    memory.import_transcripts()

    assert {each.name: each.times for each in memory.sources().drift} == {"aura": 1}
    assert agent(memory, "claude-code").told == 2


def test_counts_are_kept_when_a_memory_is_closed(tmp_path: Path, home: Path) -> None:
    """They are in the database, not in the process that imported."""
    ClaudeTranscript("s-1").say("One.").note("hologram").save(home)
    with open_memory(tmp_path / "memory", home) as memory:
        memory.import_transcripts()
        before = memory.sources()

    with open_memory(tmp_path / "memory", home) as memory:
        assert memory.sources() == before


def test_sessions_of_programs_are_listed_too(memory: Memory) -> None:
    """An agent that writes to the memory itself has no transcripts, and is seen all the same."""
    memory.add_session(Session(id="s-1", agent="mine"), [Message(Role.USER, "One.")])

    one = agent(memory, "mine")

    assert (one.sessions, one.messages, one.transcripts, one.folders) == (1, 1, 0, [])


def test_doctor_mentions_an_agent_that_mostly_could_not_be_read(memory: Memory, home: Path) -> None:
    """If most transcripts of an agent told nothing though there are records in them, its format has changed."""
    folder = ClaudeTranscript("s-1").say("One.").save(home).parent
    memory.import_transcripts()
    assert formats(memory).finding is Finding.OK

    for name in ("a", "b"):
        (folder / f"{name}.jsonl").write_text('{"type": "hologram"}\n{oops\n')
    memory.import_transcripts()

    check = formats(memory)
    assert check.finding is Finding.WARNING
    assert "2 of 3 transcripts of claude-code" in check.detail
    assert "noctuary sources --drift" in check.detail


def test_folders_are_as_few_as_say_where_to_look() -> None:
    """Files of one agent in two folders of the system are two, in two projects of one folder they are one."""
    home = Path("/home/ana")
    claude = ["/home/ana/.claude/projects/a/1.jsonl", "/home/ana/.claude/projects/b/2.jsonl"]

    assert folders_of([], home) == []
    assert folders_of(claude, home) == ["/home/ana/.claude/projects"]
    assert folders_of([*claude, "/home/ana/.config/claude/projects/c/3.jsonl"], home) == [
        "/home/ana/.claude/projects",
        "/home/ana/.config/claude/projects/c",
    ]
    assert folders_of(["/home/ana/.config/x/a/1", "/home/ana/.config/y/2", "/srv/z/3"], home) == [
        "/home/ana/.config/x/a",
        "/home/ana/.config/y",
        "/srv/z",
    ]
    assert folders_of(["/home/ana/notes.md", "/home/ana/a/b.md"], home) == ["/home/ana"]
    assert folders_of(["C:\\x", "/a/b"], home) == [".", "/a"]
