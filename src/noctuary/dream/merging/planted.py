"""What an agent kept with our own tool because something it had read asked for that.

Pages and files tell agents to save them to memory.  The tool cannot know where its words come from, but the transcript
does: what an agent asked to be remembered and had only read somewhere holds no longer once its session is dreamt of.
"""

import re
from collections.abc import Iterable, Iterator

from noctuary.authored import EventType, Trust
from noctuary.dream.hearsay import Heard
from noctuary.dream.merging.history import History
from noctuary.dream.merging.touched import HOLDING, Touched
from noctuary.dreams import ChangeKind, MemoryChange
from noctuary.proposals import Conversation
from noctuary.records import Kind, Message
from noctuary.store.memories import MemoryStatus, Remembered

_OURS, _VERB = "noctuary", "remember"
_CALL = Kind.TOOL_CALL  # to ask an enum for a member takes longer than to compare with it
_TEXT = re.compile(r"^text: (.*(?:\n(?!\w+: ).*)*)", re.MULTILINE)  # among other arguments
_TYPED = re.compile(r"\bremember\s+(?:--?\S+\s+)*(\"[^\"\n]+\"|'[^'\n]+')")  # as a command in a shell
_WHY = "the agent had only read it"


def planted_in(conversation: Conversation) -> list[str]:
    """What the agent asked our tools to remember in this part of its session and had only read somewhere."""
    asked = [(text, message.id) for message in conversation.messages for text in _kept_by(message)]
    if not asked:
        return []
    heard = Heard(conversation.session, conversation.heard)
    return [text for text, place in asked if heard.is_heard(text, place)]


def distrust(touched: Touched, history: History, texts: Iterable[str]) -> list[MemoryChange]:
    """Let memories that an agent made of these texts hold no longer, unless a user has said or approved them."""
    changes: list[MemoryChange] = []
    for text in texts:
        for memory in _made_of(touched, history, text):
            touched.change(memory, status=str(MemoryStatus.ARCHIVED), trust=str(Trust.TOOL))
            changes.append(MemoryChange(ChangeKind.DISTRUSTED, memory.id, memory.text, _WHY, memory.project))
    return changes


def _kept_by(message: Message) -> Iterator[str]:
    if message.kind is not _CALL or not (_VERB in message.content or _VERB in (message.tool_name or "")):
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


def _squeezed(text: str) -> str:
    return " ".join(text.split()).casefold()
