"""Find Claude Code's transcripts, each once, whatever links and unreadable folders are in the way."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from noctuary.records import Relation
from noctuary.transcripts.fields import text_of
from noctuary.transcripts.finding import at_home, below, entries, is_file, open_file, real_path, within
from noctuary.transcripts.items import Source
from noctuary.transcripts.unchanged import while_unchanged

_SIDECAR_ROOTS = ("Library/Application Support/Claude", ".config/Claude", "AppData/Roaming/Claude")
_SIDECAR_FOLDERS = ("claude-code-sessions", "local-agent-mode-sessions")
_SIDECAR_BYTES = 4 * 1024 * 1024


def find_sources(adapter: str, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
    """Every transcript, in a stable order; a folder that cannot be read is passed over."""
    places = (place for root in _roots(home, environ) for place in _transcripts(root))
    return _each_once(adapter, home, places)


def find_sources_at(adapter: str, path: Path, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
    """The transcript at this path, and those of its sub-agents, as `find_sources` would find them; no other is met."""
    places = (place for root in _roots(home, environ) for place in _transcripts_at(root, within(root, path)))
    return _each_once(adapter, home, places)


def _each_once(adapter: str, home: Path, places: Iterator[tuple[Path, str | None]]) -> Iterator[Source]:
    titles: dict[str, str] | None = None
    seen: set[Path] = set()
    for path, parent in places:
        real = real_path(path)
        if real in seen or not is_file(real):
            continue
        seen.add(real)
        titles = _sidecar_titles(home) if titles is None else titles
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


def _transcripts_at(root: Path, way: Path | None) -> Iterator[tuple[Path, str | None]]:
    """The same, as far as this way from the root leads to them."""
    if way is None or way.suffix != ".jsonl":
        return
    match way.parts:
        case ("projects", project, _):
            yield root / way, None
            yield from (
                (path, way.stem) for path in below(root / "projects" / project / way.stem / "subagents", ".jsonl")
            )
        case ("projects", _, parent, "subagents", *_, _):
            yield root / way, parent
        case ("transcripts", _):
            yield root / way, None


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


@while_unchanged
def _load_small(path: Path) -> dict[str, Any]:
    try:
        if path.stat().st_size > _SIDECAR_BYTES:
            return {}
        with open_file(path) as file:
            value = json.loads(file.read().decode("utf-8", "replace"))
    except (OSError, ValueError, RecursionError):
        return {}
    return value if type(value) is dict else {}
