"""Questions to git: what it answers, and that nothing a repository says about itself is run."""

import os
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest

from noctuary.work.repository import Repository

pytestmark = pytest.mark.slow

NOW_MS = 1_772_366_400_000
FIRST, SECOND = "2026-02-01T12:00:00+00:00", "2026-02-20T12:00:00+00:00"


def git(folder: Path, *words: str, at: str = SECOND) -> str:
    """Run git as a user does, at a time of ours."""
    who = {"GIT_AUTHOR_NAME": "Ana", "GIT_AUTHOR_EMAIL": "ana@example.com", "GIT_COMMITTER_NAME": "Ana",
           "GIT_COMMITTER_EMAIL": "ana@example.com", "GIT_AUTHOR_DATE": at, "GIT_COMMITTER_DATE": at,
           "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}  # fmt: skip
    done = subprocess.run(
        ["git", "-C", str(folder), *words], env={**os.environ, **who}, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def commit(folder: Path, path: str, text: str, at: str = SECOND) -> str:
    """Write a file and commit it; the commit."""
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    (folder / path).write_text(text, encoding="utf-8")
    git(folder, "add", "--all")
    git(folder, "commit", "-q", "-m", f"Change {path}", at=at)
    return git(folder, "rev-parse", "HEAD")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A work tree with two commits, nineteen days apart."""
    folder = tmp_path / "tree"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    commit(folder, "README.md", "one", FIRST)
    commit(folder, "src/größe 日.py", "two")
    return folder


def test_what_git_answers(tree: Path) -> None:
    """Commit, branch, commits since a time, their files and all files, by their own names."""
    repository = Repository(tree)
    head = git(tree, "rev-parse", "HEAD")
    first = git(tree, "rev-parse", "HEAD^")

    assert repository.is_there()
    assert (repository.head(), repository.branch()) == (head, "main")
    assert repository.commits_since(0, 10) == [head, first]
    assert repository.commits_since(NOW_MS - 15 * 86_400_000, 10) == [head]
    assert repository.commits_since(0, 1) == [head]
    assert repository.files_since(0, 10) == ["src/größe 日.py", "README.md"]
    assert repository.tracked() == ["README.md", "src/größe 日.py"]
    assert repository.missing([first[:8], "0" * 39 + "1", head, "75f65e2"]) == ["0" * 39 + "1", "75f65e2"]


def test_a_folder_within_the_tree_is_the_tree(tree: Path) -> None:
    """Paths are from the root, wherever one stands."""
    repository = Repository(tree / "src")

    assert repository.tracked() == ["README.md", "src/größe 日.py"]
    assert repository.files_since(0, 1) == ["src/größe 日.py"]


@pytest.mark.parametrize("name", ["nothing", "missing/folder", "a\0b", "-x"])
def test_no_repository_has_no_answers(tmp_path: Path, name: str) -> None:
    """Without a repository, a folder or even a name that can be one, every answer is empty."""
    (tmp_path / "nothing").mkdir()
    repository = Repository(tmp_path / name)

    assert not repository.is_there()
    assert (repository.head(), repository.branch()) == ("", "")
    assert repository.commits_since(0, 10) == repository.tracked() == repository.staged() == []
    assert repository.missing(["75f65e2"]) == []
    assert repository.lost(["75f65e2"]) == {}


def test_without_git_there_are_no_answers(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without git is no reason to fail."""
    monkeypatch.setenv("PATH", "")

    assert not Repository(tree).is_there()


def test_the_repository_of_a_hook_is_not_asked(tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Called from a hook, git names that hook's repository; the folder that was asked about counts."""
    monkeypatch.setenv("GIT_DIR", str(tree / ".git"))
    empty = tmp_path / "empty"
    empty.mkdir()

    assert not Repository(empty).is_there()


def test_nothing_the_repository_names_is_run(tree: Path, tmp_path: Path) -> None:
    """Monitors, hooks, pagers, filters, differs and signature checkers of a hostile repository stay unused."""
    trap = tmp_path / "trap.sh"
    trap.write_text(f"#!/bin/sh\necho \"$0\" >> '{tmp_path}/sprung'\nexit 1\n", encoding="utf-8")
    trap.chmod(0o755)
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for name in ("post-index-change", "reference-transaction", "fsmonitor-watchman"):
        (hooks / name).symlink_to(trap)
    for name in ("core.fsmonitor", "core.pager", "core.sshCommand", "core.editor", "diff.external", "gpg.program",
                 "filter.x.clean", "filter.x.smudge", "filter.x.process", "diff.x.textconv", "diff.x.command",
                 "credential.helper", "core.alternateRefsCommand", "interactive.diffFilter"):  # fmt: skip
        git(tree, "config", name, str(trap))
    git(tree, "config", "core.hooksPath", str(hooks))
    git(tree, "config", "log.showSignature", "true")
    git(tree, "config", "remote.origin.url", "ext::" + str(trap))
    git(tree, "config", "remote.origin.promisor", "true")
    git(tree, "config", "extensions.partialClone", "origin")
    git(tree, "config", "diff.orderFile", str(tmp_path / "no such file"))
    (tree / ".gitattributes").write_text("* filter=x diff=x\n", encoding="utf-8")
    (tree / "README.md").write_text("changed", encoding="utf-8")
    (tmp_path / "sprung").unlink(missing_ok=True)  # git as a user runs it may have sprung it
    repository = Repository(tree)

    assert repository.branch() == "main"
    assert len(repository.commits_since(0, 10)) == 2
    assert repository.files_since(0, 10) == ["src/größe 日.py", "README.md"]
    assert repository.staged() == []
    assert repository.missing(["75f65e2", "0" * 39 + "1"]) == ["75f65e2", "0" * 39 + "1"]
    assert not (tmp_path / "sprung").exists()
    with suppress(subprocess.CalledProcessError):
        git(tree, "status")
    assert (tmp_path / "sprung").exists()  # the trap works


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a pipe in a folder")
def test_a_question_without_an_answer_ends(tree: Path) -> None:
    """A repository that lets git wait for ever is asked once, and not again."""
    config = tree / ".git" / "config"
    config.unlink()
    os.mkfifo(config)
    repository = Repository(tree, seconds=0.3)

    assert not repository.is_there()
    assert repository.head() == ""


def test_a_shallow_history_says_nothing_about_commits(tree: Path, tmp_path: Path) -> None:
    """What is older than the part that was fetched is not dead."""
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{tree}", "shallow")

    assert Repository(tmp_path / "shallow").missing(["75f65e2"]) == []
    assert Repository(tmp_path / "shallow").lost(["75f65e2", git(tree, "rev-parse", "HEAD")]) == {}


def test_lost_is_what_nothing_with_a_name_leads_to(tree: Path) -> None:
    """Whether git still has it or not."""
    old = commit(tree, "README.md", "three")
    git(tree, "commit", "-q", "--amend", "-m", "Again", at=FIRST)
    head, blob = git(tree, "rev-parse", "HEAD"), git(tree, "rev-parse", "HEAD:README.md")

    assert Repository(tree).lost([head, f"{head}~1", old, old[:8], "75f65e2", "75f65e2"]) == {
        "75f65e2": "is not in the repository",
        old: "is on no branch any more",
        old[:8]: "is on no branch any more",
    }
    assert Repository(tree).lost([blob]) == {blob: "is not in the repository"}


def test_before_the_first_commit_nothing_leads_anywhere(tree: Path) -> None:
    """A repository whose branch has no commit yet knows of none."""
    git(tree, "checkout", "-q", "--orphan", "new")
    head = git(tree, "rev-parse", "main")

    assert Repository(tree).lost([head]) == {}
    git(tree, "branch", "-q", "-D", "main")
    assert Repository(tree).lost([head]) == {head: "is on no branch any more"}


def test_nothing_is_written(tree: Path) -> None:
    """The repository is as it was: no lock, no index refreshed, no file more."""
    (tree / "README.md").touch()
    before = {path: path.stat().st_mtime_ns for path in sorted(tree.rglob("*"))}
    repository = Repository(tree)
    repository.staged()
    repository.commits_since(0, 10)

    assert {path: path.stat().st_mtime_ns for path in sorted(tree.rglob("*"))} == before
