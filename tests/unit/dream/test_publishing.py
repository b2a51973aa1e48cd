"""What a dream looks for on this machine."""

from pathlib import Path

import pytest

from noctuary.dream.life.completing import end_session
from noctuary.dream.night import Night
from noctuary.dream.publishing import folder_of
from noctuary.dream.run import dream
from noctuary.dreams import RunStatus, Trigger
from tests.unit.dream.nights import PROJECT, add_session
from tests.unit.dream.reading_by_script import Verbatim


@pytest.mark.parametrize("cwd", ["/home/" + "x" * 300, "/home/ana\0/code", "/" + "y/" * 4_000])
def test_a_folder_that_cannot_be_is_none(night: Night, cwd: str) -> None:
    """A transcript may say any folder; one whose name no system takes breaks no dream."""
    add_session(night, "s-1", "Always indent the shop with tabs, never with spaces.", cwd=cwd)
    end_session(night, "s-1")

    report = dream(night, Verbatim(), trigger=Trigger.MANUAL)

    assert (report.status, report.processed) == (RunStatus.COMPLETED, 1)


def test_the_folder_of_a_project_is_where_it_was_last(night: Night, tmp_path: Path) -> None:
    """Of the folders of its sessions the first that is there."""
    add_session(night, "s-1", "Hello", cwd=str(tmp_path))
    add_session(night, "s-2", "Hello", cwd="/home/" + "x" * 300)

    assert folder_of(night, PROJECT) == tmp_path
    assert folder_of(night, "") is None
