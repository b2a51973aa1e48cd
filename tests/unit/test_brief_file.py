"""A brief is read from its file as it was written, and known to be as things are."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noctuary.brief_file import content_of, parsed, path_of, read, recall_path_of, stamp, written

texts = st.text(st.characters(codec="utf-8", exclude_characters="\r"))


@given(text=texts, made_ms=st.integers(0, 10**15), paths=st.lists(texts.filter(lambda path: "\0" not in path)))
def test_what_is_written_can_be_read(text: str, made_ms: int, paths: list[str]) -> None:
    """Whatever is in the text, and whatever paths are called."""
    brief = parsed(written(text, made_ms, [(path, "- -") for path in paths]).decode())

    assert brief
    assert (brief.text, brief.made_ms) == (text, made_ms)


@given(content=st.text() | st.text("0123456789 \nnoctuary-brief").map("noctuary-brief 1 ".__add__))
def test_what_is_none_of_ours_is_none(content: str) -> None:
    """No content breaks it; what is read begins as ours do."""
    assert parsed(content) is None or content.startswith("noctuary-brief 1 ")


def test_a_brief_is_fresh_as_long_as_its_files_are_as_they_were(tmp_path: Path) -> None:
    """One that was not there may not appear, either."""
    journal, missing = tmp_path / "journal.jsonl", tmp_path / "config.toml"
    journal.write_text("{}\n", encoding="utf-8")
    path = tmp_path / "brief"
    path.write_bytes(written("Hi", 5, [(str(each), stamp(str(each))) for each in (journal, missing)]))

    def is_fresh() -> bool:
        brief = read(str(path))
        return brief is not None and brief.is_fresh

    assert is_fresh()
    missing.write_text("", encoding="utf-8")
    assert not is_fresh()
    missing.unlink()
    assert is_fresh()
    journal.write_text("{}\n{}\n", encoding="utf-8")
    assert not is_fresh()


def test_a_file_that_was_touched_is_not_as_it_was(tmp_path: Path) -> None:
    """Of the same length, but changed later."""
    journal = tmp_path / "journal.jsonl"
    journal.write_text("{}\n", encoding="utf-8")
    before = stamp(str(journal))
    os.utime(journal, ns=(1, 1))

    assert stamp(str(journal)) != before


def test_every_folder_and_owner_has_a_file_of_its_own() -> None:
    """Whatever they are called, lone surrogates included."""
    given = [("", "/a"), ("", "/b"), ("ana", "/a"), ("ana\0", "/a"), ("", "ana\0/a"), ("", "\ud800"), ("", "/a/")]
    paths = {path_of("/home", owner, folder) for owner, folder in given}

    assert len(paths) == len(given)
    assert all(path.startswith("/home/briefs/") and path.isascii() for path in paths)
    assert recall_path_of("/home", "", "/a") == path_of("/home", "", "/a") + ".recall"


@pytest.mark.parametrize("what", ["nothing", "folder", "pipe", "loop", "impossible"])
def test_what_is_no_file_is_no_brief(tmp_path: Path, what: str) -> None:
    """And nobody waits for whoever might write to a pipe."""
    path = tmp_path / "brief"
    if what == "folder":
        path.mkdir()
    elif what == "pipe":
        os.mkfifo(path)
    elif what == "loop":
        path.symlink_to(path)
    given = "\0" if what == "impossible" else str(path)

    assert read(given) is None
    assert stamp(str(tmp_path / "other")) == "- -"


def test_of_a_huge_file_only_the_beginning_is_read(tmp_path: Path) -> None:
    """Whatever is behind it."""
    path = tmp_path / "brief"
    with path.open("wb") as file:
        file.write(written("Hi", 5, []))
        file.truncate(10**9)
    brief = read(str(path))

    assert brief
    assert brief.text.startswith("Hi")
    assert len(brief.text) < 200_000
    assert content_of(str(path), 14) == b"noctuary-brief"
