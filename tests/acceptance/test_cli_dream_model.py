"""Dreams with a model behind a server, as a process: what it finds, what it costs, and what happens when it fails."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from noctuary.testing import ClaudeTranscript
from tests.acceptance.conftest import Cli
from tests.unit.models.chat.answering import KEY, TOKENS_IN, TOKENS_OUT, Fault, http_fault, openai_body
from tests.unit.models.serving import Asked, Reply, Server

SECRET = "sk-ant-api03-" + "abcDEF0123456789" * 4
SAID = {"first": "Prices are whole cents, never floats.", "second": "The staging database is reset every night."}
_JSON = (("Content-Type", "application/json"),)
NOT_JSON = "I would rather talk about the weather."


class Speaking:
    """A server that speaks the protocol of OpenAI: it proposes what was said, or fails as it is told."""

    def __init__(self) -> None:
        self.fault: Fault | str | None = None
        self.only_for = ""  # words in the question for which it fails; all of them if empty

    def answer(self, asked: Asked) -> Reply:
        """What it says to one question."""
        question = asked.json["messages"][1]["content"]
        found = [{"type": "constraint", "text": said, "messages": [1], "quote": said, "confidence": 0.9}
                 for said in SAID.values() if said in question.rpartition("# The part to read")[2]]  # fmt: skip
        good = _body(json.dumps({"events": found}))
        if self.fault is None or self.only_for not in question:
            return Reply(good, headers=_JSON)
        if isinstance(self.fault, Fault):
            reply = http_fault(self.fault, good)
            return reply._replace(headers=(*reply.headers, ("Retry-After", "0")))  # tests are in a hurry
        return Reply(_body(self.fault), headers=_JSON)


def _body(text: str) -> bytes:
    return json.dumps(openai_body(text)).encode()


@pytest.fixture
def speaking() -> Speaking:
    """What the server says."""
    return Speaking()


@pytest.fixture
def server(speaking: Speaking) -> Iterator[Server]:
    """The server, on this machine."""
    with Server(speaking.answer) as server:
        yield server


@pytest.fixture
def asking(cli: Cli, server: Server) -> Cli:
    """A memory with two conversations that wait, whose dreams ask the server."""
    for number, (name, said) in enumerate(SAID.items()):
        transcript = ClaudeTranscript(f"{name}-0000-4000-8000-00000000000{number}")
        transcript.say(said).reply(f"Noted. The token is {SECRET}.").save(cli.user_home)
    assert cli("import").code == 0
    configure(cli, server)
    return Cli(cli.memory, cli.user_home, {"NOCTUARY_MODEL_KEY": KEY})


def configure(cli: Cli, server: Server, **more: Any) -> None:
    """Write the settings: this server, and what else is said."""
    table = {"backend": "openai", "address": f"{server.url}/v1", "model": "m", "timeout_seconds": 5}
    table |= {"retry_seconds": 0.05, **more}
    lines = (f"{name} = {json.dumps(value)}" for name, value in table.items())
    (cli.memory / "config.toml").write_text("\n".join(["[dream]", *lines]) + "\n")


def remembered(cli: Cli) -> list[str]:
    """What the memory knows."""
    return sorted(each["text"] for each in cli("memory", "list", "--everywhere", "--json").json["memories"])


def pages(cli: Cli) -> list[Path]:
    """The pages."""
    return sorted((cli.memory / "memory").rglob("MEMORY.md"))


def test_a_model_reads_the_sessions(asking: Cli, server: Server) -> None:
    """What it proposes is kept with its quote; what it cost is said, and added up; nothing is asked twice."""
    ran = asking("dream")
    status, again = asking("dream", "status", "--json").json, asking("dream")

    assert ran.code == 0
    assert ran.out.startswith("Dreamt over 2 sessions")
    assert f"asked openai:m 2 times: {2 * TOKENS_IN} tokens in, {2 * TOKENS_OUT} out" in ran.out
    assert remembered(asking) == sorted(SAID.values())
    assert (status["spent_today"]["calls"], status["spent_today"]["tokens_in"]) == (2, 2 * TOKENS_IN)
    assert f"{2 * (TOKENS_IN + TOKENS_OUT)} tokens" in asking("dream", "status").out
    assert "Nothing to dream of" in again.out
    assert len(server.asked) == 2
    assert all(SECRET not in asked.body.decode() for asked in server.asked)
    assert "said by user" in asking("dream", "why", SAID["first"]).out


@pytest.mark.slow
@pytest.mark.parametrize("fault", [Fault.BUSY, Fault.BROKEN, Fault.CUT, Fault.GONE, Fault.HTML, Fault.SLOW, NOT_JSON])
def test_a_server_that_fails_at_every_call(asking: Cli, server: Server, speaking: Speaking, fault: Fault | str) -> None:
    """Both sessions wait with the reason, nothing is written, no key is said; when it answers, the dream is had."""
    speaking.fault = fault
    configure(asking, server, timeout_seconds=0.5 if fault is Fault.SLOW else 5)

    failed = asking("dream")
    status, report = asking("dream", "status"), asking("dream", "show", "--json").json
    calls = len(server.asked)
    waits = asking("dream", "--if-due")
    speaking.fault = None
    configure(asking, server)
    healed = asking("dream")

    assert failed.code == 5
    assert failed.out.count("  failed ") == 2
    assert "What failed is tried again later, or now with: noctuary dream" in failed.out
    assert status.out.count("failed after 1 attempt: ") == 2
    assert (report["processed"], report["failed"], report["kept"], report["pages"]) == (0, 2, 0, [])
    assert all(session["failure"] for session in report["sessions"])
    assert KEY not in failed.out + failed.err + status.out + json.dumps(report)
    assert "No dream is due" in waits.out
    assert calls == 8  # each part four times, and not a time more
    assert healed.out.startswith("Dreamt over 2 sessions")
    assert remembered(asking) == sorted(SAID.values())
    assert "failed" not in asking("dream", "status").out


@pytest.mark.slow
def test_one_session_that_cannot_be_read_stops_no_other(asking: Cli, speaking: Speaking) -> None:
    """The other is completed and on its page; the next dream reads what is left, and nothing twice."""
    speaking.fault, speaking.only_for = NOT_JSON, SAID["first"]

    ran, examined = asking("dream"), asking("doctor")
    between = remembered(asking)
    speaking.fault = None
    healed = asking("dream", "--json").json

    assert ran.code == 5
    assert ran.out.startswith("Dreamt over 1 session")
    assert "could not be read" in examined.out
    assert between == [SAID["second"]]
    assert (healed["processed"], healed["kept"], healed["failed"]) == (1, 1, 0)
    assert remembered(asking) == sorted(SAID.values())
    assert all(text in pages(asking)[0].read_text() for text in SAID.values())


@pytest.mark.parametrize("limit", ["run_tokens", "day_tokens"])
def test_a_budget_is_kept(asking: Cli, server: Server, limit: str) -> None:
    """What it does not reach for is not asked and waits, which is said; with more of it the rest is read."""
    configure(asking, server, **{limit: 1})

    ran, status = asking("dream"), asking("dream", "status")
    asked = len(server.asked)
    configure(asking, server)
    healed = asking("dream")

    assert ran.code == 0
    assert asked == 0
    assert "2 sessions wait for the next run" in ran.out
    assert "waiting    2 sessions" in status.out
    assert healed.out.startswith("Dreamt over 2 sessions")
    assert remembered(asking) == sorted(SAID.values())


def test_looking_asks_too_and_the_dream_does_not_pay_again(asking: Cli, server: Server) -> None:
    """What a model answered for a dry run is kept until the session is read."""
    looked, ran = asking("dream", "--dry-run"), asking("dream")

    assert looked.code == 0
    assert SAID["first"] in looked.out
    assert "asked openai:m 2 times" in looked.out
    assert len(server.asked) == 2
    assert ran.out.startswith("Dreamt over 2 sessions")


def test_a_server_that_is_not_there(asking: Cli, cli: Cli) -> None:
    """A wrong address is a model problem that names it; rules read the sessions instead if somebody says so."""
    (cli.memory / "config.toml").write_text('[dream]\nbackend = "openai"\naddress = "nonsense"\nmodel = "m"\n')

    wrong, unnamed = asking("dream"), asking("dream", "--backend", "rules")

    assert wrong.code in (2, 5)
    assert "address" in wrong.err
    assert unnamed.out.startswith("Dreamt over 2 sessions")
