"""Memories against the repository: what they name is there, was changed, or is gone."""

import os
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from noctuary.authored import Event, EventType
from noctuary.dream.night import Night
from noctuary.dream.verifying.verifying import (
    MOST_VERIFIED,
    Verdict,
    Verified,
    record_verdicts,
    verify,
    worth_verifying,
)
from noctuary.dreams import ChangeKind
from noctuary.store.memories import Remembered
from tests.unit.dream.nights import PROJECT
from tests.unit.work.test_repository import commit, git

pytestmark = pytest.mark.slow

SAID = datetime(2026, 2, 10, 12, tzinfo=UTC)  # when memories were said
BEFORE, LATER = ((SAID + timedelta(days=days)).isoformat() for days in (-5, 5))
SAID_MS = int(SAID.timestamp() * 1000)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A work tree as it was before anything was remembered."""
    folder = tmp_path / "tree"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    commit(folder, "src/cache.py", "def evict():\n    return LIMIT_MB\n\n\nLIMIT_MB = 64\n", BEFORE)
    commit(folder, "Makefile", "test: build\n\tpytest\n\nbuild:\n\ttrue\n", BEFORE)
    commit(folder, "package.json", '{"scripts": {"lint": "eslint ."}}', BEFORE)
    commit(folder, "docs/old.md", "\n".join(f"line {n}" for n in range(50)), BEFORE)
    return folder


def memory(night: Night, text: str, **facts: Any) -> Remembered:
    """A memory of the project that was said at that time."""
    name = f"m-{len(night.store.memories.where(night.owner, project=PROJECT)):04}"
    made = {"id": name, "kind": "fact", "text": text, "valid_from": SAID_MS, "last_ms": SAID_MS, **facts}
    night.ledger.record(Event(EventType.REMEMBER, text, project=PROJECT, change={"memories": [made]}, ts_ms=SAID_MS))
    found = night.store.memories.find(night.owner, name)
    assert found is not None
    return found


def verdict(night: Night, tree: Path | None, text: str, **facts: Any) -> tuple[str, str]:
    """What a look at the repository says of one memory."""
    _, verified, why = verify(night, PROJECT, tree, [memory(night, text, **facts)])[0]
    return str(verified), why


def test_what_names_a_file_that_is_there_is_ok(night: Night, tree: Path) -> None:
    """Nothing has happened to it since."""
    assert verdict(night, tree, "The limit is in src/cache.py") == ("ok", "")


def test_what_names_a_file_that_is_gone_is_stale(night: Night, tree: Path) -> None:
    """Git knows that it was there."""
    (tree / "src/cache.py").unlink()
    commit(tree, "README.md", "# Shop", LATER)

    assert verdict(night, tree, "The limit is in src/cache.py") == ("stale", "src/cache.py is gone")


def test_what_names_a_file_that_was_renamed_is_told_so(night: Night, tree: Path) -> None:
    """Git knows where it went."""
    git(tree, "mv", "docs/old.md", "docs/new.md")
    git(tree, "commit", "-q", "-m", "Rename", at=LATER)

    assert verdict(night, tree, "Start with docs/old.md") == ("stale", "docs/old.md is now docs/new.md")


def test_what_names_a_file_that_nobody_ever_saw_is_unknown(night: Night, tree: Path) -> None:
    """It may be on another branch, or in another repository."""
    assert verdict(night, tree, "The limit is in src/limits.py") == ("unknown", "")


def test_what_tells_of_a_removal_is_not_stale_because_of_it(night: Night, tree: Path) -> None:
    """That the file is gone is just what it says."""
    (tree / "docs/old.md").unlink()
    commit(tree, "README.md", "# Shop", LATER)

    assert verdict(night, tree, "We removed docs/old.md")[0] == "unknown"


def test_a_changed_file_alone_makes_nothing_stale(night: Night, tree: Path) -> None:
    """Many changes say nothing about one sentence."""
    for number in range(3):
        commit(tree, "src/cache.py", f"LIMIT_MB = {number}\n", LATER)

    assert verdict(night, tree, "The limit is in src/cache.py") == ("unknown", "src/cache.py has changed since")


def test_what_names_something_in_a_changed_file_is_ok_while_it_is_there(night: Night, tree: Path) -> None:
    """The function is looked for, not the change."""
    commit(tree, "src/cache.py", "def evict():\n    return 1\n", LATER)

    assert verdict(night, tree, "`evict` in src/cache.py drops the oldest") == ("ok", "")


def test_what_names_something_that_was_taken_out_of_a_file_is_stale(night: Night, tree: Path) -> None:
    """The file is there, and what the sentence speaks of is not."""
    commit(tree, "src/cache.py", "def drop():\n    return 1\n", LATER)

    stale = ("stale", "evict is no longer in src/cache.py")
    assert verdict(night, tree, "evict() in src/cache.py drops the oldest") == stale


def test_what_was_never_in_a_file_is_not_missed(night: Night, tree: Path) -> None:
    """A sentence may name a tool beside a file."""
    commit(tree, "src/cache.py", "LIMIT_MB = 65\n", LATER)

    assert verdict(night, tree, "Format src/cache.py with `ruff`")[0] == "unknown"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Run the tests with `make test`", ("ok", "")),
        ("Run the benchmarks with `make bench`", ("stale", "there is no `make bench`")),
        ("Lint with `npm run lint`", ("ok", "")),
        ("Format with `npm run format`", ("stale", "there is no `npm run format`")),
        ("Install with `npm ci`", ("unknown", "")),
        ("Run all of it with `just everything`", ("unknown", "")),
    ],
)
def test_commands_are_those_that_the_project_defines(
    night: Night, tree: Path, text: str, expected: tuple[str, str]
) -> None:
    """What a project does not define itself is not looked for."""
    assert verdict(night, tree, text) == expected


def test_a_command_of_an_included_makefile_is_not_missed(night: Night, tree: Path) -> None:
    """Nobody can say what is in there without running it."""
    commit(tree, "Makefile", "include more.mk\n", LATER)

    assert verdict(night, tree, "Run the benchmarks with `make bench`")[0] == "unknown"


def test_commits_are_looked_up(night: Night, tree: Path) -> None:
    """One that the repository does not have makes a memory stale."""
    head = git(tree, "rev-parse", "HEAD")

    assert verdict(night, tree, "Fixed in the last release", commits=[head])[0] == "ok"
    missing = verdict(night, tree, "Fixed in commit 75f65e2")
    assert missing == ("stale", "commit 75f65e2 is not in the repository")


def test_a_commit_that_was_rebased_away_is_gone(night: Night, tree: Path) -> None:
    """Git still has it, but nothing that has a name leads there; it holds as long as a branch, a tag or HEAD does."""
    before = git(tree, "rev-parse", "HEAD")
    old = commit(tree, "README.md", "# Shop", LATER)
    git(tree, "branch", "kept")
    git(tree, "reset", "-q", "--hard", before)

    assert verdict(night, tree, f"Fixed in commit {old}")[0] == "ok"
    git(tree, "branch", "-q", "-D", "kept")
    assert verdict(night, tree, f"Fixed in commit {old[:9]}") == ("stale", f"commit {old[:9]} is on no branch any more")
    assert verdict(night, tree, f"Fixed in commit {old}", commits=[before])[0] == "ok"
    git(tree, "tag", "v1", old)
    assert verdict(night, tree, f"Released as commit {old}")[0] == "ok"
    git(tree, "tag", "-d", "v1")
    git(tree, "checkout", "-q", "--detach", old)
    assert verdict(night, tree, f"Tried in commit {old}")[0] == "ok"


def test_what_rests_on_files_without_naming_them_holds_while_one_is_there(night: Night, tree: Path) -> None:
    """It is about them together."""
    (tree / "docs/old.md").unlink()
    commit(tree, "README.md", "# Shop", LATER)

    assert verdict(night, tree, "Evict the oldest", files=["docs/old.md", "src/cache.py"])[0] == "ok"
    assert verdict(night, tree, "Say how to begin", files=["docs/old.md"]) == ("stale", "docs/old.md is gone")


@pytest.mark.parametrize("text", ["Prefer short names", "See https://example.com/src/cache.py for more"])
def test_with_nothing_to_look_up_nobody_can_say(night: Night, tree: Path, text: str) -> None:
    """An address of the web is no file."""
    assert verdict(night, tree, text) == ("unknown", "")


def test_without_a_repository_nobody_can_say(night: Night, tmp_path: Path) -> None:
    """The folder may be gone, or of another machine."""
    assert verdict(night, None, "The limit is in src/cache.py") == ("unknown", "")
    assert verdict(night, tmp_path / "nowhere", "The limit is in src/cache.py") == ("unknown", "")
    assert verdict(night, tmp_path, "The limit is in src/cache.py") == ("unknown", "")


def test_from_a_folder_within_the_repository_paths_are_those_of_the_root(night: Night, tree: Path) -> None:
    """Sessions begin anywhere; absolute paths of the same repository are understood, others are not looked at."""
    assert verdict(night, tree / "docs", "The limit is in src/cache.py") == ("ok", "")
    assert verdict(night, tree, f"The limit is in {tree}/src/cache.py") == ("ok", "")
    assert verdict(night, tree, "The limit is in /etc/hosts.toml") == ("unknown", "")
    assert verdict(night, tree, "The limit is in ../other/src/cache.py") == ("unknown", "")


def test_nothing_of_the_repository_is_run(night: Night, tree: Path) -> None:
    """Not even what its configuration names for git itself."""
    ran = tree.parent / "ran"
    for name in ("core.fsmonitor", "core.pager", "diff.external"):
        git(tree, "config", name, f"touch {ran}")
    commit(tree, "package.json", '{"scripts": {"prelint": "touch ran", "lint": "touch ran"}}', LATER)
    ran.unlink(missing_ok=True)

    assert verdict(night, tree, "Lint with `npm run lint`, see package.json")[0] in ("ok", "unknown")
    assert not ran.exists()


def test_git_is_asked_once_for_all_memories(night: Night, tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred memories take no more questions than one; those that name nothing take none."""
    asked = tree.parent / "asked"
    program = tree.parent / "bin" / "git"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\necho >> {asked}\nexec {shutil.which("git")} "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    head = git(tree, "rev-parse", "HEAD")
    counts = []
    for number in (0, 1, 100):
        asked.write_text("", encoding="utf-8")
        texts = [f"Rule {each}: the limit is in src/cache.py since commit {head}" for each in range(number)]
        verify(night, PROJECT, tree, [memory(night, text) for text in texts or ["Prefer short names"]])
        counts.append(len(asked.read_text(encoding="utf-8")))

    assert counts[0] == 0
    assert counts[1] == counts[2] > 0


def test_stale_memories_leave_the_page_and_come_back(night: Night, tree: Path) -> None:
    """Until what they name is there again, or somebody confirms them; they are looked at again meanwhile."""
    kept = memory(night, "The limit is in src/cache.py")
    text = (tree / "src/cache.py").read_text(encoding="utf-8")
    (tree / "src/cache.py").unlink()
    commit(tree, "README.md", "# Shop", LATER)

    changes = record_verdicts(night, PROJECT, verify(night, PROJECT, tree))

    assert [(one.kind, one.memory, one.why) for one in changes] == [(ChangeKind.STALE, kept.id, "src/cache.py is gone")]
    assert night.store.memories.leading(night.owner, PROJECT, 10) == []
    assert [one.id for one in worth_verifying(night, PROJECT)] == [kept.id]

    (tree / "src/cache.py").write_text(text, encoding="utf-8")
    changes = record_verdicts(night, PROJECT, verify(night, PROJECT, tree))

    assert [one.kind for one in changes] == [ChangeKind.VERIFIED]
    assert [one.id for one in night.store.memories.leading(night.owner, PROJECT, 10)] == [kept.id]


def test_what_has_not_changed_is_not_written_again(night: Night, tree: Path) -> None:
    """The second look adds nothing to the journal."""
    memory(night, "The limit is in src/cache.py")
    record_verdicts(night, PROJECT, verify(night, PROJECT, tree))
    size = night.ledger.journal(PROJECT).size()

    assert record_verdicts(night, PROJECT, verify(night, PROJECT, tree)) == []
    assert night.ledger.journal(PROJECT).size() == size


def test_what_somebody_vouched_for_is_not_stale_again(night: Night, tree: Path) -> None:
    """A person's word counts more than a missing file."""
    (tree / "src/cache.py").unlink()
    commit(tree, "README.md", "# Shop", LATER)

    assert verdict(night, tree, "The limit is in src/cache.py", vouched=True) == ("unknown", "src/cache.py is gone")


def test_only_so_many_are_looked_at(night: Night) -> None:
    """A run ends, however much is known; memories of other projects are left to those."""
    one = memory(night, "The limit is in src/cache.py")
    elsewhere = one._replace(project="/home/ana/code/other")

    verdicts = verify(night, PROJECT, None, [elsewhere, *[one] * (MOST_VERIFIED + 5)])

    assert len(verdicts) == MOST_VERIFIED
    assert record_verdicts(night, PROJECT, [Verdict(elsewhere, Verified.STALE, "gone")]) == []
