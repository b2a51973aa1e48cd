"""The audit of a memory: what deserves a look is told, and nothing is changed."""

from pathlib import Path

from noctuary.app.memory import Memory
from noctuary.audit import auditing
from noctuary.audit.auditing import Progress
from noctuary.audit.report import Audit

_MOST_BYTES = 1_000_000  # of a file in which hooks keep what they told a session


def audit(
    memory: Memory, project: str | None = None, *, is_quick: bool = False, progress: Progress | None = None
) -> Audit:
    """Look at all of the memory, or at one project; quickly, without searching what was said for secrets."""
    memory.ledger.catch_up_all()
    asked = auditing.Asked(
        memory.owner,
        memory.clock.now_ms(),
        None if project is None else memory.project_called(project),
        _told_by_hooks(memory.settings.home / "state" / "told"),
        is_quick,
    )
    return auditing.audit(memory.ledger, asked, progress)


def _told_by_hooks(folder: Path) -> frozenset[str]:
    """What hooks told sessions within the last weeks: the first word of each line."""
    if not folder.is_dir():
        return frozenset()
    lines = (
        line for path in folder.iterdir() if path.is_file() for line in path.read_bytes()[:_MOST_BYTES].split(b"\n")
    )
    return frozenset(line.partition(b" ")[0].decode("utf-8", "replace") for line in lines if line)
