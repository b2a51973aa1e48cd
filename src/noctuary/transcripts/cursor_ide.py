"""The chats of Cursor's editor, in its databases `state.vscdb`.

The database of all workspaces has the composers, `composerData:<id>`, and their bubbles, `bubbleId:<id>:<bubble>`.  The
headers of a composer say which bubbles are part of it and in which order; earlier versions kept the bubbles inside.
The database of a workspace has the chats of the first versions, and says which composers belong to it.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from noctuary.records import Kind, Relation
from noctuary.transcripts.cursor_bubbles import Bubble, entries_of, folder_at, folder_of, model_of, time_of
from noctuary.transcripts.documents import Entry, Talk, load_document, version_of
from noctuary.transcripts.drafts import SYSTEM, Draft, by_agent, taken_back
from noctuary.transcripts.fields import dict_of, list_of, text_of, time_ms
from noctuary.transcripts.finding import entries
from noctuary.transcripts.foreign_sqlite import GLANCE_MS, ForeignDatabase, json_in, open_foreign, text_in
from noctuary.transcripts.items import Facts, NewField, Skipped

DATABASE = "state.vscdb"
_COMPOSERS = "select substr(key, 14) as id, rowid as place, octet_length(value) as size from cursorDiskKV "
_COMPOSERS += "where key >= 'composerData:' and key < 'composerData;' and value is not null order by place"
_BUBBLES = "select substr(key, 10, instr(substr(key, 10), ':') - 1) as id, count(*) as bubbles, max(rowid) as last "
_BUBBLES += "from cursorDiskKV where key >= 'bubbleId:' and key < 'bubbleId;' group by 1"


class Chats:
    """The chats in one database."""

    def __init__(self, database: ForeignDatabase, path: Path) -> None:
        self._database, self._path = database, path
        self._tabs: dict[str, dict[str, Any]] = {}
        self._folders: dict[str, str] | None = None

    def listed(self) -> Iterator[tuple[str, str]]:
        """Every chat with what changes when it does.

        A row that is written again gets a new number, so the numbers tell, and the index of keys is all that is read.
        """
        if "value" in self._database.columns("cursorDiskKV"):
            bubbles = {row[0]: row[1:] for row in self._database.rows(_BUBBLES)}
            for chat, place, size in self._database.rows(_COMPOSERS):
                yield text_in(chat), version_of(place, size, bubbles.get(chat))
        if "value" in self._database.columns("ItemTable"):
            for chat, tab, size in self._first_chats():
                self._tabs[chat] = tab
                yield chat, version_of(len(list_of(tab, "bubbles")), size)

    def talk(self, chat: str) -> Talk | Skipped | None:
        """One of them as a whole; None for one in which nothing was said."""
        if chat in self._tabs:
            return self._talk(chat, self._tabs[chat], _numbered(list_of(self._tabs[chat], "bubbles")))
        rows = self._database.rows("select value from cursorDiskKV where key = ?", f"composerData:{chat}")
        composer = json_in(rows[0][0]) if rows else None
        if type(composer) is not dict:
            return Skipped(line=1, reason="a composer that is not a JSON object")
        bubbles, left = self._bubbles(chat, composer)
        return self._talk(chat, composer, bubbles, left)

    def _first_chats(self) -> Iterator[tuple[str, dict[str, Any], int]]:
        """The tabs of the panel that the first versions had, with the size of all of it: to measure one takes long."""
        for (value,) in self._database.rows("select value from ItemTable where key like '%aichat%chatdata%'"):
            data = json_in(value)
            for tab in list_of(data if type(data) is dict else {}, "tabs"):
                if type(tab) is dict and (name := text_of(tab, "tabId") or text_of(tab, "id")):
                    yield name, tab, len(value)

    def _bubbles(
        self, chat: str, composer: dict[str, Any]
    ) -> tuple[list[tuple[str, Bubble]], list[tuple[str, Bubble]]]:
        """The bubbles of a composer in their order, and those that it no longer names: these were taken back."""
        if inside := list_of(composer, "conversation"):
            return _numbered(inside), []
        prefix = f"bubbleId:{chat}:"
        rows = self._database.rows(
            "select key, value from cursorDiskKV where key >= ? and key < ? and value is not null order by rowid",
            prefix,
            f"bubbleId:{chat};",
        )
        kept: dict[str, Any] = {**dict_of(composer, "conversationMap")}
        kept |= {text_in(key)[len(prefix) :]: json_in(value) for key, value in rows}
        if "fullConversationHeadersOnly" in composer:
            headers = [header for header in list_of(composer, "fullConversationHeadersOnly") if type(header) is dict]
            named = dict.fromkeys(text_of(header, "bubbleId") for header in headers)
            left = [(key, bubble) for key, bubble in kept.items() if key not in named and type(bubble) is dict]
            return [(key, kept[key]) for key in named if type(kept.get(key)) is dict], left
        if tabs := list_of(composer, "tabs"):
            return _numbered([bubble for tab in tabs if type(tab) is dict for bubble in list_of(tab, "bubbles")]), []
        found = [(key, bubble) for key, bubble in kept.items() if type(bubble) is dict]
        return sorted(found, key=lambda item: time_of(item[1])), []

    def _talk(
        self,
        chat: str,
        about: dict[str, Any],
        bubbles: list[tuple[str, Bubble]],
        left: Sequence[tuple[str, Bubble]] = (),
    ) -> Talk | None:
        if not bubbles:
            return None
        oddities: list[Skipped | NewField] = []
        told = entries_of(bubbles, oddities)
        gone = entries_of(left, oddities, first=len(bubbles) + 1)
        parent = text_of(dict_of(about, "subagentInfo"), "parentComposerId") or text_of(about, "parentComposerId")
        if parent:
            told, gone = ([entry._replace(drafts=by_agent([*entry.drafts])) for entry in each] for each in (told, gone))
        named = text_of(dict_of(about, "modelConfig"), "modelName")
        model = next((name for _, bubble in reversed(bubbles) if (name := model_of(bubble))), "")
        facts = Facts(
            session=chat,
            title=text_of(about, "name") or text_of(about, "chatTitle") or text_of(about, "title") or None,
            cwd=self._folder(chat, about, bubbles) or None,
            branch=text_of(dict_of(about, "activeBranch"), "branchName") or text_of(about, "createdOnBranch") or None,
            model=model or named or None,
            parent=parent or None,
            relation=Relation.SUBAGENT if parent else None,
            source="ide",
        )
        started = (about.get("createdAt"), about.get("timestamp"), about.get("lastSendTime"))
        started_ms = next((ms for ms in map(time_ms, started) if ms), 0)
        told += _summary(about, len(bubbles))
        told += [entry._replace(drafts=taken_back([*entry.drafts])) for entry in gone]
        return Talk(facts, told, oddities, started_ms=started_ms)

    def _folder(self, chat: str, about: dict[str, Any], bubbles: list[tuple[str, Bubble]]) -> str:
        place = dict_of(dict_of(about, "workspaceIdentifier"), "uri")
        said = text_of(place, "fsPath") or text_of(place, "path")
        placed = (bubble for _, bubble in bubbles if "workspaceUris" in bubble or "workspaceProjectDir" in bubble)
        said = said or next(filter(None, map(folder_of, placed)), "")
        if said:
            return said
        if chat in self._tabs:
            return _folder_of_workspace(self._path.parent)
        if self._folders is None:
            self._folders = _folders_of_composers(self._path.parent.parent / "workspaceStorage")
        return self._folders.get(chat, "")


def has_chat(path: Path, chat: str) -> bool:
    """Whether a database has a chat; OSError if it cannot be read.

    This is asked for every transcript, so that nobody waits long if it is locked: they are read next time.
    """
    with open_foreign(path, wait_ms=GLANCE_MS) as database:
        key = f"composerData:{chat}"
        return bool(
            database.columns("cursorDiskKV")
            and database.rows("select 1 as one from cursorDiskKV where key = ? and value is not null", key)
        )


def _numbered(bubbles: list[Any]) -> list[tuple[str, Bubble]]:
    """Bubbles by their names, or by their numbers if they have none or one that another has."""
    found: dict[str, Bubble] = {}
    for number, bubble in enumerate(bubbles, 1):
        if type(bubble) is dict:
            key = bubble.get("bubbleId") or bubble.get("id")
            if type(key) is not str or key in found:
                key = f"{key}.{number}" if type(key) is str else str(number)
            found[key] = bubble
    return list(found.items())


def _summary(about: dict[str, Any], number: int) -> list[Entry]:
    """What the model was told of the beginning when all of it was too long."""
    latest = dict_of(about, "latestConversationSummary")
    text = text_of(dict_of(latest, "summary"), "summary")
    return [Entry("summary", [Draft(SYSTEM, Kind.SUMMARY, None, text)], 0, number)] if text.strip() else []


def _folders_of_composers(storage: Path) -> dict[str, str]:
    """Where composers took place, by what the workspaces say of theirs; those that cannot be read say nothing."""
    found: dict[str, str] = {}
    for workspace in entries(storage):
        folder = _folder_of_workspace(workspace)
        if not folder:
            continue
        with suppress(OSError), open_foreign(workspace / DATABASE) as database:
            if database.columns("ItemTable"):
                for (value,) in database.rows("select value from ItemTable where key = 'composer.composerData'"):
                    data = json_in(value)
                    composers = list_of(data if type(data) is dict else {}, "allComposers")
                    found |= {text_of(each, "composerId"): folder for each in composers if type(each) is dict}
    return found


def _folder_of_workspace(workspace: Path) -> str:
    try:
        about = load_document(workspace / "workspace.json")
    except (OSError, ValueError):
        return ""
    return folder_at(text_of(about, "folder")) if type(about) is dict else ""
