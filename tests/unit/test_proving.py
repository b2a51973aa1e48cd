"""After forgetting there is a report of what went where, and a proof by reading that it is gone, without its words."""

from datetime import timedelta
from pathlib import Path

import pytest

from noctuary.app import Memory
from noctuary.forgetting import Forgotten
from noctuary.proving import probes_of, prove
from noctuary.records import Message, Role, Session
from noctuary.settings import Settings
from noctuary.testing import START, ClaudeTranscript, FakeClock
from tests.databases import url_of

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("database")]

SHOP = "/home/ana/code/shop"
CLOVES = "Never ship cloves from zanzibar77, always ship them from the mainland."
PEPPER = "Always weigh the pepper twice before it is shipped."


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    home = tmp_path / "memory"
    return Memory.from_settings(Settings(home, "ana", tmp_path / "user", {}, database_url=url_of(home)), FakeClock())


def talk(memory: Memory, session: str, *said: str) -> None:
    """A session that has ended."""
    transcript = ClaudeTranscript(session, cwd=SHOP, start=START + timedelta(days=1))
    for text in said:
        transcript.say(text).reply("I will see to it.")
    transcript.save(memory.settings.user_home)
    memory.import_transcripts()
    memory.dreams.end_session(session)


@pytest.mark.parametrize(
    "what", [Forgotten(session="s-1"), Forgotten(project=SHOP), Forgotten(text="cloves from zanzibar77")]
)
def test_a_report_says_what_went_and_proves_it(memory: Memory, what: Forgotten) -> None:
    """Rows, entries, memories and lines are counted, nothing is left anywhere, and the report is kept without words."""
    talk(memory, "s-1", CLOVES)
    memory.dream()
    assert memory.search("zanzibar77").hits

    report = memory.forget_provably(what)

    assert report.removed["messages"] > 0
    assert report.removed["index entries"] > 0
    assert report.removed["memories"] == 1
    assert report.removed["lines of the journal"] > 0
    assert report.proof.probes > 0
    assert report.proof.left == {}
    assert report.proof.is_gone
    assert memory.forget_reports() == [report]
    assert "zanzibar77" not in repr(report)
    assert memory.verify_journals() == []


def test_what_stays_is_told(memory: Memory) -> None:
    """What somebody wrote down by hand stays, and the report says where it still is."""
    talk(memory, "s-1", CLOVES)
    task = memory.work(SHOP).open_task("Trade", goal="Spices")
    memory.work(SHOP).note("decision", CLOVES, node=task)

    report = memory.forget_provably(Forgotten(session="s-1"))

    assert not report.proof.is_gone
    assert sum(report.proof.left.values()) > 0


def test_what_stays_is_found_however_it_is_written(memory: Memory) -> None:
    """In JSON a quotation mark has another sign before it, and letters beyond ASCII are there as they are, or are not.

    A proof that looked for the words as they were said would prove nothing.
    """
    said = 'The sign says "größer als zanzibar77" on both sides.'
    talk(memory, "s-1", said)
    task = memory.work(SHOP).open_task("Trade", goal="Spices")
    memory.work(SHOP).note("finding", f"As I was told: {said}", node=task)

    report = memory.forget_provably(Forgotten(session="s-1"))

    assert any(name.startswith(("journal/", "events")) for name in report.proof.left)


@pytest.mark.of_files
def test_memories_that_were_moved_aside_are_named(memory: Memory) -> None:
    """A restore leaves what was there beside the home; it still has what is forgotten now."""
    talk(memory, "s-1", CLOVES)
    aside = memory.settings.home.with_name("memory.before-restore-2026-11-18T09-43-57Z")
    aside.mkdir()

    report = memory.forget_provably(Forgotten(session="s-1"))

    assert [*report.untouched] == [str(aside)]


def test_what_others_said_proves_nothing(memory: Memory) -> None:
    """A sentence that another session has as well is not looked for."""
    talk(memory, "s-1", CLOVES)
    talk(memory, "s-2", CLOVES, PEPPER)

    report = memory.forget_provably(Forgotten(session="s-1"))

    assert report.proof.elsewhere > 0
    assert report.proof.is_gone


@pytest.mark.of_files
def test_snapshots_are_named_and_not_touched(memory: Memory) -> None:
    """They still have what was forgotten later, so the report names them."""
    talk(memory, "s-1", CLOVES)
    made = memory.snapshot()

    report = memory.forget_provably(Forgotten(session="s-1"))

    assert report.untouched == [str(made.path)]
    assert report.proof.is_gone


@pytest.mark.of_files
def test_a_proof_finds_what_is_there(memory: Memory) -> None:
    """A word in any file of the memory, whatever the file is, is found and counted."""
    memory.add_session(Session(id="s-1"), [Message(role=Role.USER, content="Nothing.")])
    (memory.settings.home / "log").mkdir()
    (memory.settings.home / "log" / "x.log").write_text(f"{CLOVES}\n{CLOVES}\n")

    proof = prove(memory.store, memory.settings.home, "ana", probes_of([CLOVES]))

    assert proof.left == {"log/x.log": 2}
    assert proof.files > 1


def test_a_proof_looks_into_every_row(memory: Memory) -> None:
    """On a server texts stand in rows, and pages in files: both are searched."""
    memory.add_session(Session(id="s-1"), [Message(role=Role.USER, content="Nothing.")])
    no, _ = memory.store.sessions.find("ana", "s-1") or (0, None)
    memory.store.database.fetch("preview_session", no=no, preview=CLOVES)
    page = memory.settings.home / "memory" / "ana" / "shop" / "MEMORY.md"
    page.parent.mkdir(parents=True)
    page.write_text(CLOVES)
    is_server = memory.store.database.dialect == "postgres"

    proof = prove(memory.store, memory.settings.home, "ana", probes_of([CLOVES]))

    assert proof.left["memory/ana/shop/MEMORY.md"] == 1
    assert len(proof.left) > 1
    assert (proof.left.get("sessions"), proof.rows > 0) == ((1, True) if is_server else (None, False))
