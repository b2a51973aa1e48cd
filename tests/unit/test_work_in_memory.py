"""The work of one project in a memory where the journals of others cannot be read."""

import pytest

from noctuary.app import Memory
from noctuary.errors import JournalDamaged, JournalTooNew
from noctuary.ledger.verifying import Kind

OURS, OTHER = "/home/ana/code/shop", "/home/ana/code/blog"


def test_a_lost_journal_stops_only_its_own_project(memory: Memory) -> None:
    """Where one journal is gone, work in other projects goes on, and verifying tells of it."""
    memory.work(OURS).open_task("Ours")
    memory.work(OTHER).open_task("Theirs")
    memory.ledger.journal(OTHER).path.unlink()

    assert [task.title for task in memory.work(OURS).tasks()] == ["Ours"]
    assert memory.work(OURS).open_task("More")
    with pytest.raises(JournalDamaged, match="is gone"):
        memory.work(OTHER)
    with pytest.raises(JournalDamaged):
        memory.ledger.catch_up()
    assert [(found.project, found.kind) for found in memory.verify_journals()] == [(OTHER, Kind.DAMAGED)]


def test_a_newer_journal_stops_only_its_own_project(memory: Memory) -> None:
    """The same, if a newer version wrote to one journal."""
    memory.work(OURS).open_task("Ours")
    path = memory.ledger.journal(OTHER).path
    path.write_text('{"event_id":"01JZ0000000000000000000000","schema_version":99}\n')

    assert memory.work(OURS).open_task("More")
    with pytest.raises(JournalTooNew):
        memory.work(OTHER)
