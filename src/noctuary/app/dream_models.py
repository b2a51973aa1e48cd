"""Who reads sessions and words memories in a dream: rules, or a model, with one budget for both."""

from __future__ import annotations  # or the annotations would load the parts below

from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from noctuary.errors import BadSettings
from noctuary.lazily import lazy_module
from noctuary.redact import redact

if TYPE_CHECKING:
    from noctuary.app.memory import Memory
    from noctuary.dream import asked
    from noctuary.dream.night import Night
    from noctuary.dream_settings import DreamSettings
    from noctuary.models import opening
    from noctuary.models.chat import meter
    from noctuary.models.chat.meter import Meter
    from noctuary.models.extractor import Extractor
else:
    asked = lazy_module("noctuary.dream.asked")
    meter = lazy_module("noctuary.models.chat.meter")
    opening = lazy_module("noctuary.models.opening")


class Reader(NamedTuple):
    """What reads sessions in one run, and the night of this run, in which all that is asked of models is counted."""

    night: Night
    extractor: Extractor


def open_reader(memory: Memory, night: Night, settings: DreamSettings) -> Reader:
    """Open what the settings name, for one run; BadSettings if it cannot be."""
    if settings.wording and settings.backend == opening.RULES:
        raise BadSettings("config.toml: dream.wording needs a model; choose one with dream.backend.")
    chat = opening.open_model(
        settings.backend,
        model=settings.model,
        address=settings.address,
        environ=memory.settings.environ,
        timeout_seconds=settings.timeout_seconds,
    )
    counting = _meter(memory, settings)
    answers = asked.KeptAnswers(memory.store.dreams, memory.owner)
    wait = settings.retry_seconds
    opened = opening.open_extractor(chat, counting, redact=redact, cache=answers, retry_seconds=wait)
    writer = None
    if chat and settings.wording:
        writer = partial(opening.open_writer, chat, counting, redact=redact, retry_seconds=wait)
    return Reader(night._replace(writer=writer, meter=counting), asked.KeepingExtractor(opened, answers))


def today(memory: Memory) -> str:
    """The day whose budget is spent now, such as 2026-03-01; days are those of UTC."""
    return f"{datetime.fromtimestamp(memory.clock.now_ms() / 1000, UTC):%Y-%m-%d}"


def _meter(memory: Memory, settings: DreamSettings) -> Meter:
    """A meter that knows what was spent today, and that notes what is spent at once."""
    dreams, owner, day = memory.store.dreams, memory.owner, today(memory)
    limits = meter.Limits(settings.run_tokens, settings.run_dollars, settings.day_tokens, settings.day_dollars)
    return meter.Meter(limits, dreams.spent_on(owner, day), lambda spent: dreams.spend(owner, day, spent))
