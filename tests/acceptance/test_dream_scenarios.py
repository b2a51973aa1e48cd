"""Dreams from end to end: a test for each scenario that others had only in part; `test_drill.py` has one more."""

import json
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from noctuary.app import Memory
from noctuary.dream.pages.places import page_path
from noctuary.dreams import Eligibility, Trigger
from noctuary.settings import Settings
from noctuary.testing import START, ClaudeTranscript, FakeClock
from tests.acceptance.conftest import ROOT
from tests.unit.models.asking.conversing import event
from tests.unit.models.chat.answering import openai_body, reply
from tests.unit.models.serving import Asked, Reply, Server

SESSION = "6f1c1f6e-0000-4000-8000-00000000000a"
SHOP = "/home/ana/code/shop"
RULE = "Never store prices as floats; always use whole cents."


def open_memory(tmp_path: Path, **dream: Any) -> Memory:
    """The memory as each new process opens it."""
    return Memory.from_settings(
        Settings(tmp_path / "memory", "ana", tmp_path / "user", {}, dream_table=dream), FakeClock()
    )


def talk(tmp_path: Path) -> ClaudeTranscript:
    """A session of several turns, with tools, whose only lasting word is a rule of the user."""
    transcript = ClaudeTranscript(SESSION, start=START - timedelta(days=2))
    transcript.say("Have a look at the prices, would you?").reply("I look at them, purple-walrus-one.")
    transcript.call("Bash", {"command": "cat plans.txt"}).result("purple-walrus-two: the plans\n" * 20)
    transcript.say(RULE).reply("I change the columns to integers.").say("Thanks, that is all for today.")
    transcript.save(tmp_path / "user")
    return transcript


def page(memory: Memory) -> str:
    return page_path(memory.settings.home, memory.owner, SHOP).read_text()


def a_good_reader(asked: Asked) -> Reply:
    """A server whose model finds the rule, wherever it stands."""
    prompt = asked.json["messages"][-1]["content"]
    before = prompt.partition(RULE)[0]
    number = int(before.rpartition("=== message ")[2].split(" ")[0])
    return reply(openai_body(json.dumps({"events": [event(number, RULE, text=RULE, type="constraint")]})))


@pytest.mark.parametrize("backend", ["rules", "openai"])
def test_r28_whoever_reads_the_session_the_same_stands_on_the_page(tmp_path: Path, backend: str) -> None:
    """Rules or a model: the rule is on the page and in the journal, with the words and the message it rests on."""
    talk(tmp_path)
    with Server(a_good_reader) as server:
        chosen = {} if backend == "rules" else {"model": "m", "address": f"{server.url}/v1"}
        with open_memory(tmp_path, backend=backend, **chosen) as memory:
            memory.import_transcripts()
            memory.dreams.end_session(SESSION)
            report = memory.dream().report

            assert (report.processed, report.failed) == (1, 0)
            assert "whole cents" in page(memory)
            why = memory.dreams.why(next(line for line in page(memory).splitlines() if "whole cents" in line), SHOP)
            assert RULE in str(why)


def test_r28_the_transcript_itself_is_on_no_page(tmp_path: Path) -> None:
    """Of a session of many turns only what lasts is written: no small talk, no output of tools, nothing verbatim."""
    talk(tmp_path)
    with open_memory(tmp_path) as memory:
        memory.import_transcripts()
        memory.dreams.end_session(SESSION)
        memory.dream()

        files = [path for path in (memory.settings.home / "memory").rglob("*") if path.is_file()]
        told = "\n".join(path.read_text() for path in files)
        assert "whole cents" in told
        assert "purple-walrus" not in told
        assert "that is all for today" not in told


def test_r28_a_shutdown_between_end_and_dream_loses_and_doubles_nothing(tmp_path: Path) -> None:
    """Each step in a process of its own: completed, dreamt of, asked for again."""
    talk(tmp_path)
    with open_memory(tmp_path) as first:
        first.import_transcripts()
        first.dreams.end_session(SESSION)
    with open_memory(tmp_path) as second:
        assert second.dreams.eligibility(SESSION) is Eligibility.ELIGIBLE
        assert second.dream().report.processed == 1
        before, events = page(second), second.store.events.count(second.owner)
    with open_memory(tmp_path) as third:
        assert third.dreams.eligibility(SESSION) is Eligibility.ALREADY_CONSOLIDATED
        report = third.dream().report
        assert (report.processed, report.kept, page(third)) == (0, 0, before)
        assert third.store.events.count(third.owner) == events


def test_r28_completed_twice_before_any_dream_is_read_once(tmp_path: Path) -> None:
    """Ended by its agent, by hygiene, by another import and once more: one record, one line on the page."""
    transcript = talk(tmp_path)
    with open_memory(tmp_path) as memory:
        memory.import_transcripts()
        first = memory.dreams.end_session(SESSION)
        memory.dreams.tidy(is_forced=True)
        transcript.save(tmp_path / "user")
        memory.import_transcripts()
        again = memory.dreams.end_session(SESSION)

        assert again == first
        assert [record.session for record in memory.dreams.waiting()] == [SESSION]
        report = memory.dream().report
        assert (report.considered, report.trigger) == (1, Trigger.MANUAL)
        assert page(memory).count("whole cents") == 1


WATCHED = """
import sys
def watch(event, arguments):
    if event.startswith("socket.") and event not in ("socket.gethostname",):
        raise SystemExit(f"{event}: a dream must not use the network")
sys.addaudithook(watch)
from noctuary.__main__ import main
main()
"""


def test_r28_a_dream_opens_no_door_to_the_network(tmp_path: Path) -> None:
    """Import and dream as shipped: nothing listens, nothing is connected to, and no socket is even made."""
    talk(tmp_path)
    environ = {"HOME": str(tmp_path / "user"), "NOCTUARY_HOME": str(tmp_path / "memory"), "PYTHONUTF8": "1"}
    environ |= {"PYTHONPATH": str(ROOT / "src"), "USER": "ana"}
    for command in (["import"], ["dream", "--session", SESSION]):
        ran = subprocess.run(
            [sys.executable, "-c", WATCHED, *command], env=environ, capture_output=True, text=True, check=False
        )
        assert "must not use the network" not in ran.stderr
        assert ran.returncode == 0, ran.stderr
