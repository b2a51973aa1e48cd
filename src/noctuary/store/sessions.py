"""Sessions in the database: found by owner and id, filled in as more becomes known."""

import json
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from noctuary.records import Relation, Session, Status, TitleSource
from noctuary.store.database import Database, Row

_TITLE_ORDER = list(TitleSource)
EVERYTHING = 1_000_000_000
_LONGEST_LIKE = 10_000  # characters: SQLite refuses a pattern of more than 50,000 bytes


class Selection(NamedTuple):
    """Which sessions to look at; what is None or empty does not restrict."""

    agent: str | None = None
    project: str | None = None
    session: str | None = None
    after_ms: int | None = None
    before_ms: int | None = None
    excluded: Sequence[str] = ()

    @property
    def is_everything(self) -> bool:
        """Whether no session is left out."""
        return self == Selection()


class Sessions:
    """The sessions of all owners; every call names the owner."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def find(self, owner: str, session_id: str) -> tuple[int, Session] | None:
        """The session and its internal number, or None."""
        rows = self.database.fetch("find_session", owner=owner, id=session_id)
        return (rows[0][0], session_from(rows[0])) if rows else None

    def by_number(self, numbers: Iterable[int]) -> dict[int, Session]:
        """The sessions with these internal numbers."""
        return {no: session for no, (session, _) in self.with_last_id(numbers).items()}

    def with_last_id(self, numbers: Iterable[int]) -> dict[int, tuple[Session, int]]:
        """The sessions with these internal numbers, each with the last id that was given in it."""
        rows = self.database.fetch("sessions_by_number", numbers=json.dumps(list(numbers)))
        return {row[0]: (session_from(row), row[-1]) for row in rows}

    def recent(self, owner: str, most: int, selection: Selection) -> list[Session]:
        """Sessions with something in them, the last active first."""
        rows = self.database.fetch(
            "recent_sessions",
            owner=owner,
            most=most,
            agent=selection.agent,
            agent_like=like_beginning(selection.agent) if selection.agent else None,
            project=selection.project,
            project_like=like_ending(selection.project),
            after_ms=selection.after_ms,
            before_ms=selection.before_ms,
        )
        return [session_from(row) for row in rows]

    def beginning_with(self, owner: str, prefix: str) -> list[str]:
        """Ids that begin with the text, at most eleven."""
        rows = self.database.fetch("sessions_like", owner=owner, prefix=like_beginning(prefix))
        return [row[0] for row in rows]

    def pick(self, owner: str, selection: Selection) -> list[int]:
        """The internal numbers of the selected sessions."""
        rows = self.database.fetch(
            "pick_sessions",
            owner=owner,
            agent=selection.agent,
            agent_like=like_beginning(selection.agent) if selection.agent else None,
            project=selection.project,
            project_like=like_ending(selection.project),
            session=selection.session,
            session_like=like_beginning(selection.session) if selection.session else None,
            after_ms=selection.after_ms,
            before_ms=selection.before_ms,
            excluded=json.dumps(list(selection.excluded)),
        )
        return [row[0] for row in rows]

    def ensure(self, owner: str, session: Session) -> int:
        """The number of the session, made if absent; what was missing in it is filled in."""
        facts = _facts(session)
        added = self.database.fetch(
            "add_session",
            owner=owner,
            id=session.id,
            title=session.title,
            title_source=session.title_source,
            last_ms=session.last_ms or session.started_ms,
            **facts,
        )
        if added:
            return int(added[0][0])
        no = int(self.database.fetch("find_session", owner=owner, id=session.id)[0][0])
        self.database.fetch("fill_session", no=no, **facts)
        return no

    def retitle(self, no: int, current: Session | None, title: str, source: TitleSource) -> bool:
        """Set the title unless a better one is known; True if it was set."""
        if current and current.title and current.title_source:
            better = _TITLE_ORDER.index(source) < _TITLE_ORDER.index(current.title_source)
            renamed = source is current.title_source is not TitleSource.PROMPT and title != current.title
            if not better and not renamed:
                return False
        self.set_title(no, title, source)
        return True

    def set_title(self, no: int, title: str, source: TitleSource | None) -> None:
        """Set the title, whatever it was."""
        self.database.fetch("title_session", no=no, title=title, title_source=source)

    def set_status(self, no: int, status: Status, ended_ms: int | None) -> None:
        """Say where a session stands."""
        self.database.fetch("set_session_status", no=no, status=status, ended_ms=ended_ms)

    def end_idle(self, owner: str, before_ms: int, at_ms: int) -> list[str]:
        """End the active sessions in which nothing has happened since; the ids of exactly those."""
        return [
            row[0] for row in self.database.fetch("end_idle_sessions", owner=owner, before_ms=before_ms, at_ms=at_ms)
        ]

    def is_any_idle(self, owner: str, before_ms: int) -> bool:
        """Whether `end_idle` would end any; to look needs no turn to write."""
        return bool(self.database.fetch("any_idle_session", owner=owner, before_ms=before_ms))

    def is_only_owner(self, owner: str) -> bool:
        """Whether all sessions here belong to this owner."""
        return not self.database.fetch("another_owner", owner=owner)

    def remove(self, no: int) -> None:
        """Remove the session's own row; its messages are removed by `Messages`."""
        self.database.fetch("remove_session", no=no)

    def numbers(self, owner: str) -> list[int]:
        """The internal numbers of all the owner's sessions."""
        return [row[0] for row in self.database.fetch("numbers_of_owner", owner=owner)]

    def projects_of(self, owner: str, ids: Sequence[str]) -> dict[str, str | None]:
        """The project of each of these sessions that there is."""
        rows = self.database.fetch("projects_of_sessions", owner=owner, ids=json.dumps(ids)) if ids else []
        return {row[0]: row[1] for row in rows}

    def titles_of(self, owner: str, ids: Collection[str], project: str | None) -> dict[str, str]:
        """What each of these sessions is about: its title, or how it begins; of one project alone, if it is named."""
        rows = self.database.fetch("titles_of_sessions", owner=owner, ids=json.dumps(sorted(ids))) if ids else []
        return {row[0]: row[2] or row[3] or "" for row in rows if project in (None, row[1] or "")}

    def project_names(self, owner: str, project: str) -> list[str]:
        """Full names of the projects that this one, whole or by the end of its path, stands for."""
        rows = self.database.fetch("project_names", owner=owner, project=project, project_like=like_ending(project))
        return [row[0] for row in rows]

    def of_project(self, owner: str, project: str) -> list[str]:
        """Ids of the sessions of a project, named whole or by the end of its path."""
        rows = self.database.fetch(
            "sessions_of_project", owner=owner, project=project, project_like=like_ending(project)
        )
        return [row[0] for row in rows]


def session_from(row: Row) -> Session:
    """A session from a row of one of the session queries."""
    return Session(
        owner=row[1],
        id=row[2],
        agent=row[3],
        project=row[4],
        title=row[5],
        title_source=TitleSource(row[6]) if row[6] else None,
        cwd=row[7],
        branch=row[8],
        model=row[9],
        parent=row[10],
        relation=Relation(row[11]) if row[11] else None,
        source=row[12],
        source_path=row[13],
        started_ms=row[14],
        last_ms=row[15],
        ended_ms=row[16],
        status=Status(row[17]),
        message_count=row[18],
        preview=row[19],
    )


def _facts(session: Session) -> dict[str, str | int | None]:
    return {
        "agent": session.agent,
        "project": session.project,
        "cwd": session.cwd,
        "branch": session.branch,
        "model": session.model,
        "parent": session.parent,
        "relation": session.relation,
        "source": session.source,
        "source_path": session.source_path,
        "started_ms": session.started_ms,
        "ended_ms": session.ended_ms,
        "status": session.status,
    }


def like_literal(text: str) -> str:
    """The text for LIKE with its wildcards taken literally (escape character: backslash).

    No name is as long as what SQLite refuses to compare; whatever is longer counts as far as that.
    """
    return text[:_LONGEST_LIKE].replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


def like_beginning(text: str) -> str:
    """Matches what begins with the text."""
    return like_literal(text) + "%"


def like_ending(path: str | None) -> str | None:
    """Matches a path or address whose last parts are these: `shop` finds `/home/ana/code/shop`."""
    return f"%/{like_literal(path.strip('/'))}" if path else None
