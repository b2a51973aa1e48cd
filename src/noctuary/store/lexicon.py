"""The full-text index: which messages a word occurs in, and how much there is in all."""

import json
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from noctuary.records import Term
from noctuary.store import keys
from noctuary.store.database import Database, Value
from noctuary.text import searchable

_PAGE = 2_000
AUTOMERGE = 4  # FTS5's own default
_MOST = 0.8  # of what was looked at, so that another look would find hardly more
# Makes one piece of every index, without what was removed from it.
MERGES = ("merge_index", "merge_event_index", "merge_hidden_event_index", "merge_node_index")
EVERY_VOICE = tuple(range(8))
NEWEST = (1 << 63) - 1  # above every key and every time
LONG_AGO = -(1 << 62)  # below every time


class IndexSize(NamedTuple):
    """How much there is to search: what makes a word rare or common."""

    messages: int
    characters: int
    sessions: int


class Balance(NamedTuple):
    """What the index holds beside what it should hold."""

    indexed: int
    expected: int  # messages that may be found, and titles, but for those that wait
    waiting: int


class Within(NamedTuple):
    """Where to look: phrases a message must have, terms it must not have, sessions and voices."""

    required: Sequence[Term] = ()
    excluded: Sequence[Term] = ()
    picked: Sequence[int] | None = None  # numbers of sessions; None is all of them
    voices: tuple[int, ...] = EVERY_VOICE
    after_ms: int | None = None
    before_ms: int | None = None

    @property
    def is_anywhere(self) -> bool:
        """Whether no session, voice or time is left out."""
        chosen = (self.picked, self.after_ms, self.before_ms)
        return chosen == (None, None, None) and self.voices == EVERY_VOICE


class Printed(NamedTuple):
    """Where tools printed something: in a project, before a time, among the newest messages that have some words."""

    owner: str
    project: str
    before_ms: int
    looked_at: int  # messages, whoever says them; without a limit the cost would grow with the store
    below: int = NEWEST  # key from which on none is looked at
    since: int = 0  # key from which on messages are as new as what is traced, if that is known


class Lexicon:
    """Answers what lexical search asks; knows words, not meaning."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def size(self, owner: str) -> IndexSize:
        """How much of the owner's is indexed."""
        messages, characters = (self.database.fetch("totals", owner=owner) or [(0, 0)])[0]
        return IndexSize(messages=messages, characters=characters, sessions=self.sessions_from(owner, 1))

    def sessions_from(self, owner: str, no: int) -> int:
        """How many of the owner's sessions have this number or a higher one; those between may be others'."""
        return int(self.database.fetch("count_sessions_from", owner=owner, no=no)[0][0])

    def matching(self, terms: Sequence[Term], within: Within, most: int, below: int = NEWEST) -> list[int]:
        """Keys, lower than `below`, of the messages that have all the terms, the newest first."""
        return self._matching(_expression(terms, (), within), within, most, below)

    def matching_any(self, terms: Sequence[Term], any_of: Sequence[Term], within: Within, most: int) -> list[int]:
        """Keys of the messages that have all the terms and at least one of the others, the newest first."""
        return self._matching(_expression(terms, any_of, within), within, most, NEWEST)

    def _matching(self, match: str, within: Within, most: int, below: int) -> list[int]:
        if within.is_anywhere:
            rows = self.database.fetch("matching", match=match, most=most, below=below)
        else:
            rows = self.database.fetch(
                "matching_within",
                match=match,
                most=most,
                below=below,
                timed=within.after_ms is not None or within.before_ms is not None,
                **_place(within),
            )
        found: list[int] = json.loads(rows[0][0])
        return found

    def printed_before(
        self, terms: Sequence[Term], place: Printed, most: int, *, any_of: Sequence[Term] = ()
    ) -> tuple[list[int], bool]:
        """Keys of what tools printed there and that has all the terms and one of the others, the newest first.

        And whether that is enough: all messages with the terms were looked at, or most that were are older than
        what is traced.
        """
        rows = self.database.fetch(
            "printed_before",
            match=match_expression(terms, any_of),
            voice=keys.OUTPUT,
            most=most,
            **place._asdict(),
        )
        found, looked_at, older = rows[0]
        return json.loads(found), looked_at < place.looked_at or older >= _MOST * looked_at

    def keys_at(self, positions: Iterable[int]) -> list[int]:
        """Keys of the messages that stand at these positions, if search may find them."""
        return [row[0] for row in self.database.fetch("keys_at", positions=json.dumps(list(positions)))]

    def containing(self, text: str, within: Within, most: int) -> list[int]:
        """Keys of messages that contain the text literally, but for the case of a to z, the newest first."""
        return [row[0] for row in self.database.fetch("containing", text=text, most=most, **_place(within))]

    def merge_while_adding(self) -> None:
        """Merge pieces of the index as they are added, a few at a time: what is right but for bulk loads."""
        if self.database.fetch("automerge")[0][0] != AUTOMERGE:  # as a bulk load leaves it that was killed
            self.database.fetch("set_automerge", pieces=AUTOMERGE)

    def merge_afterwards(self) -> None:
        """Leave pieces as they are, for a bulk load that calls `merge` at its end; costs the same and ends in one."""
        self.database.fetch("set_automerge", pieces=0)

    def merge(self) -> None:
        """Make one piece of the index, without what was removed from it."""
        self.database.fetch("merge_index")

    def pieces(self) -> int:
        """How many pieces there are to look into."""
        return int(self.database.fetch("index_pieces")[0][0])

    def balance(self) -> Balance:
        """How many entries the index has, and how many it should have."""
        indexed, indexable, waiting = self.database.fetch("balance_index")[0]
        return Balance(indexed=indexed, expected=indexable - waiting, waiting=waiting)

    def rebuild(self, progress: Callable[[int, int], None] | None = None) -> int:
        """Make the index again from the messages, in one transaction; how many messages it holds."""
        indexed, after, expected = 0, 0, self.database.fetch("count_indexable")[0][0]
        totals: dict[int, tuple[int, int]] = {}
        with self.database.transaction():
            self.database.fetch("remove_orphans")  # of a session that is gone: nobody could ever reach them
            self.database.fetch("clear_index")
            self.database.fetch("clear_backlog")
            while rows := self.database.fetch("messages_from", key=after, most=_PAGE):
                self.database.run_many("index_message", [(key, searchable(content)) for key, content in rows])
                for key, content in rows:
                    count, characters = totals.get(keys.session_of(key), (0, 0))
                    totals[keys.session_of(key)] = (count + 1, characters + len(content))
                indexed, after = indexed + len(rows), rows[-1][0]
                if progress:
                    progress(indexed, expected)
            self._index_titles()
            self._set_totals(totals)
            self.database.fetch("recount_sessions")
        return indexed

    def _index_titles(self) -> None:
        titles = [
            (keys.pack(no, 0, keys.TITLE, keys.length_class(len(title))), searchable(title))
            for no, _, title in self.database.fetch("titles")
        ]
        self.database.run_many("index_message", titles)

    def _set_totals(self, by_session: dict[int, tuple[int, int]]) -> None:
        for (owner,) in self.database.fetch("owners"):
            numbers = [row[0] for row in self.database.fetch("numbers_of_owner", owner=owner)]
            sums = [by_session.get(no, (0, 0)) for no in numbers]
            self.database.fetch(
                "set_totals",
                owner=owner,
                messages=sum(s[0] for s in sums),
                characters=sum(s[1] for s in sums),
            )


def _place(within: Within) -> dict[str, Value]:
    return {
        "picked": None if within.picked is None else json.dumps(within.picked),
        "voices": sum(1 << voice for voice in within.voices),
        "after_ms": LONG_AGO if within.after_ms is None else within.after_ms,
        "before_ms": NEWEST if within.before_ms is None else within.before_ms,
    }


def match_expression(
    terms: Sequence[Term],
    any_of: Sequence[Term] = (),
    *,
    required: Sequence[Term] = (),
    excluded: Sequence[Term] = (),
) -> str:
    """The terms in FTS5's own language: all of the first, one of the others, none of the excluded; "" without any.

    Every word is quoted, so none can be an operator.
    """
    wanted = [_quoted(term) for term in (*terms, *required)]
    if any_of:
        wanted.append(f"({' OR '.join(_quoted(term) for term in any_of)})")
    found = " AND ".join(wanted)
    if not found or not excluded:
        return found
    return f"({found}) NOT ({' OR '.join(_quoted(term) for term in excluded)})"


def _expression(terms: Sequence[Term], any_of: Sequence[Term], within: Within) -> str:
    return match_expression(terms, any_of, required=within.required, excluded=within.excluded)


def _quoted(term: Term) -> str:
    joined = " ".join(term.words).replace('"', '""')
    return f'"{joined}"*' if term.prefix else f'"{joined}"'
