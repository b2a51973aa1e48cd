"""Noctuary: the long-term memory of coding agents.

from noctuary import Memory

with Memory.open() as memory:
    memory.import_transcripts()
    for hit in memory.search("why did we drop redis?").hits:
        print(hit.session.title, hit.snippet)
"""

from noctuary.app import Memory

__all__ = ["Memory"]
