"""Noctuary: the long-term memory of coding agents.

from noctuary import Memory

with Memory.open() as memory:
    memory.import_transcripts()
    for hit in memory.search("why did we drop redis?").hits:
        print(hit.session.title, hit.snippet)
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from noctuary.app import Memory

__all__ = ["Memory"]


def __getattr__(name: str) -> object:
    """Load `Memory` when it is asked for, so that importing a part of the package does not load all of it."""
    if name == "Memory":
        return import_module("noctuary.app").Memory
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
