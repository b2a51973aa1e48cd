"""What the user said: rules, corrections, choices and requests to remember."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from noctuary.authored import EventType, Trust
from noctuary.models.rules.candidates import Candidate
from noctuary.models.rules.cues import (
    ACCEPTANCES,
    ACKNOWLEDGEMENTS,
    ASKED,
    ASSENT,
    CHATTER,
    DENIALS,
    NO_DENIALS,
    OBJECTIONS,
    REMEMBER,
    REQUESTS,
    TURNED_DOWN,
)
from noctuary.models.rules.documents import from_pasted
from noctuary.models.rules.lexicon import heaviest, normal
from noctuary.models.rules.others import own_words
from noctuary.models.rules.prose import Unit, plain, units
from noctuary.models.rules.statements import is_prose, joined, quote_end, shortened
from noctuary.models.rules.stating import by_build, chooses_language, lays_down_below, respelt
from noctuary.models.rules.telling import told_elsewhere
from noctuary.models.rules.tongues import asked_elsewhere, is_plainly_own
from noctuary.models.rules.turns import Turn
from noctuary.records import Message
from noctuary.text import is_unspaced

_UNIT = 220
_PASTED = 3_000  # characters: what is longer was pasted
# What people type above a document asks about it or hands it over: it ends so, or a line is drawn below it, or a title
# stands there.  Any other first paragraph belongs to the document.
_HANDED_OVER = re.compile(
    r"\s*[^\n]{1,1000}(?:\n[^\n]{1,1000}){0,4}?(?:(?<=[:?])(?=[ \t]*\n)|(?=[ \t]*\n\s*(?:[-=_*]{2,}[ \t]*\n|# )))"
)
_LEAST_WORDS = 4
_LEAST_LETTERS = 6  # of a script whose words are not apart
_REPROACH = " why did you "  # though it is a question
_MOST_WORDS_OF_ASSENT = 4
_BASE = 3.0
_MOST_CUES = 6.0
_ASKED_FOR = 4.0  # is what it is worth that somebody asks for it to be remembered
_KEPT_BY_HAND = re.compile(r"\s*# ([^\n]+?)\s*")  # one line; what has lines below it is a page with a title
_LOGGED = re.compile(r"^(?:\S+ +\|| *=> |\[\d|\s+at \S|[\w.-]+@|\d{2}:\d{2}|[❯$%] ?\S).*$", re.MULTILINE)
_PRELUDE = re.compile(
    r"^(?:(?:amazing|great|awesome|perfect|nice|cool|good|thanks|thank you|yes|yeah|right|alright|sure|"
    r"wow)[!.,;:…-]+\s*|"
    r"(?:ok|okay|oh|ah|hm+|so|and|but|also)\b[!.,;:…\s-]+|"
    r"(?:please )?(?:go|do|start|proceed|continue)(?: ahead)?(?: and \w+)?(?: it)?[!.]\s+|ちなみに[、,]?\s*)+",
    re.IGNORECASE,
)
# How a sentence goes on that began elsewhere, and where its next part begins.
_GOES_ON = re.compile(r"(?:is|are|was|were|has|had|which|than|of)\b(?![^.!]*\?)")
_NEXT_PART = re.compile(r"(?:[.;,!]| [-–—])\s+")
# What is to be done about something, said with what is wrong with it.
_DOES = re.compile(
    r"(?:^|[,;:.!?]\s+|\b(?:and|so|we|please|just|then) )(?:use|take|switch|upgrade|replace|move|go|pick|try|drop|"
    r"remove|rewrite|lets|let's|let’s)\b",
    re.IGNORECASE,
)
# An objection that only points: which of two things was meant is over when it is done.
_POINTS = re.compile(
    r"(?:(?:no+|nope|wait|sorry|oh|hm+|stop|not (?:that|this)(?: one)?|nein|non)\b[\s,.!…-]*)+"
    r"(?:i (?:mean|meant) )?(?:the|that|this|these|those|my) (?:(?:other|first|second|third|last|previous|next|left|"
    r"right|"
    r"new|old|upper|lower|same|one) ?){1,2}(?:[\w-]+ ?){0,2}\W*$",
    re.IGNORECASE,
)
# What comes next is a step, and no choice of one thing over another.
_STEP = re.compile(
    r"\b(?:let['’]?s|lass uns|давай|vamos a)\b[^.!?\n]{1,60}\b(?:first|erst|zuerst|сначала|primero)(?=\W*$|"
    r"[,;.])",
    re.IGNORECASE,
)
# What is only supposed is laid down by nobody.
_SUPPOSED = re.compile(
    r"\W*(?:so |and |but |ok(?:ay)? )*(?:(?:suppose|imagine|assum(?:e|ing)) (?:that |for a moment )?"
    r"(?:we|you|i|they|it|somebody|someone)|what if|hypothetically|angenommen|supongamos|supposons|imaginons|допустим|"
    r"предположим)\b",
    re.IGNORECASE,
)
# What is to be shown or done once: "only" says of which.
_ONCE = (" show ", " list ", " print ", " give me ", " run ", " rerun ", " open ", " look ", " check ", " display ")
_NEVER_ASKED = (EventType.DECISION, EventType.CORRECTION)  # by who asks to do something, which is a demand
_REMEDY = re.compile(
    r"[,;:–—] (?:so |please |just |then |better )?(?:use|take|switch|upgrade|go with|pick)\b", re.IGNORECASE
)
_ASKING = re.compile(r"[^.!?\n]*\?[?!]*")
_STATED = (EventType.PREFERENCE, EventType.CONSTRAINT, EventType.DECISION, EventType.CORRECTION)
_GOES_BACK = 2.0  # is the weight of what corrects something that was said in a session before
_HEADED = 3.0  # is the weight of standing below what says that it holds
_HELPS = 1.0  # is the weight of a word that only helps: who thinks or wants something has not decided it
_CHOOSING = (" use ", " please use ", " we use ", " take ", " pick ", " pin ", " stay with ", " stick with ")
_WHERE = (" not ", " for ", " in ", " on ", " when ", " with ", " everywhere ", " instead ", " until ")
_CEASE = re.compile(r"(?:please )?(?:stop|quit) \w+ing\b", re.IGNORECASE)  # what somebody is to do no longer
_DECIDED = re.compile(
    r"(?:^|[.!?]\s+)(?P<word>(?:decision|decided|entscheidung|решение|decisión|décision|決定)\s*[:：])", re.IGNORECASE
)
# What a label announces, what holds for each thing of a kind, and what is to be done in a case.
_LAID_DOWN = re.compile(
    r"(?:^|[.!;:\n]\s*)(?:(?:(?:new|our|house|team|project|another|one more) )?(?:formatting|naming|style|"
    r"conventions?|"
    r"polic(?:y|ies)|rules?|workflow|branching|versioning|tone|standard|guidelines?|principles?|indentation|wording)"
    r"(?: here| for [\w ]{2,30})?: |"
    r"(?:(?:every|each|any) |(?:any|every)(?:thing|one|body) )"
    r"(?:[\w<>/`.#@-]+ ){1,4}?(?:needs|gets|goes|has|must|should|uses|lives|belongs|starts|ends|carries)\b|"
    r"(?:if|when|where) (?:a|an|any|some(?:thing|one|body)|you(?: ever)?) [^.?\n]{5,90}(?:, (?:then )?| then |\b)"
    r"(?:mark|use|add|put|run|ask|tell|leave|skip|write|open|call|keep|move|tag|name|prefix|log|raise|return|stop)\b)",
    re.IGNORECASE,
)
_FENCED = re.compile(r"^[ \t]*```.*?(?:^[ \t]*```[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
_NOT_A_BREAK = re.compile(r"[^\n]")
_BEFORE_CODE = re.compile(
    r":(?=[ \t]*\n\s*(?:```|~~~|\Z))"
)  # who shows code with what he says has said it all the same
_MOST_LOGGED = 4  # lines; more are the output of a program


class Words(NamedTuple):
    """Where somebody's words stand, and what is known about them."""

    message: Message
    start: int
    end: int
    source: str
    is_first: bool = False  # nothing was said before that they could object to
    answer: Message | None = None  # the first thing the agent said to them, if that owns up to something


def from_prompts(turn: Turn, is_first: bool) -> Iterator[Candidate]:
    """What the user's words ask for beyond this turn."""
    answer = turn.said[0] if turn.said else None
    if answer is not None and not normal(answer.content[:60]).startswith(ACKNOWLEDGEMENTS):
        answer = None
    for prompt in turn.prompts:
        end = typed_end(prompt.content)
        yield from _kept_by_hand(prompt) or judge_words(Words(prompt, 0, end, "prompt", is_first, answer))
        if _is_document(prompt.content):
            yield from from_pasted(prompt, end)


def _kept_by_hand(prompt: Message) -> list[Candidate]:
    """What somebody has the agent keep by a sign before it, as Claude Code writes it down."""
    found = _KEPT_BY_HAND.fullmatch(prompt.content)
    if found is None or own_words(found[1]) != found[1] or not _says_something(found[1], normal(found[1])):
        return []
    words = Words(prompt, found.start(1), found.end(1), "prompt")
    kept = [*judge_words(words)] or [_plainly(words, found[1])]
    return [each._replace(score=each.score + _ASKED_FOR * (not each.is_asked), is_asked=True) for each in kept]


def _plainly(words: Words, text: str) -> Candidate:
    return Candidate(
        EventType.PREFERENCE, _BASE, words.message, words.start, words.end, shortened(text), words.source, Trust.USER
    )


def typed_end(content: str) -> int:
    """Where a prompt ends that somebody typed, before the log or the document that was pasted below it."""
    if (log := _log(content)) is not None:
        return log
    if not _is_document(content):
        return len(content)
    found = _HANDED_OVER.match(content)
    return found.end() if found else 0


def _log(content: str) -> int | None:
    """Where the output of a program begins that was pasted."""
    if content.count("\n", 0, _PASTED) < _MOST_LOGGED:  # as of most prompts
        return None
    logged = [found.start() for found in _LOGGED.finditer(content, 0, _PASTED)]
    return logged[0] if len(logged) > _MOST_LOGGED else None


def _is_document(content: str) -> bool:
    is_long = len(content) > _PASTED or (len(content) > _PASTED // 3 and content.count("\n#") > 1)
    return is_long and _log(content) is None


def is_acceptance(turn: Turn) -> bool:
    """Whether the user only agreed to what was proposed, or picked one of its options."""
    if len(turn.prompts) != 1:
        return False
    words = normal(turn.prompts[0].content[:80]).split()
    if len(words) == 1 and (len(words[0]) == 1 or words[0].isdigit()):
        return True
    if not words or words[0] not in ACCEPTANCES:
        return False
    return len(words) <= _MOST_WORDS_OF_ASSENT or all(word in ASSENT for word in words)


def judge_words(words: Words) -> Iterator[Candidate]:
    """What somebody's own words ask for; what is quoted or pasted among them asks for nothing."""
    content = _BEFORE_CODE.sub(".", own_words(words.message.content[words.start : words.end]))
    if "```" in content:
        content = _FENCED.sub(lambda found: _NOT_A_BREAK.sub(" ", found[0]), content)
    for unit in units(content, _UNIT):
        if candidate := _judge(words, content, unit):
            yield candidate


def _judge(words: Words, content: str, unit: Unit) -> Candidate | None:
    end = quote_end(content, unit.start, unit.end)
    text = joined(content, unit.spans) if unit.is_bullet else plain(content[unit.start : end])
    text = _begun(text)
    norm = normal(text)
    if (
        not _says_something(text, norm)
        or any(cue in norm for cue in CHATTER)
        or _POINTS.match(text)
        or _SUPPOSED.match(text)
    ):
        return None
    weights = _weights(words, text, norm)
    if not weights and unit.heading and lays_down_below(unit.heading):
        weights = {EventType.PREFERENCE: _HEADED}
    is_asked = any(cue in norm for cue in REMEMBER)
    if not is_asked and sum(weights.values()) <= (_HELPS if set(weights) <= {EventType.DECISION} else 0.0):
        return None
    score = _BASE + min(_MOST_CUES, sum(weights.values())) + _ASKED_FOR * is_asked
    score -= 1.0 * (text.endswith("?") and not _tells_before_it_asks(text))
    kind = heaviest(weights, EventType.PREFERENCE)
    support = () if words.answer is None or kind is not EventType.CORRECTION else (words.answer,)
    return Candidate(
        kind,
        score,
        words.message,
        words.start + unit.start,
        words.start + end,
        shortened(_to_the_point(text)),
        words.source,
        Trust.USER,
        support,
        is_asked=is_asked,
    )


def _tells_before_it_asks(text: str) -> bool:
    return _ASKING.sub(" ", text).strip().count(" ") >= _LEAST_WORDS


def _says_something(text: str, norm: str) -> bool:
    """Whether there are enough words; where words are not apart, enough letters."""
    if not text.isascii() and (letters := sum(map(is_unspaced, text))) >= _LEAST_LETTERS:
        return letters >= len(text) / 4  # in Korean words are apart, but few; names of tools are in Latin letters
    return norm.count(" ") > _LEAST_WORDS and is_prose(text)


def _to_the_point(text: str) -> str:
    """The text without what people say first: that they are pleased, that they agree, that one should begin."""
    decided = _DECIDED.search(text)
    begun = text[decided.start("word") :] if decided else _PRELUDE.sub("", text)
    return begun if begun.count(" ") >= _LEAST_WORDS or is_unspaced(begun[:1]) else text


def _begun(text: str) -> str:
    """The text without the end of a sentence that began elsewhere."""
    if not _GOES_ON.match(text):
        return text
    found = _NEXT_PART.search(text)
    return text[found.end() :] if found else ""


def _weights(words: Words, text: str, norm: str) -> dict[EventType, float]:
    weights = ASKED.weigh(norm) or ASKED.weigh(respelt(norm))
    for kind, weight in asked_elsewhere(words.message.content, norm).items():
        weights[kind] = weights.get(kind, 0.0) + weight
    stated = _ASKING.sub(" ", text).strip() if "?" in text else text  # a question demands nothing and decides nothing
    if stated is not text:
        asked = _NEVER_ASKED if norm.startswith(REQUESTS) else _STATED
        told = ASKED.weigh(normal(stated))
        weights = {kind: told.get(kind, 0.0) if kind in asked else weight for kind, weight in weights.items()}
    if _CEASE.match(stated):
        weights[EventType.PREFERENCE] = weights.get(EventType.PREFERENCE, 0.0) + 3.0
    if norm.startswith(_CHOOSING) and any(where in norm for where in _WHERE):  # use this for that, not only now
        weights[EventType.DECISION] = weights.get(EventType.DECISION, 0.0) + 3.0
    if _LAID_DOWN.search(stated) or chooses_language(stated):
        weights[EventType.PREFERENCE] = weights.get(EventType.PREFERENCE, 0.0) + 3.0
    if _DECIDED.search(text):  # somebody says that it is one
        weights[EventType.DECISION] = weights.get(EventType.DECISION, 0.0) + 4.0
    if any(cue in norm for cue in TURNED_DOWN) and not _DOES.search(text):
        weights[EventType.REJECTION] = weights.get(EventType.REJECTION, 0.0) + 4.0
    if weights.get(EventType.DECISION, 0.0) > 0.0 and _REMEDY.search(text):
        weights[EventType.DECISION] += _HELPS
    if _STEP.search(text):
        weights.pop(EventType.DECISION, None)
    weights = {kind: weight for kind, weight in weights.items() if weight > 0.0}
    if norm.startswith(_ONCE) and " only " in norm and weights == {EventType.CONSTRAINT: _HELPS}:
        weights = {}
    if (least := sum(weights.values())) <= _HELPS:
        built = by_build(text) or (told_elsewhere(text) if is_plainly_own(words.message.content, norm) else {})
        if sum(built.values()) > least or (built and set(weights) <= {EventType.DECISION}):
            weights = built
    if words.is_first:
        is_correction = bool(weights.pop(EventType.CORRECTION, None)) or (
            norm.startswith(DENIALS) and not norm.startswith(NO_DENIALS)
        )
        if is_correction and not weights:
            weights[EventType.DECISION] = _GOES_BACK
    elif (norm.startswith(OBJECTIONS) and not norm.startswith(NO_DENIALS)) or _REPROACH in norm:
        weights[EventType.CORRECTION] = weights.get(EventType.CORRECTION, 0.0) + 3.0
    if weights and words.answer is not None:
        weights[EventType.CORRECTION] = weights.get(EventType.CORRECTION, 0.0) + 2.0
    return weights
