"""From messages to hits: one a session, so that a chatty session takes one place and not all; or one a message."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from noctuary.recall.candidates import Candidates
from noctuary.recall.exactness import AS_TYPED, keep_below_exact
from noctuary.recall.scoring import TALK, TITLE_BONUS, Scored
from noctuary.store import keys

SUPPORT = (0.15, 0.05)  # of the session's second and third best message
APART = 3  # messages: two hits of one window show the same thing twice


@dataclass(slots=True, eq=False, repr=False)
class SessionScore:
    """A session's place in the order: its best message, and what else speaks for it."""

    number: int
    best: Scored
    why: dict[str, float] = field(default_factory=dict)

    @property
    def score(self) -> float:
        """What all reasons add up to."""
        return sum(self.why.values())


def one_by_one(ranked: Sequence[Scored], _found: Candidates) -> list[SessionScore]:
    """Every message for itself, but what tools and thoughts repeat around a better hit comes after all others."""
    first: list[Scored] = []
    later: list[Scored] = []
    taken: set[int] = set()
    for s in ranked:
        position = s.key >> keys.PLACE_SHIFT
        is_talk = keys.voice_in(s.key) in TALK
        if is_talk or AS_TYPED in s.why or taken.isdisjoint(range(position - APART, position + APART + 1)):
            first.append(s)
            taken.add(position)
        else:
            later.append(s)
    return [SessionScore(keys.session_of(s.key), s, dict(s.why)) for s in (*first, *later)]


def by_session(ranked: Sequence[Scored], found: Candidates) -> list[SessionScore]:
    """One entry a session, best first: its best message, supported by its next two and by its title."""
    messages: dict[int, list[Scored]] = {}
    for scored in ranked:
        messages.setdefault(keys.session_of(scored.key), []).append(scored)
    sessions: list[SessionScore] = []
    for number, members in messages.items():
        session = SessionScore(number, members[0], dict(members[0].why))
        support = sum(share * s.score for share, s in zip(SUPPORT, members[1:], strict=False))
        if support:
            session.why["also in this session"] = support
        title = found.positions.get(number << keys.PLACE_BITS)
        if title is not None and "title" not in session.why:
            session.why["title"] = TITLE_BONUS * found.worths[found.masks[title]]
        sessions.append(session)
    keep_below_exact(sessions)  # what supports a session must not carry it over an exact one either
    return sorted(sessions, key=lambda s: (-s.score, -s.best.key))


Grouping = Callable[[Sequence[Scored], Candidates], Sequence[SessionScore]]
