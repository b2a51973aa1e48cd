"""What in a memory can be looked up in a repository."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noctuary.dream.verifying.anchors import MOST, Anchors, anchors_of, relative_to
from noctuary.store.memories import MemoryKind, MemoryStatus, Remembered


def anchors(text: str, **facts: Any) -> Anchors:
    """What a memory that says so is anchored to."""
    return anchors_of(Remembered("m-1", "", MemoryKind.FACT, text, MemoryStatus.ACTIVE, 0, None, None, "", facts))


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("See src/cache.py.", ("src/cache.py",)),
        ("`src/cache.py` and ./docs/use.md, please", ("src/cache.py", "docs/use.md")),
        ("The README.md and the Makefile", ("README.md", "Makefile")),
        ("/home/ana/shop/src/a.ts is absolute", ("/home/ana/shop/src/a.ts",)),
        ("Read https://example.com/src/cache.py first", ()),
        ("Either and/or both, 1.5 times, e.g. v1.2.3", ("and/or",)),
        ("All of src/*.py", ()),
        ("Call cache.evict or os.path", ()),
    ],
)
def test_paths_are_found_in_prose(text: str, paths: tuple[str, ...]) -> None:
    """Those with a folder or the ending of a file; addresses and patterns are none."""
    assert anchors(text).paths == paths


def test_symbols_count_together_with_a_file() -> None:
    """Code in a sentence that names no file could be anywhere."""
    assert anchors("`evict` and Cache.drop() and LIMIT_MB in src/cache.py").symbols == ("evict", "drop", "LIMIT_MB")
    assert anchors("`evict` drops the oldest").symbols == ()


def test_commands_are_those_that_a_project_defines() -> None:
    """Scripts of a package and targets of a makefile; what comes with a tool is not looked for."""
    text = "`npm run lint`, `yarn build`, `make test`, `just all`, `npm install`, `make -j4`, `git push`"
    assert [str(one) for one in anchors(text).commands] == ["npm run lint", "npm run build", "make test", "just all"]


def test_commits_are_named_or_rested_on() -> None:
    """A number in hexadecimal alone is none."""
    found = anchors("Since commit 75f65e2 the defaced face is cafe123", commits=["0123456789abcdef"])
    assert found.commits == ("75f65e2", "0123456789abcdef")


def test_files_that_it_rests_on_are_kept_apart() -> None:
    """What is named in the words tells more; what is no text is passed over."""
    found = anchors("See src/a.py", files=["src/a.py", "src/b.py", 5])
    assert (found.paths, found.cited) == (("src/a.py",), ("src/b.py",))
    assert anchors("Nothing", files="src/a.py") == Anchors()


@pytest.mark.parametrize(
    ("text", "expected"),
    [("We removed src/a.py", True), ("Drop src/a.py instead of fixing it", True), ("src/a.py drops the oldest", False)],
)
def test_a_sentence_may_tell_of_a_change(text: str, expected: bool) -> None:
    """Then it is no wonder that something is not there."""
    assert anchors(text).tells_of_change is expected


def test_paths_are_those_of_the_repository_or_none() -> None:
    """Nothing outside is looked at."""
    assert relative_to("src/a.py", "/r") == relative_to("/r/src/a.py", "/r") == "src/a.py"
    assert [relative_to(path, "/r") for path in ("/etc/a.toml", "../a.py", "~/a.py", "a/../../b.py", "/r")] == [
        None
    ] * 5


@given(st.text(max_size=300))
def test_any_text_can_be_looked_through(text: str) -> None:
    """Whatever it is, a few names come of it at most."""
    found = anchors(text)
    assert all(len(names) <= MOST for names in found[:5])
