"""Whether what two sentences differ in is one value in one place, of which there can be only one.

A timeout is 30 s or 60 s, sessions are stored in Redis or in Postgres: whoever says the second takes back the first.
Most that stands in one place does not: there may be an index on either column, and neither folder may be edited.  Where
that is not plain from the words around it, both hold.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from noctuary.dream.comparing.sentence import NAME, NUMBER, WORD, Piece, concept_of, pieces, values

# Those of which something has only one at a time; of the others, one may stand beside the other: two platforms, say.
_STATES = """
monday tuesday wednesday thursday friday saturday sunday
tabs tab space spaces
single double
horizontal vertical
rebase merge squash
nightly daily weekly hourly monthly
red green blue yellow orange purple
camelcase snakecase kebabcase pascalcase
json yaml toml xml csv ini protobuf
utc local
swallow raise propagate
cents euros dollars
"""

# What something may do to several things at a time.
_ADDITIVE = frozenset(
    """
    support fail crash break broke block call edit touch contain need require lint depend reproduce
    """.split()  # noqa: SIM905 - a block of words reads better than a list of quoted ones
)
# Where something is if it is nowhere else, behind: in, on, at.
_LOCATED = frozenset(
    """
    store live lives keep hold save write written host hosted track tracked queue queued cache cached reside sit put
    locate located measure express persist persisted deploy deployed base based listen run runs
    """.split()  # noqa: SIM905
)
_ENVIRONMENTS = frozenset({"production", "staging", "development", "preview", "sandbox", "canari"})
_MEASURING = frozenset({"high", "raise", "atmost", "limit", "use", "exceed"})
_ARTICLES = frozenset(
    """
    the a an our its their my your this that these those all any every each only both new der die das ein eine
    """.split()  # noqa: SIM905
)
_ATTRIBUTES = frozenset({"failing", "breaking", "broken", "blocking"})
_DEFINITE = frozenset({"the", "our", "my", "your", "only"})
BEING = frozenset(
    """
    is are was were be been being stays stay remains remain becomes become equals = ist sind es son est sont
    """.split()  # noqa: SIM905
)
_SCOPING = frozenset(
    """
    in on at for under during within inside when if unless while except until outside via before after
    """.split()  # noqa: SIM905
)
CONDITIONS = frozenset({"if", "when", "whenever", "unless", "while", "until", "once", "except"})
_CHOOSING = frozenset({"with", "by", "via", "through", "to", "from", "as", "into", "using", "over"})
_LOCATING = frozenset({"in", "on", "at", "under", "inside"})
_PURPOSES = frozenset({"for", "as", "to"})
_PRONOUNS = frozenset({"we", "i", "you", "they", "to", "please", "always", "must", "should", "will", "only", "just"})
_ENDS = frozenset({"break", "arrow"})
_GOING = frozenset({"go", "goes", "went"})
_MOST_BETWEEN = 2  # words between a preposition and what it leads to


@cache
def _exclusive() -> Mapping[str, int]:
    """The values of which something has only one at a time, each with the number of its class."""
    states = frozenset(map(concept_of, _STATES.split()))
    return {concept: number for concept, number in values().items() if concept in states}


@cache
def _verbs(words: frozenset[str]) -> frozenset[tuple[str, int]]:
    """Verbs as they are compared: each concept, and whether it is the opposite of what gives it its name."""
    return frozenset((piece.concept, piece.own_sign) for word in words for piece in pieces(word) if piece.concept)


class Place(NamedTuple):
    """Where in a sentence something stands."""

    read: Sequence[Piece]
    start: int
    end: int
    rest: bool  # there is more of it behind

    @property
    def governor(self) -> int:
        """The place of the word that leads to it: a preposition, or else a verb; -1 if there is none."""
        at = _before(self.read, self.start)
        begun = at
        for _ in range(_MOST_BETWEEN):
            if begun < 0 or not self.read[begun].concept or self.read[begun].kind in _ENDS:
                break
            ahead = self.read[begun - 1].text if begun else ""
            if ahead in _LOCATING or ahead in _CHOOSING or ahead in _ARTICLES:
                return at if (found := _before(self.read, begun)) < 0 else found
            begun -= 1
        return at

    @property
    def numbers(self) -> list[Piece]:
        """Those of its words that are numbers."""
        return [piece for piece in self.read[self.start : self.end] if piece.kind == NUMBER]


def _before(read: Sequence[Piece], start: int) -> int:
    """The place before one, but for articles; -1 if the sentence begins there."""
    at = start - 1
    while at >= 0 and read[at].text in _ARTICLES:
        at -= 1
    return -1 if at >= 0 and read[at].kind in _ENDS and read[at].text != ":" else at


@lru_cache(maxsize=4_096)
def _read(text: str) -> tuple[Piece, ...]:
    return tuple(pieces(text))


def place_of(text: str, own: Collection[str]) -> Place | None:
    """Where all of this stands in a text, side by side; None if other things stand between."""
    read = _read(text)
    places = [at for at, piece in enumerate(read) if piece.concept in own]
    if not places:
        return None
    start = end = places[0]
    for at in places[1:]:
        if any(read[between].text not in _ARTICLES for between in range(end + 1, at)):
            break
        end = at
    return Place(read, start, end + 1, rest=places[-1] > end)


def is_other_value(new: str, mine: Collection[str], old: str, theirs: Collection[str]) -> bool:
    """Whether two sentences that differ in nothing but this give one thing two values."""
    first, second = place_of(new, mine), place_of(old, theirs)
    if first is None or second is None or (first.rest and second.rest):
        return False
    if first.rest or second.rest:
        return _is_last(second if first.rest else first) and _is_exclusive(first, second)
    return _is_exclusive(first, second)


def _is_last(place: Place) -> bool:
    """Whether nothing is said behind it but the noun that it belongs to."""
    behind = place.read[place.end :]
    return not any(piece.concept for piece in (behind[1:] if behind and behind[0].kind == WORD else behind))


def _is_exclusive(first: Place, second: Place) -> bool:
    if all(map(_is_only_numbers, (first, second))):
        return _are_other_numbers(first, second)
    if _is_of_one_class(first, second, values()) and _is_what_it_is(first) and _is_what_it_is(second):
        return True
    if _is_of_one_class(first, second, _exclusive()):
        return all(
            place.governor >= 0 and not _is_additive(place) and not _is_denied(place) for place in (first, second)
        )
    tests: Sequence[Callable[[Place], bool]] = (_is_chosen, _is_located, _is_named_so, _is_the_one)
    return any(test(first) and test(second) for test in tests)


def _is_only_numbers(place: Place) -> bool:
    return len(place.numbers) == len([piece for piece in place.read[place.start : place.end] if piece.concept])


def _are_other_numbers(first: Place, second: Place) -> bool:
    """Whether two numbers measure one thing: another name for a thing, such as that of an issue, does not."""
    if any(map(_is_additive, (first, second))):
        return False
    return all(map(_has_dimension, (first, second))) or not any(map(_is_label, (first, second)))


def _has_dimension(place: Place) -> bool:
    return not place.numbers[-1].concept[-1].isdigit()


def _is_label(place: Place) -> bool:
    """Whether a number only tells which one it is that something is said of."""
    before = place.read[: place.start]
    if any(piece.text in BEING or piece.concept in _MEASURING for piece in before):
        return False
    has_verb = _is_command(place.read) or any(_is_verb(before, at) for at in range(len(before)))
    return not has_verb and (not before or (before[-1].kind in (WORD, NAME) and before[-1].text not in _ARTICLES))


def _is_command(read: Sequence[Piece]) -> bool:
    """Whether a sentence begins with what is to be done."""
    first = read[0]
    return first.text in _PRONOUNS or first.concept in ("use", "add", "run", "store", "raise", "move", "require")


def _is_verb(read: Sequence[Piece], at: int) -> bool:
    """Whether a word is likely a verb: behind a noun, in the form that verbs have there."""
    piece = read[at]
    return bool(at and piece.kind == WORD and read[at - 1].concept and piece.text.endswith(("s", "ed")))


def _is_additive(place: Place) -> bool:
    """Whether what is said may hold of several things at a time: to support one is not to drop the other."""
    before = place.read[: place.start]
    several = _verbs(_ADDITIVE)
    found = [at for at, piece in enumerate(before) if (piece.concept, piece.own_sign) in several]
    return any(not _is_attribute(before, at) for at in found)


def _is_attribute(read: Sequence[Piece], at: int) -> bool:
    """Whether a word only belongs to the noun behind it: failed uploads."""
    return (
        (read[at].text.endswith("ed") or read[at].text in _ATTRIBUTES)
        and at + 1 < len(read)
        and bool(read[at + 1].concept)
    )


def _is_denied(place: Place) -> bool:
    """Whether it is said what is not: of that there may be much."""
    return any(piece.turns for piece in place.read[: place.end])


def _is_of_one_class(first: Place, second: Place, classes: Mapping[str, int]) -> bool:
    mine, theirs = (
        {classes.get(piece.concept) for piece in place.read[place.start : place.end]} for place in (first, second)
    )
    return bool(mine & theirs - {None})


def _is_chosen(place: Place) -> bool:
    """Whether it is what is used for something: `use A for B`, `A is used for B`."""
    if _is_denied(place):
        return False
    behind = place.read[place.end :]
    at = place.governor
    if at < 0:
        used = [each for each, piece in enumerate(behind[:3]) if piece.concept == "use"]
        return bool(used and behind[0].text in BEING and _has_purpose(behind[used[0] + 1 :]))
    chosen = place.read[at]
    return chosen.concept == "use" and not chosen.text.startswith("prefer") and _has_purpose(behind)


def _has_purpose(behind: Sequence[Piece]) -> bool:
    return any(
        piece.text in _PURPOSES and any(each.concept for each in behind[at + 1 :]) for at, piece in enumerate(behind)
    )


def _is_located(place: Place) -> bool:
    """Whether it is where something is kept, or what something is done with: `stored in A`, `deploy to A`."""
    at = place.governor
    if at < 1 or _is_additive(place) or _is_denied(place) or not _is_last(place):
        return False
    word, verb = place.read[at].text, place.read[at - 1]
    if word in _LOCATING:
        return (verb.concept, verb.own_sign) in _verbs(_LOCATED)
    return word in _CHOOSING and _is_done(place.read, at - 1) and not _is_environment(place)


def _is_done(read: Sequence[Piece], at: int) -> bool:
    """Whether a word is the verb of its sentence: a participle, what comes first, or what follows a pronoun."""
    ahead = read[at - 1].text if at else ""
    if not read[at].concept:
        return read[at].text in _GOING
    return not ahead or ahead in BEING or ahead in ("get", "gets") or ahead in _PRONOUNS or _is_verb(read, at)


def _is_environment(place: Place) -> bool:
    return any(piece.concept in _ENVIRONMENTS for piece in place.read[place.start : place.end])


def _is_named_so(place: Place) -> bool:
    """Whether it is the name that something is said to be: `the package manager is A`."""
    is_named = all(piece.kind == NAME for piece in place.read[place.start : place.end] if piece.concept)
    return is_named and _is_what_it_is(place)


def _is_what_it_is(place: Place) -> bool:
    """Whether it is all that is said of something that it is."""
    at = place.governor
    return at > 0 and place.read[at].text in (*BEING, ":") and _is_last(place)


def _is_the_one(place: Place) -> bool:
    """Whether it is said to be the one that is something: `A is the primary key`."""
    behind = place.read[place.end : place.end + 2]
    if place.governor >= 0 or len(behind) < 2:
        return False
    return behind[0].text in BEING and behind[1].text in _DEFINITE


@lru_cache(maxsize=1_024)
def scoped(text: str) -> frozenset[str]:
    """What only tells where, when or for what the rest of a sentence holds."""
    found: list[str] = []
    is_scope, is_condition = False, False
    for piece in _read(text):
        if piece.kind in _ENDS:
            is_scope, is_condition = False, False
        elif piece.text in CONDITIONS:
            is_condition = True
        elif piece.text in _SCOPING:
            is_scope = True
        elif piece.text in BEING or piece.text in _PRONOUNS:
            is_scope = False
        if piece.concept and (is_scope or is_condition):
            found.append(piece.concept)
    return frozenset(found)
