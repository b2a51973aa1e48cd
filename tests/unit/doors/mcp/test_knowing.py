"""What is known: why, what to remember, where dreams stand."""

import pytest

from noctuary.authored import MessageRef, Refs
from noctuary.doors.mcp.tools import KINDS
from noctuary.store.memories import MemoryStatus
from tests.unit.doors.mcp.serving import Served


def test_why_gives_decisions_rejections_notes_and_memories(served: Served) -> None:
    """Each dated, with its id and who said it; nothing that is about something else."""
    served("task", action="note", kind="decision", text="Sessions live in SQLite, not in Redis")
    served("task", action="note", kind="rejection", text="Redis: one more daemon to back up")
    served("task", action="note", kind="finding", text="Redis needs 60 MB at rest")
    served("remember", text="Redis was never installed in production")
    served("task", action="note", kind="decision", text="Tax is rounded by rate")
    answer = served("recall_why", topic="why did we drop redis?")

    assert [part.split(" (")[0] for part in answer.split("\n") if part.endswith("(1)")] == [
        *("Decided", "Rejected", "Noted", "Remembered"),
    ]
    assert "decision by agent [01" in answer
    assert "one more daemon" in answer
    assert "fact [m-" in answer
    assert "Tax" not in answer


def test_rejected_options_come_with_their_reason(served: Served) -> None:
    """And with the decision in which they were rejected."""
    with served.keeper.writing() as memory:
        work = memory.work(served.project)
        decision = work.log_decision("Session store", options=["Redis", "SQLite"])
        work.reject_option(decision.options[0], "one more daemon")
    answer = served("recall_why", topic="redis")

    assert "Session store: Redis. Because: one more daemon" in answer
    assert f"about {decision.node.id}" in answer


def test_what_was_decided_names_the_messages_it_rests_on(served: Served) -> None:
    """So that session_search can read around them."""
    served.keep("aaaa-1", ["Why lost?", "A dict.", "Decision: no Redis for sessions."])
    with served.keeper.writing() as memory:
        refs = Refs(messages=(MessageRef("aaaa-1", 3, "no Redis for sessions"),))
        memory.work(served.project).note("decision", "No Redis for sessions", refs=refs)

    assert "rests on message 3 of session aaaa-1" in served("recall_why", topic="redis")


def test_nothing_known_is_a_complete_answer(served: Served) -> None:
    """It says where else something may be: in other projects, or said without being written down."""
    assert "complete answer" in served("recall_why", topic="redis")
    served("task", action="note", kind="decision", text="No Redis here", project="other")
    answer = served("recall_why", topic="redis")

    assert "project * shows them" in answer
    assert "session_search" in answer
    assert "No Redis here" in served("recall_why", topic="redis", project="*")


def test_why_keeps_its_budget(served: Served) -> None:
    """However much was noted."""
    for number in range(60):
        served("task", action="note", kind="decision", text=f"{number} redis " + "because " * 400)
    answer = served("recall_why", topic="redis", limit=20)

    assert len(answer) <= 8_000
    assert "Decided (40)" in answer


@pytest.mark.parametrize("kind", KINDS)
def test_a_rule_that_an_agent_remembers_waits_for_the_user(served: Served, kind: str) -> None:
    """Facts, decisions and gotchas count at once; what would bind the user is only proposed."""
    answer = served("remember", text="Use tabs", kind=kind)
    with served.keeper.reading() as memory:
        kept = memory.work(served.project).memories()[0]
    is_rule = kind in ("constraint", "preference", "procedure")

    assert kept.status is (MemoryStatus.PROPOSED if is_rule else MemoryStatus.ACTIVE)
    assert ("noctuary event confirm" in answer) is is_rule
    assert kept.facts["trust"] == "agent"
    assert "approved" not in kept.facts


def test_the_same_sentence_is_kept_once(served: Served) -> None:
    """A model that repeats itself does no harm."""
    first = served("remember", text="The staging database is reset every night", topic="staging")
    again = served("remember", text="the staging database is  reset every night")

    assert first == again


def test_a_memory_that_was_retired_is_not_recalled(served: Served) -> None:
    """Why is about what holds."""
    served("remember", text="Redis runs on port 6379")
    with served.keeper.writing() as memory:
        work = memory.work(served.project)
        work.retire(work.memories()[0].id, "it is gone")

    assert "6379" not in served("recall_why", topic="redis port")


def test_dream_status_counts_what_waits(served: Served) -> None:
    """And says when sessions were read last."""
    served.keep("aaaa-1", ["Decision: no Redis for sessions.", "Done."])

    assert "There was no dream yet." in served("dream_status")
    assert "Waiting to be read: 1 session" in served("dream_status", project="*")
    with served.keeper.writing() as memory:
        memory.dreams.run()
    answer = served("dream_status")

    assert "Last dream: " in answer
    assert "Waiting to be read: 0 sessions; still open: 0; read so far: 1." in answer


def test_a_sentence_is_needed(served: Served) -> None:
    """An empty call is answered with what belongs into it."""
    assert "remember needs text: the sentence to keep." in served.refused("remember")
    assert "recall_why needs topic: a few words, or a question." in served.refused("recall_why", topic=" ")
    assert "kind of remember is one of decision, constraint" in served.refused("remember", text="x", kind="rule")
