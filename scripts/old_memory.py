"""What `old_memories.py` runs with the code of each schema: a memory of the same transcripts with all it could do then.

Only what every version knows is used, or what it says it has; so it is the same program for all.
"""

import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

from noctuary import Memory
from noctuary.forgetting import Forgotten
from noctuary.records import Message, Role, Session

SHOP = "/home/ana/code/shop"
SESSIONS = tuple(f"6f1c1f6e-0000-4000-8000-00000000000{number}" for number in range(1, 5))


def write_transcripts(user_home: Path) -> None:
    """Four conversations of two agents; the last is forgotten."""
    from noctuary.testing import START, ClaudeTranscript, CodexTranscript  # noqa: PLC0415 (those of today)

    first = ClaudeTranscript(SESSIONS[0]).say("The tax test is flaky. Find out why.")
    first.reply("The cause is the time zone: the test reads the local clock.").say("Freeze the clock in it.")
    first.call("Bash", {"command": "pytest tests/test_tax.py"}).result("3 passed in 0.21s")
    first.reply("Done. The tests pass in every time zone now.").save(user_home)
    second = ClaudeTranscript(SESSIONS[1], start=START + timedelta(days=1))
    second.say("We must never store prices as floats; always use whole cents.").reply("Prices are whole cents now.")
    second.say("Zürich, naïve, 価格は整数です").reply("Alles in Rappen.").save(user_home)
    codex = CodexTranscript(start=START + timedelta(days=2))
    codex.prompt("Decision: no Redis for sessions, a SQLite table with an expiry index is enough.")
    codex.reply("Sessions live in SQLite now; Redis is gone from the compose file.").save(user_home)
    gone = ClaudeTranscript(SESSIONS[3], start=START + timedelta(days=3))
    gone.say("The vault code is a palindrome.").reply("I will not repeat it.").save(user_home)


def make(place: str, user_home: str = "/home/ana", *, schema: int = 99) -> None:
    """A memory of them in the folder, or on the server, with all that this version can do, or could at a schema."""
    is_server = place.startswith("postgresql://")
    more: dict[str, Any] = {"database": place} if is_server else {}
    with Memory.open(None if is_server else place, owner="ana", user_home=user_home, **more) as memory:
        memory.import_transcripts()
        memory.add_session(
            Session(id="told", project=SHOP, agent="api"),
            [Message(role=Role.USER, content="The till has its own clock.", ts_ms=1_772_600_000_000)],
        )
        memory.append("told", Message(role=Role.ASSISTANT, content="It runs late.", ts_ms=1_772_600_001_000))
        memory.forget(Forgotten(session=SESSIONS[3]))
        if schema >= 3 and hasattr(memory, "use_model"):
            from noctuary.models.hashing import HashingEmbedder  # noqa: PLC0415 (not every version has it)

            memory.use_model(HashingEmbedder())
            memory.embed()
        if schema >= 4 and hasattr(memory, "work"):
            write_down(memory)
        if schema >= 5 and hasattr(memory, "dreams"):
            for session in SESSIONS[:2]:
                memory.dreams.end_session(session)
            memory.dream()
            memory.add_session(
                Session(id="waits", project=SHOP, agent="api"),
                [Message(role=Role.USER, content="Always print two receipts.", ts_ms=1_772_600_002_000)],
            )
            memory.dreams.end_session("waits")
        if schema >= 7 and hasattr(memory, "brief"):
            memory.brief(project=SHOP)
        if schema >= 5 and hasattr(memory, "snapshot") and not is_server:
            memory.snapshot(Path(place) / "snapshots" / "old")


def write_down(memory: Any) -> None:
    """Work with a bit of everything: a goal, tasks, a decision with alternatives, what is corrected and taken back."""
    work = memory.work(SHOP)
    task = work.open_task("Move sessions to SQLite", goal="No Redis in production")
    other = work.open_task("Count the till", goal="No cent is lost")
    work.depend(other, task)
    work.note("decision", "Sessions live in SQLite, not in Redis.", node=task)
    work.note("finding", "The expiry index halves the sweep.", node=task)
    wrong = work.note("constraint", "Deploys happen on Mondays.", node=task)
    work.correct(wrong.event.id, "Deploys happen on Tuesdays.")
    mistaken = work.note("hypothesis", "The clock is broken.", node=other)
    work.retract(mistaken.event.id, reason="It was the zone.")
    work.remember("The shop has one small VM.")
    memory.work("/home/ana/code/till").open_task("Print receipts", goal="Paper for everybody")


if __name__ == "__main__":
    if sys.argv[1] == "transcripts":
        write_transcripts(Path(sys.argv[2]))
    else:
        make(sys.argv[2])
