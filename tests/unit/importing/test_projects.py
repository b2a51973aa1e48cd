"""Which project a session belongs to."""

import os
from pathlib import Path

import pytest

from noctuary.app import Memory
from noctuary.importing.projects import project_of, remote_name
from noctuary.testing import ClaudeTranscript, CodexTranscript


def repository(folder: Path, url: str | None = None) -> Path:
    """A work tree with its git directory, as git makes them."""
    git = folder / ".git"
    git.mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/main\n")
    remote = f'[remote "origin"]\n\turl = {url}\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n' if url else ""
    (git / "config").write_text(f"[core]\n\trepositoryformatversion = 0\n\tbare = false\n{remote}")
    return folder


def worktree(main: Path, folder: Path) -> Path:
    """Another work tree of a repository, as `git worktree add` makes it."""
    private = main / ".git" / "worktrees" / folder.name
    private.mkdir(parents=True)
    (private / "commondir").write_text("../..\n")
    (private / "gitdir").write_text(f"{folder}/.git\n")
    folder.mkdir(parents=True)
    (folder / ".git").write_text(f"gitdir: {private}\n")
    return folder


def projects(memory: Memory, home: Path, *folders: Path | str) -> list[str | None]:
    """The projects of sessions that ran in these folders."""
    for number, folder in enumerate(folders):
        ClaudeTranscript(f"s-{number}", cwd=str(folder)).say("Hello.").save(home)
    memory.import_transcripts()
    return [memory.session(f"s-{number}").project for number in range(len(folders))]


@pytest.mark.parametrize("url", [None, "https://git.example.org/ana/shop.git"])
def test_worktrees_are_one_project(memory: Memory, home: Path, tmp_path: Path, url: str | None) -> None:
    """All worktrees of a repository, and the folders in them, are one project, with a remote or without."""
    main = repository(tmp_path / "code" / "shop", url)
    other = worktree(main, tmp_path / "trees" / "fix-tax")
    (main / "src" / "deep").mkdir(parents=True)

    found = projects(memory, home, main, other, main / "src" / "deep")

    assert set(found) == {str(main) if url is None else "git.example.org/ana/shop"}


def test_clones_are_one_project(memory: Memory, home: Path, tmp_path: Path) -> None:
    """Clones with the same remote are one project, however its address is spelled, and whoever's agent ran there."""
    addresses = (
        "https://git.example.org/ana/shop.git",
        "git@git.example.org:ana/shop",
        "ssh://git@GIT.example.org/ana/shop/",
    )
    clones = [repository(tmp_path / f"clone-{n}", address) for n, address in enumerate(addresses)]
    transcript = CodexTranscript(cwd="/gone").prompt("Hello.")
    transcript.save(home)

    found = projects(memory, home, *clones)

    assert {*found, memory.session(transcript.session).project} == {"git.example.org/ana/shop"}


def test_linked_folder(memory: Memory, home: Path, tmp_path: Path) -> None:
    """A repository reached through a link is the same project."""
    main = repository(tmp_path / "shop")
    (tmp_path / "link").symlink_to(main, target_is_directory=True)

    assert len(set(projects(memory, home, main, tmp_path / "link", worktree(main, tmp_path / "tree")))) == 1


def test_folder_that_is_gone(memory: Memory, home: Path, tmp_path: Path) -> None:
    """A session whose folder was removed keeps the folder as its project; below a repository it is that one's."""
    main = repository(tmp_path / "shop")

    found = projects(memory, home, "/no/such/folder", main / ".trees" / "removed")

    assert found == ["/no/such/folder", str(main)]


@pytest.mark.parametrize("cwd", ["shop", "C:\\code\\shop", ".", "", "\ufffd", "/" + "x" * 5000])
def test_folder_of_another_system(cwd: str) -> None:
    """A folder that is no path here is its own project, never the folder we happen to run in."""
    assert project_of(cwd, None) in (cwd, None)


@pytest.mark.parametrize(
    "address",
    [
        "https://ana:hunter2@git.example.org/ana/shop.git",
        "https://ana:hunter2@pass@git.example.org/ana/shop.git",
        "https://hunter2@git.example.org:8443/ana/shop",
        "ssh://ana:hunter2@git.example.org:22/ana/shop.git",
        "ana:hunter2@git.example.org:ana/shop.git",
        "HTTPS://ana:hunter2@git.example.org/ana/shop",
    ],
)
def test_password_in_an_address(memory: Memory, home: Path, tmp_path: Path, address: str) -> None:
    """A password in a remote's address is not part of the project's name and is stored nowhere."""
    transcript = CodexTranscript(git={"repository_url": address}, branch=None, cwd=str(tmp_path / "a")).prompt("Hello.")
    transcript.save(home)

    found = projects(memory, home, repository(tmp_path / "shop", address))

    assert remote_name(address) == "git.example.org/ana/shop"
    assert {*found, memory.session(transcript.session).project} == {"git.example.org/ana/shop"}
    memory.close()
    assert all(b"hunter2" not in file.read_bytes() for file in memory.settings.home.glob("noctuary.db*"))


@pytest.mark.parametrize("config", [b"", b"\x00\xff\xfe", b'[remote "origin"]\n\turl\n', b"no section\n", b"[[[\n"])
def test_broken_git_config(memory: Memory, home: Path, tmp_path: Path, config: bytes) -> None:
    """A repository whose configuration cannot be read is known by its folder."""
    main = repository(tmp_path / "shop")
    (main / ".git" / "config").write_bytes(config)

    assert projects(memory, home, main) == [str(main)]


@pytest.mark.parametrize("name", ["config", "commondir", "HEAD"])
def test_a_pipe_in_a_repository_is_not_waited_for(memory: Memory, home: Path, tmp_path: Path, name: str) -> None:
    """Whoever lays files into a project could else stop every import and every sweep for good."""
    main = repository(tmp_path / "shop")
    (main / ".git" / name).unlink(missing_ok=True)
    os.mkfifo(main / ".git" / name)

    assert projects(memory, home, main) == [str(main)]


@pytest.mark.parametrize("pointer", ["", "gitdir: /no/such/place", "\0", "gitdir: " + "x" * 5000])
def test_broken_git_pointer(memory: Memory, home: Path, tmp_path: Path, pointer: str) -> None:
    """A worktree whose pointer leads nowhere does not stop the import."""
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / ".git").write_text(pointer)

    assert projects(memory, home, tmp_path / "tree")[0]
