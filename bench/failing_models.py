"""A dream with a model that fails in every way at every call: what is lost, doubled, or spent beyond the budget.

    python bench/failing_models.py [--json]

The model is the shipped fake; everything else is what a user has: a memory, the reader on top of a chat model, its
retries, checks and meter, and the run.  Each fault strikes one call of a dream and passes, or stays until the dream is
over; then a dream follows without any.
"""

import json
import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import click

from made_up_sessions import Stories
from noctuary import Memory
from noctuary.dream.asked import KeepingExtractor, KeptAnswers
from noctuary.dream.run import dream
from noctuary.dreams import Report, Trigger
from noctuary.errors import ModelDamaged
from noctuary.ledger.ledger import entry_from
from noctuary.models.asking.asker import Retries
from noctuary.models.asking.extractor import ModelExtractor
from noctuary.models.chat.meter import Limits, Meter
from noctuary.models.chat.model import NoAnswer, Passing
from noctuary.redact import redact
from noctuary.testing_models import Asked, FakeModel, Said

OWNER = "bench"
SESSIONS = 4
RUN_TOKENS = 60_000
_MESSAGE = re.compile(r"^=== message (\d+) \|", re.MULTILINE)
_DECIDED = re.compile(r"^- (I decided to use .*)$", re.MULTILINE)
FAULTS: dict[str, Callable[[], Said]] = {
    "429": lambda: Passing("429: too many requests", wait=30.0),
    "500": lambda: Passing("500: the server failed"),
    "time-out": lambda: Passing("no answer within the time", used=None),
    "refused": lambda: NoAnswer("401: the key is not taken"),
    "garbage": lambda: "I am sorry, I cannot do that.",
    "cut": lambda: '{"events": [{"type": "decision", "text": "Use',
    "damaged": lambda: ModelDamaged("the answer is no text"),
}


class Outcome(NamedTuple):
    """What a fault came to."""

    lost: int  # sessions that were not read in the end, and decisions that were not found
    doubled: int
    overspent: int
    unexplained: int  # sessions that failed without a reason


def answer(asked: Asked) -> Said:
    """What a sound model says: the first decision of the session."""
    _, *parts = _MESSAGE.split(asked.prompt)
    for name, said in zip(parts[::2], parts[1::2], strict=True):
        if found := _DECIDED.search(said):
            text = found[1]
            event = {"type": "decision", "text": text, "messages": [int(name)], "quote": text, "confidence": 0.9}
            return {"events": [event]}
    return {"events": []}


def strike(fault: Callable[[], Said], call: int, *, is_staying: bool) -> Outcome:
    """One dream in which a fault strikes, and one in which none does."""
    with tempfile.TemporaryDirectory() as folder, Memory.open(Path(folder), owner=OWNER) as memory:
        stories = Stories(31)
        for _ in range(SESSIONS):
            session, messages = stories.session(memory.clock.now_ms() - 3_600_000)
            memory.add_session(session, messages)
            memory.dreams.end_session(session.id)
        asked = [0]

        def script(question: Asked) -> Said:
            asked[0] += 1
            return fault() if asked[0] == call or (is_staying and asked[0] > call) else answer(question)

        first = _dream(memory, FakeModel(script))
        second = _dream(memory, FakeModel(answer))
        events = [entry_from(row).event for row in memory.store.events.suggested(OWNER, None)]
        texts = [event.text for event in events if event.type == "decision"]
        failed = [one for one in first.sessions if one.status != "completed"]
        return Outcome(
            lost=2 * SESSIONS - memory.store.dreams.completed_count(OWNER) - len({*texts}),
            doubled=len(texts) - len({*texts}),
            overspent=sum(_tokens(report) > RUN_TOKENS for report in (first, second)),
            unexplained=sum(not one.failure for one in failed),
        )


def _dream(memory: Memory, model: FakeModel) -> Report:
    answers = KeptAnswers(memory.store.dreams, OWNER)
    reader = ModelExtractor(
        model, Meter(Limits(run_tokens=RUN_TOKENS)), redact=redact, cache=answers, retries=Retries(sleep=_no_time)
    )
    return dream(memory.dreams.night, KeepingExtractor(reader, answers), trigger=Trigger.MANUAL)


def _no_time(seconds: float) -> None:
    """Nothing is waited for."""


def _tokens(report: Report) -> int:
    return report.spent.tokens_in + report.spent.tokens_out


def measured() -> dict[str, Any]:
    """All faults at all calls, passing and staying."""
    outcomes = [
        strike(fault, call, is_staying=is_staying)
        for fault in FAULTS.values()
        for call in range(1, SESSIONS + 1)
        for is_staying in (False, True)
    ]
    sums = {name: sum(getattr(outcome, name) for outcome in outcomes) for name in Outcome._fields}
    return {"faults": len(FAULTS), "dreams": len(outcomes), **sums}


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def main(as_json: bool) -> None:
    """Let a model fail."""
    figures = measured()
    click.echo(json.dumps(figures) if as_json else ", ".join(f"{name} {value}" for name, value in figures.items()))


if __name__ == "__main__":
    main()
