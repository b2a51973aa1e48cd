"""Cases are played as they would happen: transcripts are written, imported and dreamt of, and the brief is made.

Every case is a project of its own in one memory, so that all of them take the time of one dream.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from noctuary.app import Memory
from noctuary.authored import Author, EventSource, Trust
from noctuary.records import BROUGHT, Kind, Message, Role, Session
from noctuary.settings import Settings
from noctuary.testing import START, ClaudeTranscript, CodexTranscript, FakeClock
from noctuary.work.desk import Writer
from tests.poisoning.reading import Case, Talk, Turn

OWNER = "ana"
_RULES = ("constraint", "preference", "procedure")  # what an agent remembers as one of these waits, as over MCP
_CODEX_TOOLS = {"Bash": "exec_command", "Read": "exec_command"}
_INPUTS = {"Read": "file_path", "Bash": "command", "WebFetch": "url", "Task": "prompt", "Grep": "pattern"}
_ROLES = {"user": Role.USER, "agent": Role.ASSISTANT}


def played(folder: Path, cases: Sequence[Case]) -> Memory:
    """A memory in the folder that has dreamt of all cases; whoever asks for it closes it.

    The sessions of a case are days apart.  All that happen on one day are imported and dreamt of together, so that
    later ones meet what came of earlier ones.
    """
    clock = FakeClock(START)
    memory = Memory.from_settings(Settings(folder / "memory", OWNER, folder / "user", {}), clock)
    for day in range(max(len(case.talks) for case in cases)):
        start = START + timedelta(days=3 * day)
        for case in cases:
            if day < len(case.talks):
                _write(memory, folder / "user", case, day, start)
        memory.import_transcripts()
        clock.advance(timedelta(days=2))  # what is over is idle by now
        memory.dreams.tidy(is_forced=True)
        report = memory.dream().report
        assert report.failed == 0, report
        clock.advance(timedelta(days=1))
    return memory


def folder_of(case: Case) -> str:
    """Where the sessions of a case ran."""
    return f"/home/ana/code/{case.name}"


def _write(memory: Memory, home: Path, case: Case, day: int, start: datetime) -> None:
    talk, name = case.talks[day], f"{case.name}-{day}"
    turns = [turn._replace(text=_brief_in(memory, case, turn.text)) for turn in talk.turns]
    if talk.agent == "codex":
        _codex(CodexTranscript(name, cwd=folder_of(case), branch=None, start=start), turns).save(home)
    elif talk.agent in ("api", "brought"):
        _added(memory, case, talk, Session(name, project=_project(case)), start)
    else:
        agent = f"{name}-agent" if "sub-agent" in talk.agent else None
        session = f"{case.name}-{day - 1}" if agent else name
        _claude(ClaudeTranscript(session, cwd=folder_of(case), start=start, agent=agent), turns).save(home)
    for turn in turns:
        if turn.speaker.startswith("mcp remember "):
            _remember(memory, case, turn.speaker.split()[-1], turn.text, name)
        elif turn.speaker.startswith("mcp note "):
            _note(memory, case, turn.speaker.split()[-1], turn.text, name)
        elif turn.speaker == "mcp open":
            _agents(memory, case, name).open_task(turn.text)


def _brief_in(memory: Memory, case: Case, text: str) -> str:
    """`{brief}` stands for what the session is told at its start."""
    return text.replace("{brief}", memory.brief(folder_of(case))) if "{brief}" in text else text


def _claude(transcript: ClaudeTranscript, turns: Iterable[Turn]) -> ClaudeTranscript:
    for speaker, text in turns:
        if speaker == "user":
            transcript.say(text)
        elif speaker == "agent":
            transcript.reply(text)
        elif speaker == "thought":
            transcript.think(text)
        elif speaker == "meta":  # a program speaks in the user's turn, and Claude Code says so
            transcript.say(text, isMeta=True)
        elif speaker == "queued":
            transcript.queue(text)
        elif speaker == "title":
            transcript.note("ai-title", aiTitle=text)
        elif speaker == "compaction":
            transcript.compact(text)
        elif speaker == "hook":
            attached = {"type": "hook_additional_context", "content": [text], "hookEvent": "SessionStart"}
            transcript.link("attachment", attachment=attached)
        elif speaker.startswith("refused "):  # Claude Code says beside the result that the user spoke
            _called(transcript, speaker.removeprefix("refused ")).result(text, toolDenialKind="user-rejected")
        elif speaker.startswith("mcp remember "):
            transcript.call("mcp__noctuary__remember", {"text": text}).result("Kept.")
        elif speaker.startswith("mcp note "):
            given = {"action": "note", "kind": speaker.split()[-1], "text": text}
            transcript.call("mcp__noctuary__task", given).result("Noted.")
        elif speaker == "mcp open":
            transcript.call("mcp__noctuary__task", {"action": "open", "title": text}).result("Opened.")
        elif speaker.startswith("Write "):
            transcript.call("Write", {"file_path": speaker.removeprefix("Write "), "content": text}).result("Done.")
        else:
            _called(transcript, speaker).result(text)
    return transcript


def _called(transcript: ClaudeTranscript, speaker: str) -> ClaudeTranscript:
    tool, _, given = speaker.partition(" ")
    return transcript.call(tool, {_INPUTS.get(tool, "input"): given})


def _codex(transcript: CodexTranscript, turns: Iterable[Turn]) -> CodexTranscript:
    for speaker, text in turns:
        if speaker == "user":
            transcript.prompt(text)
        elif speaker == "agent":
            transcript.reply(text)
        elif speaker == "thought":
            transcript.think(text)
        elif speaker == "developer":
            transcript.item("message", role="developer", content=[{"type": "input_text", "text": text}])
        else:
            tool, _, given = speaker.partition(" ")
            command = f"cat {given}" if tool == "Read" else given
            transcript.call(_CODEX_TOOLS.get(tool, tool), {"cmd": command}).result(text)
    return transcript


def _added(memory: Memory, case: Case, talk: Talk, session: Session, start: datetime) -> None:
    """What programs put in themselves, or brought from another tool."""
    ts_ms = round(start.timestamp() * 1000)
    source = BROUGHT if talk.agent == "brought" else None
    session = session._replace(cwd=folder_of(case), source=source, started_ms=ts_ms)
    messages = [
        Message(_ROLES[turn.speaker], turn.text, ts_ms=ts_ms + 1_000 * number)
        if turn.speaker in _ROLES
        else Message(Role.TOOL, turn.text, Kind.TOOL_RESULT, ts_ms=ts_ms + 1_000 * number, tool_name=turn.speaker)
        for number, turn in enumerate(talk.turns)
    ]
    memory.add_session(session, messages)


def _project(case: Case) -> str:
    return folder_of(case)


def _remember(memory: Memory, case: Case, kind: str, text: str, session: str) -> None:
    """What an agent keeps by the tool of the MCP server."""
    work = _agents(memory, case, session)
    work.remember(text, kind=kind, suggested=kind in _RULES)


def _note(memory: Memory, case: Case, kind: str, text: str, session: str) -> None:
    """What an agent writes down by the tool of the MCP server."""
    _agents(memory, case, session).note(kind, text, suggested=kind in _RULES)


def _agents(memory: Memory, case: Case, session: str) -> Any:
    """The work of a project in the hands of an agent."""
    agent = Writer(author=Author.AGENT, source=EventSource.API, session=session, trust=Trust.AGENT)
    return memory.work(memory.project_of(folder_of(case)) or folder_of(case), agent)
