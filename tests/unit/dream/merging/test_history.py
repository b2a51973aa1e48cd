"""What a project's history says already, and what of a run's proposals is new."""

import json
from pathlib import Path

import pytest

from noctuary.authored import Author, EventStatus, EventType, MessageRef, Trust
from noctuary.dream.comparing.sameness import Relation, compare
from noctuary.dream.merging.history import Guarded, History, guard
from noctuary.dream.night import Night
from noctuary.ledger.ledger import Ledger
from noctuary.proposals import Proposal
from noctuary.store import Store
from noctuary.testing import FakeClock
from noctuary.work.corrections import correct, retract
from noctuary.work.desk import Desk, Writer
from noctuary.work.notes import note
from noctuary.work.remembering import remember, retire
from tests.unit.dream.nights import OWNER, PROJECT, open_night
from tests.unit.listening import Listening

LATER = 10**10  # ms
TYPES = EventType


@pytest.fixture
def desk(night: Night) -> Desk:
    return Desk(night.ledger, PROJECT, Writer())


@pytest.fixture
def history(night: Night) -> History:
    return History(night.store, OWNER, PROJECT)


def proposal(text: str, kind: EventType = TYPES.DECISION, cites: int = 1, trust: Trust = Trust.AGENT) -> Proposal:
    return Proposal(kind, text, (MessageRef("s-1", cites, text),), ts_ms=1_772_000_000_000, trust=trust)


def outcome(guarded: Guarded) -> tuple[list[str], list[tuple[str, str]], list[str]]:
    """Texts that are kept, merged with another text, dropped."""
    merged = [(new.text, known.text) for new, known in guarded.merged]
    return [one.text for one in guarded.kept], merged, [one.text for one in guarded.dropped]


def test_c12_what_was_said_in_other_words_supports_it(desk: Desk, history: History) -> None:
    """A paraphrase of what is known is merged with it, and what is new is kept."""
    note(desk, TYPES.DECISION, "Chose SQLite over Postgres: simpler to embed")

    found = guard(
        history,
        [
            proposal("Use SQLite instead of Postgres because embedding is simpler"),
            proposal("The cache holds ten thousand rows"),
        ],
    )

    kept, merged, dropped = outcome(found)
    assert kept == ["The cache holds ten thousand rows"]
    assert [known for _, known in merged] == ["Chose SQLite over Postgres: simpler to embed"]
    assert dropped == []


def test_c12_what_contradicts_is_kept(desk: Desk, history: History) -> None:
    """Another number, a denial and another direction are news."""
    for text in ("The timeout is 30s", "We use Redis for sessions", "Chose SQLite over Postgres"):
        note(desk, TYPES.DECISION, text)
    news = ["The timeout is 60s", "We do not use Redis for sessions", "Chose Postgres over SQLite"]

    assert outcome(guard(history, [*map(proposal, news)])) == (news, [], [])


def test_journal_7_6_all_history_counts_not_only_the_latest(desk: Desk, history: History) -> None:
    """What was said three hundred entries ago is still known, also if each of its words is common since."""
    note(desk, TYPES.CONSTRAINT, "Uploads are limited to twelve megabytes")
    with desk.writing() as write:
        for number in range(100):
            write(TYPES.FINDING, f"Folder {number} takes uploads")
            write(TYPES.FINDING, f"Access to room {number} is limited")
            write(TYPES.FINDING, f"Batch {number} has twelve rows and some megabytes of logs")

    _, merged, _ = outcome(guard(history, [proposal("The upload limit is twelve megabytes")]))

    assert merged == [("The upload limit is twelve megabytes", "Uploads are limited to twelve megabytes")]


def test_the_same_run_twice_keeps_nothing(night: Night, history: History) -> None:
    """Whatever is kept the first time is known the second time, relative dates included."""
    found = [
        proposal("We moved to Fly yesterday"),
        proposal("Never commit to main", TYPES.CONSTRAINT),
        proposal("`parse_config` swallows IO errors", TYPES.FINDING),
        proposal("超时是 30 秒", TYPES.FINDING),
    ]
    first = guard(history, found)
    desk = Desk(night.ledger, PROJECT, Writer())
    with desk.writing() as write:
        for one in first.kept:
            write(one.type, one.text.replace("yesterday", "on 2026-02-24"))

    assert len(first.kept) == len(found)
    assert guard(history, found).kept == []


def test_of_several_that_say_the_same_the_fullest_is_kept(history: History) -> None:
    """With what all of them cite."""
    short, long = "Avoid barrel files", "Avoid barrel files because they break tree shaking"

    found = guard(history, [proposal(short, cites=1), proposal(long, cites=2), proposal(short, cites=3)])

    assert outcome(found) == ([long], [], [])
    assert {cited.id for cited in found.kept[0].messages} == {1, 2, 3}


def test_what_a_user_rejected_is_never_proposed_again(desk: Desk, history: History) -> None:
    """Neither in its own words nor in others, nor with more; the reason names the entry."""
    entry = note(desk, TYPES.DECISION, "Use Redis for the session cache")
    retract(desk, entry.event.id, "No.")
    again = ["Use Redis for the session cache", "Redis was chosen for the session cache because it is fast"]

    found = guard(history, [*map(proposal, again)])

    assert outcome(found) == ([], [], [again[1]])  # of two that say the same one is looked at
    assert found.dropped[0].why == f"it was rejected before ({entry.event.id})"
    assert outcome(guard(history, [proposal("Use Redis for the job queue")]))[0] == ["Use Redis for the job queue"]


def test_what_was_corrected_does_not_come_back(desk: Desk, history: History) -> None:
    """The words it had before are dropped, those it has now are known."""
    entry = note(desk, TYPES.FINDING, "The dev server listens on port 3000")
    correct(desk, entry.event.id, "The dev server listens on port 3001")

    found = guard(
        history, [proposal("The dev server listens on port 3000"), proposal("The dev server is on port 3001")]
    )

    kept, merged, dropped = outcome(found)
    assert (kept, dropped) == ([], ["The dev server listens on port 3000"])
    assert merged == [("The dev server is on port 3001", "The dev server listens on port 3001")]
    assert "corrected" in found.dropped[0].why


def test_a_memory_that_was_retired_is_not_made_again(desk: Desk, history: History) -> None:
    """What holds no longer is not brought back by an old session."""
    memory = remember(desk, "Run the linter with make lint", kind="procedure")
    retire(desk, memory.id, "It is ruff now.")

    assert outcome(guard(history, [proposal("Run the linter with make lint")])) == (
        [],
        [],
        ["Run the linter with make lint"],
    )


def test_a_user_may_say_again_what_was_rejected(desk: Desk, history: History, clock: FakeClock) -> None:
    """Said by the user after it was taken back, it is the user's word."""
    entry = note(desk, TYPES.DECISION, "Use Redis for the session cache")
    retract(desk, entry.event.id, "No.")
    said = proposal("Use Redis for the session cache", trust=Trust.USER)

    assert guard(history, [said]).kept == []
    assert guard(history, [said._replace(ts_ms=clock.now_ms() + LATER)]).kept != []
    assert guard(history, [said._replace(ts_ms=clock.now_ms() + LATER, trust=Trust.AGENT)]).kept == []


def test_what_an_undo_took_back_was_not_rejected(desk: Desk, history: History) -> None:
    """A run that was taken back may be dreamt again: nobody judged what it said."""
    entry = note(desk, TYPES.DECISION, "Use Redis for the session cache")
    with desk.writing() as write:
        write(TYPES.RETRACT, corrects=entry.event.id, meta={"bookkeeping": True, "dream": {"undo": "run"}})

    assert len(guard(history, [proposal("Use Redis for the session cache")]).kept) == 1


def test_what_was_supposed_may_be_found(desk: Desk, history: History) -> None:
    """A finding is more than the hypothesis that it confirms; a hypothesis is no more than a finding."""
    note(desk, TYPES.HYPOTHESIS, "The leak is in the tokenizer")
    note(desk, TYPES.FINDING, "The index was stale")
    news = proposal("The leak is in the tokenizer", TYPES.FINDING)

    assert guard(history, [news, proposal("The index was stale", TYPES.HYPOTHESIS)]).kept == [news]


def test_a_rejection_is_no_duplicate_of_the_choice(desk: Desk, history: History) -> None:
    """The type of an entry says what its words do not."""
    note(desk, TYPES.DECISION, "Redis for the session cache")

    assert len(guard(history, [proposal("Redis for the session cache", TYPES.REJECTION)]).kept) == 1


def test_a_task_that_was_opened_is_not_done(night: Night, history: History) -> None:
    """What is to be done and what was found are two things."""
    node = {"id": "t-1", "type": "task", "title": "Add retry logic to the uploader", "status": "pending"}
    with Desk(night.ledger, PROJECT, Writer(author=Author.AGENT)).writing() as write:
        write(TYPES.OPEN, "Add retry logic to the uploader", node="t-1", change={"nodes": [node]})

    assert len(guard(history, [proposal("Added retry logic to the uploader", TYPES.FINDING)]).kept) == 1


def test_other_projects_are_other_histories(night: Night, history: History) -> None:
    """What another project or another owner says is not known here."""
    note(Desk(night.ledger, "/home/ana/code/blog", Writer()), TYPES.CONSTRAINT, "Never commit to main")
    with open_night(night.home, night.ledger.clock, owner="bob") as bobs:
        note(Desk(bobs.ledger, PROJECT, Writer()), TYPES.CONSTRAINT, "Never commit to main")

    assert len(guard(history, [proposal("Never commit to main", TYPES.CONSTRAINT)]).kept) == 1


def test_near_gives_what_is_shown_and_taken_back_what_is_hidden(desk: Desk, history: History) -> None:
    """Each with its state, so that whoever asks can tell."""
    shown = note(desk, TYPES.FINDING, "Sessions live in Redis")
    gone = note(desk, TYPES.FINDING, "Sessions live in Postgres")
    retract(desk, gone.event.id, "Never did.")

    [near], [hidden] = history.near("Where do sessions live"), history.taken_back("Where do sessions live")

    assert (near.event_id, near.type, near.is_taken_back) == (shown.event.id, TYPES.FINDING, False)
    assert (hidden.event_id, hidden.status, hidden.is_taken_back) == (gone.event.id, EventStatus.RETRACTED, True)
    assert history.near("Sessions live in Redis", types=[TYPES.DECISION]) == []
    assert history.near("…") == []


def test_what_was_taken_back_is_known_after_a_rebuild(night: Night, desk: Desk, history: History) -> None:
    """Folding the journal again gives the same."""
    gone = note(desk, TYPES.FINDING, "Sessions live in Postgres")
    retract(desk, gone.event.id, "Never did.")
    before = history.taken_back("Sessions live in Postgres")

    night.ledger.rebuild()

    assert history.taken_back("Sessions live in Postgres") == before != []


def test_what_is_shown_again_is_hidden_no_more(desk: Desk, history: History) -> None:
    """Other words for a suggestion that are taken back leave the suggestion, as something that is known."""
    entry = note(desk, TYPES.FINDING, "Sessions live in Postgres", suggested=True)
    other = correct(desk, entry.event.id, "Sessions live in Redis")
    assert [one.event_id for one in history.taken_back("Sessions live in Postgres")] == [entry.event.id]

    retract(desk, other.event.id, "They do not.")

    assert [one.event_id for one in history.near("Sessions live in Postgres")] == [entry.event.id]
    assert [one.event_id for one in history.taken_back("Sessions live in Postgres")] == [other.event.id]


def test_a_lookup_reads_no_more_of_a_long_history(home: Path, clock: FakeClock) -> None:
    """However often its words occur, as many queries are asked, and as few events are read."""
    home.mkdir()
    database = Listening(home / "noctuary.db")
    desk = Desk(Ledger(Store(database), home, OWNER, clock), PROJECT, Writer())
    history = History(desk.store, OWNER, PROJECT)
    read: list[tuple[int, int]] = []
    for count in (20, 400):
        with desk.writing() as write:
            for number in range(count):
                write(TYPES.FINDING, f"Worker {number} restarted the queue of customer {number}")
        database.asked.clear()
        found = history.near("The worker restarted the queue of customer 7")
        events = [json.loads(str(values["numbers"])) for _, values in database.asked if "numbers" in values]
        read.append((len(database.asked), len(events[0])))
        assert any("customer 7" in one.text for one in found)
    database.close()

    assert read[0][0] <= read[1][0] <= 3
    assert read[1][1] <= read[0][1] + 4


def test_what_is_said_everywhere_is_known_in_each_project(night: Night, desk: Desk, history: History) -> None:
    """However many other projects have the same rule, here it is not said for the first time."""
    rule = "Never push to main without running the tests"
    for number in range(30):
        note(Desk(night.ledger, f"other-{number}", Writer()), TYPES.CONSTRAINT, rule)
    own = note(desk, TYPES.CONSTRAINT, rule)

    found = guard(history, [proposal(rule, TYPES.CONSTRAINT)])

    assert [known.event_id for _, known in found.merged] == [own.event.id]


def test_what_memory_recalled_is_never_mined(history: History) -> None:
    """Neither if a proposal says it nor if it is what the proposal quotes."""
    text = "- Use tabs. (2026-02-26) [m-4f2a]"
    quoting = proposal("Use tabs")._replace(messages=(MessageRef("s-1", 1, text),))

    found = guard(history, [proposal(text), quoting])

    assert outcome(found) == ([], [], [text, "Use tabs"])
    assert {one.why for one in found.dropped} == {"it repeats what memory recalled"}


def test_what_an_agent_says_after_it_was_shown_supports_nothing(desk: Desk, history: History) -> None:
    """What it said before counts, and so does what a user says, and what is new."""
    note(desk, "finding", "The loader of fonts is slow because of the index")
    same = "The loader of fonts is slow because of the index"
    more = f"{same}, which is rebuilt at every start"
    new = "The shop rounds prices down"
    before, after = proposal(same, cites=4), proposal(same, cites=5)

    assert len(guard(history, [before], recalled_from=5).merged) == 1
    assert len(guard(history, [after._replace(trust=Trust.USER)], recalled_from=5).merged) == 1
    assert len(guard(history, [after]).merged) == 1
    assert outcome(guard(history, [after], recalled_from=5)) == ([], [], [same])
    found = guard(history, [proposal(more, cites=6), proposal(new, cites=7)], recalled_from=5)
    assert outcome(found) == ([new], [], [more])


def test_within_a_run_contradictions_are_both_kept(history: History) -> None:
    """Which of them holds is not for the guard to say."""
    texts = ["The timeout is 30s", "The timeout is 60s"]

    assert compare(texts[0], texts[1]) is Relation.CONTRADICTS
    assert outcome(guard(history, [*map(proposal, texts)])) == (texts, [], [])
