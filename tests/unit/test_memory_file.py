"""A file with a block of ours: what is not ours stays byte for byte, and a block edited by hand is known as such."""

import os
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noctuary.errors import StoreBusy, StoreError, StoreReadOnly
from noctuary.memory_file import Page, assembled, block_digest, page_of, read_page, remove_page, write_page

BLOCK = "## Rules\n- Use tabs. (2026-02-26) [m-0000000001]\n- No Redis. (2026-02-27) [m-0000000002]"
MARKED = f"<!-- noctuary:begin {block_digest(BLOCK)} -->\n{BLOCK}\n<!-- noctuary:end -->\n".encode()
# Text around a block as people write it, with what could be taken for marks and code.
MARKS = [b"<!-- noctuary:end -->\n", b"    <!-- noctuary:begin -->\n", b"see <!-- noctuary:begin --> there\n"]
PIECES = st.sampled_from(
    [b"# Notes\n", b"\n", b"```\n", b"~~~~\n", b"```py\n", b"text", b"\r\n", b"\r", b"\xff", b"\xef\xbb\xbf", *MARKS]
)
OUTSIDE = st.one_of(st.binary(max_size=200), st.lists(PIECES, max_size=12).map(b"".join))


def write(path: Path, block: str = BLOCK, *, keep_backups: int = 5) -> bool:
    return write_page(path, block, read_page(path), keep_backups=keep_backups)


def backups(path: Path) -> list[bytes]:
    folder = path.parent / ".backups"
    return [file.read_bytes() for file in sorted(folder.glob(f"{path.name}.*"))]


@given(before=OUTSIDE, after=OUTSIDE)
def test_what_stands_around_a_block_is_kept(before: bytes, after: bytes) -> None:
    """Whatever bytes stand outside, another block changes none of them, however often one is written."""
    page = page_of(before + b"\n" + MARKED + after)
    if page.block is None:
        return  # before and after make code of it
    once = assembled(page, "- Another line. [m-0000000003]")
    again = page_of(once)

    assert (again.before, again.after) == (page.before, page.after)
    assert again.block == "- Another line. [m-0000000003]"
    assert not again.is_edited
    assert assembled(again, "- Another line. [m-0000000003]") == once
    assert page.outside == before + b"\n" + after


@given(content=OUTSIDE)
def test_a_first_block_takes_nothing_away(content: bytes) -> None:
    """A file without a block has all its bytes after one was added, and the block is found again."""
    page = page_of(content)
    if page.block is not None:
        return
    written = assembled(page, BLOCK)
    again = page_of(written)

    assert again.block == BLOCK
    assert written.startswith(content) or written.endswith(content.removeprefix(b"\xef\xbb\xbf"))
    assert len(again.outside) - len(content) <= 4
    assert again.outside.replace(b"\r", b"").replace(b"\n", b"") == content.replace(b"\r", b"").replace(b"\n", b"")


@given(text=st.text(max_size=300))
def test_any_text_can_be_a_block(text: str) -> None:
    """What is written as a block is read as the same block, unedited, and stands within one pair of marks."""
    page = page_of(assembled(Page(), text))
    twice = page_of(assembled(page, text))

    assert not page.is_edited
    assert twice == page


def test_there_is_no_file_yet(tmp_path: Path) -> None:
    """A new file is its owner's only, in a folder that is, and is not written twice."""
    path = tmp_path / "memory" / "shop" / "MEMORY.md"

    assert read_page(path) == Page()
    assert write(path)
    assert path.read_bytes() == MARKED
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == stat.S_IMODE(path.parents[1].stat().st_mode) == 0o700
    assert backups(path) == []


def test_what_is_there_already_is_not_touched(tmp_path: Path) -> None:
    """To write the same block leaves the file and its time as they are."""
    path = tmp_path / "MEMORY.md"
    write(path)
    os.utime(path, ns=(1, 1))

    assert not write(path)
    assert path.stat().st_mtime_ns == 1


def test_c10_headings_lists_and_code_around_the_block_stay(tmp_path: Path) -> None:
    """A page that a person wrote keeps its structure, with the block at its end."""
    path = tmp_path / "CLAUDE.md"
    mine = b"# Shop\n\n## How\n\n1. one\n   - nested\n\n```sh\nmake test\n```\n"
    path.write_bytes(mine)
    write(path)

    assert path.read_bytes() == mine + b"\n" + MARKED


def test_a_file_with_returns_keeps_them(tmp_path: Path) -> None:
    """In a file with CRLF the block has it too, and is no edit for that."""
    path = tmp_path / "CLAUDE.md"
    path.write_bytes(b"# Shop\r\n\r\n")
    write(path)

    assert b"\n" not in path.read_bytes().replace(b"\r\n", b"")
    assert read_page(path)._replace(content=None) == Page(b"# Shop\r\n\r\n\r\n", BLOCK, block_digest(BLOCK))


def test_without_a_newline_at_the_end_one_is_added(tmp_path: Path) -> None:
    """The mark stands on a line of its own."""
    path = tmp_path / "CLAUDE.md"
    path.write_bytes(b"last words")
    write(path)

    assert path.read_bytes() == b"last words\n\n" + MARKED


def test_an_edit_by_hand_is_known(tmp_path: Path) -> None:
    """A block that does not fit its digest was edited; spaces at the ends of lines are no edit."""
    path = tmp_path / "MEMORY.md"
    path.write_bytes(MARKED.replace(b"tabs", b"spaces"))

    assert read_page(path).is_edited
    assert not page_of(MARKED.replace(b"\n", b"  \r\n")).is_edited


def test_a_block_without_its_end_is_as_long_as_its_digest_says() -> None:
    """If the last mark is gone, what follows the block is not swallowed."""
    page = page_of(MARKED.replace(b"<!-- noctuary:end -->\n", b"") + b"\n# Mine\n")

    assert (page.block, page.is_edited, page.is_whole) == (BLOCK, False, False)
    assert page.after.strip() == b"# Mine"


def test_an_edited_block_without_its_end_ends_with_the_last_line_of_ours() -> None:
    """What follows the last line with an id is somebody's own."""
    page = page_of(MARKED.replace(b"<!-- noctuary:end -->\n", b"").replace(b"tabs", b"spaces") + b"# Mine\n- a\n")

    assert page.is_edited
    assert page.block == BLOCK.replace("tabs", "spaces")
    assert page.after == b"# Mine\n- a\n"


def test_of_two_blocks_one_stays() -> None:
    """A copy that nobody edited goes with the next writing; the one that was edited is the one that is read."""
    edited = MARKED.replace(b"tabs", b"spaces")
    page = page_of(MARKED + b"between\n" + edited + b"end\n")

    assert page.is_edited
    assert assembled(page, BLOCK) == b"between\n" + MARKED + b"end\n"
    assert assembled(page_of(MARKED + b"between\n" + MARKED), BLOCK) == MARKED + b"between\n"


def test_marks_in_code_are_no_marks() -> None:
    """A page may show what a block looks like."""
    shown = b"```md\n" + MARKED + b"```\n"

    assert page_of(shown).block is None
    assert page_of(shown + MARKED).before == shown


def test_a_block_is_not_put_into_code_that_nobody_closed() -> None:
    """Behind an open fence nobody would see it, so it stands at the top."""
    content = b"\xef\xbb\xbf# Notes\n```sh\nmake\n"
    written = assembled(page_of(content), BLOCK)

    assert written == b"\xef\xbb\xbf" + MARKED + b"\n# Notes\n```sh\nmake\n"
    assert page_of(written).block == BLOCK
    assert assembled(page_of(written), BLOCK) == written


def test_the_block_cannot_hold_a_mark() -> None:
    """A text that says our marks does not end the block."""
    page = page_of(assembled(Page(), "- a\n<!-- noctuary:end -->\n- b"))

    assert page.block == "- a\n&lt;!-- noctuary:end -->\n- b"
    assert page.after == b""


def test_c10_the_old_file_is_kept(tmp_path: Path) -> None:
    """Every file that is replaced is kept beside it, the last few of them, for its owner only."""
    path = tmp_path / "MEMORY.md"
    path.write_bytes(b"mine\n")
    for number in range(4):
        write(path, f"- {number}", keep_backups=2)

    kept = backups(path)

    assert [page_of(content).block for content in kept] == ["- 1", "- 2"]
    assert {stat.S_IMODE(file.stat().st_mode) for file in (tmp_path / ".backups").iterdir()} == {0o600}


def test_a_kept_file_stays_as_it_was(tmp_path: Path) -> None:
    """What is written into the page later is not written into what was kept of it."""
    path = tmp_path / "MEMORY.md"
    write(path, "- 1")
    old = path.read_bytes()
    write(path, "- 2")
    with path.open("ab") as file:
        file.write(b"mine\n")

    assert backups(path) == [old]


@pytest.mark.skipif(not hasattr(os, "link"), reason="there are no links here")
def test_a_file_that_has_another_name_is_copied(tmp_path: Path) -> None:
    """Whoever writes to the other name writes to the file, so what is kept must be another."""
    path = tmp_path / "MEMORY.md"
    write(path, "- 1")
    old = path.read_bytes()
    os.link(path, tmp_path / "same.md")
    write(path, "- 2")
    with (tmp_path / "same.md").open("ab") as file:
        file.write(b"mine\n")

    assert backups(path) == [old]


def test_no_backups_are_kept_if_none_are_wanted(tmp_path: Path) -> None:
    """Zero means none."""
    path = tmp_path / "MEMORY.md"
    write(path, "- 1", keep_backups=0)
    write(path, "- 2", keep_backups=0)

    assert backups(path) == []


def test_the_mode_of_the_old_file_is_kept(tmp_path: Path) -> None:
    """A file that a team may read stays so."""
    path = tmp_path / "AGENTS.md"
    path.write_bytes(b"mine\n")
    path.chmod(0o664)
    write(path)

    assert stat.S_IMODE(path.stat().st_mode) == 0o664


def test_a_link_is_written_through(tmp_path: Path) -> None:
    """A link stays a link; where it leads is written, also if nothing is there yet."""
    target, link = tmp_path / "shared.md", tmp_path / "CLAUDE.md"
    link.symlink_to(target)
    write(link)
    target.write_bytes(b"mine\n")
    write(link)

    assert link.is_symlink()
    assert target.read_bytes() == b"mine\n\n" + MARKED


def test_a_link_to_nowhere_makes_no_folder(tmp_path: Path) -> None:
    """Where a link leads is not ours to make."""
    link = tmp_path / "CLAUDE.md"
    link.symlink_to(tmp_path / "gone" / "shared.md")

    with pytest.raises(StoreError):
        write(link)
    assert not (tmp_path / "gone").exists()


def test_a_read_only_file_is_left_alone(tmp_path: Path) -> None:
    """Who makes a file read-only wants it to stay as it is, though it could be replaced."""
    path = tmp_path / "MEMORY.md"
    path.write_bytes(b"mine\n")
    path.chmod(0o444)

    with pytest.raises(StoreReadOnly, match="read-only"):
        write(path)
    assert path.read_bytes() == b"mine\n"
    assert backups(path) == []


def test_a_folder_in_its_place_is_said(tmp_path: Path) -> None:
    """What stands in the way is named and not touched."""
    (tmp_path / "MEMORY.md").mkdir()
    os.mkfifo(tmp_path / "AGENTS.md")

    with pytest.raises(StoreError, match="is a folder"):
        read_page(tmp_path / "MEMORY.md")
    with pytest.raises(StoreError, match="no ordinary file"):
        read_page(tmp_path / "AGENTS.md")


def test_what_somebody_wrote_meanwhile_stays(tmp_path: Path) -> None:
    """Text that came between reading and writing is kept; an edit of the block is not written over."""
    path = tmp_path / "CLAUDE.md"
    write(path)
    page = read_page(path)
    path.write_bytes(b"new\n" + MARKED)

    assert write_page(path, "- b", page, keep_backups=5)
    assert path.read_bytes().startswith(b"new\n<!--")

    edited = path.read_bytes().replace(b"- b", b"- mine")
    page = read_page(path)
    path.write_bytes(edited)
    with pytest.raises(StoreBusy):
        write_page(path, "- c", page, keep_backups=5)
    assert path.read_bytes() == edited


def test_what_a_killed_writer_left_does_not_matter(tmp_path: Path) -> None:
    """A half-written file beside the page is no page, is written over, and does not stay."""
    path = tmp_path / "MEMORY.md"
    (tmp_path / ".MEMORY.md.noctuary").write_bytes(b"hal")
    write(path)

    assert path.read_bytes() == MARKED
    assert sorted(file.name for file in tmp_path.iterdir()) == [".backups", "MEMORY.md"]


def test_a_file_of_ours_alone_is_removed(tmp_path: Path) -> None:
    """A page without anything of anybody's own is taken away and backed up; another stays."""
    path, mine = tmp_path / "auth.md", tmp_path / "mine.md"
    write(path)
    mine.write_bytes(b"mine\n")
    write(mine)

    assert remove_page(path, read_page(path), keep_backups=5)
    assert not path.exists()
    assert backups(path) == [MARKED]
    assert not remove_page(path, read_page(path), keep_backups=5)
    assert not remove_page(mine, read_page(mine), keep_backups=5)
