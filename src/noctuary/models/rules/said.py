"""What the agent said: answers that end a turn, and what it found on the way."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from noctuary.authored import EventType
from noctuary.models.rules.candidates import Candidate
from noctuary.models.rules.cues import HEADINGS, INTENTS, SAID
from noctuary.models.rules.lexicon import normal
from noctuary.models.rules.prose import LONGEST, Unit, plain, sentences, units
from noctuary.models.rules.turns import Turn, is_said
from noctuary.records import Kind, Message, Role

_UNIT = 260
_LEAD = 220  # characters: what introduces a list is shorter
_LEAST_WORDS = 5
_LEAST_THOUGHT = 80
_REPORT = 600  # characters: who says that much amid the work reports
_BASE = {"answer": 3.0, "report": 2.0, "work": 0.0, "thought": -1.0}


class _Setting(NamedTuple):
    """What the turn is about, which tells what its sentences are."""

    asks: bool  # the user asked something
    has_run: bool  # tools were used


def from_answers(turn: Turn) -> Iterator[Candidate]:
    """What the answer of a turn says was done, found and verified."""
    if turn.answer is None:
        return
    yield from _read(turn.answer, "answer", _Setting(_asks(turn), _has_run(turn)))


def from_work(turn: Turn) -> Iterator[Candidate]:
    """What the agent said on the way to its answer, and thought."""
    setting = _Setting(_asks(turn), _has_run(turn))
    for message in turn.work:
        if message is turn.answer:
            continue
        if is_said(message):
            source = "work" if len(message.content) < _REPORT else "report"
        elif message.kind is Kind.THINKING and message.role is Role.ASSISTANT and len(message.content) > _LEAST_THOUGHT:
            source = "thought"
        else:
            continue
        yield from _read(message, source, setting)


def _read(message: Message, source: str, setting: _Setting) -> Iterator[Candidate]:
    found = units(message.content, _UNIT)
    if source in {"answer", "report"}:
        found = _with_lead(found)
    for unit in found:
        if candidate := _judge(message, unit, source, setting, len(found)):
            yield candidate


def _has_run(turn: Turn) -> bool:
    """Whether anything was run, so that something can have been proved."""
    return any(message.kind is Kind.TOOL_RESULT for message in turn.work)


def _with_lead(found: list[Unit]) -> list[Unit]:
    """The units, the first joined with the list that it introduces."""
    if len(found) < 2 or found[0].is_bullet or not found[1].is_bullet or found[0].end - found[0].start > _LEAD:
        return found
    lead, first = found[0], found[1]
    return [Unit(lead.start, first.end, first.heading, False, 0, (*lead.spans, *first.spans)), *found[2:]]


def _asks(turn: Turn) -> bool:
    """Whether the user asked something rather than told to do something."""
    if not turn.prompts:
        return False
    prompt = turn.prompts[-1].content
    return "?" in prompt or normal(prompt[:40]).startswith(
        (" why ", " what ", " how ", " is ", " are ", " explain ", " explore ")
    )


def _judge(message: Message, unit: Unit, source: str, setting: _Setting, among: int) -> Candidate | None:
    content = message.content
    spans = [
        span
        for piece in unit.spans
        for span in sentences(content, *piece)
        if not normal(content[span[0] : span[0] + 40]).startswith(INTENTS)
    ]
    if not spans:
        return None
    text = _joined(content, spans)
    norm = normal(text)
    if norm.count(" ") <= _LEAST_WORDS or not _is_statement(text):
        return None
    weights = SAID.weigh(norm)
    if EventType.CONSTRAINT in weights:
        weights[EventType.CONSTRAINT] *= 0.5  # rules come from people and documents; in an agent's report they explain
    if not setting.has_run:
        weights.pop(EventType.EVIDENCE, None)
    asks = setting.asks and source in {"answer", "report"}
    score = min(4.0 if among > 12 else 6.0, sum(weights.values()))
    if asks and unit.place == 0:
        score += 1.0  # the answer to a question stands first
    for kind, weight in HEADINGS.weigh(normal(unit.heading)).items():
        weights[kind] = weights.get(kind, 0.0) + weight
    if asks:
        weights[EventType.FINDING] = weights.get(EventType.FINDING, 0.0) + 2.0
    if source == "answer" and norm.startswith(" no "):
        weights[EventType.REJECTION] = weights.get(EventType.REJECTION, 0.0) + 4.0
    kind = max(weights, key=lambda k: weights[k]) if weights else EventType.FINDING
    if unit.is_bullet and 0 < len(unit.heading) < 80 and len(text) < 200:
        text = f"{unit.heading}: {text}"
    score += _BASE[source]
    if source != "thought":
        score -= 0.5 * (among > 8) + 0.5 * (among > 12) + 1.5 * (among > 24)
    if not _is_specific(text):
        score -= 1.0
    if text.endswith("?"):
        score -= 2.0
    start, end = spans[0][0], spans[-1][1]
    raw = content[start : min(end, start + 2 * LONGEST)].rstrip()
    return Candidate(kind, score, message, start, start + len(raw), shortened(text), source)


def _joined(content: str, spans: Sequence[tuple[int, int]]) -> str:
    """The sentences and bullets as one text."""
    pieces: list[str] = []
    for start, end in spans:
        piece = plain(content[start:end])
        if piece:
            pieces.append(piece if piece[-1] in ".;:?!,—" else f"{piece};")
    return " ".join(pieces).rstrip(";, ")


def _is_statement(text: str) -> bool:
    """Whether the text says something, rather than listing names and places."""
    return sum(word.isalpha() and word.islower() for word in text.split()) > 3


def _is_specific(text: str) -> bool:
    """Whether the text names something, or is long enough to say what it is about."""
    return len(text) > 90 or any(not word.isalpha() or not word.islower() for word in text.rstrip(".!").split()[1:])


def shortened(text: str) -> str:
    """The text, or as many of its words as a proposal may have."""
    if len(text) <= LONGEST:
        return text
    return text[: LONGEST - 1].rsplit(" ", 1)[0].rstrip(" ,;:") + "…"
