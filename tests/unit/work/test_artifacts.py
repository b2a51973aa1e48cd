"""What a text names: commits, pull requests, issues, files, branches and links, and what only looks like them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noctuary.work.artifacts import Artifacts, artifacts_in, as_meta, from_meta, joined

pytestmark = pytest.mark.slow

FULL = "0123456789abcdef0123456789abcdef01234567"
# Pieces that patterns are made of, so that random texts come close to matching.
PIECES = st.sampled_from(
    ["https://", "/pull/", "/issues/", "PR #", "MR !", "git checkout -b ", "on branch ", "#", "-", "/", ".", "..",
     "@", ":", "\\", "C:\\", "UTF", "ABC", "a1b2c3d", "12", "(", ")", "]", "`", "'", " ", "\n", ".py",
     "README.md", "é", "日本", "\u0301", "\U0001f469\u200d\U0001f4bb", "\0", "\udc80"]
)  # fmt: skip
TEXTS = st.one_of(st.text(), st.lists(PIECES, max_size=40).map("".join))


@pytest.mark.parametrize(
    "text",
    [
        "id 3f2504e0-4f89-11d3-9a0c-0305e82c3301 of the run",
        "550e8400-e29b-41d4-a716-446655440000",
        "the page was defaced, its facade effaced",
        "1234567 rows, 20260301 is a day, 1e1000000 is a number",
        "color #a1b2c3d4, 0xdeadbeef1, a1b2c3d.js",
        "MD5 d41d8cd98f00b204e9800998ecf8427e, sha256:" + "ab12" * 16,
        "we met face2face",
    ],
)
def test_j7_19_no_false_commits(text: str) -> None:
    """The parts of a UUID, words, numbers, colours and digests of other kinds are no commits."""
    assert artifacts_in(text).commits == ()


@pytest.mark.parametrize(
    "text",
    [
        "UTF-8, UTF-16LE, SHA-256, SHA-1, GPT-4, GPT-3.5, ISO-8601, RFC-2119, AES-256-GCM, CVE-2024-12345, IEEE-754",
        "ADR-001, COVID-19, X86-64, MP3-1x, F-16, HTTP-2, PEP-8, WCAG-2, SOC-2, FP-16",
        "&#39; C#7 #000 #333333 # 1 ##2 /#3",
        "step #2, option #1, attempt #3, build #778",
    ],
)
def test_j7_19_no_false_issues(text: str) -> None:
    """Standards, models, sizes and counts are no issues."""
    assert artifacts_in(text).issues == ()


@pytest.mark.parametrize(
    ("text", "files"),
    [
        ("see /abs/x.rs.", ("/abs/x.rs",)),
        ("https://docs.rs/foo/index.html and docs.rs/foo/index.html", ()),
        ("README.md says so, and the Makefile too; pyproject.toml, .gitignore", (
            "README.md", "Makefile", "pyproject.toml", ".gitignore")),
        ("and/or, TCP/IP, n/a, 1/2, he/she.It, 1.5/2.5, Node.js/Express.js", ()),
        ("src/*.py, **/foo.py, ${HOME}/x.py, $HOME/x.py, <folder>/x.py", ()),
        ("git@github.com:a/b.git, ana@example.com, http://localhost:8000/x.html, localhost:8000/x.html", ()),
        ('{"text": "one\\nsrc/x.py"}', ()),
        ("the license and its authors, a makefile", ()),
    ],
)  # fmt: skip
def test_j7_19_no_false_files(text: str, files: tuple[str, ...]) -> None:
    """A path keeps its slash, an address is no file, and a well-known name needs no folder."""
    assert artifacts_in(text).files == files


def test_j7_19_an_address_is_a_link() -> None:
    """What stands in an address is found as the address and as nothing else."""
    found = artifacts_in("(see https://docs.rs/foo/index.html, and https://en.wikipedia.org/wiki/Foo_(bar)).")

    assert found == Artifacts(links=("https://docs.rs/foo/index.html", "https://en.wikipedia.org/wiki/Foo_(bar)"))


@pytest.mark.parametrize(
    ("text", "commits"),
    [
        ("fixed in 75f65e2", ("75f65e2",)),
        (f"({FULL})", (FULL,)),
        ("75f65e2..88aa0f1", ("75f65e2", "88aa0f1")),
        ("https://github.com/a/b/commit/75f65e2aa.", ("75f65e2aa",)),
        ("commit d41d8cd98f00b204e9800998ecf8427e", ("d41d8cd98f00b204e9800998ecf8427e",)),
        ("75f65e2: the fix. `75f65e2`", ("75f65e2",)),
    ],
)
def test_commits(text: str, commits: tuple[str, ...]) -> None:
    """Seven to forty hexadecimal digits, letters and digits among them, that stand alone."""
    assert artifacts_in(text).commits == commits


def test_pull_requests_and_issues() -> None:
    """By their address, by their number and by the key of a tracker."""
    found = artifacts_in(
        "PR #51, PR#52, pull request #3, MR !7; https://github.com/a/b/pull/9/files, "
        "https://gitlab.com/a/b/-/merge_requests/4. #12 and PROJ-7, org/repo#8, "
        "https://github.com/a/b/issues/5#c1 https://x.example.net/browse/ABC-1"
    )

    assert found.prs == (
        "https://github.com/a/b/pull/9", "https://gitlab.com/a/b/-/merge_requests/4", "PR #51", "PR#52",
        "pull request #3", "MR !7",
    )  # fmt: skip
    assert found.issues == (
        "https://github.com/a/b/issues/5", "https://x.example.net/browse/ABC-1", "#12", "PROJ-7", "org/repo#8",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "branches"),
    [
        ("git checkout -b feature/login", ("feature/login",)),
        ("git switch -c fix-1.", ("fix-1",)),
        ("On branch main\nnothing to commit", ("main",)),
        ("git branch topic/x && git branch -d old", ("topic/x",)),
        ("on the branch `spike`", ("spike",)),
        ("based on branch names we chose; git branch shows them all", ()),
        ("git checkout -b a..b", ()),
    ],
)
def test_branches(text: str, branches: tuple[str, ...]) -> None:
    """A branch is known by the command that makes it, or by a sentence that can mean nothing else."""
    assert artifacts_in(text).branches == branches


def test_files_in_every_script() -> None:
    """Paths are found in texts without spaces, and when they are written in other letters."""
    found = artifacts_in(
        "修改src/main.rs文件, docs/日本語.md, документы/план.md:12, C:\\Users\\me\\x.py, 请看https://example.com/foo文档"
    )

    assert found.files == ("C:\\Users\\me\\x.py", "src/main.rs", "docs/日本語.md", "документы/план.md")
    assert found.links == ("https://example.com/foo",)


@given(TEXTS)
def test_whatever_is_found_stands_in_the_text(text: str) -> None:
    """No text makes it fail, and every name can be pointed at."""
    found = artifacts_in(text)

    assert all(name and name in text for names in found for name in names)
    assert all(len(set(names)) == len(names) for names in found)


@pytest.mark.parametrize(
    "piece",
    ["a", "a1", "a.", "a/", "a/b.", "../", "a@", "@", "#1 ", "#", "a-", "A-1-", "https://", "(", "https://a/)",
     "git branch ", "C:\\a", "C:\\", "PR #", "日", "日a", ".a", "a.py/", "http://a.b/(((", "a1b2c3d-", "on branch "],
)  # fmt: skip
def test_a_long_text_takes_time_by_its_length(piece: str) -> None:
    """Much of what nearly matches is read through at once; a pattern that looks back would take hours."""
    text = piece * (200_000 // len(piece))

    assert all(name in text for names in artifacts_in(text) for name in names[:3])


@given(TEXTS)
def test_meta_gives_back_what_it_was_given(text: str) -> None:
    """What is kept with an event is what was found, but for spaces around a name."""
    found = artifacts_in(text)

    assert from_meta({"artifacts": as_meta(found)}) == found


def test_meta_of_task_journal_is_understood() -> None:
    """Its names for the same things, its records of links; what has no such shape is passed over."""
    meta = {
        "artifacts": {
            "commit_hashes": ["75f65e2"],
            "branch_names": ["main"],
            "pr_urls": ["https://example.com/pull/51"],
            "links": [{"kind": "doc", "url": "docs/plan"}, {"kind": "pr"}, 7],
            "files": "not a list",
        }
    }

    assert from_meta(meta) == Artifacts(
        commits=("75f65e2",), prs=("https://example.com/pull/51",), branches=("main",), links=("docs/plan",)
    )
    assert from_meta({"artifacts": []}) == Artifacts()
    assert from_meta({}) == Artifacts()


def test_a_short_name_of_a_commit_is_the_commit() -> None:
    """What one text names in short and another in full is one commit."""
    both = joined([Artifacts(commits=("75f65e2",)), Artifacts(commits=("75f65e2aa", "88aa0f1"), files=("a/b.py",))])

    assert both == Artifacts(commits=("75f65e2aa", "88aa0f1"), files=("a/b.py",))
    assert joined([]) == Artifacts()
