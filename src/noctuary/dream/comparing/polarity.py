"""What a sentence affirms and what it denies.

A sentence falls into clauses.  What turns a clause (not, never, removed, rejected) denies all that stands in it; what
shows a direction (instead of, from … to, an arrow, replaced by) denies what is left and affirms what is taken.  So
"chose A over B", "replaced B with A" and "from B to A" say the same of A and of B.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from noctuary.dream.comparing.sentence import NAME, NUMBER, Piece, directed, pieces

_JOINING = frozenset(
    """
    because since so but while although though which that why caused causes cause leads led means who when if unless
    whenever hence therefore until except weil wenn aber où si porque pero если когда потому но
    """.split()  # noqa: SIM905 - a block of words reads better than a list of quoted ones
)
# They may stand before what they say something of: a missing index, a failed job.
_ATTRIBUTES = frozenset(
    {"missing", "absent", "failed", "failing", "broken", "optional", "unnecessary", "unavailable", "abandoned"}
)
_PAST = frozenset(
    {"disabled", "deprecated", "ignored", "rejected", "deleted", "removed", "dropped"}
)  # after an article
_ARTICLES = frozenset(
    {"the", "a", "an", "of", "all", "any", "for", "with", "its", "our", "their", "every", "each", "no"}
)
_LEADING = frozenset({"in", "on", "for", "with", "during", "under", "at", "because", "before", "after", "when", "if"})
_ENDS_ROLE = frozenset({"for", "in", "on", "at", "as", "when", "while", "if", "and", "by", "to", "via", "within"})
_BEING = frozenset({"is", "are", "was", "were", "be", "been", "being", "got", "gets", "get", "wird", "wurde", "werden"})
_TROUBLE = frozenset(
    """
    bug error crash leak race deadlock regress vulner typo timeout spike warn hang conflict mismatch corrupt overflow
    """.split()  # noqa: SIM905
)
_WITHOUT = frozenset({"without", "§out", "sans", "ohne", "sin", "sem"})
_MOST_DENIED = 4  # words behind "instead of"
_ANDS = frozenset({"and", "und", "et", "y", "then"})
_MAY_JOIN = _JOINING | _ANDS | {"to", "by"}
_CONDITIONS = frozenset({"if", "when", "whenever", "unless", "while", "until", "once"})
_EXCEPTING = frozenset({"unless", "until", "except"})
_PEOPLE = frozenset({"you", "we", "they", "i", "it"})
_MODALS = frozenset({"must", "should", "may", "can", "cannot", "shall", "will", "need", "have"})
_ORDERED = frozenset({"before", "after", "than"})
_BY = frozenset({"by", "von", "par", "por"})
_ROLE_WORDS = _WITHOUT | {"§instead", "§favour", "§was", "§away", "→", "over", "from"}
_MOVING = frozenset({"move", "change", "replaces", "raise", "rename"})


# Something a sentence speaks of: its concept, kind and weight; 1 if it is affirmed and -1 if it is denied, 2 and -2 if
# its place in the sentence says so; and whether it stands beside another word that tells something, with nothing
# between.  No named tuple: there are many, and each is made once and taken apart once.
Said = tuple[str, str, float, int, bool]


class Link(NamedTuple):
    """What stands on either side of a word that is not the same the other way round."""

    left: frozenset[str]
    word: str
    right: frozenset[str]


class Meaning(NamedTuple):
    """All that a sentence says."""

    said: list[Said]
    links: list[Link]
    turned: int  # clauses that are denied
    is_passive: bool
    is_question: bool


def meaning(text: str) -> Meaning:
    """Read a sentence, or a few."""
    said: list[Said] = []
    links: list[Link] = []
    is_passive, turned, begun = False, 0, ""
    for clause, end in _clauses(pieces(text)):
        is_condition, begun = begun in _CONDITIONS, end
        if not clause:
            continue
        texts, found = {piece.text for piece in clause}, {piece.concept for piece in clause}
        is_plain = False not in [piece.is_plain for piece in clause]
        is_turned = (not is_plain or "repair" in found) and _may_be_turned(clause, found, end)
        turned += is_turned and not is_condition  # what is not so in a condition does not undo what is denied behind it
        has_roles = not _ROLE_WORDS.isdisjoint(texts) or "replaces" in found or _prefers(texts)
        if is_plain and not has_roles:  # as most are
            signs = [-1 if is_turned else 1] * len(clause)
        else:
            signs = _signs(clause, has_roles=has_roles, is_turned=is_turned)
        said += _said(clause, signs)
        is_passive = is_passive or not (texts.isdisjoint(_BY) or texts.isdisjoint(_BEING))
        if not texts.isdisjoint(_ORDERED) or not found.isdisjoint(directed()):
            links += _links(clause)
    return Meaning(said, links, turned, is_passive, text.rstrip().endswith("?"))


def _prefers(texts: set[str]) -> bool:
    """Whether something may be preferred to something else; "to" alone says nothing."""
    return "to" in texts and any(text.startswith("prefer") for text in texts)


def _may_be_turned(clause: Sequence[Piece], found: set[str], end: str) -> bool:
    may_turn = "repair" in found or any(piece.turns for piece in clause)
    return may_turn and _is_turned(clause, has_exception=end in _EXCEPTING)


def _said(clause: Sequence[Piece], signs: Sequence[int]) -> list[Said]:
    """What a clause speaks of; what stands beside a noun is bound to it."""
    nouns = [False, *[piece.is_noun for piece in clause], False]
    return [
        (piece.concept, piece.kind, piece.weight, sign, before or behind)
        for piece, sign, before, behind in zip(clause, signs, nouns, nouns[2:], strict=False)
        if piece.concept
    ]


def _clauses(all_pieces: Sequence[Piece]) -> Iterator[tuple[list[Piece], str]]:
    """The parts of a sentence that are affirmed or denied each for itself, with the words that end them."""
    clause: list[Piece] = []
    is_condition = False
    for place, piece in enumerate(all_pieces):
        if is_condition and clause and _is_subject(all_pieces, place):
            yield clause, ""
            clause, is_condition = [], False
        is_break = piece.kind == "break"
        if not is_break and piece.text not in _MAY_JOIN:
            clause.append(piece)
            continue
        if (
            is_break
            or piece.text in _JOINING
            or _begins_another(clause, all_pieces, place)
            or _is_means(all_pieces, place)
        ):
            is_condition = piece.text in _CONDITIONS
            if not _is_leading(clause, piece):
                yield clause, piece.text
                clause = []
            continue
        clause.append(piece)
    yield clause, ""


def _is_subject(all_pieces: Sequence[Piece], place: int) -> bool:
    """Whether what is to be done begins here, behind a condition that no comma ends: `if it is red you must not …`."""
    ahead = all_pieces[place + 1].text if place + 1 < len(all_pieces) else ""
    return all_pieces[place].text in _PEOPLE and (ahead in _MODALS or ahead in ("do", "never", "always"))


def _is_leading(clause: Sequence[Piece], end: Piece) -> bool:
    """Whether what was read is only where or when the rest holds, such as `In CI,`."""
    return end.text == "," and bool(clause) and clause[0].text in _LEADING and not any(each.turns for each in clause)


def _is_means(all_pieces: Sequence[Piece], place: int) -> bool:
    """Whether what follows is what something is done for, or by what: `to stop …`, `by closing …`."""
    ahead = all_pieces[place + 1] if place + 1 < len(all_pieces) else None
    if ahead is None:
        return False
    text = all_pieces[place].text
    return (text == "to" and ahead.turns) or (text == "by" and ahead.text.endswith("ing"))


def _begins_another(clause: Sequence[Piece], all_pieces: Sequence[Piece], place: int) -> bool:
    """Whether `and` is followed by a verb that affirms or denies anew."""
    if all_pieces[place].text not in _ANDS:
        return False
    ahead = all_pieces[place + 1 : place + 3]
    return any(
        each.turns or each.own_sign < 0 or each.concept in ("use", "add", "enable", "raise") for each in ahead
    ) and any(each.concept for each in clause)


def _signs(clause: Sequence[Piece], *, has_roles: bool, is_turned: bool) -> list[int]:
    """Of each piece, whether it is affirmed or denied."""
    sign = -1 if is_turned else 1
    signs = [sign] * len(clause)
    for place, piece in enumerate(clause):
        if piece.own_sign > 0 and not piece.turns:
            continue
        is_attribute = piece.turns and _is_attribute(clause, place)
        if is_attribute and piece.concept == "exist":  # a missing index is one that does not exist, whatever it breaks
            plain = -1 if any(each.turns and not each.concept for each in clause) else 1
            signs[place], signs[place + 1] = -2 * plain, -plain
        elif piece.own_sign < 0 and (not piece.turns or is_attribute):
            signs[place] *= -2
    for role in _roles(clause) if has_roles else ():
        for place in role.places:
            signs[place] = 2 * (role.sign if role.is_sure else sign * role.sign)
    return signs


def _is_turned(clause: Sequence[Piece], *, has_exception: bool) -> bool:
    """Whether a clause is denied; `never merge unless it is green` is not, no more than `merge if it is green` is."""
    turning = sum(piece.turns and not _is_attribute(clause, place) for place, piece in enumerate(clause))
    is_excepted = has_exception and any(piece.turns and not piece.concept for piece in clause)
    return (turning + _is_repair(clause) + (_is_condition(clause) or is_excepted)) % 2 == 1


def _is_condition(clause: Sequence[Piece]) -> bool:
    """Whether nothing is denied but to do one thing without another: `never merge without a review`."""
    denials = [place for place, piece in enumerate(clause) if piece.turns and not piece.concept]
    return bool(denials) and any(piece.text in _WITHOUT for piece in clause[denials[0] :])


def _is_attribute(clause: Sequence[Piece], place: int) -> bool:
    """Whether a word that could turn the clause only belongs to the noun behind it."""
    if place + 1 == len(clause) or not clause[place + 1].concept:
        return False
    text = clause[place].text
    return text in _ATTRIBUTES or (text in _PAST and place > 0 and clause[place - 1].text in _ARTICLES)


def _is_repair(clause: Sequence[Piece]) -> bool:
    """Whether trouble is said to be over."""
    found = {piece.concept for piece in clause}
    return "repair" in found and not found.isdisjoint(_TROUBLE)


class _Role(NamedTuple):
    places: Sequence[int]
    sign: int
    is_sure: bool = False  # whatever turns the clause


def _roles(clause: Sequence[Piece]) -> Iterator[_Role]:
    for place, piece in enumerate(clause):
        if piece.text == "§instead" or _is_preferring(clause, place):
            yield _Role(_following(clause, place), -1)
        elif piece.text in _WITHOUT and not _is_condition(clause):
            yield _Role(_following(clause, place), -1, is_sure=True)
        elif piece.text == "§favour":
            yield _Role([at for at in range(place) if clause[at].concept], -1, is_sure=True)
            yield _Role(_following(clause, place), 1, is_sure=True)
        elif piece.text == "→":
            yield from _arrow(clause, place)
        elif piece.text == "§was":
            yield _Role([at for at in _following(clause, place) if clause[at].kind == NUMBER], -1, is_sure=True)
        elif piece.text in ("from", "§away"):
            yield from _from_to(clause, place)
        elif piece.concept == "replaces":
            yield from _replaced(clause, place)


def _is_preferring(clause: Sequence[Piece], place: int) -> bool:
    """Whether this is what stands between what is preferred and what is not: `chose A over B`, `prefer A to B`."""
    before = clause[:place]
    if clause[place].text == "over":
        beside = (*clause[max(0, place - 1) : place], *clause[place + 1 : place + 2])
        return any(each.concept in ("use", "better") for each in before) or [each.kind for each in beside] == [
            NAME,
            NAME,
        ]
    return clause[place].text == "to" and any(each.text.startswith("prefer") for each in before[:-1])


def _following(clause: Sequence[Piece], place: int) -> list[int]:
    """The places behind one that belong to it."""
    found: list[int] = []
    for at in range(place + 1, len(clause)):
        piece = clause[at]
        if (
            len(found) == _MOST_DENIED
            or piece.kind in ("arrow", "mark")
            or ((piece.text in _ENDS_ROLE or piece.text in _BEING) and found)
        ):
            break
        if piece.concept:
            found.append(at)
    return found


def _arrow(clause: Sequence[Piece], place: int) -> Iterator[_Role]:
    before = [at for at in range(place) if clause[at].concept][-1:]
    after = [at for at in range(place + 1, len(clause)) if clause[at].concept][:1]
    yield _Role(before, -1, is_sure=True)
    yield _Role(after, 1, is_sure=True)


def _from_to(clause: Sequence[Piece], place: int) -> Iterator[_Role]:
    """`from A to B` takes A away; `from A` alone only where something moves."""
    moves = any(each.concept in _MOVING for each in clause)
    ends = [at for at, piece in enumerate(clause) if piece.text in ("to", "into", "→")]
    is_direction = any(at > place for at in ends) or moves or clause[place].text == "§away"
    if not is_direction:
        return
    yield _Role(_following(clause, place), -1, is_sure=True)
    for end in ends[:1]:
        taken = [at for at in _following(clause, end) if not end < place < at]  # `to A from B`
        yield _Role(taken, 1, is_sure=True)


def _replaced(clause: Sequence[Piece], place: int) -> Iterator[_Role]:
    """`replaced A with B` and `A was replaced by B` take A away; so does `B replaces A`."""
    means = [at for at in range(place + 1, len(clause)) if clause[at].text in ("with", "by", "for")]
    is_passive = (
        any(piece.text in _BEING for piece in clause[max(0, place - 2) : place]) and clause[place - 1].text != "to"
    )
    before = [at for at in range(place) if clause[at].concept]
    if is_passive and before:
        yield _Role(before, -1, is_sure=True)
        yield _Role(_following(clause, place), 1, is_sure=True)
    elif means:
        yield _Role([at for at in range(place + 1, means[0]) if clause[at].concept], -1, is_sure=True)
        yield _Role(_following(clause, means[0]), 1, is_sure=True)
    else:
        yield _Role(_following(clause, place), -1, is_sure=True)


def _is_passive(clause: Sequence[Piece]) -> bool:
    return any(piece.text in _BY for piece in clause) and any(piece.text in _BEING for piece in clause)


def _links(clause: Sequence[Piece]) -> Iterator[Link]:
    for place, piece in enumerate(clause):
        word = piece.text if piece.text in _ORDERED else piece.concept
        if word not in directed() and word not in _ORDERED:
            continue
        sides = _sides(clause, place)
        is_turned = word == "after" or (_is_passive(clause) and word not in _ORDERED)
        if word == "than":
            is_turned = any(each.own_sign < 0 for each in clause[:place])
        left, right = reversed(sides) if is_turned else sides
        if left and right:
            yield Link(left, "before" if word == "after" else word, right)


def _sides(clause: Sequence[Piece], place: int) -> tuple[frozenset[str], frozenset[str]]:
    """What stands before and behind a word; of a clause that begins with it, what is behind the next break."""
    left = frozenset(piece.concept for piece in clause[:place] if piece.concept)
    right = frozenset(piece.concept for piece in clause[place + 1 :] if piece.concept)
    return left, right
