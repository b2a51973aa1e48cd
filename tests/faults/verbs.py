"""The verbs that are disturbed: what is there before, what is done, what was promised when it returned.

A verb is acted out in a folder with a `home`, the memory, and a `user`, the home folder of somebody with transcripts.
It says `done` after each step that it was told has succeeded; from then on the step must hold, whatever happens.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from noctuary.app import Memory
from noctuary.records import Message, Role, Session, Status
from noctuary.testing import ClaudeTranscript, CodexTranscript
from tests.faults.knowing import SHOP, TILL, open_memory

Done = Callable[[], None]
START_MS = 1_772_366_400_000
FIRST, SECOND = "6f1c1f6e-0000-4000-8000-000000000001", "6f1c1f6e-0000-4000-8000-000000000002"


class Verb(NamedTuple):
    """One verb."""

    prepare: Callable[[Path], None]
    act: Callable[[Path, Done], None]
    promised: Sequence[Callable[[Path], bool]]  # what holds when so many steps have been done
    complete: Callable[[Path], None]  # what its user does next


def nothing() -> None:
    """Nobody is told that a step is done."""


def said(number: int) -> list[Message]:
    """A conversation with a rule, a choice, and what was found out."""
    noun = ("cart", "invoice", "voucher")[number % 3]
    turns = (
        (Role.USER, f"Never commit the {noun} fixtures of run {number}; always use whole cents for {noun}."),
        (Role.ASSISTANT, f"The root cause was the time zone: the clock of the {noun} test {number} is not frozen."),
        (Role.USER, f"Let's use SQLite for the {noun}, not Redis, because it must survive a deploy {number}."),
        (Role.ASSISTANT, f"Done. I decided to keep the {noun} table {number} in SQLite with an expiry index."),
    )
    return [Message(role=role, content=text, ts_ms=START_MS + at * 1_000) for at, (role, text) in enumerate(turns)]


def add_sessions(memory: Memory, count: int) -> None:
    """Conversations that have ended, of two projects."""
    for number in range(count):
        project = (SHOP, TILL)[number % 2]
        session = Session(id=f"s-{number}", project=project, status=Status.ENDED, started_ms=START_MS, agent="codex")
        memory.add_session(session, said(number))


def add_work(memory: Memory) -> None:
    """A task, a decision about it and a memory."""
    work = memory.work(SHOP)
    task = work.open_task("Move sessions to SQLite", goal="No Redis in production")
    work.note("decision", "Sessions live in SQLite, not Redis.", node=task)
    work.remember("The shop has one small VM.")


def has_message(text: str) -> Callable[[Path], bool]:
    """Whether a message is there, once, and can be found."""

    def holds(root: Path) -> bool:
        with open_memory(root) as memory:
            return sum(text in hit.anchor.content for hit in memory.search_messages(text, limit=50).hits) == 1

    return holds


def has_entry(project: str, text: str) -> Callable[[Path], bool]:
    """Whether an entry is in a project's journal, once."""

    def holds(root: Path) -> bool:
        with open_memory(root) as memory:
            texts = [entry.event.text for entry in memory.work(project).entries(limit=1_000)]
            return texts.count(text) == 1

    return holds


def always(_: Path) -> bool:
    """Nothing more is promised than what is compared in the end."""
    return True


def again(act: Callable[[Path, Done], None]) -> Callable[[Path], None]:
    """To complete it is to do it again."""
    return lambda root: act(root, nothing)


# Opening: the first verb of all makes the folder, the file and its tables.


def _open(root: Path, done: Done) -> None:
    open_memory(root).close()
    done()


def is_open(root: Path) -> bool:
    """Whether there is a memory with something in it."""
    return (root / "home" / "noctuary.db").stat().st_size > 0


# Importing.


def write_transcripts(root: Path, *, is_grown: bool) -> None:
    """What agents left; grown, one transcript has gone on and there are three more."""
    first = ClaudeTranscript(FIRST).say("Why is the cart test flaky?").reply("It depends on the time zone.")
    if is_grown:
        first.say("Then freeze the clock in it.").reply("Done; prices are whole cents, too.")
    first.save(root / "user")
    if is_grown:
        second = ClaudeTranscript(SECOND, cwd=TILL).say("Let's use SQLite, not Redis.").reply("An expiry index, then.")
        second.call("Bash", {"command": "make test"}).result("All tests pass.").save(root / "user")
        codex = CodexTranscript().prompt("Never commit the cart fixtures.").reply("I will not.")
        codex.save(root / "user")
        codex.fork("019c9b17-0000-7000-8000-000000000002").prompt("And the voucher fixtures?").save(root / "user")


def _before_import(root: Path) -> None:
    write_transcripts(root, is_grown=False)
    with open_memory(root) as memory:
        memory.import_transcripts()
    write_transcripts(root, is_grown=True)


def _import(root: Path, done: Done) -> None:
    with open_memory(root) as memory:
        problems = memory.import_transcripts().problems  # what cannot be read is said
        assert not problems, problems
        done()


def _import_is_complete(root: Path) -> bool:
    with open_memory(root) as memory:
        report = memory.import_transcripts()
        return report.unchanged == report.found


# Appending: what programs and agents tell a memory, message by message.

APPENDED = ("The cart is empty again.", "The till has another clock.")


def _before_append(root: Path) -> None:
    with open_memory(root) as memory:
        add_sessions(memory, 1)


def _append(root: Path, done: Done) -> None:
    with open_memory(root) as memory:
        for session, text in zip(("s-0", "new"), APPENDED, strict=True):
            memory.append(session, Message(role=Role.USER, content=text, ts_ms=START_MS + 60_000))
            done()
        memory.add_session(Session(id="s-1", project=TILL, started_ms=START_MS, agent="codex"), said(1))
        done()


def _append_rest(root: Path) -> None:
    """Whoever was not told that it was stored looks, and says it again."""
    with open_memory(root) as memory:
        for session, text in zip(("s-0", "new"), APPENDED, strict=True):
            known = [hit.anchor.content for hit in memory.search_messages(text, limit=50).hits]
            if text not in known:
                memory.append(session, Message(role=Role.USER, content=text, ts_ms=START_MS + 60_000))
        if memory.store.sessions.find(memory.owner, "s-1") is None:
            memory.add_session(Session(id="s-1", project=TILL, started_ms=START_MS, agent="codex"), said(1))


# Noting: the journal of a project that has one, and of one that has none yet.

# The first is longer than two pages of a disk, of which any may get there first.
NOTED = (
    "Prices are whole cents. " + " ".join(f"So is price {number}." for number in range(700)),
    "The till prints receipts.",
    "Count the till",
)


def _before_note(root: Path) -> None:
    with open_memory(root) as memory:
        add_work(memory)


def _note(root: Path, done: Done) -> None:
    with open_memory(root) as memory:
        memory.work(SHOP).note("decision", NOTED[0])
        done()
        memory.work(TILL).remember(NOTED[1])
        done()
        memory.work(TILL).open_task(NOTED[2], goal="No cent is lost")
        done()


def _note_rest(root: Path) -> None:
    with open_memory(root) as memory:
        if not has_entry(SHOP, NOTED[0])(root):
            memory.work(SHOP).note("decision", NOTED[0])
        if not has_entry(TILL, NOTED[1])(root):
            memory.work(TILL).remember(NOTED[1])
        if not has_entry(TILL, NOTED[2])(root):
            memory.work(TILL).open_task(NOTED[2], goal="No cent is lost")


_TEXTS = tuple(has_message(text) for text in APPENDED)
_NOTES = (has_entry(SHOP, NOTED[0]), has_entry(TILL, NOTED[1]), has_entry(TILL, NOTED[2]))

VERBS: dict[str, Verb] = {
    "open": Verb(lambda _: None, _open, [is_open], again(_open)),
    "import": Verb(_before_import, _import, [_import_is_complete], again(_import)),
    "append": Verb(_before_append, _append, [*_TEXTS, has_message(said(1)[0].content)], _append_rest),
    "note": Verb(_before_note, _note, _NOTES, _note_rest),
}
