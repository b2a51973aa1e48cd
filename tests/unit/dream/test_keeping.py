"""What a person does to a memory directly: other words take its place."""

import pytest

from noctuary.dream.keeping import forget, reword
from noctuary.dream.life.completing import end_session
from noctuary.dream.night import Night
from noctuary.dream.pages.places import page_path
from noctuary.dream.reviewing import queue
from noctuary.dream.run import dream
from noctuary.dreams import Trigger
from noctuary.errors import BadChange, BadInput, NotFound
from noctuary.store.memories import MemoryStatus, Remembered
from tests.unit.dream.nights import OWNER, PROJECT, add_session
from tests.unit.dream.reading_by_script import Verbatim

pytestmark = pytest.mark.slow

TABS = "Always indent the shop with tabs, never with spaces."
ANEW = "Indent Python with tabs."


@pytest.fixture
def memory(night: Night) -> Remembered:
    """A memory that was dreamt."""
    add_session(night, "s-1", TABS)
    end_session(night, "s-1")
    dream(night, Verbatim(), trigger=Trigger.MANUAL)
    return next(one for one in night.store.memories.where(OWNER, project=PROJECT, statuses=None))


def test_other_words_take_the_place_of_a_memory(night: Night, memory: Remembered) -> None:
    """The old memory says what superseded it, the new one is the user's, and MEMORY.md has the new words alone."""
    new = reword(night, PROJECT, memory.id, f"  {ANEW} ")

    old = night.store.memories.find(OWNER, memory.id)
    assert old is not None
    assert (old.status, old.superseded_by) == (MemoryStatus.SUPERSEDED, new.id)
    assert (new.text, new.status, new.kind, new.facts["trust"]) == (ANEW, MemoryStatus.ACTIVE, memory.kind, "user")
    page = page_path(night.home, OWNER, PROJECT).read_text(encoding="utf-8")
    assert ANEW in page
    assert TABS not in page


def test_what_is_reworded_waits_for_no_review(night: Night, memory: Remembered) -> None:
    """Whoever says it in other words has looked at it."""
    assert queue(night, PROJECT)

    reword(night, PROJECT, memory.id, ANEW)

    assert queue(night, PROJECT) == []


def test_the_same_words_change_nothing(night: Night, memory: Remembered) -> None:
    """No line is written for what is said already."""
    before = night.store.events.count(OWNER)

    assert reword(night, PROJECT, memory.id, TABS).id == memory.id
    assert night.store.events.count(OWNER) == before


def test_nothing_is_said_without_words_or_of_what_is_gone(night: Night, memory: Remembered) -> None:
    """Empty words, a memory that was forgotten and one that never was are refused."""
    with pytest.raises(BadInput):
        reword(night, PROJECT, memory.id, " \n")
    with pytest.raises(NotFound):
        reword(night, PROJECT, "m-nothing", ANEW)
    forget(night, PROJECT, memory.id)
    with pytest.raises(BadChange):
        reword(night, PROJECT, memory.id, ANEW)
