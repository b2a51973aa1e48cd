"""What one owner's memory holds, as counts and digests: two that hold the same have the same, wherever they are.

Numbers that a database gives are left out, names take their place.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from hashlib import blake2b
from typing import NamedTuple

from noctuary.errors import JournalDamaged, StoreError
from noctuary.journal.contract import Journals, Place
from noctuary.moving.places import Opened
from noctuary.store.database import Row
from noctuary.store.owned_rows import PLAIN

# What a server may know of somebody whose memory is not there yet: they were invited to a team and did something in it,
# or came with a key.  Of each table by how many of its columns a row is known.
BESIDE = {
    "teams": 1,
    "team_members": 1,
    "share_reviews": 2,
    "share_history": 1,
    "share_bindings": 2,
    "api_keys": 1,
    "audit_log": 1,
}
_DIGEST_BYTES = 16
_LOOK = "`noctuary journal verify` says more, and what to do."


class Held(NamedTuple):
    """What there is of one kind."""

    rows: int
    digest: str


NOTHING = Held(0, blake2b(digest_size=_DIGEST_BYTES).hexdigest())


def held(memory: Opened, embedders: Collection[str] | None = None) -> dict[str, Held]:
    """Everything of an owner by what it is; of embedding models, where they are everybody's, only these."""
    rows = memory.rows
    found = {table: _digest(rows.plain(table)) for table in PLAIN}
    sessions = rows.sessions()
    found["sessions"] = _digest(session.row for session in sessions)
    found["messages"] = _digest((session.id, *row) for session in sessions for row in rows.messages(session.no))
    models = [(no, row) for no, row in rows.embedders() if embedders is None or row[0] in embedders]
    found["embedders"] = _digest(row[:-1] for _, row in models)  # the count of changes is this database's own
    names = {session.no: session.id for session in sessions}
    found["vectors"] = _digest(
        (name, *vectors)
        for no, (name, *_) in models
        for vectors in sorted((names[session], *more) for session, *more in rows.vectors(no))
    )
    found["journals"] = _digest(_journals(memory.journals))
    return found | dict(_folded(memory))


def models_of(memory: Opened) -> list[str]:
    """The names of the embedding models there."""
    return [row[0] for _, row in memory.rows.embedders()]


def added(table: str, source: Opened, target: Opened) -> list[Row]:
    """The rows of a table that are moved; of what may be known there already, what is there counts."""
    rows = source.rows.plain(table)
    if table not in BESIDE:
        return rows
    known = {row[: BESIDE[table]] for row in target.rows.plain(table)}
    return [row for row in rows if row[: BESIDE[table]] not in known]


def joined(source: Opened, target: Opened, here: Mapping[str, Held]) -> dict[str, Held]:
    """What a place holds when a memory was moved there: that, and what is known there of somebody who has none yet."""
    beside = {table: [*added(table, source, target), *target.rows.plain(table)] for table in BESIDE}
    return {**here, **{table: _digest(sorted(rows, key=repr)) for table, rows in beside.items()}}


def is_empty(found: Mapping[str, Held]) -> bool:
    """Whether there is nothing of an owner; embedding models may be others'."""
    return not any(each.rows for name, each in found.items() if name != "embedders")


def differing(one: Mapping[str, Held], other: Mapping[str, Held]) -> list[str]:
    """What is not the same in both."""
    return [name for name in one if one[name] != other.get(name)]


def check_journals(memory: Opened) -> None:
    """Raise unless every journal is whole, and read to its end: what is folded from it is what it says."""
    for project in sorted({*memory.journals.projects(), *memory.store.journals.projects(memory.owner)}):
        journal, place = memory.journals.journal(project), Place(*memory.store.journals.place(memory.owner, project))
        journal.check(place)
        end = 0
        for line in journal.read():
            if line.start != end:
                raise JournalDamaged(f"{journal.name} has a hole before line {line.number}. {_LOOK}")
            end = line.end
        if end != place.offset:
            raise StoreError(f"{journal.name} has lines that were not read yet. `noctuary status` reads them.")


def _folded(memory: Opened) -> Iterator[tuple[str, Held]]:
    rows: dict[str, list[tuple[object, ...]]] = {}
    for project in memory.store.journals.projects(memory.owner):
        for name, dumped in memory.store.journals.dump(memory.owner, project).items():
            rows.setdefault(name, []).extend((project, *row) for row in dumped)
    for name in memory.store.journals.kinds():
        yield name, _digest(rows.get(name, ()))


def _journals(journals: Journals) -> Iterator[tuple[object, ...]]:
    for project in sorted(journals.projects()):
        for line in journals.journal(project).read():
            yield project, line.number, line.start, line.content


def _digest(rows: Iterable[Iterable[object]]) -> Held:
    state, count = blake2b(digest_size=_DIGEST_BYTES), 0
    for row in rows:
        state.update(repr(tuple(row)).encode("utf-8", "surrogatepass") + b"\n")
        count += 1
    return Held(count, state.hexdigest())
