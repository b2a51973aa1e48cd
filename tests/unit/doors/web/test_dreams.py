"""Pages of dreams."""

import re
from datetime import timedelta
from itertools import chain
from pathlib import Path

import pytest

from noctuary.access import Scope
from noctuary.app import Memory
from noctuary.app.browsing import Browsing
from noctuary.doors import web
from noctuary.doors.web.dreams import of_project
from noctuary.doors.web.wording import session_address
from noctuary.dream.reports import to_json
from noctuary.dreams import ChangeKind, MemoryChange, Report, RunStatus, Trigger
from noctuary.proposals import Dropped, Spent
from noctuary.store.dreams import StoredRun
from noctuary.testing import FakeClock
from tests.unit.doors.web.dreaming import EVIL, FRIDAY, MARKDOWN, ROUND, dreamt
from tests.unit.doors.web.visiting import BLOG, SHOP, Shown, empty_memory, owner, talk, visitor

pytestmark = pytest.mark.usefixtures("database")
DREAMER = owner(scopes=(Scope.READ, Scope.DREAM))


def keep(memory: Memory, report: Report) -> None:
    """Put a report among the runs."""
    run = StoredRun(report.run, report.status, report.trigger, report.started_ms, report.finished_ms, to_json(report))
    memory.store.dreams.save_run(memory.owner, run)


def runs(page: Shown) -> list[str]:
    return [one.get("href").removeprefix("/dreams/") for one in page.all("a", class_="title")]


def test_the_timeline_tells_what_each_run_did(memory: Memory) -> None:
    """When, why, what it kept, merged and dropped, what it cost, and the first lines of what became of memories."""
    started = memory.clock.now_ms()
    keep(
        memory,
        Report(
            "01RUN",
            Trigger.SESSION_COUNT,
            RunStatus.COMPLETED,
            started,
            finished_ms=started + 2_400,
            kept=3,
            merged=2,
            dropped=[Dropped("x", "too vague")],
            changes=[
                MemoryChange(ChangeKind.SUPERSEDED, "m-1", "Old words", "said otherwise later", SHOP),
                MemoryChange(ChangeKind.ADDED, "m-2", "New words", "a user said it", SHOP),
            ],
            spent=Spent(4, 1_000, 200, 0.0123),
        ),
    )
    with visitor(memory) as ana:
        page = ana.see("/dreams")

    told = page.one("li", class_="run").said
    for words in ("kept 3 entries", "2.4 s", "enough sessions waited", "2 already known", "1 dropped", "$0.0123",
                  "1,200 tokens", "1 added", "1 superseded"):  # fmt: skip
        assert words in told
    assert page.one("ul", class_="preview").said == "New wordsOld words"


def test_a_long_timeline_has_pages(tmp_path: Path) -> None:
    """Every run is on one page, the newest first, and pages lead to each other."""
    clock = FakeClock()
    with empty_memory(tmp_path, clock) as memory:
        for number in range(60):
            keep(memory, Report(f"R{number:03}", Trigger.MANUAL, RunStatus.COMPLETED, clock.now_ms()))
            clock.advance(timedelta(hours=5))
        seen, place = [], "/dreams"
        with visitor(memory) as ana:
            while place:
                page = ana.see(place)
                seen.append(runs(page))
                place = next((one.get("href") for one in page.all("a", rel="next")), "")

    assert [len(each) for each in seen] == [25, 25, 10]
    assert [*chain(*seen)] == [f"R{number:03}" for number in range(59, -1, -1)]


def test_a_run_cites_the_message_of_every_line(memory: Memory) -> None:
    """Each line of the difference has a reason, the memory, and the message in the reader; stored text stays text."""
    run = dreamt(memory, "s/1 &", ROUND, EVIL).run
    with visitor(memory) as ana:
        page = ana.see(f"/dreams/{run}")

    lines = page.all("li", class_="added")
    assert {line.said.split(" added ")[0] for line in lines} == {f"{ROUND}", f"{EVIL}"}
    cited = {one.get("href") for one in page.all("a") if " · message " in one.said}
    assert cited == {session_address("s/1 &", 1), session_address("s/1 &", 3)}
    assert f"+- {ROUND}" in page.one("div", class_="diff").said
    assert all("static" in one.get("src") for one in page.all("script"))


def test_sessions_are_named_by_what_they_are_about(memory: Memory) -> None:
    """Where they are cited and where they are listed; a key is told nothing of those of other projects."""
    talk(memory, "0c3f", ROUND, "Understood.", title="Prices & cents")
    run = memory.dreams.run(sessions=["0c3f"], backend="rules").run
    kept = memory.work(SHOP).memories()[0]
    with visitor(memory, DREAMER) as ana:
        told = [ana.see(place) for place in (f"/dreams/{run}", "/review", f"/memories/{kept.id}")]

    assert all(page.one("figcaption").said == "Prices & cents · message 1" for page in told)
    assert told[0].one("a", href=session_address("0c3f")).said == "Prices & cents"
    titles = Browsing(memory).titles
    assert titles(["0c3f", "unknown"], None) == titles(["0c3f"], SHOP) == {"0c3f": "Prices & cents"}
    assert titles(["0c3f"], BLOG) == titles(["0c3f"], "") == titles([], None) == {}


def test_what_only_programs_read_is_no_difference(memory: Memory) -> None:
    """Marks of MEMORY.md are left out, and places where nothing but a mark has changed."""
    diff = (
        "--- MEMORY.md of x\n+++ MEMORY.md of x\n"
        "@@ -1,2 +1,2 @@\n-<!-- noctuary:begin 1 -->\n+<!-- noctuary:begin 2 -->\n Kept by noctuary.\n"
        "@@ -4 +4,2 @@\n ## Rules\n+- One rule\n <!-- noctuary:end -->\n"
    )
    keep(memory, Report("R1", Trigger.MANUAL, RunStatus.COMPLETED, memory.clock.now_ms(), diff=diff))
    with visitor(memory) as ana:
        shown = ana.see("/dreams/R1").one("div", class_="diff").said

    assert shown == "MEMORY.md of x@@ -4 +4,2 @@ ## Rules+- One rule"


def test_a_run_with_very_many_changes_has_pages(memory: Memory) -> None:
    """A run that touched thousands of memories is shown a part at a time, and its difference is cut and says so."""
    changes = [MemoryChange(ChangeKind.ADDED, f"m-{number}", f"Line {number}", "", SHOP) for number in range(3_000)]
    diff = "--- MEMORY.md of x\n+++ MEMORY.md of x\n" + "".join(f"+- line {number}\n" for number in range(3_000))
    keep(memory, Report("R1", Trigger.MANUAL, RunStatus.COMPLETED, memory.clock.now_ms(), changes=changes, diff=diff))
    with visitor(memory) as ana:
        page, last = ana.see("/dreams/R1"), ana.see("/dreams/R1?page=60")

    assert len(page.all("li", class_="added")) == len(last.all("li", class_="added")) == 50
    assert "Line 2999" in last.said
    assert "1 to 50 of 3,000" in page.said
    assert "more lines" in page.said


def test_a_dream_is_taken_back_after_a_question(memory: Memory) -> None:
    """The page asks and tells what will happen; then its memories are gone, and it is told."""
    run = dreamt(memory, "s1", ROUND).run
    with visitor(memory, DREAMER) as ana:
        assert ana.see(f"/dreams/{run}").one("a", href=f"/dreams/{run}/undo").said == "Undo this dream"
        assert "Undo this dream?" in ana.see(f"/dreams/{run}/undo").said
        answer = ana.client.post(f"/dreams/{run}/undo", follow_redirects=False)
        after = ana.see(f"/dreams/{run}")
        again = ana.client.post(f"/dreams/{run}/undo")
        asked = ana.client.get(f"/dreams/{run}/undo")

    assert "was undone" in Shown(again.text).one(role="status").said  # a form may be sent twice
    assert asked.url.path == f"/dreams/{run}"
    assert (answer.status_code, answer.headers["location"]) == (303, f"/dreams/{run}")
    assert "1 entry retracted" in after.one(role="status").said
    assert "undone" in after.one("p", class_="note").said
    assert after.all("a", href=f"/dreams/{run}/undo") == []
    assert memory.work(SHOP).memories() == []


def test_taking_back_needs_the_right_to_dream_and_all_projects(memory: Memory) -> None:
    """A key to read or to write is not enough, nor is one for a single project; nothing is changed."""
    run = dreamt(memory, "s1", ROUND).run
    for caller in (owner(), owner(scopes=(Scope.READ, Scope.WRITE)), owner(SHOP, (Scope.READ, Scope.DREAM))):
        with visitor(memory, caller) as other:
            assert other.client.post(f"/dreams/{run}/undo", follow_redirects=False).status_code == 403
            assert other.client.get(f"/dreams/{run}/undo").status_code == 403
            assert other.see(f"/dreams/{run}").all("a", href=f"/dreams/{run}/undo") == []

    assert memory.dreams.show(run).status is RunStatus.COMPLETED


def test_a_key_for_one_project_sees_what_runs_did_there(memory: Memory) -> None:
    """Neither lines, sessions nor differences of another project, and no run that did nothing here."""
    shop, blog = dreamt(memory, "s1", ROUND), dreamt(memory, "s2", MARKDOWN, project=BLOG)
    with visitor(memory, owner(SHOP)) as ana:
        page, run = ana.see("/dreams"), ana.see(f"/dreams/{shop.run}")
        ana.see(f"/dreams/{blog.run}", status=404)

    assert runs(page) == [shop.run]
    assert ROUND in run.said
    assert "Markdown" not in page.said + run.said


def test_what_is_of_a_project_is_cut_out_of_a_report() -> None:
    """Of a run over two projects: counts, lines and the part of the difference of the one, and nothing that may not."""
    diff = "".join(
        f"--- MEMORY.md of {name}\n+++ MEMORY.md of {name}\n@@ -0,0 +1 @@\n+- of {name}\n--- not a file\n"
        for name in (SHOP, BLOG)
    )
    report = Report(
        "R",
        Trigger.MANUAL,
        RunStatus.COMPLETED,
        1,
        kept=7,
        merged=3,
        dropped=[Dropped("secret", "why")],
        warnings=["secret"],
        pages=["secret"],
        changes=[MemoryChange(ChangeKind.ADDED, name, name, "", name) for name in (SHOP, BLOG)],
        spent=Spent(1, 2, 3, 4.0),
        diff=diff,
    )

    seen = of_project(report, SHOP)

    assert [change.text for change in seen.changes] == [SHOP]
    assert (seen.kept, seen.merged, seen.spent, [*seen.dropped, *seen.warnings, *seen.pages]) == (0, 0, Spent(), [])
    assert f"of {SHOP}" in seen.diff
    assert BLOG not in repr(seen)
    assert "secret" not in repr(seen)


def test_without_dreams_it_is_said_how_to_have_one(memory: Memory) -> None:
    """An empty timeline says what to do, and what is not there is not found."""
    with visitor(memory) as ana:
        assert "noctuary dream" in ana.see("/dreams").said
        ana.see("/dreams/01NOTHING", status=404)


def test_what_waits_is_told(memory: Memory) -> None:
    """Proposals lead to the queue."""
    dreamt(memory, "s1", ROUND, FRIDAY)
    with visitor(memory) as ana:
        assert ana.see("/dreams").one("a", href="/review").said == "Review 2 proposals"


@pytest.mark.of_files
def test_every_change_has_its_colour_in_the_timeline() -> None:
    """What came is told from what went at a glance, whatever a dream can do to a memory."""
    style = (Path(web.__file__).parent / "static" / "work.css").read_text(encoding="utf-8")

    assert set(re.findall(r"\.count-(\w+)", style)) == set(ChangeKind)
