"""What one owner has in the database: messages, titles, and all other texts that no journal holds."""

from collections.abc import Mapping

from noctuary.memory_file import block_digest
from noctuary.records import TitleSource
from noctuary.redact import is_printed, redact_printed
from noctuary.scrubbing.tally import Tally
from noctuary.scrubbing.texts import clean, clean_record
from noctuary.store import Store, keys
from noctuary.store.database import Row
from noctuary.store.owned_rows import OwnedRows
from noctuary.store.stored_texts import RECORDS, StoredTexts


def scrub_rows(store: Store, owner: str, tally: Tally, renamed: Mapping[str, str], *, is_dry: bool) -> None:
    """Count the secrets in an owner's rows, and put texts without them in their place; each session at once.

    `renamed` are digests of pages that are others since their files were cleaned.
    """
    if not is_dry:
        store.backlog.work_off()  # what is indexed later would be indexed as it was
    for no in store.sessions.numbers(owner):
        _scrub_messages(store, owner, no, tally, is_dry=is_dry)
    _scrub_titles(store, owner, tally, is_dry=is_dry)
    stored = StoredTexts(store.database, owner)
    with store.database.transaction():
        for found in [*stored.all()]:
            hide = clean_record if found.table in RECORDS else clean
            dirty = [text for text in found.texts if text and hide(text) != text]
            if dirty:
                tally.count_changed(found.table.replace("_", " "), *dirty)
            if dirty and not is_dry:
                stored.replace(found, hide)
        for row in stored.generations():
            _scrub_generation(stored, row, tally, renamed, is_dry=is_dry)


def _scrub_generation(stored: StoredTexts, row: Row, tally: Tally, renamed: Mapping[str, str], *, is_dry: bool) -> None:
    """What was written to a page is known by its digest, and so are the files of topics."""
    _, digest, body, _ = row
    if body and clean(body) != body:
        tally.count_changed("pages", body)
        cleaned = clean(body)
        if not is_dry:
            stored.replace_generation(row, block_digest(cleaned), cleaned)
    elif not body and not is_dry:
        kind, *rest = digest.split(":", 2)
        if rest and rest[0] in renamed:
            stored.replace_generation(row, ":".join([kind, renamed[rest[0]], *rest[1:]]), None)


def _scrub_messages(store: Store, owner: str, no: int, tally: Tally, *, is_dry: bool) -> None:
    high = no << keys.SESSION_SHIFT
    with store.database.transaction():
        rows = [(high | row[0], *row[1:]) for row in OwnedRows(store.database, owner).messages(no)]
        changed: list[tuple[Row, str | None, str]] = []
        printing: set[str] = set()
        for row in rows:
            _, _, kind, _, _, _, call, _, _, calls, content = row
            said = redact_printed(content) if is_printed(content, kind, call, printing) else content
            cleaned = calls and clean(calls), clean(said)
            if cleaned != (calls, content):
                tally.count_changed("messages", *filter(None, (calls, content)))
                changed.append((row, *cleaned))
        if changed and not is_dry:
            store.messages.rewrite(owner, no, changed)


def _scrub_titles(store: Store, owner: str, tally: Tally, *, is_dry: bool) -> None:
    with store.database.transaction():
        for no, session in store.sessions.by_number(store.sessions.numbers(owner)).items():
            if not session.title or (title := clean(session.title)) == session.title:
                continue
            tally.count_changed("titles", session.title)
            if is_dry:
                continue
            store.messages.index_title(no, session.title, title)
            source = session.title_source if isinstance(session.title_source, TitleSource) else None
            store.database.fetch("title_session", no=no, title=title, title_source=source)
