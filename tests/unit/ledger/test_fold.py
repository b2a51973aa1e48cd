"""What events make of each other and of the graph, whatever the order in which they are read."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from noctuary.authored import Author, Event, EventStatus, EventType
from noctuary.graph import NodeStatus
from noctuary.ids import ulid_after
from noctuary.ledger.ledger import Ledger, entry_from
from noctuary.store import open_store
from noctuary.testing import FakeClock
from tests.unit.ledger.writing import PROJECT, TASK, everything, found, linking, opening, saying, setting, texts

T = EventType
DAY = 86_400_000


@pytest.fixture
def task(ledger: Ledger) -> Ledger:
    """A ledger with a task."""
    ledger.record(Event(T.OPEN, project=PROJECT, node=TASK, change=opening().change))
    return ledger


def about(target: str, kind: EventType, text: str = "", **fields: Any) -> Event:
    return Event(kind, text, **{"project": PROJECT, "corrects": target, **fields})


def test_correction_stands_in_the_place_of_what_it_corrects(task: Ledger) -> None:
    """It is shown and found instead, as what the other was, and makes a task as recent as any word."""
    wrong = task.record(saying("Sessions live in redis"))
    right = task.record(about(wrong.id, T.CORRECTION, "Sessions live in sqlite"))

    assert texts(task) == ["Sessions live in sqlite"]
    assert found(task, "sessions") == found(task, "sqlite") == ["Sessions live in sqlite"]
    assert found(task, "redis") == []
    entry, old = task.entry(right.id), task.entry(wrong.id)
    assert entry
    assert old
    assert (entry.acts_as, old.hidden_by) == (T.DECISION, right.id)


def test_correction_without_words_hides(task: Ledger) -> None:
    """What is only taken back leaves nothing to see."""
    wrong = task.record(saying("Sessions live in redis"))
    task.record(about(wrong.id, T.CORRECTION))

    assert texts(task) == []
    assert found(task, "redis") == []


def test_last_correction_counts(task: Ledger) -> None:
    """Corrected twice, by one or by two who did not know of each other, only the last words are shown."""
    first = task.record(saying("one"))
    second = task.record(about(first.id, T.CORRECTION, "two"))
    task.record(about(first.id, T.CORRECTION, "three"))
    assert texts(task) == ["three"]

    task.record(about(second.id, T.CORRECTION, "four"))
    assert texts(task) == ["four"]
    assert [found(task, word) for word in ("one", "two", "three", "four")] == [[], [], [], ["four"]]


def test_confirmed_suggestion(task: Ledger) -> None:
    """What was suggested is marked until it is confirmed."""
    guess = task.record(saying("guess", status=EventStatus.SUGGESTED, author=Author.DREAM))
    assert texts(task) == ["guess?"]

    task.record(about(guess.id, T.CONFIRM))
    assert texts(task) == ["guess"]
    assert found(task, "guess") == ["guess"]


def test_suggestion_confirmed_in_other_words(task: Ledger) -> None:
    """Edited while confirming, the new words are shown and found instead of the old."""
    guess = task.record(saying("guessed", status=EventStatus.SUGGESTED))
    task.record(about(guess.id, T.CONFIRM, "known"))

    assert texts(task) == ["known"]
    assert (found(task, "guessed"), found(task, "known")) == ([], ["known"])


def test_suggested_correction_waits(task: Ledger) -> None:
    """What nobody has looked at hides nothing; confirmed, it does, also if other words were found for it."""
    said = task.record(saying("said"))
    guess = task.record(about(said.id, T.CORRECTION, "better", status=EventStatus.SUGGESTED))
    assert texts(task) == ["better?", "said"]

    task.record(about(guess.id, T.CONFIRM, "best"))
    assert texts(task) == ["best"]
    assert [found(task, word) for word in ("said", "better", "best")] == [[], [], ["best"]]


def test_suggested_correction_of_a_suggestion_counts_at_once(task: Ledger) -> None:
    """Of two guesses the later is shown, until one is confirmed; then the other is what it was: a guess."""
    said = task.record(saying("said", status=EventStatus.SUGGESTED))
    guess = task.record(about(said.id, T.CORRECTION, "better", status=EventStatus.SUGGESTED))
    assert texts(task) == ["better?"]
    assert (found(task, "said"), found(task, "better")) == ([], ["better"])

    task.record(about(said.id, T.CONFIRM))  # on another machine, which did not see the correction
    assert texts(task) == ["better?", "said"]
    assert found(task, "said") == ["said"]

    task.record(about(guess.id, T.CONFIRM))
    assert texts(task) == ["better"]
    before = everything(task, ("said", "better"))
    task.rebuild()
    assert everything(task, ("said", "better")) == before


def test_retracted_guess_leaves_the_one_before(task: Ledger) -> None:
    """Guess upon guess: each retraction brings the one before back; a confirmed one takes all of them with it."""
    said = task.record(saying("one", status=EventStatus.SUGGESTED))
    second = task.record(about(said.id, T.CORRECTION, "two", status=EventStatus.SUGGESTED))
    third = task.record(about(said.id, T.CORRECTION, "three", status=EventStatus.SUGGESTED))
    assert texts(task) == ["three?"]

    task.record(about(third.id, T.RETRACT))
    assert texts(task) == ["two?"]

    task.record(about(second.id, T.CONFIRM))
    task.record(about(second.id, T.RETRACT))
    assert texts(task) == []
    assert [found(task, word) for word in ("one", "two", "three")] == [[], [], []]


def test_a_guess_without_words_hides_nothing(task: Ledger) -> None:
    """Nobody would see that there was anything."""
    said = task.record(saying("said", status=EventStatus.SUGGESTED))
    task.record(about(said.id, T.CORRECTION, status=EventStatus.SUGGESTED))

    assert texts(task) == ["said?"]


@pytest.mark.parametrize("fields", [{"meta": {"bookkeeping": True}}, {"kind": T.RENAME}])
def test_what_search_never_found_is_not_found_when_it_is_back(task: Ledger, fields: dict[str, Any]) -> None:
    """Books and what is said by the graph itself are in no index, before and after."""
    said = task.record(saying("said", status=EventStatus.SUGGESTED, **fields))
    guess = task.record(about(said.id, T.CORRECTION, "better", status=EventStatus.SUGGESTED))
    task.record(about(guess.id, T.RETRACT))

    assert (found(task, "said"), found(task, "better")) == ([], [])


def test_the_first_that_hides_an_event_is_the_one_that_counts(task: Ledger) -> None:
    """Retracted after it was corrected, an event still says that it was corrected, and by what; so it can be shown."""
    said = task.record(saying("said"))
    right = task.record(about(said.id, T.CORRECTION, "corrected"))
    gone = task.record(about(said.id, T.RETRACT))
    task.record(about(said.id, T.RETRACT))

    hidden = [entry.hidden_by for event in (said, right) if (entry := task.entry(event.id))]
    assert hidden == [right.id, gone.id]


def test_retracted(task: Ledger) -> None:
    """What should never have been is neither shown nor found, nor is what stood in its place; confirming comes late."""
    said = task.record(saying("said", status=EventStatus.SUGGESTED))
    task.record(about(said.id, T.CORRECTION, "corrected"))
    task.record(about(said.id, T.RETRACT, "It was never so"))
    task.record(about(said.id, T.CONFIRM))

    assert texts(task) == ["It was never so"]
    assert (found(task, "said"), found(task, "corrected")) == ([], [])
    entry = task.entry(said.id)
    assert entry
    assert entry.status is EventStatus.RETRACTED


def test_superseded(task: Ledger) -> None:
    """A decision that holds no longer says which one does, and so does a correction of it, before or after."""
    old = task.record(saying("redis"))
    corrected = task.record(about(old.id, T.CORRECTION, "redis 7"))
    new = task.record(saying("sqlite", supersedes=old.id))
    again = task.record(about(corrected.id, T.CORRECTION, "redis 8"))

    marks = {
        event.text: entry.superseded_by for event in (old, corrected, new, again) if (entry := task.entry(event.id))
    }
    assert marks == {"redis": new.id, "redis 7": new.id, "sqlite": None, "redis 8": new.id}


def test_superseded_by_what_was_retracted(task: Ledger) -> None:
    """It holds again in all its versions, also if what superseded it was corrected, or only confirmed later."""
    old = task.record(saying("redis"))
    again = task.record(about(old.id, T.CORRECTION, "redis 7"))
    new = task.record(saying("sqlite", supersedes=old.id))
    corrected = task.record(about(new.id, T.CORRECTION, "sqlite 3"))
    task.record(about(corrected.id, T.RETRACT))
    assert [entry.superseded_by for event in (old, again) if (entry := task.entry(event.id))] == [None, None]

    guess = task.record(saying("files", status=EventStatus.SUGGESTED))
    task.record(about(guess.id, T.CONFIRM, supersedes=again.id))
    assert [entry.superseded_by for event in (old, again) if (entry := task.entry(event.id))] == [None, guess.id]
    task.record(about(guess.id, T.RETRACT))
    assert [entry.superseded_by for event in (old, again) if (entry := task.entry(event.id))] == [None, None]
    before = everything(task, ("redis", "sqlite", "files"))
    task.rebuild()
    assert everything(task, ("redis", "sqlite", "files")) == before


def test_late_events_do_not_make_older(task: Ledger, clock: FakeClock) -> None:
    """An event of long ago leaves a task as recent as it was."""
    before = task.store.nodes.find("ana", TASK)
    task.record(saying("long ago", ts_ms=clock.now_ms() - 30 * DAY))
    assert task.store.nodes.find("ana", TASK) == before

    clock.advance(timedelta(days=1))
    task.record(saying("today"))
    after = task.store.nodes.find("ana", TASK)
    assert before
    assert after
    assert after.last_ms == before.last_ms + DAY


def test_books_do_not_make_recent(task: Ledger, clock: FakeClock) -> None:
    """What only keeps the books is not shown and is nobody's thought."""
    before = task.store.nodes.find("ana", TASK)
    clock.advance(timedelta(days=1))
    task.record(saying("Conversation compacted", meta={"bookkeeping": True}))

    assert task.store.nodes.find("ana", TASK) == before
    assert texts(task) == found(task, "compacted") == []


def test_times_come_with_the_status(task: Ledger, clock: FakeClock) -> None:
    """Begun when it is first held, ended when it ends, not ended when it is opened again."""
    times = []
    for status in ("in_progress", "blocked", "in_progress", "completed", "pending"):
        clock.advance(timedelta(days=1))
        task.record(setting(status=status))
        node = task.store.nodes.find("ana", TASK)
        assert node
        times.append((node.status, (node.started_ms or 0) // DAY, (node.completed_ms or 0) // DAY))

    day = times[0][1]
    assert day
    assert [time[1:] for time in times] == [(day, 0), (day, 0), (day, 0), (day, day + 3), (day, 0)]


def test_made_in_its_last_status(task: Ledger, clock: FakeClock) -> None:
    """What is ended when it is made has ended then."""
    task.record(opening("t-2", status="completed"))
    node = task.store.nodes.find("ana", "t-2")

    assert node
    assert (node.status, node.completed_ms) == (NodeStatus.COMPLETED, clock.now_ms())


def test_words_of_nodes_are_found_as_they_are_now(task: Ledger) -> None:
    """A node is found by what it is called now, and no longer by what it was called."""
    with task.writing(PROJECT) as write:
        write(opening("t-2", title="Fix refresh"))
        write(setting("t-2", title="Rotate tokens", goal="No expired sessions"))
        write(setting("t-2", goal=None, description="They expire"))

    matching = {
        word: [n.id for n in task.store.nodes.matching("ana", f'"{word}"')] for word in ("refresh", "rotate", "expire")
    }
    assert matching == {"refresh": [], "rotate": ["t-2"], "expire": ["t-2"]}
    before = everything(task, ("rotate", "expire", "session"))
    task.rebuild()
    assert everything(task, ("rotate", "expire", "session")) == before


def test_edges_are_unique_and_keep_their_time(task: Ledger, clock: FakeClock) -> None:
    """Made twice an edge is labelled anew; taken away and made again it is a new one."""
    task.record(opening("t-2"))
    seen = []
    for part in ("edges", "edges", "unlink", "edges"):
        clock.advance(timedelta(days=1))
        task.record(
            linking("contains", TASK, "t-2", part=part, label=None if part == "unlink" else f"at {clock.now_ms()}")
        )
        edges = task.store.nodes.edges_of("ana", [TASK])
        child = task.store.nodes.find("ana", "t-2")
        assert child
        seen.append(([(edge.created_ms // DAY, edge.label) for edge in edges], child.parent))

    (first, label), (again, relabelled), (new, _) = (edges[0] for edges, _ in seen if edges)
    assert (again, new) == (first, first + 3)
    assert label != relabelled
    assert [parent for _, parent in seen] == [TASK, TASK, None, TASK]


def test_leases_survive_a_rebuild(task: Ledger, clock: FakeClock) -> None:
    """Who is alive is nobody's statement: it is not in the journal, and a rebuild does not forget it."""
    now_ms = clock.now_ms()
    task.record(setting(status="claimed", assigned_to="robot", lease_ms=now_ms + 1_000))
    task.store.nodes.renew_lease("ana", TASK, "robot", now_ms + 9_000)

    task.rebuild()

    node = task.store.nodes.find("ana", TASK)
    assert node
    assert node.lease_ms == now_ms + 9_000


def test_sessions_of_work_and_memories(task: Ledger, clock: FakeClock) -> None:
    """They are made, filled in and ended by changes, and are the same after a rebuild."""
    session = {"id": "ws-1", "goal": TASK, "agents": ["robot"]}
    memory = {"id": "m-1", "kind": "constraint", "text": "Never on Fridays", "topic": "releases"}
    said = task.record(Event(T.REMEMBER, project=PROJECT, change={"sessions": [session], "memories": [memory]}))
    clock.advance(timedelta(days=1))
    ended = {"id": "ws-1", "ended": True, "notes": "## Done"}
    retired = {"id": "m-1", "status": "superseded", "superseded_by": "m-2"}
    task.record(Event(T.RETIRE, project=PROJECT, change={"sessions": [ended], "memories": [retired]}))

    for _ in range(2):
        work, known = task.store.work_sessions.find("ana", "ws-1"), task.store.memories.find("ana", "m-1")
        assert work
        assert known
        assert (work.ended_ms, work.notes, work.agents) == (clock.now_ms(), "## Done", ("robot",))
        assert (known.retired_ms, known.superseded_by, known.event) == (clock.now_ms(), "m-2", said.id)
        assert known.facts["topic"] == "releases"
        task.rebuild()


# Any events, in any order, in any batches, merged in from anywhere: what a rebuild makes is what there was.

NODES = ("t-1", "t-2", "t-3", "g-1")
WORDS = ("alpha", "beta", "gamma")
PROJECTS = ("one", "two")
STATUSES = ("pending", "ready", "claimed", "in_progress", "completed", "blocked", "failed", "cancelled")


@st.composite
def changes(draw: st.DrawFn) -> dict[str, Any]:
    """Something done to the graph, allowed or not."""
    node = st.sampled_from(NODES)
    fields = st.fixed_dictionaries(
        {},
        optional={
            "status": st.sampled_from(STATUSES),
            "title": st.sampled_from(WORDS),
            "goal": st.none() | st.sampled_from(WORDS),
            "labels": st.none() | st.just(["x"]),
            "metadata": st.none() | st.dictionaries(st.sampled_from("ab"), st.none() | st.just("1"), max_size=2),
            "lease_ms": st.none() | st.integers(0, 9),
            "priority": st.none() | st.just("high"),
        },
    )
    kinds = st.sampled_from(("contains", "depends_on"))
    ends = st.fixed_dictionaries({"type": kinds, "from": node, "to": node}, optional={"label": st.sampled_from(WORDS)})
    memory = st.fixed_dictionaries(
        {"id": st.sampled_from(("m-1", "m-2"))},
        optional={
            "text": st.sampled_from(WORDS),
            "status": st.sampled_from(("active", "retracted")),
            "topic": st.just("x"),
        },
    )
    work = st.fixed_dictionaries(
        {"id": st.just("ws-1")}, optional={"ended": st.just(True), "notes": st.sampled_from(WORDS)}
    )
    made = {"type": "task", "title": draw(st.sampled_from(WORDS)), "status": "pending"}
    return draw(
        st.fixed_dictionaries(
            {},
            optional={
                "nodes": st.lists(node.map(lambda name: {"id": name, **made}), max_size=2),
                "set": st.dictionaries(node, fields, max_size=2),
                "edges": st.lists(ends, max_size=2),
                "unlink": st.lists(ends, max_size=1),
                "memories": st.lists(memory, max_size=1),
                "sessions": st.lists(work, max_size=1),
            },
        )
    )


@st.composite
def histories(draw: st.DrawFn) -> list[Event]:
    """Events with ids that grow, some of them about earlier ones."""
    made: list[Event] = []
    for place in range(draw(st.integers(1, 14))):
        earlier = st.none() | (st.sampled_from([event.id for event in made]) if made else st.none())
        made.append(
            Event(
                draw(st.sampled_from((*EventType, T.CORRECTION, T.CONFIRM, T.RETRACT))),
                draw(st.sampled_from(("", *WORDS))),
                id=ulid_after("", 1_000 + place),
                node=draw(st.none() | st.sampled_from(NODES)),
                ts_ms=draw(st.integers(1, 20)),
                recorded_ms=place,
                corrects=draw(earlier),
                supersedes=draw(earlier),
                status=draw(st.sampled_from(EventStatus)),
                meta=draw(st.sampled_from(({}, {}, {"bookkeeping": True}))),
                change=draw(changes()),
            )
        )
    return made


@st.composite
def disputes(draw: st.DrawFn) -> list[Event]:
    """Events that say things of each other and nothing else: corrected, confirmed, retracted and superseded."""
    made: list[Event] = []
    for place in range(draw(st.integers(3, 10))):
        earlier = st.sampled_from([event.id for event in made]) if made else st.none()
        made.append(
            Event(
                draw(st.sampled_from((T.FINDING, T.CORRECTION, T.CORRECTION, T.CONFIRM, T.RETRACT))),
                draw(st.sampled_from(("", *WORDS, *WORDS))),
                id=ulid_after("", 1_000 + place),
                ts_ms=place + 1,
                recorded_ms=place,
                corrects=draw(earlier),
                supersedes=draw(st.none() | earlier),
                status=draw(st.sampled_from((EventStatus.SUGGESTED, EventStatus.CONFIRMED))),
            )
        )
    return made


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(history=histories() | disputes(), data=st.data())
def test_rebuilt_is_what_it_was(
    tmp_path_factory: pytest.TempPathFactory, history: list[Event], data: st.DataObject
) -> None:
    """However events came in, one by one or merged late, the tables are those that a rebuild makes of the journal."""
    folder = tmp_path_factory.mktemp("folded")
    store = open_store(folder / "noctuary.db")
    ledger = Ledger(store, folder, "ana", FakeClock())
    rest = data.draw(st.permutations(history)) if data.draw(st.booleans()) else history
    while rest:
        size = data.draw(st.integers(1, len(rest)))
        ledger.add_lines("one", rest[:size])
        rest = rest[size:]
        if data.draw(st.booleans()):
            ledger.record(saying(data.draw(st.sampled_from(WORDS)), project="two", node="t-9"))
    grown = everything(ledger, WORDS)

    ledger.rebuild()

    assert everything(ledger, WORDS) == grown
    store.close()


def test_merge_in_either_direction(tmp_path: Path, clock: FakeClock) -> None:
    """Two machines that give each other their events know the same, but for the chain of each file."""
    one, two = (Ledger(open_store(tmp_path / f"{name}.db"), tmp_path / name, "ana", clock) for name in ("one", "two"))
    shared = one.record(opening())
    two.add_lines(PROJECT, [shared])
    for ledger, word in ((one, "first"), (two, "second"), (one, "third")):
        clock.advance(timedelta(seconds=1))
        ledger.record(saying(word))
        ledger.record(setting(status="in_progress", description=word))

    all_of_one, all_of_two = _events(one), _events(two)
    assert one.add_lines(PROJECT, all_of_two) == 2
    assert two.add_lines(PROJECT, all_of_one) == 4

    assert _events(one) == _events(two)
    assert one.store.nodes.find("ana", TASK) == two.store.nodes.find("ana", TASK)
    assert texts(one) == texts(two) == ["third", "second", "first", f"Open {TASK}"]


def _events(ledger: Ledger) -> list[Event]:
    return [entry_from(row).event for row in ledger.store.events.all("ana", None)]
