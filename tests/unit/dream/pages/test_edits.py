"""What somebody changes by hand within a block of ours is that person's word."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noctuary.authored import Author, EventSource, Trust
from noctuary.dream.night import Night
from noctuary.dream.pages.edits import take_in_edits
from noctuary.dream.pages.parsing import items_in
from noctuary.dream.pages.places import topic_path
from noctuary.dream.pages.writing import write_pages
from noctuary.dreams import ChangeKind, MemoryChange
from noctuary.store.memories import Remembered
from tests.unit.dream.nights import PROJECT
from tests.unit.dream.page_maker import change, edit, found, items, make, page_file, text_of

pytestmark = pytest.mark.slow


@pytest.fixture
def written(night: Night) -> Night:
    """A night with a page of three lines."""
    make(night, "port", "The port is 8080.", topic="net", files=["src/net.py"], weight=3.0)
    make(night, "tabs", "Use tabs.", kind="preference", trust="user", pinned=True)
    make(night, "sqlite", "Sessions live in SQLite.", kind="decision")
    write_pages(night, PROJECT)
    return night


def events(night: Night) -> int:
    return night.store.events.count(night.owner)


def kinds(changes: list[MemoryChange]) -> list[ChangeKind]:
    return [each.kind for each in changes]


def held(night: Night, text: str, project: str = PROJECT) -> Remembered:
    """The only memory that holds with this text."""
    (memory,) = [one for one in night.store.memories.leading(night.owner, project, 1_000) if one.text == text]
    return memory


def test_other_words_take_the_place_of_a_memory(written: Night) -> None:
    """A reworded line is a memory that the user stated, about the same thing, by one event; the old one is kept."""
    before = events(written)
    edit(written, "The port is 8080.", "The port is 9090.")
    changes = take_in_edits(written, PROJECT)
    new, old = held(written, "The port is 9090."), found(written, "m-port")

    assert kinds(changes) == [ChangeKind.EDITED]
    assert (changes[0].memory, changes[0].text) == (new.id, "The port is 9090.")
    assert (old.status, old.superseded_by, old.facts["valid_to"]) == ("superseded", new.id, written.now_ms())
    assert (new.kind, new.facts["topic"], new.facts["trust"]) == ("fact", "net", "user")
    assert new.facts["files"] == ["src/net.py"]
    assert events(written) == before + 1
    entry = written.ledger.entry(new.event)
    assert entry is not None
    assert (entry.event.author, entry.event.source, entry.event.trust) == (Author.USER, EventSource.MANUAL, Trust.USER)


def test_a_pinned_line_that_is_reworded_stays_pinned(written: Night) -> None:
    """What the user wanted to be there always is there always in other words, too."""
    edit(written, "Use tabs.", "Use four spaces.")
    write_pages(written, PROJECT)

    assert held(written, "Use four spaces.").facts["pinned"] is True
    assert "- Use four spaces. (2026-03-01) (pinned)" in text_of(written)


@pytest.mark.parametrize(
    "line",
    [
        "- Sessions live in SQLite. (2026-02-26) [m-sqlite] (pinned)",
        "- Sessions live in SQLite. (2026-02-26) (pinned) [m-sqlite]",
        "- Sessions live in SQLite. (pinned) (2026-02-26) [m-sqlite]",
        "- Sessions live in SQLite. (pinned)",
    ],
)
def test_a_line_that_is_called_pinned_is_pinned(written: Night, line: str) -> None:
    """Wherever behind the words somebody typed it; the memory is the same, and told."""
    edit(written, "- Sessions live in SQLite. (2026-02-26) [m-sqlite]", line)
    changes = take_in_edits(written, PROJECT)
    write_pages(written, PROJECT)

    assert [(one.memory, one.why) for one in changes] == [("m-sqlite", "pinned by hand in MEMORY.md")]
    assert "- Sessions live in SQLite. (2026-02-26) (pinned) [m-sqlite]" in items(written)
    assert found(written, "m-sqlite").facts["pinned"] is True


def test_a_line_that_is_no_longer_called_pinned_is_not(written: Night) -> None:
    """Whoever takes the note out has unpinned the memory, also in other words."""
    edit(written, "(pinned) [m-tabs]", "[m-tabs]")
    changes = take_in_edits(written, PROJECT)
    write_pages(written, PROJECT)

    assert [(one.memory, one.why) for one in changes] == [("m-tabs", "unpinned by hand in MEMORY.md")]
    assert found(written, "m-tabs").facts["pinned"] is False
    edit(written, "Use tabs. (2026-02-26)", "Use four spaces. (2026-02-26) (pinned)")
    write_pages(written, PROJECT)
    assert held(written, "Use four spaces.").facts["pinned"] is True
    edit(written, "Use four spaces. (2026-03-01) (pinned)", "Use two spaces.")
    write_pages(written, PROJECT)
    assert not held(written, "Use two spaces.").facts["pinned"]


def test_a_line_in_the_file_of_a_topic_can_be_pinned(written: Night) -> None:
    """There, too; but what is not called pinned there stays pinned, for nobody knows what the file said before."""
    path = topic_path(written.home, written.owner, PROJECT, "general")
    text = path.read_text()
    path.write_text(text.replace("[m-sqlite]", "[m-sqlite] (pinned)").replace("(pinned) [m-tabs]", "[m-tabs]"))
    change(written, "sqlite", weight=2.0)
    write_pages(written, PROJECT)

    assert found(written, "m-sqlite").facts["pinned"] is True
    assert found(written, "m-tabs").facts["pinned"] is True


def test_a_page_full_of_pins_takes_no_more(night: Night) -> None:
    """As with the command; it is said, and the line stays as it was."""
    for number in range(200):
        make(night, f"{number:03}", f"Fact {number}.", pinned=number < 150)
    write_pages(night, PROJECT)
    line = next(each for each in items(night) if "(pinned)" not in each)
    edit(night, line, f"{line} (pinned)")

    (told,) = take_in_edits(night, PROJECT)

    assert told.why.startswith("not pinned. Too much is pinned already")
    assert not found(night, told.memory).facts.get("pinned")


def test_a_new_line_is_a_new_memory(written: Night) -> None:
    """A line without id is what the user stated, of the kind of its section."""
    edit(written, "## Decisions\n", "## Decisions\n- One binary for all.\n")
    edit(written, "<!-- noctuary:end -->", "Deploys happen on Mondays.\n<!-- noctuary:end -->")
    changes = take_in_edits(written, PROJECT)
    choice, fact = held(written, "One binary for all."), held(written, "Deploys happen on Mondays.")

    assert kinds(changes) == [ChangeKind.EDITED] * 2
    assert (choice.kind, choice.facts["trust"]) == ("decision", "user")
    assert (fact.kind, fact.facts["trust"]) == ("fact", "user")


def test_a_line_that_is_taken_out_is_archived(written: Night) -> None:
    """Also if it was pinned: it is the user's hand."""
    edit(written, "- Use tabs. (2026-02-26) (pinned) [m-tabs]\n", "")
    changes = take_in_edits(written, PROJECT)

    assert [(one.kind, one.memory) for one in changes] == [(ChangeKind.REMOVED, "m-tabs")]
    assert found(written, "m-tabs").status == "archived"
    assert found(written, "m-port").status == "active"


def test_lines_that_only_moved_are_no_edit(written: Night) -> None:
    """Another order, another section, another bullet, another width of lines: nothing is said by that."""
    before = events(written)
    line = "- The port is 8080. (2026-02-26) [m-port]\n"
    edit(written, line, "")
    edit(written, "## Rules\n", "## Rules\n* The port\n  is 8080. (2026-02-26)\n  [m-port]\n")

    assert take_in_edits(written, PROJECT) == []
    assert events(written) == before


def test_the_same_edit_seen_twice_adds_nothing(written: Night) -> None:
    """Killed after the edit was taken in and before the page was written, the next run finds it and knows it."""
    edit(written, "8080", "9090")
    edit(written, "- Sessions live in SQLite. (2026-02-26) [m-sqlite]", "- Secret: password=hunter2hunter2 is used.")
    first = take_in_edits(written, PROJECT)
    count = events(written)
    second = take_in_edits(written, PROJECT)
    written.store.pages.mark_written(written.owner, PROJECT)  # as if the note of it were lost, too
    third = take_in_edits(written, PROJECT)

    assert sorted(kinds(first)) == [ChangeKind.EDITED, ChangeKind.EDITED, ChangeKind.REMOVED]
    assert (second, third) == ([], [])
    assert events(written) == count


def test_secrets_are_not_kept(written: Night) -> None:
    """What somebody types on the page is redacted like everything else."""
    edit(written, "## Rules\n", "## Rules\n- The key is AKIAIOSFODNN7EXAMPLE for now.\n")
    write_pages(written, PROJECT)

    assert "AKIAIOSFODNN7EXAMPLE" not in text_of(written)
    assert "[redacted:" in text_of(written)


def test_what_is_known_already_is_not_added(written: Night) -> None:
    """A line that says what a memory says, with or without its id, is that memory."""
    before = events(written)
    edit(written, " (2026-02-26) [m-port]", "")
    edit(written, "## Rules\n", "## Rules\n- sessions live in sqlite.\n")

    assert take_in_edits(written, PROJECT) == []
    assert events(written) == before


def test_a_line_copied_and_reworded_is_another_memory(written: Night) -> None:
    """The first stays what it was."""
    line = "- The port is 8080. (2026-02-26) [m-port]\n"
    edit(written, line, line + line.replace("8080", "9090"))
    take_in_edits(written, PROJECT)

    assert found(written, "m-port").status == "active"
    assert held(written, "The port is 9090.").id != "m-port"


def test_an_emptied_block_is_an_accident(night: Night) -> None:
    """If every line is gone at once, nothing is archived, and the page is written again."""
    for number in range(6):
        make(night, str(number), f"Fact {number}.")
    write_pages(night, PROJECT)
    lines = items(night)
    edit(night, "\n".join(lines) + "\n", "")
    changes = write_pages(night, PROJECT).changes

    assert changes == []
    assert items(night) == lines


def test_a_page_cut_off_in_the_middle_archives_nothing(written: Night) -> None:
    """Without the end of the block nobody can say that a line was taken out."""
    content = page_file(written).read_bytes()
    page_file(written).write_bytes(content[: content.index(b"## Facts")])

    assert take_in_edits(written, PROJECT) == []
    write_pages(written, PROJECT)
    assert len(items(written)) == 3


def test_an_edit_of_a_page_that_nobody_remembers(written: Night) -> None:
    """If what we wrote there is too long ago, new words count and missing lines do not."""
    edit(written, "8080", "9090")
    edit(written, "- Use tabs. (2026-02-26) (pinned) [m-tabs]\n", "")
    page_file(written).write_text(text_of(written).replace("noctuary:begin ", "noctuary:begin 00"))

    assert kinds(take_in_edits(written, PROJECT)) == [ChangeKind.EDITED]
    assert found(written, "m-tabs").status == "active"


def test_the_rest_of_a_long_text_is_kept(night: Night) -> None:
    """If the visible beginning of a long memory is reworded, what the line had no room for is still said."""
    rest = " ".join(f"word{number}" for number in range(80))
    make(night, "long", f"The port is 8080 and {rest} end.")
    write_pages(night, PROJECT)
    edit(night, "8080", "9090")
    take_in_edits(night, PROJECT)

    assert held(night, f"The port is 9090 and {rest} end.").facts["trust"] == "user"


def test_words_for_a_memory_that_ended_meanwhile_hold(written: Night) -> None:
    """Whoever edits a line that holds no longer still says something."""
    change(written, "port", status="retracted")
    edit(written, "8080", "9090")
    take_in_edits(written, PROJECT)

    assert held(written, "The port is 9090.").facts["trust"] == "user"


def test_whoever_types_a_proposal_approves_it(written: Night) -> None:
    """A sentence that waited to be looked at holds when the user writes it down."""
    make(written, "maybe", "Deploys happen on Mondays.", status="proposed")
    edit(written, "## Rules\n", "## Rules\n- Deploys happen on Mondays.\n")
    changes = take_in_edits(written, PROJECT)

    assert [one.memory for one in changes] == ["m-maybe"]
    assert (found(written, "m-maybe").status, found(written, "m-maybe").facts["approved"]) == ("active", True)


def test_a_line_under_everywhere_holds_everywhere(night: Night) -> None:
    """An edit of what is of all projects goes to the journal of all projects."""
    make(night, "all", "Answer in German.", project="", kind="preference", trust="user")
    make(night, "a", "The port is 8080.")
    write_pages(night, PROJECT)
    edit(night, "German", "French")
    edit(night, "## Everywhere\n", "## Everywhere\n- Be brief.\n")
    take_in_edits(night, PROJECT)

    assert held(night, "Answer in French.", "").kind == "preference"
    assert held(night, "Be brief.", "").project == ""


def test_an_edit_in_the_file_of_a_topic_counts(written: Night) -> None:
    """New words and new lines are taken in when the topic is written anew; a missing line is no removal there."""
    path = topic_path(written.home, written.owner, PROJECT, "net")
    path.write_text(
        path.read_text().replace("8080. (2026-02-26) [m-port]", "9090. (2026-02-26) [m-port]\n- TLS is on.")
    )
    change(written, "port", support=2)
    write_pages(written, PROJECT)

    assert held(written, "The port is 9090.").facts["topic"] == "net"
    assert held(written, "TLS is on.").facts["topic"] == "net"
    assert "TLS is on." in path.read_text()


def test_d44_headings_paragraphs_and_code_are_read(written: Night) -> None:
    """Text of any shape within the block is taken in, one item each; what a merge left is not."""
    body = "<<<<<<< HEAD\n## Net\nPorts are\n- a\n  b\n```sh\nmake\n```\n=======\n>>>>>>> x\n## A heading of words"

    assert [(item.text, item.heading) for item in items_in(body)] == [
        ("Ports are", "Net"),
        ("a b\n```sh\nmake\n```", "Net"),
        ("A heading of words", ""),
    ]


@given(lines=st.lists(st.text(max_size=30), max_size=8))
def test_any_text_can_be_read(lines: list[str]) -> None:
    """Whatever somebody types, items come of it or none, and never an empty one."""
    assert all(item.text.strip() for item in items_in("\n".join(lines)))
