"""What an agent says is only its word if it does not come from outside: what it has read, it repeats.

An attacker cannot write into the user's turn, but into all that an agent reads: files, pages, issues, messages of
commits, the output of programs, the reports of other agents.  The agent repeats it in an answer, and if that counted
as the agent's own finding, strangers could write memories.  So each statement of an agent is held against all that was
put before it: what is mostly in one passage of that, and not in what the user said, is trusted no more than its source.
What an agent says of the user's wishes has to be in the user's own words.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from noctuary.authored import Trust
from noctuary.concepts import STOP_WORDS
from noctuary.dream.encoded import with_decoded
from noctuary.dream.merging.orders import gives_orders, makes_demands, speaks_for_user, speaks_to_agents, tells_user
from noctuary.dream.named import is_other_prose, is_told_in, lays_down, names_in
from noctuary.dream.passages import GAP, Joined, passage_at
from noctuary.dream.pasted import besides
from noctuary.lookalikes import as_read
from noctuary.models.rules.others import own_words
from noctuary.proposals import Conversation, Proposal
from noctuary.records import Kind, Message, Relation, Role, Session
from noctuary.text import is_unspaced

# To ask an enum for a member takes longer than to compare with it, and this is done for every message.
_AGENT, _USER, _ASSISTANT = Trust.AGENT, Role.USER, Role.ASSISTANT
_CALL, _SUMMARY, _RESULT, _USERS = Kind.TOOL_CALL, Kind.SUMMARY, Kind.TOOL_RESULT, (Kind.TEXT, Kind.TOOL_RESULT)
_ASKING_TOOLS = frozenset({"AskUserQuestion", "request_user_input", "ExitPlanMode"})  # what comes back is the user's
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_ANNOUNCED = ": "
_QUESTION = re.compile(r"[^.!?;\n]*[?？]")
_WORD = re.compile(r"[^\W_]+")
_STEM = 6  # letters that tell words apart, whatever their endings
_PAIR = 2  # letters of what stands for a word where words are not apart; of these some are Latin
_SHORT = 3  # letters of words that say little
_COMMON = STOP_WORDS | frozenset(
    """always never must should only every user users used using uses need needs needed have their there about would
    could make makes made first then also with without before after into from when while were been being""".split()  # noqa: SIM905
)
_MOST_OF_ORDER, _MOST_OF_FACT = 0.5, 0.6  # of what is new in a sentence, in one passage
_ALMOST_ALL = 0.7  # of a sentence, in what was read long before
_FEWEST = 3  # words that are new in a sentence that gives no order, or it says too little to come from anywhere
_LEAST_COMMON, _LEAST_SHARE = 2, 0.12  # words that make prose of a passage
_SHORTEST_COPY = 24  # characters: fewer are said twice by chance
_MOST_SOUGHT = 3  # of the words of a sentence: one of the longest is in most passages that hold enough of it
_MOST_TELLING = 3  # words of a sentence by which its source is found: one of them may be the agent's own
_STRIDE = 80  # characters after which another passage may begin
_MOST_PLACES = 40  # of a word in one text
_NEAR = 30  # messages after which an agent no longer speaks of what it has read there
_LONGEST = 400_000  # characters of one text that are looked at


def judged(conversation: Conversation, proposals: Sequence[Proposal]) -> Sequence[Proposal]:
    """The proposals of a conversation; those of the agent that it only repeats count as what a tool printed."""
    if not any(each.trust is _AGENT for each in proposals):
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
    is_plain: bool  # all words are of ASCII


class Heard:
    """What was said and read in a session, as far as it tells whose word something is."""

    def __init__(self, session: Session, messages: Iterable[Message]) -> None:
        """All messages of the session up to its end, hidden ones too."""
        self._is_errand = session.relation is Relation.SUBAGENT
        self._outside: list[_Outside] = []
        self._errands = 0  # how many of them, the first, are what another agent sent it for
        self._said: list[str] = []  # by whoever gave orders: the user, or another agent
        self._summed_up: list[str] = []  # what programs had an agent say of all that was before
        self._asked_for: dict[str, bool] = {}  # which words they said, as far as it was asked
        self._speaks_to_agents: dict[int, bool] = {}  # which of the texts do, as far as it was asked
        for message in messages:
            self._hear(message)

    def judged(self, proposals: Sequence[Proposal]) -> list[Proposal]:
        """The proposals; those of the agent that come from outside, or are its word for the user's, as a tool's."""
        return [self._judged(each) if each.trust is _AGENT else each for each in proposals]

    def is_heard(self, text: str, before: int) -> bool:
        """Whether something in a text comes from outside, or speaks for the user without the user's own words."""
        return any(self._is_hearsay(sentence, before) for sentence in _sentences(text))

    def _judged(self, proposal: Proposal) -> Proposal:
        last = max((cited.id for cited in proposal.messages), default=0)
        return proposal._replace(trust=Trust.TOOL, is_asked=False) if self.is_heard(proposal.text, last) else proposal

    def _hear(self, message: Message) -> None:
        content, kind = message.content, message.kind
        is_users = message.role is _USER and message.hidden is None and kind in _USERS  # a refusal is given as a result
        if is_users or (kind is _RESULT and message.tool_name in _ASKING_TOOLS):
            own = own_words(content)
            self._said.append(own)
            content = "" if own == content else besides(content, own)
        elif kind is _SUMMARY:
            self._summed_up.append(content[:_LONGEST])
            return
        elif message.role is _ASSISTANT or kind is _CALL:
            if self._is_errand and not self._outside and kind is Kind.TEXT:  # it begins with another agent's orders
                self._outside.append(_Outside(message.id, content[:_LONGEST], is_read=False))
                self._errands = 1
            return
        if content and not content.isspace():
            self._outside.append(_Outside(message.id, content[:_LONGEST], message.hidden is None))

    def _is_hearsay(self, sentence: str, before: int) -> bool:
        words = words_of(sentence)
        is_passed_on = self._is_errand and lays_down(sentence)
        new = words if is_passed_on else {word for word in words if not self._was_asked(word)}
        if not new:  # what the user only asked about was not said by the user
            return makes_demands(sentence) and self._is_answered_elsewhere(words, before)
        is_mostly_new = self._is_errand or len(new) > len(words) / 2
        if is_mostly_new and speaks_for_user(sentence):
            return True
        is_order = gives_orders(sentence) or tells_user(sentence)
        if is_order and is_mostly_new and makes_demands(sentence) and self._was_instructed(before):
            return True
        is_named = self._outside and any(self._was_told(name, before) for name in names_in(sentence))
        if (is_named and lays_down(sentence)) or (self._outside and self._was_given(sentence, before)):
            return True
        if len(new) < _FEWEST and not is_order and not is_named:  # by a name so little is found as well
            return self._is_copied(sentence, before)
        sought = _sought(new, is_order=is_order)
        if is_order and self._summed_up and _holds(self._summary, len(self._summary), sought):
            return True  # a summary may repeat orders of anybody; the user's own would be in the user's words
        text = self._plain if sought.is_plain else self._whole
        passed_over = 0 if is_passed_on or is_order else self._errands  # a report has the words of what was asked
        return _holds(text.small, text.end_of(self._heard_by(before)), sought, text.end_of(passed_over))

    def _is_copied(self, sentence: str, before: int) -> bool:
        """Whether a sentence with little new stands word by word in what the agent had read."""
        text, copied = self._plain, _ascii(sentence).strip(" .!*`'\"")
        return len(copied) > _SHORTEST_COPY and 0 <= text.small.find(copied) < text.end_of(self._heard_by(before))

    def _is_answered_elsewhere(self, words: set[str], before: int) -> bool:
        """Whether a demand, of which the user only asked for some words, is in what the agent had read."""
        if words <= self._stated:
            return False
        text, sought = self._whole, _sought(words, is_order=False)
        return _holds(text.small, text.end_of(self._heard_by(before)), sought._replace(least=len(words)))

    def _heard_by(self, before: int) -> int:
        """How many of the texts the agent had read by a message."""
        return bisect_right(self._outside, before, key=_id_of) if before else len(self._outside)

    def _was_asked(self, word: str) -> bool:
        """Whether whoever gave orders said a word."""
        if not word.isascii() or len(word) == _PAIR:
            return word in self._asked
        if word not in self._asked_for:  # statements of one session have many words in common
            self._asked_for[word] = _has(self._orders, word)
        return self._asked_for[word]

    @cached_property
    def _orders(self) -> str:
        return as_read("\n".join(self._said)).lower()

    @cached_property
    def _asked(self) -> set[str]:
        return {*_words(self._orders)}

    @cached_property
    def _stated(self) -> set[str]:
        return {*_words(_QUESTION.sub(" ", self._orders))}

    @cached_property
    def _plain(self) -> Joined:
        """All that was read, with a question mark for each sign that is not of ASCII: to search it is quicker."""
        return Joined([_ascii(with_decoded(each.text)) for each in self._outside])

    @cached_property
    def _whole(self) -> Joined:
        """All that was read."""
        return Joined([as_read(with_decoded(each.text)).lower() for each in self._outside])

    @cached_property
    def _summary(self) -> str:
        return as_read(GAP.join(self._summed_up)).lower()

    def _was_instructed(self, before: int) -> bool:
        """Whether the agent had read something that speaks to agents: then its orders may be those of that."""
        last = self._heard_by(before)
        first = bisect_left(self._outside, before - _NEAR, key=_id_of) if before else 0
        return any(self._outside[place].is_read and self._instructs(place) for place in range(first, last))

    def _was_told(self, name: str, before: int) -> bool:
        """Whether a name was told by what the agent had read, in words and not only in code, and not by the user."""
        if not self._is_errand and name in self._orders:
            return False
        text, end = self._plain.small, self._plain.end_of(self._heard_by(before))
        at = text.find(name, 0, end)
        while at >= 0:
            passage, line_end = passage_at(text, at)
            if _is_prose(passage) or is_told_in(passage, name):
                return True
            at = text.find(name, max(at + _STRIDE, line_end), end)
        return False

    def _was_given(self, sentence: str, before: int) -> bool:
        """Whether what the agent had read tells agents of a name: who asks for it is answered with that."""
        small, end = self._plain.small, self._plain.end_of(self._heard_by(before))
        found = [small.find(name, 0, end) for name in names_in(sentence) if name not in self._orders]
        return any(at >= 0 and speaks_to_agents(small, at) for at in found)

    def _instructs(self, place: int) -> bool:
        if place not in self._speaks_to_agents:
            self._speaks_to_agents[place] = speaks_to_agents(self._plain.text(place))
        return self._speaks_to_agents[place]


class Source:
    """A text that may be long, which is made plain once, however many claims are looked for in it."""

    def __init__(self, text: str) -> None:
        self._text = text[:_LONGEST]

    def small(self, sought: _Sought) -> str:
        """The text as it is searched for some words."""
        return self._plain if sought.is_plain else self._whole

    def tells_agents(self, name: str) -> bool:
        """Whether it tells agents something by a name."""
        at = self._plain.find(name)
        return at >= 0 and speaks_to_agents(self._plain, at)

    @cached_property
    def _plain(self) -> str:
        return _ascii(self._text)

    @cached_property
    def _whole(self) -> str:
        return as_read(self._text).lower()


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

    def are_mostly_in(self, entry: str, share: float = 1.0) -> bool:
        """Whether one of them has most of its words in an entry, or this share of as many."""
        small = as_read(entry).lower()
        may_be = [one for one in self._sought if sum([word in small for word in one.words]) >= share * one.least]
        held = words_of(entry) if may_be else set()
        return any(len(one.words & held) >= share * one.least for one in may_be)

    def are_from(self, source: Source) -> bool:
        """Whether almost all of one of them is in one passage of prose of a source."""
        return any(_holds(text := source.small(one), len(text), one) for one in self._strict)

    @cached_property
    def _strict(self) -> list[_Sought]:
        """What is looked for in what was read long before."""
        few = [one._replace(is_order=False) for one in self._sought if len(one.words) < _FEWEST]  # of these each word
        more = [one for one in self._sought if len(one.words) >= _FEWEST]
        return few + [one._replace(least=_ALMOST_ALL * len(one.words), is_order=False) for one in more]

    def telling_words(self) -> Iterator[list[str]]:
        """Of each of them the longest words, at most three, of which its source in an index has two."""
        for sentence in self._sentences:
            words = {word for word in _WORD.findall(as_read(sentence).lower()) if len(word) > _SHORT}
            longest = sorted(sorted(words - _COMMON), key=len, reverse=True)[:_MOST_TELLING]
            if len(longest) > 1:
                yield longest


def _ascii(text: str) -> str:
    """A text as it is read, in small letters, with a question mark for each sign that is not of ASCII."""
    return as_read(text).encode("ascii", "replace").lower().decode("ascii")


def _id_of(outside: _Outside) -> int:
    return outside.id


def _sought(words: set[str], *, is_order: bool) -> _Sought:
    share = 1.0 if len(words) < _FEWEST else _MOST_OF_ORDER if is_order else _MOST_OF_FACT
    least = share * len(words)
    first = sorted(sorted(words), key=len, reverse=True)[: min(_MOST_SOUGHT, len(words) - int(least) + 1)]
    return _Sought(first, words, least, is_order, all(map(str.isascii, words)))


def words_of(text: str) -> set[str]:
    """The beginnings of words that say something; of scripts without spaces, of each two letters."""
    return set(_words(as_read(text).lower()))


def _words(small: str) -> Iterator[str]:
    for word in _WORD.findall(small):
        if not word.isascii() and is_unspaced(word[0]):
            yield from (word[at : at + _PAIR] for at in range(len(word) - 1))
        elif beginning := _beginning(word):
            yield beginning


def _beginning(word: str) -> str:
    """What a word is known by; empty if it says little."""
    if word in _COMMON or not (len(word) > _SHORT or (not word.isalpha() and not word.isdigit())):
        return ""
    return word[:_STEM].rstrip("s") or word


def _has(small: str, beginning: str) -> bool:
    """Whether a text in small letters has a word that is known by this, which is of ASCII."""
    at = small.find(beginning)
    while at >= 0:
        is_within = at > 0 and small[at - 1].isalnum()
        if not is_within and (found := _WORD.match(small, at)) and _beginning(found[0]) == beginning:
            return True
        at = small.find(beginning, at + 1)
    return False


def _holds(text: str, end: int, sought: _Sought, start: int = 0) -> bool:
    """Whether one passage of a text has enough of the words; of what gives no order only if the passage is prose."""
    for word in sought.first:
        at = text.find(word, start, end)
        for _ in range(_MOST_PLACES):
            if at < 0:
                break
            passage, line_end = passage_at(text, at)
            if _is_source(passage, sought):
                return True
            at = text.find(word, max(at + _STRIDE, line_end), end)
    return False


def _is_source(passage: str, sought: _Sought) -> bool:
    may_be = [word for word in sought.words if word in passage]
    if len(may_be) < sought.least:  # of most this is known at once
        return False
    if sought.is_plain:
        count = sum([_has(passage, word) for word in may_be])
    else:
        count = len(sought.words.intersection(_words(passage)))
    return count >= sought.least and (sought.is_order or _is_prose(passage))


def _is_prose(passage: str) -> bool:
    words = _WORD.findall(passage)
    common = len([word for word in words if word in _COMMON])
    is_known = common >= _LEAST_COMMON and common >= _LEAST_SHARE * len(words)
    return is_known or is_other_prose(passage)


def _sentences(text: str) -> list[str]:
    """The sentences of a text, and what is announced in them besides, for that may be all that was read elsewhere."""
    whole = [sentence for sentence in _SENTENCE.split(text) if sentence.strip()]
    return [*whole, *(sentence.rpartition(_ANNOUNCED)[2] for sentence in whole if _ANNOUNCED in sentence)]
