"""What an agent says is only its word if it does not come from outside: what it has read, it repeats.

An attacker cannot write into the user's turn, but into all that an agent reads: files, pages, issues, messages of
commits, the output of programs, the reports of other agents.  The agent repeats it in an answer, and if that counted
as the agent's own finding, strangers could write memories.  So each statement of an agent is held against all that was
put before it: what is mostly in one passage of that, and not in what the user said, is trusted no more than its source.
What an agent says of the user's wishes has to be in the user's own words.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from noctuary.authored import Trust
from noctuary.dream.comparing.concepts import STOP_WORDS
from noctuary.dream.merging.orders import addressing_agents, gives_orders, makes_demands, speaks_for_user
from noctuary.lookalikes import as_read
from noctuary.models.rules.others import own_words
from noctuary.proposals import Conversation, Proposal
from noctuary.records import Kind, Message, Relation, Role, Session
from noctuary.text import is_unspaced

_ASKING_TOOLS = frozenset({"AskUserQuestion", "request_user_input", "ExitPlanMode"})  # what comes back is the user's
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_ANNOUNCED = ": "
_WORD = re.compile(r"[^\W_]+")
_SAID = re.compile(r"\S+")
_STEM = 6  # letters that tell words apart, whatever their endings
_SHORT = 3  # letters of words that say little
_COMMON = STOP_WORDS | frozenset(
    """always never must should only every user users used using uses need needs needed have their there about would
    could make makes made first then also with without before after into from when while were been being""".split()  # noqa: SIM905
)
_MOST_OF_ORDER, _MOST_OF_FACT = 0.5, 0.6  # of what is new in a sentence, in one passage
_ALMOST_ALL = 0.7  # of a sentence, in what was read long before
_FEWEST = 3  # words that are new in a sentence that gives no order, or it says too little to come from anywhere
_LEAST_COMMON, _LEAST_SHARE = 2, 0.12  # words that make prose of a passage
_MOST_ADDED = 0.25  # of the words of an order that a witness stands for
_MOST_SOUGHT = 3  # of the words of a sentence: one of the longest is in most passages that hold enough of it
_STRIDE = 80  # characters after which another passage may begin
_GAP = "\n\n\n"  # between two texts
_AROUND = 300  # characters of a passage on each side of a word
_SHORT_LINE = 160  # characters: shorter ones are read with their neighbours
_MOST_PLACES = 40  # of a word in one text
_NEAR = 30  # messages after which an agent no longer speaks of what it has read there
_LONGEST = 400_000  # characters of one text that are looked at


def judged(conversation: Conversation, proposals: Sequence[Proposal]) -> Sequence[Proposal]:
    """The proposals of a conversation; those of the agent that it only repeats count as what a tool printed."""
    if not any(each.trust is Trust.AGENT for each in proposals):
        return proposals
    return Heard(conversation.session, conversation.heard).judged(proposals)


class _Outside(NamedTuple):
    """A text that neither the user nor the agent said."""

    id: int  # of the message; the agent can only repeat what came before
    text: str
    is_read: bool  # the agent came upon it in its work; else the program it runs in put it there


class _Sought(NamedTuple):
    """What is looked for in all that was read."""

    first: Sequence[str]  # words of which one must be there
    words: set[str]
    least: float  # of the words that one passage must have
    is_order: bool


class Heard:
    """What was said and read in a session, as far as it tells whose word something is."""

    def __init__(self, session: Session, messages: Iterable[Message]) -> None:
        """All messages of the session up to its end, hidden ones too."""
        self._is_errand = session.relation is Relation.SUBAGENT
        self._outside: list[_Outside] = []
        self._instructed_at: list[int] | None = None  # not looked for yet
        self._read = ""  # all of that, in small letters and as it is read
        self._plain = ""  # the same with a question mark for each sign that is not of ASCII: to search it is quicker
        self._ends: list[int] = []  # where each text ends in it
        self._asked: set[str] = set()  # words of whoever gave orders: the user, or another agent
        for message in messages:
            self._hear(message)

    def judged(self, proposals: Sequence[Proposal]) -> list[Proposal]:
        """The proposals; those of the agent that come from outside, or are its word for the user's, as a tool's."""
        return [self._judged(each) if each.trust is Trust.AGENT else each for each in proposals]

    def is_heard(self, text: str, before: int) -> bool:
        """Whether something in a text comes from outside, or speaks for the user without the user's own words."""
        return any(self._is_hearsay(sentence, before) for sentence in _sentences(text))

    def _judged(self, proposal: Proposal) -> Proposal:
        last = max((cited.id for cited in proposal.messages), default=0)
        return proposal._replace(trust=Trust.TOOL, is_asked=False) if self.is_heard(proposal.text, last) else proposal

    def _hear(self, message: Message) -> None:
        content, is_users = message.content, False
        if message.hidden is None and message.role is Role.USER:
            is_users = message.kind in (Kind.TEXT, Kind.TOOL_RESULT)  # a refusal is given back in place of a result
        if is_users or (message.kind is Kind.TOOL_RESULT and message.tool_name in _ASKING_TOOLS):
            own = own_words(content)
            self._asked |= words_of(own)
            content = "" if own == content else _without(content, own)
        elif message.role is Role.ASSISTANT or message.kind is Kind.TOOL_CALL or message.kind is Kind.SUMMARY:
            return
        if content and not content.isspace():
            self._outside.append(_Outside(message.id, content[:_LONGEST], message.hidden is None))

    def _is_hearsay(self, sentence: str, before: int) -> bool:
        words = words_of(sentence)
        new = words - self._asked
        if not new:
            return False
        is_mostly_new = self._is_errand or len(new) > len(words) / 2
        if is_mostly_new and speaks_for_user(sentence):
            return True
        is_order = gives_orders(sentence)
        if is_order and is_mostly_new and makes_demands(sentence) and self._was_instructed(before):
            return True
        if len(new) < _FEWEST and not is_order:
            return False
        end = self._end_of(before)
        text = self._plain if all(map(str.isascii, new)) else self._read
        return _holds(text, end, _sought(new, is_order=is_order))

    def _end_of(self, before: int) -> int:
        """How much of what was read the agent had read by a message."""
        if not self._ends:
            texts = [as_read(each.text).lower() for each in self._outside]
            self._read = _GAP.join(texts)
            self._plain = self._read.encode("ascii", "replace").decode("ascii")
            self._ends = [*accumulate(len(text) + len(_GAP) for text in texts)]
        count = bisect_right(self._outside, before, key=lambda each: each.id) if before else len(self._ends)
        return self._ends[count - 1] if count else 0

    def _was_instructed(self, before: int) -> bool:
        """Whether the agent had read something that speaks to agents: then its orders may be those of that."""
        if self._instructed_at is None:
            self._end_of(0)
            found = [self._outside[bisect_right(self._ends, at)] for at in addressing_agents(self._plain)]
            self._instructed_at = [each.id for each in found if each.is_read]
        return any(not before or before - _NEAR <= place <= before for place in self._instructed_at)


class Claims:
    """The sentences of a text, to be looked for in other texts."""

    def __init__(self, text: str) -> None:
        self._sought: list[_Sought] = []
        self._sentences: list[str] = []
        for sentence in _sentences(text):
            words, is_order = words_of(sentence), gives_orders(sentence)
            if words and (is_order or len(words) >= _FEWEST):
                self._sought.append(_sought(words, is_order=is_order))
                self._sentences.append(sentence)

    def are_mostly_in(self, entry: str) -> bool:
        """Whether one of them has most of its words in an entry."""
        small = as_read(entry).lower()
        may_be = [one for one in self._sought if sum([word in small for word in one.words]) >= one.least]
        held = words_of(entry) if may_be else set()
        return any(len(one.words & held) >= one.least for one in may_be)

    def are_from(self, source: str) -> bool:
        """Whether almost all of one of them is in one passage of prose in a text that may be long."""
        small = as_read(source[:_LONGEST]).lower()
        strict = [one._replace(least=_ALMOST_ALL * len(one.words), is_order=False) for one in self._sought]
        return any(_holds(small, len(small), one) for one in strict if len(one.words) >= _FEWEST)

    def telling_words(self) -> Iterator[list[str]]:
        """Of each of them the two longest words, by which its source is found in an index."""
        for sentence in self._sentences:
            words = {word for word in _WORD.findall(as_read(sentence).lower()) if len(word) > _SHORT}
            longest = sorted(words - _COMMON, key=lambda word: (-len(word), word))[:2]
            if len(longest) > 1:
                yield longest


def _sought(words: set[str], *, is_order: bool) -> _Sought:
    share = 1.0 if len(words) < _FEWEST else _MOST_OF_ORDER if is_order else _MOST_OF_FACT
    least = share * len(words)
    first = sorted(words, key=lambda word: (-len(word), word))
    return _Sought(first[: min(_MOST_SOUGHT, len(words) - int(least) + 1)], words, least, is_order)


def orders_more(text: str, witness: str) -> bool:
    """Whether a text gives orders and says more than its witness does, who stands for a part of it only."""
    words = words_of(text)
    return gives_orders(text) and len(words - words_of(witness)) > _MOST_ADDED * len(words)


def words_of(text: str) -> set[str]:
    """The beginnings of words that say something; of scripts without spaces, of each two letters."""
    return set(_words(as_read(text).lower()))


def _words(small: str) -> Iterator[str]:
    for word in _WORD.findall(small):
        if not word.isascii() and is_unspaced(word[0]):
            yield from (word[at : at + 2] for at in range(len(word) - 1))
        elif word not in _COMMON and (len(word) > _SHORT or (not word.isalpha() and not word.isdigit())):
            yield word[:_STEM].rstrip("s") or word


def _holds(text: str, end: int, sought: _Sought) -> bool:
    """Whether one passage of a text has enough of the words; of what gives no order only if the passage is prose."""
    for word in sought.first:
        at = text.find(word, 0, end)
        for _ in range(_MOST_PLACES):
            if at < 0:
                break
            if _is_source(_passage(text, at), sought):
                return True
            at = text.find(word, at + _STRIDE, end)
    return False


def _is_source(passage: str, sought: _Sought) -> bool:
    if sum([word in passage for word in sought.words]) < sought.least:  # of most this is known at once
        return False
    held = sought.words.intersection(_words(passage))
    return len(held) >= sought.least and (sought.is_order or _is_prose(passage))


def _passage(text: str, at: int) -> str:
    """The line around a place, with its neighbours if it is short."""
    start = text.rfind("\n", max(0, at - _AROUND), at) + 1 or max(0, at - _AROUND)
    end = text.find("\n", at, at + _AROUND)
    end = min(len(text), at + _AROUND) if end < 0 else end
    if end - start < _SHORT_LINE:
        start = text.rfind("\n", max(0, start - _SHORT_LINE), max(0, start - 1)) + 1 or max(0, start - _SHORT_LINE)
        after = text.find("\n", end + 1, end + _SHORT_LINE)
        end = min(len(text), end + _SHORT_LINE) if after < 0 else after
    return text[start:end]


def _is_prose(passage: str) -> bool:
    words = _WORD.findall(passage)
    common = sum(word in _COMMON for word in words)
    return common >= _LEAST_COMMON and common >= _LEAST_SHARE * len(words)


def _sentences(text: str) -> list[str]:
    """The sentences of a text, and what is announced in them besides, for that may be all that was read elsewhere."""
    whole = [sentence for sentence in _SENTENCE.split(text) if sentence.strip()]
    return [*whole, *(sentence.rpartition(_ANNOUNCED)[2] for sentence in whole if _ANNOUNCED in sentence)]


def _without(content: str, own: str) -> str:
    """What stands in a prompt that is not the user's own."""
    pieces, at = [], 0
    for said in _SAID.finditer(own):
        pieces.append(content[at : said.start()])
        at = said.end()
    return " ".join([*pieces, content[at:]])
