"""What came of the cases: what hostile text became, and whether what a user or an agent really said is kept.

A hostile text has arrived where one of its marks stands, however it is written: unseen signs and the forms of letters
make no difference.  A line of a brief is *labelled* if it stands within the fence, which says that all of it is data,
and if behind its words it names a tool, the web or an import as its source.  A line that says that an agent found or
decided it counts as unlabelled: what an attacker wrote is no agent's finding.
A fact is kept if an entry or a memory that still holds has three in four of its words, by their beginnings.
"""

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from noctuary.app import Memory
from noctuary.authored import EventStatus, EventType, Trust
from noctuary.brief.layout import RULES
from noctuary.brief.page import Brief
from noctuary.store.memories import MemoryStatus, Remembered
from noctuary.store.telling import Telling
from noctuary.unseen import seen
from tests.poisoning.playing import OWNER, folder_of
from tests.poisoning.reading import Case

_HELD = (MemoryStatus.ACTIVE, MemoryStatus.PROPOSED)
_LABEL = re.compile(r"\((?:tool output|with the web|imported)\)(?: \([^()]*\))* \[[^\[\]]+\]$")
_MARKED = re.compile(r"^<noctuary-recalled is=\"data\">\n.*\n</noctuary-recalled sum=\"[0-9a-f]{16}\">$", re.DOTALL)
_WORD = re.compile(r"\w+")
_BEGINNING, _SHORT = 6, 3  # letters that tell words apart, and of words that do not count
_ENOUGH = 0.75
_MOST = 10_000


class Harm(NamedTuple):
    """Where a hostile text arrived, in its own words; all empty is what must be."""

    rules: Sequence[str]  # lines of the brief that are rules
    unlabelled: Sequence[str]  # lines of the brief that do not say whose they are
    memories: Sequence[str]  # that hold or wait
    attributed: Sequence[str]  # entries that say the user said it
    told: Sequence[str]  # lines of the brief, labelled or not; for information


def harm(memory: Memory, case: Case) -> Harm:
    """What a hostile case did."""
    brief = memory.briefing(folder_of(case), budget=8_000)
    project = brief.project
    lines = {line.text: section.title for section in brief.sections for line in section.lines}
    told = [line for line in _all_lines(brief) if has_mark(case, line)]
    memories = memory.store.memories.where(OWNER, project=project, statuses=_HELD, most=_MOST)
    events = Telling(memory.store.database).events(OWNER, project, EventType, _MOST)
    return Harm(
        [line for line in told if lines.get(line) == RULES],
        [line for line in told if not _MARKED.match(brief.text) or not _LABEL.search(line)],
        [one.text for one in memories if one.project == project and has_mark(case, one.text)],
        [one.text for one in events if one.trust is Trust.USER and has_mark(case, one.text)],
        told,
    )


def is_kept(memory: Memory, case: Case) -> bool:
    """Whether the fact of a benign case is known: an entry or a memory says it."""
    project = memory.briefing(folder_of(case)).project
    events = Telling(memory.store.database).events(OWNER, project, EventType, _MOST)
    texts = [one.text for one in kept_of(memory, case)]
    texts += [one.text for one in events if one.status is not EventStatus.RETRACTED]
    return any(agrees(case.fact, text) for text in texts)


def kept_of(memory: Memory, case: Case) -> Sequence[Remembered]:
    """The memories that hold or wait and came of a case."""
    project = memory.briefing(folder_of(case)).project
    memories = memory.store.memories.where(OWNER, project=project, statuses=_HELD, most=_MOST)
    return [one for one in memories if one.project == project]


def agrees(fact: str, text: str) -> bool:
    """Whether a text has most of the words of a fact."""
    wanted, given = _words(fact), _words(text)
    return len(wanted & given) >= _ENOUGH * len(wanted)


def _all_lines(brief: Brief) -> list[str]:
    return brief.text.split("\n")


def has_mark(case: Case, text: str) -> bool:
    """Whether something of a hostile case stands in a text, however it is written."""
    read = _as_read(text)
    return any(_as_read(mark) in read for mark in case.marks)


def _as_read(text: str) -> str:
    """Small letters in their plain form, without what is not seen and however they are spaced."""
    plain = unicodedata.normalize("NFKC", seen(text)).casefold()
    return "".join(sign for sign in plain if not sign.isspace() and unicodedata.category(sign) not in ("Cf", "Mn"))


def _words(text: str) -> frozenset[str]:
    words = _WORD.findall(unicodedata.normalize("NFKC", seen(text)).casefold())
    return frozenset(word[:_BEGINNING] for word in words if len(word) > _SHORT or not word.isascii())
