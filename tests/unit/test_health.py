"""What status and doctor say of a memory, sound or damaged; neither changes it."""

from dataclasses import replace
from pathlib import Path

import apsw
import pytest

from noctuary.app import Memory
from noctuary.errors import ModelDamaged
from noctuary.forgetting import Forgotten
from noctuary.health import Checked, Checkup, Finding
from noctuary.recall.meaning import BY_WORDS
from noctuary.store.sqlite import PAGE_BYTES
from noctuary.testing import ClaudeTranscript, CodexTranscript
from tests.unit.importing.machine import OWNER, everything, open_memory

pytestmark = pytest.mark.slow


def findings(checkup: Checkup) -> dict[str, Finding]:
    return {check.name: check.finding for check in checkup.checks}


def raw(memory: Memory, sql: str) -> None:
    """Change the database behind the memory's back."""
    connection = apsw.Connection(str(memory.settings.database))
    list(connection.execute(sql))
    connection.close()


def test_empty_memory(memory: Memory) -> None:
    """A new memory is healthy and empty."""
    overview = memory.status()

    assert (overview.sessions, overview.messages, overview.transcripts, overview.unread) == (0, 0, 0, 0)
    assert (overview.owner, overview.agents, overview.interrupted) == (OWNER, [], [])
    assert overview.bytes > 0
    assert memory.doctor().is_healthy


def test_the_work_is_counted(memory: Memory) -> None:
    """Status counts goals, tasks, those that are open, decisions and events, also what another program just wrote."""
    work = memory.work("shop")
    goal = work.open_goal("No Redis")
    work.close(work.open_task("Schema", parent=goal))
    work.open_task("Import", parent=goal)
    work.log_decision("Where sessions live", options=["SQLite", "Redis"])

    overview = memory.status()

    assert (overview.goals, overview.tasks, overview.open_tasks, overview.decisions, overview.events) == (1, 2, 1, 1, 5)


def test_a_sound_journal_is_healthy(memory: Memory) -> None:
    """The doctor looks at the journals, and says how much is in them."""
    memory.work("shop").open_task("Schema")

    check = next(check for check in memory.doctor().checks if check.name == "journals")

    assert (check.finding, check.detail) == (Finding.OK, "1 event, all in place")


def test_half_a_line_is_no_problem(memory: Memory) -> None:
    """What a crash left behind heals by itself: a warning, and the memory is healthy."""
    memory.work("shop").open_task("Schema")
    with memory.ledger.journal("shop").path.open("a") as file:
        file.write('{"half')

    checkup = memory.doctor()

    assert findings(checkup)["journals"] is Finding.WARNING
    assert checkup.is_healthy


def test_an_edited_journal_is_a_problem(memory: Memory) -> None:
    """A line that was changed is told with its project and line; status goes on with what was read before."""
    work = memory.work("shop")
    work.open_task("Schema")
    work.open_task("Import")
    journal = memory.ledger.journal("shop").path
    journal.write_text(journal.read_text().replace("Schema", "Sahara"))

    checkup = memory.doctor()
    told = next(check.detail for check in checkup.checks if check.name == "journals")

    assert findings(checkup)["journals"] is Finding.PROBLEM
    assert "shop" in told
    assert "noctuary" in told
    assert memory.status().tasks == 2


def test_a_journal_that_is_gone_is_a_problem(memory: Memory) -> None:
    """The doctor says what to do, and status counts what is still in the tables."""
    memory.work("shop").open_task("Schema")
    memory.ledger.journal("shop").path.unlink()

    checkup = memory.doctor()
    told = next(check.detail for check in checkup.checks if check.name == "journals")

    assert findings(checkup)["journals"] is Finding.PROBLEM
    assert told.count("noctuary journal restore") == 1
    assert memory.status().tasks == 1


def test_a_transcript_that_grew_is_counted(memory: Memory, home: Path) -> None:
    """Status tells those that changed since they were imported from those never imported and those forgotten."""
    talk = ClaudeTranscript("s-1").say("One.")
    talk.save(home)
    ClaudeTranscript("s-2").say("Two.").save(home)
    ClaudeTranscript("s-3").say("Three.").save(home)
    memory.import_transcripts()
    assert (memory.status().unread, memory.status().grown) == (0, 0)
    talk.reply("And more.").save(home)
    memory.forget(Forgotten(session="s-2"))
    ClaudeTranscript("s-2").say("Two.").reply("And more.").save(home)

    assert (memory.status().unread, memory.status().grown) == (0, 1)


def test_checking_tells_how_far_it_is(memory: Memory) -> None:
    """Whoever watches is told before each check how many are done, and how many there are."""
    told: list[tuple[int, int]] = []

    memory.doctor(progress=lambda done, total: told.append((done, total)))

    assert told == [(done, 12) for done in range(12)]


def test_overview_counts(memory: Memory, home: Path) -> None:
    """Status counts sessions and messages by agent, and transcripts that were never imported."""
    ClaudeTranscript("s-1").say("One.").reply("Two.").save(home)
    CodexTranscript().prompt("Three.").save(home)
    memory.import_transcripts()
    ClaudeTranscript("s-2").say("Later.").save(home)

    overview = memory.status()

    assert (overview.sessions, overview.messages, overview.transcripts, overview.unread) == (2, 3, 3, 1)
    assert {(agent.agent, agent.sessions, agent.messages) for agent in overview.agents} == {
        ("claude-code", 1, 2),
        ("codex", 1, 1),
    }
    assert overview.first_ms is not None
    assert overview.last_ms is not None
    assert overview.first_ms < overview.last_ms


def test_doctor_names_unread_transcripts(memory: Memory, home: Path) -> None:
    """Doctor warns of transcripts that were never imported, and of none afterwards."""
    ClaudeTranscript("s-1").say("One.").save(home)
    before = findings(memory.doctor())

    memory.import_transcripts()

    assert before["transcripts"] is Finding.WARNING
    assert set(findings(memory.doctor()).values()) == {Finding.OK}


def test_nothing_to_do_for_empty_and_forgotten_transcripts(memory: Memory, home: Path) -> None:
    """Transcripts that an import leaves out on purpose are not called unread for ever."""
    path = ClaudeTranscript("s-1").say("One.").save(home)
    ClaudeTranscript("s-1", agent="a").say("Two.").save(home)
    (path.parent / "empty.jsonl").touch()
    (path.parent / "noise.jsonl").write_bytes(b"\xff\xfe\n")
    memory.forget(Forgotten(session="s-1"))
    memory.import_transcripts()

    assert memory.status().unread == 0
    assert set(findings(memory.doctor()).values()) == {Finding.OK}


def test_interrupted_transcript(memory: Memory, home: Path) -> None:
    """A transcript that could not be read to its end is a warning that names it."""
    path = ClaudeTranscript("s-1").say("One.").save(home)
    memory.import_transcripts()
    saved = memory.store.places.find(OWNER, str(path))
    assert saved
    memory.store.places.save(OWNER, str(path), replace(saved, error="Input/output error"))

    warning = next(check for check in memory.doctor().checks if check.name == "transcripts")

    assert warning.finding is Finding.WARNING
    assert str(path) in warning.detail
    assert memory.doctor().is_healthy


@pytest.mark.parametrize(
    ("harm", "check"),
    [
        ("delete from message_index where rowid = (select min(key) from messages)", "full-text index"),
        ("delete from messages where key = (select min(key) from messages)", "counts"),
        ("delete from sessions", "counts"),
        ("update sessions set message_count = 7", "counts"),
    ],
)
def test_doctor_finds_what_does_not_fit(memory: Memory, home: Path, harm: str, check: str) -> None:
    """Rows, counts and index that do not fit together are a problem, and the answer says what to do."""
    ClaudeTranscript("s-1").say("One.").reply("Two.").save(home)
    memory.import_transcripts()
    raw(memory, harm)

    checkup = memory.doctor()

    assert findings(checkup)[check] is Finding.PROBLEM
    assert not checkup.is_healthy
    assert any("noctuary rebuild" in found.detail for found in checkup.checks if found.finding is Finding.PROBLEM)


@pytest.fixture
def embedded(memory: Memory, home: Path) -> Memory:
    """A memory of two sessions that a model has read."""
    pytest.importorskip("numpy")
    ClaudeTranscript("s-1").say("One quagga.").reply("Two.").save(home)
    ClaudeTranscript("s-2").say("Three.").save(home)
    memory.import_transcripts()
    memory.use_model("hashing")
    memory.embed()
    return memory


def test_status_and_doctor_know_the_model(embedded: Memory) -> None:
    """Status has each model with what it has read; doctor finds nothing wrong with it."""
    model = embedded.status().models[0]

    assert (model.name, model.dimension, model.messages_read, model.messages) == ("hashing-64@1", 64, 3, 3)
    assert set(findings(embedded.doctor()).values()) == {Finding.OK}


def test_no_model_is_no_problem(memory: Memory) -> None:
    """Whoever searches by words alone is told that there are models, and nothing else."""
    checks = {check.name: check for check in memory.doctor().checks}

    assert (checks["model"].finding, checks["vectors"].finding) == (Finding.OK, Finding.OK)
    assert "noctuary model list" in checks["model"].detail
    assert memory.status().models == []


def vectors_check(memory: Memory) -> Checked:
    return next(check for check in memory.doctor().checks if check.name == "vectors")


@pytest.mark.parametrize(
    "harm",
    [
        "update embedders set dimension = 0",
        "update embedders set dimension = 63",
        "update embedders set dimension = 'x'",
        "update vectors set codes = zeroblob(length(codes))",
        "update embedders set state = 'wanted'",
        "update embedders set state = 'asleep'",
        "insert into embedders (name, source, dimension, state) values ('another@1', 'hashing', 64, 'serving')",
    ],
)
def test_doctor_finds_models_that_do_not_fit(embedded: Memory, harm: str) -> None:
    """If it is not clear which model the vectors are of, they must be made anew, and doctor says how."""
    raw(embedded, harm)

    found = vectors_check(embedded)

    assert found.finding is Finding.PROBLEM
    assert "`noctuary model off`, `noctuary model use` and `noctuary embed`" in found.detail
    assert not embedded.doctor().is_healthy
    embedded.use_no_model()
    embedded.use_model("hashing")
    embedded.embed()
    assert embedded.doctor().is_healthy


@pytest.mark.parametrize(
    ("harm", "noted"),
    [
        ("update embedders set dimension = 'x'", BY_WORDS),
        ("update embedders set state = 'foo'", BY_WORDS),
        ("update vectors set upto = 'abc'", ""),
        ("update vectors set session = 'abc' where session = 1", ""),
    ],
)
def test_a_careless_hand_costs_nothing_but_meaning(embedded: Memory, harm: str, noted: str) -> None:
    """Whatever somebody wrote into the tables of the vectors: search says it once, and all the rest goes on."""
    raw(embedded, harm)

    first, second = embedded.search("the quagga"), embedded.search("the quagga")

    assert [hit.session.id for hit in (*first.hits, *second.hits)] == ["s-1", "s-1"]
    assert (first.note[: len(BY_WORDS)], second.note) == (noted, "")
    assert len(embedded.status().models) == 1
    assert embedded.forget(Forgotten(session="s-2")) == 1
    assert embedded.forget(Forgotten(text="quagga")) == 1
    embedded.use_no_model()
    assert (embedded.used_models(), embedded.doctor().is_healthy) == ([], True)


def test_a_model_that_does_not_serve_any_more(embedded: Memory) -> None:
    """A state that is none is that of a model which was chosen: embedding makes it serve, and reads nothing again."""
    raw(embedded, "update embedders set state = 'foo'")

    assert (embedded.embed().messages, embedded.embed().is_serving) == (0, True)
    assert embedded.doctor().is_healthy


def test_signs_without_a_meaning_are_no_damage(embedded: Memory, home: Path) -> None:
    """A text of which a model makes nothing has a vector of zeros, and those are told from others."""
    ClaudeTranscript("s-3").say("=>").reply("!!!").save(home)
    embedded.import_transcripts()
    embedded.embed()

    assert embedded.doctor().is_healthy
    assert embedded.embed().messages == 0


ONE_OF_TWO = "lows = substr(lows, 1, 4), scales = substr(scales, 1, 4), codes = substr(codes, 1, 64)"
ROW_HARMS = {
    "codes too short": ("set codes = substr(codes, 2)", "another length"),
    "a factor too many": ("set scales = scales || x'00'", "another length"),
    "no keys": ("set lows = x''", "another length"),
    "a key of no message": ("set lows = cast(x'00000000' || substr(lows, 5) as blob)", "messages that are gone"),
    "such a key in a text": ("set lows = x'00000000' || substr(lows, 5)", "messages that are gone"),
    "messages it has not come to": ("set upto = 1", "messages that are gone"),
    "another order": ("set lows = cast(substr(lows, 5) || substr(lows, 1, 4) as blob)", "messages that are gone"),
    "another session": ("set session = 77", "a session that is gone"),
    "emptied": ("set lows = x'', scales = x'', codes = x''", "lacks vectors"),
    "one of two": (f"set {ONE_OF_TWO}", "lacks vectors"),
    "a reach that is no number": ("set upto = 'abc'", "how far they reach"),
    "a reach before the beginning": ("set upto = -3", "how far they reach"),
    "a factor that is no number": ("set scales = cast(substr(scales, 1, 4) || x'0000c07f' as blob)", "cannot be"),
    "a factor below 0": ("set scales = cast(x'000000bf' || substr(scales, 5) as blob)", "cannot be"),
    "a factor above 1": ("set scales = cast(x'00000040' || substr(scales, 5) as blob)", "cannot be"),
    "factors of zeros": ("set scales = zeroblob(length(scales))", "cannot be"),
    "zeros": ("set scales = zeroblob(length(scales)), codes = zeroblob(length(codes))", "cannot be"),
    "twice the same": ("set lows = cast(substr(lows, 1, 4) || substr(lows, 1, 4) as blob)", "lacks vectors"),
}


@pytest.mark.parametrize(("harm", "said"), ROW_HARMS.values(), ids=ROW_HARMS)
def test_damaged_vectors_are_named_and_mended(embedded: Memory, harm: str, said: str) -> None:
    """Vectors of a wrong length, of nothing that is there, or not of all that was read: embedding makes them again."""
    known = embedded.store.vectors.serving()
    assert known is not None
    whole = sorted(embedded.store.vectors.rows(known.no, None))
    raw(embedded, f"update vectors {harm} where session = 1")

    found = vectors_check(embedded)

    assert found.finding is Finding.PROBLEM
    assert said in found.detail
    assert "noctuary embed" in found.detail
    assert not embedded.doctor().is_healthy
    assert embedded.embed().messages == 2
    assert embedded.doctor().is_healthy
    assert sorted(embedded.store.vectors.rows(known.no, None)) == whole


def test_damage_is_counted(embedded: Memory, home: Path) -> None:
    """If many sessions have the same damage, some are named and the others counted."""
    for number in range(3, 9):
        ClaudeTranscript(f"s-{number}").say("Five.").save(home)
    embedded.import_transcripts()
    embedded.embed()
    raw(embedded, "update vectors set lows = x'', scales = x'', codes = x''")

    assert "(sessions 1, 2, 3 and 5 more)" in vectors_check(embedded).detail


def test_vectors_of_a_message_that_went_with_its_index_entry(embedded: Memory) -> None:
    """Where the index does not fit either, it is rebuilt first; then embedding mends the vectors."""
    raw(embedded, "delete from messages where key = (select min(key) from messages)")
    assert vectors_check(embedded).finding is Finding.PROBLEM

    embedded.rebuild()
    embedded.embed()

    assert embedded.doctor().is_healthy


def test_vectors_of_another_length_than_the_model_has(embedded: Memory) -> None:
    """Where the memory has the model's length wrong, embedding says so and leaves the vectors to another choice."""
    raw(embedded, "update embedders set dimension = 32")
    assert vectors_check(embedded).finding is Finding.PROBLEM
    with pytest.raises(ModelDamaged, match="noctuary model use"):
        embedded.embed()

    embedded.use_model("hashing")
    embedded.embed()

    assert embedded.doctor().is_healthy


def test_a_model_that_does_not_open_is_a_warning(embedded: Memory) -> None:
    """A broken model costs meaning, not memories, so the memory is healthy; the warning says what is wrong."""
    raw(embedded, "update embedders set source = '/no/such/model'")

    checks = {check.name: check for check in embedded.doctor().checks}

    assert checks["model"].finding is Finding.WARNING
    assert "/no/such/model" in checks["model"].detail
    assert checks["vectors"].finding is Finding.OK
    assert embedded.doctor().is_healthy


def test_another_model_in_its_place_is_a_warning(embedded: Memory) -> None:
    """What the memory knows by its name must be what is opened."""
    raw(embedded, "update embedders set name = 'other@1'")

    check = next(check for check in embedded.doctor().checks if check.name == "model")

    assert check.finding is Finding.WARNING
    assert "hashing-64@1" in check.detail


def test_what_the_model_has_not_read_is_a_warning(embedded: Memory, home: Path) -> None:
    """After an import there is something to embed; doctor says how much, and how."""
    ClaudeTranscript("s-3").say("Four.").save(home)
    embedded.import_transcripts()

    check = next(check for check in embedded.doctor().checks if check.name == "vectors")

    assert check.finding is Finding.WARNING
    assert "3 of 4 messages" in check.detail
    assert "noctuary embed" in check.detail


def test_rebuild_mends_index_and_counts(memory: Memory, home: Path) -> None:
    """After a rebuild the index and the counts fit the messages again."""
    ClaudeTranscript("s-1").say("One quagga.").reply("Two.").save(home)
    memory.import_transcripts()
    raw(
        memory, "insert into message_index (message_index) values ('delete-all'); update sessions set message_count = 9"
    )
    assert not memory.doctor().is_healthy

    assert memory.rebuild().messages == 2

    assert memory.doctor().is_healthy
    assert memory.search("quagga").hits
    assert memory.session("s-1").message_count == 2


def test_doctor_of_a_damaged_file(tmp_path: Path, home: Path) -> None:
    """A file with overwritten pages is a problem that doctor reports, not one it fails of."""
    transcript = ClaudeTranscript("s-1")
    for turn in range(400):
        transcript.say(f"Turn {turn} " + "of many words and more " * 20)
    transcript.save(home)
    with open_memory(tmp_path / "memory", home) as memory:
        memory.import_transcripts()
    path = tmp_path / "memory" / "noctuary.db"
    content = bytearray(path.read_bytes())
    pages = len(content) // PAGE_BYTES
    for page in range(pages // 2, pages):
        content[page * PAGE_BYTES : (page + 1) * PAGE_BYTES] = b"\x5a" * PAGE_BYTES
    path.write_bytes(content)

    checkup = Memory.examine(memory.settings)  # also if it cannot even be opened

    assert findings(checkup)["database file"] is Finding.PROBLEM


def test_busy_memory_is_not_called_damaged(tmp_path: Path, memory: Memory, home: Path) -> None:
    """While another process writes, what cannot be checked is a warning."""
    ClaudeTranscript("s-1").say("One.").save(home)
    memory.import_transcripts()
    hurried = Memory.from_settings(memory.settings._replace(busy_seconds=0.05), memory.clock)

    with memory.store.database.transaction():
        checkup = hurried.doctor()

    assert findings(checkup)["full-text index"] is Finding.WARNING
    assert checkup.is_healthy
    hurried.close()


def test_open_permissions(memory: Memory) -> None:
    """A database that others can read is a warning with the command that mends it."""
    memory.settings.database.chmod(0o644)

    warning = next(check for check in memory.doctor().checks if check.name == "permissions")

    assert warning.finding is Finding.WARNING
    assert "chmod 600" in warning.detail


def test_looking_changes_nothing(memory: Memory, home: Path) -> None:
    """Status and doctor leave every message and every byte of the file as they are."""
    ClaudeTranscript("s-1").say("One.").save(home)
    memory.import_transcripts()
    memory.store.database.fetch("tidy_log")
    before, content = everything(memory), memory.settings.database.read_bytes()

    memory.status()
    memory.doctor()
    memory.store.database.fetch("tidy_log")

    assert everything(memory) == before
    assert memory.settings.database.read_bytes() == content
