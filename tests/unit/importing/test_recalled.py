"""What we told an agent comes back in its transcript: it is kept there, and never found or read again."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from noctuary.app import Memory
from noctuary.fences import fenced
from noctuary.importing.our_answers import is_ours
from noctuary.records import Hidden, Kind, Message, Role, Session
from noctuary.testing import ClaudeTranscript, CodexTranscript, write_lines
from tests.unit.importing.machine import finds, indexed, said, stored

pytestmark = pytest.mark.slow

RULE = "Every marmot burrow is dug with a spade."
BRIEF = fenced(f"## Rules that the user stated or approved\n- {RULE} (2026-02-26) [m-9k2x4z7abc]")
UNMARKED = f"- {RULE} (2026-02-26) [m-9k2x4z7abc]"
HOOK = "SessionStart hook additional context: "


def attached(content: object, **more: object) -> dict[str, object]:
    return {"type": "hook_additional_context", "content": content, "hookEvent": "SessionStart", **more}


def claude() -> ClaudeTranscript:
    return ClaudeTranscript("s-1")


TOLD: dict[str, Callable[[], ClaudeTranscript | CodexTranscript]] = {
    "attached by a hook": lambda: claude().link("attachment", attachment=attached([BRIEF])).say("Dig."),
    "attached as it was printed": lambda: (
        claude()
        .link("attachment", attachment={"type": "hook_success", "content": "", "stdout": json.dumps({"a": BRIEF})})
        .say("Dig.")
    ),
    "a reminder": lambda: claude().say(f"<system-reminder>\n{HOOK}{BRIEF}\n</system-reminder>").say("Dig."),
    "before a prompt": lambda: claude().say(f"{BRIEF}\nDig."),
    "a reminder behind a prompt": lambda: claude().say(f"Dig.\n<system-reminder>\n{BRIEF}\n</system-reminder>"),
    "a block of a prompt": lambda: claude().say([{"type": "text", "text": BRIEF}, {"type": "text", "text": "Dig."}]),
    "a note that nobody typed": lambda: claude().say(BRIEF, isMeta=True).say("Dig."),
    "quoted by the agent": lambda: (
        claude().say("Dig.").reply(f"I was told:\n> {BRIEF.replace(chr(10), chr(10) + '> ')}")
    ),
    "thought": lambda: claude().say("Dig.").think(BRIEF),
    "summed up": lambda: claude().say("Dig.").compact(f"It was said:\n{BRIEF}\nNow go on."),
    "read from a file": lambda: claude().say("Dig.").call("Read", {"file_path": "a.md"}).result(f"1→{BRIEF}"),
    "read from a page of ours": lambda: claude().say("Dig.").call("Read", {"file_path": "a.md"}).result(UNMARKED),
    "written to a file": lambda: claude().say("Dig.").call("Write", {"file_path": "a.md", "content": BRIEF}),
    "given to a sub-agent": lambda: claude().say(f"Look around. {BRIEF}", isSidechain=True).say("Dig."),
    "pasted without marks": lambda: claude().say(f"Dig.\n{UNMARKED}"),
    "Codex: for developers": lambda: (
        CodexTranscript("s-1")
        .item("message", role="developer", content=[{"type": "input_text", "text": BRIEF}])
        .prompt("Dig.")
    ),
    "Codex: in a prompt": lambda: CodexTranscript("s-1").prompt(f"{BRIEF}\n\nDig."),
    "Codex: a hook's context": lambda: CodexTranscript("s-1").prompt(f"<hook_context>\n{BRIEF}\n</hook_context>\nDig."),
    "Codex: a tool of another name": lambda: (
        CodexTranscript("s-1")
        .prompt("Dig.")
        .call("mcp__memory__session_search", {"query": "marmot holes"})
        .result(json.dumps({"content": [{"type": "text", "text": BRIEF}]}))
    ),
    "Codex: without marks": lambda: (
        CodexTranscript("s-1")
        .item("message", role="developer", content=[{"type": "input_text", "text": f"Known: {UNMARKED}"}])
        .prompt("Dig.")
    ),
}


@pytest.mark.parametrize("how", TOLD)
def test_what_we_told_is_never_found(memory: Memory, home: Path, how: str) -> None:
    """Nor is it shown, or part of a title; what was said beside it is, and the transcript is kept whole."""
    TOLD[how]().save(home)

    memory.import_transcripts()

    assert finds(memory, "burrow spade") == []
    assert indexed(memory, "burrow") == []
    shown = [text for session in memory.sessions() for text in said(memory, session.id)]
    assert not [text for text in shown if "burrow" in text]
    assert "Dig." in shown
    kept = [message for session in memory.sessions() for message in stored(memory, session.id)]
    assert [message.hidden for message in kept if "burrow" in message.content] == [Hidden.RECALLED]
    assert memory.doctor().is_healthy


@pytest.mark.parametrize("how", TOLD)
def test_it_is_stored_once(memory: Memory, home: Path, how: str) -> None:
    """Also if a transcript is rewritten and read from its beginning again."""
    path = TOLD[how]().save(home)
    memory.import_transcripts()
    before = {session.id: stored(memory, session.id) for session in memory.sessions()}
    path.write_text(" " + path.read_text())

    memory.import_transcripts()

    after = {session.id: stored(memory, session.id) for session in memory.sessions()}
    assert {name: [m.content for m in found] for name, found in after.items()} == {
        name: [m.content for m in found] for name, found in before.items()
    }


def test_titles_are_what_was_said(memory: Memory, home: Path) -> None:
    """A session is not named after what we told it."""
    ClaudeTranscript("s-1").say(f"{BRIEF}\nDig a hole.").save(home)
    ClaudeTranscript("s-2").say("Hello").note("custom-title", customTitle=f"Holes {BRIEF}").save(home)

    memory.import_transcripts()

    assert [memory.session(name).title for name in ("s-1", "s-2")] == ["Dig a hole.", "Holes"]


def test_what_others_attach_says_nothing(memory: Memory, home: Path) -> None:
    """Context of other hooks is no part of the conversation, as before."""
    claude().link("attachment", attachment=attached(["Run marmot first."])).say("Dig.").save(home)

    memory.import_transcripts()

    assert [message.content for message in stored(memory, "s-1")] == ["Dig."]


WHOLE = "The quokka server keeps its sessions in SQLite, one file an owner, as that is backed up with one copy."
CHANGED = {
    "as it is": WHOLE,
    "broken anew": WHOLE.replace(" ", "\n", 7),
    "escaped": WHOLE.replace(" ", "\\n", 2),
    "shortened": WHOLE.replace("an owner, as that is backed up with one copy.", "an ow…"),
    "with a gap": WHOLE.replace("one file an owner, as that", "… that"),
    "cut within a word": WHOLE.replace("ner, as that is backed up with one copy.", ""),
    "without its beginning": WHOLE.replace("The quokka server keeps its", "…"),
    "in small letters": WHOLE.lower(),
}


@pytest.mark.parametrize("how", CHANGED)
def test_without_any_mark(memory: Memory, home: Path, how: str) -> None:
    """What nobody said is ours if memory holds it, word for word, though tags, ids and bullets are gone."""
    memory.work("/home/ana/code/shop").remember(WHOLE)
    others = "Use a wombat, and look at the tests before you begin. Never push on a Friday, and ask before you delete."
    told = f"{others}\nUser: {CHANGED[how]}\nBe brief, and say what you did and why you did it that way."
    CodexTranscript("s-1").item("message", role="developer", content=[{"type": "input_text", "text": told}]).prompt(
        "Where does the quokka server keep its sessions?"
    ).save(home)

    memory.import_transcripts()

    session = memory.sessions()[0].id
    question = "Where does the quokka server keep its sessions?"
    assert [content for _, content in finds(memory, "quokka server sessions")] == [question]
    assert finds(memory, "SQLite") == finds(memory, "backed") == []
    assert [m.hidden for m in stored(memory, session)] == [Hidden.RECALLED, Hidden.INJECTED, None]
    assert "wombat" in stored(memory, session)[1].content
    assert "Be brief" in stored(memory, session)[1].content


SHOP = "/home/ana/code/shop"
HOLDING: dict[str, Callable[[Memory], object]] = {
    "a memory": lambda memory: memory.work(SHOP).remember(WHOLE),
    "the title of a task": lambda memory: memory.work(SHOP).open_task(WHOLE),
    "a decision": lambda memory: memory.work(SHOP).note("decision", WHOLE),
    "the title of a session": lambda memory: memory.add_session(
        Session("s-0", project=SHOP, title=WHOLE), [Message(Role.USER, "Hello")]
    ),
}


@pytest.mark.parametrize("what", HOLDING)
def test_whatever_a_brief_tells_is_known(memory: Memory, home: Path, what: str) -> None:
    """Briefs tell of memories, of tasks, of what was decided, and of sessions by their titles."""
    HOLDING[what](memory)
    claude().say(f"Before you begin, know this.\n{WHOLE}", isMeta=True).say("Dig.").save(home)

    memory.import_transcripts()

    assert [m.hidden for m in stored(memory, "s-1") if "quokka" in m.content] == [Hidden.RECALLED]


def test_what_is_mostly_ours_is_ours(memory: Memory, home: Path) -> None:
    """The rest of it is pieces that are too small to be known."""
    memory.work("/home/ana/code/shop").remember(WHOLE)
    claude().say(f"{WHOLE}\nThe quo", isMeta=True).say("Dig.").save(home)

    memory.import_transcripts()

    assert [m.hidden for m in stored(memory, "s-1")] == [Hidden.RECALLED, None]


def test_people_may_say_what_memory_holds(memory: Memory, home: Path) -> None:
    """Who says it again means it: only what nobody said is ours without a mark."""
    memory.work("/home/ana/code/shop").remember("The quokka server keeps its sessions in SQLite.")
    claude().say("The quokka server keeps its sessions in SQLite.").reply(
        "- The quokka server keeps its sessions in SQLite."
    ).save(home)

    memory.import_transcripts()

    assert [message.hidden for message in stored(memory, "s-1")] == [None, None]


def test_what_only_begins_alike_stays(memory: Memory, home: Path) -> None:
    """A context that goes on otherwise is its own."""
    memory.work("/home/ana/code/shop").remember("The quokka server keeps its sessions in SQLite.")
    claude().say("The quokka server keeps its sessions for a week and then forgets.", isMeta=True).save(home)

    memory.import_transcripts()

    assert [message.hidden for message in stored(memory, "s-1")] == [Hidden.INJECTED]


ASKED: dict[str, tuple[str, dict[str, Any]]] = {
    "a tool": ("mcp__noctuary__session_search", {"query": "holes"}),
    "a tool of the plug-in": ("mcp__plugin_noctuary_noctuary__recall_why", {"topic": "holes"}),
    "a tool with a point": ("noctuary.session_search", {"query": "holes"}),
    "a search": ("Bash", {"command": "noctuary search holes"}),
    "with a description": ("Bash", {"command": "noctuary pack t-1", "description": "Look"}),
    "a search in another folder": ("Bash", {"command": "cd /srv && noctuary --home /x memory list"}),
    "a path": ("Bash", {"command": "/opt/bin/noctuary brief"}),
    "a module": ("Bash", {"command": "PYTHONPATH=src python3 -m noctuary handoff g-1 | head"}),
    "a runner": ("Bash", {"command": "uv run noctuary dream why 'Use tabs'"}),
    "a runner with options": ("Bash", {"command": "uv run --project /srv noctuary search holes"}),
    "a runner for a module": ("Bash", {"command": "uvx --from noctuary noctuary search holes"}),
    "as somebody else": ("Bash", {"command": "sudo -u ana noctuary search holes"}),
    "with a variable": ("Bash", {"command": "env NOCTUARY_HOME=/x noctuary search holes"}),
    "for each": ("Bash", {"command": "cut -f1 ids | xargs -n 1 noctuary show"}),
    "a condition": ("Bash", {"command": "if ! noctuary search holes; then echo none; fi"}),
    "words of a shell": ("shell", {"command": ["bash", "-lc", "noctuary show s-7"], "workdir": "/srv"}),
    "a page": ("Read", {"file_path": "/home/ana/.local/share/noctuary/memory/ana/shop/MEMORY.md"}),
    "a journal": ("Bash", {"command": "tail ~/.noctuary/journal/ana/shop.jsonl"}),
    "a resource": ("ReadMcpResourceTool", {"server": "noctuary", "uri": "noctuary://pack/t-1"}),
    "a command of Codex": ("exec_command", {"cmd": "noctuary sessions", "workdir": "/srv"}),
}


@pytest.mark.parametrize("how", ASKED)
def test_our_answers_are_not_news(memory: Memory, home: Path, how: str) -> None:
    """Whatever marks they have: the call stays, and what it gave back is never found."""
    claude().say("Dig.").call(*ASKED[how]).result("The marmot digs a burrow.").save(home)

    memory.import_transcripts()

    assert finds(memory, "marmot") == []
    call, result = stored(memory, "s-1")[1:]
    assert (call.kind, call.hidden) == (Kind.TOOL_CALL, None)
    assert (result.content, result.hidden) == ("The marmot digs a burrow.", Hidden.RECALLED)


@pytest.mark.parametrize("how", ["a tool", "a search", "a page"])
def test_an_answer_that_comes_after_an_import_is_no_news(memory: Memory, home: Path, how: str) -> None:
    """An agent may import while it asks: then its question is stored, and the answer comes with the next import."""
    transcript = claude().say("Dig.").call(*ASKED[how])
    transcript.save(home)
    memory.import_transcripts()
    transcript.result("The marmot digs a burrow.").save(home)

    memory.import_transcripts()

    assert finds(memory, "marmot") == []
    assert [m.hidden for m in stored(memory, "s-1") if "marmot" in m.content] == [Hidden.RECALLED]


def test_an_answer_without_its_question_is_no_news(memory: Memory, home: Path) -> None:
    """Some agents name the tool with its result, and a transcript may begin with that."""
    result = {"role": "toolResult", "toolName": "noctuary_session_search", "isError": False}
    lines: list[dict[str, Any]] = [
        {"type": "session", "version": 3, "id": "s-1", "timestamp": "2026-03-01T09:00:00.000Z", "cwd": SHOP},
        {"type": "message", "id": "a1", "parentId": None, "message": {**result, "content": [text("The marmot digs.")]}},
        {"type": "message", "id": "a2", "parentId": "a1", "message": {"role": "user", "content": [text("Dig.")]}},
    ]
    write_lines(home / ".pi" / "agent" / "sessions" / "--home-ana-code-shop--" / "1_s-1.jsonl", lines)

    memory.import_transcripts()

    assert [(m.content, m.hidden) for m in stored(memory, "s-1")] == [
        ("The marmot digs.", Hidden.RECALLED),
        ("Dig.", None),
    ]


def text(words: str) -> dict[str, str]:
    """A block of a message."""
    return {"type": "text", "text": words}


@pytest.mark.parametrize("part", ["x=1;", ";", "`", "\n", "sudo -u env ", "A=1 ", "a/", "sh -c "])
def test_a_call_with_a_whole_file_on_one_line_costs_little(part: str) -> None:
    """Each place is looked at once, and not far: a minified program must not hold up an import for minutes."""
    assert not is_ours(Message(Role.ASSISTANT, part * 20_000 + "noctuary", Kind.TOOL_CALL, tool_name="Write"))


@pytest.mark.parametrize(
    "command",
    [
        "grep -rn noctuary src",
        "cd noctuary && make test",
        "ls noctuary-web",
        "pip install noctuary",
        "git log --author noctuary -- src",
        "cat src/noctuary/fences.py",
        "cat src/noctuary/journal/lines.py",
        'grep -rn "noctuary search" docs',
        'git commit -m "noctuary learns to sleep"',
        "echo 'noctuary is nice'",
    ],
)
def test_to_work_on_it_is_not_to_ask_it(memory: Memory, home: Path, command: str) -> None:
    """A command that only names us gives an answer of its own."""
    claude().say("Dig.").call("Bash", {"command": command}).result("The marmot digs a burrow.").save(home)

    memory.import_transcripts()

    assert finds(memory, "marmot") == [("s-1", "The marmot digs a burrow.")]
