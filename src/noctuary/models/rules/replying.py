"""The short answer to what the agent asked: "soft delete for customers", or "B".

Of an answer in words only what the user said is kept, never what the agent asked, for that may be the word of whatever
it had read.  An option that is picked by its letter or number stays the agent's word, that the user agreed to.
"""

import re
from collections.abc import Iterator

from noctuary.authored import EventType, Trust
from noctuary.models.rules.candidates import LEAST_SCORE, Candidate
from noctuary.models.rules.denying import content_words
from noctuary.models.rules.others import own_words
from noctuary.models.rules.prose import plain
from noctuary.models.rules.statements import shortened
from noctuary.models.rules.turns import Turn
from noctuary.records import Message

_ASKED = 600  # characters at the end of an answer in which its question stands
_LONGEST, _FEWEST = 100, 2  # characters, and words that say something
_MOST_SAID = 300  # characters of an answer with its reason
_SHARE = 0.7  # of the words of the answer, in the question
_WORTH = LEAST_SCORE + 1.0
_OPTION = re.compile(
    r"^[ \t]*(?:[-*] )?(?:\*\*)?(?:option )?([a-h1-9])(?:[).:]|\*\*[).:]?) ?(?:\*\*)?[ \t]*(\S[^\n]{4,240})",
    re.MULTILINE | re.IGNORECASE,
)
_PICKED = re.compile(
    r"\W*(?:(?:ok(?:ay)?|yes|then|so|let['’]?s|i['’]?d|i['’]?ll|go|going|do|take|pick|choose|use|with|for|say|the|"
    r"option|number|nr|"
    r"variante?|nimm|opción|la|lösung)\W+)*(?:([a-h1-9])|(first|second|third|fourth|last))(?: (?:one|option))?"
    r"(?:[,.! ]+(?:please|pls|then|thanks|bitte|por favor|it is|sounds (?:good|best)))*\W*",
    re.IGNORECASE,
)
# The same with words of one's own: "option 2, the outbox table, because …".
_PICKED_AND_SAID = re.compile(
    r"\W*(?:(?:ok(?:ay)?|yes|then|so|let['’]?s|i['’]?d|i['’]?ll|go|do|take|pick|choose|use|with|for|nimm|toma)\W+)*"
    r"(?:option|variante?|number|nr\.?|nummer|opción) ?([a-h1-9])(?:[,:;.]| [-–—]) +(?P<said>\S[^\n?]+)",
    re.IGNORECASE,
)
_NUMBERS = ("first", "second", "third", "fourth")


def from_replies(turn: Turn, before: Turn | None) -> Iterator[Candidate]:
    """What the user picked of that which the agent asked at the end of the turn before."""
    if before is None or before.answer is None or len(turn.prompts) != 1:
        return
    if picked := _picked(turn.prompts[0], before.answer):
        yield picked
        return
    if named := _named(turn.prompts[0], before.answer):
        yield named
        return
    prompt, asked = turn.prompts[0], before.answer.content[-_ASKED:]
    said = prompt.content.strip()
    if not said or len(said) > _LONGEST or "\n" in said or "?" in said or "?" not in asked or own_words(said) != said:
        return
    words = content_words(said)
    if len(words) >= _FEWEST and len(words & content_words(asked)) >= _SHARE * len(words):
        start = prompt.content.index(said)
        end = start + len(said)
        text = shortened(plain(said))
        yield Candidate(EventType.DECISION, _WORTH, prompt, start, end, text, "prompt", Trust.USER)


def _named(prompt: Message, answer: Message) -> Candidate | None:
    """What the user says of the option that a letter or a number picks, in words that the agent had for it."""
    found = _PICKED_AND_SAID.fullmatch(prompt.content.rstrip()) if len(prompt.content) <= _MOST_SAID else None
    if found is None or own_words(prompt.content) != prompt.content:
        return None
    said = found["said"]
    is_offered = re.search(rf"(?:^|\W){found[1]}[.):]", answer.content, re.IGNORECASE) is not None
    if not is_offered or len(content_words(said) & content_words(answer.content)) < _FEWEST:
        return None
    text = shortened(plain(said))
    return Candidate(EventType.DECISION, _WORTH, prompt, *found.span("said"), text, "prompt", Trust.USER)


def _picked(prompt: Message, answer: Message) -> Candidate | None:
    """The option that a letter or a number picks."""
    found = _PICKED.fullmatch(prompt.content) if len(prompt.content) <= _LONGEST else None
    options = [*_OPTION.finditer(answer.content)] if found else []
    if found is None or len(options) < _FEWEST:
        return None
    word = (found[2] or "").lower()
    at = len(options) - 1 if word == "last" else _NUMBERS.index(word) if word else None
    named = [option for option in options if found[1] and option[1].lower() == found[1].lower()]
    chosen = named[-1] if named else options[at] if at is not None and at < len(options) else None
    if chosen is None:
        return None
    text = shortened(plain(chosen[2]))
    return Candidate(EventType.DECISION, _WORTH, answer, *chosen.span(2), text, "answer", Trust.AGENT, (prompt,))
