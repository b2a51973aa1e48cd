"""Secrets that only their surroundings give away, or that lie where nobody thinks of them, are scrubbed as well."""

import json
from pathlib import Path

import pytest

from noctuary.app import Memory
from noctuary.app.auditing import audit
from noctuary.audit.report import Concern
from noctuary.journal.file import JournalFile
from noctuary.records import Kind, Message, Role, Session
from noctuary.scrubbing.texts import clean, clean_record
from noctuary.store.owned_rows import OwnedRows
from tests.unit.importing.machine import said
from tests.unit.scrubbing.planting import SECRET, SHOP, leaks, open_in

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("database")]

KEY = "kX92hfkq" + "8LqW4"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "memory"


def stored_before(memory: Memory, *messages: Message) -> None:
    """Messages as they were stored when nobody knew the key in them."""
    memory.add_session(
        Session(id="s-1", project=SHOP), [each._replace(content="Later.", tool_calls=None) for each in messages]
    )
    no, _ = memory.store.sessions.find("ana", "s-1") or (0, None)
    rows = [(no << 32 | row[0], *row[1:]) for row in OwnedRows(memory.store.database, "ana").messages(no)]
    put = [(row, each.tool_calls, each.content) for row, each in zip(rows, messages, strict=True)]
    memory.store.messages.rewrite("ana", no, put)


@pytest.mark.parametrize(
    "content",
    [
        f'{{"db": {{"password": "{KEY}"}}}}',
        f'[{{"name": "DB_PASSWORD", "value": "{KEY}"}}]',
        f'{{"args": ["--password", "{KEY}"]}}',
    ],
)
def test_a_key_in_json_gives_its_value_away(home: Path, content: str) -> None:
    """What a tool printed or was given is JSON more often than not; a scrub finds in it what an import would."""
    with open_in(home) as memory:
        told = Message(role=Role.TOOL, kind=Kind.TOOL_RESULT, content=content, tool_calls=content)
        stored_before(memory, told)
        assert KEY in said(memory, "s-1")[0]

        tally = memory.scrub()

        assert tally.found["messages"].total() >= 2
        assert KEY not in said(memory, "s-1")[0]
        assert json.loads(said(memory, "s-1")[0])
        assert memory.scrub(dry_run=True).total == 0


def test_what_a_command_printed_goes_too(home: Path) -> None:
    """A secret that stands alone is known by the command that printed it; the audit knows it as well."""
    with open_in(home) as memory:
        call = Message(role=Role.ASSISTANT, kind=Kind.TOOL_CALL, content="Bash: cat /run/secrets/db", call_id="c-1")
        result = Message(role=Role.TOOL, kind=Kind.TOOL_RESULT, content=f"{KEY}\nDone", call_id="c-1")
        stored_before(memory, call, result)
        assert [item.concern for item in audit(memory).items] == [Concern.SECRET]

        tally = memory.scrub()

        assert tally.found["messages"] == {"secret": 1}
        assert KEY not in said(memory, "s-1")[1]
        assert said(memory, "s-1")[1].endswith("\nDone")
        assert memory.scrub(dry_run=True).total == 0
        assert audit(memory).items == []


def test_lists_without_end_stop_no_scrub() -> None:
    """Somebody who means harm writes lists in lists, deeper than JSON is read; the secret in them goes all the same."""
    for deep in (400, 600, 990, 100_000):
        nested = f'{"[" * deep}"{SECRET}"{"]" * deep}'
        for hide in (clean, clean_record):
            assert SECRET not in hide(nested)
            assert len(hide(nested)) > 2 * deep


@pytest.mark.of_files
def test_lines_that_were_never_finished_are_scrubbed(home: Path) -> None:
    """Lines that a power cut left unfinished begin with a zero, and are no binary file for that."""
    with open_in(home) as memory:
        memory.work(SHOP).note("finding", "The vault is sealed.")
        journal = memory.ledger.journal(SHOP)
        assert isinstance(journal, JournalFile)
        with journal.path.open("ab") as file:
            file.write(b'\0"text":"Deploy with ' + SECRET.encode() + b'"}\n{"text":"and ' + SECRET.encode() + b'"}\n')
        memory.work(SHOP).note("finding", "It is open again.")
        assert set(leaks(home)) == {journal.torn.relative_to(home).as_posix()}

        tally = memory.scrub()

        assert tally.found["journal"].total() == 2
        assert [*leaks(home)] == []


@pytest.mark.of_files
def test_briefs_that_a_killed_scrub_left_are_scrubbed(home: Path) -> None:
    """They are removed at the end of a scrub; if it did not come to its end, the next finds them."""
    with open_in(home) as memory:
        (home / "briefs").mkdir(parents=True)
        (home / "briefs" / "0123").write_text(f"noctuary-brief 1 1 0\nDeploy with {SECRET}.\n")

        assert memory.scrub(dry_run=True).found["briefs"].total() == 1
        memory.scrub()

        assert [*leaks(home)] == []


@pytest.mark.of_files
def test_copies_that_nobody_looks_into_are_named(home: Path) -> None:
    """What a restore moved aside, and what was cut short, may have secrets: a scrub says so and leaves them."""
    with open_in(home) as memory:
        left = [
            home.with_name("memory.before-restore-2026-11-18T09-43-57Z"),
            home.with_name("memory.restoring-00000000"),
            home / "snapshots" / ".2026-11-18T09-43-57Z.partial-00000000",
        ]
        for folder in left:
            folder.mkdir(parents=True)
            (folder / "page.md").write_text(SECRET)
        home.with_name("another.before-restore-1").mkdir()

        warnings = memory.scrub().warnings

        assert [warning.split(" is a copy")[0] for warning in warnings] == [str(folder) for folder in left]
