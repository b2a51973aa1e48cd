"""Files of a memory that are texts: pages and their copies, the inbox, logs, states, what was set aside of journals."""

import os
from collections.abc import Iterator
from pathlib import Path

from noctuary.brief_file import FOLDER as BRIEFS
from noctuary.files import open_private, sync_folder, translated, walk, write_all
from noctuary.journal.file import ENDING
from noctuary.memory_file import block_digest, read_page
from noctuary.scrubbing.tally import Tally
from noctuary.scrubbing.texts import clean, clean_lines, clean_record
from noctuary.snapshot.manifest import JOURNALS

_FOLDERS = (JOURNALS, "memory", "inbox", "state", "log", BRIEFS)
# What only works as it is: settings, the token of the server, and copies of other programs' settings.
_NEEDED = ("config.toml", "server.token", "state/agents")
_LOCK = ".lock"
_BINARY = b"\0"


def scrub_files(home: Path, tally: Tally, *, is_dry: bool) -> dict[str, str]:
    """Count the secrets in all files, and write those anew that have some; digests of pages that are others then."""
    renamed: dict[str, str] = {}
    for path in _texts(home):
        with translated(path):
            content = path.read_bytes()
        text = content.decode("utf-8", "surrogateescape")
        name = path.relative_to(home).as_posix()
        is_text = _BINARY not in content or name.startswith(JOURNALS)  # halves of lines begin with a zero
        if not is_text or (cleaned := _clean(path, text)) == text:
            continue
        if name.startswith(_NEEDED):
            tally.left.append(str(path))
            continue
        tally.count_changed(name.split("/")[0], text)
        if not is_dry:
            page = read_page(path) if path.suffix == ".md" else None
            if (
                page is not None and page.block is not None and not page.is_edited
            ):  # or it would count as edited by hand
                renamed[page.digest] = block_digest(clean(page.block))
                cleaned = cleaned.replace(page.digest, renamed[page.digest], 1)
            replace(path, cleaned.encode("utf-8", "surrogateescape"))
    return renamed


def replace(path: Path, content: bytes) -> None:
    """Write a file anew, whole or not at all, with the permissions that it had."""
    partial = path.with_name(f".{path.name}.noctuary")
    with translated(path):
        partial.unlink(missing_ok=True)
        file = open_private(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
        try:
            write_all(file, content)
        finally:
            os.close(file)
        partial.chmod(path.stat().st_mode & 0o777)
        partial.replace(path)
        sync_folder(path.parent)


def _clean(path: Path, text: str) -> str:
    is_record = path.suffix == ".json"
    return clean_record(text) if is_record else clean_lines(text) if ".jsonl" in path.name else clean(text)


def _texts(home: Path) -> Iterator[Path]:
    """Every file that may be one; journals themselves are another's."""
    for folder in _FOLDERS:
        for root, _, names in walk(home / folder):
            for name in sorted(names):
                path = root / name
                is_journal = folder == JOURNALS and name.endswith(ENDING) and not name.startswith(".")
                if path.is_file() and not path.is_symlink() and not name.endswith(_LOCK) and not is_journal:
                    yield path
    yield from (path for name in ("config.toml", "server.token") if (path := home / name).is_file())
