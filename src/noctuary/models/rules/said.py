"""What the agent said: answers that end a turn, and what it found on the way."""

from collections.abc import Iterator

from noctuary.authored import EventType
from noctuary.models.rules.candidates import Candidate
from noctuary.models.rules.cues import HEADINGS, INTENTS, SAID
from noctuary.models.rules.lexicon import normal
from noctuary.models.rules.prose import LONGEST, Unit, plain, sentences, units
from noctuary.models.rules.turns import Turn, is_said
from noctuary.records import Kind, Message, Role

_UNIT = 260


def from_answers(turn: Turn) -> Iterator[Candidate]:
    """What the answer of a turn says was done, found and verified."""
    if turn.answer is None:
        return
    asks = _asks(turn)
    for unit in units(turn.answer.content, _UNIT):
        if candidate := _judge(turn.answer, unit, "answer", asks):
            yield candidate


def from_work(turn: Turn) -> Iterator[Candidate]:
    """What the agent said on the way to its answer, and thought."""
    for message in turn.work:
        if message is turn.answer:
            continue
        if is_said(message):
            source = "work"
        elif message.kind is Kind.THINKING and message.role is Role.ASSISTANT and len(message.content) > 80:
            source = "thought"
        else:
            continue
        for unit in units(message.content, _UNIT):
            if candidate := _judge(message, unit, source, asks=False):
                yield candidate


def _asks(turn: Turn) -> bool:
    """Whether the user asked something rather than told to do something."""
    if not turn.prompts:
        return False
    text = normal(turn.prompts[-1].content[:400])
    return "?" in turn.prompts[-1].content or text.startswith(
        (" why", " what", " how", " is ", " are ", " explain", " explore")
    )


def _judge(message: Message, unit: Unit, source: str, asks: bool) -> Candidate | None:
    content = message.content
    spans = [
        span
        for piece in unit.spans
        for span in sentences(content, *piece)
        if not normal(content[span[0] : span[0] + 40]).startswith(INTENTS)
    ]
    if not spans:
        return None
    start = spans[0][0]
    end = max([span[1] for span in spans if span[1] - start <= LONGEST + 60], default=spans[0][1])
    raw = content[start : min(end, start + 2 * LONGEST)].rstrip()
    text = (
        "; ".join(filter(None, (plain(content[a:b]) for a, b in spans if b <= end + 1)))
        if unit.is_bullet
        else plain(raw)
    )
    norm = normal(text)
    n = norm.count(" ") - 1
    if n < 5:
        return None
    weights = SAID.weigh(norm)
    score = min(6.0, sum(weights.values()))
    for kind, weight in HEADINGS.weigh(normal(unit.heading)).items():
        weights[kind] = weights.get(kind, 0.0) + weight
    if asks:
        weights[EventType.FINDING] = weights.get(EventType.FINDING, 0.0) + 2.0
    if source == "answer" and norm.startswith(" no "):
        weights[EventType.REJECTION] = weights.get(EventType.REJECTION, 0.0) + 4.0
    kind = max(weights, key=lambda k: weights[k]) if weights else EventType.FINDING
    if unit.is_bullet and 0 < len(unit.heading) < 80 and len(text) < 200:
        text = f"{unit.heading}: {text}"
    score += {"answer": 3.0, "work": 0.0, "thought": -1.0}[source]
    score += 0.5 if "`" in raw else 0.0
    if text.endswith("?"):
        score -= 2.0
    return Candidate(kind, score, message, start, start + len(raw), text[:LONGEST], source)
