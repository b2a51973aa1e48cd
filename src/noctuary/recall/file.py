"""Recall on plain files: a folder an owner, a file of JSON lines a session; readable, greppable, no database.

Files are the truth and there is no index on the disk: words are looked up in memory, built from the files at the
first search and kept up with them.  Good for thousands of sessions; beyond that, use a database.
"""

from dataclasses import replace
from pathlib import Path
from threading import RLock

from noctuary.clock import Clock
from noctuary.files import translated
from noctuary.names import file_name
from noctuary.recall.contract import DEFAULT_LIMIT, DEFAULT_WINDOW, MOST_WINDOW
from noctuary.recall.file_index import FileIndex, Shelved, refreshed, window_around
from noctuary.recall.grouping import Grouping, by_session, one_by_one
from noctuary.recall.query import Query
from noctuary.recall.searching import Sources, search
from noctuary.recall.session_files import Meta, SessionFiles, known_sessions, locked
from noctuary.recall.storing import safe, safe_session
from noctuary.records import Found, Message, Session, Status, Window

# What a later call may fill in; ids, counts and the preview follow from the messages.
_FACTS = ("agent", "project", "cwd", "branch", "model", "parent", "relation", "source",
          "source_path", "started_ms", "last_ms", "ended_ms")  # fmt: skip


class FileRecall:
    """A `RecallStore` in a folder."""

    def __init__(self, root: Path, clock: Clock) -> None:
        self.root = root
        self.clock = clock
        self._shelved: dict[SessionFiles, Shelved] = {}
        self._reading = RLock()

    def ensure_session(self, owner: str, session: Session) -> None:
        """Make the session known, or fill in what was missing."""
        folder, files = self._files(owner, session.id)
        with translated(folder), locked(folder):
            known = files.meta(owner, session.id)
            wanted = _filled(known, safe_session(session)._replace(owner=owner))
            if wanted != known:
                files.write_meta(wanted)

    def append(self, owner: str, session_id: str, message: Message) -> int:
        """Store the message at the end of the session and give its id."""
        folder, files = self._files(owner, session_id)
        stored = safe(message)
        with translated(folder), locked(folder):
            known = files.meta(owner, session_id)
            if known is None:
                known = Meta(session=Session(id=session_id, owner=owner, started_ms=message.ts_ms or None))
                files.write_meta(known)  # first, so that the lines never stand without the session's name
            return files.append(known, stored).last_id

    def search(self, owner: str, query: Query, limit: int = DEFAULT_LIMIT) -> Found:
        """The best hits, one a session."""
        return self._search(owner, query, limit, by_session)

    def search_messages(self, owner: str, query: Query, limit: int = DEFAULT_LIMIT) -> Found:
        """The best hits, one a message."""
        return self._search(owner, query, limit, one_by_one)

    def scroll(self, owner: str, session_id: str, around: int, window: int = DEFAULT_WINDOW) -> Window | None:
        """The message and its visible neighbours, counted in messages."""
        folder, files = self._files(owner, session_id)
        with translated(folder), self._reading:
            shelved = self._refresh(files, owner)
            if shelved is None or around not in shelved.messages:
                return None
            most = max(0, min(window, MOST_WINDOW))
            messages, before, after = window_around(shelved.messages, around, most)
            return Window(session=shelved.session, messages=messages, before=before, after=after)

    def recent(self, owner: str, limit: int = DEFAULT_LIMIT) -> list[Session]:
        """Sessions by last activity, the newest first."""
        folder = self.root / file_name(owner)
        with translated(folder):
            metas = [files.meta(owner) for files in known_sessions(folder)]
        sessions = [meta.session for meta in metas if meta and meta.session.message_count > 0]
        return sorted(sessions, key=lambda s: (-(s.last_ms or 0), s.id))[: max(0, limit)]

    def delete_session(self, owner: str, session_id: str) -> bool:
        """Remove all files of the session, and what of it is kept in memory."""
        folder, files = self._files(owner, session_id)
        if not folder.exists():
            return False
        with translated(folder), self._reading, locked(folder):
            self._shelved.pop(files, None)
            return files.remove()

    def _search(self, owner: str, query: Query, limit: int, grouped: Grouping) -> Found:
        folder = self.root / file_name(owner)
        with translated(folder), self._reading:
            current = [self._refresh(files, owner) for files in known_sessions(folder)]
            index = FileIndex(shelved for shelved in current if shelved)
            return search(
                Sources(words=index, shelf=index, pick=index.pick),
                query,
                limit=limit,
                grouped=grouped,
                picked=index.pick(query.selection),
                now_ms=self.clock.now_ms(),
            )

    def _refresh(self, files: SessionFiles, owner: str) -> Shelved | None:
        shelved = refreshed(files, owner, self._shelved.get(files))
        if shelved:
            self._shelved[files] = shelved
        else:
            self._shelved.pop(files, None)
        return shelved

    def _files(self, owner: str, session_id: str) -> tuple[Path, SessionFiles]:
        folder = self.root / file_name(owner)
        return folder, SessionFiles.of(folder, session_id)


def _filled(known: Meta | None, session: Session) -> Meta:
    """What is known, with what was missing taken from the session."""
    if known is None:
        return Meta(session=session._replace(message_count=0, last_ms=session.last_ms or session.started_ms))
    missing = {name: getattr(session, name) for name in _FACTS if getattr(known.session, name) is None}
    if known.session.title is None:
        missing |= {"title": session.title, "title_source": session.title_source}
    if known.session.status is Status.ACTIVE:  # which is also what is said of a session nothing is known of
        missing["status"] = session.status
    return replace(known, session=known.session._replace(**missing))
