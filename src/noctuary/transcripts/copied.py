"""Which session a transcript is of that lies where its agent would not keep it: what it says, and what lies around it.

It has the name that it has where its agent keeps it.  So nothing is stored twice, what was forgotten stays so, and what
a sub-agent was asked is not taken for the word of a person.
"""

import re
from collections.abc import Callable, Iterable
from pathlib import Path

from noctuary.records import Relation
from noctuary.transcripts.antigravity import session_around
from noctuary.transcripts.cline import MESSAGES, session_at
from noctuary.transcripts.codex import session_in_name
from noctuary.transcripts.copilot_cli import session_in_stem
from noctuary.transcripts.fields import dict_of, text_of
from noctuary.transcripts.finding import is_file
from noctuary.transcripts.foreign_sqlite import beside, is_sqlite
from noctuary.transcripts.items import Source
from noctuary.transcripts.jsonl import Record
from noctuary.transcripts.openclaw import listed_at
from noctuary.transcripts.pi import DEEPEST
from noctuary.transcripts.pi_reader import session_in
from noctuary.transcripts.specstory import session_of

_LOGS = frozenset(["claude-code", "codex", "copilot-cli", "droid", "openclaw", "pi", "qwen"])  # that only ever grow
_MANY = frozenset(["aider", "chatgpt", "claude.ai"])  # sessions in one file
# What agents call the file of every session; then its folder is called after the session.
_PLAIN = re.compile("events|wire|updates|transcript(?:_full)?|chat_history|messages|api_conversation_history|overview")
_SUBAGENTS = "subagents"

_SAID: dict[str, Callable[[Record], str]] = {
    "amp": lambda one: text_of(one, "id"),
    "copilot-chat": lambda one: text_of(one, "sessionId") or text_of(dict_of(one, "v"), "sessionId"),
    "copilot-cli": lambda one: (
        _first_text(one, "sessionId", "session_id") or text_of(dict_of(one, "data"), "sessionId")
    ),
    "droid": lambda one: text_of(one, "id") if one.get("type") == "session_start" else "",
    "gemini": lambda one: text_of(one, "sessionId"),
    "grok": lambda one: text_of(dict_of(one, "params"), "sessionId"),
    "pi": lambda one: text_of(one, "id") if one.get("type") == "session" else "",
    "qwen": lambda one: text_of(one, "sessionId") if "projectHash" in one else "",
}


def _first_text(record: Record, *names: str) -> str:
    return next((text for name in names if (text := text_of(record, name))), "")


def session_said(agent: str, records: Iterable[Record]) -> str:
    """The session that the first records of a transcript say they are of; empty if they do not."""
    said = _SAID.get(agent)
    return next(filter(None, map(said, records)), "") if said else ""


def source_at(agent: str, path: Path, said: str) -> Source:
    """The transcript of an agent at a path, of the session that it says."""
    if is_sqlite(path):
        return Source(adapter=agent, path=path, session="", is_log=False, beside=beside(path))
    if agent in _MANY:
        return Source(adapter=agent, path=path, session="", is_log=False)
    name = path.parent.name if _PLAIN.fullmatch(path.stem) else path.stem
    around = (path.with_suffix(".json"),) if agent == "kiro" else ()
    is_log = agent in _LOGS and path.suffix == ".jsonl"
    found = Source(adapter=agent, path=path, session=said or name, is_log=is_log, beside=around)
    lies = _LIES.get(agent)
    return lies(found, said) if lies else found


def _in_chats(source: Source, _: str) -> Source:
    """A chat of a sub-agent lies in a folder called after the session that started it."""
    folder = source.path.parent
    return _part(source, source.session, folder.name) if folder.parent.name == "chats" else source


def _in_subagents(source: Source, _: str) -> Source:
    folder = source.path.parent
    return _part(source, source.session, folder.parent.name) if folder.name == _SUBAGENTS else source


def _of_qwen(source: Source, said: str) -> Source:
    folder = source.path.parent
    if source.is_log and folder.parent.name == _SUBAGENTS:
        return _part(source, f"{folder.name}/{source.path.stem}", folder.name)
    return source if source.is_log else _in_chats(source, said)


def _of_pi(source: Source, said: str) -> Source:
    """A sub-agent of Oh-My-Pi lies in the folder of the session that started it; OpenClaw has a list of sessions."""
    if listed := listed_at(source.path):
        return listed
    names, folder = [source.path.stem], source.path.parent
    while len(names) <= DEEPEST and is_file(folder.with_name(f"{folder.name}.jsonl")):
        names.append(folder.name)
        folder = folder.parent
    if len(names) == 1:
        return source._replace(session=said or session_in(source.path.name))
    parent = ":".join([session_in(names[-1]), *reversed(names[1:-1])])
    return _part(source, f"{parent}:{source.path.stem}", parent)


def _part(source: Source, session: str, parent: str) -> Source:
    return source._replace(session=session, parent=parent, relation=Relation.SUBAGENT)


_LIES: dict[str, Callable[[Source, str], Source]] = {
    "antigravity": lambda source, _: source._replace(session=session_around(source.path) or source.session),
    "cline": lambda source, _: session_at(source.path) if source.path.name.endswith(MESSAGES) else source,
    "codex": lambda source, _: source._replace(session=session_in_name(source.path.stem)),
    "copilot-cli": lambda source, said: source if said else source._replace(session=session_in_stem(source.session)),
    "cursor": _in_subagents,
    "gemini": _in_chats,
    "pi": _of_pi,
    "qwen": _of_qwen,
    "specstory": lambda source, _: source._replace(session=session_of(source.path)),
}
