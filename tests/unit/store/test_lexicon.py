"""Messages by their words: what tools printed in a project, at a cost that does not grow."""

from datetime import timedelta
from pathlib import Path

from noctuary.records import Kind, Message, Role, Term
from noctuary.store import Store, keys
from noctuary.store.lexicon import NEWEST, Printed
from noctuary.testing import FakeClock
from tests.unit.dream.nights import OWNER, PROJECT, add_session, open_night

DAY = timedelta(days=1)
WORDS = [Term(("slow",)), Term(("reports",))]


def printed(ts_ms: int) -> Message:
    return Message(Role.TOOL, "Slow reports.", Kind.TOOL_RESULT, tool_name="Read", call_id="c", ts_ms=ts_ms)


def found(store: Store, before_ms: int, looked_at: int, most: int = 6, below: int = NEWEST) -> list[int]:
    """The numbers of the sessions in which tools printed the words, each of which has one message of theirs."""
    found, _ = store.lexicon.printed_before(WORDS, Printed(OWNER, PROJECT, before_ms, looked_at, below), most)
    assert {keys.place_of(key) for key in found} <= {2}
    return [keys.session_of(key) for key in found]


def test_what_tools_printed_is_found_among_the_newest_messages(tmp_path: Path, database: str) -> None:
    """In the project, before a time, the newest first; what others say with the words counts as looked at."""
    clock = FakeClock()
    with open_night(tmp_path, clock) as night:
        for name, project in (("first", PROJECT), ("second", PROJECT), ("third", "/elsewhere")):
            clock.advance(DAY)
            is_told = "The reports are slow."
            add_session(night, name, "Read it.", printed(night.now_ms()), is_told, project=project)
        store, now_ms = night.store, night.now_ms()
        first, second = ((store.sessions.find(OWNER, name) or (0,))[0] for name in ("first", "second"))

        assert found(store, now_ms, 100) == [second, first]
        assert found(store, now_ms, 100, most=1) == [second]
        assert found(store, now_ms, 4) == [second]  # behind two elsewhere, and what was said of it
        assert found(store, now_ms, 3) == []
        for looked_at, is_all in ((7, True), (6, False)):  # six have the words, and whether more do is not known
            place = Printed(OWNER, PROJECT, now_ms, looked_at)
            assert store.lexicon.printed_before(WORDS, place, 6)[1] is is_all
        for since, is_enough in ((second, False), (second + 2, True)):  # two of six are older, or all of them
            place = Printed(OWNER, PROJECT, now_ms, 6, since=since << keys.SESSION_SHIFT)
            assert store.lexicon.printed_before(WORDS, place, 6)[1] is is_enough
        assert found(store, now_ms, 2, below=second << keys.SESSION_SHIFT) == [first]
        assert found(store, now_ms - DAY // timedelta(milliseconds=1), 100) == [first]


def test_what_others_keep_hides_nothing(tmp_path: Path, database: str) -> None:
    """However much another owner has in the same memory, and however new it is."""
    clock = FakeClock()
    with open_night(tmp_path, clock) as night, open_night(tmp_path, clock, owner="ben") as others:
        add_session(night, "first", "Read it.", printed(night.now_ms()))
        for number in range(3):
            clock.advance(DAY)
            add_session(others, f"other-{number}", "Read it.", printed(night.now_ms()))
        first, _ = night.store.sessions.find(OWNER, "first") or (0, None)

        assert found(night.store, night.now_ms(), 2) == [first]
