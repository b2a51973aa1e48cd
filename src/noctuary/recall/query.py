"""Read what a person typed: any text, in any language, with any punctuation, is a valid query.

    why did we drop redis?                 words; those that carry no topic do not count
    "connection refused"                   a phrase that must occur
    deplo*                                 a beginning
    *etries*                               inside of words, if nothing else is asked for
    src/shop/tax.py  max_retries  E-1234   a name or path: whole first, then by its parts
    role:user agent:codex project:shop after:2026-05-01 before:7d session:1e75  -draft
    支付服务                                found inside unspaced text

Nothing typed is ever handed to a database as it stands: a query becomes `Term`s, and the store quotes them.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from noctuary.errors import BadTime
from noctuary.lazily import lazy_module
from noctuary.moments import parse_moment
from noctuary.recall.words import ASKING_WORDS, CHINESE_GRAMMAR, OTHER_STOP_WORDS, STOP_WORDS
from noctuary.records import Role, Term
from noctuary.store import keys
from noctuary.store.sessions import Selection
from noctuary.text import clean, fold, identifier_parts, is_unspaced, pairs, respelled, respelled_words, tokens

if TYPE_CHECKING:
    from noctuary.recall import events, when
    from noctuary.recall.events import Offset
    from noctuary.recall.when import Span
else:
    events = lazy_module("noctuary.recall.events")
    when = lazy_module("noctuary.recall.when")

LONGEST_QUERY = 4_000
MOST_TERMS = 32
PART_WEIGHT = 0.5
ASKING_WEIGHT = 0.35
LONGEST_ACRONYM = 6
SHORTEST_NUMBER = 3  # digits: shorter ones stand everywhere
TYPED_WEIGHT = 0.5  # of a word as it was typed, beside its plainest spelling
BEGINNING_WEIGHT = 0.5  # of the beginning of a word that may be inflected
GRAMMAR_WEIGHT = 0.2  # of a pair of characters that is half grammar
SHORTEST_INFLECTED = 5  # letters
SHORTEST_BEGINNING = 4
BEGINNING_SHARE = 0.6  # of a word: what its other forms surely have in common
FOREIGN_LETTER = 2  # words of another language's grammar that a letter of its own is worth
FOREIGN_ENOUGH = 2  # such words: one alone may be a name
SHORTEST_PART = 3  # characters of what may stand inside of words: shorter ones stand everywhere
LONGEST_NAME = 6  # characters of an unspaced script: longer runs are sentences, seldom found whole

_PIECE = re.compile(
    r"""(?P<filter>\b(?:role|agent|project|after|before|session)):(?:"(?P<quoted_value>[^"]*)"|(?P<value>[^\s"]+))
      | (?P<minus>(?<!\S)-(?=[\w"]))?(?:"(?P<phrase>[^"]+)"|(?P<chunk>[^\s"]+))""",
    re.VERBOSE,
)
_LATIN_LETTER = re.compile("[ß-öø-ɏḀ-ỿ]")  # of Latin, but not of English
_INSIDE_WORDS = re.compile("['’-]")
_PART_OF_WORD = re.compile(rf"\*([^\s*]{{{SHORTEST_PART},}})\*")
_POSSESSIVE = re.compile(r"['’]s\b", re.IGNORECASE)


class Query(NamedTuple):
    """What is looked for and where."""

    text: str
    asked: str = ""  # the text without filters and what is to be left out
    terms: tuple[Term, ...] = ()
    required: tuple[Term, ...] = ()
    excluded: tuple[Term, ...] = ()
    is_exact: bool = False  # whether nothing but names, paths and signs was typed
    literals: tuple[str, ...] = ()  # pieces with punctuation in them, as typed: text that has them ranks higher
    roles: tuple[Role, ...] = ()
    agent: str | None = None
    project: str | None = None
    session: str | None = None
    after_ms: int | None = None
    before_ms: int | None = None
    exclude_sessions: Sequence[str] = ()
    times: "tuple[Span, ...]" = ()  # those the question speaks of: what was said then ranks higher
    offsets: "tuple[Offset, ...]" = ()  # those it tells from an event, which must be looked up first

    @property
    def selection(self) -> Selection:
        """The sessions to look at."""
        return Selection(
            agent=self.agent,
            project=self.project,
            session=self.session,
            after_ms=self.after_ms,
            before_ms=self.before_ms,
            excluded=tuple(self.exclude_sessions),
        )

    @property
    def is_unfiltered(self) -> bool:
        """Whether all that is stored is looked at."""
        return self.selection.is_everything and not self.demands_of_messages

    @property
    def demands_of_messages(self) -> bool:
        """Whether a message must be of some kind to be a hit at all, beyond having words of the query."""
        times = (self.after_ms, self.before_ms)
        return bool(self.roles or self.required or self.excluded) or times != (None, None)

    @property
    def voices(self) -> tuple[int, ...]:
        """The voices that may be heard; none if all may."""
        return tuple(voice for role in self.roles for voice in keys.VOICES_OF_ROLE[role])

    @property
    def wording(self) -> str:
        """How it is asked, without filters and what is to be left out, and no longer than is read of it."""
        return self.asked or self.text[:LONGEST_QUERY]

    @property
    def question(self) -> str:
        """What is asked, without the times it speaks of."""
        return when.without_times(self.wording, self.times) or self.wording if self.times else self.wording

    @property
    def is_blank(self) -> bool:
        """Whether there is nothing to look for."""
        return not (self.terms or self.required or self.literals)


def parse(text: str, now_ms: int) -> Query:
    """The query that the text means; never fails."""
    query = Query(text=text)
    chunks: list[str] = []
    phrases: list[str] = []
    excluded: list[str] = []
    for piece in _PIECE.finditer(clean(text[:LONGEST_QUERY].replace("\0", " "))):
        if piece["filter"]:
            value = piece["quoted_value"] or piece["value"] or ""
            narrowed = _narrow(query, piece["filter"], value, now_ms)
            query, unread = (narrowed, "") if narrowed else (query, piece.group())
            chunks += [unread] if unread else []
        elif piece["minus"]:
            excluded.append(piece["phrase"] or piece["chunk"])
        elif piece["phrase"]:
            phrases.append(piece["phrase"])
        else:
            chunks.append(piece["chunk"])
    if not chunks and not phrases:  # "-rf" alone is something to find, not something to leave out
        chunks, excluded = [f"-{chunk}" for chunk in excluded], []
    asked = " ".join(chunks)
    times = tuple(when.spans_in(asked, now_ms))
    offsets = events.offsets_in(asked, times)
    query = query._replace(asked=" ".join([asked, *phrases]).strip(), times=times, offsets=offsets)
    return _with_words(query, chunks, phrases, excluded)


def _narrow(query: Query, name: str, value: str, now_ms: int) -> Query | None:
    """The query with the filter applied; None if the value makes no sense, so that it is taken as words."""
    if not value:
        return None
    if name == "role":
        return query._replace(roles=(*query.roles, Role(value))) if value in list(Role) else None
    if name == "agent":
        return query._replace(agent=value)
    if name == "project":
        return query._replace(project=value)
    if name == "session":
        return query._replace(session=value)
    try:
        moment = parse_moment(value, now_ms)
    except BadTime:
        return None
    return query._replace(after_ms=moment) if name == "after" else query._replace(before_ms=moment)


def _with_words(query: Query, chunks: list[str], phrases: list[str], excluded: list[str]) -> Query:
    parts = [part[1] for chunk in chunks if (part := _PART_OF_WORD.fullmatch(chunk))]
    if parts and len(parts) == len(chunks) and not phrases:  # else it is a word that somebody *stressed*
        return query._replace(
            literals=tuple(dict.fromkeys(parts))[:MOST_TERMS], excluded=_left_out(excluded), is_exact=True
        )
    terms = _terms(chunks)
    required = [Term(words=words) for phrase in phrases if (words := _words(phrase))]
    outside = query.question.split() if query.times else chunks  # a date says when, and need not stand in the text
    literals = [
        literal for chunk in chunks if (literal := _literal(chunk)) and (chunk in outside or not literal.isdigit())
    ]
    literals += [phrase for phrase in phrases if not _words(phrase)]
    is_english = _is_english(chunks)
    topical = [term for term in terms if not _is_stop_word(term, is_english)]
    topical += [term for each in topical if (term := _beginning(each, is_english))]
    return query._replace(
        terms=_distinct(topical or ([] if required else terms))[:MOST_TERMS],
        required=tuple(required[:MOST_TERMS]),
        excluded=_left_out(excluded),
        literals=tuple(dict.fromkeys(literals))[:MOST_TERMS],
        is_exact=bool(chunks) and len(literals) == len(chunks),
    )


def _left_out(excluded: list[str]) -> tuple[Term, ...]:
    """What no message may have, in each of its spellings."""
    return tuple(
        Term(words=words)
        for text in excluded[:MOST_TERMS]
        for spelling in dict.fromkeys((text, respelled_words(text)))
        if (words := _words(spelling))
    )


def _terms(chunks: list[str]) -> list[Term]:
    """The terms of all chunks; what has a plainer spelling is looked for as typed, with less weight, and by that."""
    terms: list[Term] = []
    plainest: list[Term] = []  # at the end, so that words side by side stay so
    for chunk in chunks:
        typed, respelling = _terms_of_chunk(chunk), respelled_words(chunk)
        if respelling != chunk:
            plainest += [term for term in _terms_of_chunk(respelling) if term not in typed]
            typed = tuple(t._replace(weight=t.weight * TYPED_WEIGHT) if _is_respelled(t) else t for t in typed)
        terms += typed
    return terms + plainest


def _is_respelled(term: Term) -> bool:
    return any(respelled(word) != word for word in term.words)


def _is_english(chunks: list[str]) -> bool:
    """Whether words in plain Latin letters are English: no more words or letters of other languages around them."""
    words = {word for chunk in chunks for word in chunk.lower().strip("?!.,;:¿¡").split("'")}
    foreign = sum(word in OTHER_STOP_WORDS for word in words if word.isascii())
    foreign += FOREIGN_LETTER * sum(_LATIN_LETTER.search(word) is not None for word in words)
    return foreign < FOREIGN_ENOUGH or foreign <= len(words & STOP_WORDS)


def _beginning(term: Term, is_english: bool) -> Term | None:
    """What the other forms of a word begin with as well, if it is long enough to have any."""
    word = respelled(term.words[-1])
    if term.prefix or len(term.words) > 1 or len(word) < SHORTEST_INFLECTED or is_unspaced(word):
        return None
    if is_english and term.words[0].isascii():  # SQLite knows the endings of English
        return None
    kept = max(SHORTEST_BEGINNING, round(len(word) * BEGINNING_SHARE))
    return Term(words=(word[:kept],), prefix=True, weight=BEGINNING_WEIGHT * term.weight)


@lru_cache(maxsize=2_000)  # people ask with the same words again and again
def _terms_of_chunk(chunk: str) -> tuple[Term, ...]:
    """The terms of one piece between spaces: whole as a phrase, then its parts with less weight."""
    chunk = _POSSESSIVE.sub("", chunk)
    words = [chunk[t.start : t.end] for t in tokens(chunk) if not is_unspaced(chunk[t.start : t.end])]
    terms: list[Term] = []
    prefix = chunk.endswith("*") and bool(words)
    if len(words) == 1:
        terms.append(_word_term(words[0], prefix))
    elif words:
        terms.append(Term(words=tuple(words), prefix=prefix))
        terms += [_word_term(word, False)._replace(weight=PART_WEIGHT) for word in words if len(word) > 1]
    parts = [part for word in words for part in identifier_parts(word)]
    terms += [Term(words=(part,), weight=PART_WEIGHT) for part in parts if len(part) > 1]
    return (*terms, *_unspaced_terms(chunk))


def _unspaced_terms(chunk: str) -> list[Term]:
    if chunk.isascii():
        return []
    terms: list[Term] = []
    for run in _unspaced_runs(chunk):
        if len(run) == 1:
            terms.append(Term(words=(run,), prefix=True))  # every character begins some pair
            continue
        inner = pairs(run)[:-1]
        if len(inner) == 1:
            terms.append(Term(words=(run,)))
            continue
        terms.append(Term(words=tuple(inner), weight=1.0 if len(run) <= LONGEST_NAME else PART_WEIGHT))
        terms += [Term(words=(pair,), weight=_pair_weight(pair)) for pair in inner]
    return terms


def _pair_weight(pair: str) -> float:
    return GRAMMAR_WEIGHT if any(map(_is_grammar, pair)) else PART_WEIGHT


def _is_grammar(character: str) -> bool:
    """Whether the character, of an unspaced script, mostly serves grammar: Hiragana, and a few of Chinese."""
    return "\u3041" <= character <= "\u309f" or character in CHINESE_GRAMMAR


def _unspaced_runs(chunk: str) -> list[str]:
    runs: list[str] = []
    end = -1
    for token in tokens(chunk):
        if is_unspaced(chunk[token.start : token.end]):
            if runs and token.start < end:
                runs[-1] += chunk[end : token.end]
            else:
                runs.append(chunk[token.start : token.end])
            end = max(end, token.end)
    return runs


def _word_term(word: str, prefix: bool) -> Term:
    asking = fold(word) in ASKING_WORDS and not prefix
    return Term(words=(word,), prefix=prefix, weight=ASKING_WEIGHT if asking else 1.0)


def _words(text: str) -> tuple[str, ...]:
    """Words in a row, as the index has them; of an unspaced run the last character alone is left out."""
    found: list[str] = []
    runs = set()
    for run in _unspaced_runs(text):
        runs.update(pairs(run)[-1:] if len(run) > 1 else [])
    for token in tokens(text):
        word = text[token.start : token.end]
        if not (len(word) == 1 and word in runs):
            found.append(word)
    return tuple(found)


@lru_cache(maxsize=2_000)
def _literal(chunk: str) -> str:
    """The chunk as it may stand in a text, if it looks like a name, a path or a sign rather than a word."""
    bare = _POSSESSIVE.sub("", chunk.rstrip("*")).strip("?!.,;:…。？！，、\"'()") or chunk
    letters = _INSIDE_WORDS.sub("", bare)  # day-to-day and don't are words; --no-verify and E-1234 are not
    is_capitals = letters.isupper() and len(letters) < LONGEST_ACRONYM  # longer ones are errors: ECONNREFUSED
    is_one_case = letters.islower() or letters[1:].islower() or is_capitals or not letters.isascii()
    is_plain = letters.isalpha() and bare[0] != "-" and is_one_case
    return "" if is_plain or (bare.isdigit() and len(bare) < SHORTEST_NUMBER) else bare


def _is_stop_word(term: Term, is_english: bool) -> bool:
    if term.prefix:
        return False
    if all(fold(word) in STOP_WORDS for word in term.words):
        return True
    return all(_is_other_stop_word(word) and not (is_english and word.isascii()) for word in term.words)


def _is_other_stop_word(word: str) -> bool:
    return word.lower() in OTHER_STOP_WORDS or (is_unspaced(word) and all(map(_is_grammar, word)))


def _distinct(terms: list[Term]) -> tuple[Term, ...]:
    """Each term once, with its greatest weight, in the order of the query."""
    kept: dict[tuple[tuple[str, ...], bool, bool], Term] = {}
    for term in terms:
        key = (tuple(fold(word) for word in term.words), term.prefix, _is_respelled(term))
        if key not in kept or kept[key].weight < term.weight:
            kept[key] = term
    return tuple(kept.values())
