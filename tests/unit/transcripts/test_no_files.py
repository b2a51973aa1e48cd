"""What lies where a file is expected may be none: a pipe, a device, a folder, or a link that leads nowhere."""

import os
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from noctuary.transcripts import finding
from noctuary.transcripts.finding import open_file
from noctuary.transcripts.foreign_sqlite import is_sqlite, open_foreign
from noctuary.transcripts.items import Place
from tests.unit.transcripts.golden_cases import Case, cases, sources

needs_pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes here")
MADE: dict[str, Callable[[Path], object]] = {
    "a pipe": lambda path: os.mkfifo(path),  # noqa: PLW0108 (Windows has none to name here)
    "a device": lambda path: path.symlink_to("/dev/zero"),
    "a folder": Path.mkdir,
    "a link to itself": lambda path: path.symlink_to(path),
}


def take_away(path: Path) -> None:
    path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()


@pytest.mark.slow
@needs_pipes
@pytest.mark.parametrize("case", cases(), ids=lambda case: f"{case.agent}-{case.name}")
def test_transcripts_and_what_lies_beside_them(case: Case, tmp_path: Path) -> None:
    """Reading ends, whichever of an agent's files is none; what is none itself is not found."""
    home = case.laid_out(tmp_path / "home")
    for path in [path for path in home.rglob("*") if path.is_file()]:
        kept = path.read_bytes()
        for make in MADE.values():
            take_away(path)
            make(path)
            for source in sources(case, home):
                assert source.path != path
                with suppress(OSError):  # it is read again when it can be
                    list(case.adapter.read(source, Place()))
        take_away(path)
        path.write_bytes(kept)


@needs_pipes
@pytest.mark.parametrize("what", MADE)
def test_nothing_else_is_opened(what: str, tmp_path: Path) -> None:
    """Neither as a file nor as a database."""
    path = tmp_path / "file"
    MADE[what](path)

    assert not is_sqlite(path)
    with pytest.raises(OSError):  # noqa: PT011 (a link to itself has words of its own)
        open_file(path)
    with pytest.raises(OSError), open_foreign(path):  # noqa: PT011
        pass


@pytest.mark.slow
@pytest.mark.parametrize("case", cases(), ids=lambda case: f"{case.agent}-{case.name}")
def test_a_folder_that_nobody_may_look_into_stops_no_other(case: Case, tmp_path: Path) -> None:
    """What lies beside it is found as before, and so it is beside a name that leaves no room for an ending."""
    home = case.laid_out(tmp_path / "home")
    expected = [source.path for source in sources(case, home)]
    closed = []
    for folder in [path for path in home.rglob("*") if path.is_dir()]:
        (folder / ("x" * 250)).mkdir()
        closed.append(folder / "closed")
        closed[-1].mkdir(mode=0o000)
    found = [source.path for source in sources(case, home)]
    for folder in closed:
        folder.chmod(0o700)

    assert found == expected


def test_no_adapter_asks_in_a_way_that_raises() -> None:
    """Path.is_file and Path.is_dir raise in a folder that is closed, which whoever runs tests as root does not see."""
    folder = Path(finding.__file__).parent
    asking = [path.name for path in folder.glob("*.py") if re.search(r"\.is_(file|dir)\(\)", path.read_text())]

    assert asking == []
