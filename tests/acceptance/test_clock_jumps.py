"""A clock that jumps between verbs, by a day or by years, back and forth: order, citations and dreams hold."""

from datetime import timedelta
from pathlib import Path

import pytest

from noctuary.app import Memory
from noctuary.dreams import RunStatus
from noctuary.records import Message, Role, Session
from noctuary.settings import Settings
from noctuary.testing import FakeClock
from tests import databases
from tests.faults.verbs import said

SHOP = "/home/ana/code/shop"
DAY, YEARS = timedelta(days=1), timedelta(days=365 * 8)
JUMPS = {
    "a day back": (-DAY,),
    "a day forth": (DAY,),
    "back and forth": (-DAY, DAY),
    "years back": (-YEARS,),
    "years forth, then right again": (YEARS, -YEARS),
    "back to before it was right": (-YEARS, YEARS, -DAY),
}


@pytest.mark.parametrize("jumps", JUMPS.values(), ids=JUMPS)
def test_a_clock_that_jumps(tmp_path: Path, database: str, jumps: tuple[timedelta, ...]) -> None:
    """Lines keep their order, what is corrected stays so, dreams run and end, and a snapshot is put back."""
    clock, turn = FakeClock(), 0
    home, url = tmp_path / "home", databases.url_of(tmp_path / "home")
    settings = Settings(home=home, owner="ana", user_home=tmp_path / "user", environ={}, database_url=url)

    def jump() -> None:
        nonlocal turn
        clock.advance(jumps[turn % len(jumps)])
        turn += 1

    with Memory.from_settings(settings, clock) as memory:
        memory.add_session(Session(id="s-0", project=SHOP, agent="codex"), said(0))
        work = memory.work(SHOP)
        task = work.open_task("Move sessions to SQLite", goal="No Redis")
        jump()
        wrong = work.note("constraint", "Deploys happen on Mondays.", node=task)
        jump()
        work.correct(wrong.event.id, "Deploys happen on Tuesdays.")
        jump()
        memory.append("s-0", Message(role=Role.USER, content="The cart is empty again."))
        memory.dreams.end_session("s-0")
        jump()
        report = memory.dream().report
        assert (report.status, report.processed, report.failed) == (RunStatus.COMPLETED, 1, 0)
        jump()
        assert memory.dream().report.changes == ()
        made = memory.snapshot(tmp_path / "kept").path
        texts = [entry.event.text for entry in work.entries(limit=100)]
        journal = memory.ledger.journal(SHOP)

        assert "Deploys happen on Tuesdays." in texts
        assert "Deploys happen on Mondays." not in texts
        assert journal.is_in_order()
        assert memory.verify_journals() == []
        assert memory.doctor().is_healthy

    jump()
    Memory.restore(made, tmp_path / "again", clock=clock)
    with Memory.from_settings(settings._replace(home=tmp_path / "again", database_url=None), clock) as memory:
        assert [entry.event.text for entry in memory.work(SHOP).entries(limit=100)] == texts
        assert memory.search("cart empty").hits
