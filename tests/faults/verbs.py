"""The verbs that are disturbed: what is there before, what is done, what was promised when it returned.

A verb is acted out in a folder with a `home`, the memory, and a `user`, the home folder of somebody with transcripts.
It says `done` after each step that it was told has succeeded; from then on the step must hold, whatever happens.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from noctuary import inbox
from noctuary.app import Memory
from noctuary.dreams import RunStatus
from noctuary.errors import NotFound
from noctuary.forgetting import Forgotten
from noctuary.inbox import Note
from noctuary.records import Message, Role, Session, Status
from noctuary.testing import ClaudeTranscript, CodexTranscript, FakeClock
from tests.faults.knowing import SHOP, TILL, open_memory

Done = Callable[[], None]
START_MS = 1_772_366_400_000
FIRST, SECOND = "6f1c1f6e-0000-4000-8000-000000000001", "6f1c1f6e-0000-4000-8000-000000000002"
FORGOTTEN, SMALL_TALK = "The vault code of the old shop", "Zanzibar is lovely in spring"  # the second in no journal


class Verb(NamedTuple):
    """One verb."""

    prepare: Callable[[Path], None]
    act: Callable[[Path, Done], None]
    promised: Sequence[Callable[[Path], bool]]  # what holds when so many steps have been done
    complete: Callable[[Path], None]  # what its user does next


def _nothing() -> None:
    pass


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


def _add_sessions(memory: Memory, count: int) -> None:
    for number in range(count):
        project = (SHOP, TILL)[number % 2]
        session = Session(id=f"s-{number}", project=project, status=Status.ENDED, started_ms=START_MS, agent="codex")
        memory.add_session(session, said(number))


def _add_work(memory: Memory) -> None:
    work = memory.work(SHOP)
    task = work.open_task("Move sessions to SQLite", goal="No Redis in production")
    work.note("decision", "Sessions live in SQLite, not Redis.", node=task)
    work.remember("The shop has one small VM.")


def _has_message(text: str) -> Callable[[Path], bool]:
    def holds(root: Path) -> bool:
        with open_memory(root) as memory:
            return sum(text in hit.anchor.content for hit in memory.search_messages(text, limit=50).hits) == 1

    return holds


def _has_entry(project: str, text: str) -> Callable[[Path], bool]:
    def holds(root: Path) -> bool:
        with open_memory(root) as memory:
            texts = [entry.event.text for entry in memory.work(project).entries(limit=1_000)]
            return texts.count(text) == 1

    return holds


def _always(_: Path) -> bool:
    return True


# Opening: the first verb of all makes the folder, the file and its tables.


def _open(root: Path, done: Done) -> None:
    open_memory(root).close()
    done()


def _is_open(root: Path) -> bool:
    return (root / "home" / "noctuary.db").stat().st_size > 0


# Importing.


def _transcripts(root: Path, *, is_grown: bool) -> None:
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
    _transcripts(root, is_grown=False)
    with open_memory(root) as memory:
        memory.import_transcripts()
    _transcripts(root, is_grown=True)


def _import(root: Path, done: Done) -> None:
    with open_memory(root) as memory:
        memory.import_transcripts()
        done()


def _import_is_complete(root: Path) -> bool:
    with open_memory(root) as memory:
        report = memory.import_transcripts()
        return report.unchanged == report.found


# Appending: what programs and agents tell a memory, message by message.

APPENDED = ("The cart is empty again.", "The till has another clock.")


def _before_append(root: Path) -> None:
    with open_memory(root) as memory:
        _add_sessions(memory, 1)


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

NOTED = ("Prices are whole cents.", "The till prints receipts.", "Count the till")


def _before_note(root: Path) -> None:
    with open_memory(root) as memory:
        _add_work(memory)


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
        if not _has_entry(SHOP, NOTED[0])(root):
            memory.work(SHOP).note("decision", NOTED[0])
        if not _has_entry(TILL, NOTED[1])(root):
            memory.work(TILL).remember(NOTED[1])
        if not _has_entry(TILL, NOTED[2])(root):
            memory.work(TILL).open_task(NOTED[2], goal="No cent is lost")


# Dreaming, taking it back, accepting it.


def _before_dream(root: Path) -> None:
    with open_memory(root) as memory:
        _add_sessions(memory, 3)
        _add_work(memory)


def _dream(root: Path, done: Done) -> None:
    with open_memory(root) as memory:
        report = memory.dream().report
        assert (report.status, report.failed, report.waiting) == (RunStatus.COMPLETED, 0, 0), report
        done()


def _is_dreamt(root: Path) -> bool:
    with open_memory(root) as memory:
        return memory.dream().report.changes == ()


def _after_dream(root: Path) -> None:
    _before_dream(root)
    _dream(root, _nothing)


def _undo(root: Path, done: Done) -> None:
    with open_memory(root) as memory:
        if memory.dreams.show().status is not RunStatus.UNDONE:
            memory.dreams.undo()
        done()


def _is_undone(root: Path) -> bool:
    with open_memory(root) as memory:
        return memory.dreams.show().status is RunStatus.UNDONE


def _undo_all(root: Path) -> None:
    _undo(root, _nothing)
    with open_memory(root) as memory:
        memory.dream(project="nowhere")  # writes what is due


def _accept(root: Path, done: Done) -> None:
    with open_memory(root) as memory:
        memory.dreams.accept_all()
        done()


def _accept_all(root: Path) -> None:
    _accept(root, _nothing)
    with open_memory(root) as memory:
        memory.dream(project="nowhere")


# Forgetting.


def _before_forget(root: Path) -> None:
    with open_memory(root) as memory:
        _add_sessions(memory, 2)
        rule = Message(role=Role.USER, content=f"Remember: {FORGOTTEN} is never written down.", ts_ms=START_MS)
        talk = Message(role=Role.ASSISTANT, content=f"{SMALL_TALK}.", ts_ms=START_MS + 1)
        memory.add_session(Session(id="vault", project=SHOP, status=Status.ENDED, started_ms=START_MS), [rule, talk])
        memory.dream()


def _forget(root: Path, done: Done) -> None:
    with open_memory(root) as memory:
        memory.forget(Forgotten(session="vault"))
        done()


def _is_forgotten(root: Path) -> bool:
    with open_memory(root) as memory:
        is_found = bool(memory.search(FORGOTTEN).hits) or memory.store.sessions.find(memory.owner, "vault")
    home = root / "home"
    is_on_a_page = any(FORGOTTEN in path.read_text() for path in (home / "memory").rglob("*") if path.is_file())
    is_in_a_file = any(SMALL_TALK.encode() in path.read_bytes() for path in home.glob("noctuary.db*"))
    return not (is_found or is_on_a_page or is_in_a_file)


def _forget_rest(root: Path) -> None:
    with open_memory(root) as memory:
        try:
            memory.forget(Forgotten(session="vault"))
        except NotFound:
            pass
        memory.dream(project="nowhere")


# Sweeping: what hooks left.


def _before_sweep(root: Path) -> None:
    open_memory(root).close()
    _transcripts(root, is_grown=True)
    now_ms = FakeClock().now_ms()
    files = [(FIRST, SHOP), (SECOND, TILL)]
    notes = [
        Note(event, now_ms - 600_000, "claude-code", session, cwd, owner="ana", transcript=_path_of(root, session))
        for session, cwd in files
        for event in ("Stop", "SessionEnd")
    ]
    path = root / "home" / inbox.FOLDER / inbox.NAME
    path.parent.mkdir(mode=0o700)
    path.write_text("".join(f"{_as_line(note)}\n" for note in notes))


def _path_of(root: Path, session: str) -> str:
    return str(next((root / "user").rglob(f"{session}.jsonl")))


def _as_line(note: Note) -> str:
    import json

    return json.dumps(note._asdict())


def _sweep(root: Path, done: Done) -> None:
    with open_memory(root) as memory:
        swept = memory.sweep()
        assert (swept.problems, swept.kept) == ((), 0), swept
        done()


def _is_swept(root: Path) -> bool:
    with open_memory(root) as memory:
        return memory.sweep().messages == 0  # notes whose removal was cut short are dealt with again


def _sweep_rest(root: Path) -> None:
    _sweep(root, _nothing)
    with open_memory(root) as memory:
        memory.dream()  # what was left may be too little for one to be due


# Snapshots.


def _snapshot_to(name: str) -> Callable[[Path, Done], None]:
    def act(root: Path, done: Done) -> None:
        with open_memory(root) as memory:
            if not (root / name).exists():
                memory.snapshot(root / name)
            done()

    return act


def _is_sound(name: str) -> Callable[[Path], bool]:
    return lambda root: not Memory.restore(root / name, root / "elsewhere", dry_run=True).warnings


def _completed_snapshot(name: str) -> Callable[[Path], None]:
    def complete(root: Path) -> None:
        if (root / name).exists():  # then it is whole
            assert _is_sound(name)(root)
        _snapshot_to(name)(root, _nothing)
        assert _is_sound(name)(root)

    return complete


def _before_restore(root: Path) -> None:
    _after_dream(root)
    with open_memory(root) as memory:
        memory.snapshot(root / "kept")


def _before_restore_elsewhere(root: Path) -> None:
    _before_restore(root)
    (root / "home").rename(root / "former")


def _before_replace(root: Path) -> None:
    _before_restore(root)
    with open_memory(root) as memory:
        memory.append("s-0", Message(role=Role.USER, content="Said after the snapshot."))


def _restore(root: Path, done: Done) -> None:
    Memory.restore(root / "kept", root / "home", replace=True, clock=FakeClock())
    done()


def _rebuild(root: Path, done: Done) -> None:
    with open_memory(root) as memory:
        memory.rebuild()
        done()


def _again(act: Callable[[Path, Done], None]) -> Callable[[Path], None]:
    return lambda root: act(root, _nothing)


_TEXTS = tuple(_has_message(text) for text in APPENDED)
_NOTES = (_has_entry(SHOP, NOTED[0]), _has_entry(TILL, NOTED[1]), _has_entry(TILL, NOTED[2]))

VERBS: dict[str, Verb] = {
    "open": Verb(lambda root: None, _open, [_is_open], _again(_open)),
    "import": Verb(_before_import, _import, [_import_is_complete], _again(_import)),
    "append": Verb(_before_append, _append, [*_TEXTS, _has_message(said(1)[0].content)], _append_rest),
    "note": Verb(_before_note, _note, _NOTES, _note_rest),
    "dream": Verb(_before_dream, _dream, [_is_dreamt], _again(_dream)),
    "undo": Verb(_after_dream, _undo, [_is_undone], _undo_all),
    "accept": Verb(_after_dream, _accept, [_always], _accept_all),
    "forget": Verb(_before_forget, _forget, [_is_forgotten], _forget_rest),
    "sweep": Verb(_before_sweep, _sweep, [_is_swept], _sweep_rest),
    "snapshot": Verb(_after_dream, _snapshot_to("kept"), [_is_sound("kept")], _completed_snapshot("kept")),
    "archive": Verb(_after_dream, _snapshot_to("a.tar.gz"), [_is_sound("a.tar.gz")], _completed_snapshot("a.tar.gz")),
    "restore": Verb(_before_restore_elsewhere, _restore, [_is_open], _again(_restore)),
    "replace": Verb(_before_replace, _restore, [_is_open], _again(_restore)),
    "rebuild": Verb(_after_dream, _rebuild, [_always], _again(_rebuild)),
}
