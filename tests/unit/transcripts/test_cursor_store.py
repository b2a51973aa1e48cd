"""What the golden case of Cursor's command line cannot show: change, two accounts of one chat, and copies."""

import json
import shutil
from pathlib import Path

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from noctuary.records import Hidden, Role
from noctuary.transcripts.cursor import Cursor
from noctuary.transcripts.cursor_turns import said_ms, spoken
from noctuary.transcripts.items import Facts, Mark, Place, Said
from noctuary.transcripts.protobuf import fields_in
from noctuary.transcripts.recognising import transcripts_at
from tests.unit.transcripts.foreign_homes import counts, home_of, imports, taken_back, texts

CHAT = "c1a00000-0000-4000-8000-000000000001"
SUMMED_UP = "c1a00000-0000-4000-8000-000000000002"
SUMMARY = 13  # the field of a state that has what was summed up


def store_of(home: Path, chat: str = CHAT) -> Path:
    """The database of a chat."""
    return next(home.rglob(f"{chat}/store.db"))


def field(number: int, value: bytes) -> bytes:
    """A field of a protocol buffer with few bytes in it."""
    return bytes([number << 3 | 2, len(value)]) + value


def go_on(path: Path, listed: list[int], said: dict[int, str], *more: bytes) -> None:
    """Cursor writes messages, a state that lists these, and that it is the latest."""
    connection = apsw.Connection(str(path))
    for number, text in said.items():
        message = json.dumps({"role": "assistant", "content": text})
        connection.execute("insert into blobs values (?, cast(? as blob))", (f"{number:064x}", message))
    state = b"".join([*(field(1, bytes.fromhex(f"{number:064x}")) for number in listed), *more])
    connection.execute("insert into blobs values (?, ?)", ("e" * 64, state))
    about = json.dumps({"agentId": path.parent.name, "latestRootBlobId": "e" * 64, "createdAt": 1772355600000})
    connection.execute("update meta set value = ?", (about.encode().hex(),))
    connection.close()


def test_only_what_is_new_in_a_chat_is_told(tmp_path: Path) -> None:
    """Every turn makes a new state; what it lists again was told already."""
    home = home_of("cursor", "store", tmp_path)
    with imports(tmp_path) as memory:
        memory.import_transcripts()
        go_on(store_of(home), [1, 2, 3, 4, 5, 6, 7, 20], {20: "Fixed."})
        second = memory.import_transcripts()
        third = memory.import_transcripts()

    assert (counts(second), counts(third), third.grown) == ((1, 0), (0, 0), 0)


def test_what_a_state_no_longer_lists_is_taken_back(tmp_path: Path) -> None:
    """A chat that goes back to an earlier place keeps its messages, but they are no longer part of it."""
    home = home_of("cursor", "store", tmp_path)
    with imports(tmp_path) as memory:
        memory.import_transcripts()
        go_on(store_of(home), [1, 2, 3, 4, 5], {})
        second = memory.import_transcripts()

    assert counts(second) == (0, 3)


def test_what_was_summed_up_was_said(tmp_path: Path) -> None:
    """A state with a summary lists what comes after it; what came before stays part of the chat."""
    home = home_of("cursor", "store", tmp_path)
    with imports(tmp_path) as memory:
        memory.import_transcripts()
        go_on(store_of(home), [20], {20: "In short: it rounds."}, field(SUMMARY, b"\1" * 32))
        second = memory.import_transcripts()

    assert counts(second) == (2, 0)  # also what had been taken back: nobody can tell that any more


def test_a_transcript_is_told_until_there_is_a_database(tmp_path: Path) -> None:
    """A chat that a database has, too, is told from there; what its transcript told before is taken back."""
    home = home_of("cursor", "store", tmp_path)
    chats, away = home / ".cursor/chats", tmp_path / "away"
    chats.rename(away)
    with imports(tmp_path) as memory:
        first = memory.import_transcripts()
        away.rename(chats)
        path = next(home.rglob(f"{CHAT}.jsonl"))
        path.write_text(path.read_text() + '{"type":"turn_ended"}\n')
        second = memory.import_transcripts()

    assert (first.messages, second.rewound, second.messages > 0) == (1, 1, True)


def test_a_chat_without_its_latest_state_is_told_as_it_was_written(tmp_path: Path) -> None:
    """If the state is gone or broken, the messages are still there."""
    home = home_of("cursor", "store", tmp_path)
    connection = apsw.Connection(str(store_of(home, SUMMED_UP)))
    connection.execute(f"delete from blobs where id = '{'f' * 64}'")
    connection.close()
    source = next(each for each in Cursor().find(home, {}) if each.session == SUMMED_UP)

    items = list(Cursor().read(source, Place()))

    assert texts(items)[-2:] == ["And then?", "Then it went on."]
    assert taken_back(items) == 0


def test_a_copy_is_known_by_what_stands_in_it(tmp_path: Path) -> None:
    """A database that lies elsewhere is of the session that it names."""
    home = home_of("cursor", "store", tmp_path)
    copy = shutil.copy(store_of(home), tmp_path / "chat.db")
    [source] = transcripts_at(Path(copy), [])

    items = list(Cursor().read(source, Place()))

    assert source.adapter == "cursor"
    assert {item.session for item in items if isinstance(item, Said | Facts)} == {CHAT}
    assert [item for item in items if isinstance(item, Mark)]


def test_another_place_can_be_named(tmp_path: Path) -> None:
    """`CURSOR_DATA_DIR` names the folder, as it does for Cursor."""
    home = home_of("cursor", "store", tmp_path)
    (home / ".cursor").rename(home / "elsewhere")

    found = [source.session for source in Cursor().find(home, {"CURSOR_DATA_DIR": "~/elsewhere"})]

    assert sorted({*found}) == [CHAT, SUMMED_UP]


@pytest.mark.parametrize(
    ("text", "ms"),
    [
        ("<timestamp>Friday, Jul 17, 2026, 12:26 AM (UTC+9)</timestamp>\n<user_query>x</user_query>", 1784215560000),
        ("<timestamp>Monday, Oct 5, 2026, 9:05 PM (UTC-5:30)</timestamp>", 1791254100000),
        ("<timestamp>Friday, Jul 17, 2026, 12:26\u202fPM (UTC)</timestamp>", 1784291160000),
        ("<user_query><timestamp>Friday, Jul 17, 2026, 12:26 AM (UTC)</timestamp></user_query>", 0),
        ("<timestamp>Friday, Juli 17, 2026, 12:26 AM (UTC)</timestamp>", 0),
        ("<timestamp>Friday, Feb 31, 2026, 12:26 AM (UTC+99)</timestamp>", 0),
        ("<timestamp>yesterday</timestamp>", 0),
    ],
)
def test_a_prompt_says_when_it_was_typed(text: str, ms: int) -> None:
    """The time stands before what was typed, in words and with its zone; what a person types is no time."""
    assert said_ms(text) == ms


@pytest.mark.parametrize(
    ("text", "typed", "added"),
    [
        ("<timestamp>Monday</timestamp>\nMake it green.", ["Make it green."], 1),
        ("<image_files>\na.png\n</image_files>\n<timestamp>Monday</timestamp>\nMake it green.", ["Make it green."], 2),
        ("<timestamp>Monday</timestamp>\n<system_notification>\nDone.\n</system_notification>", [], 2),
        ("<user_info>\nOS: linux\n</user_info>", [], 1),
        ("<timestamp>Monday</timestamp>\n<user_query>\nWhy?\n</user_query>", ["Why?"], 1),
        ("Is <b>this</b> fine?", ["Is <b>this</b> fine?"], 0),
        ("<rules>never closed", ["<rules>never closed"], 0),
    ],
)
def test_what_cursor_puts_into_a_turn_is_not_typed(text: str, typed: list[str], added: int) -> None:
    """Times, pictures, notices and what is known of the machine stand beside the words of a person."""
    drafts = spoken("user", text)

    assert [draft.content.strip() for draft in drafts if draft.role is Role.USER] == typed
    assert [draft.hidden for draft in drafts if draft.role is not Role.USER] == [Hidden.INJECTED] * added


@pytest.mark.parametrize(("text", "said"), [("[REDACTED]", []), ("It rounds.\n\n[REDACTED]", ["It rounds."])])
def test_what_stands_for_a_thought_is_left_out(text: str, said: list[str]) -> None:
    """Transcripts do not have what the model thought, only that it did."""
    assert [draft.content for draft in spoken("assistant", text)] == said


@given(st.binary(max_size=200))
def test_any_bytes_have_some_fields(raw: bytes) -> None:
    """Whatever a state is, reading it ends, and no field is longer than all of it."""
    assert sum(len(value) for _, value in fields_in(raw)) <= len(raw)


@given(st.lists(st.tuples(st.integers(1, 15), st.binary(max_size=100)), max_size=8), st.integers(0, 30))
def test_fields_are_read_up_to_where_they_are_cut(fields: list[tuple[int, bytes]], cut: int) -> None:
    """Every field is read as it was written; one that is cut off is left out."""
    raw = b"".join(field(number, value) for number, value in fields)

    assert list(fields_in(raw)) == fields
    assert list(fields_in(raw[: len(raw) - cut])) == fields[: len(list(fields_in(raw[: len(raw) - cut])))]
