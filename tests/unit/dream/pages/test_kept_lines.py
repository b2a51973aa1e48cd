"""Lines that are kept from one page to the next: the page is always the one that would be made from nothing."""

import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from noctuary.authored import EventType
from noctuary.dream.keeping import forget, pin
from noctuary.dream.life.completing import end_session
from noctuary.dream.night import Night
from noctuary.dream.pages.lines import FORM, LONGEST_LINE, line_of
from noctuary.dream.pages.page_lines import MOST_READ, PageLines, made_line
from noctuary.dream.pages.places import topic_path
from noctuary.dream.pages.writing import write_pages
from noctuary.dream.run import dream
from noctuary.dream.undoing import undo
from noctuary.dreams import Trigger
from noctuary.errors import BadChange
from noctuary.memory_file import block_digest, read_page
from noctuary.store.memories import MemoryKind, MemoryStatus, Remembered
from noctuary.testing import FakeClock
from noctuary.work.exchange import export_journal, import_journal
from tests.databases import run_behind
from tests.unit.dream.nights import PROJECT, add_session, open_night
from tests.unit.dream.page_maker import change, edit, items, make, page_file
from tests.unit.dream.reading_by_script import Verbatim

pytestmark = pytest.mark.slow

WORDS = (
    *("the", "shop", "listens", "on", "port", "3000", "because", "a", "proxy", "…", "drops", "idle"),
    *("<b>rows</b>", "[m-1]", "and", "never", "`retries`", "(pinned)"),
)
TOPICS = ("build", "checkout", "")


@pytest.fixture
def other(tmp_path: Path, clock: FakeClock) -> Iterator[Night]:
    """The same owner's memory on another machine, whose clock is a minute late: its lines come late."""
    late = FakeClock()
    late.advance(timedelta(minutes=-1))
    with open_night(tmp_path / "other", late) as opened:
        yield opened


def forget_lines(night: Night) -> None:
    """As if no line had ever been made."""
    run_behind(night.home, "delete from memory_lines")


def kept(night: Night) -> set[str]:
    """The memories whose lines are known."""
    rows = night.store.pages.leading_lines(night.owner, PROJECT, FORM, MOST_READ)
    return {row[0] for row in rows if row[1] is not None}


def check_page(night: Night) -> None:
    """The page and the files of topics are those that would be made from nothing."""
    written = write_pages(night, PROJECT)
    page = read_page(page_file(night))
    assert block_digest(page.block or "") == written.digest
    forget_lines(night)
    assert write_pages(night, PROJECT, is_dry=True).digest == written.digest
    for topic in TOPICS:
        path = topic_path(night.home, night.owner, PROJECT, topic)
        held = night.store.memories.of_topic(night.owner, PROJECT, topic)
        block = read_page(path).block
        assert ((block or "").split("\n")[2:] if block else []) == [*map(line_of, held)]


def something_happens(night: Night, other: Night, chance: random.Random, number: int) -> None:
    """Somebody remembers, pins, forgets, edits or takes back something, here or on the other machine."""
    text = " ".join(chance.choices(WORDS, k=chance.choice((4, 9, 60))))
    facts: dict[str, Any] = {
        "weight": chance.random() * 3,
        "topic": chance.choice(TOPICS),
        "trust": chance.choice(("user", "agent")),
    }
    names = [memory.id for memory in night.store.memories.where(night.owner, project=PROJECT)] or ["m-none"]
    name = chance.choice(names).removeprefix("m-")

    def made(on: Night) -> None:
        said_as = chance.choice((EventType.FINDING, EventType.REJECTION))
        make(on, f"{number}", text, kind=chance.choice([*MemoryKind]), said_as=said_as, **facts)

    def late() -> None:
        made(other)
        change(other, chance.choice(names).removeprefix("m-"), pinned=chance.random() < 0.2)
        import_journal(night.ledger, export_journal(other.ledger, PROJECT), PROJECT)

    def edited() -> None:
        if page_file(night).exists() and items(night):
            edit(night, chance.choice(items(night)), chance.choice(("", f"- {text} (pinned)", f"- {text}")))

    def pinned() -> object:
        return pin(night, PROJECT, f"m-{name}", is_pinned=chance.random() < 0.5)

    def changed(**facts: Any) -> None:
        change(night, name, **facts)

    happening: list[Callable[[], object]] = [
        *[lambda: made(night)] * 3,
        late,
        edited,
        night.ledger.rebuild,
    ]
    if name != "none":
        happening += [
            pinned,
            lambda: forget(night, PROJECT, f"m-{name}"),
            lambda: changed(verified=chance.choice(("stale", "ok")), why="gone"),
            lambda: changed(topic=chance.choice(TOPICS), weight=chance.random() * 4),
            lambda: changed(disputed=[chance.choice(names)]),
            lambda: changed(approved=True, valid_from=chance.randrange(1, 1 << 40)),
        ]
    with suppress(BadChange):  # what does not hold can neither be pinned nor forgotten
        chance.choice(happening)()


@pytest.mark.parametrize("seed", range(6))
def test_a_page_of_kept_lines_is_the_page_made_from_nothing(night: Night, other: Night, seed: int) -> None:
    """Whatever happens to memories, in whatever order, by whatever hand."""
    chance = random.Random(seed)
    for number in range(20):
        for _ in range(chance.randrange(1, 4)):
            something_happens(night, other, chance, number)
            if chance.random() < 0.7:
                write_pages(night, PROJECT)
        check_page(night)


def test_a_page_after_an_undo_is_the_page_made_from_nothing(night: Night) -> None:
    """A run that is taken back takes its lines with it."""
    make(night, "a", "The port is 8080.", topic="build")
    write_pages(night, PROJECT)
    before = page_file(night).read_bytes()
    add_session(night, "s-1", "Always indent the shop with tabs.", "Noted.")
    end_session(night, "s-1")
    dream(night, Verbatim(), trigger=Trigger.MANUAL)
    assert b"tabs" in page_file(night).read_bytes()

    undo(night)

    assert page_file(night).read_bytes() == before
    check_page(night)


def test_a_line_is_kept_until_anything_of_its_memory_changes(night: Night) -> None:
    """Whatever it is: the database forgets the line, and no other."""
    for name in ("a", "b", "c"):
        make(night, name, f"The port of {name} is 8080.")
    write_pages(night, PROJECT)
    assert kept(night) == {"m-a", "m-b", "m-c"}

    change(night, "a", why="nobody knows")
    change(night, "b", status="retracted")

    assert kept(night) == {"m-c"}


def test_lines_of_disputed_memories_are_not_kept(night: Night) -> None:
    """What stands beside them decides what they say."""
    make(night, "a", "The port is 8080.", weight=3.0, disputed=["m-b"])
    make(night, "b", "The port is 9090.")
    write_pages(night, PROJECT)
    write_pages(night, PROJECT)

    assert "m-a" not in kept(night)
    assert [line.endswith("(against m-a) [m-b]") for line in items(night)] == [False, True]


def test_a_line_is_not_kept_if_its_memory_changed_meanwhile(night: Night) -> None:
    """Somebody pins a memory after its line was made and before it is kept."""
    make(night, "a", "The port is 8080.")
    make(night, "b", "Use tabs.")
    lines = PageLines(night, PROJECT)
    lines.within(LONGEST_LINE)
    change(night, "a", pinned=True)

    with night.store.database.transaction():
        lines.keep()

    assert kept(night) == {"m-b"}


def test_a_dry_run_keeps_no_lines(night: Night) -> None:
    """It writes nothing at all."""
    make(night, "a", "The port is 8080.")
    write_pages(night, PROJECT, is_dry=True)

    assert kept(night) == set()


def test_lines_that_no_page_would_show_are_not_kept_for_ever(night: Night) -> None:
    """Of a thousand memories at most the lines of two pages are kept."""
    for weight in range(5):
        with night.ledger.writing(PROJECT):
            for number in range(200):
                make(night, f"{weight}-{number}", f"Fact {number}.", weight=float(weight))
        write_pages(night, PROJECT)

    ((count,),) = night.store.database.fetch("memory_line_count", owner=night.owner, project=PROJECT)
    assert MOST_READ <= count <= 2 * MOST_READ
    assert len(kept(night)) == MOST_READ


def test_lines_of_another_form_are_made_again() -> None:
    """If this fails, a line is made otherwise than before: raise FORM, and write down the new digest."""
    short = ("Use tabs.", "- [ ] <b>Redis</b>", "[a](https://b.example) ![c](d)", "\u202eport … 8080", "word " * 90)
    long = ("It is so. " * 30 + "It must be, because the proxy drops them. " + "It is so. " * 9,)
    facts: list[dict[str, Any]] = [{}, {"pinned": True}, {"verified": "stale"}]
    facts += [{"valid_from": 1_700_000_000_000, "topic": "net"}]
    memories = [
        Remembered("m-1", PROJECT, kind, text, MemoryStatus.ACTIVE, 1_772_064_000_000, None, None, "e-1", some)
        for kind in MemoryKind
        for text in (*short, *long)
        for some in (*facts, {"trust": "user"}, {"approved": True})
    ]
    made = [made_line(memory, LONGEST_LINE, is_rejection) for memory in memories for is_rejection in (False, True)]
    assert (FORM, sha256(repr(made).encode()).hexdigest()[:16]) == (1, "8347793756e78bfa")
