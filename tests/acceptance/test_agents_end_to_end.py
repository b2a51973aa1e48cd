"""Sessions of Claude Code and of Codex, played hook by hook as their agents do it; then the next session starts.

Real hook processes are given what the agent gives them, while its transcript grows as the agent lets it grow.  What is
asserted is what the next session is told, and that being told comes back to nobody as something that was said.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from noctuary import inbox
from noctuary.app import Memory
from noctuary.records import Hidden
from noctuary.store.keys import MOST_MESSAGES
from noctuary.testing import ClaudeTranscript, CodexTranscript
from tests.acceptance.conftest import ROOT, Cli

HOOK = ROOT / "src" / "noctuary" / "doors" / "hook" / "__main__.py"
CHOICE = "Let's keep sessions in SQLite, not Redis, because they must survive a deploy."
RULE = "From now on, never call datetime.now() without a zone; always pass the zone of the shop."
TASK = "Add an index on the expiry of vouchers"
TITLE = "Move the sessions of the shop to SQLite"
SUMMARY = "The user moved the sessions to SQLite. The next step is the expiry of vouchers."
FOUND = "The root cause was that the voucher fixture froze the clock in UTC, not in the zone of the shop."


class Agent:
    """An agent on a machine with our hooks: it keeps a transcript, and calls a hook at each event."""

    name = ""

    def __init__(self, cli: Cli, shop: Path) -> None:
        self.cli, self.shop = cli, shop
        self.path = Path()
        self.session = ""

    def hook(self, event: str, **more: Any) -> dict[str, Any]:
        """Call the hook, as installed; what it says, which is nothing or one object."""
        given = {
            "session_id": self.session,
            "transcript_path": str(self.path),
            "cwd": str(self.shop),
            "hook_event_name": event,
            **self.always(),
            **more,
        }
        ran = subprocess.run(
            [sys.executable, "-I", "-S", str(HOOK), "--agent", self.name],
            input=json.dumps(given).encode(),
            env=self.cli.environ(),
            cwd=self.shop,
            capture_output=True,
            check=True,
            timeout=60,
        )
        assert ran.stderr == b""
        return json.loads(ran.stdout) if ran.stdout else {}

    def always(self) -> dict[str, Any]:
        """What this agent adds to everything it tells a hook."""
        return {}

    def begin(self, session: str, **more: Any) -> str:
        """Start a session; what it is told."""
        raise NotImplementedError

    def work(self) -> None:
        """Play a session in which something is decided, found, demanded and left open."""
        raise NotImplementedError

    def be_told(self, brief: str) -> None:
        """Play a session that begins with a brief, as this agent records it, and goes on about something else."""
        raise NotImplementedError

    def end(self) -> None:
        """Leave the session."""
        raise NotImplementedError


class Claude(Agent):
    """Claude Code, whose hooks have an event for everything."""

    name = "claude-code"
    transcript: ClaudeTranscript

    def always(self) -> dict[str, Any]:
        return {"permission_mode": "default"}

    def begin(self, session: str, **more: Any) -> str:
        self.session = session
        self.transcript = ClaudeTranscript(session, cwd=str(self.shop), start=datetime.now(UTC) - timedelta(hours=1))
        self.path = self.transcript.save(self.cli.user_home)
        said = self.hook("SessionStart", source="startup", model="claude-sonnet-4-5", **more)
        return context_of(said, "SessionStart") if said else ""

    def prompt(self, text: str) -> None:
        assert self.hook("UserPromptSubmit", prompt=text) == {}
        self.transcript.say(text).save(self.cli.user_home)

    def reply(self, text: str) -> None:
        self.transcript.reply(text).save(self.cli.user_home)
        assert self.hook("Stop", stop_hook_active=False, last_assistant_message=text) == {}

    def use(self, tool: str, given: dict[str, Any], result: str) -> None:
        self.transcript.call(tool, given).result(result).save(self.cli.user_home)
        more = {"tool_name": tool, "tool_input": given, "tool_response": {"stdout": result}}
        assert self.hook("PostToolUse", tool_use_id=self.transcript.last_call, **more) == {}

    def work(self) -> None:
        self.prompt("The voucher test fails on the build server.")
        self.use("Bash", {"command": "pytest tests/test_voucher.py"}, "1 failed: assert 23 == 0")
        self.reply(FOUND)
        self.prompt(RULE)
        self.reply("All right, I pass the zone everywhere.")
        self.prompt(CHOICE)
        self.use("Bash", {"command": f'noctuary task open "{TASK}"'}, self.opened_task())
        self.reply("Done, the sessions are in SQLite.")
        self.transcript.note("ai-title", aiTitle=TITLE).save(self.cli.user_home)
        assert self.hook("PreCompact", trigger="auto", custom_instructions="") == {}
        self.transcript.compact(f"This session is being continued.\n\n{SUMMARY}").save(self.cli.user_home)
        assert self.hook("PostCompact", trigger="auto", compact_summary=SUMMARY) == {}
        self.prompt("Thanks, that is all for today.")
        self.reply("See you.")

    def opened_task(self) -> str:
        ran = self.cli("task", "open", TASK, cwd=self.shop)
        assert ran.code == 0
        return ran.out

    def end(self) -> None:
        assert self.hook("SessionEnd", reason="prompt_input_exit") == {}

    def be_told(self, brief: str) -> None:
        attachment = {"type": "hook_additional_context", "content": [brief], "hookEvent": "SessionStart"}
        self.transcript.link("attachment", attachment=attachment)
        reminder = f"<system-reminder>\nSessionStart hook additional context: {brief}\n</system-reminder>"
        self.transcript.say(reminder, isMeta=True)
        self.prompt("Which colour has the lamp of the till?")
        self.reply("The lamp of the till is purple.")


class Codex(Agent):
    """Codex, which writes everything twice, and whose older versions say nothing when a session is over."""

    name = "codex"
    transcript: CodexTranscript
    turn = 0

    def always(self) -> dict[str, Any]:
        return {"turn_id": f"turn-{self.turn}", "model": "gpt-5.3-codex", "permission_mode": "default"}

    def begin(self, session: str, **more: Any) -> str:
        self.session, self.turn = session, 0
        start = datetime.now(UTC) - timedelta(hours=1)
        self.transcript = CodexTranscript(session, cwd=str(self.shop), branch=None, start=start)
        self.path = self.transcript.save(self.cli.user_home)
        said = self.hook("SessionStart", source="startup", **more)
        return context_of(said, "SessionStart")  # Codex takes silence for an error

    def prompt(self, text: str) -> None:
        self.turn += 1
        assert self.hook("UserPromptSubmit", prompt=text) == {}
        self.transcript.prompt(text).save(self.cli.user_home)

    def reply(self, text: str) -> None:
        self.transcript.reply(text).save(self.cli.user_home)
        assert self.hook("Stop", stop_hook_active=False, last_assistant_message=text) == {}

    def use(self, tool: str, given: dict[str, Any], result: str) -> None:
        self.transcript.call(tool, given).result(result).save(self.cli.user_home)
        assert self.hook("PostToolUse", tool_name=tool, tool_input=given, tool_response=result) == {}

    def work(self) -> None:
        self.transcript.item("message", role="developer", content=[{"type": "input_text", "text": "Be brief."}])
        self.prompt(TITLE)
        self.use("shell", {"command": ["bash", "-lc", "pytest tests/test_voucher.py"]}, "1 failed: assert 23 == 0")
        self.transcript.think("The clock of the fixture looks wrong.")
        self.reply(FOUND)
        self.prompt(RULE)
        self.reply("All right, I pass the zone everywhere.")
        self.prompt(CHOICE)
        ran = self.cli("task", "open", TASK, cwd=self.shop)
        self.use("shell", {"command": ["bash", "-lc", f'noctuary task open "{TASK}"']}, ran.out)
        self.reply("Done, the sessions are in SQLite.")
        self.transcript.line("compacted", {"message": SUMMARY}).save(self.cli.user_home)
        self.prompt("Thanks, that is all for today.")
        self.reply("See you.")

    def end(self) -> None:
        assert self.hook("SessionEnd", reason="other") == {}

    def be_told(self, brief: str) -> None:
        self.transcript.item("message", role="developer", content=[{"type": "input_text", "text": brief}])
        self.prompt("Which colour has the lamp of the till?")
        self.reply("The lamp of the till is purple.")


class OldCodex(Codex):
    """A Codex without an event for the end of a session: the next one in the folder tells it."""

    def end(self) -> None:
        self.begin("019c9b17-0000-7000-8000-0000000000ff")


def context_of(said: dict[str, Any], event: str) -> str:
    """The context in an answer that is valid for its event."""
    assert set(said) == {"hookSpecificOutput"}
    assert set(said["hookSpecificOutput"]) == {"hookEventName", "additionalContext"}
    assert said["hookSpecificOutput"]["hookEventName"] == event
    context = said["hookSpecificOutput"]["additionalContext"]
    assert len(context) <= 9_500
    return str(context)


AGENTS = {"claude-code": Claude, "codex": Codex, "codex without an end": OldCodex}
FIRST, SECOND, THIRD = (f"{digit * 8}-0000-4000-8000-000000000001" for digit in "123")


def swept(cli: Cli) -> None:
    """Wait for what hooks started: nothing waits in the inbox, and no dream is running."""
    while True:
        ran = cli("sweep", "--json")
        assert ran.code == 0, ran.err
        said = ran.json
        assert said["problems"] == []
        if said["lock"] == "acquired" and said["dream"]["status"] != "skipped":
            break
    assert inbox.is_empty(cli.memory)


class Played(NamedTuple):
    """A session that was played to its end, and what the next one was told at its start."""

    agent: Agent
    brief: str


@pytest.fixture(params=AGENTS, scope="module")
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    """A machine with one session behind it; for tests that let nothing more happen in it."""
    agent = AGENTS[request.param](*machine(tmp_path_factory.mktemp("played")))
    yield Played(agent, play(agent))
    swept(agent.cli)


def machine(folder: Path) -> tuple[Cli, Path]:
    """A user who lets every session be dreamt of at once, and the folder of a project."""
    cli = Cli(folder / "memory", folder / "home")
    shop = cli.user_home / "code" / "shop"
    shop.mkdir(parents=True)
    cli.memory.mkdir()
    (cli.memory / "config.toml").write_text("[dream]\nsession_count = 1\n", encoding="utf-8")
    return cli, shop


def play(agent: Agent) -> str:
    """A session of work from its start to its end; what the next one is told at its start."""
    assert agent.begin(FIRST) == ""
    agent.work()
    agent.end()
    swept(agent.cli)
    return begun(agent, SECOND)


def begun(agent: Agent, session: str) -> str:
    """What a session is told; a hook says nothing if the machine is too busy for it, so it may start some times."""
    return next((brief for _ in range(5) if (brief := agent.begin(session))), "")


def memory_of(agent: Agent) -> Memory:
    """The memory that its hooks serve."""
    return Memory.open(agent.cli.memory, owner="ana", user_home=agent.cli.user_home)


def lines_with(text: str, brief: str) -> list[str]:
    """The lines of a brief that say it."""
    return [line for line in brief.splitlines() if text in line]


def test_the_next_session_knows_where_the_work_stands(played: Played) -> None:
    """What was decided and why, what the user demands, what the last session was about and found, and what is open."""
    brief = played.brief
    months = {f"{datetime.now(UTC) - timedelta(hours=hours):%Y-%m-}" for hours in (0, 2)}  # two, if one just ended
    [decided], [rule], [found] = (lines_with(each, brief) for each in (CHOICE, RULE, FOUND))
    assert all(line.startswith("- ") and line.endswith("]") for line in (decided, rule, found))
    assert all(any(f"({month}" in line for month in months) for line in (decided, rule))
    assert len(lines_with(TASK, brief)) == 1
    [title] = lines_with(TITLE, brief)
    assert any(month in title for month in months)
    assert FIRST[:8] in title
    first, *_, last = brief.splitlines()
    assert first.startswith("<noctuary-recalled")
    assert last.startswith("</noctuary-recalled ")


def test_each_line_can_be_asked_why(played: Played) -> None:
    """The id at its end leads to the words in the session that was played."""
    agent = played.agent
    for text in (CHOICE, RULE, FOUND):
        line_id = lines_with(text, played.brief)[0].rpartition("[")[2].removesuffix("]")

        ran = agent.cli("brief", "--why", line_id, cwd=agent.shop)

        assert ran.code == 0
        assert FIRST[:8] in ran.out


def test_what_was_said_is_found(played: Played) -> None:
    """Everything of the session is imported once, the summary of its compaction too, and the session is over."""
    with memory_of(played.agent) as memory:
        assert [session.id for session in memory.sessions()] == [FIRST]
        assert memory.session(FIRST).status == "ended"
        contents = [message.content for message in memory.show(FIRST).messages]
        hits = [hit.anchor.content for hit in memory.search_messages("next step expiry vouchers").hits]

    assert [sum(each in content for content in contents) for each in (CHOICE, RULE, FOUND, SUMMARY)] == [1, 1, 1, 1]
    assert any(SUMMARY in content for content in hits)


@pytest.mark.parametrize("name", AGENTS)
def test_what_a_session_was_told_is_nobodys_word(tmp_path: Path, name: str) -> None:
    """Captured in its transcript as the agent records it, it is found by no search and counted by no dream."""
    agent = AGENTS[name](*machine(tmp_path))
    brief = play(agent)
    with memory_of(agent) as memory:
        before = support(memory)
    agent.be_told(brief)
    agent.end()
    swept(agent.cli)
    third = begun(agent, THIRD)

    with memory_of(agent) as memory:
        after = support(memory)
        for words in ("never call datetime.now zone", "SQLite Redis survive deploy", "voucher fixture froze clock"):
            hits = memory.search_messages(words, limit=50).hits
            assert {hit.session.id for hit in hits if any(why.name == "words" for why in hit.why)} == {FIRST}
        number = memory.store.sessions.find("ana", SECOND)
        assert number is not None
        stored = memory.store.messages.between(number[0], 1, MOST_MESSAGES)
    assert any(RULE in message.content for message in stored), "the transcript did not hold it"
    assert all(message.hidden is Hidden.RECALLED for message in stored if RULE in message.content)
    assert {text: after[text] for text in before} == before
    assert set(after) - set(before) == {"The lamp of the till is purple."}
    for text in (CHOICE, RULE, FOUND, TASK, TITLE, "Which colour has the lamp"):
        assert len(lines_with(text, third)) == 1


def support(memory: Memory) -> dict[str, object]:
    """Every memory, and how many sessions state it."""
    return {one.text: one.facts.get("support") for one in memory.store.memories.where("ana", statuses=None)}


def test_agents_of_a_session_are_told_nothing(played: Played) -> None:
    """They work for the session, which was told."""
    said = played.agent.hook("SessionStart", source="startup", agent_id="a1", agent_type="Explore")

    assert said.get("hookSpecificOutput", {}).get("additionalContext", "") == ""


def test_after_a_compaction_the_session_is_told_again(played: Played) -> None:
    """What it was told at its start was summed up; a brief that is still true is given again, to the letter."""
    said = (played.agent.hook("SessionStart", source="compact") for _ in range(5))  # a busy machine may be too slow
    told = next(context for each in said if (context := context_of(each, "SessionStart") if each else ""))

    assert told == played.brief
