"""What git knows about the work, gathered when a task is closed."""

from pathlib import Path

import pytest

from noctuary.work.artifacts import Artifacts
from noctuary.work.harvest import harvest
from tests.unit.work.test_repository import FIRST, NOW_MS, SECOND, commit, git, tree

pytestmark = pytest.mark.slow

__all__ = ["tree"]  # the fixture

LATELY = NOW_MS - 15 * 86_400_000


def test_commits_branch_and_files(tree: Path) -> None:
    """What is checked out, what was committed since, and what the next commit would change."""
    (tree / "new.txt").write_text("new", encoding="utf-8")
    git(tree, "add", "new.txt")
    (tree / "README.md").write_text("not staged", encoding="utf-8")

    assert harvest(tree, LATELY) == Artifacts(
        commits=(git(tree, "rev-parse", "HEAD"),), files=("new.txt", "src/größe 日.py"), branches=("main",)
    )


def test_the_commit_at_the_top_counts_however_old(tree: Path) -> None:
    """With nothing committed since, what is checked out is still told; its files are not."""
    found = harvest(tree, NOW_MS)

    assert found == Artifacts(commits=(git(tree, "rev-parse", "HEAD"),), branches=("main",))


def test_a_file_that_is_gone_is_not_told(tree: Path) -> None:
    """What was changed and then removed would be missed later."""
    commit(tree, "short.py", "lived")
    git(tree, "rm", "-q", "short.py")
    git(tree, "commit", "-q", "-m", "Remove it")

    assert "short.py" not in harvest(tree, 0).files


def test_a_commit_and_no_branch(tree: Path) -> None:
    """Checked out by its hash, a commit is on no branch."""
    git(tree, "checkout", "-q", "--detach", "HEAD^")

    assert harvest(tree, 0) == Artifacts(commits=(git(tree, "rev-parse", "HEAD"),), files=("README.md",))


def test_a_repository_without_commits(tmp_path: Path) -> None:
    """It has a branch already."""
    git(tmp_path, "init", "-q", "-b", "trunk")

    assert harvest(tmp_path, 0) == Artifacts(branches=("trunk",))


def test_a_bare_repository(tree: Path, tmp_path: Path) -> None:
    """It has commits and files, and nothing staged."""
    git(tmp_path, "clone", "-q", "--bare", str(tree), "bare.git")

    assert harvest(tmp_path / "bare.git", 0) == harvest(tree, 0)


@pytest.mark.parametrize("name", ["empty", "missing", "file"])
def test_where_there_is_no_repository(tmp_path: Path, name: str) -> None:
    """There is nothing to gather, and no reason to fail."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").touch()

    assert harvest(tmp_path / name, 0) == Artifacts()


def test_a_damaged_repository(tree: Path) -> None:
    """What can be read is told."""
    for path in (tree / ".git" / "objects").glob("??/*"):
        path.chmod(0o600)
        path.write_bytes(b"")

    assert harvest(tree, 0).branches == ("main",)
    assert FIRST < SECOND
