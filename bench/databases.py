"""Memories for benchmarks: each in a folder of its own or, with --database URL, an owner of its own on a server."""

from pathlib import Path
from typing import Any
from uuid import uuid4

import click

from noctuary import Memory

_RUN = uuid4().hex[:12]  # so that nothing of an earlier run is met

with_database = click.option("--database", "url", metavar="URL", help="Measure on this PostgreSQL server instead.")


def open_memory(folder: Path, url: str | None, *, owner: str = "bench", **more: Any) -> Memory:
    """The memory in this folder; on a server the same folder is the same owner, within one run."""
    if url is None:
        return Memory.open(folder, owner=owner, **more)
    return Memory.open(folder, owner=f"{owner}-{_RUN}-{folder.name}", database=url, **more)
