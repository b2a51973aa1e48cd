"""What git knows about the work that was done in a folder: gathered when a task is closed."""

from pathlib import Path

from noctuary.work.artifacts import Artifacts
from noctuary.work.repository import Repository

MOST_COMMITS = 200
MOST_FILES = 500


def harvest(folder: Path, since_ms: int) -> Artifacts:
    """The commit and branch that are checked out, the commits since the time, and the files they and the next change.

    Files are named by their path from the root, and only those that are there.  Never fails and never waits for long:
    what git does not say is left out.
    """
    repository = Repository(folder)
    if not repository.is_there():
        return Artifacts()
    head, branch = repository.head(), repository.branch()
    if not head:
        return Artifacts(branches=(branch,) if branch else ())
    commits = dict.fromkeys([head, *repository.commits_since(since_ms, MOST_COMMITS)])
    there = set(repository.tracked())
    changed = [path for path in repository.files_since(since_ms, MOST_COMMITS) if path in there]
    files = dict.fromkeys([*repository.staged(), *changed])
    return Artifacts(tuple(commits), files=tuple(files)[:MOST_FILES], branches=(branch,) if branch else ())
