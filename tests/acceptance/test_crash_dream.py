"""`kill -9` during a dream, at random places: no torn page, nothing doubled, nothing lost, and the next run completes.

The same while a dream is taken back and while all it proposed is accepted: it is as before, or as after, project by
project, and doing it again brings it to its end.
"""

import random
import shutil
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

from noctuary.app import Memory
from noctuary.authored import EventStatus
from noctuary.clock import SystemClock
from noctuary.dreams import DreamStatus, RunStatus
from noctuary.ledger.verifying import Kind
from noctuary.memory_file import read_page
from noctuary.records import Message, Role, Session, Status
from noctuary.settings import Settings
from tests.acceptance.killing import attempts, kill, start

KILLS = 25
KILLS_AFTERWARDS = 10
SESSIONS = 24
PROJECTS = ("/home/ana/code/shop", "/home/ana/code/till", "")
START_MS = 1_772_366_400_000
LOADED = "memory.dreams.rehearse(most=1)"  # so that what is killed is the work, not the loading of what does it
DREAM, UNDO, ACCEPT = "memory.dream()", "memory.dreams.undo()", "memory.dreams.accept_all()"
NOUNS = (
    "cart",
    "checkout",
    "invoice",
    "ledger",
    "voucher",
    "basket",
    "receipt",
    "refund",
    "tax",
    "stock",
    "price",
    "login",
)

Text = Counter[tuple[str, str, str]]


class Essence(NamedTuple):
    """What a memory knows, whatever its entries are called."""

    entries: Text  # project, type and text of what holds
    memories: Text  # project, text and status
    pages: dict[str, bytes]
    waiting: int
    completed: int


def open_memory(folder: Path) -> Memory:
    """The memory as the process opens it that is killed."""
    return Memory.from_settings(Settings(home=folder, owner="ana", user_home=folder, environ={}), SystemClock())


def said(number: int) -> list[Message]:
    """A conversation with rules, choices, findings and what was found out."""
    noun, other = NOUNS[number % len(NOUNS)], NOUNS[(number * 5 + 1) % len(NOUNS)]
    turns = (
        (
            Role.USER,
            f"The {noun} test fails. Never commit the {noun} fixtures of run {number}; always use whole cents.",
        ),
        (
            Role.ASSISTANT,
            f"The root cause was the time zone of the {noun}: the clock of {other} {number} is not frozen.",
        ),
        (
            Role.USER,
            f"Let's use SQLite for the {noun} of {other}, not Redis, because it must survive a deploy {number}.",
        ),
        (
            Role.ASSISTANT,
            f"Done. I decided to keep the {noun} table {number} in SQLite with an expiry index on {other}.",
        ),
        (Role.USER, f"Please remember that the {noun} of shop {number} closes at {number % 12 + 1} o'clock."),
        (Role.ASSISTANT, f"All {number + 3} tests of {noun} pass now; the {other} fix is in src/{noun}_{number}.py."),
    )
    start_ms = START_MS + number * 3_600_000
    return [Message(role=role, content=text, ts_ms=start_ms + at * 1_000) for at, (role, text) in enumerate(turns)]


@pytest.fixture(scope="module")
def waiting(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A memory in which sessions of three projects have ended, and nobody has dreamt yet."""
    folder = tmp_path_factory.mktemp("crash") / "waiting"
    with open_memory(folder) as memory:
        for number in range(SESSIONS):
            name, project = f"session-{number:02}", PROJECTS[number % len(PROJECTS)]
            session = Session(id=name, project=project or None, status=Status.ENDED, started_ms=START_MS, agent="codex")
            memory.add_session(session, said(number))
    return folder


@pytest.fixture(scope="module")
def dreamt(waiting: Path) -> Path:
    """The same after a dream that nobody disturbed."""
    folder = waiting.with_name("dreamt")
    shutil.copytree(waiting, folder)
    with open_memory(folder) as memory:
        assert memory.dream().report.processed == SESSIONS
    return folder


def essence(folder: Path) -> Essence:
    """What the memory in a folder knows; it is sound, and so is every page."""
    with open_memory(folder) as memory:
        outlook, night = memory.dreams.outlook(), memory.dreams.night
        assert {finding.kind for finding in memory.verify_journals()} <= {Kind.TORN}  # half a line is set aside
        assert memory.dreams.checked() == []
        works = [memory.work(project) for project in PROJECTS]
        entries = [entry for work in works for entry in work.entries(limit=10_000, suggested=True)]
        held = [entry for entry in entries if entry.hidden_by is None and entry.status is not EventStatus.RETRACTED]
        memories = night.store.memories.where("ana", statuses=None, most=10_000)
        return Essence(
            Counter((entry.event.project, str(entry.acts_as), entry.event.text) for entry in held),
            Counter((one.project, one.text, str(one.status)) for one in memories if one.status != "retracted"),
            {str(path.relative_to(folder)): path.read_bytes() for path in pages(folder)},
            outlook.waiting + outlook.held,
            len(night.store.dreams.where("ana", status=DreamStatus.COMPLETED)),
        )


def pages(folder: Path) -> list[Path]:
    """The pages and the files of topics."""
    return sorted(path for path in (folder / "memory").rglob("*.md") if path.name != "archive.md")


def assert_no_page_is_torn(folder: Path) -> None:
    """Every file that is there is as somebody wrote it, to its last line."""
    for path in pages(folder):
        page = read_page(path)
        assert (page.is_whole, page.is_edited) == (True, False), path


def seconds(work: str, folder: Path) -> float:
    """How long it takes if nobody stops it."""
    process = start(work, folder, folder, first=LOADED)
    began = time.monotonic()
    process.communicate()
    assert process.returncode == 0
    return time.monotonic() - began


def copied(folder: Path, to: Path) -> Path:
    """The memory again, in a folder that had another."""
    shutil.rmtree(to, ignore_errors=True)
    shutil.copytree(folder, to)
    return to


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_a_killed_dream_is_completed_by_the_next(waiting: Path, dreamt: Path, tmp_path: Path, seed: int) -> None:
    """Wherever it is killed, what the next dream ends with is what one dream would have: the same pages to the byte."""
    expected, chance = essence(dreamt), random.Random(seed)
    longest = seconds(DREAM, copied(waiting, tmp_path / "memory"))
    hits: Counter[str] = Counter()
    for _ in attempts(KILLS, hits, killed=KILLS // 2, partial=KILLS // 4):
        folder = copied(waiting, tmp_path / "memory")
        hits["killed"] += kill(start(DREAM, folder, folder, first=LOADED), chance.uniform(0, longest))
        assert_no_page_is_torn(folder)
        with open_memory(folder) as memory:
            done = len(memory.store.dreams.where("ana", status=DreamStatus.COMPLETED))
            hits["partial"] += 0 < done < SESSIONS
            report = memory.dream().report
            assert report.status is RunStatus.COMPLETED
            assert (report.failed, report.waiting, report.warnings) == (0, 0, ())
        assert essence(folder) == expected
        with open_memory(folder) as memory:
            assert memory.dream().report.changes == ()
            assert memory.doctor().is_healthy
        assert essence(folder) == expected

    assert hits["killed"] > KILLS // 2
    assert hits["partial"] > KILLS // 4, "the kills did not hit the middle of dreams"


@pytest.mark.slow
def test_killed_again_and_again_a_dream_comes_to_its_end(waiting: Path, dreamt: Path, tmp_path: Path) -> None:
    """A dream that is killed before each of its sessions is done loses none of those that were."""
    expected, chance = essence(dreamt), random.Random(3)
    longest = seconds(DREAM, copied(waiting, tmp_path / "memory"))
    folder, before = copied(waiting, tmp_path / "memory"), 0
    for _ in range(KILLS):
        kill(start(DREAM, folder, folder, first=LOADED), chance.uniform(0, longest / 4))
        assert_no_page_is_torn(folder)
        with open_memory(folder) as memory:
            done = len(memory.store.dreams.where("ana", status=DreamStatus.COMPLETED))
        assert done >= before
        before = done
    with open_memory(folder) as memory:
        memory.dream()

    assert essence(folder) == expected


@pytest.mark.slow
@pytest.mark.parametrize("work", [UNDO, ACCEPT])
def test_killed_while_a_dream_is_taken_back_or_accepted(dreamt: Path, tmp_path: Path, work: str) -> None:
    """Each project is as before or as after, and doing it again does the rest."""
    before, chance = essence(dreamt), random.Random(work)
    longest = seconds(work, copied(dreamt, tmp_path / "memory"))
    after = essence(tmp_path / "memory")
    assert after != before
    hits: Counter[str] = Counter()
    for _ in attempts(KILLS_AFTERWARDS, hits, killed=KILLS_AFTERWARDS // 4):
        folder = copied(dreamt, tmp_path / "memory")
        hits["killed"] += kill(start(work, folder, folder, first=LOADED), chance.uniform(0, longest))
        assert_no_page_is_torn(folder)
        found = essence(folder)
        for project in PROJECTS:
            assert of_project(found, project) in (of_project(before, project), of_project(after, project))
        with open_memory(folder) as memory:
            if work == ACCEPT:
                memory.dreams.accept_all()
            elif memory.dreams.show().status is not RunStatus.UNDONE:
                memory.dreams.undo()
            memory.dream(project="nowhere")  # writes what is due
        assert essence(folder) == after

    assert hits["killed"] > KILLS_AFTERWARDS // 4


def of_project(known: Essence, project: str) -> tuple[Text, Text]:
    """What is known of one project."""
    entries = {said: count for said, count in known.entries.items() if said[0] == project}
    return Counter(entries), Counter({said: count for said, count in known.memories.items() if said[0] == project})
