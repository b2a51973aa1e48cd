"""Lists of a memory in parts."""

from pathlib import Path

from noctuary.app import Memory, listing
from noctuary.app.listing import EventChoice, SessionChoice
from noctuary.records import Message, Role, Session
from noctuary.settings import Settings
from noctuary.testing import FakeClock


def test_sessions_events_and_dreams_come_in_parts(tmp_path: Path) -> None:
    """Each part begins behind the last of the one before; what was taken back is there only if it is asked for."""
    settings = Settings(home=tmp_path / "memory", owner="ana", user_home=tmp_path, environ={})
    with Memory.from_settings(settings, FakeClock()) as memory:
        for name in ("a", "b", "c"):
            memory.add_session(Session(id=name, started_ms=1), [Message(Role.USER, "hello", ts_ms=1)])
        work = memory.work("/shop")
        first, second = work.note("finding", "One."), work.note("finding", "Two.")
        work.retract(first.event.id)
        for name in ("a", "b"):
            memory.dreams.run(sessions=[name], backend="rules")

        some = listing.sessions(memory, SessionChoice(), None, 2)
        rest = listing.sessions(memory, SessionChoice(), (some[-1].last_ms or 0, some[-1].id), 2)
        runs = listing.runs(memory, None, 9)

        assert [session.id for session in (*some, *rest)] == ["c", "b", "a"]
        findings = EventChoice(project="/shop", type="finding")
        assert [entry.event.text for entry in listing.events(memory, findings, None, 9)] == ["Two."]
        assert listing.events(memory, findings, second.event.id, 9) == []
        hidden = listing.events(memory, findings._replace(is_hidden_too=True), second.event.id, 9)
        assert [entry.event.text for entry in hidden] == ["One."]
        assert [run.run for run in listing.runs(memory, runs[0].run, 9)] == [run.run for run in runs[1:]]
        assert len(runs) == 2


def test_a_dream_whose_report_was_lost_takes_nobodys_place(tmp_path: Path) -> None:
    """It has nothing to be listed by, and the part is as long as it may be all the same."""
    settings = Settings(home=tmp_path / "memory", owner="ana", user_home=tmp_path, environ={})
    with Memory.from_settings(settings, FakeClock()) as memory:
        for name in ("a", "b", "c"):
            memory.add_session(Session(id=name, started_ms=1), [Message(Role.USER, "hello", ts_ms=1)])
            memory.dreams.run(sessions=[name], backend="rules")
        third, second, first = memory.store.dreams.runs(memory.owner, 9)
        memory.store.dreams.save_run(memory.owner, second._replace(report=None))

        assert [run.run for run in listing.runs(memory, None, 2)] == [third.id, first.id]
