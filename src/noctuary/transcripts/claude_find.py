"""Find Claude Code's transcripts, each once, whatever links and unreadable folders are in the way."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from noctuary.records import Relation
from noctuary.transcripts.fields import text_of
from noctuary.transcripts.finding import at_home, below, entries, real_path
from noctuary.transcripts.items import Source

_SIDECAR_ROOTS = ("Library/Application Support/Claude", ".config/Claude", "AppData/Roaming/Claude")
_SIDECAR_FOLDERS = ("claude-code-sessions", "local-agent-mode-sessions")
_SIDECAR_BYTES = 4 * 1024 * 1024


def find_sources(adapter: str, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
    """Every transcript, in a stable order; a folder that cannot be read is passed over."""
    titles = _sidecar_titles(home)
    seen: set[Path] = set()
    for root in _roots(home, environ):
        for path, parent in _transcripts(root):
            real = real_path(path)
            if real in seen or not real.is_file():
                continue
            seen.add(real)
            relation = Relation.SUBAGENT if parent else None
            title = titles.get(path.stem)
            yield Source(adapter=adapter, path=path, session=path.stem, parent=parent, relation=relation, title=title)


def _roots(home: Path, environ: Mapping[str, str]) -> list[Path]:
    configured = [part.strip() for part in environ.get("CLAUDE_CONFIG_DIR", "").split(",")]
    chosen = [at_home(home, part) for part in configured if part]
    return chosen or [home / ".claude", home / ".config" / "claude"]


def _transcripts(root: Path) -> Iterator[tuple[Path, str | None]]:
    for project in entries(root / "projects"):
        inside = entries(project)
        yield from ((entry, None) for entry in inside if entry.name.endswith(".jsonl"))
        for entry in inside:  # after their parents, which an import then already knows
            if not entry.name.endswith(".jsonl"):
                yield from ((path, entry.name) for path in below(entry / "subagents", ".jsonl"))
    loose = entries(root / "transcripts")
    yield from ((entry, None) for entry in loose if entry.name.endswith(".jsonl"))


def _sidecar_titles(home: Path) -> dict[str, str]:
    """The titles that the desktop application keeps beside the transcripts, by session."""
    titles: dict[str, str] = {}
    for root in _SIDECAR_ROOTS:
        for folder in _SIDECAR_FOLDERS:
            for path in below(home / root / folder, ".json"):
                sidecar = _load_small(path)
                title = text_of(sidecar, "title").strip()
                for key in ("sessionId", "cliSessionId"):
                    if title and text_of(sidecar, key):
                        titles[text_of(sidecar, key)] = title
    return titles


def _load_small(path: Path) -> dict[str, Any]:
    try:
        if path.stat().st_size > _SIDECAR_BYTES:
            return {}
        value = json.loads(path.read_bytes().decode("utf-8", "replace"))
    except (OSError, ValueError, RecursionError):
        return {}
    return value if type(value) is dict else {}
