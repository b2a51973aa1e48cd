"""The hook as agents run it: real processes, each with its JSON on standard input."""

import json
import os
import resource
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from noctuary import bearing, brief_file
from noctuary.doors.hook.events import NAMES
from noctuary.inbox import notes_in

ROOT = Path(__file__).parents[2]
MAIN = ROOT / "src" / "noctuary" / "doors" / "hook" / "__main__.py"
ANSWERED = {"SessionStart", "UserPromptSubmit", "PostToolUse", "SubagentStart"}
PROMPT = "Should Redis keep the sessions?"
# What any Python has loaded before the first line of ours, and what is written in C.
LOADED = {"_abc", "_codecs", "_frozen_importlib", "_frozen_importlib_external", "_imp", "_io", "_signal", "_thread"}
LOADED |= {"_warnings", "_weakref", "abc", "builtins", "codecs", "encodings", "encodings.aliases", "encodings.utf_8"}
LOADED |= {"io", "marshal", "posix", "sys", "time", "winreg", "zipimport", "__main__", "encodings.ascii"}
LOADED |= {"os", "stat", "_stat", "_collections_abc", "posixpath", "genericpath", "os.path", "_json", "_blake2"}


class Hook(NamedTuple):
    """The hook for one memory."""

    home: Path
    user_home: Path

    def environ(self) -> dict[str, str]:
        """The environment of an agent."""
        kept = {name: os.environ[name] for name in ("PATH", "TMPDIR") if name in os.environ}
        return {**kept, "HOME": str(self.user_home), "USER": "ana"}

    def command(self, *options: str) -> list[str]:
        """As it is installed."""
        return [sys.executable, "-I", "-S", str(MAIN), "--home", str(self.home), *options]

    def __call__(self, name: str, *options: str, **fields: Any) -> dict[str, Any]:
        """What it answers to an event of a session, if anything."""
        given = {"hook_event_name": name, "session_id": "s9", "cwd": str(self.user_home), **fields}
        return self.raw(json.dumps(given).encode(), *options)

    def raw(self, content: bytes, *options: str, **more: Any) -> dict[str, Any]:
        """What it answers to any bytes; it has no other way to end than well, and nothing to complain about."""
        ran = subprocess.run(
            self.command(*options),
            input=content,
            env={**self.environ(), **more.pop("environ", {})},
            capture_output=True,
            check=True,
            timeout=60,
            **more,
        )
        assert ran.stderr == b""
        answer = json.loads(ran.stdout or b"{}")
        assert isinstance(answer, dict)
        return answer

    def notes(self) -> list[dict[str, Any]]:
        """What it left in the inbox; a hook that saw another one write may have left an empty line before its own."""
        try:
            content = (self.home / "inbox" / "hooks.jsonl").read_bytes()
        except FileNotFoundError:  # as it may be at any moment, since a sweep takes it
            return []
        return [json.loads(line) for line in content.splitlines() if line]

    def write_brief(self, text: str) -> Path:
        """A brief for the user's folder that is as things are."""
        path = Path(brief_file.path_of(str(self.home), "", str(self.user_home)))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(brief_file.written(text, 5, [(str(self.home / "none"), "- -")]))
        return path

    def let_recall(self) -> None:
        """Switch on what memory says unasked, and give it something to say."""
        path = Path(brief_file.recall_path_of(str(self.home), "", str(self.user_home)))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(bearing.written([("e-1", "rejection", "2026-03-02", "s0", "Redis for sessions")]))
        (self.home / "config.toml").write_text("[hooks]\nprompt_recall = true\ntool_recall = true\n", encoding="utf-8")


@pytest.fixture
def hook(tmp_path: Path) -> Hook:
    """A memory that is not there yet, of a user whose home folder is empty."""
    user_home = tmp_path / "home"
    user_home.mkdir()
    return Hook(tmp_path / "memory", user_home)


def waiting(hook: Hook) -> subprocess.Popen[bytes]:
    """A hook that waits for what is sent to it."""
    return subprocess.Popen(hook.command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=hook.environ())


def until(is_so: Callable[[], bool]) -> None:
    """Wait for another process."""
    ends = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < ends, "nothing happened in a minute"
        time.sleep(0.05)


def contents(home: Path) -> Iterator[bytes]:
    """What is in all files but the briefs; one that a sweep removes meanwhile is passed over."""
    for folder, _, names in os.walk(home):
        for name in names if Path(folder).name != "briefs" else ():
            with suppress(FileNotFoundError):
                yield (Path(folder) / name).read_bytes()


def context_in(answer: dict[str, Any]) -> str:
    """What the model is told."""
    told: str = answer.get("hookSpecificOutput", {}).get("additionalContext", "")
    return told


@pytest.mark.parametrize("name", sorted(name for name, ours in NAMES.items() if ours not in ANSWERED))
def test_what_is_over_leaves_a_line_and_is_silent(hook: Hook, name: str) -> None:
    """In all agents: the sweep reads it as a note."""
    assert hook(name, transcript_path="/t/s9.jsonl", compact_summary="We sell.", reason="exit") == {}

    (note,) = notes_in((hook.home / "inbox" / "hooks.jsonl").read_bytes())
    assert (note.event, note.session, note.cwd) == (NAMES[name], "s9", str(hook.user_home))
    assert (note.transcript, note.summary, note.reason) == ("/t/s9.jsonl", "We sell.", "exit")
    assert [path.name for path in hook.home.iterdir()] == ["inbox"]


@pytest.mark.parametrize("source", ["startup", "resume", "clear", "compact", "fork"])
def test_a_session_is_told_the_brief_of_its_folder(hook: Hook, source: str) -> None:
    """Whatever it starts from; nothing is left behind."""
    hook.write_brief("Where the work stands: 漢字 and \ud83d\ude00.".encode("utf-16", "surrogatepass").decode("utf-16"))
    answer = hook("SessionStart", source=source)

    assert answer == {
        "hookSpecificOutput": {
            "hookEventName": "SessionStart",
            "additionalContext": "Where the work stands: 漢字 and 😀.",
        }
    }
    assert hook.notes() == []


def test_other_agents_are_told_it_in_their_own_shapes(hook: Hook) -> None:
    """By the name of the agent, or by how it speaks."""
    hook.write_brief("Stands.")
    roots = {"workspace_roots": [str(hook.user_home)], "conversation_id": "c1", "cwd": None}

    assert context_in(hook("SessionStart", "--agent", "codex")) == "Stands."
    assert context_in(hook("SessionStart", "--agent=gemini")) == "Stands."
    assert hook("sessionStart", **roots) == {"continue": True, "additional_context": "Stands."}
    assert hook("beforeSubmitPrompt", **roots, prompt=PROMPT) == {"continue": True}


def test_subagents_are_told_nothing(hook: Hook) -> None:
    """Codex wants to hear even that."""
    hook.write_brief("Stands.")

    assert hook("SessionStart", agent_id="a1") == {}
    assert hook("SessionStart", "--agent", "codex", agent_id="a1")["hookSpecificOutput"]["additionalContext"] == ""


def test_subagents_are_told_the_brief_if_somebody_wants_that(hook: Hook) -> None:
    """Off by default; then at the event that is for it, in the shape that Claude Code takes."""
    hook.write_brief("Stands.")
    assert hook("SubagentStart", agent_id="a1", agent_type="Explore") == {}

    (hook.home / "config.toml").write_text("[hooks]\nsubagent_brief = true\n", encoding="utf-8")

    assert context_in(hook("SubagentStart", agent_id="a1", agent_type="Explore")) == "Stands."
    assert hook("SubagentStart", "--agent", "codex", agent_id="a1") == {}


def test_a_brief_that_is_not_as_things_are_is_made_anew(hook: Hook) -> None:
    """By a sweep that outlives the hook; if that takes too long, the old one is told meanwhile."""
    path = hook.write_brief("Before.")
    (hook.home / "none").write_text("", encoding="utf-8")
    answer = hook("SessionStart")
    until(lambda: hook.notes() == [] and (brief := brief_file.read(str(path))) is not None and brief.made_ms > 5)

    assert context_in(answer) == "Before." or context_in(answer) == getattr(brief_file.read(str(path)), "text", "")
    assert context_in(hook("SessionStart")) != "Before."


def test_no_folder_of_a_project_is_run(hook: Hook) -> None:
    """A project may have a folder of our name, with whatever in it."""
    ours = hook.user_home / "noctuary"
    ours.mkdir()
    for name in ("__init__.py", "__main__.py"):
        (ours / name).write_text("open('run', 'w').close()\n", encoding="utf-8")
    content = json.dumps({"hook_event_name": "SessionStart", "session_id": "s9", "cwd": str(hook.user_home)}).encode()
    hook.raw(content, cwd=hook.user_home)
    until(lambda: (hook.home / "inbox").exists() and hook.notes() == [])

    assert not (hook.user_home / "run").exists()


def test_a_prompt_is_told_once_what_bears_on_it(hook: Hook) -> None:
    """In each session; after a tool likewise."""
    hook.let_recall()
    first, again = hook("UserPromptSubmit", prompt=PROMPT), hook("UserPromptSubmit", prompt=PROMPT)
    tool = hook("PostToolUse", session_id="s8", tool_name="Bash", tool_input={"command": "redis --sessions"})

    assert "- 2026-03-02 rejected: Redis for sessions [e-1]" in context_in(first)
    assert context_in(first).startswith("<noctuary-recalled")
    assert again == {}
    assert "[e-1]" in context_in(tool)
    assert tool["hookSpecificOutput"]["hookEventName"] == "PostToolUse"


def test_nothing_is_recalled_by_default(hook: Hook) -> None:
    """Neither for prompts nor for tools."""
    hook.let_recall()
    (hook.home / "config.toml").unlink()

    assert hook("UserPromptSubmit", prompt=PROMPT) == hook("PostToolUse", tool_input={"command": PROMPT}) == {}


def test_our_own_model_calls_have_no_hooks(hook: Hook) -> None:
    """Or a dream would dream of itself."""
    content = json.dumps({"hook_event_name": "Stop", "session_id": "s9"}).encode()

    assert hook.raw(content, environ={"NOCTUARY_DREAMING": "1"}) == {}
    assert not hook.home.exists()


def test_trouble_is_shown_once(hook: Hook) -> None:
    """To the user, beside the brief; not where nobody would see it."""
    hook.write_brief("Stands.")
    (hook.home / "state" / "hook").mkdir(parents=True)
    (hook.home / "state" / "hook" / "failed").write_text("2026-03-02T10:00:00Z the disk is full.\n", encoding="utf-8")
    unseen = [hook("sessionStart", conversation_id="c1"), hook("SessionStart", agent_id="a1"), hook("Stop")]
    (hook.home / "inbox" / "hooks.jsonl").unlink()
    first, second = hook("SessionStart"), hook("SessionStart")

    assert not any("disk" in str(each) for each in unseen)
    assert first["systemMessage"] == "noctuary: the disk is full."
    assert context_in(first) == context_in(second) == "Stands."
    assert "systemMessage" not in second


def test_notes_that_cannot_be_left_are_shown_once(hook: Hook) -> None:
    """Somebody made a file where the inbox is."""
    hook.home.mkdir()
    (hook.home / "inbox").write_text("", encoding="utf-8")
    assert hook("Stop") == {}
    hook.write_brief("Stands.")
    messages = [hook("SessionStart").get("systemMessage", "") for _ in range(4)]

    assert len([message for message in messages if "hooks cannot write to" in message]) == 1


def test_after_three_slow_starts_nobody_waits(hook: Hook) -> None:
    """The brief that there is is told, and no mark is left that one was waited for."""
    path = hook.write_brief("Before.")
    (hook.home / "none").write_text("", encoding="utf-8")
    marks = hook.home / "state" / "hook"
    marks.mkdir(parents=True)
    slow = {f"slow-start-{time.time_ns() // 1_000_000 - 60_000}-{number}" for number in range(3)}
    for name in slow:
        (marks / name).touch()
    answer = hook("SessionStart")

    assert context_in(answer) == "Before."
    assert {each.name for each in marks.glob("slow-*")} == slow
    until(lambda: (brief := brief_file.read(str(path))) is not None and brief.made_ms > 5)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe\x00",
        b"null",
        b"[1]",
        b"{",
        b'{"hook_event_name": "Stop"',
        b'{"hook_event_name": "Unknown"}',
        b'{"hook_event_name": ["Stop"]}',
        b'{"a":' * 100_000,
        b'{"hook_event_name": "Stop", "x": ' + b"9" * 50_000 + b"}",
        b'{"hook_event_name": "Stop", "x": "' + b"a" * 9_000_000 + b'"}',
    ],
    ids=lambda content: content[:20].decode("latin-1"),
)
def test_what_is_no_event_is_met_with_silence(hook: Hook, content: bytes) -> None:
    """Nothing is left of it."""
    assert hook.raw(content) == {}
    assert not hook.home.exists()


@pytest.mark.parametrize("name", [*sorted(ANSWERED), "Stop", "PostCompact"])
@pytest.mark.parametrize(
    "fields",
    [
        {"cwd": "\0", "session_id": "\0"},
        {"cwd": "\ud800", "session_id": "\udfff", "prompt": "\ud800 redis sessions"},
        {"cwd": "../" * 2_000, "session_id": "../" * 2_000, "transcript_path": "x" * 100_000},
        {"cwd": [], "session_id": {}, "prompt": None, "tool_input": [[[]]] * 9, "compact_summary": 7},
        {"prompt": "漢" * 500_000, "compact_summary": "漢" * 500_000, "tool_input": {"a": "<" * 500_000}},
    ],
    ids=["nul", "surrogates", "long", "types", "huge"],
)
def test_hostile_events_are_answered_like_others(hook: Hook, name: str, fields: dict[str, Any]) -> None:
    """Every line in the inbox is one that a sweep can read."""
    hook.let_recall()
    answer = hook(name, **fields)

    assert set(answer) <= {"hookSpecificOutput"}
    path = hook.home / "inbox" / "hooks.jsonl"
    content = path.read_bytes() if path.exists() else b""
    assert len(list(notes_in(content))) == len(content.splitlines())


@contextmanager
def locked(database: Path) -> Iterator[None]:
    """Hold the database, as a process that writes does."""
    connection = sqlite3.connect(database)
    connection.execute("BEGIN EXCLUSIVE")
    yield
    connection.close()


@pytest.mark.parametrize("name", [*sorted(ANSWERED), "Stop"])
@pytest.mark.parametrize("what", ["noctuary.db", "inbox", "inbox/hooks.jsonl", "state", "state/hook", "config.toml"])
@pytest.mark.parametrize("is_there_a", ["file", "folder", "pipe", "loop"])
def test_whatever_lies_where_our_files_should_be_hooks_end_well(
    hook: Hook, name: str, what: str, is_there_a: str
) -> None:
    """They tell what they can, or nothing."""
    hook.let_recall()
    path = hook.home / what
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    if is_there_a == "file":
        path.write_bytes(b"\x00\xff" * 50)
    elif is_there_a == "folder":
        path.mkdir()
    elif is_there_a == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to(path)

    hook.write_brief("Stands.")
    answer = hook(name, prompt=PROMPT, tool_input={"command": PROMPT})
    assert set(answer) <= {"hookSpecificOutput", "systemMessage"}


@pytest.mark.parametrize("what", ["", ".recall"])
@pytest.mark.parametrize("is_there_a", ["folder", "pipe", "huge file", "loop"])
def test_a_brief_that_cannot_be_read_is_none(hook: Hook, what: str, is_there_a: str) -> None:
    """Neither is what prompts are held against."""
    hook.let_recall()
    path = Path(f"{hook.write_brief('')}{what}")
    path.unlink()
    if is_there_a == "folder":
        path.mkdir()
    elif is_there_a == "pipe":
        os.mkfifo(path)
    elif is_there_a == "loop":
        path.symlink_to(path)
    else:
        path.write_bytes(b"noctuary-recall 1 1 5\n" + b"x" * 8_000_000)

    if what:
        assert hook("UserPromptSubmit", prompt=PROMPT) == {}
    else:
        assert "Stands" not in context_in(hook("SessionStart"))


def test_a_database_that_another_process_holds_is_nothing_to_a_hook(hook: Hook) -> None:
    """It does not open it."""
    hook.write_brief("Stands.")
    with locked(hook.home / "noctuary.db"):
        assert context_in(hook("SessionStart")) == "Stands."
        assert hook("Stop") == {}
    assert len(hook.notes()) == 1


def test_on_a_full_disk_what_is_known_is_told(hook: Hook) -> None:
    """What would have to be remembered is not, or it would be told again and again."""
    hook.let_recall()
    hook.write_brief("Stands.")

    def no_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

    def answer(name: str) -> dict[str, Any]:
        given = {"hook_event_name": name, "session_id": "s9", "cwd": str(hook.user_home), "prompt": PROMPT}
        return hook.raw(json.dumps(given).encode(), preexec_fn=no_room)

    assert context_in(answer("SessionStart")) == "Stands."
    assert answer("UserPromptSubmit") == answer("Stop") == answer("SessionEnd") == {}
    assert hook.notes() == []


def test_where_nothing_can_be_written_nothing_is_said_twice(hook: Hook, tmp_path: Path) -> None:
    """A home folder that is not there and cannot be made."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    unusable = Hook(tmp_path / "file" / "memory", hook.user_home)

    assert [unusable(name, prompt=PROMPT) for name in (*sorted(ANSWERED), "Stop", "SessionEnd")] == [{}] * 6


def test_broken_input_is_broken_in_a_bare_process_too(hook: Hook) -> None:
    """There the scanner cannot say what is wrong, because nobody loaded what it says it with."""
    hook.raw(b'{"a": "}')
    hook.raw(b'{"hook_event_name": "Stop", "x": "}}}')

    assert not hook.home.exists()


def test_standard_input_need_not_be_closed(hook: Hook) -> None:
    """An object that is complete is dealt with."""
    hook.write_brief("Stands.")
    content = json.dumps({"hook_event_name": "SessionStart", "cwd": str(hook.user_home), "x": "}" * 200_000}).encode()
    with subprocess.Popen(hook.command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=hook.environ()) as running:
        assert running.stdin
        assert running.stdout
        running.stdin.write(content)
        running.stdin.flush()
        answer = json.loads(running.stdout.read())
        code = running.wait(60)

    assert (context_in(answer), code) == ("Stands.", 0)


@pytest.mark.parametrize("sent", [b"", b'{"hook_event_name": "Stop", '])
def test_who_sends_nothing_is_not_waited_for(hook: Hook, sent: bytes) -> None:
    """The hook ends when its time is over, and says nothing."""
    with subprocess.Popen(hook.command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=hook.environ()) as running:
        assert running.stdin
        assert running.stdout
        running.stdin.write(sent)
        running.stdin.flush()
        code = running.wait(60)
        said = running.stdout.read()

    assert (code, said) == (0, b"")
    assert not hook.home.exists()


@pytest.mark.parametrize("late", ["at once", "after 70 KB", "in two pieces"])
def test_a_prompt_is_over_before_what_began_earlier(hook: Hook, late: str) -> None:
    """Wherever in the input its name stands: it has 300 ms, all others a second.

    What is compared is which of two processes ends first; on a machine that is very busy that is tried again.
    """
    padding, name = b'"x": "' + b"y" * 70_000 + b'", ', b'"hook_event_name": "UserPromptSubmit", '
    sent = {
        "at once": [b"{" + name],
        "after 70 KB": [b"{" + padding + name],
        "in two pieces": [b"{" + name[:30], name[30:]],
    }[late]

    def is_first() -> bool:
        with waiting(hook) as earlier:
            time.sleep(0.1)
            with waiting(hook) as prompt:
                assert prompt.stdin
                for piece in sent:
                    prompt.stdin.write(piece)
                    prompt.stdin.flush()
                    time.sleep(0.05)
                assert prompt.wait(60) == 0
                return earlier.poll() is None

    assert any(is_first() for _ in range(5))


def test_hooks_at_once_tell_a_session_something_once(hook: Hook) -> None:
    """Whichever of them is the first; the others are silent.

    Each has 300 ms from its start: where a machine is so busy that the first has not enough of them, another memory is
    tried; one that tells it twice is never right.
    """

    def told(attempt: int) -> list[str]:
        again = Hook(hook.home.with_name(f"memory-{attempt}"), hook.user_home)
        again.let_recall()
        asked = {"tool_name": "Bash", "tool_input": {"command": "redis --sessions"}}
        with ThreadPoolExecutor(12) as pool:
            answers = pool.map(lambda _: context_in(again("PostToolUse", **asked)), range(24))
            return [each for each in answers if each]

    attempts = [told(0)]
    while not attempts[-1] and len(attempts) < 8:
        attempts.append(told(len(attempts)))

    assert [each.count("[e-1]") for each in attempts[-1]] == [1]


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_what_is_closed_is_no_place_for_a_file(hook: Hook, closed: str) -> None:
    """A file that takes the place of standard output would be written to."""
    hook.write_brief("Stands.")
    (hook.home / "none").write_text("", encoding="utf-8")
    content = json.dumps({"hook_event_name": "SessionStart", "session_id": "s9", "cwd": str(hook.user_home)})
    command = ["sh", "-c", f'exec "$@" {closed}', "sh", *hook.command()]
    ran = subprocess.run(
        command, input=content.encode(), env=hook.environ(), capture_output=True, timeout=60, check=True
    )

    assert (ran.returncode, ran.stderr) == (0, b"")
    until(lambda: hook.notes() == [])
    assert not any(b"hookSpecificOutput" in content for content in contents(hook.home))


def test_many_hooks_at_once_leave_whole_lines(hook: Hook) -> None:
    """As many as there were."""

    def stop(number: int) -> dict[str, Any]:
        return hook("Stop", session_id=f"s{number}", transcript_path="/t/" + "x" * 3_000)

    with ThreadPoolExecutor(10) as pool:
        answers = list(pool.map(stop, range(50)))

    assert answers == [{}] * 50
    assert sorted(note["session"] for note in hook.notes()) == sorted(f"s{number}" for number in range(50))


def test_a_broken_install_ends_well(hook: Hook, tmp_path: Path) -> None:
    """Nothing of ours is there but the file that agents run."""
    alone = tmp_path / "noctuary" / "doors" / "hook" / "__main__.py"
    alone.parent.mkdir(parents=True)
    alone.write_bytes(MAIN.read_bytes())
    command = [sys.executable, "-I", "-S", str(alone)]
    ran = subprocess.run(command, input=b"{}", env=hook.environ(), capture_output=True, timeout=60, check=True)

    assert (ran.stdout, ran.stderr) == (b"", b"")


def test_the_installed_command_is_the_same(hook: Hook) -> None:
    """It has a file of its own, which setuptools installs as it stands."""
    hook.write_brief("Stands.")
    content = json.dumps({"hook_event_name": "SessionStart", "cwd": str(hook.user_home)}).encode()
    command = [sys.executable, str(ROOT / "scripts" / "noctuary-hook"), "--home", str(hook.home)]
    environ = {**hook.environ(), "PYTHONPATH": str(ROOT / "src")}
    ran = subprocess.run(command, input=content, env=environ, capture_output=True, timeout=60, check=True)

    assert context_in(json.loads(ran.stdout)) == "Stands."
    assert (ROOT / "scripts" / "noctuary-hook").read_text(encoding="utf-8").startswith("#!python\n")
    assert 'script-files = ["scripts/noctuary-hook"]' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def test_a_python_without_its_json_scanner_does_as_well(hook: Hook) -> None:
    """Slower, but the same."""
    hook.write_brief("Stands.")
    content = json.dumps({"hook_event_name": "SessionStart", "cwd": str(hook.user_home)}).encode()
    code = "import sys, runpy; sys.modules['_json'] = None; "
    code += f"runpy.run_path({str(MAIN)!r}, run_name='__main__')"
    command = [sys.executable, "-I", "-c", code, "--home", str(hook.home)]
    ran = subprocess.run(command, input=content, env=hook.environ(), capture_output=True, timeout=60, check=True)

    assert context_in(json.loads(ran.stdout)) == "Stands."


@pytest.mark.parametrize("name", ["SessionStart", "UserPromptSubmit", "Stop"])
def test_next_to_nothing_is_loaded(hook: Hook, name: str) -> None:
    """Modules in C, `os`, and ours."""
    hook.let_recall()
    hook.write_brief("Stands.")
    content = json.dumps({"hook_event_name": name, "session_id": "s9", "cwd": str(hook.user_home), "prompt": PROMPT})
    command = [sys.executable, "-I", "-S", "-X", "importtime", str(MAIN), "--home", str(hook.home)]
    ran = subprocess.run(
        command, input=content.encode(), env=hook.environ(), capture_output=True, timeout=60, check=True
    )
    loaded = {line.rpartition("|")[2].strip() for line in ran.stderr.decode().splitlines()[1:]}

    assert {each for each in loaded - LOADED if not each.startswith("noctuary")} == set()
    assert {each for each in loaded if each.startswith("noctuary")} <= {
        "noctuary",
        "noctuary.bearing",
        "noctuary.brief_file",
        "noctuary.doors",
        "noctuary.marks",
        *(f"noctuary.doors.hook{part}" for part in ("", ".answers", ".events", ".handlers", ".home", ".json_reading")),
        *(f"noctuary.doors.hook{part}" for part in (".running", ".trouble")),
    }
