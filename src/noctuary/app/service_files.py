"""Files by which a service manager starts us: put into place, and taken out if nobody has changed them since.

The last line of each has a hash of what stands above it.  So a file that was written by somebody else, or edited by
hand, is known, and neither replaced nor removed.
"""

from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from noctuary.dream_settings import dream_settings
from noctuary.errors import BadInput
from noctuary.files import replace_private, translated
from noctuary.settings import Settings

_MARK = "written by `noctuary service` "
_PROGRAMS = ("claude", "codex")  # programs that dreams may ask, which keep things in the user's home


class ServiceFile(NamedTuple):
    """A file that a service manager reads."""

    path: Path
    text: str
    is_xml: bool = False

    @property
    def content(self) -> bytes:
        """What is written: the text, and a line by which it is known."""
        mark = f"{_MARK}{_hash(self.text)}"
        return f"{self.text}{f'<!-- {mark} -->' if self.is_xml else f'# {mark}'}\n".encode()


def put_all(settings: Settings, files: Iterable[ServiceFile]) -> list[Path]:
    """Write the files, and make the folder of the memory, which a service may not; the files that changed.

    BadInput, with nothing written, if one that is there is not ours.
    """
    wanted = [*files]
    changed = [file for file in wanted if _may_be_put(file)]
    with translated(settings.home):
        settings.home.mkdir(parents=True, exist_ok=True, mode=0o700)
    for file in changed:
        with translated(file.path):
            replace_private(file.path, file.content)
    return [file.path for file in changed]


def take_out_all(paths: Iterable[Path]) -> list[Path]:
    """Remove the files that are there; BadInput, with nothing removed, if one is not as it was written."""
    found = [path for path in paths if _may_be_taken_out(path)]
    for path in found:
        with translated(path):
            path.unlink()
    return found


def _may_be_put(file: ServiceFile) -> bool:
    """Whether it is not there yet, or another of ours is."""
    there = _content(file.path)
    if there is not None and not _is_as_written(there):
        raise BadInput(f"{file.path} was not written by this command, or was edited since. Move it away first.")
    return there != file.content


def _may_be_taken_out(path: Path) -> bool:
    there = _content(path)
    if there is not None and not _is_as_written(there):
        raise BadInput(f"{path} was not written by this command, or was edited since; it stays. Remove it by hand.")
    return there is not None


def _content(path: Path) -> bytes | None:
    """What is there: None if nothing is; a link that leads nowhere is somebody's, too."""
    with translated(path):
        if path.exists():
            return path.read_bytes()
        return b"" if path.is_symlink() else None


def folders_written(settings: Settings) -> list[Path]:
    """The folders that a service of this memory writes to: its home; the user's if dreams write or start something."""
    dreams = dream_settings(settings.dream_table)
    is_elsewhere = bool(dreams.mirror) or dreams.backend in _PROGRAMS
    return [settings.home.absolute(), *([settings.user_home.absolute()] if is_elsewhere else [])]


def _is_as_written(content: bytes) -> bool:
    text = content.decode("utf-8", "replace")
    before, mark, after = text.rpartition(_MARK)
    above = before.removesuffix("# ").removesuffix("<!-- ")
    return bool(mark) and after.strip().removesuffix(" -->") == _hash(above)


def _hash(text: str) -> str:
    return blake2b(text.encode(), digest_size=16).hexdigest()
