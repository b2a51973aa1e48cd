"""Who reads sessions in a dream: what the settings or the caller name, with one budget a run."""

import json
from pathlib import Path
from typing import Any

import pytest

from noctuary.app import Memory
from noctuary.dreams import RunStatus, Trigger
from noctuary.errors import BadSettings
from noctuary.settings import Settings
from noctuary.testing import ClaudeTranscript, FakeClock
from tests.unit.models.chat.answering import openai_body, reply
from tests.unit.models.serving import Asked, Reply, Server

pytestmark = pytest.mark.slow

TABS = "Always indent the shop with tabs, never with spaces."
EVENT = {"type": "constraint", "text": TABS, "messages": [1], "quote": TABS, "confidence": 0.9}
MUCH = {"prompt_tokens": 9_000, "completion_tokens": 100, "total_tokens": 9_100}


def answer(_: Asked) -> Reply:
    """What was found, for more tokens than anybody would have thought."""
    return reply(openai_body(json.dumps({"events": [EVENT], "memories": []}), usage=MUCH))


def open_memory(tmp_path: Path, **dream: Any) -> Memory:
    """A memory with one session that was ended, and these settings of dreams."""
    transcript = ClaudeTranscript("s-1").say(TABS).reply("I will.")
    transcript.save(tmp_path / "user")
    settings = Settings(tmp_path / "home", "ana", tmp_path / "user", {}, dream_table=dream)
    memory = Memory.from_settings(settings, FakeClock())
    memory.import_transcripts()
    memory.dreams.end_session("s-1")
    return memory


def test_reading_and_wording_share_one_budget(tmp_path: Path) -> None:
    """What reading has spent is not there for wording, so a run never spends its budget twice; all of it is noted."""
    with Server(answer) as server:
        chosen = {"backend": "openai", "model": "m", "address": f"{server.url}/v1", "wording": True}
        with open_memory(tmp_path, **chosen, run_tokens=15_000) as memory:
            report = memory.dreams.run()

            assert report.processed == 1
            assert len(server.asked) == 1
            assert any("keep their wording: The budget of tokens" in warning for warning in report.warnings)
            assert report.spent == memory.dreams.overview().spent_today
            assert (report.spent.calls, report.spent.tokens_in) == (1, 9_000)


def test_each_run_has_a_budget_of_its_own(tmp_path: Path) -> None:
    """What the last run spent counts for the day, and no longer for the run."""
    with Server(answer) as server:
        chosen = {"backend": "openai", "model": "m", "address": f"{server.url}/v1", "run_tokens": 15_000}
        with open_memory(tmp_path, **chosen) as memory:
            assert memory.dreams.run().spent.calls == 1
            ClaudeTranscript("s-2").say(TABS).reply("Again, I will.").save(tmp_path / "user")
            memory.import_transcripts()

            assert memory.dreams.run(sessions=["s-2"]).spent.calls == 1
            assert memory.dreams.overview().spent_today.calls == 2


def test_rules_cannot_word_anything_anew(tmp_path: Path) -> None:
    """Settings that ask for it are refused before anything is read, and the session waits."""
    with open_memory(tmp_path, wording=True) as memory:
        with pytest.raises(BadSettings, match=r"dream\.wording needs a model"):
            memory.dreams.run()

        assert len(memory.dreams.waiting()) == 1


def test_who_asks_for_rules_gets_rules_alone(tmp_path: Path) -> None:
    """No model is asked for anything then, whatever the settings say."""
    with Server(answer) as server:
        chosen = {"backend": "openai", "model": "m", "address": f"{server.url}/v1", "wording": True}
        with open_memory(tmp_path, **chosen) as memory:
            assert memory.dreams.run(backend="rules").backend == "rules"
            assert server.asked == []


def test_c7_a_run_by_itself_has_the_settings_of_the_file(tmp_path: Path) -> None:
    """The thresholds that are configured count for it, not the built-in ones; switched off, it waits to be asked."""
    with open_memory(tmp_path, session_count=2) as memory:
        assert memory.dreams.run_if_due().status is RunStatus.NOT_DUE
    with open_memory(tmp_path, session_count=1, enabled=False) as memory:
        assert memory.dreams.run_if_due().status is RunStatus.NOT_DUE
    with open_memory(tmp_path, session_count=1) as memory:
        report = memory.dreams.run_if_due()

        assert (report.status, report.trigger, report.processed) == (RunStatus.COMPLETED, Trigger.SESSION_COUNT, 1)
