"""Whether two sentences say the same, and if not, what they are to each other.

Both are read once into a signature and compared by what they speak of: how much of one is in the other, by weight, for
names and numbers tell more than common words.  Guards come first: what one affirms and the other denies, another number
or value in the same place, a direction the other way round are never the same, however alike the sentences look.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from noctuary.concepts import LIGHT
from noctuary.dream.comparing.polarity import Link, meaning
from noctuary.dream.comparing.sentence import NAME, NUMBER, values
from noctuary.dream.comparing.slots import is_other_value, scoped
from noctuary.dream.comparing.spelling import are_alike, beginning, by_beginning, cased_names

_SAME_NEW, _SAME_OLD = 0.62, 0.4  # of the new one that is known, and of the old one that is said again
_COVERED = 0.72  # of the old one, if the new one is to say more
_ALL = 0.9  # of the new one: the old one says it and more
_MUCH = 0.78  # weight that the new one has more than the old one
_BOUND = 0.6  # how much a word counts that only qualifies another
_RELATED = 0.22
_CONFLICT = 0.25  # of what both speak of
_PLACED_CONFLICT = 0.12  # where an opposite or a direction leaves no doubt
_ONE_TOPIC = 0.5  # of either, if they are to contradict each other
_NEARLY_ALL, _OTHER = 0.75, 0.5  # more of both, if either speaks of something else besides, of this weight
_PART = 0.4  # of the longer one, if the shorter one contradicts it
_SHORT, _MOST_OF, _BETWEEN = 14, 0.8, 4  # words of a sentence; of what is shared, how much stands together how closely
_SOME = 0.5  # weight of a word that tells something
_MOST_VALUES = 4  # in which two sentences differ that speak of one thing
_LIKE = 0.83  # cosine of two sentences that speak of the same thing
_LEEWAY = 1e-9  # sums of the same numbers in another order
_HEAVIEST = 1.5  # that any word is
_ALIKE, _MOST_EASE = 0.78, 0.35  # from which cosine on sentences need less in common, and how much less at most


_WORD = re.compile(r"[^\W_][\w-]*")


class Relation(StrEnum):
    """What a new sentence is to an old one."""

    SAME = "same"  # nothing new
    SAYS_MORE = "says_more"  # all of the old one, and more
    CONTRADICTS = "contradicts"  # the same topic, but denied, another value, or the other way round
    RELATED = "related"  # the same topic, another statement
    UNRELATED = "unrelated"


class Signature(NamedTuple):
    """A sentence, read."""

    weights: Mapping[str, float]
    signs: Mapping[str, int]  # 0 where a sentence both affirms and denies
    kinds: Mapping[str, str]
    bound: frozenset[str]  # what only qualifies the word beside it
    total: float
    order: tuple[str, ...]
    links: Sequence[Link]
    turned: int  # clauses that are denied
    is_passive: bool
    is_question: bool
    plain: str  # to see at once that two are equal
    text: str
    beginnings: Mapping[str, Sequence[str]]  # of concepts that may be spelled like others, by what those begin with
    compounds: frozenset[str]  # what every two concepts in a row are if they are written as one


@lru_cache(maxsize=4_096)
def signature(text: str) -> Signature:
    """What a sentence says, in the form in which it is compared."""
    read = meaning(text)
    weights: dict[str, float] = {}
    signs: dict[str, int] = {}
    kinds: dict[str, str] = {}
    bound: list[str] = []
    for concept, kind, weight, sign, is_bound in read.said:
        if concept not in weights:
            weights[concept], kinds[concept], signs[concept] = weight, kind, sign
        else:
            weights[concept] = max(weight, weights[concept])
            kinds[concept] = kind if kinds[concept] != NAME else NAME
            signs[concept] = sign if signs[concept] * sign > 0 else 0
        if is_bound:
            bound.append(concept)
    order = tuple([said[0] for said in read.said])
    return Signature(
        weights=weights,
        signs=signs,
        kinds=kinds,
        bound=frozenset(bound),
        total=sum(weights.values()),
        order=order,
        links=read.links,
        turned=read.turned,
        is_passive=read.is_passive,
        is_question=read.is_question,
        plain=" ".join(text.split()),
        text=text,
        beginnings=by_beginning(weights),
        compounds=frozenset(map(str.__add__, order, order[1:])),
    )


@lru_cache(maxsize=1_024)
def _words(text: str) -> tuple[str, ...]:
    """All words, in small letters."""
    return tuple(_WORD.findall(text.lower()))


@lru_cache(maxsize=1_024)
def _cased(text: str) -> Mapping[str, str]:
    """The names in which case matters, by their small letters."""
    return cased_names(text)


def compare(new: str, old: str, likeness: float | None = None) -> Relation:
    """What a new sentence is to an old one; `likeness` is the cosine of their vectors, if there is a model."""
    return relation(signature(new), signature(old), likeness)


def relation(new: Signature, old: Signature, likeness: float | None = None) -> Relation:
    """What a new sentence is to an old one, both read before."""
    return _compared(new.text, old.text) if likeness is None else _relation(new, old, likeness)


@lru_cache(maxsize=8_192)  # a reading compares the same two sentences for one reason after the other
def _compared(new: str, old: str) -> Relation:
    return _relation(signature(new), signature(old), None)


def _relation(new: Signature, old: Signature, likeness: float | None) -> Relation:
    if new.plain == old.plain:
        return Relation.SAME
    if not new.total or not old.total:
        return Relation.UNRELATED
    is_like = likeness is not None and likeness >= _LIKE
    if not is_like and _most_shared(new, old) < _RELATED * min(new.total, old.total) - _LEEWAY:
        return Relation.UNRELATED  # most pairs are, and to see it costs a tenth of the rest
    match = _matched(new, old)
    known, said = match.weight / new.total, match.weight / old.total
    if max(known, said) < _RELATED and not is_like:
        return Relation.UNRELATED
    if _is_denied(new, old, match) or _is_reversed(new, old) or _is_swapped(new, old):
        is_plain = _is_one_topic(new, old, match) and not _is_scoped_otherwise(new, old, match)
        return Relation.CONTRADICTS if is_plain else Relation.RELATED
    if match.new_only and match.old_only and (differing := _other_values(new, old, match, is_like=is_like)):
        return Relation.CONTRADICTS if _is_other_value(new, old, match, differing) else Relation.RELATED
    if new.is_question != old.is_question or _is_other_name(new, old):
        return Relation.RELATED
    return _degree(new, old, match, likeness)


def may_say_it_all(new: Signature, old: Signature) -> bool:
    """Whether it can be that the new sentence is the same as the old one or says more; quicker than `relation`."""
    least = min(_SAME_NEW * new.total, _COVERED * old.total) - _LEEWAY
    return new.plain == old.plain or _most_shared(new, old) >= least


def _most_shared(new: Signature, old: Signature) -> float:
    """No less than the weight of what two sentences both speak of; that itself if none of it is spelled otherwise."""
    mine, theirs = new.weights, old.weights
    equal = mine.keys() & theirs.keys()
    weight = sum([mine[concept] + theirs[concept] for concept in equal]) / 2
    if not new.compounds.isdisjoint(theirs) or not old.compounds.isdisjoint(mine):
        return max(new.total, old.total)
    for begun in new.beginnings.keys() & old.beginnings.keys():
        alike = [mine[concept] + _HEAVIEST for concept in new.beginnings[begun] if concept not in theirs]
        weight += sum(alike) / 2
    return weight


class _Match(NamedTuple):
    pairs: list[tuple[str, str]]  # what is in the new one and in the old one
    weight: float
    new_only: list[str]
    old_only: list[str]


def _matched(new: Signature, old: Signature) -> _Match:
    """What both speak of: the same concepts, then those that are spelled alike."""
    pairs = [(concept, concept) for concept in new.weights if concept in old.weights]
    new_only = [concept for concept in new.weights if concept not in old.weights]
    old_only = [concept for concept in old.weights if concept not in new.weights]
    if begun := new.beginnings.keys() & old.beginnings.keys():
        _join_alike(new_only, old_only, begun, pairs)
    if not new.compounds.isdisjoint(old_only):
        _join_compounds(new_only, old_only, new, pairs)
    if not old.compounds.isdisjoint(new_only):
        _join_compounds(old_only, new_only, old, pairs, reverse=True)
    weight = sum((new.weights[mine] + old.weights[theirs]) / 2 for mine, theirs in pairs if mine in new.weights)
    return _Match(pairs, weight, new_only, old_only)


def _join_alike(new_only: list[str], old_only: list[str], begun: Collection[str], pairs: list[tuple[str, str]]) -> None:
    """Join what is spelled alike; only what begins as something in both does can be."""
    mine_alone = [concept for concept in new_only if beginning(concept) in begun]
    theirs_by_beginning = by_beginning([concept for concept in old_only if beginning(concept) in begun])
    for mine in mine_alone:
        others = theirs_by_beginning.get(beginning(mine), [])
        for theirs in others:
            if are_alike(mine, theirs):
                pairs.append((mine, theirs))
                new_only.remove(mine)
                old_only.remove(theirs)
                others.remove(theirs)
                break


def _join_compounds(
    apart: list[str], joined: list[str], source: Signature, pairs: list[tuple[str, str]], *, reverse: bool = False
) -> None:
    """Two words in a row are the one word that is made of both: time out and timeout."""
    if len(apart) < 2 or not joined:
        return
    for first, second in zip(source.order, source.order[1:], strict=False):
        whole = first + second
        if whole in joined and first in apart and second in apart:
            joined.remove(whole)
            apart.remove(first)
            apart.remove(second)
            pairs.append((whole, first) if reverse else (first, whole))


def _is_one_topic(new: Signature, old: Signature, match: _Match) -> bool:
    """Whether both speak of the same thing for the most part, or one of it alone."""
    known, said = match.weight / new.total, match.weight / old.total
    alone = (sum(one.weights[each] for each in own if each not in LIGHT) for one, own in _both(new, old, match))
    if min(alone) >= _OTHER:
        return min(known, said) >= _NEARLY_ALL  # each speaks of something that the other does not
    if min(known, said) >= _ONE_TOPIC:
        return True
    return max(known, said) >= _ALL and min(known, said) >= _PART and _are_together(new, old, match)


def _are_together(new: Signature, old: Signature, match: _Match) -> bool:
    """Whether what both say stands together in the longer one, as it does in one that only has more to say."""
    long = new if new.total > old.total else old
    if len(long.order) <= _SHORT:
        return True
    plain = [pair for pair in match.pairs if bool(new.signs[pair[0]]) == bool(old.signs[pair[1]])]
    shared = {pair[long is old] for pair in plain}
    places = sorted({concept: at for at, concept in enumerate(long.order) if concept in shared}.values())
    needed = max(1, int(len(match.pairs) * _MOST_OF))
    widths = [places[at + needed - 1] - places[at] for at in range(len(places) - needed + 1)]
    return bool(widths) and min(widths) < needed + _BETWEEN


def _is_scoped_otherwise(new: Signature, old: Signature, match: _Match) -> bool:
    """Whether one holds only where, when or if something is that the other does not speak of."""
    return any(own and not scoped(one.text).isdisjoint(own) for one, own in _both(new, old, match))


def _both(new: Signature, old: Signature, match: _Match) -> tuple[tuple[Signature, list[str]], ...]:
    """Each sentence, with what only it speaks of."""
    return (new, match.new_only), (old, match.old_only)


def _telling(one: Signature, own: Iterable[str]) -> list[str]:
    return [concept for concept in own if one.weights[concept] >= _SOME]


def _is_other_value(new: Signature, old: Signature, match: _Match, differing: frozenset[str]) -> bool:
    """Whether the sentences are the same but for one value of one thing."""
    mine, theirs = _telling(new, match.new_only), _telling(old, match.old_only)
    if not match.pairs or max(len(mine), len(theirs)) > _MOST_VALUES or differing.isdisjoint(mine):
        return False
    if new.is_question or old.is_question:
        return False
    return is_other_value(new.text, mine, old.text, theirs)


def _is_denied(new: Signature, old: Signature, match: _Match) -> bool:
    """Whether one affirms what the other denies.

    Where both deny as much, one may only reach further than the other: then both must deny what the other does not.
    """
    denied = {1: 0.0, -1: 0.0}  # what only the old one denies, what only the new one does
    shared = 0.0
    is_placed = False
    for mine, theirs in match.pairs:
        sign, weight = new.signs[mine], new.weights[mine]
        shared += weight
        if sign * old.signs[theirs] < 0:
            denied[1 if sign > 0 else -1] += weight
            is_placed = is_placed or abs(sign) + abs(old.signs[theirs]) > 2
    if is_placed or (new.turned - old.turned) % 2:
        return 0 < shared * (_PLACED_CONFLICT if is_placed else _CONFLICT) <= sum(denied.values())
    return 0 < shared * _CONFLICT / 2 <= min(denied.values())


def _other_values(new: Signature, old: Signature, match: _Match, *, is_like: bool) -> frozenset[str]:
    """What one has where the other has its own: a number, a name, a value, or any word in its place."""
    found: set[str] = set()
    for kind in (NUMBER, NAME):
        mine = [concept for concept in match.new_only if new.kinds[concept] == kind]
        theirs = [concept for concept in match.old_only if old.kinds[concept] == kind]
        if mine and theirs and (kind == NAME or {*map(_dimension, mine)} & {*map(_dimension, theirs)}):
            found.update(mine, theirs)
    classes = values()
    for mine_only in match.new_only:
        kin = [other for other in match.old_only if mine_only in classes and classes.get(other) == classes[mine_only]]
        found.update(kin, [mine_only] if kin else ())
    if not found:
        found.update(_substituted(new, old, match, most=1 if is_like else _MOST_VALUES))
    return frozenset(found)


def _dimension(number: str) -> str:
    return "@" if number.startswith("#@") else number.lstrip("#0123456789.,e+-")


def _substituted(new: Signature, old: Signature, match: _Match, *, most: int) -> list[str]:
    """What stands between the same words in both and is not the same, if that is in so many places at most."""
    mine, theirs = _gaps(new, match.new_only), _gaps(old, match.old_only)
    partner = dict(match.pairs)
    found: list[list[str]] = []
    for (before, after), own in mine.items():
        if other := theirs.get((partner.get(before, before), partner.get(after, after))):
            found.append([*own, *other])
    return [each for gap in found for each in gap] if len(found) <= most else []


def _gaps(one: Signature, own: Collection[str]) -> dict[tuple[str, str], list[str]]:
    """What a sentence has for itself, by what stands before and behind it."""
    found: dict[tuple[str, str], list[str]] = {}
    before, gap = "", list[str]()
    for concept in (*one.order, ""):
        if concept and concept in own:
            gap.append(concept)
            continue
        if any(each not in LIGHT for each in gap):
            found[before, concept] = gap
        before, gap = concept, []
    return found


def _is_reversed(new: Signature, old: Signature) -> bool:
    """Whether what stands left of a word in one stands right of it in the other."""
    return any(
        (mine.left - mine.right) & (theirs.right - theirs.left)
        and (mine.right - mine.left) & (theirs.left - theirs.right)
        for mine in new.links
        for theirs in old.links
        if mine.word == theirs.word
    )


def _is_swapped(new: Signature, old: Signature) -> bool:
    """Whether two words have changed places and all others stand where they stood."""
    if len(new.order) != len(old.order) or len(new.order) < 3 or new.is_passive != old.is_passive:
        return False
    places = [at for at, (mine, theirs) in enumerate(zip(new.order, old.order, strict=True)) if mine != theirs]
    if len(places) != 2 or places[1] - places[0] < 2:
        return False
    first, second = places
    return new.order[first] == old.order[second] and new.order[second] == old.order[first]


def _is_other_name(new: Signature, old: Signature) -> bool:
    """Whether both have a name that differs in nothing but its capitals."""
    mine, theirs = _cased(new.text), _cased(old.text)
    return any(theirs.get(small) != name and small in _words(old.text) for small, name in mine.items()) or any(
        mine.get(small) != name and small in _words(new.text) for small, name in theirs.items()
    )


def _degree(new: Signature, old: Signature, match: _Match, likeness: float | None) -> Relation:
    """How much two sentences that do not contradict each other have in common."""
    known, said = match.weight / new.total, match.weight / old.total
    ease = min(_MOST_EASE, max(0.0, likeness - _ALIKE) * 2.5) if likeness else 0.0
    extra = sum(new.weights[concept] * (_BOUND if concept in new.bound else 1) for concept in match.new_only)
    missing = sum(old.weights[concept] for concept in match.old_only)
    has_more = any(new.kinds[concept] in (NAME, NUMBER) for concept in match.new_only) or extra - missing >= _MUCH
    if not _are_together(new, old, match):
        return Relation.RELATED
    if known >= _SAME_NEW - ease and said >= _SAME_OLD - ease and not has_more:
        return Relation.SAME
    if known >= _ALL:
        return Relation.SAME
    return Relation.SAYS_MORE if said >= _COVERED - ease else Relation.RELATED
