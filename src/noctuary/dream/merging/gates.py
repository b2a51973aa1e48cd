"""What may become a memory, of what kind, and whether it holds at once or waits to be looked at.

The thresholds are reachable on purpose: a user lays a thing down once, two sessions state it, or an agent states it
with its reason.  What might be an errand or a report waits until it is said again.  What only a tool printed or a page
of the web says is never kept for its own sake, however often it comes.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from noctuary.authored import EventType, Trust
from noctuary.dream.merging.lasting import is_one_off, is_reasoned, is_report, is_standing, is_talk
from noctuary.dream.merging.marked import has_any, in_small
from noctuary.dream.merging.orders import holds_secret
from noctuary.lookalikes import as_read
from noctuary.store.memories import MemoryKind, MemoryStatus

# Rules give .6 to what stands in a summary, a stated choice or an error with its fix; what is only mentioned has less.
ACTIVE_CONFIDENCE = 0.6
PROPOSED_CONFIDENCE = 0.4  # below, one session's word is an entry of the journal and nothing more
ENOUGH_SESSIONS = 2  # that state the same without knowing of each other

_RULES = frozenset({EventType.CONSTRAINT, EventType.PREFERENCE, EventType.CORRECTION})
_CHOICES = frozenset({EventType.DECISION, EventType.REJECTION})
_RANKS: Mapping[str, int] = {Trust.USER: 2, Trust.AGENT: 1}
_STANDING_RULE = re.compile(
    r"\b(?:always|never|don['’]?t|do not|must(?: not)?|from now on|no longer|stop|avoid|prefer)\b"
)
_TROUBLE = re.compile(
    r"\b(?:errors?|exceptions?|fail(?:s|ed|ing|ure|ures)?|crash(?:es|ed)?|bugs?|race|deadlocks?|leaks?|hangs?|hung|"
    r"flaky|regression|work-?arounds?|root cause|br(?:eaks|oke|oken)|corrupt(?:s|ed|ion)?|panic(?:s|ked)?|traceback|"
    r"segfaults?|gotcha|silently|times? out|timed out)\b|error\b(?<=\werror)|exception\b(?<=\wexception)"
)
_CAUSE = re.compile(
    r"\b(?:because|caused? by|cause[ds]?|due to|root cause|since|as the|missing|unless|when|fix(?:ed)? (?:by|with|is)|"
    r"needs?|instead of|comes from)\b"
)
_HOW_TO_RUN = re.compile(
    r"\b(?:run|runs|start|build|deploy|test|tests|install|lint|format|migrate|release|use|with|by|via)\b[^`]{0,80}"
    r"`(?:\./|make |npm |pnpm |yarn |uv |python|pytest|cargo |go |docker|just |poetry |gradle|\./gradlew|bash |sh )"
)
# What tries to instruct whoever reads it: nobody needs to remember that, whoever said it.
_INJECTED = re.compile(
    r"\b(?:ignore|disregard|forget|override)\b[^.]{0,30}\b(?:previous|prior|above|earlier|all|your)\b[^.]{0,20}"
    r"\b(?:instructions?|prompts?|rules?|messages?)\b"
    r"|\byou are now\b|\bsystem prompt\b|\bnew instructions?:|\bdo not (?:tell|inform|mention (?:this )?to) the user\b"
    r"|\b(?:as an ai|dear (?:ai|assistant|agent))\b|</?(?:system|assistant|instructions?)\b|\[/?INST\]|<\|im_",
    re.IGNORECASE,
)


_TROUBLE_MARKS = (
    "error", "exception", "fail", "crash", "bug", "race", "lock", "leak", "hang", "hung", "flaky", "regression",
    "work", "cause", "breaks", "broke", "corrupt", "panic", "fault", "gotcha", "silently", "out",
)  # fmt: skip
_INJECTED_MARKS = (
    "ignore", "disregard", "forget", "override", "you are now", "system prompt", "new instruction", "do not ",
    "as an ai", "dear ", "<", "inst]",
)  # fmt: skip
_LEFT_OUT = ("[redacted:", "[private]")  # where a secret was


class Claim(NamedTuple):
    """What is stated, and what speaks for it."""

    type: EventType
    text: str
    trust: Trust
    confidence: float
    support: int = 1  # sessions that state it
    is_asked: bool = False  # a user asked for it to be remembered, or has confirmed it
    has_witness: bool = False  # a user spoke of the same


class Standing(NamedTuple):
    """As what something is remembered."""

    kind: MemoryKind
    status: MemoryStatus
    why: str


def rank(trust: str, *, is_approved: bool = False) -> int:
    """How far something is trusted: what a user said or approved above what an agent said, and that above the rest."""
    return 2 if is_approved else _RANKS.get(trust, 0)


def standing(claim: Claim) -> Standing | None:
    """As what a claim is remembered; None if it stays an entry of the journal."""
    if is_instruction_like(claim.text) or has_any(claim.text, _LEFT_OUT) or holds_secret(claim.text):
        return None
    if claim.trust is Trust.USER:
        return _of_user(claim)
    return _of_agent(claim) if claim.trust is Trust.AGENT else _of_others(claim)


def is_instruction_like(text: str) -> bool:
    """Whether a text speaks to whoever reads it, as injected text does, also if it hides that from who looks at it."""
    text = as_read(text)
    small = text.lower()  # few texts have any of these, and to see that is quick
    return has_any(small, _INJECTED_MARKS) and _INJECTED.search(text) is not None


def is_passing(kind: EventType, text: str, trust: Trust, *, is_asked: bool = False) -> bool:
    """Whether something was said for this once, so that it is no memory and stands against none."""
    is_ruling = kind in _RULES or kind in _CHOICES
    return not is_asked and (is_ruling or trust is Trust.USER) and is_one_off(text, is_ruling=is_ruling)


def _of_user(claim: Claim) -> Standing | None:
    kind = _kind(claim)
    if claim.is_asked:
        return Standing(kind, MemoryStatus.ACTIVE, "a user asked for it to be remembered")
    if is_talk(claim.text):
        return None
    if _is_routine(claim):
        return _repeated(claim, kind, MemoryStatus.ACTIVE)
    if claim.support >= ENOUGH_SESSIONS:
        return Standing(kind, MemoryStatus.ACTIVE, f"{claim.support} sessions state it")
    if is_standing(claim.text):
        return Standing(kind, MemoryStatus.ACTIVE, "a user said it")
    is_likely = claim.type in _RULES or claim.type in _CHOICES or claim.confidence >= PROPOSED_CONFIDENCE
    return Standing(kind, MemoryStatus.PROPOSED, "a user said it, perhaps for that once") if is_likely else None


def _of_agent(claim: Claim) -> Standing | None:
    """Never a rule: what an agent states as one is a fact, or waits until a user has looked at it."""
    kind = _kind(claim)
    is_often = claim.support >= ENOUGH_SESSIONS
    is_likely = is_often or claim.confidence >= PROPOSED_CONFIDENCE
    if claim.is_asked:
        return Standing(kind, MemoryStatus.ACTIVE, "a user confirmed it")
    if claim.type in (EventType.PREFERENCE, EventType.CORRECTION):
        waits = "an agent says that a user wants it so"
        return Standing(kind, MemoryStatus.PROPOSED, waits) if is_likely else None
    if _is_routine(claim):
        return _repeated(claim, kind, MemoryStatus.PROPOSED)
    if claim.type is EventType.CONSTRAINT:
        kind = MemoryKind.GOTCHA if _has_trouble(claim.text) else MemoryKind.FACT
    if is_report(claim.text):
        return None
    if is_often:
        return Standing(kind, MemoryStatus.ACTIVE, f"{claim.support} sessions state it")
    if claim.confidence >= ACTIVE_CONFIDENCE and _is_plain(claim):
        return Standing(kind, MemoryStatus.ACTIVE, "an agent stated it plainly")
    return Standing(kind, MemoryStatus.PROPOSED, "an agent stated it") if is_likely else None


def _of_others(claim: Claim) -> Standing | None:
    """What a tool printed or the web says is at most a fact, and only if a user spoke of it."""
    is_likely = claim.confidence >= PROPOSED_CONFIDENCE or claim.support >= ENOUGH_SESSIONS
    if not (claim.has_witness or claim.is_asked) or not is_likely:
        return None
    return Standing(MemoryKind.FACT, MemoryStatus.ACTIVE, "a user spoke of it")


def _is_plain(claim: Claim) -> bool:
    """Whether it says why, what it takes, how it is done, or what was chosen."""
    is_choice = claim.type in _CHOICES and is_standing(claim.text)
    return is_choice or is_reasoned(claim.text) or _tells_how_to_run(claim.text)


def _repeated(claim: Claim, kind: MemoryKind, status: MemoryStatus) -> Standing | None:
    """What is worth nothing said once: guesses, and checks that passed."""
    if claim.support < ENOUGH_SESSIONS:
        return None
    return Standing(kind, status, f"{claim.support} sessions state it")


def _is_routine(claim: Claim) -> bool:
    return claim.type is EventType.HYPOTHESIS or (claim.type is EventType.EVIDENCE and not _is_gotcha(claim))


def _is_gotcha(claim: Claim) -> bool:
    """Whether something went wrong, and of evidence also why: that something failed is no news by itself."""
    has_cause = claim.type is not EventType.EVIDENCE or _CAUSE.search(in_small(claim.text)) is not None
    return has_cause and _has_trouble(claim.text)


def _tells_how_to_run(text: str) -> bool:
    return "`" in text and _HOW_TO_RUN.search(in_small(text)) is not None


def _has_trouble(text: str) -> bool:
    small = in_small(text)
    return has_any(small, _TROUBLE_MARKS) and _TROUBLE.search(small) is not None


def _kind(claim: Claim) -> MemoryKind:
    if claim.type not in _CHOICES and _tells_how_to_run(claim.text):
        return MemoryKind.PROCEDURE
    if claim.type in _CHOICES:
        return MemoryKind.DECISION
    if claim.type is EventType.CONSTRAINT:
        return MemoryKind.CONSTRAINT
    if claim.type is EventType.PREFERENCE:
        return MemoryKind.PREFERENCE
    if claim.type is EventType.CORRECTION:
        return MemoryKind.PREFERENCE if _STANDING_RULE.search(in_small(claim.text)) else MemoryKind.DECISION
    return MemoryKind.GOTCHA if _is_gotcha(claim) else MemoryKind.FACT
