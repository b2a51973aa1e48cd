"""Noctuary: the long-term memory of coding agents.

from noctuary import Memory

with Memory.open() as memory:
    memory.import_transcripts()
    for hit in memory.search("why did we drop redis?").hits:
        print(hit.session.title, hit.snippet)
"""

TYPE_CHECKING = False  # the name is what type checkers know; `typing` alone would double what a hook costs
if TYPE_CHECKING:
    from noctuary.app import Memory

__all__ = ["Memory"]


def __getattr__(name: str) -> object:
    """Load `Memory` when it is asked for, so that importing a part of the package does not load all of it."""
    if name == "Memory":
        return __import__("noctuary.app", fromlist=["Memory"]).Memory
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
