"""Claude Code: `projects/<folder>/<session>.jsonl` below its configuration folder.

A message keeps the uuid of its record, so a history copied into the file of a resumed session is recognised
as the same messages.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from noctuary.lazily import lazy_module
from noctuary.transcripts.claude_find import find_sources, find_sources_at
from noctuary.transcripts.items import Item, Place, Source

if TYPE_CHECKING:
    from noctuary.transcripts import claude_reader, jsonl
else:  # most imports find nothing new
    claude_reader = lazy_module("noctuary.transcripts.claude_reader")
    jsonl = lazy_module("noctuary.transcripts.jsonl")


class ClaudeCode:
    """The adapter."""

    name = "claude-code"
    globally_unique = True

    def find(self, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """Every transcript below the configuration folders, sub-agents included."""
        return find_sources(self.name, home, environ)

    def find_at(self, path: Path, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """The transcript at this path, and those of its sub-agents, if it lies where `find` looks."""
        return find_sources_at(self.name, path, home, environ)

    def read(self, source: Source, place: Place) -> Iterator[Item]:
        """Yield what the transcript says from the place on; OSError if it cannot be read to its end."""
        return jsonl.read_items(source.path, place, claude_reader.ClaudeReader(source, place.state))
