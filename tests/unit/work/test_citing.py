"""Citations: nothing is cited that was not said."""

import pytest

from noctuary.authored import MessageRef, Refs
from noctuary.errors import BadInput, EventNotFound, MessageNotFound, SessionNotFound
from noctuary.records import Message, Role, Session
from noctuary.work.citing import cite
from noctuary.work.desk import Desk
from noctuary.work.notes import note
from tests.unit.work.conftest import MakeDesk

SAID_MS = 1_770_000_000_000
TOKEN = "ghp_" + "Ab1" * 12


@pytest.fixture
def talk(desk: Desk) -> str:
    """A session of three messages, said a second after each other."""
    number = desk.store.sessions.ensure(desk.owner, Session(id="talk"))
    texts = ("Use LRU,\n  it is simple", "Agreed", "key [redacted:github-token:0a1b2c3d] leaked")
    said = [
        Message(Role.USER, text, ts_ms=SAID_MS + 1000 * place, source_line=10 + place)
        for place, text in enumerate(texts)
    ]
    desk.store.messages.add(desk.owner, number, said)
    return "talk"


def test_j7_1_a_cited_message_gives_line_and_time(desk: Desk, talk: str) -> None:
    """The note keeps quote and line, and happened when the last of what it cites was said."""
    refs = Refs(messages=(MessageRef(talk, 1, "LRU, it is"), MessageRef(talk, 2, line=3)))

    event = note(desk, "decision", "LRU", refs=refs).event

    assert event.refs.messages == (MessageRef(talk, 1, "LRU, it is", 10), MessageRef(talk, 2, "", 11))
    assert event.ts_ms == SAID_MS + 1000
    assert event.recorded_ms == desk.clock.now_ms()


def test_a_session_is_named_by_its_beginning(desk: Desk, talk: str) -> None:
    """As much of its id as says which one is enough, and the note keeps the whole; two that begin so are refused."""
    assert cite(desk, Refs(messages=(MessageRef("ta", 1),))).refs.messages == (MessageRef(talk, 1, "", 10),)

    desk.store.sessions.ensure(desk.owner, Session(id="tax"))
    with pytest.raises(SessionNotFound, match="More than one session begins with 'ta'"):
        cite(desk, Refs(messages=(MessageRef("ta", 1),)))


def test_a_time_that_is_given_counts(desk: Desk, talk: str) -> None:
    """Whoever says when it happened is believed."""
    refs = Refs(messages=(MessageRef(talk, 1),))

    assert note(desk, "decision", "LRU", refs=refs, ts_ms=5).event.ts_ms == 5


def test_what_was_not_said_is_not_cited(desk: Desk, talk: str, make_desk: MakeDesk) -> None:
    """A message that is not there, and words that are not in it, are refused; nothing is written."""
    with pytest.raises(MessageNotFound, match="talk has no message 4"):
        note(desk, "decision", "LRU", refs=Refs(messages=(MessageRef(talk, 4),)))
    with pytest.raises(MessageNotFound):
        note(desk, "decision", "LRU", refs=Refs(messages=(MessageRef(talk, 0),)))
    with pytest.raises(BadInput, match="does not say 'LFU'"):
        note(desk, "decision", "LRU", refs=Refs(messages=(MessageRef(talk, 1, "LFU"),)))
    assert desk.store.events.count(desk.owner) == 0


def test_unknown_sessions_are_taken_as_they_are(desk: Desk, talk: str, make_desk: MakeDesk) -> None:
    """What was never imported cannot be looked up; nor can another owner's sessions."""
    unknown = Refs(messages=(MessageRef("elsewhere", 7, "whatever", 3),))
    assert cite(desk, unknown) == (unknown, 0)

    theirs = Refs(messages=(MessageRef(talk, 7, "whatever"),))
    assert cite(make_desk(owner="bob"), theirs) == (theirs, 0)


def test_a_quoted_secret_is_the_redacted_one(desk: Desk) -> None:
    """A quote with the secret still in it is found in the message, which has it no more, and kept without."""
    number = desk.store.sessions.ensure(desk.owner, Session(id="talk"))
    event = note(desk, "finding", f"The key {TOKEN} leaked").event
    desk.store.messages.add(desk.owner, number, [Message(Role.USER, event.text)])

    cited = note(desk, "finding", "Leak", refs=Refs(messages=(MessageRef("talk", 1, f"key {TOKEN}"),)))

    assert TOKEN not in cited.event.refs.messages[0].quote


def test_cited_events_are_there(desk: Desk) -> None:
    """Events are cited by the beginning of their ids, kept whole, and refused if there are none."""
    event = note(desk, "finding", "Slow").event

    assert cite(desk, Refs(events=(event.id[:20].lower(),))).refs.events == (event.id,)
    with pytest.raises(EventNotFound):
        cite(desk, Refs(events=("nothing",)))
