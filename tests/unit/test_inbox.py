"""The inbox: no note is lost, none is dealt with and kept, and nothing that is no note of ours gets in the way."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noctuary import inbox
from noctuary.errors import StoreError
from noctuary.inbox import FOLDER, KEPT, NAME, Note, is_empty, notes_in, sweep, waiting

STOP = Note("Stop", 1_772_366_400_000, "claude-code", "one", "/home/ana/code/shop", "/home/ana/one.jsonl")
END = STOP._replace(event="SessionEnd", reason="clear")


def line(note: Note) -> bytes:
    """A note as a hook writes it."""
    given = {name: value for name, value in note._asdict().items() if value and name != "tries"}
    return (json.dumps(given) + "\n").encode()


def leave(home: Path, *notes: Note) -> Path:
    """Append notes as hooks do."""
    path = home / FOLDER / NAME
    path.parent.mkdir(exist_ok=True)
    with path.open("ab") as file:
        file.write(b"".join(map(line, notes)))
    return path


class Dealer:
    """Remembers what it was given, and gives back what is to wait."""

    def __init__(self, *again: str) -> None:
        self.seen: list[Note] = []
        self.calls = 0
        self.again = again  # events

    def __call__(self, notes: Sequence[Note]) -> list[Note]:
        self.seen += notes
        self.calls += 1
        return [note for note in notes if note.event in self.again]


def test_a_note_is_given_as_it_was_left(tmp_path: Path) -> None:
    """In order, with every field, once; then nothing is left of it."""
    leave(tmp_path, STOP, END)
    dealer = Dealer()

    assert sweep(tmp_path, dealer) == 2
    assert (dealer.seen, dealer.calls) == ([STOP, END], 1)
    assert is_empty(tmp_path)
    assert list((tmp_path / FOLDER).iterdir()) == []
    assert sweep(tmp_path, dealer) == 0
    assert dealer.calls == 1


def test_there_may_be_no_inbox(tmp_path: Path) -> None:
    """A memory that no hook has written to has nothing to sweep, and no folder is made for it."""
    assert is_empty(tmp_path)
    assert waiting(tmp_path) == []
    assert sweep(tmp_path, Dealer()) == 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", [NAME, "0123.taken"])
def test_what_is_no_file_is_passed_over(tmp_path: Path, name: str) -> None:
    """Whoever opens a pipe waits for somebody who writes to it."""
    (tmp_path / FOLDER).mkdir()
    os.mkfifo(tmp_path / FOLDER / name)

    assert is_empty(tmp_path)
    assert waiting(tmp_path) == []
    assert sweep(tmp_path, lambda notes: notes) == 0


def test_what_waits_can_be_looked_at(tmp_path: Path) -> None:
    """Looking takes nothing away."""
    leave(tmp_path, STOP, END)

    assert waiting(tmp_path) == waiting(tmp_path) == [STOP, END]
    assert not is_empty(tmp_path)


def test_notes_stay_if_they_cannot_be_dealt_with(tmp_path: Path) -> None:
    """An error leaves everything for the next sweep, beside what hooks wrote since."""

    def fail(notes: Sequence[Note]) -> list[Note]:
        raise StoreError(f"{len(notes)} notes, and the disk is full")

    leave(tmp_path, STOP)
    with pytest.raises(StoreError, match="1 notes"):
        sweep(tmp_path, fail)
    assert not is_empty(tmp_path)
    leave(tmp_path, END)
    dealer = Dealer()

    assert waiting(tmp_path) == [STOP, END]
    assert sweep(tmp_path, dealer) == 2
    assert dealer.seen == [STOP, END]


def test_what_is_given_back_waits_for_the_next_sweep(tmp_path: Path) -> None:
    """With one try more each time, in a file of its own: no hook starts a sweep because of it."""
    leave(tmp_path, STOP, END)
    sweep(tmp_path, Dealer("SessionEnd"))
    assert is_empty(tmp_path)
    assert (tmp_path / FOLDER / KEPT).stat().st_mode & 0o777 == 0o600
    again = Dealer("SessionEnd")

    assert sweep(tmp_path, again) == 0
    assert again.seen == [END._replace(tries=1)]
    last = Dealer()
    leave(tmp_path, STOP)
    assert sweep(tmp_path, last) == 1
    assert last.seen == [END._replace(tries=2), STOP]
    assert list((tmp_path / FOLDER).iterdir()) == []


def test_kept_and_not_yet_removed_is_one_note(tmp_path: Path) -> None:
    """A sweep that was killed between the two left it in both files; its tries are counted on."""
    leave(tmp_path, END)
    content = (tmp_path / FOLDER / NAME).read_bytes()
    sweep(tmp_path, Dealer("SessionEnd"))
    (tmp_path / FOLDER / "0123.taken").write_bytes(content)
    dealer = Dealer()

    sweep(tmp_path, dealer)

    assert dealer.seen == [END._replace(tries=1)]


def test_no_more_than_some_are_kept(tmp_path: Path) -> None:
    """However many sessions nobody knows: the newest stay."""
    notes = [END._replace(session=str(number)) for number in range(inbox.MOST_KEPT + 10)]
    leave(tmp_path, *notes)
    sweep(tmp_path, Dealer("SessionEnd"))
    dealer = Dealer()

    sweep(tmp_path, dealer)

    assert [note.session for note in dealer.seen] == [note.session for note in notes[10:]]


def test_a_hook_that_is_late_is_heard(tmp_path: Path) -> None:
    """It had the file open when a sweep took it; what it writes meanwhile is dealt with by the same sweep."""
    path = leave(tmp_path, STOP)
    seen: list[Sequence[Note]] = []
    with path.open("ab", buffering=0) as hook:

        def deal(notes: Sequence[Note]) -> list[Note]:
            seen.append(notes)
            if len(seen) == 1:
                hook.write(line(END))
            return []

        assert sweep(tmp_path, deal) == 2

    assert seen == [[STOP], [END]]
    assert is_empty(tmp_path)


def test_a_hook_that_is_not_done_with_its_line_is_waited_for(tmp_path: Path) -> None:
    """Half a line is no note; the whole of it is."""
    written = line(END)
    path = leave(tmp_path, STOP)
    seen: list[Note] = []
    with path.open("ab", buffering=0) as hook:
        hook.write(written[:20])

        def deal(notes: Sequence[Note]) -> list[Note]:
            seen.extend(notes)
            if notes == [STOP]:
                hook.write(written[20:])
            return []

        sweep(tmp_path, deal)

    assert seen == [STOP, END]


def test_a_late_note_is_not_lost_with_whoever_deals_with_it(tmp_path: Path) -> None:
    """Its file is gone by then: whoever is killed meanwhile leaves it to the next sweep."""
    path = leave(tmp_path, STOP)
    path.write_bytes(path.read_bytes() + line(END)[:-1])  # a line that is whole only at the end

    def killed(notes: Sequence[Note]) -> list[Note]:
        if END in notes:
            raise KeyboardInterrupt
        return []

    with pytest.raises(KeyboardInterrupt):
        sweep(tmp_path, killed)
    dealer = Dealer()
    sweep(tmp_path, dealer)

    assert dealer.seen == [END]
    assert is_empty(tmp_path)


def test_what_comes_while_it_sweeps_waits(tmp_path: Path) -> None:
    """A hook that begins meanwhile finds no file and makes a new one, which stays."""
    leave(tmp_path, STOP)

    def deal(notes: Sequence[Note]) -> list[Note]:
        assert notes == [STOP]
        leave(tmp_path, END)
        return []

    assert sweep(tmp_path, deal) == 1
    assert waiting(tmp_path) == [END]


@pytest.mark.parametrize(
    "written",
    [
        b"",
        b"\n\n\n",
        b"nothing",
        b"[1, 2]",
        b'"Stop"',
        b'{"event": "Stop"}',
        b'{"event": 1, "at_ms": 5}',
        b'{"event": "Stop", "at_ms": true}',
        b'{"event": "Stop", "at_ms": 1.5}',
        b'{"event": "Stop", "at_ms": -1}',
        b'{"event": "Stop", "at_ms": 999999999999999999}',
        b'{"event": "Stop", "at_ms": 1, "cwd": "' + b"x" * 1_000_001 + b'"}',
        b"[" * 100_000,
        b"\xff\xfe\x00",
        b'{"event": "Stop", "at_ms": 12',
    ],
)
def test_what_is_no_note_is_left_out(tmp_path: Path, written: bytes) -> None:
    """Whatever it is, the notes beside it are found, and it does not stay for ever."""
    path = leave(tmp_path, STOP)
    with path.open("ab") as file:
        file.write(written + b"\n" + line(END))
    dealer = Dealer()

    sweep(tmp_path, dealer)

    assert dealer.seen == [STOP, END]
    assert list((tmp_path / FOLDER).iterdir()) == []


def test_a_note_behind_half_of_another_is_found() -> None:
    """The disk was full for a moment: what could not be written to its end has no end of the line either."""
    assert list(notes_in(line(STOP)[:50] + line(END))) == [END]


def test_fields_that_are_no_texts_are_left_out() -> None:
    """They are what they are by default."""
    written = b'{"event": "Stop", "at_ms": 7, "cwd": 5, "session": null, "tries": "x", "more": "y", "agent": "codex"}'

    assert list(notes_in(written)) == [Note("Stop", 7, "codex")]


def test_half_a_character_is_a_question_mark() -> None:
    """JSON can hold one, a store and the name of a file cannot."""
    written = b'{"event": "Stop", "at_ms": 7, "session": "a\\ud800b", "cwd": "/\\udc80", "summary": "\\ud83d\\ude00"}'

    assert list(notes_in(written)) == [Note("Stop", 7, session="a?b", cwd="/?", summary="\U0001f600")]


@given(st.binary(max_size=300))
def test_any_bytes_can_be_read(content: bytes) -> None:
    """Nothing raises, and what follows in a line of its own is found."""
    assert list(notes_in(content + b"\n" + line(STOP)))[-1] == STOP


@given(
    st.builds(
        Note,
        st.text(max_size=20),
        st.integers(0, 2**47),
        *[st.text(max_size=40) for _ in Note._fields[2:-1]],
        tries=st.integers(0, 3),
    )
)
def test_every_note_can_be_written_and_read(note: Note) -> None:
    """As kept notes are, whatever is in them."""
    assert list(notes_in(json.dumps(note._asdict()).encode())) == [note]


HOOK = """
import itertools, json, os, sys
name, path, enough = sys.argv[1:]
for number in itertools.count():
    if number >= 300 and os.path.exists(enough):
        break
    line = (json.dumps({"event": "Stop", "at_ms": 5, "session": f"{name}-{number}"}) + "\\n").encode()
    while True:
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.write(file, line)
        is_there = os.fstat(file).st_nlink
        os.close(file)
        if is_there:
            break
print(number)
"""


def test_hooks_that_write_all_the_time_lose_nothing(tmp_path: Path) -> None:
    """Several write, each file is taken and removed under their hands, and every note arrives."""
    (tmp_path / FOLDER).mkdir()
    path, enough = tmp_path / FOLDER / NAME, tmp_path / "enough"
    command = [sys.executable, "-c", HOOK]
    hooks = {name: subprocess.Popen([*command, name, path, enough], stdout=subprocess.PIPE) for name in "abc"}
    dealer = Dealer()

    while any(hook.poll() is None for hook in hooks.values()):
        sweep(tmp_path, dealer)
        if dealer.calls > 5:
            enough.touch()
    sweep(tmp_path, dealer)
    counts = {name: int(hook.communicate()[0]) for name, hook in hooks.items()}

    assert [hook.returncode for hook in hooks.values()] == [0, 0, 0]
    written = {f"{name}-{number}" for name, count in counts.items() for number in range(count)}
    assert {note.session for note in dealer.seen} == written
