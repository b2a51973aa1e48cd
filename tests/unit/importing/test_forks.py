"""What a fork or a resumed session repeats of its parent is stored once, and the child stays linked to it."""

import json
from pathlib import Path

import pytest

from noctuary.app import Memory
from noctuary.forgetting import Forgotten
from noctuary.importing.batch import MOST_MESSAGES
from noctuary.records import Relation
from noctuary.testing import ClaudeTranscript, CodexTranscript, write_lines
from tests.unit.importing.machine import age, everything, resume, said, stored

pytestmark = pytest.mark.slow

PARENT, CHILD, GRANDCHILD = (f"019c9b17-0000-7000-8000-00000000000{n}" for n in (1, 2, 3))
Family = tuple[Path, Path]


def codex_family(home: Path) -> Family:
    """A parent that went on after it was forked, and its fork."""
    parent = CodexTranscript(PARENT).prompt("Where do sessions live?").reply("In Redis.")
    child = parent.fork(CHILD).prompt("Try SQLite.").reply("It works.")
    parent.prompt("Keep Redis.").reply("Kept.")
    return parent.save(home), child.save(home)


def claude_family(home: Path) -> Family:
    """A parent that went on after it was resumed elsewhere, and the session that resumed it."""
    parent = ClaudeTranscript(PARENT).say("Where do sessions live?").reply("In Redis.")
    child = resume(parent, CHILD).say("Try SQLite.").reply("It works.")
    parent.say("Keep Redis.").reply("Kept.")
    return parent.save(home), child.save(home)


FAMILIES = {"claude": claude_family, "codex": codex_family}
WHOLE = ["Where do sessions live?", "In Redis.", "Keep Redis.", "Kept."]
TAIL = ["Try SQLite.", "It works."]


@pytest.mark.parametrize("agent", FAMILIES)
@pytest.mark.parametrize("older", ["parent", "child"])
def test_prefix_is_stored_once(memory: Memory, home: Path, agent: str, older: str) -> None:
    """Whichever file is older, the parent has the whole conversation and the child only what is its own."""
    parent, child = FAMILIES[agent](home)
    age(parent, days=2 if older == "parent" else 1)
    age(child, days=1 if older == "parent" else 2)

    report = memory.import_transcripts()

    assert said(memory, PARENT) == WHOLE
    assert said(memory, CHILD) == TAIL
    assert memory.session(CHILD).parent == PARENT
    assert (report.messages, report.repeated, report.new) == (6, 2, 2)


@pytest.mark.parametrize("agent", FAMILIES)
def test_parent_imported_before(memory: Memory, home: Path, agent: str) -> None:
    """A child that appears later repeats nothing either, even if its parent's file is gone by then."""
    parent, child = FAMILIES[agent](home)
    hidden = child.rename(home / "child")
    memory.import_transcripts()
    hidden.rename(child)
    parent.unlink()

    memory.import_transcripts()

    assert said(memory, PARENT) == WHOLE
    assert said(memory, CHILD) == TAIL
    assert memory.session(CHILD).parent == PARENT


@pytest.mark.parametrize("agent", FAMILIES)
def test_parent_never_seen(memory: Memory, home: Path, agent: str) -> None:
    """A child whose parent was deleted before anybody imported it has the whole conversation."""
    parent, _ = FAMILIES[agent](home)
    parent.unlink()

    memory.import_transcripts()

    assert said(memory, CHILD) == WHOLE[:2] + TAIL
    assert memory.session(CHILD).parent == PARENT


@pytest.mark.parametrize("agent", FAMILIES)
def test_forgotten_parent(memory: Memory, home: Path, agent: str) -> None:
    """What was forgotten with a parent does not come back with the copy in its child."""
    _, child = FAMILIES[agent](home)
    hidden = child.rename(home / "child")
    memory.import_transcripts()
    memory.forget(Forgotten(session=PARENT))
    hidden.rename(child)

    report = memory.import_transcripts()

    assert said(memory, CHILD) == TAIL
    assert report.forgotten == 2
    assert report.skipped == {"forgotten": 1}


@pytest.mark.parametrize("agent", FAMILIES)
def test_rewritten_child(memory: Memory, home: Path, agent: str) -> None:
    """A child that is read again from its beginning does not take its parent's part."""
    _, child = FAMILIES[agent](home)
    memory.import_transcripts()
    lines = child.read_text().splitlines(keepends=True)
    child.write_text("\n" + "".join(lines))

    report = memory.import_transcripts()

    assert (report.grown, report.messages) == (1, 0)
    assert said(memory, CHILD) == TAIL


@pytest.mark.parametrize("agent", FAMILIES)
def test_child_that_says_nothing_yet(memory: Memory, home: Path, agent: str) -> None:
    """A child that so far only repeats its parent is not shown; once it speaks, it is known whose child it is."""
    _, child = FAMILIES[agent](home)
    lines = child.read_text().splitlines(keepends=True)
    ends = {"claude": 2, "codex": 7}[agent]
    child.write_text("".join(lines[:ends]))
    memory.import_transcripts()
    assert [session.id for session in memory.sessions()] == [PARENT]
    child.write_text("".join(lines))

    memory.import_transcripts()

    found = memory.session(CHILD)
    assert said(memory, CHILD) == TAIL
    assert (found.parent, found.cwd, found.title) == (PARENT, "/home/ana/code/shop", "Where do sessions live?")


@pytest.mark.parametrize("agent", FAMILIES)
def test_grandchild(memory: Memory, home: Path, agent: str) -> None:
    """A fork of a fork repeats neither its parent nor its parent's parent."""
    if agent == "codex":
        parent = CodexTranscript(PARENT).prompt("One.").reply("1")
        child = parent.fork(CHILD).prompt("Two.").reply("2")
        files = [parent.save(home), child.save(home), child.fork(GRANDCHILD).prompt("Three.").save(home)]
    else:
        first = ClaudeTranscript(PARENT).say("One.").reply("1")
        second = resume(first, CHILD).say("Two.").reply("2")
        files = [first.save(home), second.save(home), resume(second, GRANDCHILD).say("Three.").save(home)]
    for days, path in enumerate(reversed(files)):
        age(path, days)

    memory.import_transcripts()

    assert said(memory, PARENT) == ["One.", "1"]
    assert said(memory, CHILD) == ["Two.", "2"]
    assert said(memory, GRANDCHILD) == ["Three."]


@pytest.mark.parametrize("agent", FAMILIES)
def test_prefix_longer_than_a_batch(memory: Memory, home: Path, agent: str) -> None:
    """A prefix of any length is recognised to its end."""
    turns = [f"Turn {turn}." for turn in range(MOST_MESSAGES + 300)]
    if agent == "codex":
        parent = CodexTranscript(PARENT)
        for turn in turns:
            parent.prompt(turn)
        parent.save(home)
        parent.fork(CHILD).prompt("My own.").save(home)
    else:
        first = ClaudeTranscript(PARENT)
        for turn in turns:
            first.say(turn)
        first.save(home)
        resume(first, CHILD).say("My own.").save(home)

    report = memory.import_transcripts()

    assert (report.messages, report.repeated) == (len(turns) + 1, len(turns))
    assert said(memory, CHILD) == ["My own."]
    assert memory.session(CHILD).parent == PARENT


def test_declared_fork_of_claude(memory: Memory, home: Path) -> None:
    """A branch of Claude Code says itself what it was forked from."""
    parent = ClaudeTranscript("s-1").say("One way?").reply("Perhaps.")
    child = resume(parent, "s-2")
    for record in child.records:
        record |= {"sessionId": "s-2", "forkedFrom": {"sessionId": "s-1", "messageUuid": record["uuid"]}}
    parent.save(home)
    child.say("Another way.").save(home)

    memory.import_transcripts()

    assert said(memory, "s-2") == ["Another way."]
    assert (memory.session("s-2").parent, memory.session("s-2").relation) == ("s-1", Relation.FORK)


def test_unrelated_sessions_with_the_same_prompt(memory: Memory, home: Path) -> None:
    """Codex names no entries, so equal beginnings of sessions that are no relatives are both kept whole."""
    for session in (PARENT, CHILD):
        CodexTranscript(session).prompt("Fix the tests.").reply("Which?").prompt(f"Those of {session}.").save(home)

    report = memory.import_transcripts()

    assert (report.messages, report.repeated) == (6, 0)
    assert said(memory, PARENT)[:2] == said(memory, CHILD)[:2] == ["Fix the tests.", "Which?"]


def test_unrelated_session_after_forgetting(memory: Memory, home: Path) -> None:
    """Forgetting a session takes nothing from another that happens to begin with the same words."""
    CodexTranscript(PARENT).prompt("Fix the tests.").reply("Which?").save(home)
    memory.import_transcripts()
    memory.forget(Forgotten(session=PARENT))
    CodexTranscript(CHILD).prompt("Fix the tests.").reply("Which?").save(home)

    memory.import_transcripts()

    assert said(memory, CHILD) == ["Fix the tests.", "Which?"]


def test_parents_in_a_circle(memory: Memory, home: Path) -> None:
    """Sessions that name each other as parents are imported all the same."""
    for session, parent in ((PARENT, CHILD), (CHILD, PARENT)):
        CodexTranscript(session, forked_from_id=parent).prompt(f"I am {session}.").save(home)

    assert memory.import_transcripts().messages == 2
    assert set(everything(memory)) == {PARENT, CHILD}


def test_long_line_of_forks(memory: Memory, home: Path) -> None:
    """However many forks of forks there are, none exhausts the importer."""
    ids = [f"019c9b17-0000-7000-8000-{number:012}" for number in range(300)]
    for number, session in enumerate(ids):
        child = CodexTranscript(session, forked_from_id=ids[number - 1] if number else None)
        age(child.prompt(f"Turn {number}.").save(home), days=number)

    assert memory.import_transcripts().messages == 300


def test_grown_child_keeps_its_place(memory: Memory, home: Path) -> None:
    """What a child says in a later import is its own."""
    parent = CodexTranscript(PARENT).prompt("One.").reply("1")
    child = parent.fork(CHILD).prompt("Two.")
    parent.save(home)
    path = child.save(home)
    memory.import_transcripts()
    known = len(child.records)
    child.reply("2")
    with path.open("a", encoding="utf-8") as file:
        file.writelines(json.dumps(record) + "\n" for record in child.records[known:])

    assert memory.import_transcripts().messages == 1
    assert said(memory, CHILD) == ["Two.", "2"]
    assert [m.id for m in stored(memory, CHILD)] == [1, 2]


def test_second_file_of_one_session(memory: Memory, home: Path) -> None:
    """Two files of one session, as in a backed-up folder, make one session without doubles."""
    transcript = ClaudeTranscript("s-1").say("One.").reply("1")
    first = transcript.save(home)
    write_lines(home / ".claude" / "projects" / "copy" / first.name, transcript.say("Two.").records)

    memory.import_transcripts()

    assert said(memory, "s-1") == ["One.", "1", "Two."]
