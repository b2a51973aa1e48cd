"""What is forgotten leaves dreams as well: entries, memories, pages and their copies, reports; and it stays away."""

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from noctuary.app import Memory
from noctuary.dream.forgetting_lines import FORGOTTEN
from noctuary.dream.life.run_lock import run_lock
from noctuary.dream.pages.places import page_path
from noctuary.dream.reports import from_json
from noctuary.dream.run import dream
from noctuary.dreams import Trigger
from noctuary.errors import StoreBusy, StoreReadOnly
from noctuary.forgetting import Forgotten
from noctuary.ledger.ledger import entry_from
from noctuary.settings import Settings
from noctuary.store.memories import MemoryStatus, Remembered
from noctuary.testing import START, ClaudeTranscript, FakeClock
from noctuary.work.event_meta import PlannedTask, opens
from tests.unit.dream.reading_by_script import Verbatim

pytestmark = pytest.mark.slow

WORD = "zanzibar77"
CLOVES = f"Never ship cloves from {WORD}, always ship them from the mainland."
PEPPER = "Always weigh the pepper twice before it is shipped."
SHOP = "/home/ana/code/shop"


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def memory(tmp_path: Path, clock: FakeClock) -> Memory:
    """A memory in which nothing was said yet."""
    return Memory.from_settings(Settings(tmp_path / "memory", "ana", tmp_path / "user", {}), clock)


def talk(memory: Memory, session: str, *said: str, days: int = 0, cwd: str = SHOP) -> None:
    """A session that has ended, in which the user said this."""
    transcript = ClaudeTranscript(session, cwd=cwd, start=START + timedelta(days=days))
    for text in said:
        transcript.say(text).reply("I will see to it.")
    transcript.save(memory.settings.user_home)
    memory.import_transcripts()
    memory.dreams.end_session(session)


def texts(memory: Memory, *statuses: MemoryStatus) -> list[str]:
    return [one.text for one in memory.store.memories.where(memory.owner, statuses=statuses or (MemoryStatus.ACTIVE,))]


def about(memory: Memory, word: str) -> Remembered:
    """The memory with this word, whatever became of it."""
    known = memory.store.memories.where(memory.owner, statuses=None)
    return next(one for one in known if word in one.text)


def page(memory: Memory) -> str:
    return page_path(memory.settings.home, memory.owner, SHOP).read_text()


def written(memory: Memory) -> str:
    """All that dreams wrote for people: pages, topics, archive, copies, generations and reports."""
    folder = memory.settings.home / "memory"
    files = [path.read_text() for path in sorted(folder.rglob("*")) if path.is_file()]
    generations = [one.body for one in memory.store.pages.generations(memory.owner, SHOP)]
    reports = [run.report or "" for run in memory.store.dreams.runs(memory.owner)]
    return "\n".join([*files, *generations, *reports])


def proposed_titles(memory: Memory) -> list[PlannedTask]:
    """The tasks that dreams have proposed, whatever became of that."""
    events = [entry_from(row).event for row in memory.store.events.all(memory.owner, None)]
    return [planned for event in events if (planned := opens(event.meta))]


WAYS: dict[str, Callable[[Memory], Forgotten]] = {
    "session": lambda _: Forgotten(session="s-1"),
    "query": lambda memory: Forgotten(query=memory.query(WORD)),
    "text": lambda _: Forgotten(text=f"from {WORD}"),
}


@pytest.mark.parametrize("way", WAYS)
def test_c21_gone_from_pages_copies_and_reports(memory: Memory, clock: FakeClock, way: str) -> None:
    """However it is forgotten, nothing that a dream wrote for people has the words; the rest is as it was."""
    talk(memory, "s-1", CLOVES)
    memory.dream()
    assert WORD in page(memory)
    clock.advance(timedelta(days=1))
    talk(memory, "s-2", PEPPER, days=1)
    memory.dream()
    archive = page_path(memory.settings.home, memory.owner, SHOP).with_name("archive.md")
    archive.write_text(f"- 2026-03-01: {CLOVES} [{about(memory, WORD).id}]\n- 2026-03-01: {PEPPER} [m-other]\n")
    assert memory.plan_forgetting(WAYS[way](memory)).memories == (CLOVES,)

    memory.forget(WAYS[way](memory))

    assert WORD not in written(memory)
    assert PEPPER in page(memory)
    assert PEPPER in archive.read_text()
    assert texts(memory) == [PEPPER]
    assert memory.work(SHOP).find_entries(WORD) == []
    assert all(WORD not in one.entry.event.text for one in memory.dreams.suggestions(SHOP))
    assert memory.dreams.checked() == []
    assert memory.doctor().is_healthy


@pytest.mark.parametrize("way", WAYS)
def test_no_later_dream_brings_it_back(memory: Memory, clock: FakeClock, way: str) -> None:
    """Neither the next dream, nor a rebuild, nor taking back another run, nor the same transcript under another id."""
    talk(memory, "s-1", CLOVES)
    memory.dream()
    clock.advance(timedelta(days=1))
    talk(memory, "s-2", PEPPER, days=1)
    second = memory.dream()
    memory.forget(WAYS[way](memory))

    talk(memory, "fork", CLOVES)
    memory.dream()
    second.undo()
    memory.dreams.heal()
    memory.rebuild()
    memory.dream()

    assert texts(memory, MemoryStatus.ACTIVE, MemoryStatus.PROPOSED) == [PEPPER]  # which was read once more
    assert WORD not in page(memory)


def test_what_other_sessions_said_as_well_stays_in_their_words(memory: Memory, clock: FakeClock) -> None:
    """A memory that rests on several sessions loses one of them, and its words if they were those of that session."""
    talk(memory, "s-1", PEPPER)
    memory.dream()
    clock.advance(timedelta(days=1))
    talk(memory, "s-2", PEPPER, days=1)
    memory.dream()
    assert about(memory, "pepper").facts["support"] == 2
    assert memory.plan_forgetting(Forgotten(session="s-1")).memories == ()

    memory.forget(Forgotten(session="s-1"))

    (kept,) = memory.store.memories.where(memory.owner)
    said = memory.ledger.entry(kept.event)
    assert said is not None
    assert (kept.text, kept.facts["support"], kept.facts["sessions"]) == (PEPPER, 1, ["s-2"])
    assert [cited.session for cited in said.event.refs.messages] == ["s-2"]
    assert PEPPER in page(memory)


def test_what_it_superseded_holds_again(memory: Memory, clock: FakeClock) -> None:
    """A rule whose successor is forgotten is the rule again."""
    talk(memory, "s-1", "Use Redis for sessions")
    dream(memory.dreams.night, Verbatim(), trigger=Trigger.MANUAL)
    clock.advance(timedelta(days=5))
    talk(memory, "s-2", "Use SQLite for sessions", days=5)
    dream(memory.dreams.night, Verbatim(), trigger=Trigger.MANUAL)
    assert about(memory, "Redis").status is MemoryStatus.SUPERSEDED

    memory.forget(Forgotten(session="s-2"))

    assert about(memory, "Redis").status is MemoryStatus.ACTIVE
    assert not any("SQLite" in text for text in texts(memory, *MemoryStatus))
    assert about(memory, FORGOTTEN).status is MemoryStatus.RETRACTED
    assert "Redis" in page(memory)


def test_what_a_user_worded_stays_the_users(memory: Memory) -> None:
    """A proposal that was accepted in other words, and a memory that the user asked for, do not go with a session."""
    talk(memory, "s-1", CLOVES)
    memory.dream()
    (suggestion,) = (one for one in memory.dreams.suggestions(SHOP) if WORD in one.entry.event.text)
    memory.dreams.accept(suggestion.entry.event.id, "Ship cloves from the mainland only.")
    memory.work(SHOP).remember("Nutmeg is sold by weight.")
    assert memory.plan_forgetting(Forgotten(session="s-1")).memories == ()

    memory.forget(Forgotten(session="s-1"))

    assert about(memory, "mainland only").facts["messages"] == []  # nor is the quote kept
    assert sorted(texts(memory)) == ["Nutmeg is sold by weight.", "Ship cloves from the mainland only."]


def test_words_are_forgotten_wherever_a_memory_has_them(memory: Memory) -> None:
    """Also if the user asked for the memory: the words would else be on the page that every session reads."""
    memory.work(SHOP).remember(f"The keys of {WORD} are with Ana.")
    memory.work(SHOP).remember("Nutmeg is sold by weight.")
    assert memory.plan_forgetting(Forgotten(text=WORD)).is_anything

    memory.forget(Forgotten(text=WORD))

    assert texts(memory) == ["Nutmeg is sold by weight."]


def test_records_and_answers_of_models_go(memory: Memory) -> None:
    """Nothing waits to be read, and no answer about it is kept."""
    talk(memory, "s-1", CLOVES)
    talk(memory, "s-2", PEPPER)
    for session in ("s-1", "s-2"):
        memory.store.dreams.save_answer(memory.owner, session, "key", f"about {session}")

    memory.forget(Forgotten(session="s-1"))

    assert [record.session for record in memory.dreams.waiting()] == ["s-2"]
    assert memory.store.dreams.of_session(memory.owner, "s-1") == []
    assert memory.store.dreams.answer(memory.owner, "s-1", "key") is None
    assert memory.store.dreams.answer(memory.owner, "s-2", "key") == "about s-2"


def test_answers_about_a_forgotten_message_go(memory: Memory) -> None:
    """What a model said about the session may have its words."""
    talk(memory, "s-1", CLOVES, PEPPER)
    memory.store.dreams.save_answer(memory.owner, "s-1", "key", f"about {WORD}")

    memory.forget(Forgotten(text=WORD))

    assert memory.store.dreams.answer(memory.owner, "s-1", "key") is None
    assert [record.session for record in memory.dreams.waiting()] == ["s-1"]


def test_reports_keep_their_numbers(memory: Memory) -> None:
    """What was read and kept is told as it was, without the words, the difference of the page, and the session."""
    talk(memory, "s-1", CLOVES)
    before = memory.dream().report

    memory.forget(Forgotten(session="s-1"))

    (run,) = memory.store.dreams.runs(memory.owner)
    report = from_json(run.report or "")
    assert (report.kept, report.processed, len(report.changes)) == (before.kept, before.processed, len(before.changes))
    assert (report.sessions, report.diff) == ((), "")
    assert WORD not in json.dumps(report)


def test_nothing_is_forgotten_while_a_dream_goes_on(memory: Memory) -> None:
    """It may have read what should go, and would write it down after it is gone."""
    talk(memory, "s-1", CLOVES)
    with run_lock(memory.settings.home), pytest.raises(StoreBusy, match="A dream is going on"):
        memory.forget(Forgotten(session="s-1"))

    assert memory.session("s-1").message_count == 2


def test_forgetting_again_finishes_what_was_broken_off(memory: Memory) -> None:
    """A page that cannot be written is told, and the messages stay until it can: the second time all of it goes."""
    talk(memory, "s-1", CLOVES)
    memory.dream()
    path = page_path(memory.settings.home, memory.owner, SHOP)
    path.chmod(0o400)
    with pytest.raises(StoreReadOnly):
        memory.forget(Forgotten(session="s-1"))
    path.chmod(0o600)
    assert memory.session("s-1").message_count == 2

    memory.forget(Forgotten(session="s-1"))

    assert WORD not in written(memory)
    assert memory.sessions() == []


def test_lines_of_the_journal_lose_the_words(memory: Memory) -> None:
    """What dreams took is in no line any more, nor in the database; the journal proves what was rewritten."""
    talk(memory, "s-1", CLOVES)
    talk(memory, "s-2", PEPPER)
    memory.dream()
    path = memory.ledger.journal(SHOP).path
    assert WORD in path.read_text()

    memory.forget(Forgotten(session="s-1"))

    assert WORD not in path.read_text()
    assert PEPPER in path.read_text()
    assert memory.verify_journals() == []
    assert all(WORD not in entry_from(row).event.text for row in memory.store.events.all(memory.owner, None))
    assert texts(memory) == [PEPPER]
    memory.rebuild()
    assert texts(memory) == [PEPPER]
    assert memory.dream().report.kept == 0
    memory.close()
    assert WORD.encode() not in (memory.settings.home / "noctuary.db").read_bytes()


@pytest.mark.parametrize("way", WAYS)
def test_a_task_that_was_proposed_goes_with_its_title(memory: Memory, way: str) -> None:
    """A title is the beginning of what was said, in the journal and in the database; the proof finds nothing left."""
    talk(memory, "s-1", CLOVES, PEPPER, "We decided to use paper bags instead of plastic ones.")
    memory.dream()
    path = memory.ledger.journal(SHOP).path
    assert any(WORD in planned.title for planned in proposed_titles(memory))

    report = memory.forget_provably(WAYS[way](memory))

    assert not any(WORD in planned.title for planned in proposed_titles(memory))
    assert WORD not in path.read_text()
    assert memory.verify_journals() == []
    assert report.proof.left == {}


def test_taking_back_a_run_does_not_bring_back_what_was_forgotten_since(memory: Memory, clock: FakeClock) -> None:
    """The run knows how the memory was before it, words and all; what was forgotten stays forgotten."""
    talk(memory, "s-1", CLOVES)
    memory.dream()
    clock.advance(timedelta(days=1))
    talk(memory, "s-2", CLOVES, days=1)
    second = memory.dream()
    memory.forget(Forgotten(text=f"from {WORD}"))

    second.undo()

    assert texts(memory) == []
    assert WORD not in written(memory)
