"""`noctuary scrub`: a look changes nothing, --yes takes secrets out, and `kill -9` at any moment loses nothing."""

import json
import random
import shutil
from pathlib import Path

import pytest

from noctuary.ledger.verifying import verify
from noctuary.records import Message, Role, Session
from tests.acceptance.conftest import Cli
from tests.acceptance.killing import kill, start
from tests.unit.importing.machine import said
from tests.unit.scrubbing.planting import PLACEHOLDER, SECRET, SHOP, leaks, open_in, plant

KILLS = 8


def test_look_then_scrub(cli: Cli) -> None:
    """First the numbers, then the placeholder, then nothing more; the secret is never shown."""
    with open_in(cli.memory) as memory:
        plant(memory)

    look, done, again = cli("scrub"), cli("scrub", "--yes", "--json"), cli("scrub")

    assert look.code == 0
    assert "github-token" in look.out
    assert "Nothing was changed" in look.out
    assert json.loads(done.out)["scrubbed"] is True
    assert json.loads(done.out)["kinds"]["github-token"] > 5
    assert "No secrets were found" in again.out
    assert not any(SECRET in ran.out for ran in (look, done, again))
    assert cli("journal", "verify").code == 0
    assert [*leaks(cli.memory)] == []


@pytest.mark.slow
def test_killed_at_any_moment(tmp_path: Path) -> None:
    """Whenever it dies, the memory opens, its journal is sound or heals, and the next scrub completes it."""
    whole = tmp_path / "whole"
    with open_in(whole) as memory:
        plant(memory)
        talk = [Message(role=Role.USER, content=f"Message {n} with {n * 7}.") for n in range(2_000)]
        memory.add_session(Session(id="long", project=SHOP), talk)
        memory.snapshot()
    chance = random.Random(3)
    for number in range(KILLS):
        folder = tmp_path / f"memory-{number}"
        shutil.copytree(whole, folder)

        kill(start("memory.scrub()", folder, tmp_path / "user"), chance.uniform(0, 0.5))

        with open_in(folder) as memory:
            memory.ledger.catch_up()
            assert verify(memory.ledger) == []
            assert memory.doctor().is_healthy
            assert len(said(memory, "long")) == 2_000
            tally = memory.scrub()
            assert tally.warnings == []
            assert said(memory, "s-1")[0].startswith(f"Please deploy with {PLACEHOLDER}")
        assert [*leaks(folder)] == []
        shutil.rmtree(folder)
