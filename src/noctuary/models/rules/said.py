"""What the agent said: answers that end a turn, and what it found on the way."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from noctuary.authored import EventType, Trust
from noctuary.models.rules.candidates import LEAST_HEARD, LEAST_SCORE, Candidate
from noctuary.models.rules.cues import ABOUT_ORDERS, HEADINGS, OWNED_UP, QUESTIONS, REFUSALS, SAID
from noctuary.models.rules.lexicon import heaviest, normal
from noctuary.models.rules.prose import MOST_READ, Unit, units
from noctuary.models.rules.statements import Statement, is_specific, statement, topic_of
from noctuary.models.rules.turns import Turn
from noctuary.records import Message

# An agent that tells what it has read: what a text says is not what the agent found.
_TELLING = frozenset(
    {
        "according", "say", "says", "said", "state", "states", "stated", "reads", "claim", "claims", "mention",
        "mentions", "recommend", "recommends", "suggest", "suggests", "instruct", "instructs", "tell", "tells", "told",
        "notes", "noted", "written", "wrote", "documented", "laut", "согласно", "según", "selon",
    }
)  # fmt: skip
_TOLD = re.compile(
    r"\b(?:according to|as (?:stated|noted|written|documented) in|laut|согласно|según|selon)\b|"
    r"(?:\b(?:page|site|website|docs?|documentation|readme|changelog|release notes|article|blog|post|guide|manual|spec|"
    r"specification|commit(?: message)?|commits|log|issue|ticket|thread|e?-?mail|message|comments?|file|notes|"
    r"header|report|author|maintainers?|vendor)|[\w./-]+\.(?:md|mdc|txt|rst|html|json|ya?ml|toml)|`[^`]+`)"
    r"(?: (?:of|for|from|in|at|on) \S+)?(?: (?:itself|also|explicitly|clearly|then))? "
    r"(?:says?|said|states?|stated|reads|claims?|mentions?|recommends?|suggests?|instructs?|tells?|told|notes|wrote)\b|"
    r"^from [`\w./-]+\.(?:md|mdc|txt|rst|html)`?:",
    re.IGNORECASE,
)
_UNIT = 260
_ENDING = 60  # characters of a prompt in which its question stands
_LEAD = 220  # characters: what introduces a list is shorter
_REPORT = 600  # characters: who says that much amid the work reports

# How much a place speaks for what is said there: an answer was written to be kept.
_BASE = {"answer": 2.5, "report": 2.0, "work": 0.0}
_REPORTS = frozenset({"answer", "report"})
_MANY = 12  # units of a message
_MOST_CUES = 6.0
_MOST_CUES_OF_MANY = 4.0  # where one statement stands among many


class _Setting(NamedTuple):
    """Where a statement stands, which tells what it is."""

    source: str
    is_first: bool  # nothing was asked before
    asks: bool  # the user asked something
    guesses: bool  # the user asked something, or whether it is so
    has_run: bool  # commands were run, so that something can have been proved
    has_changed: bool  # files were written
    is_web: bool  # some of what it rests on comes from the web
    among: int  # as many units has the message
    accepted: Message | None  # what the user said to agree with it


def from_answers(turn: Turn, accepted: Message | None) -> Iterator[Candidate]:
    """What the answer of a turn says was done, found and verified, and whether the user agreed to it then."""
    if turn.answer is not None:
        yield from _read(turn.answer, "answer", turn, accepted)


def from_work(turn: Turn) -> Iterator[Candidate]:
    """What the agent said on the way to its answer.  What it only thought is not read: see decision 17."""
    for message in turn.said[:-1]:
        yield from _read(message, "work" if len(message.content) < _REPORT else "report", turn, None)


def _read(message: Message, source: str, turn: Turn, accepted: Message | None) -> Iterator[Candidate]:
    if source not in _REPORTS and _BASE[source] + _most_cues(message.content) < LEAST_HEARD:
        return  # nothing in it can be worth more than all of it
    found = units(message.content, _UNIT)
    if source in _REPORTS:
        found = _with_lead(found)
    setting = _Setting(
        source,
        turn.place == 0,
        _asks(turn),
        _guesses(turn),
        turn.has_run,
        turn.has_changed,
        turn.is_web,
        len(found),
        accepted,
    )
    for unit in found:
        if candidate := _judge(message, unit, setting):
            yield candidate


def _most_cues(content: str) -> float:
    """What all cues in a message are worth; of one unit they are weighed anyway."""
    return sum(SAID.weigh(normal(content[:MOST_READ])).values()) if len(content) > _UNIT else _MOST_CUES


def _with_lead(found: list[Unit]) -> list[Unit]:
    """The units, the first joined with the list that it introduces."""
    if len(found) < 2 or found[0].is_bullet or not found[1].is_bullet or found[0].end - found[0].start > _LEAD:
        return found
    lead, first = found[0], found[1]
    return [Unit(lead.start, first.end, first.heading, False, 0, (*lead.spans, *first.spans)), *found[2:]]


def _asks(turn: Turn) -> bool:
    """Whether the user asked something rather than told to do something."""
    if not turn.prompts:
        return turn.is_errand
    prompt = turn.prompts[-1].content
    return prompt.rstrip().endswith("?") or normal(prompt[:40]).startswith(QUESTIONS)


def _guesses(turn: Turn) -> bool:
    return bool(turn.prompts) and "?" in turn.prompts[-1].content[-_ENDING:]


def _judge(message: Message, unit: Unit, setting: _Setting) -> Candidate | None:
    least = LEAST_HEARD if setting.among <= _MANY else LEAST_SCORE  # what stands among many is no echo of another
    if _worth({}, unit, setting) < least:  # its place alone is not enough
        weights = _weights(normal(message.content[unit.start : unit.end]), setting)
        if _worth(weights, unit, setting) < least:
            return None  # before anything that costs more
    said = statement(message.content, unit)
    if said is None:
        return None
    text = normal(said.text)
    if ABOUT_ORDERS.search(text):
        return None
    weights = _weights(text, setting)
    score = _worth(weights, unit, setting)
    score -= 1.0 * (not is_specific(message.content[said.start : said.end])) + 2.0 * said.text.endswith("?")
    kind = _type(weights, unit, setting, text)
    support: Sequence[Message] = ()
    if setting.accepted is not None and kind is EventType.DECISION:
        support, score = (setting.accepted,), score + 0.5  # the user agreed
    trust = Trust.WEB if setting.is_web else Trust.TOOL if _is_reported(message, said, text.split()) else Trust.AGENT
    topic = topic_of(unit.heading)
    return Candidate(kind, score, message, said.start, said.end, said.text, setting.source, trust, support, topic=topic)


def _is_reported(message: Message, said: Statement, words: Sequence[str]) -> bool:
    """Whether the agent only tells what stands somewhere, or quotes it."""
    if not (_TELLING.isdisjoint(words) and words[0] != "from") and _TOLD.search(said.text):
        return True
    line = message.content.rfind("\n", 0, said.start) + 1
    return message.content[line : said.start + 1].lstrip()[:1] == ">"


def _weights(text: str, setting: _Setting) -> dict[EventType, float]:
    """What the words of a normal text speak for, where they stand."""
    weights = SAID.weigh(text)
    rules = weights.pop(EventType.CONSTRAINT, 0.0)
    if rules:  # rules come from people and documents: where an agent says "must" or "only", it explains
        weights[EventType.FINDING] = weights.get(EventType.FINDING, 0.0) + 0.5 * rules
    if not setting.has_run:
        weights.pop(EventType.EVIDENCE, None)
    is_taken_back = EventType.CORRECTION in weights and not setting.is_first
    if not is_taken_back or (setting.guesses and not any(cue in text for cue in OWNED_UP)):
        weights.pop(EventType.CORRECTION, None)  # who restates the first prompt or agrees to a guess takes nothing back
    return weights


def _worth(weights: dict[EventType, float], unit: Unit, setting: _Setting) -> float:
    """How much speaks for a statement: its words, its place, and how few others stand beside it."""
    most = _MOST_CUES if setting.among <= _MANY else _MOST_CUES_OF_MANY
    score = _BASE[setting.source] + min(most, sum(weights.values()))
    score -= 0.5 * (setting.among > 8) + 0.5 * (setting.among > _MANY) + 1.5 * (setting.among > 24)
    if setting.asks and unit.place == 0 and setting.source in _REPORTS:
        score += 1.0  # the answer to a question stands first
    if setting.source in _REPORTS and (setting.asks or setting.has_changed):
        score += 0.5  # there is something to report
    return score


@lru_cache(maxsize=256)
def _heading(heading: str) -> Sequence[tuple[EventType, float]]:
    return tuple(HEADINGS.weigh(normal(heading)).items()) if heading else ()


def _type(weights: dict[EventType, float], unit: Unit, setting: _Setting, text: str) -> EventType:
    """What a statement is, by its words, its heading and the turn it stands in."""
    for kind, weight in _heading(unit.heading):
        weights[kind] = weights.get(kind, 0.0) + weight
    if setting.source in _REPORTS:
        if setting.asks:
            weights[EventType.FINDING] = weights.get(EventType.FINDING, 0.0) + 2.0
        elif setting.has_changed:
            weights[EventType.DECISION] = weights.get(EventType.DECISION, 0.0) + 1.0
        if setting.asks and text.startswith(REFUSALS):
            weights[EventType.REJECTION] = weights.get(EventType.REJECTION, 0.0) + 4.0
    if not setting.has_run:
        weights.pop(EventType.EVIDENCE, None)
    return heaviest(weights, EventType.FINDING)
