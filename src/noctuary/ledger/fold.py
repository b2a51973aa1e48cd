"""Events become tables: the same for one event as for all of them.

A fold knows the rows it has touched and reads the rest when it is needed; `flush` writes them.  The order is that of
the events' ids, which is the order in which they were recorded, wherever that was.  Nothing here can refuse an event:
what is allowed was decided when it was written.  An event speaks of its own project only: what belongs to another is
left as it is and noted in `foreign`, so that each journal can be folded again without the others.
"""

from collections.abc import Mapping
from typing import Any

from noctuary.authored import EventStatus, EventType
from noctuary.journal.lines import moment, parse_line
from noctuary.ledger.announcing import Announcements
from noctuary.ledger.changes import check_shape
from noctuary.ledger.doubles import Doubles, is_double, is_undoing
from noctuary.ledger.folding_nodes import FoldedNodes, Scope, edge_id
from noctuary.ledger.folding_others import is_any_memory_there, save_memory, save_work_session
from noctuary.store.database import Database, Value
from noctuary.text import searchable

__all__ = ["Fold", "edge_id"]

_ABOUT_EVENTS = frozenset({"correction", "confirm", "retract"})
_SILENT = frozenset({"status", "link", "unlink", "amend", "rename"})
_PAGE = 500  # written while they are in the processor's cache
_MOST_CHARACTERS = 32_000_000  # of texts that wait to be indexed: FTS5 is fastest when it is given many at once
_SUGGESTED, _CONFIRMED, _RETRACTED = map(str, (EventStatus.SUGGESTED, EventStatus.CONFIRMED, EventStatus.RETRACTED))
# The columns of an event's row that are looked at here.
_NO, _PROJECT, _ID, _NODE, _TYPE, _STATUS, _HIDDEN, _SUPERSEDED = 0, 2, 3, 4, 5, 8, 11, 12
EventRow = tuple[Value, ...]


class Fold:
    """Folds the events of one owner's project."""

    def __init__(
        self,
        database: Database,
        owner: str,
        project: str,
        next_event: int | None = None,
        absent_memories: set[str] | None = None,
    ) -> None:
        """`next_event` is the number of the first event that is added, if that is known.

        `absent_memories` are ids of which it is known that there is no such memory; those that are made are taken out.
        """
        self.database = database
        self.owner = owner
        self.project = project
        self.foreign: set[str] = set()  # what events spoke of although it belongs to another project
        self.next_event = next_event or int(database.fetch("newest_event")[0][0]) + 1
        self._events: dict[str, EventRow] = {}  # that are not written yet, by id
        self._texts: dict[int, str] = {}  # to be indexed, by number
        self._hidden_texts: dict[int, str] = {}  # that only a dream looks for, so as not to say them again
        self._characters = 0
        self._scope = Scope(
            database, owner, project, self.foreign, set() if absent_memories is None else absent_memories
        )
        self.is_first = self.next_event == 1  # nothing was ever folded, so there is nothing to ask for
        self._graph = FoldedNodes(self._scope, is_first=self.is_first)
        self._doubles = Doubles(database, owner, project, is_first=self.is_first)
        self._announcements = Announcements(database, owner, project)

    def add(self, record: Mapping[str, Any], body: str, *, is_checked: bool = False) -> None:
        """Fold one event: its record, and the line it was read from.  BadEvent, and nothing done, if it is none.

        `is_checked`: that its change has the right shape is known.
        """
        get = record.get
        change, kind, event_id, node = get("change"), record["type"], record["event_id"], get("node") or None
        ts_ms = moment(record["timestamp"])
        if change and not is_checked:
            check_shape(change)
        number, self.next_event = self.next_event, self.next_event + 1
        meta, text, status = get("meta"), get("text", ""), get("status", _CONFIRMED)
        books = bool(meta and meta.get("bookkeeping")) or (not text and kind in _ABOUT_EVENTS)
        row: EventRow = (
            number, self.owner, self.project, event_id, node, kind, ts_ms, get("author", "user"), status,
            get("session") or None, books, None, None, body,
        )  # fmt: skip
        if kind in _ABOUT_EVENTS or get("supersedes"):
            row = self._in_place_of(row, get("corrects", ""), text)
            if status == _CONFIRMED or (status == _SUGGESTED and self._is_better_guess(record)):
                self._act(record)
        double = self._said_before(record) if status == _SUGGESTED else {}
        row = _with(row, double) if double else row
        self._events[event_id] = row
        if not books:
            self._announcements.add(number, event_id, row[_TYPE], get("refs"))
        if text and not books and kind not in _SILENT and not double:
            if status == _RETRACTED:
                self._hidden_texts[number] = text
            else:
                self._index(number, text)
        if change and not (double and is_any_memory_there(self._scope, change)):
            self._apply(change, ts_ms, record, str(double.get(_HIDDEN, event_id)))
        if row[_NODE] and not books:
            self._graph.touch(str(row[_NODE]), ts_ms)
        if len(self._events) >= _PAGE:
            self._write_events()

    def is_waiting(self, event_id: str) -> bool:
        """Whether an event was folded and is not written yet."""
        return event_id in self._events

    def flush(self) -> None:
        """Write what was folded."""
        self._write_events()
        self._write_texts()
        self._graph.flush()

    def _write_events(self) -> None:
        self.database.run_many("add_event", self._events.values())
        self._events.clear()
        self._announcements.write()
        if self._characters > _MOST_CHARACTERS:
            self._write_texts()

    def _write_texts(self) -> None:
        self.database.run_many("index_event", [(number, searchable(text)) for number, text in self._texts.items()])
        self._texts.clear()
        self._characters = 0
        if self._hidden_texts:
            hidden = [(number, searchable(text)) for number, text in self._hidden_texts.items()]
            self.database.run_many("index_hidden_event", hidden)
            self._hidden_texts.clear()

    def _index(self, number: int, text: str) -> None:
        self._texts[number] = text
        self._characters += len(text)

    def _in_place_of(self, row: EventRow, target_id: str, text: str) -> EventRow:
        """The row of an event that says something about another: with words, it stands in the other's place."""
        target = self._event(target_id) if target_id and row[_TYPE] in _ABOUT_EVENTS else None
        if target is None:
            return row
        row = _with(row, {_NODE: row[_NODE] or target[_NODE]})
        if text and row[_TYPE] != EventType.RETRACT:
            row = _with(row, {_TYPE: target[_TYPE], _SUPERSEDED: target[_SUPERSEDED]})
        return row

    def _said_before(self, record: Mapping[str, Any]) -> Mapping[int, Value]:
        """What becomes of a proposal that another run made, too; nothing if that was undone with its run."""
        for name in self._doubles.of(record, is_new=True):
            stands = self._versions(name)[-1]
            row = self._event(stands)
            if row is not None and not self._is_undone(row):
                return {_HIDDEN: stands} | ({_STATUS: _RETRACTED} if row[_STATUS] == _RETRACTED else {})
        return {}

    def _part(self, event_id: str) -> None:
        """Let a proposal that is undone with its run be by itself: the next that says the same counts instead."""
        row = self._event(event_id)
        if row is not None and is_double(event_id, row[_HIDDEN]):
            self._keep(_with(row, {_HIDDEN: None}))
            return
        found = {name: self._event(name) for name in self._doubles.of(self._record(event_id))}
        doubles = {name: row for name, row in found.items() if row and row[_HIDDEN] == event_id}
        first = min(doubles, default="")
        for name, double in doubles.items():
            if name == first:
                self._show(name)
            else:
                self._keep(_with(double, {_HIDDEN: first}))

    def _is_undone(self, row: EventRow) -> bool:
        is_hidden = row[_HIDDEN] and self._event(str(row[_HIDDEN])) is not None
        return bool(is_hidden) and is_undoing(self._record(str(row[_HIDDEN])))

    def _first(self, event_id: str) -> str:
        """The event, or what counts instead because it was said before."""
        row = self._event(event_id)
        return str(row[_HIDDEN]) if row is not None and is_double(event_id, row[_HIDDEN]) else event_id

    def _is_better_guess(self, record: Mapping[str, Any]) -> bool:
        """Whether it says in other words what is itself only suggested, so that it need not be confirmed to count."""
        is_said_anew = record["type"] == EventType.CORRECTION and record.get("text")
        return bool(is_said_anew) and self._is_suggested(self._versions(record.get("corrects", ""))[-1])

    def _act(self, record: Mapping[str, Any]) -> None:
        """Do to other events what this one says.  What is only suggested does nothing to what is confirmed."""
        kind, event_id, target_id = record["type"], record["event_id"], record.get("corrects", "")
        stands = event_id  # what is to be read instead of what is superseded
        if kind in _ABOUT_EVENTS and self._event(target_id) is not None:
            if kind == EventType.CONFIRM:
                self._confirm(target_id)
                stands = event_id if record.get("text") else target_id
            replaced = self._versions(target_id)
            if kind == EventType.RETRACT:
                if is_undoing(record):
                    self._part(target_id)
                self._retract(target_id, event_id)
            elif (kind == EventType.CORRECTION or record.get("text")) and event_id not in replaced:
                self._set(replaced[-1], {_HIDDEN: event_id})
        if record.get("supersedes") and self._event(record["supersedes"]) is not None:
            for version in self._versions(record["supersedes"]):
                self._set(version, {_SUPERSEDED: stands})

    def _confirm(self, event_id: str) -> None:
        """Let a suggestion count, also against other words that nobody has confirmed."""
        event_id = self._first(event_id)
        row = self._event(event_id)
        if row is None or row[_STATUS] != _SUGGESTED:
            return
        self._set(event_id, {_STATUS: _CONFIRMED})
        if row[_HIDDEN] and self._is_suggested(str(row[_HIDDEN])):
            self._show(event_id)
        self._act(self._record(event_id))

    def _retract(self, event_id: str, by: str) -> None:
        """Take back an event and what stands in its place; what they superseded holds again, unless by another.

        Other words for a suggestion leave the suggestion behind: it is shown again.
        """
        versions, former = self._versions(event_id), self._former(event_id)
        if self._is_suggested(event_id):
            for suggestion in former[:1]:
                self._show(suggestion)
            former = []
        for version in versions:
            self._set(version, {_STATUS: _RETRACTED, _HIDDEN: by})
        for version in (*former, *versions):
            row = self._event(version)
            for superseded in self._superseded_by(version):
                self._set(superseded, {_SUPERSEDED: row[_SUPERSEDED] if row else None})

    def _former(self, event_id: str) -> list[str]:
        """The events in whose place this one stands, the last first."""
        former: list[str] = []
        while before := self._record(event_id).get("corrects"):
            replaced = [version for version in self._versions(before) if self._is_hidden_by(version, event_id)]
            if not replaced:
                break
            event_id = replaced[0]
            former.append(event_id)
        return former

    def _superseded_by(self, event_id: str) -> list[str]:
        pending = [name for name, row in self._events.items() if row[_SUPERSEDED] == event_id]
        rows = self.database.fetch("superseded_by_event", owner=self.owner, project=self.project, id=event_id)
        return [*pending, *(row[0] for row in rows)]

    def _is_suggested(self, event_id: str) -> bool:
        return (row := self._event(event_id)) is not None and row[_STATUS] == _SUGGESTED

    def _is_hidden_by(self, event_id: str, by: str) -> bool:
        return (row := self._event(event_id)) is not None and row[_HIDDEN] == by

    def _versions(self, event_id: str) -> list[str]:
        """The event and those that stand in its place one after the other; the last is the one that is shown."""
        versions = [event_id]
        while (row := self._event(versions[-1])) is not None and (hider := row[_HIDDEN]):
            later = self._event(str(hider))
            if later is None or later[_TYPE] == EventType.RETRACT or str(hider) in versions:
                break
            versions.append(str(hider))
        return versions

    def _event(self, event_id: str) -> EventRow | None:
        """The row of an event of this project, perhaps without its line."""
        if (pending := self._events.get(event_id)) is not None:
            return pending
        rows = self.database.fetch("event_state", owner=self.owner, id=event_id)
        if rows and rows[0][_PROJECT] != self.project:
            self.foreign.add(event_id)
            return None
        return rows[0] if rows else None

    def _record(self, event_id: str) -> Mapping[str, Any]:
        pending = self._events.get(event_id)
        body = pending[-1] if pending else self.database.fetch("find_event", owner=self.owner, id=event_id)[0][-1]
        return parse_line(str(body))

    def _set(self, event_id: str, values: Mapping[int, Value]) -> None:
        """Note what a later event says of an earlier one, and let search no longer find what is hidden."""
        if (old := self._event(event_id)) is None:
            return
        if old[_HIDDEN]:  # whoever hides it first stands in its place
            values = {place: value for place, value in values.items() if place != _HIDDEN}
        row = _with(old, values)
        self._keep(row)
        if row[_HIDDEN] and not old[_HIDDEN]:
            self._hide(int(row[_NO] or 0), event_id)

    def _hide(self, number: int, event_id: str) -> None:
        text = self._texts.pop(number, None)
        if text is None:
            self.database.run_many("unindex_event", [(number,)])
            text = _own_text(self._record(event_id))
        if text:
            self._hidden_texts[number] = text

    def _show(self, event_id: str) -> None:
        """Let an event be seen and found again that other words had hidden."""
        if (old := self._event(event_id)) is None:
            return
        self._keep(_with(old, {_HIDDEN: None}))
        number = int(old[_NO] or 0)
        if text := _own_text(self._record(event_id)):
            self._index(number, text)
        if self._hidden_texts.pop(number, None) is None:
            self.database.run_many("unindex_hidden_event", [(number,)])

    def _keep(self, row: EventRow) -> None:
        if row[_ID] in self._events:
            self._events[str(row[_ID])] = row
        else:
            state = {"node": row[_NODE], "status": row[_STATUS]}
            state |= {"hidden_by": row[_HIDDEN], "superseded_by": row[_SUPERSEDED]}
            self.database.fetch("change_event", no=row[_NO], **state)

    def _apply(self, change: Mapping[str, Any], ts_ms: int, record: Mapping[str, Any], said_by: str) -> None:
        self._graph.apply(change, ts_ms, record.get("author", "user"))
        for session in change.get("sessions", ()):
            save_work_session(self._scope, session, ts_ms)
        for memory in change.get("memories", ()):
            save_memory(self._scope, memory, ts_ms, said_by)
        for event_id, node in change.get("adopt", {}).items():
            self._adopt(event_id, node)

    def _adopt(self, event_id: str, node: str) -> None:
        """Let an event that is about nothing be about a node; one that is about something stays with it."""
        event_id = self._first(event_id)
        row = self._event(event_id)
        if row is not None and row[_NODE] is None and self._graph.has(node):
            self._set(event_id, {_NODE: node})


def _own_text(record: Mapping[str, Any]) -> str:
    """What an event may be found by; empty if by nothing."""
    meta, text = record.get("meta"), str(record.get("text", ""))
    is_silent = record["type"] in _SILENT or bool(meta and meta.get("bookkeeping"))
    return "" if is_silent else text


def _with(row: EventRow, values: Mapping[int, Value]) -> EventRow:
    changed = list(row)
    for place, value in values.items():
        changed[place] = value
    return tuple(changed)
