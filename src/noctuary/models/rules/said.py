"""What the agent said: answers that end a turn, and what it found on the way."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from noctuary.authored import EventType, Trust
from noctuary.models.rules.candidates import LEAST_HEARD, LEAST_SCORE, Candidate
from noctuary.models.rules.cues import ABOUT_ORDERS, HEADINGS, OWNED_UP, QUESTIONS, REFUSALS, SAID
from noctuary.models.rules.lexicon import heaviest, normal, normal_statement
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
    r"header|report|author|maintainers?|vendor)|(?<![\w./-])[\w./-]+\.(?:md|mdc|txt|rst|html|json|ya?ml|toml)|`[^`]+`)"
    r"(?: (?:of|for|from|in|at|on) \S+)?(?: (?:itself|also|explicitly|clearly|then))? "
    r"(?:says?|said|states?|stated|reads|claims?|mentions?|recommends?|suggests?|instructs?|tells?|told|notes|wrote)\b|"
    r"^from [`\w./-]+\.(?:md|mdc|txt|rst|html)`?:|"
    r"\b(?!(?:i|we|you|users?|which|that|this|it|tests?)\b)\w+ (?:says?|states?|claims?|mentions?) that\b"
)
# To ask an enum for a member takes longer than to compare with it, and this is done for every statement.
_CONSTRAINT, _CORRECTION, _DECISION, _EVIDENCE, _FINDING, _REJECTION = (
    EventType.CONSTRAINT,
    EventType.CORRECTION,
    EventType.DECISION,
    EventType.EVIDENCE,
    EventType.FINDING,
    EventType.REJECTION,
)
_AGENT, _TOOL, _WEB = Trust.AGENT, Trust.TOOL, Trust.WEB
# One of these is in all that ABOUT_ORDERS finds.
_OF_ORDERS = frozenset(
    {
        "prompt", "instructions", "guidelines", "orders", "training", "instructed", "tell", "tells", "told", "ai",
        "language",
    }
)  # fmt: skip
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

    is_report: bool
    source: str
    is_first: bool  # nothing was asked before
    asks: bool  # the user asked something
    guesses: bool  # the user asked something, or whether it is so
    has_run: bool  # commands were run, so that something can have been proved
    has_changed: bool  # files were written
    is_web: bool  # some of what it rests on comes from the web
    accepted: Message | None  # what the user said to agree with it
    least: float  # what a statement has to be worth to be kept for a while
    most_cues: float  # what its words can add to what its place is worth


def from_answers(turn: Turn, accepted: Message | None) -> Iterator[Candidate]:
    """What the answer of a turn says was done, found and verified, and whether the user agreed to it then."""
    if turn.answer is not None:
        yield from _read(turn.answer, "answer", turn, accepted)


def from_work(turn: Turn) -> Iterator[Candidate]:
    """What the agent said on the way to its answer.  What it only thought is not read: see decision 17."""
    for message in turn.said[:-1]:
        yield from _read(message, "work" if len(message.content) < _REPORT else "report", turn, None)


def _read(message: Message, source: str, turn: Turn, accepted: Message | None) -> Iterator[Candidate]:
    is_report = source in _REPORTS
    if not is_report and _BASE[source] + _most_cues(message.content) < LEAST_HEARD:
        return  # nothing in it can be worth more than all of it
    found = units(message.content, _UNIT)
    if is_report:
        found = _with_lead(found)
    is_among_many = len(found) > _MANY
    setting = _Setting(
        is_report,
        source,
        turn.place == 0,
        _asks(turn),
        _guesses(turn),
        turn.has_run,
        turn.has_changed,
        turn.is_web,
        accepted,
        LEAST_SCORE if is_among_many else LEAST_HEARD,  # what stands among many is no echo of another
        _MOST_CUES_OF_MANY if is_among_many else _MOST_CUES,
    )
    first, later = _worth_of_place(setting, len(found), is_first=True), _worth_of_place(setting, len(found))
    for unit in found:
        if candidate := _judge(message, unit, setting, later if unit.place else first):
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
    return prompt.rstrip().endswith("?") or normal(prompt[:40]).startswith(QUESTIONS) or _asks_why(prompt)


def _asks_why(prompt: str) -> bool:
    """Whether somebody who leaves out the mark asks at the end."""
    return normal(prompt[-_ENDING:]).endswith((" why ", " how come ", " any idea ", " any ideas ", " warum "))


def _guesses(turn: Turn) -> bool:
    return bool(turn.prompts) and "?" in turn.prompts[-1].content[-_ENDING:]


def _judge(message: Message, unit: Unit, setting: _Setting, place_worth: float) -> Candidate | None:
    if place_worth < setting.least:  # its place alone is not enough
        text = normal(message.content[unit.start : unit.end])
        if place_worth + _worth_of_words(_weights(text, text.split(), setting), setting) < setting.least:
            return None  # before anything that costs more
    said = statement(message.content, unit)
    if said is None:
        return None
    text = normal_statement(said.text)
    words = text.split()
    if not _OF_ORDERS.isdisjoint(words) and ABOUT_ORDERS.search(text):
        return None
    weights = _weights(text, words, setting)
    score = place_worth + _worth_of_words(weights, setting)
    score -= 1.0 * (not is_specific(message.content[said.start : said.end])) + 2.0 * said.text.endswith("?")
    kind = _type(weights, unit, setting, text)
    support: Sequence[Message] = ()
    if setting.accepted is not None and kind is _DECISION:
        support, score = (setting.accepted,), score + 0.5  # the user agreed
    trust = _WEB if setting.is_web else _TOOL if _is_reported(message, said, words) else _AGENT
    topic = topic_of(unit.heading)
    return Candidate(kind, score, message, said.start, said.end, said.text, setting.source, trust, support, topic=topic)


def _is_reported(message: Message, said: Statement, words: Sequence[str]) -> bool:
    """Whether the agent only tells what stands somewhere, or quotes it."""
    if not (_TELLING.isdisjoint(words) and words[0] != "from") and _TOLD.search(said.text.lower()):
        return True
    line = message.content.rfind("\n", 0, said.start) + 1
    return message.content[line : said.start + 1].lstrip()[:1] == ">"


def _weights(text: str, words: Sequence[str], setting: _Setting) -> dict[EventType, float]:
    """What the words of a normal text speak for, where they stand."""
    weights = SAID.weigh(text, words)
    if _CONSTRAINT in weights:  # rules come from people and documents: an agent that says "must" or "only" explains
        weights[_FINDING] = weights.get(_FINDING, 0.0) + 0.5 * weights.pop(_CONSTRAINT)
    if not setting.has_run:
        weights.pop(_EVIDENCE, None)
    if _CORRECTION in weights and (setting.is_first or (setting.guesses and not any(cue in text for cue in OWNED_UP))):
        del weights[_CORRECTION]  # who restates the first prompt or agrees to a guess takes nothing back
    return weights


def _worth_of_words(weights: dict[EventType, float], setting: _Setting) -> float:
    """How much the words of a statement speak for it."""
    return min(setting.most_cues, sum(weights.values()))


def _worth_of_place(setting: _Setting, among: int, *, is_first: bool = False) -> float:
    """How much speaks for a statement where it stands, and how few others stand beside it."""
    score = _BASE[setting.source]
    score -= 0.5 * (among > 8) + 0.5 * (among > _MANY) + 1.5 * (among > 24)
    if setting.asks and is_first and setting.is_report:
        score += 1.0  # the answer to a question stands first
    if setting.is_report and (setting.asks or setting.has_changed):
        score += 0.5  # there is something to report
    return score


@lru_cache(maxsize=256)
def _heading(heading: str) -> Sequence[tuple[EventType, float]]:
    return tuple(HEADINGS.weigh(normal(heading)).items())


def _type(weights: dict[EventType, float], unit: Unit, setting: _Setting, text: str) -> EventType:
    """What a statement is, by its words, its heading and the turn it stands in."""
    if unit.heading:
        for kind, weight in _heading(unit.heading):
            weights[kind] = weights.get(kind, 0.0) + weight
    if setting.is_report:
        if setting.asks:
            weights[_FINDING] = weights.get(_FINDING, 0.0) + 2.0
            if text.startswith(REFUSALS):
                weights[_REJECTION] = weights.get(_REJECTION, 0.0) + 4.0
        elif setting.has_changed:
            weights[_DECISION] = weights.get(_DECISION, 0.0) + 1.0
    if not setting.has_run:
        weights.pop(_EVIDENCE, None)
    return heaviest(weights, _FINDING)
