"""What memory tells a session comes back in its transcript: it is found by no search, and no dream counts it.

Sessions of Claude Code and of Codex are played from end to end: they are imported and dreamt of, the next session is
given the brief that was made of them, its transcript is imported and dreamt of in turn.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from noctuary.app import Memory
from noctuary.records import Hidden
from noctuary.settings import Settings
from noctuary.store.memories import Remembered
from noctuary.testing import START, ClaudeTranscript, CodexTranscript, FakeClock

SHOP = "/home/ana/code/shop"
RULE = "Never store prices as floats; always use whole cents."
FACT = "The root cause of the slow zeppelin build is that the loader reads all fonts at import time."
# The agent was told so, and repeats it in its own words.
ECHO = "As noted, the root cause of the slow zeppelin build is that the loader reads all fonts at import time."
BEFORE = ("first", "second")
LATER = timedelta(days=20)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """A memory that has dreamt of what was said before."""
    clock = FakeClock(START + LATER)
    with Memory.from_settings(Settings(tmp_path / "memory", "ana", tmp_path / "user", {}), clock) as opened:
        for number, name in enumerate(BEFORE):
            transcript = ClaudeTranscript(name, start=START + timedelta(days=number))
            transcript.say("Why is the zeppelin build slow?").reply(FACT).say(RULE).reply("I use integers.").save(
                tmp_path / "user"
            )
        dream(opened, *BEFORE)
        yield opened


def dream(memory: Memory, *sessions: str) -> None:
    """Import what is new, and dream of these sessions."""
    memory.import_transcripts()
    for session in sessions:
        memory.dreams.end_session(session)
    assert memory.dream().report.failed == 0


def kept(memory: Memory) -> list[Remembered]:
    """Every memory there is, whatever became of it."""
    return memory.store.memories.where(memory.owner, statuses=None)


def support(memory: Memory) -> dict[str, object]:
    """How many sessions state each memory."""
    return {one.text: one.facts.get("support") for one in kept(memory)}


def stripped(brief: str) -> str:
    """The brief without its fence."""
    return "\n".join(brief.split("\n")[1:-1])


def rewrapped(brief: str) -> str:
    """Without its fence, and every line broken anew."""
    words = [line.split(" ") for line in stripped(brief).split("\n")]
    return "\n".join("\n  ".join(" ".join(row[at : at + 6]) for at in range(0, len(row), 6)) for row in words)


def shortened(brief: str) -> str:
    """Without its fence, and of every line only the beginning, and no id."""
    return "\n".join(line if len(line) < 60 else line[:60] + "…" for line in stripped(brief).split("\n"))


FORMS: dict[str, Callable[[str], str]] = {
    "as it is": str,
    "escaped": lambda brief: json.dumps({"additionalContext": brief}),
    "without marks": stripped,
    "broken anew": rewrapped,
    "shortened": shortened,
}


def by_attachment(name: str, told: str) -> ClaudeTranscript:
    attachment = {"type": "hook_additional_context", "content": [told], "hookEvent": "SessionStart"}
    return later(ClaudeTranscript(name, start=START + LATER).link("attachment", attachment=attachment))


def by_reminder(name: str, told: str) -> ClaudeTranscript:
    told = f"<system-reminder>\nSessionStart hook additional context: {told}\n</system-reminder>"
    return later(ClaudeTranscript(name, start=START + LATER).say(told, isMeta=True))


def by_developer(name: str, told: str) -> CodexTranscript:
    transcript = CodexTranscript(name, cwd=SHOP, branch=None, start=START + LATER)
    transcript.item("message", role="developer", content=[{"type": "input_text", "text": told}])
    return transcript.prompt("Look at the build.").reply(ECHO)


def later(transcript: ClaudeTranscript) -> ClaudeTranscript:
    """The session that was told, and says it again in its own name."""
    return transcript.say("Look at the build.").reply(ECHO)


HOSTS: dict[str, Callable[[str, str], ClaudeTranscript | CodexTranscript]] = {
    "claude, attached": by_attachment,
    "claude, a reminder": by_reminder,
    "codex": by_developer,
}


def found(memory: Memory, words: str) -> set[tuple[str, str]]:
    """Session and content of all that a search finds by these words."""
    hits = memory.search_messages(words, limit=50).hits
    return {(hit.session.id, hit.anchor.content) for hit in hits if any(why.name == "words" for why in hit.why)}


def spoken(memory: Memory) -> Sequence[tuple[str, str]]:
    """All that was really said, in any session."""
    names = [session.id for session in memory.sessions(limit=100)]
    return [(name, message.content) for name in names for message in memory.show(name).messages]


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("form", FORMS)
def test_what_was_told_is_never_found_nor_counted(memory: Memory, tmp_path: Path, host: str, form: str) -> None:
    """Whatever the agent made of the brief, and though the agent repeats it: nothing of it is found or supported."""
    brief = memory.brief(SHOP)
    before, texts = support(memory), [one.text for one in kept(memory)]
    assert [RULE in brief, "zeppelin" in brief] == [True, True]
    for number in range(3):
        HOSTS[host](f"told-{number}", FORMS[form](brief)).save(tmp_path / "user")

    memory.import_transcripts()
    names = [session.id for session in memory.sessions(limit=100) if session.id not in BEFORE]
    dream(memory, *names)

    assert len(names) == 3
    assert {name for name, _ in found(memory, "prices floats cents")} == set(BEFORE)
    assert {name for name, _ in found(memory, "whole cents")} == set(BEFORE)
    told = [content for name, content in found(memory, "zeppelin fonts") if name not in BEFORE]
    assert set(told) <= {ECHO}  # the agent's own words are the agent's
    assert not [content for name, content in spoken(memory) if name in names and RULE in content]
    assert support(memory) == before
    assert [one.text for one in kept(memory)] == texts


def test_who_was_not_told_is_another_voice(memory: Memory, tmp_path: Path) -> None:
    """The same words count if nothing was injected: so the tests above can fail."""
    before = support(memory)
    for number in range(3):
        later(ClaudeTranscript(f"new-{number}", start=START + LATER)).save(tmp_path / "user")
    memory.import_transcripts()

    dream(memory, "new-0", "new-1", "new-2")

    assert support(memory) != before


def test_our_answers_are_never_found_nor_counted(memory: Memory, tmp_path: Path) -> None:
    """A tool of ours, and a command in a shell; the question itself stays."""
    before = support(memory)
    transcript = ClaudeTranscript("asks", start=START + LATER).say("What do we know of prices?")
    transcript.call("mcp__plugin_noctuary_noctuary__session_search", {"query": "zeppelin prices"}).result(
        [{"type": "text", "text": f"2026-03-02 {RULE}"}]
    )
    transcript.call("Bash", {"command": "noctuary search 'prices' && true"}).result(f"1. {RULE}\n{FACT}")
    transcript.reply(ECHO).save(tmp_path / "user")

    dream(memory)
    memory.dreams.end_session("asks")
    memory.dream()

    assert "asks" not in {name for name, _ in found(memory, "floats cents")}
    assert ("asks", "zeppelin prices") in spoken(memory)
    assert support(memory) == before


def test_what_was_told_is_kept_with_its_session(memory: Memory, tmp_path: Path) -> None:
    """Hidden, whole: one can always see what an agent knew."""
    brief = memory.brief(SHOP)
    by_attachment("told", brief).save(tmp_path / "user")

    memory.import_transcripts()

    number = memory.store.sessions.find(memory.owner, "told")
    assert number is not None
    first = memory.store.messages.between(number[0], 1, 1)[0]
    assert (first.content, first.hidden) == (brief, Hidden.RECALLED)


def test_a_brief_is_not_made_of_a_brief(memory: Memory, tmp_path: Path) -> None:
    """After any number of sessions that were told, the next is told the same, but for their titles."""
    told = [memory.brief(SHOP)]
    for number in range(3):
        HOSTS["claude, attached"](f"told-{number}", told[-1]).save(tmp_path / "user")
        dream(memory)
        memory.dreams.end_session(f"told-{number}")
        memory.dream()
        told.append(memory.brief(SHOP))

    lines = [{line for line in brief.split("\n") if line.startswith("- ")} for brief in told]
    assert lines[1:] == lines[:-1]
