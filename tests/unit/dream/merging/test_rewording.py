"""A model may word memories anew, if asked to: all or none, and never what a user worded."""

from collections.abc import Sequence

from noctuary.dream.keeping import pin
from noctuary.dream.life.completing import end_session
from noctuary.dream.night import Night
from noctuary.dream.pages.writing import page_path
from noctuary.dream.run import dream
from noctuary.dream.undoing import undo
from noctuary.dreams import Trigger
from noctuary.errors import ModelUnreachable
from noctuary.models.writer import Refused, Reworded, Worded
from noctuary.proposals import Spent
from tests.unit.dream.nights import OWNER, PROJECT, add_session
from tests.unit.dream.reading_by_script import Verbatim

TABS = "so please do always indent the shop with tabs, never with spaces."
CLEAR = "Always indent the shop with tabs, never with spaces."


class Scribe:
    """A writer that gives what a test says, whatever it is asked."""

    name = "scribe"

    def __init__(self, answer: str | Refused | ModelUnreachable) -> None:
        self.answer = answer
        self.asked: list[Worded] = []

    def reword(self, entries: Sequence[Worded]) -> Reworded | Refused:
        """The answer."""
        self.asked += entries
        if isinstance(self.answer, ModelUnreachable):
            raise self.answer
        if isinstance(self.answer, Refused):
            return self.answer
        return Reworded({entry.id: self.answer for entry in entries if "tabs" in entry.text}, Spent(1, 20, 10, 0.02))


def dreamt(night: Night, scribe: Scribe, name: str = "s-1") -> tuple[Night, list[str], Sequence[str]]:
    """A session is dreamt of with this writer; the night, the texts of the memories, and the warnings."""
    night = night._replace(writer=lambda: scribe)
    add_session(night, name, TABS, "Understood.")
    end_session(night, name)
    report = dream(night, Verbatim(), trigger=Trigger.MANUAL)
    return night, [memory.text for memory in night.store.memories.where(OWNER, project=PROJECT)], report.warnings


def test_a_new_wording_stands_in_the_page_and_the_citation_stays(night: Night) -> None:
    """The memory has the new words; the entry it rests on still has the old ones, and the quote."""
    scribe = Scribe(CLEAR)
    night, texts, warnings = dreamt(night, scribe)

    assert CLEAR in texts
    assert warnings == ()
    assert CLEAR in page_path(night.home, OWNER, PROJECT).read_text()
    memory = next(one for one in night.store.memories.where(OWNER, project=PROJECT) if one.text == CLEAR)
    entry = night.ledger.entry(memory.event)
    assert entry is not None
    assert (entry.event.text, entry.event.refs.messages[0].quote) == (TABS, TABS)
    assert [each.quotes for each in scribe.asked if each.text == TABS] == [[TABS]]


def test_refused_wordings_leave_everything_as_it_is(night: Night) -> None:
    """A result that adds facts or loses entries is refused as a whole, and the report says why."""
    _, texts, warnings = dreamt(night, Scribe(Refused("it adds 'Redis'")))

    assert TABS in texts
    assert any("it adds 'Redis'" in warning for warning in warnings)


def test_a_model_that_does_not_answer_costs_nothing_but_the_wording(night: Night) -> None:
    """What was read is kept in its own words."""
    _, texts, warnings = dreamt(night, Scribe(ModelUnreachable("The model is away.")))

    assert TABS in texts
    assert any("The model is away." in warning for warning in warnings)


def test_undo_takes_the_wording_back_too(night: Night) -> None:
    """After the run is taken back nothing of the new words is left."""
    night, _, _ = dreamt(night, Scribe(CLEAR))

    undo(night)

    assert night.store.memories.where(OWNER, project=PROJECT) == []


def test_what_a_user_pinned_is_not_worded_anew(night: Night) -> None:
    """A pinned memory keeps its words, though another session supports it."""
    night, _, _ = dreamt(night, Scribe(Refused("not yet")))
    memory = next(one for one in night.store.memories.where(OWNER, project=PROJECT) if one.text == TABS)
    pin(night, PROJECT, memory.id)

    _, texts, _ = dreamt(night, Scribe(CLEAR), "s-2")

    assert TABS in texts
    assert CLEAR not in texts


def test_the_cost_of_wording_is_in_the_report(night: Night) -> None:
    """Tokens of the writer are counted with those of the reader."""
    night = night._replace(writer=lambda: Scribe(CLEAR))
    add_session(night, "s-1", TABS, "Understood.")
    end_session(night, "s-1")

    report = dream(night, Verbatim(), trigger=Trigger.MANUAL)

    assert report.spent == Spent(2, 30, 15, 0.03)
