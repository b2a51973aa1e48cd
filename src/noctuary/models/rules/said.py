"""What the agent said: answers that end a turn, and what it found on the way."""

from collections.abc import Iterator

from noctuary.authored import EventType, Strength
from noctuary.models.rules.candidates import Candidate
from noctuary.models.rules.cues import CUES, HEADINGS, INTENTS, hits
from noctuary.models.rules.prose import LONGEST, Passage, passages, plain, sentences
from noctuary.models.rules.turns import Turn, is_said
from noctuary.records import Kind, Message, Role

_DONE = (
    "added", "replaced", "made", "changed", "created", "moved", "removed", "wired", "updated", "implemented",
    "switched", "renamed", "set", "kept", "introduced", "refactored", "split", "converted", "used", "fixed", "dropped",
    "extracted", "rewrote", "configured", "migrated", "deleted", "committed", "pushed", "left",
)  # fmt: skip
_PASSED = ("passed", "failed", "passes", "fails")


def from_answers(turn: Turn) -> Iterator[Candidate]:
    """What the answer of a turn says was done, found and verified."""
    if turn.answer is None:
        return
    content = turn.answer.content
    parts = passages(content)
    for part in parts:
        if candidate := _judge(turn.answer, part, in_answer=True, alone=len(parts) == 1):
            yield candidate


def from_work(turn: Turn) -> Iterator[Candidate]:
    """What the agent said on the way to its answer, and thought."""
    for message in turn.work:
        if message is turn.answer or not (is_said(message) or _is_thought(message)):
            continue
        for part in passages(message.content):
            if candidate := _judge(message, part, in_answer=False, alone=False):
                yield candidate


def _is_thought(message: Message) -> bool:
    return message.role is Role.ASSISTANT and message.kind is Kind.THINKING and len(message.content) > 60


def _judge(message: Message, part: Passage, *, in_answer: bool, alone: bool) -> Candidate | None:
    spans = [span for span in sentences(message.content, part.start, part.end) if not _is_intent(message.content, span)]
    if not spans:
        return None
    start, end = spans[0][0], spans[0][1]
    for span in spans[1:]:
        if span[1] - start > LONGEST:
            break
        end = span[1]
    end = min(end, start + LONGEST)
    raw = message.content[start:end].rstrip()
    end = start + len(raw)
    text = plain(raw)
    words = text.split()
    if len(words) < 5:
        return None
    padded = f" {text.lower()} "
    counts = {kind: hits(padded, cues) for kind, cues in CUES.items()}
    first = words[0].lower().rstrip(":,")
    score = sum(min(n, 2) for n in counts.values()) * 1.0
    score += 1.5 if in_answer else 0.0
    score += 0.5 if "`" in raw else 0.0
    score += 0.5 if any(c.isdigit() for c in text) else 0.0
    if message.kind is Kind.THINKING:
        score -= 1.0
    if text.endswith("?"):
        score -= 2.0
    type_ = _type(counts, first, part.heading.lower())
    return Candidate(
        type_, score, message, start, end, text, strength=Strength.MEDIUM if type_ is EventType.EVIDENCE else None
    )


def _type(counts: dict[EventType, int], first: str, heading: str) -> EventType:
    if first in _PASSED:
        return EventType.EVIDENCE
    for kind, words in HEADINGS:
        if any(word in heading for word in words):
            return kind
    if first in _DONE:
        return EventType.DECISION
    best = max(counts, key=lambda kind: counts[kind])
    return best if counts[best] else EventType.FINDING


def _is_intent(content: str, span: tuple[int, int]) -> bool:
    return content[span[0] : span[0] + 24].lower().lstrip("*`_ ").startswith(INTENTS)
