"""What an agent kept with our own tool because something it had read asked for that.

Pages and files tell agents to save them to memory.  The tool cannot know where its words come from, but the transcript
does: what an agent asked to be remembered and had only read somewhere holds no longer once its session is dreamt of.
The same goes for what it noted, decided or rejected: that stays in the journal, but is told to nobody, for it is said
by a memory that is in the archive.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from noctuary.authored import EventStatus, EventType, MessageRef, Trust
from noctuary.dream.hearsay import Heard
from noctuary.dream.merging.history import History, Known
from noctuary.dream.merging.touched import HOLDING, Touched
from noctuary.dreams import ChangeKind, MemoryChange
from noctuary.ids import derived_id
from noctuary.ledger.ledger import trust_in_line
from noctuary.proposals import Conversation, Proposal
from noctuary.records import Kind, Message
from noctuary.store.memories import MemoryKind, MemoryStatus, Remembered

_OURS, _VERBS = "noctuary", ("remember", "note", "decide", "reject")
_NOTES = frozenset(
    {
        *(EventType.FINDING, EventType.EVIDENCE, EventType.HYPOTHESIS, EventType.DECISION, EventType.REJECTION),
        *(EventType.CONSTRAINT, EventType.PREFERENCE, EventType.CORRECTION),
    }
)
_RULES = (EventType.CONSTRAINT, EventType.PREFERENCE)  # which an agent only proposes
_CALL = Kind.TOOL_CALL  # to ask an enum for a member takes longer than to compare with it
_TEXT = re.compile(r"^text: (.*(?:\n(?!\w+: ).*)*)", re.MULTILINE)  # among other arguments
_TYPED = re.compile(  # as a command in a shell
    r"\b(?:remember|note\s+\w+|decide|reject)\s+(?:--?\S+\s+)*(\"[^\"\n]+\"|'[^'\n]+')"
)
_WHY = "the agent had only read it"
_FACT = str(MemoryKind.FACT)
_ARCHIVED = {"status": str(MemoryStatus.ARCHIVED), "trust": str(Trust.TOOL)}


def planted_in(conversation: Conversation, traced: Callable[[Sequence[Proposal]], Sequence[Proposal]]) -> list[str]:
    """What the agent had our tools keep in this part of its session and had only read somewhere, now or long before."""
    session = conversation.session
    asked = [(text, message.id) for message in conversation.messages for text in _kept_by(message)]
    if not asked:
        return []
    heard = Heard(session, conversation.heard)
    read = [text for text, place in asked if heard.is_heard(text, place)]
    rest = [(text, MessageRef(session.id, place, text)) for text, place in asked if text not in read]
    own = [Proposal(EventType.FINDING, text, [cited], trust=Trust.AGENT) for text, cited in rest]
    return read + [each.text for each in traced(own) if each.trust is not Trust.AGENT]


def distrust(touched: Touched, history: History, texts: Iterable[str]) -> list[MemoryChange]:
    """Let memories that an agent made of these texts hold no longer, unless a user has said or approved them."""
    changes: list[MemoryChange] = []
    for text in texts:
        for memory in _made_of(touched, history, text):
            touched.change(memory, status=str(MemoryStatus.ARCHIVED), trust=str(Trust.TOOL))
            changes.append(MemoryChange(ChangeKind.DISTRUSTED, memory.id, memory.text, _WHY, memory.project))
        for known in _noted(touched, history, text):
            name = derived_id("m", history.project, known.event_id)
            touched.make(name, {"kind": _FACT, "text": known.text, "event": known.event_id, **_ARCHIVED})
            changes.append(MemoryChange(ChangeKind.DISTRUSTED, name, known.text, _WHY, history.project))
    return changes


def _kept_by(message: Message) -> Iterator[str]:
    called = message.tool_name or ""
    if message.kind is not _CALL or not any(verb in message.content or verb in called for verb in _VERBS):
        return
    if _OURS in (message.tool_name or "").lower():
        found = _TEXT.search(message.content)
        yield found[1] if found else message.content
    elif _OURS in message.content:
        yield from (found[1].strip("\"'") for found in _TYPED.finditer(message.content))


def _made_of(touched: Touched, history: History, text: str) -> Iterator[Remembered]:
    for known in history.near(text, types=(EventType.REMEMBER,)):
        memory = touched.of_event(known.event_id) if _squeezed(known.text) == _squeezed(text) else None
        is_agents = memory is not None and memory.facts.get("trust") == Trust.AGENT
        if memory is not None and is_agents and memory.status in HOLDING and not memory.facts.get("approved"):
            yield memory


def _noted(touched: Touched, history: History, text: str) -> Iterator[Known]:
    """What an agent wrote down in these words and no user confirmed, unless a memory says it already."""
    for known in history.near(text, types=_NOTES):
        is_confirmed = known.type in _RULES and known.status is EventStatus.CONFIRMED
        is_agents = trust_in_line(known.line) is Trust.AGENT and not is_confirmed
        if is_agents and _squeezed(known.text) == _squeezed(text) and touched.of_event(known.event_id) is None:
            yield known


def _squeezed(text: str) -> str:
    return " ".join(text.split()).casefold()
