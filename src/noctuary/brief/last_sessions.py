"""The last sessions in a brief, each under its title: what was said and found in them, as far as there is room.

Most of it nobody has looked at yet, so it stands apart from what is known, and who said it stands before it.
"""

from collections.abc import Sequence

from noctuary.authored import EventType
from noctuary.brief.importance import is_said, ranked, words_of
from noctuary.brief.lines import session_line, told_line
from noctuary.brief.material import Material, Told
from noctuary.brief.page import Line, Section

LAST = "From the last sessions, not reviewed"
_AROUND = 45  # characters of a line beside its words, mostly
_HEADING = 5  # characters around the title of the section
_SHORTEST = 20  # characters, below which there is no line

Chosen = dict[str, list[tuple[int, str, Line]]]  # by session, the lines, each with its time and its event


class LastSessions:
    """What can be told of the last sessions."""

    def __init__(self, material: Material) -> None:
        self.sessions = material.sessions
        self.last = material.last
        self.told = ranked(one for one in material.told if one.type is not EventType.HYPOTHESIS)
        self.titles = {name: session_line(session) for name, session in material.sessions.items()}

    def need(self, longest: int) -> int:
        """How many characters all of it takes, about."""
        names = {self._under(one) for one in self.told} | set(self.last)
        titles = sum(self._title_size(name) for name in names)
        lines = sum(min(longest, len(one.text) + _AROUND) + 1 for one in self.told)
        return titles + lines + len(LAST) + _HEADING if titles or lines else 0

    def filled(self, room: int, longest: int, said: Sequence[frozenset[str]]) -> Section:
        """As much as has room, the newest session last; what is said elsewhere is not said again."""
        left = room - len(LAST) - _HEADING
        before, chosen = list(said), Chosen()
        for name in self.last[:1]:  # its title is worth more than any line
            left -= self._open(name, chosen, left)
        for one in self.told:
            if left < _SHORTEST:
                break
            under, words = self._under(one), words_of(one.text)
            if is_said(words, before):
                continue
            line = told_line(one, longest, with_day=not under)
            size = len(line.text) + 1 + (0 if under in chosen else self._title_size(under))
            if size <= left:
                chosen.setdefault(under, []).append((one.ts_ms, one.event, line))
                before.append(words)
                left -= size
        for name in self.last:
            left -= self._open(name, chosen, left)
        names = sorted(chosen, key=self._age)
        return Section(LAST, [line for name in names for line in self._lines(name, chosen[name])])

    def _open(self, name: str, chosen: Chosen, left: int) -> int:
        """Show the title of a session if there is room; how much it takes."""
        size = 0 if name in chosen else self._title_size(name)
        if not 0 < size <= left:
            return 0
        chosen[name] = []
        return size

    def _title_size(self, name: str) -> int:
        return len(self.titles[name].text) + 1 if name else 0

    def _under(self, one: Told) -> str:
        """The session whose title it stands under; empty if none is known."""
        session = self.sessions.get(one.session)
        return session.id if session and session.id in self.titles else ""

    def _age(self, name: str) -> tuple[int, str]:
        return ((self.sessions[name].last_ms or 0) if name else -1, name)

    def _lines(self, name: str, lines: Sequence[tuple[int, str, Line]]) -> list[Line]:
        title = [self.titles[name]] if name else []
        return title + [line for _, _, line in sorted(lines)]
