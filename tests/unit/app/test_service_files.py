"""Files of a service manager: put into place, known again, and never touched if somebody else wrote there."""

from pathlib import Path

import pytest

from noctuary.app.service_files import ServiceFile, folders_written, put_all, take_out_all
from noctuary.errors import BadInput, StoreError
from noctuary.settings import Settings


@pytest.fixture(params=[False, True], ids=["unit", "plist"])
def file(request: pytest.FixtureRequest, tmp_path: Path) -> ServiceFile:
    """A file of either kind, not yet written."""
    return ServiceFile(tmp_path / "units" / "ours", "<x>\n# written by somebody\n</x>\n", is_xml=request.param)


def put(*files: ServiceFile) -> list[Path]:
    """Put files into place for a memory beside them."""
    folder = files[0].path.parent.parent
    return put_all(Settings.load({"USER": "ana"}, home=folder / "memory", user_home=folder), files)


def take_out(*paths: Path) -> list[Path]:
    """Take them out."""
    return take_out_all(paths)


def test_written_once_and_removed(file: ServiceFile) -> None:
    """It is for its owner only, writing it again changes nothing, and nothing is left of it."""
    assert put(file)
    assert not put(file)
    assert file.path.stat().st_mode & 0o777 == 0o600
    assert file.path.read_text().startswith(file.text)

    assert take_out(file.path)
    assert not take_out(file.path)
    assert list(file.path.parent.iterdir()) == []


def test_a_later_one_replaces_ours(file: ServiceFile) -> None:
    """What we wrote and nobody edited is ours to replace."""
    put(file)

    assert put(file._replace(text="other\n"))
    assert take_out(file.path)


@pytest.mark.parametrize("edit", ["x{}", "{}x", "{}\nx\n", "", "theirs\n"])
def test_what_somebody_edited_stays(file: ServiceFile, edit: str) -> None:
    """A letter before or after is enough: it is neither replaced nor removed."""
    put(file)
    edited = edit.format(file.path.read_text())
    file.path.write_text(edited)

    with pytest.raises(BadInput, match="edited"):
        put(file)
    with pytest.raises(BadInput, match="by hand"):
        take_out(file.path)
    assert file.path.read_text() == edited


def test_a_folder_in_the_way_is_said(file: ServiceFile) -> None:
    """What the system reports is said in a sentence."""
    file.path.mkdir(parents=True)

    with pytest.raises(StoreError, match="ours"):
        put(file)


def test_the_folder_of_the_memory_is_made(file: ServiceFile, tmp_path: Path) -> None:
    """A service that may write only there could not make it."""
    assert put(file) == [file.path]
    assert (tmp_path / "memory").is_dir()


def test_all_or_none(file: ServiceFile) -> None:
    """If one cannot be replaced or removed, the other stays as it is, too."""
    theirs = file._replace(path=file.path.with_name("theirs"))
    theirs.path.parent.mkdir(parents=True)
    theirs.path.write_text("theirs\n")

    with pytest.raises(BadInput, match="edited"):
        put(file, theirs)
    assert not file.path.exists()
    put(file)
    with pytest.raises(BadInput, match="by hand"):
        take_out(file.path, theirs.path)
    assert file.path.exists()


def test_a_link_that_leads_nowhere_is_somebodys(file: ServiceFile) -> None:
    """Who made it meant something by it."""
    file.path.parent.mkdir(parents=True)
    file.path.symlink_to("nowhere")

    with pytest.raises(BadInput, match="edited"):
        put(file)
    with pytest.raises(BadInput, match="by hand"):
        take_out(file.path)
    assert file.path.is_symlink()


@pytest.mark.parametrize(
    ("table", "is_elsewhere"),
    [(None, False), ({"mirror": ["CLAUDE.md"]}, True), ({"backend": "claude"}, True), ({"backend": "openai"}, False)],
)
def test_where_a_service_writes(tmp_path: Path, table: object, is_elsewhere: bool) -> None:
    """The home of the memory; the user's as well, if a dream writes to projects or starts an agent."""
    settings = Settings.load({"USER": "ana"}, home=tmp_path / "memory", user_home=tmp_path)

    written = folders_written(settings._replace(dream_table=table))

    assert written == [tmp_path / "memory", *([tmp_path] if is_elsewhere else [])]
