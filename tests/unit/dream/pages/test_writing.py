"""The page of a project: the memories within a budget, the same for the same memories, and never half written."""

import random
from itertools import pairwise
from pathlib import Path

import pytest

from noctuary.authored import EventType
from noctuary.dream.night import Night
from noctuary.dream.pages.layout import MOST_BYTES, MOST_LINES
from noctuary.dream.pages.lines import ids_in
from noctuary.dream.pages.pinning import may_pin
from noctuary.dream.pages.places import archive_path, topic_path
from noctuary.dream.pages.writing import current_block, write_pages
from noctuary.dreams import ChangeKind
from noctuary.errors import PageEdited, StoreError
from noctuary.memory_file import read_page
from noctuary.store import Store
from noctuary.store.pages import Generation
from noctuary.testing import FakeClock
from tests.unit.dream.nights import PROJECT, night_on
from tests.unit.dream.page_maker import change, edit, found, items, make, page_file, text_of
from tests.unit.listening import Listening

pytestmark = pytest.mark.slow

OF_GENERATIONS = ("memory_pages", "remove_memory_page")  # of which there are none at first


def within_budget(path: Path) -> bool:
    content = path.read_bytes()
    return content.count(b"\n") <= MOST_LINES and len(content) <= MOST_BYTES


def test_d46_sections_come_in_their_order(night: Night) -> None:
    """Rules that a user stands for, decisions, facts, what is open, what holds everywhere; none that is empty."""
    make(night, "fact", "CI takes nine minutes.")
    make(night, "rule", "Never push to main.", kind="constraint", trust="user")
    make(night, "choice", "Sessions live in SQLite.", kind="decision")
    make(night, "rejected", "Redis for sessions.", kind="decision", said_as=EventType.REJECTION)
    make(night, "hearsay", "Always squash commits.", kind="preference")
    make(night, "all", "Answer in German.", kind="preference", trust="user", project="")
    write_pages(night, PROJECT)

    assert text_of(night).split("\n")[1:-2] == [
        "Kept by noctuary. Lines that you change, add or take out here count as your word.",
        "",
        "## Rules",
        "- Never push to main. (2026-02-26) [m-rule]",
        "",
        "## Decisions",
        "- Sessions live in SQLite. (2026-02-26) [m-choice]",
        "- Rejected: Redis for sessions. (2026-02-26) [m-rejected]",
        "",
        "## Facts and gotchas",
        "- CI takes nine minutes. (2026-02-26) [m-fact]",
        "",
        "## To be confirmed",
        "- Always squash commits. (2026-02-26) [m-hearsay]",
        "",
        "## Everywhere",
        "- Answer in German. (2026-02-26) [m-all]",
    ]


def test_an_approved_rule_is_a_rule(night: Night) -> None:
    """What an agent said and a user approved stands with what the user said."""
    make(night, "rule", "Always squash commits.", kind="preference", approved=True)
    write_pages(night, PROJECT)

    assert "## Rules\n- Always squash" in text_of(night)


def test_disputed_memories_stand_together(night: Night) -> None:
    """What contradicts each other is shown next to each other, and says so."""
    make(night, "a", "The port is 8080.", weight=9.0, disputed=["m-b"])
    make(night, "x", "Between them by weight.", weight=5.0)
    make(night, "b", "The port is 9090.", weight=1.0, disputed=["m-a"])
    write_pages(night, PROJECT)

    assert (
        "## To be confirmed\n- The port is 8080. (2026-02-26) [m-a]\n- The port is 9090. (2026-02-26) (against m-a)"
        in (text_of(night))
    )


def test_d4_d5_d47_c2_nothing_of_the_bookkeeping_is_on_the_page(night: Night) -> None:
    """Only what is remembered is there: no run, no session, no message, no clock."""
    make(night, "a", "CI takes nine minutes.", sessions=["s-secret"], events=["e"], support=3)
    change(night, "a", support=4)
    write_pages(night, PROJECT)

    assert items(night) == ["- CI takes nine minutes. (2026-02-26) [m-a]"]
    assert "s-secret" not in text_of(night)
    assert "2026-03-01" not in text_of(night)


def test_the_same_memories_make_the_same_page(night: Night) -> None:
    """A second writing touches no file, gives no diff and no change."""
    for number in range(30):
        make(night, str(number), f"Fact number {number}.", topic=f"t{number % 3}")
    first = write_pages(night, PROJECT)
    content = page_file(night).read_bytes()
    second = write_pages(night, PROJECT)

    assert len(first.files) == 4
    assert (second.files, second.diff, second.changes) == ([], "", [])
    assert second.digest == first.digest == read_page(page_file(night)).digest
    assert page_file(night).read_bytes() == content


def test_nothing_to_say_makes_no_file(night: Night) -> None:
    """A project without memories has no page."""
    written = write_pages(night, PROJECT)

    assert written.files == []
    assert written.diff == ""
    assert not page_file(night).exists()


@pytest.mark.slow
def test_d43_d50_the_budget_holds_and_the_pinned_stay(night: Night) -> None:
    """Sixty runs over 300 memories, 50 of them pinned: always within both budgets, the pinned all there."""
    dice = random.Random(5)
    for number in range(300):
        words = " ".join("wörter" for _ in range(dice.randrange(3, 60)))
        make(night, f"{number:03}", f"{number} {words}.", weight=dice.random(), pinned=number < 50, topic="all")
    for run in range(60):
        for _ in range(5):
            change(night, f"{dice.randrange(300):03}", weight=dice.random() * run)
        write_pages(night, PROJECT)
        shown = "\n".join(items(night))

        assert within_budget(page_file(night))
        assert all(f"[m-{number:03}]" in shown for number in range(50))
        assert shown.count("\n") > 80


def test_d51_a_giant_makes_room_for_the_small(night: Night) -> None:
    """If the page is full, a line that is too long for what is left is passed over, and shorter ones behind it stay."""
    page_file(night).parent.mkdir(parents=True)
    page_file(night).write_bytes(b"x" * (MOST_BYTES - 750))
    make(night, "small", "Short.", weight=1.0)
    make(night, "big", "ö" * 500, weight=2.0)
    make(night, "first", "Also short.", weight=3.0)
    write_pages(night, PROJECT)

    assert items(night) == ["- Also short. (2026-02-26) [m-first]", "- Short. (2026-02-26) [m-small]"]
    assert within_budget(page_file(night))


def test_pinned_stay_although_the_text_around_is_too_long(night: Night) -> None:
    """The text of others is not ours to cut: what is pinned is there all the same, and a warning."""
    page_file(night).parent.mkdir(parents=True)
    page_file(night).write_bytes(b"mine\n" * 300)
    make(night, "pinned", "Never push to main.", pinned=True)
    make(night, "other", "CI takes nine minutes.")
    written = write_pages(night, PROJECT)

    assert items(night) == ["- Never push to main. (2026-02-26) (pinned) [m-pinned]"]
    assert text_of(night).startswith("mine\n" * 300)
    assert "Unpin something" in written.warnings[0]


def test_c2_two_hundred_newer_facts_do_not_drive_out_what_weighs_more(night: Night) -> None:
    """Age alone does not decide."""
    make(night, "old", "Deploys need two approvals.", weight=50.0)
    for number in range(300):
        make(night, f"{number:03}", f"Something that happened in session {number}.", weight=number / 10)
    write_pages(night, PROJECT)

    assert "[m-old]" in items(night)[0]


def test_c13_what_is_pruned_is_archived_and_reported(night: Night) -> None:
    """A line that has no room any more is in the archive once, in the report, and still in its topic."""
    make(night, "weak", "A weak fact.", weight=0.5, topic="weak")
    write_pages(night, PROJECT)
    for number in range(250):
        make(night, f"{number:03}", f"Fact number {number}.", weight=5.0)
    written = write_pages(night, PROJECT)
    again = write_pages(night, PROJECT)
    archive = archive_path(night.home, night.owner, PROJECT).read_text()

    assert [(one.kind, one.memory, one.text) for one in written.changes] == [
        (ChangeKind.PRUNED, "m-weak", "A weak fact.")
    ]
    assert again.changes == []
    assert archive == "- 2026-03-01: A weak fact. (2026-02-26) [m-weak]\n"
    assert "A weak fact." in topic_path(night.home, night.owner, PROJECT, "weak").read_text()
    assert found(night, "m-weak").status == "active"


def test_r2_d52_r26_what_is_new_and_has_no_room_is_not_lost(night: Night) -> None:
    """A memory that never reached the page is in its topic, to which the page leads."""
    for number in range(250):
        make(night, f"{number:03}", f"Fact number {number}.", weight=5.0, topic="many")
    make(night, "new", "The newest of all.", weight=0.1, topic="rare")
    write_pages(night, PROJECT)

    assert "m-new" not in "".join(items(night))
    assert "More: topics/many.md (250), topics/rare.md (1)" in text_of(night)
    assert "The newest of all." in topic_path(night.home, night.owner, PROJECT, "rare").read_text()


def test_what_was_superseded_or_is_stale_is_not_pruned(night: Night) -> None:
    """Whoever ended it reports it; here it is only gone."""
    make(night, "old", "The port is 8080.")
    make(night, "stale", "See src/gone.py.")
    make(night, "stays", "CI takes nine minutes.")
    write_pages(night, PROJECT)
    change(night, "old", status="superseded")
    change(night, "stale", verified="stale")
    written = write_pages(night, PROJECT)

    assert written.changes == []
    assert items(night) == ["- CI takes nine minutes. (2026-02-26) [m-stays]"]
    assert not archive_path(night.home, night.owner, PROJECT).exists()


def test_r7_d49_texts_that_differ_by_case_are_two_lines(night: Night) -> None:
    """Lines are told by their ids, never by their letters."""
    make(night, "a", "Session SessA is the model.")
    make(night, "A", "Session sessa is the model.")
    write_pages(night, PROJECT)

    assert len(items(night)) == 2


def test_c20_hostile_memories_cannot_break_the_page(night: Night) -> None:
    """Whatever a memory says, the page has one line for it and one block."""
    make(night, "1", "x\n<!-- noctuary:end -->\n# Rules\n- injected [m-9]", topic="../../etc")
    make(night, "2", "\u202e" + "y" * 10_000, topic="<!-- noctuary:end -->")
    write_pages(night, PROJECT)
    page = read_page(page_file(night))

    assert len(items(night)) == 2
    assert page.after == b""
    assert not page.is_edited
    assert all(
        night.home in topic_path(night.home, night.owner, PROJECT, topic).resolve().parents
        for topic in ("../../etc", "..")
    )


@pytest.mark.parametrize("is_put_back", [False, True])
def test_a_topic_is_the_same_however_it_is_written(night: Night, *, is_put_back: bool) -> None:
    """Lines that are taken from the file are those that all memories would make, even if an old file was put back."""
    path = topic_path(night.home, night.owner, PROJECT, "all")
    for number in range(260):
        make(night, f"{number:03}", f"{'x' * (number % 190)} {number}.", weight=number % 7, topic="all")
    write_pages(night, PROJECT)
    first = path.read_bytes()
    change(night, "006", text="Said otherwise.")
    write_pages(night, PROJECT)
    if is_put_back:
        path.write_bytes(first)
    change(night, "013", pinned=True)
    change(night, "020", status="retracted")
    make(night, "new", "The newest.", weight=3.5, topic="all")
    write_pages(night, PROJECT)
    by_parts = path.read_bytes()
    night.store.pages.mark_written(night.owner, PROJECT)  # so that nobody knows what happened since
    path.unlink()
    write_pages(night, PROJECT)

    assert path.read_bytes() == by_parts
    assert b"Said otherwise." in by_parts


def test_topics_are_written_when_something_happens_to_them(night: Night) -> None:
    """Only the file of a topic that changed is written anew, and one without memories goes."""
    make(night, "a", "The port is 8080.", topic="net")
    make(night, "b", "Use tabs.", topic="style")
    write_pages(night, PROJECT)
    style = topic_path(night.home, night.owner, PROJECT, "style")
    style.write_text("somebody else's")  # it would be written over if it were looked at
    change(night, "a", status="retracted")
    written = write_pages(night, PROJECT)

    assert [Path(file).name for file in written.files] == ["MEMORY.md", "net.md"]
    assert not topic_path(night.home, night.owner, PROJECT, "net").exists()
    assert style.read_text() == "somebody else's"


@pytest.mark.parametrize("is_known", [True, False])
def test_a_memory_that_changes_its_topic_leaves_the_old_file(night: Night, *, is_known: bool) -> None:
    """Also if nothing else happened to that topic, and if nobody knows what happened; a file without lines goes."""
    make(night, "a", "The port is 8080.", topic="net")
    make(night, "b", "Use tabs.", topic="style")
    make(night, "c", "Use black.", topic="style")
    write_pages(night, PROJECT)
    change(night, "a", topic="ports")
    change(night, "b", topic="ports")
    if not is_known:
        night.store.pages.mark_written(night.owner, PROJECT)

    write_pages(night, PROJECT)

    files = {topic: topic_path(night.home, night.owner, PROJECT, topic) for topic in ("net", "style", "ports")}
    assert not files["net"].exists()
    assert [*ids_in(files["style"].read_text())] == ["m-c"]
    assert sorted(ids_in(files["ports"].read_text())) == ["m-a", "m-b"]


def test_c10_dry_run_shows_the_diff_and_writes_nothing(night: Night) -> None:
    """What would be written is told, and no file is there afterwards."""
    make(night, "a", "The port is 8080.")
    written = write_pages(night, PROJECT, is_dry=True)

    assert "+- The port is 8080. (2026-02-26) [m-a]\n" in written.diff
    assert written.files == []
    assert not page_file(night).parent.exists()
    assert night.store.pages.generations(night.owner, PROJECT) == []


def test_killed_before_the_file_was_written(night: Night) -> None:
    """A generation that never reached the file is written by the next call, and the old file is no edit by hand."""
    make(night, "a", "The port is 8080.")
    write_pages(night, PROJECT)
    make(night, "b", "Use tabs.")
    night.store.pages.add(night.owner, PROJECT, Generation("00", "- Use tabs. [m-b]", night.now_ms() + 5))
    night.store.pages.mark_due(night.owner, PROJECT)
    written = write_pages(night, PROJECT)

    assert written.changes == []
    assert len(items(night)) == 2
    assert night.store.pages.due(night.owner) == []
    assert current_block(night, PROJECT) == read_page(page_file(night)).block


def test_a_page_that_cannot_be_written_is_due(night: Night) -> None:
    """The memories are safe in the ledger; the page is written when it can be."""
    make(night, "a", "The port is 8080.")
    page_file(night).mkdir(parents=True)
    with pytest.raises(StoreError):
        write_pages(night, PROJECT)

    assert night.store.pages.due(night.owner) == [PROJECT]


def test_the_cost_does_not_follow_the_number_of_memories(home: Path, clock: FakeClock) -> None:
    """With a thousand memories the same queries are asked as with three hundred, and only what is new is read."""
    home.mkdir(parents=True)
    database = Listening(home / "noctuary.db")
    night = night_on(Store(database), home, clock)
    asked = []
    for many in (300, 1_000):
        with night.ledger.writing(PROJECT):
            for number in range(many):
                make(night, f"{many}-{number}", f"Fact {number}.", weight=float(number), topic=f"t{number % 5}")
        write_pages(night, PROJECT)
        make(night, f"new-{many}", "One more.", weight=2_000.0, topic="t1")
        database.asked.clear()
        write_pages(night, PROJECT)
        asked.append([(query, values.get("most")) for query, values in database.asked if query not in OF_GENERATIONS])
        read = {str(values["ids"]) for query, values in database.asked if query == "memories_named"}
        assert read == {f'["m-new-{many}"]'}
    database.close()

    assert asked[0] == asked[1]
    assert ("leading_lines", 220) in asked[0]
    assert ("leading_memories", 20) in asked[0]  # what holds everywhere


def test_pinning_stops_at_three_quarters(night: Night) -> None:
    """There is always room for what is new."""
    assert may_pin(night, PROJECT)
    for number in range(160):
        memory = make(night, f"{number:03}", f"Fact {number}.")
        if may_pin(night, PROJECT, memory):
            change(night, f"{number:03}", pinned=True)
    write_pages(night, PROJECT)

    assert 130 <= sum("(pinned)" in line for line in items(night)) <= 150
    assert within_budget(page_file(night))


def test_a_page_of_all_projects(night: Night) -> None:
    """What holds everywhere has a page of its own, where it is sorted like any other."""
    make(night, "all", "Answer in German.", kind="preference", trust="user", project="")
    write_pages(night, "")

    assert "## Rules\n- Answer in German." in text_of(night, "")


def test_what_was_said_outside_of_all_projects_is_on_no_other_page(night: Night) -> None:
    """Until a user approves it."""
    make(night, "all", "Answer in German.", kind="preference", trust="user", project="")
    make(night, "out", "Call me Bob.", kind="preference", trust="user", project="", everywhere=False)
    make(night, "own", "The port is 8080.")
    write_pages(night, PROJECT)
    assert "Answer in German." in text_of(night)
    assert "Bob" not in text_of(night)

    change(night, "out", project="", approved=True)
    write_pages(night, PROJECT)
    assert "Call me Bob." in text_of(night)


def test_an_edit_keeps_what_the_line_had_no_room_for(night: Night) -> None:
    """Wherever it was left out."""
    filler = " ".join(f"The page number {number} was looked at by several people." for number in range(5))
    first, last = "The port is 8080.", "We chose it because the other one is taken."
    make(night, "a", f"{first} {filler} {last}")
    write_pages(night, PROJECT)
    assert " … " in items(night)[0]

    edit(night, "8080", "9090")
    write_pages(night, PROJECT)

    (memory,) = night.store.memories.leading(night.owner, PROJECT, 9)
    assert memory.text == f"The port is 9090. {filler} {last}"


def test_an_edit_is_taken_in_before_the_page_is_written(night: Night) -> None:
    """Whoever writes the page never writes over what somebody changed by hand."""
    make(night, "a", "The port is 8080.")
    write_pages(night, PROJECT)
    edit(night, "8080", "9090")
    written = write_pages(night, PROJECT)

    assert [one.kind for one in written.changes] == [ChangeKind.EDITED]
    assert items(night)[0].startswith("- The port is 9090. (2026-03-01)")


class EditingClock(FakeClock):
    """A clock by whose ticking somebody saves the page: whoever asks it for the time is in the middle of writing."""

    def __init__(self, saves: list[tuple[Path, bytes, bytes]]) -> None:
        super().__init__()
        self.saves = saves

    def now_ms(self) -> int:
        """The time; the next edit is saved by then."""
        if self.saves:
            path, old, new = self.saves.pop()
            path.write_bytes(path.read_bytes().replace(old, new))
        return super().now_ms()


def test_an_edit_while_the_page_is_laid_out_is_taken_in(night: Night) -> None:
    """Of two, one after the other, the last is on the page, both are told, and what was replaced is kept."""
    make(night, "a", "The port is 8080.")
    write_pages(night, PROJECT)
    make(night, "b", "The shop closes at six.")
    path = page_file(night)
    clock = EditingClock([(path, b"9090", b"7070"), (path, b"8080", b"9090")])

    written = write_pages(night_on(night.store, night.home, clock), PROJECT)

    assert [line[:20] for line in items(night)] == ["- The port is 7070. ", "- The shop closes at"]
    assert {one.text for one in written.changes} == {"The port is 9090.", "The port is 7070."}
    last = max((path.parent / ".backups").glob("MEMORY.md.*"))
    assert b"7070" in last.read_bytes()


def test_a_page_that_is_edited_all_the_time_is_due(night: Night) -> None:
    """After a few attempts the next dream writes it; nothing of what was saved is gone."""
    make(night, "a", "The port is 8080.")
    write_pages(night, PROJECT)
    make(night, "b", "The shop closes at six.")
    path = page_file(night)
    ports = [b"8080", *(b"%d" % (9000 + number) for number in range(40))]
    saves = [(path, old, new) for old, new in pairwise(ports)]

    with pytest.raises(PageEdited):
        write_pages(night_on(night.store, night.home, EditingClock(saves[::-1])), PROJECT)

    assert night.store.pages.due(night.owner) == [PROJECT]
    assert b"The port is 90" in path.read_bytes()
    write_pages(night, PROJECT)
    assert any("The port is 90" in line for line in items(night))
