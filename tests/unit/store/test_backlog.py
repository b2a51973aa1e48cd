"""What is stored but not yet indexed: it waits, is said to be missing, and is never lost."""

from pathlib import Path

from noctuary.app import Memory
from noctuary.forgetting import Forgotten
from noctuary.health import Finding
from noctuary.recall.database import UNFINISHED
from noctuary.records import Hidden, Message, Role, Session, TitleSource
from noctuary.store import keys
from noctuary.store.backlog import MOST_AT_ONCE, portion
from noctuary.store.lexicon import AUTOMERGE
from noctuary.testing import ClaudeTranscript
from tests.unit.importing.machine import finds, indexed, open_memory


def store_only(memory: Memory, session_id: str, *texts: str, title: str | None = None) -> int:
    """Store messages as an import does that is killed before it indexes them; the session's number."""
    store = memory.store
    with store.database.transaction(), store.messages.indexing_later():
        no = store.sessions.ensure(memory.owner, Session(id=session_id))
        if title:
            store.sessions.set_title(no, title, TitleSource.GIVEN)
            store.messages.index_title(no, None, title)
        store.messages.add(memory.owner, no, [Message(role=Role.USER, content=text) for text in texts])
    return no


def index_check(memory: Memory) -> Finding:
    return next(check.finding for check in memory.doctor().checks if check.name == "full-text index")


def test_what_waits_is_said_to_be_missing(memory: Memory) -> None:
    """A search that cannot see everything says so, with or without hits; the doctor warns, but it is no damage."""
    memory.append("old", Message(role=Role.USER, content="Redis was rejected."))
    store_only(memory, "new", "Redis came back.")

    found = memory.search("redis")

    assert [hit.session.id for hit in found.hits] == ["old"]
    assert found.note == UNFINISHED
    assert memory.search("nowhere").note.endswith(UNFINISHED)
    assert index_check(memory) is Finding.WARNING
    assert memory.store.lexicon.balance().waiting == 1


def test_the_next_import_indexes_what_waits(memory: Memory) -> None:
    """Messages and titles, names by their parts and unspaced scripts too, though there is nothing new to read."""
    store_only(memory, "s", "Set maxRetries to three.", "数据库已经迁移。", title="Retry budget")

    memory.import_transcripts()

    assert finds(memory, "retries") == [("s", "Set maxRetries to three.")]
    assert finds(memory, "迁移") == [("s", "数据库已经迁移。")]
    assert len(indexed(memory, "budget")) == 1
    assert not memory.search("retries").note
    assert index_check(memory) is Finding.OK
    assert memory.store.lexicon.balance().waiting == 0


def test_portions_are_bounded_and_go_on() -> None:
    """So much at once that few pieces come of it, but one range at least, however large."""
    small, large = (1, 2, MOST_AT_ONCE // 2), (3, 4, 10 * MOST_AT_ONCE)

    assert portion([small, small, small]) == [small, small]
    assert portion([large, small]) == [large]
    assert portion([small]) == [small]
    assert portion([]) == []


def test_much_that_waits_is_worked_off_in_portions(memory: Memory) -> None:
    """What is too much for one transaction is indexed in several, all of it and once."""
    for number in range(5):
        no = store_only(memory, f"s-{number}", f"Note {number} about caching.", title=f"Title {number}")
        low = keys.pack(no, 1)
        memory.store.backlog.add(low, low | 255, MOST_AT_ONCE)  # as if it were so long

    memory.store.backlog.work_off()

    assert len(indexed(memory, "caching")) == len(indexed(memory, "title")) == 5
    assert index_check(memory) is Finding.OK


def test_what_a_killed_bulk_import_left_is_put_right(memory: Memory) -> None:
    """It may leave the index unmerged for good; the next import sets that back."""
    memory.store.lexicon.merge_afterwards()

    memory.import_transcripts()

    assert memory.store.database.fetch("automerge") == [(AUTOMERGE,)]


def test_an_import_leaves_nothing_waiting(memory: Memory, home: Path) -> None:
    """What an import stores can be found when it ends, in one piece of the index."""
    for number in range(3):
        ClaudeTranscript(f"s-{number}").say(f"Question {number} about caching.").reply("Use SQLite.").save(home)

    memory.import_transcripts()

    assert {session for session, _ in finds(memory, "caching")} == {"s-0", "s-1", "s-2"}
    assert memory.store.lexicon.balance().waiting == 0
    assert memory.store.lexicon.pieces() == 1


def test_hidden_while_it_waits_stays_hidden(memory: Memory) -> None:
    """What was taken back before it was indexed is not found afterwards."""
    no = store_only(memory, "s", "Use Kafka.", "Use SQLite.")
    keys = memory.store.messages.containing("kafka")
    memory.store.messages.hide(memory.owner, no, keys, Hidden.REWOUND)

    memory.store.backlog.work_off()

    assert indexed(memory, "kafka") == []
    assert len(indexed(memory, "sqlite")) == 1
    assert index_check(memory) is Finding.OK


def test_a_title_changed_while_it_waits_is_indexed_once(memory: Memory) -> None:
    """Only the last title is found."""
    no = store_only(memory, "s", "Hello.", title="First name")
    with memory.store.database.transaction(), memory.store.messages.indexing_later():
        memory.store.sessions.set_title(no, "Second and longer name", TitleSource.GIVEN)
        memory.store.messages.index_title(no, "First name", "Second and longer name")

    memory.store.backlog.work_off()

    assert indexed(memory, "first") == []
    assert len(indexed(memory, "longer")) == 1


def test_a_session_removed_while_it_waits_leaves_nothing(memory: Memory) -> None:
    """Its number may be given again: the next session under it is indexed once."""
    first = store_only(memory, "gone", "Use Kafka.", title="Queues")
    memory.recall.delete_session(memory.owner, "gone")
    memory.append("next", Message(role=Role.USER, content="Use SQLite."))

    memory.store.backlog.work_off()

    number = memory.store.sessions.find(memory.owner, "next")
    assert number is not None
    assert number[0] == first
    assert indexed(memory, "kafka") == indexed(memory, "queues") == []
    assert len(indexed(memory, "sqlite")) == 1


def test_rebuild_indexes_what_waits_once(memory: Memory) -> None:
    """Nothing waits after the index was made again."""
    store_only(memory, "s", "Use SQLite.", title="Storage")

    memory.rebuild()
    memory.store.backlog.work_off()

    assert len(indexed(memory, "sqlite")) == len(indexed(memory, "storage")) == 1
    assert index_check(memory) is Finding.OK


def test_forgetting_sees_what_waits(memory: Memory) -> None:
    """What cannot be found yet is forgotten all the same."""
    store_only(memory, "s", "The launch codename is Nightjar.")

    removed = memory.forget(Forgotten(query=memory.query("nightjar")))

    assert removed == 1
    assert indexed(memory, "nightjar") == []


def test_only_the_owner_is_told(memory: Memory, home: Path, tmp_path: Path) -> None:
    """Another owner's unfinished import is nobody else's business."""
    store_only(memory, "s", "Use SQLite.")

    with open_memory(tmp_path / "memory", home, owner="ben") as other:
        assert UNFINISHED not in other.search("sqlite").note
