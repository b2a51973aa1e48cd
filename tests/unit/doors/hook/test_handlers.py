"""What is planned at each event."""

from pathlib import Path
from typing import Any

import pytest

from noctuary import bearing, brief_file
from noctuary.doors.hook import trouble
from noctuary.doors.hook.events import Event, event_in
from noctuary.doors.hook.handlers import HANDLERS, Memory, Plan, lines_of_told, told_in, told_path, words_of
from noctuary.fences import without_fenced
from noctuary.inbox import is_empty

NOW = 1_790_000_000_000
FOLDER = "/code/shop"
ENTRIES = [
    ("e-1", "rejection", "2026-03-02", "s0", "Redis for sessions, because nobody wants to run another server"),
    ("e-2", "decision", "2026-03-03", "s0", "Sessions are kept in PostgreSQL, in the table user_session"),
    ("e-3", "finding", "2026-03-04", "s1", "The invoice job fails when the mail server is slow"),
]


def event(name: str, **fields: Any) -> Event:
    """An event of a session in a folder."""
    found = event_in({"hook_event_name": name, "session_id": "s9", "cwd": FOLDER, **fields})
    assert found
    return found


def plan(home: Path, name: str, **fields: Any) -> Plan:
    """What is planned at an event."""
    return HANDLERS[name](event(name, **fields), Memory(str(home), "", NOW))


def ids(planned: Plan) -> list[str]:
    """What is to be told at a prompt."""
    return [hit.id for hit in planned.hits]


def write_brief(home: Path, text: str) -> Path:
    """A brief for the folder, made from a journal that is as it was."""
    journal = home / "journal.jsonl"
    journal.write_text("{}\n", encoding="utf-8")
    path = Path(brief_file.path_of(str(home), "", FOLDER))
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(brief_file.written(text, NOW, [(str(journal), brief_file.stamp(str(journal)))]))
    return journal


def can_recall(home: Path, switches: str = "prompt_recall = true\ntool_recall = true") -> None:
    """Let memory speak at prompts and tools, and give it something to say."""
    (home / "config.toml").write_text(f"[hooks]\n{switches}\n", encoding="utf-8")
    path = Path(brief_file.recall_path_of(str(home), "", FOLDER))
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(bearing.written(ENTRIES))


def test_a_brief_that_is_true_is_told_at_once(tmp_path: Path) -> None:
    """Nothing is left, started or waited for."""
    write_brief(tmp_path, "Where the work stands.")
    planned = plan(tmp_path, "SessionStart", source="startup")

    assert planned.context == "Where the work stands."
    assert (planned.note, planned.wants_sweep, planned.awaited) == (None, False, "")


@pytest.mark.parametrize("why", ["no brief", "changed", "notes wait", "a sweep has taken notes"])
def test_else_a_sweep_is_started_and_waited_for(tmp_path: Path, why: str) -> None:
    """The brief that there is would be told if it takes too long."""
    journal = write_brief(tmp_path, "Before.")
    (tmp_path / "inbox").mkdir()
    if why == "no brief":
        Path(brief_file.path_of(str(tmp_path), "", FOLDER)).unlink()
    elif why == "changed":
        journal.write_text("{}\n{}\n", encoding="utf-8")
    else:
        name = "hooks.jsonl" if why == "notes wait" else "0a.taken"
        (tmp_path / "inbox" / name).write_text("{}\n", encoding="utf-8")
        assert not is_empty(tmp_path)
    planned = plan(tmp_path, "SessionStart", source="startup")

    assert planned.note
    assert (planned.note["event"], planned.note["cwd"]) == ("SessionStart", FOLDER)
    assert (planned.wants_sweep, planned.awaited) == (True, brief_file.path_of(str(tmp_path), "", FOLDER))
    assert planned.context == ("" if why == "no brief" else "Before.")


def test_what_a_sweep_keeps_for_later_is_nothing_to_wait_for(tmp_path: Path) -> None:
    """Notes that it cannot deal with yet make no brief outdated."""
    write_brief(tmp_path, "Where the work stands.")
    (tmp_path / "inbox").mkdir()
    (tmp_path / "inbox" / "kept.jsonl").write_text("{}\n", encoding="utf-8")

    assert not plan(tmp_path, "SessionStart").wants_sweep


@pytest.mark.parametrize(("switches", "told"), [("", ""), ("subagent_brief = true", "Where the work stands.")])
def test_subagents_are_told_the_brief_if_somebody_asks_for_that(tmp_path: Path, switches: str, told: str) -> None:
    """It is the brief that there is: nothing is left, started or waited for, also if it is not of today."""
    can_recall(tmp_path, switches)
    journal = write_brief(tmp_path, "Where the work stands.")
    journal.write_text("{}\n{}\n", encoding="utf-8")

    planned = plan(tmp_path, "SubagentStart", agent_id="a1", agent_type="Explore")

    assert planned.context == told
    assert (planned.note, planned.wants_sweep, planned.awaited) == (None, False, "")
    assert not plan(tmp_path, "SubagentStart", agent_id="a1", cwd="").context


@pytest.mark.parametrize("fields", [{"agent_id": "a1"}, {"cwd": ""}])
def test_subagents_are_told_nothing(tmp_path: Path, fields: dict[str, str]) -> None:
    """Nor who does not say where it is."""
    write_brief(tmp_path, "Where the work stands.")
    planned = plan(tmp_path, "SessionStart", **fields)

    assert (planned.context, planned.note, planned.wants_sweep) == ("", None, False)


@pytest.mark.parametrize("name", ["PreCompact", "PostCompact", "Stop", "SubagentStop", "SessionEnd"])
def test_what_is_over_is_left_as_a_note(tmp_path: Path, name: str) -> None:
    """And nothing else is done."""
    planned = plan(tmp_path, name)

    assert planned.note
    assert planned.note["event"] == name
    assert (planned.context, planned.wants_sweep, planned.awaited) == ("", False, "")


def test_a_prompt_is_told_what_bears_on_it(tmp_path: Path) -> None:
    """Fenced, so that it is nobody's word, and dated."""
    can_recall(tmp_path)
    planned = plan(tmp_path, "UserPromptSubmit", prompt="Should we use Redis for the sessions?")

    told = words_of(planned.hits)
    assert "- 2026-03-02 rejected: Redis for sessions, because" in told
    assert told.count("[e-") == len(planned.hits)
    assert "e-1" in ids(planned)
    assert without_fenced(told).strip() == ""


def test_it_is_not_told_twice_in_a_session(tmp_path: Path) -> None:
    """Another session is told it."""
    can_recall(tmp_path)
    path = Path(told_path(str(tmp_path), "s9"))
    path.parent.mkdir(parents=True)
    path.write_text("e-1\ne-2\n", encoding="utf-8")
    prompt = "Should we use Redis for the sessions?"

    assert ids(plan(tmp_path, "UserPromptSubmit", prompt=prompt)) == []
    assert ids(plan(tmp_path, "UserPromptSubmit", prompt=prompt, session_id="s8"))


def test_the_first_that_says_so_tells_it(tmp_path: Path) -> None:
    """Hooks that run at once add their lines one after the other; of what both want to tell one is the first."""
    path = Path(told_path(str(tmp_path), "s9"))
    path.parent.mkdir(parents=True)
    hits = bearing.bearing_on(bearing.written(ENTRIES), "Redis for the sessions in PostgreSQL", session="s9")
    path.write_bytes(b"e-9\n" + lines_of_told(hits[:1], "11-1") + lines_of_told(hits, "12-2"))

    assert [hit.id for hit in hits] == ["e-2", "e-1"]
    assert told_in(str(tmp_path), "s9") == {"e-9": "", "e-2": "11-1", "e-1": "12-2"}


def test_a_session_that_was_told_more_than_can_be_known_is_told_nothing(tmp_path: Path) -> None:
    """Or it would be told the same again; as many as can be recalled at all are known."""
    can_recall(tmp_path)
    path = Path(told_path(str(tmp_path), "s9"))
    path.parent.mkdir(parents=True)
    prompt = "Should we use Redis for the sessions?"
    path.write_text("".join(f"e-{number:024} 1234567-{number:019}\n" for number in range(10_000)), encoding="utf-8")
    known = ids(plan(tmp_path, "UserPromptSubmit", prompt=prompt))
    path.write_text("e-9\n" * 300_000, encoding="utf-8")

    assert "e-1" in known
    assert ids(plan(tmp_path, "UserPromptSubmit", prompt=prompt)) == []


def test_all_that_is_told_at_a_prompt_has_900_characters(tmp_path: Path) -> None:
    """The fence included; three long entries fit, whatever their ids."""
    long = [
        (f"e-{number:024}", "rejection", "2026-03-02", "s0", f"Redis sessions variant{number} " + "and so on " * 100)
        for number in range(3)
    ]
    can_recall(tmp_path)
    Path(brief_file.recall_path_of(str(tmp_path), "", FOLDER)).write_bytes(bearing.written(long))
    hits = plan(tmp_path, "UserPromptSubmit", prompt="redis sessions").hits

    assert len(hits) == 3
    assert 700 < len(words_of(hits)) <= 900


def test_what_the_session_itself_said_is_not_told(tmp_path: Path) -> None:
    """It knows."""
    can_recall(tmp_path)

    assert ids(plan(tmp_path, "UserPromptSubmit", prompt="Redis for the sessions?", session_id="s0")) == []


def test_after_a_tool_only_rejections_are_told(tmp_path: Path) -> None:
    """Whatever else bears on it."""
    can_recall(tmp_path)
    planned = plan(tmp_path, "PostToolUse", tool_input={"command": "pip install redis sessions user_session"})

    assert ids(planned) == ["e-1"]


@pytest.mark.parametrize(
    ("name", "switches"),
    [
        ("UserPromptSubmit", ""),
        ("UserPromptSubmit", "tool_recall = true"),
        ("UserPromptSubmit", "prompt_recall = false"),
        ("PostToolUse", "prompt_recall = true"),
    ],
)
def test_nothing_is_recalled_unless_it_is_switched_on(tmp_path: Path, name: str, switches: str) -> None:
    """Each for itself."""
    can_recall(tmp_path, switches)
    planned = plan(tmp_path, name, prompt="Redis for the sessions?", tool_input={"command": "redis sessions"})

    assert ids(planned) == []


@pytest.mark.parametrize("name", ["UserPromptSubmit", "beforeSubmitPrompt"])
@pytest.mark.parametrize("fields", [{"agent_id": "a1"}, {"session_id": ""}, {"prompt": 7}])
def test_who_cannot_be_told_is_not(tmp_path: Path, name: str, fields: dict[str, Any]) -> None:
    """Sub-agents, sessions without a name, and prompts without words."""
    can_recall(tmp_path)
    found = event_in({"hook_event_name": name, "session_id": "s9", "cwd": FOLDER, "prompt": "Redis sessions", **fields})

    assert found
    assert ids(HANDLERS[found.name](found, Memory(str(tmp_path), "", NOW))) == []


@pytest.mark.parametrize(("minutes", "is_started"), [(1, False), (10, True)])
def test_notes_that_wait_for_long_are_dealt_with_at_a_prompt(tmp_path: Path, minutes: int, is_started: bool) -> None:
    """A session that lasts for hours is no reason to know nothing of the others."""
    (tmp_path / "inbox").mkdir()
    first = f'{{"event": "Stop", "at_ms": {NOW - minutes * 60_000}, "agent": "codex"}}\n'
    (tmp_path / "inbox" / "hooks.jsonl").write_text(first, encoding="utf-8")

    assert plan(tmp_path, "UserPromptSubmit", prompt="Go on").wants_sweep is is_started


def test_one_sweep_is_enough(tmp_path: Path) -> None:
    """If one was started for these notes already, a prompt starts no other."""
    (tmp_path / "inbox").mkdir()
    first = f'{{"event": "Stop", "at_ms": {NOW - 600_000}, "agent": "codex"}}\n'
    (tmp_path / "inbox" / "hooks.jsonl").write_text(first, encoding="utf-8")
    trouble.ask(str(tmp_path), NOW - 600_000, NOW - 300_000)

    assert not plan(tmp_path, "UserPromptSubmit", prompt="Go on").wants_sweep
    trouble.ask(str(tmp_path), 0, NOW + 300_000)  # and then a clock was set back
    assert plan(tmp_path, "UserPromptSubmit", prompt="Go on").wants_sweep
