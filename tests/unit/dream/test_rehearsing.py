"""A rehearsal shows what a run would do, and changes nothing."""

from datetime import timedelta
from pathlib import Path

import pytest

from noctuary.dream.life.completing import end_session
from noctuary.dream.night import Night
from noctuary.dream.rehearsing import rehearse
from noctuary.dream.run import Wanted, dream
from noctuary.dreams import DreamStatus, Trigger
from noctuary.errors import ModelUnreachable, StoreFull
from noctuary.testing import FakeClock
from tests.unit.dream.nights import OWNER, PROJECT, add_session, records
from tests.unit.dream.reading_by_script import Verbatim

TABS = "Always indent the shop with tabs, never with spaces."


def files_below(folder: Path) -> dict[str, bytes]:
    """Every file with its bytes; the database is compared by what it says, and an empty file says nothing."""
    files = (file for file in sorted(folder.rglob("*")) if file.is_file() and not file.name.startswith("noctuary.db"))
    files = (file for file in files if file.stat().st_size)
    return {str(file.relative_to(folder)): file.read_bytes() for file in files}


def everything(night: Night) -> dict[str, object]:
    return {
        "files": files_below(night.home),
        "journal": night.store.journals.dump(OWNER, PROJECT),
        "dreams": night.store.dreams.dump(OWNER),
        "sessions": [night.store.sessions.find(OWNER, name) for name in ("s-1", "s-2")],
    }


def test_c23_a_dry_run_shows_the_difference_and_changes_nothing(night: Night) -> None:
    """The diff has the line that would come; files, journal, tables and sessions are as they were."""
    add_session(night, "s-1", TABS, "Understood.")
    end_session(night, "s-1")
    before = everything(night)

    report = rehearse(night, Verbatim(), wanted=Wanted())

    assert report.is_dry
    assert f"+- {TABS}" in report.diff
    assert (report.kept, len(report.sessions)) == (2, 1)
    assert everything(night) == before
    assert records(night, "s-1")[0].status is DreamStatus.PENDING


def test_a_rehearsal_tells_what_the_run_then_does(night: Night, clock: FakeClock) -> None:
    """Entries, memories and the page of the run are those that the rehearsal said, also where a page is there."""
    add_session(night, "s-1", TABS, "Understood.")
    end_session(night, "s-1")
    dream(night, Verbatim(), trigger=Trigger.MANUAL)
    clock.advance(timedelta(hours=1))
    add_session(night, "s-2", TABS, "Understood.", "Never deploy on a Friday.", "Understood.")
    end_session(night, "s-2")

    told = rehearse(night, Verbatim(), wanted=Wanted())
    done = dream(night, Verbatim(), trigger=Trigger.MANUAL)

    assert (told.kept, told.merged) == (done.kept, done.merged)
    assert [(change.kind, change.text) for change in told.changes] == [
        (change.kind, change.text) for change in done.changes
    ]


def test_a_rehearsal_counts_what_it_would_close(night: Night, clock: FakeClock) -> None:
    """Sessions that have been idle for a day would be read, but stay open."""
    add_session(night, "s-1", TABS, "Understood.")
    clock.advance(timedelta(hours=25))
    before = everything(night)

    report = rehearse(night, Verbatim(), wanted=Wanted())

    assert [one.session for one in report.sessions] == ["s-1"]
    assert everything(night) == before


def test_a_rehearsal_tells_what_would_fail(night: Night) -> None:
    """A model that does not answer is told with its session."""
    add_session(night, "s-1", TABS, "Understood.")
    end_session(night, "s-1")

    report = rehearse(night, Verbatim({"s-1": ModelUnreachable("The model is away.")}), wanted=Wanted())

    assert [(one.status, one.failure) for one in report.sessions] == [(DreamStatus.FAILED, "The model is away.")]
    assert records(night, "s-1")[0].attempts == 0


def test_a_rehearsal_notes_a_bug_as_the_run_does(night: Night) -> None:
    """One session that what reads it breaks on does not keep the others from being shown; a full disk ends all."""
    for name, text in (("s-1", TABS), ("s-2", "Never deploy on a Friday.")):
        add_session(night, name, text, "Understood.")
        end_session(night, name)
    reader = Verbatim({"s-1": ZeroDivisionError("by nothing")})

    told = rehearse(night, reader, wanted=Wanted())
    done = dream(night, reader, trigger=Trigger.MANUAL)

    failures = [sorted(one.failure for one in report.sessions if one.failure) for report in (told, done)]
    assert failures == [["a bug in Noctuary: ZeroDivisionError: by nothing"]] * 2
    assert "Friday" in told.diff
    with pytest.raises(StoreFull):
        rehearse(night, Verbatim({"s-1": StoreFull()}), wanted=Wanted())
