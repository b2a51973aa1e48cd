"""Decisions as files: numbers that stay, what was chosen and what was not told apart, and nobody's edits lost."""

import os
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noctuary.errors import BadInput
from noctuary.graph import Node, NodeStatus, NodeType
from noctuary.testing import FakeClock
from noctuary.work.adr import NUMBER, AdrReport, export_adrs, slug_of
from noctuary.work.corrections import retract
from noctuary.work.decisions import choose_option, log_decision, record_outcome, reject_option, revisit
from noctuary.work.desk import Desk
from noctuary.work.notes import note
from noctuary.work.tasks import rename_node
from tests.unit.work.conftest import MakeDesk
from tests.unit.work.graph_maker import edge, make, node, set_fields

GOLDEN = Path(__file__).parent / "golden"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "docs" / "adr"


def names(folder: Path) -> list[str]:
    """The files there are, hidden ones too."""
    return sorted(path.name for path in folder.iterdir())


def make_choice(desk: Desk) -> None:
    """A decision with one option chosen, one rejected and one undecided, what came of it, and tasks around it."""
    make(
        desk,
        node("g-1", "active", "Log in"),
        node("t-1", "pending", "Write the middleware", created_ms=1),
        node("t-2", "pending", "Rotate keys", created_ms=2),
    )
    make(
        desk,
        node("d-1", "decided", "JWT vs sessions", description="Two services log in.", created_ms=10),
        below="g-1",
    )
    make(
        desk,
        node("o-1", "chosen", "JWT tokens", created_ms=11, metadata={"pros": "- stateless\n- fast", "cons": "size"}),
        node("o-2", "rejected", "Sessions", description="In the `sessions` table.", created_ms=12),
        node("o-3", "active", "Both", created_ms=13),
        node(
            "oc-1", "completed", "Logins hold", description="a week\nlong", created_ms=20, metadata={"success": "true"}
        ),
        node("oc-2", "completed", "Keys leaked", created_ms=21, metadata={"success": "false"}),
        below="d-1",
        edges=(
            *(edge("leads_to", "d-1", f"o-{i}") for i in (1, 2, 3)),
            edge("chosen", "d-1", "o-1", "Stateless, scalable"),
            edge("rejected", "d-1", "o-2", "State in one more place"),
            edge("leads_to", "d-1", "oc-1"),
            edge("leads_to", "d-1", "t-1"),
            edge("depends_on", "t-2", "d-1"),
        ),
    )


def test_b8_a_decision_becomes_a_page(desk: Desk, folder: Path) -> None:
    """Status, context, options, outcome and related tasks, in a file that is named after number and title."""
    make_choice(desk)

    report = export_adrs(desk, folder)

    assert report == AdrReport(written=("001-jwt-vs-sessions.md",))
    assert (folder / "001-jwt-vs-sessions.md").read_text(encoding="utf-8") == (GOLDEN / "adr_full.md").read_text(
        encoding="utf-8"
    )


def test_b8_what_is_not_known_is_said(desk: Desk, folder: Path) -> None:
    """A bare decision has all sections."""
    make(desk, node("d-1", "active", "Which queue", created_ms=86_400_000))
    export_adrs(desk, folder)

    page = (folder / "001-which-queue.md").read_text(encoding="utf-8")
    assert page == (GOLDEN / "adr_bare.md").read_text(encoding="utf-8")


def test_b8_no_decisions_no_files(desk: Desk, make_desk: MakeDesk, folder: Path) -> None:
    """Nothing is written, not even the folder; decisions of other projects are theirs."""
    make(make_desk(project="/elsewhere"), node("d-1", "active"))

    assert export_adrs(desk, folder) == AdrReport()
    assert not folder.exists()


def test_a_retracted_decision_has_no_page(desk: Desk, folder: Path, clock: FakeClock) -> None:
    """Its page goes, unless somebody edited it; what it superseded is decided again, and no number is given twice."""
    ways: list[dict[str, object]] = [{"option": "Redis", "chosen": True}, {"option": "SQLite"}]
    old = note(desk, "decision", "Use Redis", alternatives=ways)
    clock.advance(timedelta(days=1))
    new = note(desk, "decision", "Use SQLite", alternatives=ways, supersedes=old.event.id)
    export_adrs(desk, folder)
    assert names(folder) == ["001-use-redis.md", "002-use-sqlite.md"]

    retract(desk, new.event.id)
    never = note(desk, "decision", "Use files", alternatives=ways)
    retract(desk, never.event.id)

    report = AdrReport(written=("001-use-redis.md",), removed=("002-use-sqlite.md",))
    assert export_adrs(desk, folder) == report
    page = (folder / "001-use-redis.md").read_text(encoding="utf-8")
    assert "**Status:** decided" in page
    assert "SQLite (" in page
    assert "uperseded" not in page
    note(desk, "decision", "Use Postgres", alternatives=ways)
    assert export_adrs(desk, folder).written == ("003-use-postgres.md",)


def test_only_retracted_decisions_need_no_folder(desk: Desk, folder: Path) -> None:
    """Where nothing is to be written, nothing is made."""
    retract(desk, note(desk, "decision", "Use Redis", alternatives=[{"option": "Redis"}]).event.id)

    assert export_adrs(desk, folder) == AdrReport()
    assert not folder.exists()


def test_c34_undecided_is_not_rejected(desk: Desk, folder: Path) -> None:
    """Chosen, rejected with its reason, given up and still open are four different things."""
    decision = log_decision(desk, "Which store", options=["Postgres", "SQLite", "Files"])
    by_title = {option.title: option.id for option in decision.options}
    reject_option(desk, by_title["Files"], "no transactions")
    export_adrs(desk, folder)
    page = (folder / "001-which-store.md").read_text(encoding="utf-8")

    assert "### Files (REJECTED)\n\n**Reason:** no transactions\n" in page
    assert "### Postgres (UNDECIDED)\n" in page
    assert "### SQLite (UNDECIDED)\n" in page

    choose_option(desk, decision.node.id, by_title["SQLite"], "one file")
    set_fields(desk, by_title["Postgres"], description="later")
    export_adrs(desk, folder)
    page = (folder / "001-which-store.md").read_text(encoding="utf-8")

    assert "### SQLite (CHOSEN)\n\n**Rationale:** one file\n" in page
    assert "### Postgres (REJECTED)\n" in page
    assert "UNDECIDED" not in page


def test_c34_superseded_links_lead_both_ways(desk: Desk, clock: FakeClock, folder: Path) -> None:
    """The old page names the new one and the new one the old, and what came of it is on its page."""
    old = log_decision(desk, "Cache (v1) | Redis", options=["Redis"])
    choose_option(desk, old.node.id, old.options[0].id, "fast")
    outcome = record_outcome(desk, old.node.id, "It went down", success=False)
    clock.advance(timedelta(days=1))
    revisit(desk, outcome.id, "Too fragile", new_decision="Cache in memory", options=["LRU"])

    report = export_adrs(desk, folder)

    assert report.written == ("001-cache-v1-redis.md", "002-cache-in-memory.md")
    first, second = ((folder / name).read_text(encoding="utf-8") for name in report.written)
    assert "**Status:** superseded\n" in first
    assert "**Superseded by:** [ADR 002: Cache in memory](002-cache-in-memory.md)\n" in first
    assert "- **Failed:** It went down\n" in first
    assert "**Supersedes:** [ADR 001: Cache (v1) \\| Redis](001-cache-v1-redis.md)\n" in second


def test_c34_numbers_stay_when_older_decisions_appear(desk: Desk, folder: Path, tmp_path: Path) -> None:
    """Also in a folder where no file says what they were."""
    make(desk, node("d-1", "active", "One", created_ms=100), node("d-2", "active", "Two", created_ms=200))
    export_adrs(desk, folder)
    make(desk, node("d-0", "active", "Older", created_ms=50))

    again = export_adrs(desk, folder)
    fresh = export_adrs(desk, tmp_path / "fresh")
    desk.ledger.rebuild()
    rebuilt = export_adrs(desk, tmp_path / "rebuilt")

    assert (again.written, again.unchanged) == (("003-older.md",), ("001-one.md", "002-two.md"))
    assert fresh.written == rebuilt.written == ("001-one.md", "002-two.md", "003-older.md")


def test_c34_numbers_are_given_in_one_event(desk: Desk, folder: Path) -> None:
    """It keeps the books; an export without new decisions writes none."""
    make(desk, *(node(f"d-{i}", "active") for i in range(5)))
    before = desk.store.events.count(desk.owner)
    export_adrs(desk, folder)
    export_adrs(desk, folder)

    assert desk.store.events.count(desk.owner) == before + 1
    assert [desk.node(f"d-{i}").metadata[NUMBER] for i in range(5)] == ["1", "2", "3", "4", "5"]
    assert desk.entries("d-1") == []


def test_numbers_of_others_are_not_taken(desk: Desk, folder: Path) -> None:
    """New decisions come behind what is in the folder already; a date at the front is no number."""
    folder.mkdir(parents=True)
    for name in ("0014-by-hand.md", "2026-05-01-notes.md", "README.md", "099.txt"):
        (folder / name).write_text("mine")
    make(desk, node("d-1", "active", "One"))

    assert export_adrs(desk, folder).written == ("015-one.md",)
    assert (folder / "0014-by-hand.md").read_text() == "mine"


def test_a_file_tells_the_number_if_the_journal_does_not(desk: Desk, folder: Path) -> None:
    """A memory that was set back to before the export gives the same number again."""
    make(desk, node("d-1", "active", "One"), node("d-2", "active", "Two"))
    export_adrs(desk, folder)
    set_fields(desk, "d-2", metadata={NUMBER: None})
    set_fields(desk, "d-1", metadata={NUMBER: "first"})

    assert export_adrs(desk, folder).unchanged == ("001-one.md", "002-two.md")


def test_two_machines_numbers_meet(desk: Desk, folder: Path) -> None:
    """Two decisions with the same number: the older keeps it, and the other's file moves with it."""
    make(desk, node("d-1", "active", "One", created_ms=1), node("d-2", "active", "Two", created_ms=2))
    export_adrs(desk, folder)
    set_fields(desk, "d-2", metadata={NUMBER: "1"})
    (folder / "002-two.md").rename(folder / "001-two.md")

    report = export_adrs(desk, folder)

    assert (report.written, report.removed) == (("002-two.md",), ("001-two.md",))
    assert names(folder) == ["001-one.md", "002-two.md"]
    assert export_adrs(desk, folder).unchanged == ("001-one.md", "002-two.md")


def test_a_second_export_changes_nothing(desk: Desk, folder: Path) -> None:
    """Not a byte, and not a time of a file; nor do line ends that git changed count as a change."""
    make_choice(desk)
    export_adrs(desk, folder)
    file = folder / "001-jwt-vs-sessions.md"
    os.utime(file, (1, 1))

    assert export_adrs(desk, folder) == AdrReport(unchanged=(file.name,))
    assert file.stat().st_mtime == 1

    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))

    assert export_adrs(desk, folder) == AdrReport(unchanged=(file.name,))


def test_c34_stale_files_of_ours_are_removed(desk: Desk, folder: Path) -> None:
    """A decision with another title has another file, with the same number."""
    make(desk, node("d-1", "active", "One"), node("d-2", "active", "Two"))
    export_adrs(desk, folder)
    (folder / "001-one-notes.md").write_text("mine")
    rename_node(desk, "d-1", "Won")

    report = export_adrs(desk, folder)

    assert report == AdrReport(written=("001-won.md",), unchanged=("002-two.md",), removed=("001-one.md",))
    assert names(folder) == ["001-one-notes.md", "001-won.md", "002-two.md"]


def test_what_somebody_edited_is_kept_and_reported(desk: Desk, folder: Path) -> None:
    """An edited file is neither written nor removed, whatever becomes of its decision; links still lead to it."""
    make(desk, node("d-1", "active", "One"), node("d-2", "active", "Two"), edges=(edge("supersedes", "d-2", "d-1"),))
    export_adrs(desk, folder)
    file = folder / "001-one.md"
    edited = file.read_text().replace("(Pending)", "My own words.")
    file.write_text(edited)
    rename_node(desk, "d-1", "Won")

    report = export_adrs(desk, folder)

    assert report.written == ("002-two.md",)
    assert report.removed == ()
    assert [(kept.file, "edited" in kept.why) for kept in report.kept] == [("001-one.md", True)]
    assert file.read_text() == edited
    assert "[ADR 001: Won](001-one.md)" in (folder / "002-two.md").read_text()

    file.unlink()

    assert export_adrs(desk, folder).written == ("001-won.md", "002-two.md")


def test_files_without_our_line_are_never_touched(desk: Desk, folder: Path) -> None:
    """Whoever takes the line away owns the file; so does whoever had a file or a folder of that name before."""
    make(desk, node("d-1", "active", "One"), node("d-2", "active", "Two"))
    export_adrs(desk, folder)
    (folder / "001-one.md").write_text("mine, since\n")
    (folder / "002-two.md").unlink()
    (folder / "002-two.md").mkdir()

    report = export_adrs(desk, folder)

    assert [kept.file for kept in report.kept] == ["001-one.md", "002-two.md"]
    assert (folder / "001-one.md").read_text() == "mine, since\n"
    assert (folder / "002-two.md").is_dir()


def test_files_of_decisions_of_others_are_kept(desk: Desk, make_desk: MakeDesk, folder: Path) -> None:
    """Two projects, or two people, may share a folder: nobody removes what the other wrote."""
    other = make_desk(project="/elsewhere")
    make(other, node("d-9", "active", "Theirs"))
    make(desk, node("d-1", "active", "Ours"))
    export_adrs(other, folder)

    report = export_adrs(desk, folder)

    assert report.written == ("002-ours.md",)
    assert [kept.file for kept in report.kept] == ["001-theirs.md"]
    assert export_adrs(other, folder).unchanged == ("001-theirs.md",)


def test_titles_cannot_break_the_page(desk: Desk, folder: Path) -> None:
    """Pipes, backticks, HTML and headings of others stay text."""
    make(
        desk,
        node("d-1", "active", "Use `a|b` ## Outcome <script>", description="# Top\n\n```\nopen <b>"),
        node("o-1", "active", "*x* <!-- y", description="<img src=x>"),
        edges=(edge("leads_to", "d-1", "o-1"),),
    )
    export_adrs(desk, folder)

    page = next(folder.iterdir()).read_text(encoding="utf-8")
    assert page.startswith("# ADR 001: Use \\`a\\|b\\` \\## Outcome \\<script\\>\n")
    assert "\n\\# Top\n\n```\nopen <b>\n```\n\n## Options Considered\n" in page
    assert "### \\*x\\* \\<!-- y (UNDECIDED)\n\n&lt;img src=x>\n" in page
    assert [line for line in page.splitlines() if line.startswith("## ")] == [
        "## Context",
        "## Options Considered",
        "## Outcome",
        "## Related Tasks",
    ]


def slug(title: str) -> str:
    """The slug of a decision with this title."""
    return slug_of(Node("d-7x", NodeType.DECISION, title, NodeStatus.ACTIVE))


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("JWT vs. Sessions!", "jwt-vs-sessions"),
        ("数据库的选择", "数据库的选择"),
        ("Größe & Élan", "größe-élan"),
        ("हिन्दी भाषा", "हिन्दी-भाषा"),
        ("../../etc/passwd", "etc-passwd"),
        ("!!! 🚀", "d-7x"),
        ("--- a --- b ---", "a-b"),
        ("word " * 100, "-".join(["word"] * 24)),
        ("x" * 500, "x" * 120),
        ("择" * 500, "择" * 40),
    ],
)
def test_b8_slugs_of_any_script_name_a_file(title: str, expected: str) -> None:
    """Letters and digits stay, all else separates; never empty, never too long, never out of the folder."""
    assert slug(title) == expected


@given(st.text(min_size=1))
def test_a_slug_is_always_a_name(title: str) -> None:
    """Of any title whatsoever."""
    name = slug(title)

    assert name
    assert len(name.encode()) <= 120
    assert not set(name) & set('/\\:*?"<>|. \0\n')
    assert not name.startswith("-")
    assert slug(title) == name


def test_a_folder_that_cannot_be_used_is_refused(desk: Desk, tmp_path: Path) -> None:
    """The message names it, and the journal is as it was: no number was given."""
    make(desk, node("d-1", "active"))
    before = desk.store.events.count(desk.owner)
    (tmp_path / "file").write_text("mine")

    for place in (tmp_path / "file", tmp_path / "file" / "below", Path("/proc/nowhere")):
        with pytest.raises(BadInput, match=place.name):
            export_adrs(desk, place)
    assert (tmp_path / "file").read_text() == "mine"
    assert desk.store.events.count(desk.owner) == before


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission_is_refused(desk: Desk, folder: Path) -> None:
    """It says so before anything is written."""
    make(desk, node("d-1", "active"))
    folder.mkdir(parents=True, mode=0o500)

    with pytest.raises(BadInput, match="denied"):
        export_adrs(desk, folder)
    assert NUMBER not in desk.node("d-1").metadata


def test_nothing_half_written_is_left(desk: Desk, folder: Path) -> None:
    """Files are replaced whole."""
    make(desk, *(node(f"d-{i:03}", "active", f"Number {i}") for i in range(50)))
    report = export_adrs(desk, folder)

    assert names(folder) == sorted(report.written)
    assert len(report.written) == 50
