"""Command lines survive any path, and ours are known again."""

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noctuary.agents.commands import HOOK_FILE, Calls, arguments_of, as_line, is_our_hook, is_our_server
from noctuary.agents.known import EVENTS, TITLES, hook_entries, server_entry
from noctuary.errors import BadSettings

PATHS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=20)


@settings(deadline=None)
@given(PATHS, PATHS, PATHS)
def test_shell_gives_back_every_word(python: str, home: str, owner: str) -> None:
    """Spaces, quotes, dollars and newlines in paths reach the program as they are."""
    words = Calls(python, Path(home), owner).hook("codex")

    assert shlex.split(as_line(words)) == words


def test_a_real_shell_does_so(tmp_path: Path) -> None:
    """Not only Python's idea of one."""
    words = [sys.executable, "-c", "import sys; print(sys.argv[1:])", "a b", 'it\'s "$HOME" `id` \\', "new\nline", "é"]
    ran = subprocess.run(["/bin/sh", "-c", as_line(words)], capture_output=True, text=True, check=True)

    assert ran.stdout.strip() == str(words[3:])


@pytest.mark.parametrize("agent", EVENTS)
def test_ours_are_known(agent: str) -> None:
    """In the shape of every agent, also with a path that needs quoting; others are not."""
    calls = Calls("/opt/it's here/python", Path("/home/ana/my memory"))
    for entry in hook_entries(agent, calls.hook(agent)).values():
        assert isinstance(entry, dict)
        handlers = entry.get("hooks", [entry])
        assert [is_our_hook(each) for each in handlers] == [True]
        assert arguments_of(handlers[0]) in (calls.hook(agent), ["/bin/sh", "-c", as_line(calls.hook(agent))])


@pytest.mark.parametrize("handler", [None, [], {}, {"command": 3}, {"command": "noctuary-hook"}, {"args": ["x"]}])
def test_others_are_not_ours(handler: object) -> None:
    """Whatever stands there."""
    assert not is_our_hook(handler)
    assert not is_our_server(handler)


@pytest.mark.parametrize("agent", [name for name in TITLES if name != "aider"])
def test_servers_are_known(agent: str) -> None:
    """In both shapes; one that the user wrote by hand is the user's."""
    assert is_our_server(server_entry(agent, Calls("/usr/bin/python3", Path("/m"), "ana")))
    assert not is_our_server({"command": "noctuary", "args": ["mcp"]})


def test_the_memory_is_named_only_if_it_was_given(tmp_path: Path) -> None:
    """The hook finds the usual one by itself; another is named by its whole path."""
    usual = Calls.by_this_python().hook("codex")
    assert usual[3:] == [sys.executable, "-I", "-S", str(HOOK_FILE), "--agent", "codex"]
    given = Calls.by_this_python(Path("here"), "ana").hook("codex")
    assert given[-4:] == ["--home", str(Path.cwd() / "here"), "--owner", "ana"]


@pytest.mark.parametrize("gone", ["python", "the file"])
def test_where_we_are_gone_nobody_is_blocked(tmp_path: Path, gone: str) -> None:
    """Python alone would end with 2 for a file that is not there, and agents drop a prompt for that."""
    calls = Calls(sys.executable, owner="it's", state=tmp_path / "it's")
    (tmp_path / "it's").mkdir()
    there = sys.executable if gone == "python" else str(HOOK_FILE)

    def called(*, is_start: bool = False) -> bytes:
        words = [f"{each}.gone" if each == there else each for each in calls.hook("claude-code", is_start=is_start)]
        return subprocess.run(words, input=b"{}", capture_output=True, check=True).stdout

    assert called() == b""
    assert "noctuary install" in json.loads(called(is_start=True))["systemMessage"]
    assert called(is_start=True) == b""


def test_where_it_cannot_be_kept_that_it_was_said_nothing_is_said(tmp_path: Path) -> None:
    """It would be said at every start."""
    words = Calls("/gone/python", state=tmp_path / "gone").hook("claude-code", is_start=True)
    ran = subprocess.run(words, input=b"{}", capture_output=True, check=True)

    assert (ran.stdout, ran.stderr) == (b"", b"")


def test_paths_that_settings_cannot_hold_are_refused() -> None:
    """Bytes that are no text would be written as others."""
    with pytest.raises(BadSettings, match="not UTF-8"):
        Calls.by_this_python(Path("/home/\udcff"))
