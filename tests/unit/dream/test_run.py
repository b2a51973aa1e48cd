"""A run: what waits is read once, what it gives is written, and a report says so."""

from datetime import timedelta
from pathlib import Path

import pytest

from noctuary.dream.life.completing import end_session
from noctuary.dream.life.eligibility import eligibility
from noctuary.dream.life.run_lock import run_lock
from noctuary.dream.night import HOUR_MS, Night
from noctuary.dream.pages.writing import page_path
from noctuary.dream.reading import MOST_TOGETHER
from noctuary.dream.reports import from_json
from noctuary.dream.run import Wanted, dream
from noctuary.dreams import ChangeKind, DreamStatus, Eligibility, Report, RunStatus, Trigger
from noctuary.errors import BudgetSpent, ModelUnreachable, StoreFull
from noctuary.fences import fenced
from noctuary.ledger.ledger import entry_from
from noctuary.models.rules.extractor import RulesExtractor
from noctuary.proposals import Conversation, Extraction
from noctuary.records import Hidden, Message, Role, Status
from noctuary.store.dreams import StoredRun
from noctuary.testing import FakeClock
from tests.unit.dream.nights import OWNER, PROJECT, add_messages, add_session, open_night, records
from tests.unit.dream.reading_by_script import Verbatim

pytestmark = pytest.mark.slow

TABS = "Always indent the shop with tabs, never with spaces."
ROUNDING = "Prices are rounded half to even in `billing.py`, because invoices must add up."


def ended(night: Night, *names: str, said: tuple[str, ...] = (TABS, ROUNDING)) -> None:
    for name in names:
        add_session(night, name, *(f"{text} ({name})" if len(names) > 1 else text for text in said))
        end_session(night, name)


def texts(night: Night) -> list[str]:
    rows = night.store.events.suggested(night.owner, None)
    return [row[-1] for row in rows]


def page(night: Night) -> str:
    return page_path(night.home, night.owner, PROJECT).read_text(encoding="utf-8")


def test_d1_d5_a_completed_session_becomes_entries_memories_and_a_page(night: Night) -> None:
    """What a user demanded in a session that ended stands in MEMORY.md, with the words it rests on in the journal."""
    ended(night, "s-1")

    report = dream(night, RulesExtractor(), trigger=Trigger.MANUAL)

    assert (report.status, report.considered, report.processed, report.failed) == (RunStatus.COMPLETED, 1, 1, 0)
    assert "tabs" in page(night)
    assert ChangeKind.ADDED in {change.kind for change in report.changes}
    assert all('"quote"' in body for body in texts(night) if '"open"' not in body)


def test_d16_a_session_that_goes_on_is_not_read(night: Night) -> None:
    """What has not ended is no candidate, and nothing of it is written."""
    add_session(night, "s-1", TABS, ROUNDING)

    report = dream(night, Verbatim(), trigger=Trigger.MANUAL)

    assert (report.considered, report.kept) == (0, 0)
    assert eligibility(night, "s-1") is Eligibility.NOT_COMPLETED
    assert not page_path(night.home, night.owner, PROJECT).exists()


def test_d24_d25_a_second_run_adds_nothing(night: Night) -> None:
    """Once read is read: the next run finds nothing to do, and the page is byte for byte the same."""
    ended(night, "s-1")
    dream(night, Verbatim(), trigger=Trigger.MANUAL)
    before, events = page(night), night.store.events.count(OWNER)

    report = dream(night, Verbatim(), trigger=Trigger.MANUAL)

    assert (report.kept, report.merged, report.changes) == (0, 0, ())
    assert (page(night), night.store.events.count(OWNER)) == (before, events)


def test_c17_a_resumed_session_is_read_for_what_is_new_only(night: Night, clock: FakeClock) -> None:
    """A session that goes on after its end is read again when it ends again, from where the last reading stopped."""
    ended(night, "s-1")
    reader = Verbatim()
    dream(night, reader, trigger=Trigger.MANUAL)
    clock.advance(timedelta(hours=1))
    add_messages(night, "s-1", "Never deploy the shop on a Friday afternoon.")
    end_session(night, "s-1")

    report = dream(night, reader, trigger=Trigger.MANUAL)

    assert reader.read == [("s-1", 1, 2), ("s-1", 3, 3)]
    assert report.kept == 1
    assert [record.epoch for record in records(night, "s-1")] == [1, 2]


def test_d32_a_run_that_nobody_asks_for_waits_until_it_is_due(night: Night) -> None:
    """Four sessions are not enough; the fifth makes it due, and the report says why it ran."""
    ended(night, *(f"s-{number}" for number in range(4)))
    assert dream(night, Verbatim()).status is RunStatus.NOT_DUE

    ended(night, "s-5")
    report = dream(night, Verbatim())

    assert (report.status, report.trigger, report.processed) == (RunStatus.COMPLETED, Trigger.SESSION_COUNT, 5)


@pytest.mark.of_files
def test_d38_r13_a_busy_run_says_how_many_wait_and_consumes_none(night: Night) -> None:
    """While another run has the lock, the report is `skipped` with all that waits, and nothing is read."""
    ended(night, "s-1", "s-2")
    reader = Verbatim()
    with run_lock(night.home):
        report = dream(night, reader, trigger=Trigger.MANUAL)

    assert (report.status, report.lock, report.considered, report.waiting) == (RunStatus.SKIPPED, "busy", 2, 2)
    assert (report.phases, report.sessions, reader.read) == ((), (), [])
    assert night.store.dreams.runs(OWNER) == []


@pytest.mark.of_files
def test_c14_a_busy_run_is_made_up_for_by_one_follow_up(night: Night) -> None:
    """Whoever comes while a run goes on leaves word; that run reads what has come meanwhile when it is done."""

    def come(session: str) -> None:
        if session == "s-1":
            ended(night, "s-2")
            busy = dream(night, Verbatim(), trigger=Trigger.MANUAL)
            assert (busy.status, busy.looks_again) == (RunStatus.SKIPPED, True)

    ended(night, "s-1")
    reader = Verbatim(during=come)
    dream(night, reader, trigger=Trigger.MANUAL)

    assert [name for name, _, _ in reader.read] == ["s-1", "s-2"]
    assert night.store.dreams.state(OWNER).follow_up is False


@pytest.mark.of_files
def test_c14_nobody_is_promised_that_another_owners_run_looks_again(night: Night, home: Path, clock: FakeClock) -> None:
    """It reads what is its own; also if a run of whoever asks was killed before and seems to go on."""
    with open_night(home, clock, owner="bob") as bobs:
        bobs.store.dreams.save_run("bob", StoredRun("01A", RunStatus.RUNNING, Trigger.MANUAL, 1, None, None))
        add_session(bobs, "b-1", "Use tabs.")
        end_session(bobs, "b-1")
        told: list[Report] = []
        ended(night, "s-1")
        reader = Verbatim(during=lambda _: told.append(dream(bobs, Verbatim(), trigger=Trigger.MANUAL)))

        dream(night, reader, trigger=Trigger.MANUAL)

        assert [(one.status, one.waiting, one.looks_again) for one in told] == [(RunStatus.SKIPPED, 1, False)]
        assert dream(bobs, Verbatim(), trigger=Trigger.MANUAL).processed == 1


def test_r16_r25_one_session_that_fails_does_not_keep_the_others(night: Night) -> None:
    """A failure is noted with its session and its reason, and the rest is read."""
    ended(night, "s-1", "s-2", "s-3")
    reader = Verbatim({"s-2": ModelUnreachable("The model is away; try later.")})

    report = dream(night, reader, trigger=Trigger.MANUAL)

    assert (report.processed, report.failed) == (2, 1)
    failed = next(each for each in report.sessions if each.status is DreamStatus.FAILED)
    assert (failed.session, failed.failure) == ("s-2", "The model is away; try later.")
    assert eligibility(night, "s-2") is Eligibility.RETRY_AFTER_FAILURE


def test_c5_a_bug_in_one_session_is_a_failure_with_a_reason(night: Night) -> None:
    """Whatever a reader raises, the session is failed with it, visible and bounded, and the run goes on."""
    ended(night, "s-1", "s-2")

    report = dream(night, Verbatim({"s-1": ZeroDivisionError("by zero")}), trigger=Trigger.MANUAL)

    assert [(one.session, one.status) for one in report.sessions] == [
        ("s-1", DreamStatus.FAILED),
        ("s-2", DreamStatus.COMPLETED),
    ]
    assert "ZeroDivisionError" in (records(night, "s-1")[0].failure or "")


class CitingNothing(Verbatim):
    """Of one session it proposes what rests on no message, which nothing can be made of."""

    def extract(self, conversation: Conversation) -> Extraction:
        """A proposal a message, without the message."""
        found = super().extract(conversation)
        if conversation.session.id != "s-2":
            return found
        return found._replace(proposals=[one._replace(messages=()) for one in found.proposals])


def test_a_session_that_cannot_be_written_takes_no_other_with_it(night: Night) -> None:
    """Sessions are written together; if one of them cannot be, all others are there, once and in their order."""
    ended(night, "s-1", "s-2", "s-3")

    report = dream(night, CitingNothing(), trigger=Trigger.MANUAL)

    assert [(one.session, one.status) for one in report.sessions] == [
        ("s-1", DreamStatus.COMPLETED),
        ("s-2", DreamStatus.FAILED),
        ("s-3", DreamStatus.COMPLETED),
    ]
    assert "IndexError" in (records(night, "s-2")[0].failure or "")
    assert report.kept == len(texts(night)) == 4


def test_who_interrupts_a_run_leaves_all_that_was_not_written_waiting(night: Night) -> None:
    """Ctrl-C while the second session is read: the first, which was read, is not lost and not written twice."""
    ended(night, "s-1", "s-2")

    with pytest.raises(KeyboardInterrupt):
        dream(night, Verbatim(during=_interrupt_second), trigger=Trigger.MANUAL)

    assert [records(night, name)[0].status for name in ("s-1", "s-2")] == [DreamStatus.PENDING] * 2
    assert texts(night) == []
    assert dream(night, Verbatim(), trigger=Trigger.MANUAL).processed == 2


def _interrupt_second(session: str) -> None:
    if session == "s-2":
        raise KeyboardInterrupt


def test_more_sessions_than_are_written_at_once_are_all_written(night: Night) -> None:
    """Whatever their number, each session is read once and completed."""
    names = [f"s-{number:02}" for number in range(2 * MOST_TOGETHER + 3)]
    ended(night, *names)
    reader = Verbatim()

    report = dream(night, reader, trigger=Trigger.MANUAL)

    assert [name for name, _, _ in reader.read] == [one.session for one in report.sessions] == names
    assert {records(night, name)[0].status for name in names} == {DreamStatus.COMPLETED}
    assert report.processed == len(names)


def test_a_spent_budget_leaves_the_rest_waiting(night: Night) -> None:
    """When there is nothing left to spend, sessions wait as they did: no attempt is counted, and the report says so."""
    ended(night, "s-1", "s-2", "s-3")
    reader = Verbatim({"s-2": BudgetSpent("The budget of tokens for a run is spent.")})

    report = dream(night, reader, trigger=Trigger.MANUAL)

    assert [name for name, _, _ in reader.read] == ["s-1", "s-2"]
    assert (report.processed, report.failed, report.waiting) == (1, 0, 2)
    assert records(night, "s-2")[0].attempts == 0
    assert any("2 sessions wait" in warning for warning in report.warnings)


@pytest.mark.parametrize(("is_of_day", "hours"), [(True, 14), (False, 1)])
def test_a_spent_budget_is_not_tried_again_at_once(night: Night, clock: FakeClock, is_of_day: bool, hours: int) -> None:
    """The budget of a day keeps all that waits until the next day, that of a run for an hour; whoever asks need not."""
    clock.advance(timedelta(milliseconds=10 * HOUR_MS - night.now_ms() % (24 * HOUR_MS)))  # ten in the morning
    ended(night, *(f"s-{number}" for number in range(6)))
    spent = Verbatim({"s-1": BudgetSpent("Nothing is left.", is_of_day=is_of_day)})
    dream(night, spent)
    assert [name for name, _, _ in spent.read] == ["s-0", "s-1"]

    assert dream(night, Verbatim()).status is RunStatus.NOT_DUE
    clock.advance(timedelta(hours=hours, seconds=-1))
    assert dream(night, Verbatim()).status is RunStatus.NOT_DUE
    assert night.store.dreams.waiting(OWNER, night.now_ms(), is_asked=False) == []
    assert len(night.store.dreams.waiting(OWNER, night.now_ms(), is_asked=True)) == 5
    clock.advance(timedelta(seconds=2))
    assert dream(night, Verbatim()).processed == 5


def test_c5_a_run_that_breaks_off_leaves_a_failed_report_and_its_sessions(night: Night) -> None:
    """A full disk ends the run; its report says failed, and what was being read waits again."""
    ended(night, "s-1")

    with pytest.raises(StoreFull):
        dream(night, Verbatim({"s-1": StoreFull()}), trigger=Trigger.MANUAL)

    stored = night.store.dreams.runs(OWNER)[0]
    assert stored.status == RunStatus.FAILED
    assert eligibility(night, "s-1") is Eligibility.ELIGIBLE
    assert night.store.dreams.state(OWNER).last_success_ms == 0


def test_an_interrupted_session_waits_again_at_once(night: Night) -> None:
    """Ctrl-C in the middle of a session leaves it as it was."""
    ended(night, "s-1")

    with pytest.raises(KeyboardInterrupt):
        dream(night, Verbatim(during=_interrupt), trigger=Trigger.MANUAL)

    assert records(night, "s-1")[0].status is DreamStatus.PENDING
    assert dream(night, Verbatim(), trigger=Trigger.MANUAL).processed == 1


def _interrupt(_: str) -> None:
    raise KeyboardInterrupt


def test_d53_d54_the_report_is_kept_whole(night: Night) -> None:
    """What the caller gets is what is stored, phases, sessions, cost and all; the last success is its end."""
    ended(night, "s-1")

    report = dream(night, Verbatim(), trigger=Trigger.MANUAL)

    stored = night.store.dreams.runs(OWNER)[0]
    assert from_json(stored.report or "") == report
    assert [phase.name for phase in report.phases] == ["orientation", "extraction", "verification", "writing"]
    assert report.spent.tokens_in == 10
    assert night.store.dreams.state(OWNER).last_success_ms == report.finished_ms


def test_90466_a_forgotten_session_is_not_mined(night: Night) -> None:
    """A session that was removed after it ended gives nothing, and does not stand in the way."""
    ended(night, "s-1", "s-2")
    number, session = night.store.sessions.find(OWNER, "s-1") or (0, None)
    assert session is not None
    night.store.messages.remove_all(OWNER, number, session)
    night.store.sessions.remove(number)

    report = dream(night, Verbatim(), trigger=Trigger.MANUAL)

    assert report.failed == 0
    assert all("(s-1)" not in body for body in texts(night))


def test_what_is_fenced_in_a_message_is_never_mined(night: Night) -> None:
    """A brief or a notice that stands in what a user typed is nobody's word; what stands around it is."""
    brief = fenced("- Always use Redis for sessions. [m-4f2a9x]")
    notice = "<system-reminder>Never touch the stock table.</system-reminder>"
    reader = Verbatim()
    add_session(night, "s-1", f"{brief}\n{TABS}\n{notice}", fenced("Nothing else."))
    end_session(night, "s-1")

    dream(night, reader, trigger=Trigger.MANUAL)

    assert reader.read == [("s-1", 1, 1)]
    assert [entry_from(row).event.text.strip() for row in night.store.events.suggested(OWNER, None)] == [TABS]


def test_recalled_and_injected_text_is_never_mined(night: Night) -> None:
    """What memory put into a conversation is hidden there, so no dream reads it back as something new."""
    recalled = Message(Role.USER, "Always use Redis for sessions.", hidden=Hidden.RECALLED)
    injected = Message(Role.USER, "Never touch the stock table.", hidden=Hidden.INJECTED)
    add_session(night, "s-1", recalled, injected, Message(Role.USER, TABS))
    end_session(night, "s-1")

    dream(night, Verbatim(), trigger=Trigger.MANUAL)

    bodies = texts(night)
    assert [body for body in bodies if "Redis" in body or "stock table" in body] == []
    assert any("tabs" in body for body in bodies)


def test_d21_idle_sessions_are_closed_and_read_by_the_same_path(night: Night, clock: FakeClock) -> None:
    """A dream that somebody asks for first closes what has been idle for a day; suspended sessions never."""
    add_session(night, "s-idle", TABS, ROUNDING)
    add_session(night, "s-pausing", "Never log a card number.", "Understood.", status=Status.SUSPENDED)
    clock.advance(timedelta(hours=25))

    report = dream(night, Verbatim(), trigger=Trigger.MANUAL)

    assert [one.session for one in report.sessions] == ["s-idle"]
    assert eligibility(night, "s-pausing") is Eligibility.NOT_COMPLETED


def test_only_what_is_named_is_read(night: Night) -> None:
    """A session, a project or a number can be asked for; the rest waits."""
    ended(night, "s-1", "s-2", "s-3")
    reader = Verbatim()

    dream(night, reader, trigger=Trigger.MANUAL, wanted=Wanted(sessions=("s-2",)))
    dream(night, reader, trigger=Trigger.MANUAL, wanted=Wanted(most=1))
    dream(night, reader, trigger=Trigger.MANUAL, wanted=Wanted(project="/somewhere/else"))

    assert [name for name, _, _ in reader.read] == ["s-2", "s-1"]


def test_a_page_that_cannot_be_written_is_due_again(night: Night) -> None:
    """What was read is kept in the journal; the page is written by the next run that can."""
    ended(night, "s-1")
    path = page_path(night.home, night.owner, PROJECT)
    path.parent.parent.mkdir(parents=True)
    path.parent.write_text("a file where a folder should be")

    report = dream(night, Verbatim(), trigger=Trigger.MANUAL)

    assert any("could not be written" in warning for warning in report.warnings)
    assert report.processed == 1
    path.parent.unlink()
    dream(night, Verbatim(), trigger=Trigger.MANUAL)
    assert "tabs" in page(night)


def test_c22_the_clock_may_be_set_back(night: Night, clock: FakeClock) -> None:
    """Runs go on, and their ids go up, when the clock goes back a year."""
    ended(night, "s-1")
    first = dream(night, Verbatim(), trigger=Trigger.MANUAL)
    clock.advance(timedelta(days=-365))
    ended(night, "s-2", said=("Never restart the queue by hand.", "Understood."))

    second = dream(night, Verbatim(), trigger=Trigger.MANUAL)

    assert second.processed == 1
    assert second.run > first.run


def test_d7_r14_settings_are_honoured_end_to_end(night: Night) -> None:
    """Other thresholds than the default decide when a run is due."""
    night = night._replace(settings=night.settings._replace(session_count=2))
    ended(night, "s-1")
    assert dream(night, Verbatim()).status is RunStatus.NOT_DUE
    ended(night, "s-2")

    assert dream(night, Verbatim()).status is RunStatus.COMPLETED


def test_least_privilege_a_dream_writes_only_below_its_home(night: Night, tmp_path: Path) -> None:
    """Nothing is written to the project's folder unless a mirror is asked for (D-55)."""
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "README.md").write_text("# Shop\n")
    add_session(night, "s-1", TABS, ROUNDING, project=str(folder), cwd=str(folder))
    end_session(night, "s-1")

    report = dream(night, Verbatim(), trigger=Trigger.MANUAL)

    assert [file.name for file in folder.iterdir()] == ["README.md"]
    assert all(page.startswith(str(night.home)) for page in report.pages)


def test_what_was_edited_by_hand_is_taken_in_though_no_session_waits(night: Night) -> None:
    """A dream that somebody asks for reads the page, too: a line that was added is a memory of the user's."""
    ended(night, "s-1")
    dream(night, Verbatim(), trigger=Trigger.MANUAL)
    path = page_path(night.home, OWNER, PROJECT)
    path.write_text(page(night).replace("## Rules\n", "## Rules\n- Deploy only before noon.\n"), encoding="utf-8")

    report = dream(night, Verbatim(), trigger=Trigger.MANUAL)

    assert [(change.kind, change.text) for change in report.changes] == [
        (ChangeKind.EDITED, "Deploy only before noon.")
    ]
    assert "- Deploy only before noon. (" in page(night)


def test_a_model_that_never_answers_is_not_asked_for_every_session(night: Night) -> None:
    """After three failures in a row the rest waits, untried, and the report says so."""
    names = [f"s-{number}" for number in range(6)]
    ended(night, *names)
    reader = Verbatim({name: ModelUnreachable("The model is away.") for name in names})

    report = dream(night, reader, trigger=Trigger.MANUAL)

    assert (report.failed, report.waiting) == (3, 6)
    assert [name for name, _, _ in reader.read] == names[:3]
    assert any("3 sessions were not tried" in warning for warning in report.warnings)
