"""Qwen Code: `projects/<folder>/chats/<session>.jsonl` in its folder; before 0.5 the chats of Gemini CLI, in `tmp`.

A record keeps its uuid when a session is branched, so a copied history is recognised as the same messages.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from noctuary.records import Relation
from noctuary.transcripts.documents import load_document, read_document
from noctuary.transcripts.fields import text_of
from noctuary.transcripts.finding import at_home, entries, is_file, those_at
from noctuary.transcripts.gemini import chats_in, read_chat
from noctuary.transcripts.items import Item, Place, Source
from noctuary.transcripts.jsonl import read_items
from noctuary.transcripts.qwen_reader import QwenReader

_SMALL = 1024 * 1024


class Qwen:
    """The adapter."""

    name = "qwen"
    globally_unique = True

    def find(self, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """Every session, archived ones included, then those of sub-agents, then the chats of early versions."""
        root = _root(home, environ)
        for project in entries(root / "projects"):
            for folder in (project / "chats", project / "chats" / "archive"):
                for path in entries(folder):
                    if path.suffix == ".jsonl" and is_file(path):
                        yield Source(adapter=self.name, path=path, session=path.stem)
            yield from self._of_agents(project / "subagents")
        for project in entries(root / "tmp"):
            yield from chats_in(self.name, project / "chats")

    def _of_agents(self, folder: Path) -> Iterator[Source]:
        """What sub-agents did, by the session that started them; their own names are those of other sessions', too."""
        for parent in entries(folder):
            for path in entries(parent):
                if path.suffix == ".jsonl" and is_file(path):
                    session = f"{parent.name}/{path.stem}"
                    relation = Relation.SUBAGENT
                    yield Source(adapter=self.name, path=path, session=session, parent=parent.name, relation=relation)

    def find_at(self, path: Path, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """The session at this path, if it lies where `find` looks."""
        return those_at(path, self.find(home, environ))

    def read(self, source: Source, place: Place) -> Iterator[Item]:
        """Yield what the transcript says from the place on; OSError if it cannot be read to its end."""
        if source.is_log:
            return read_items(source.path, place, QwenReader(source, place.state))
        return read_document(place, lambda: read_chat(source, _folder_of(source)))


def _root(home: Path, environ: Mapping[str, str]) -> Path:
    for variable in ("QWEN_RUNTIME_DIR", "QWEN_HOME"):
        if configured := environ.get(variable, "").strip():
            return at_home(home, configured)
    return home / ".qwen"


def _folder_of(source: Source) -> str | None:
    """The folder that a project of an early version is, as a file beside its chats says."""
    chats = source.path.parent.parent if source.parent else source.path.parent
    try:
        config = load_document(chats.parent / "config.json", _SMALL)
    except (OSError, ValueError):
        return None
    if type(config) is not dict:
        return None
    found = (text_of(config, key) for key in ("workspace", "projectPath", "cwd", "path"))
    return next((path for path in found if path), None)
