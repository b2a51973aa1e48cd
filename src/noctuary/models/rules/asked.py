"""What the user said: rules, corrections, choices and requests to remember."""

from collections.abc import Iterator

from noctuary.authored import EventType, Trust
from noctuary.models.rules.candidates import Candidate
from noctuary.models.rules.cues import CUES, hits
from noctuary.models.rules.prose import LONGEST, passages, plain, sentences
from noctuary.models.rules.turns import Turn
from noctuary.records import Message

_LONG = 3_000  # characters: what is longer was pasted
_CORRECTING = ("wait", "no,", "no ", "nope", "actually", "oh.", "oh,", "stop", "not ", "hmm", "instead")
_HABITS = ("always", "never ", "from now on", "prefer", "every time", "commit ", "don't ask", "stop asking", "whenever")
_CHOOSING = ("let's", "lets ", "i'd rather", "i think", "we want", "use ", "go for", "go with", "we do ", "replace")
_ASKED = (
    "remember that",
    "remember this",
    "remember:",
    "please remember",
    "merk dir",
    "запомни",
    "recuerda",
    "souviens-toi",
)


def from_prompts(turn: Turn, is_first: bool) -> Iterator[Candidate]:
    """What the user's words ask for beyond this turn."""
    for prompt in turn.prompts:
        content = prompt.content
        for part in passages(content):
            for start, end in _grouped(sentences(content, part.start, part.end)):
                if candidate := _judge(prompt, start, end, is_first):
                    yield candidate


def _grouped(spans: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Sentences, short neighbours together."""
    start = end = -1
    for span in spans:
        if start >= 0 and span[1] - start <= LONGEST // 2:
            end = span[1]
            continue
        if start >= 0:
            yield start, end
        start, end = span
    if start >= 0:
        yield start, end


def _judge(prompt: Message, start: int, end: int, is_first: bool) -> Candidate | None:
    raw = prompt.content[start : min(end, start + LONGEST)].rstrip()
    text = plain(raw)
    words = text.split()
    if len(words) < 4:
        return None
    padded = f" {text.lower()} "
    counts = {kind: hits(padded, cues) for kind, cues in CUES.items()}
    is_asked = hits(padded, _ASKED) > 0
    corrects = not is_first and padded[1:].startswith(_CORRECTING)
    habits, choices = hits(padded, _HABITS), hits(padded, _CHOOSING)
    score = sum(min(n, 2) for n in counts.values()) + 2.0 * corrects + habits + choices + 5.0 * is_asked
    if not score:
        return None
    score += 2.0
    if len(prompt.content) > _LONG:
        score -= 3.0
    if text.endswith("?"):
        score -= 1.0
    if corrects:
        type_ = EventType.CORRECTION
    elif habits:
        type_ = EventType.PREFERENCE
    elif counts[EventType.REJECTION]:
        type_ = EventType.REJECTION
    elif counts[EventType.CONSTRAINT]:
        type_ = EventType.CONSTRAINT
    elif choices:
        type_ = EventType.DECISION
    else:
        type_ = EventType.CONSTRAINT
    return Candidate(type_, score, prompt, start, start + len(raw), text, trust=Trust.USER, is_asked=is_asked)
