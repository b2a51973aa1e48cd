"""What a run cost is in its report, whatever became of the answers."""

from noctuary.dream.life.completing import end_session
from noctuary.dream.night import Night
from noctuary.dream.rehearsing import rehearse
from noctuary.dream.run import Wanted, dream
from noctuary.dreams import Report, Trigger
from noctuary.models.asking.asker import Retries
from noctuary.models.asking.extractor import ModelExtractor
from noctuary.models.asking.wording import ModelWriter
from noctuary.models.chat.meter import Meter
from noctuary.models.chat.model import NoAnswer, Used
from noctuary.redact import redact
from noctuary.testing_models import TOKENS, FakeModel, Said
from tests.unit.dream.nights import add_session

TABS = "Always indent the shop with tabs, never with spaces."
FOUND: Said = {"events": [{"type": "constraint", "text": TABS, "messages": [1], "quote": TABS, "confidence": 0.9}]}
NO_WAITING = Retries(attempts=1, sleep=lambda _: None)


def dreamt(night: Night, *script: Said, sessions: int = 1, has_price: bool = True) -> Report:
    """A dream of so many sessions with a model that answers so, which also words memories anew."""
    chat, meter = FakeModel(script), Meter()
    chat.price = chat.price if has_price else None
    for number in range(sessions):
        add_session(night, f"s-{number}", TABS, "I will.")
        end_session(night, f"s-{number}")
    night = night._replace(meter=meter, writer=lambda: ModelWriter(chat, meter, redact=redact, retries=NO_WAITING))
    return dream(night, ModelExtractor(chat, meter, redact=redact, retries=NO_WAITING), trigger=Trigger.MANUAL)


def test_what_a_failed_session_cost_is_counted(night: Night) -> None:
    """A call that broke off was paid for, so the report has it, as that of the session that was read."""
    broken = NoAnswer("The model broke off.", used=Used(700, 30))

    report = dreamt(night, broken, FOUND, sessions=2)

    assert (report.failed, report.processed) == (1, 1)
    assert report.spent.calls == 3  # and one for the wording
    assert (report.spent.tokens_in, report.spent.tokens_out) == (700 + 2 * TOKENS, 30 + 2 * TOKENS)


def test_models_whose_price_nobody_knows_are_named(night: Night) -> None:
    """A budget of money cannot hold for them, so the report says that only tokens were counted."""
    report = dreamt(night, FOUND, has_price=False)

    assert report.spent.dollars == 0
    assert "fake:model is counted in tokens only, for nobody knows what it costs." in report.warnings


def test_a_rehearsal_costs_what_it_asks(night: Night) -> None:
    """Nothing is written, but the model was asked, and what it cost is told, also if it gave no answer."""
    add_session(night, "s-1", TABS, "I will.")
    end_session(night, "s-1")
    chat, meter = FakeModel([NoAnswer("The model broke off.", used=Used(700, 30))]), Meter()
    reader = ModelExtractor(chat, meter, redact=redact, retries=NO_WAITING)

    report = rehearse(night._replace(meter=meter), reader, wanted=Wanted())

    assert (report.failed, report.spent.calls, report.spent.tokens_in) == (1, 1, 700)
