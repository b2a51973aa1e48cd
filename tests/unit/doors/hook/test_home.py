"""The home folder as hooks see it is the one that everything else sees."""

import os
import stat
from pathlib import Path

import pytest

from noctuary.doors.hook.home import append, default_home, names_in, replace_content, switched_on
from noctuary.hook_settings import hook_settings
from noctuary.settings import Settings


@pytest.mark.parametrize(
    "environ",
    [
        {"HOME": "/home/ana"},
        {"HOME": "/home/ana", "XDG_DATA_HOME": "/data"},
        {"HOME": "/home/ana", "XDG_DATA_HOME": ""},
        {"HOME": "/home/ana", "NOCTUARY_HOME": "/memory/ana"},
        {"HOME": "/home/ana", "NOCTUARY_HOME": "/memory//ana/"},
        {"HOME": "/home/ana", "NOCTUARY_HOME": ""},
        {"HOME": "/home/ana", "NOCTUARY_HOME": "memory"},
        {"HOME": "/home/ana", "NOCTUARY_HOME": "~/memory"},
        {"NOCTUARY_HOME": ""},
        {"HOME": ""},
    ],
)
def test_the_home_folder_is_where_settings_say(environ: dict[str, str]) -> None:
    """Both are told the same environment."""
    assert Path(default_home(environ)) == Settings.load({"USER": "ana", **environ}).home


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[hooks]\n",
        "[hooks]\nprompt_recall = true\n",
        "[hooks]\nprompt_recall = false\ntool_recall=true # why not\n",
        "owner = 'ana'\n[dream]\nmodel = 'x'\n[hooks]\ntool_recall = true\n[other]\nprompt_recall = true\n",
        "[hooks] # what hooks do\r\n  prompt_recall   =   true\r\n",
        "[ hooks ]\n# prompt_recall = true\ntool_recall = true",
        "prompt_recall = true\n",
        "hooks.prompt_recall = true\nhooks.tool_recall = false\n",
        "hooks = { prompt_recall = false, tool_recall = true } # both\n",
        "[dream]\nmodel = 'x'\n['hooks']\n\"prompt_recall\" = true\n",
        "[[hook]]\nprompt_recall = true\n[hook.s]\nprompt_recall = true\n[other.hooks]\nprompt_recall = true\n",
    ],
)
def test_what_is_switched_on_is_what_settings_say(tmp_path: Path, text: str) -> None:
    """The few lines that a hook reads mean the same as the whole file."""
    (tmp_path / "config.toml").write_text(text, encoding="utf-8", newline="")
    settings = hook_settings(Settings.load({"USER": "ana"}, home=tmp_path).hooks_table)

    assert switched_on(str(tmp_path)) == {name for name, is_on in settings._asdict().items() if is_on}


def test_a_word_in_quotes_switches_nothing_on(tmp_path: Path) -> None:
    """The doctor tells its user that it is no truth value."""
    (tmp_path / "config.toml").write_text('[hooks]\nprompt_recall = "true"\n', encoding="utf-8")

    assert switched_on(str(tmp_path)) == set()


def test_without_a_file_nothing_is_switched_on(tmp_path: Path) -> None:
    """A folder in its place is none."""
    assert switched_on(str(tmp_path)) == set()
    (tmp_path / "config.toml").mkdir()
    assert switched_on(str(tmp_path)) == set()


def test_lines_are_added_to_a_file_that_nobody_else_reads(tmp_path: Path) -> None:
    """Folders above it are made for its user alone."""
    path = tmp_path / "memory" / "inbox" / "hooks.jsonl"
    append(str(path), b"one\n")
    append(str(path), b"two\n")

    assert path.read_bytes() == b"one\ntwo\n"
    assert [stat.S_IMODE(each.stat().st_mode) for each in (path, path.parent, path.parents[1])] == [
        0o600,
        0o700,
        0o700,
    ]


def test_half_a_line_spoils_no_other(tmp_path: Path) -> None:
    """A disk that was full in the middle of a line cost that line."""
    path = tmp_path / "hooks.jsonl"
    path.write_bytes(b'{"event": "St')
    append(str(path), b'{"event": "Stop"}\n')

    assert path.read_bytes().splitlines()[-1] == b'{"event": "Stop"}'


def test_what_is_no_file_is_not_written_to(tmp_path: Path) -> None:
    """Neither a folder nor a pipe that somebody put there; nobody waits for whoever reads it."""
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")

    for name in ("folder", "pipe"):
        with pytest.raises(OSError, match=r".+"):
            append(str(tmp_path / name), b"one\n")
        with pytest.raises(OSError, match=r".+"):
            replace_content(str(tmp_path / name), b"one\n")


def test_an_inbox_that_nobody_sweeps_does_not_grow_for_ever(tmp_path: Path) -> None:
    """At some length it takes no more."""
    path = tmp_path / "hooks.jsonl"
    with path.open("wb") as file:
        file.truncate(40_000_000)
    with pytest.raises(OSError, match="too long"):
        append(str(path), b"one\n")


def test_a_folder_that_is_not_there_is_empty(tmp_path: Path) -> None:
    """So is one that cannot be one."""
    assert list(names_in(str(tmp_path / "none"))) == list(names_in("\0")) == []
