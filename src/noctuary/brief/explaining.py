"""Why a line stands in a brief: the memory, entry, node or session that it speaks of, and what that rests on."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from noctuary.authored import Entry
from noctuary.brief.lines import ENDING, id_in
from noctuary.brief.page import Brief
from noctuary.dream.explaining import Why, explain, why
from noctuary.dream.night import Night
from noctuary.dream.reviewing import REVIEWER
from noctuary.errors import NotFound
from noctuary.graph import Node
from noctuary.records import Session
from noctuary.store.sharing import Share
from noctuary.store.telling import Telling
from noctuary.store.work_sessions import WorkSession
from noctuary.work.ready import as_they_stand
from noctuary.work.wording import only_one

_EVENT = re.compile(rf"e-([0-9a-z]{{{ENDING}}})", re.IGNORECASE)
_ID = re.compile(r"(?:m|e|sh|t|g|d|o|oc|ob|r|ws)-[0-9a-z]{4,}", re.IGNORECASE)
_MOST_ENTRIES = 20


class WhyTold(NamedTuple):
    """What a line speaks of, one of these; a node with what was said about it, the newest first."""

    id: str
    memory: Why | None = None
    entry: Entry | None = None
    node: Node | None = None
    entries: Sequence[Entry] = ()
    work_session: WorkSession | None = None
    session: Session | None = None
    share: Share | None = None


def why_told(night: Night, brief: Brief, line: str) -> WhyTold:
    """What a line rests on: given by the id at its end, whole, or by words in it; NotFound if there is none."""
    name = id_in(line) or line.strip().strip("[]")
    found = _named(night, name) or _named(night, _line_with(brief, line))
    if found:
        return found
    if _ID.fullmatch(name):
        raise NotFound(f"Nothing is called {name}; `noctuary brief` shows what can be asked for.")
    about = why(night, brief.project, line)
    return WhyTold(about.memory.id, memory=about)


def _line_with(brief: Brief, words: str) -> str:
    """The id of the line of the brief in which these words are; empty if there is none."""
    said = " ".join(words.split()).casefold()
    return next((line.id for line in brief.lines if said and said in line.text.casefold()), "")


def _named(night: Night, name: str) -> WhyTold | None:
    """What has this name; None if nothing has."""
    if not name or any(letter.isspace() for letter in name):
        return None
    store, owner = night.store, night.owner
    if memory := store.memories.find(owner, name.lower()):
        return WhyTold(memory.id, memory=explain(night, memory))
    if entry := _entry(night, name):
        return WhyTold(name, entry=entry)
    if node := store.nodes.find(owner, name):
        desk = night.desk(node.project, REVIEWER)
        entries = desk.entries(node.id, most=_MOST_ENTRIES)
        return WhyTold(node.id, node=as_they_stand(desk, [node])[0], entries=entries)
    if shared := store.sharing.where(owner, share=name.lower()):
        return WhyTold(shared[0].id, share=shared[0])
    if work := store.work_sessions.find(owner, name):
        return WhyTold(work.id, work_session=work)
    session = _session(night, name)
    return WhyTold(session.id, session=session) if session else None


def _entry(night: Night, name: str) -> Entry | None:
    if ending := _EVENT.fullmatch(name):
        found = Telling(night.store.database).ending_in(night.owner, ending[1].upper())
        full = found[0] if found else None  # the newest: two with the same ending are as rare as a name that is guessed
        return night.ledger.entry(full) if full else None
    return night.ledger.entry(name.upper())


def _session(night: Night, name: str) -> Session | None:
    found = night.store.sessions.find(night.owner, name)
    if found is None:
        beginning = night.store.sessions.beginning_with(night.owner, name)
        full = only_one(beginning, name, "session", NotFound)
        found = night.store.sessions.find(night.owner, full) if full else None
    return found[1] if found else None
