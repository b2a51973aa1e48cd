"""Where the pages of a project lie: below its owner's name, as journals do, for nobody reads another owner's."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from noctuary.names import file_name

PAGE = "MEMORY.md"
TOPICS = "topics"  # the folder of the files of topics, beside the page
_NO_TOPIC = "_"  # no topic has this name: it would be encoded


@lru_cache(maxsize=64)
def page_path(home: Path, owner: str, project: str) -> Path:
    """The page of a project, or of all of them if it is empty."""
    return home / "memory" / file_name(owner) / file_name(project) / PAGE


def topic_name(topic: str) -> str:
    """The file of a topic, as a page names it."""
    return f"{TOPICS}/{file_name(topic) if topic else _NO_TOPIC}.md"


def topic_path(home: Path, owner: str, project: str, topic: str) -> Path:
    """The file of a topic of a project."""
    return page_path(home, owner, project).parent / topic_name(topic)


def mirror_paths(folder: Path, names: Sequence[str]) -> list[Path]:
    """Those of a project's own files that lie in its folder.

    A link in a repository that somebody else wrote may lead to any file of the user: what it leads to is not the
    project's, and is neither written nor read.
    """
    return [folder / name for name in names if (folder / name).resolve().is_relative_to(folder.resolve())]


def archive_path(home: Path, owner: str, project: str) -> Path:
    """Where lines go that a page had no room for any more."""
    return page_path(home, owner, project).parent / "archive.md"
