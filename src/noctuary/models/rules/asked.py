"""What the user said: rules, corrections, choices and requests to remember."""

from collections.abc import Iterator

from noctuary.authored import EventType, Trust
from noctuary.models.rules.candidates import Candidate
from noctuary.models.rules.cues import ASKED, OBJECTIONS, REMEMBER
from noctuary.models.rules.lexicon import normal
from noctuary.models.rules.prose import LONGEST, Unit, plain, units
from noctuary.models.rules.turns import Turn
from noctuary.records import Message

_UNIT = 220
_LONG = 3_000  # characters: what is longer was pasted


def from_prompts(turn: Turn, is_first: bool) -> Iterator[Candidate]:
    """What the user's words ask for beyond this turn."""
    for prompt in turn.prompts:
        yield from judge_words(prompt, 0, "prompt", is_first)


def judge_words(
    message: Message, start: int, source: str, is_first: bool, end: int | None = None
) -> Iterator[Candidate]:
    """What somebody's words in a message ask for, from this place on."""
    for unit in units(message.content[start:end], _UNIT):
        if candidate := _judge(message, unit, start, source, is_first):
            yield candidate


def _judge(prompt: Message, unit: Unit, offset: int, source: str, is_first: bool) -> Candidate | None:
    start = offset + unit.start
    raw = prompt.content[start : start + min(unit.end - unit.start, 2 * LONGEST)].rstrip()
    text = plain(raw)
    norm = normal(text)
    words = norm.split()
    if len(words) < 4 or not is_prose(text):
        return None
    weights = ASKED.weigh(norm)
    if text.endswith("?"):
        for kind in (EventType.PREFERENCE, EventType.CONSTRAINT):
            weights.pop(kind, None)
    objects = not is_first and norm[1:].startswith(OBJECTIONS)
    if objects:
        weights[EventType.CORRECTION] = weights.get(EventType.CORRECTION, 0.0) + 3.0
    elif is_first or not any(k is EventType.CORRECTION for k in weights):
        weights.pop(EventType.CORRECTION, None)
    is_asked = any(cue in norm for cue in REMEMBER)
    score = min(6.0, sum(weights.values())) + 5.0 * is_asked
    if not score:
        return None
    is_long = len(prompt.content) > _LONG
    score += 2.5 - 3.0 * is_long - 1.0 * text.endswith("?")
    kind = max(weights, key=lambda k: weights[k]) if weights else EventType.PREFERENCE
    source = "pasted" if is_long and source == "prompt" else source
    return Candidate(
        kind, score, prompt, start, start + len(raw), text[:LONGEST], source, Trust.USER, is_asked=is_asked
    )


def is_prose(text: str) -> bool:
    """Whether the text consists of words rather than of a log or code."""
    words = text.split()
    return sum(word.strip(".,;:!?()'\"").isalpha() for word in words) >= 0.6 * len(words)
