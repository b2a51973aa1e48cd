"""A budget that is kept before it is spent."""

import pytest

from noctuary.errors import BudgetSpent, ModelError, ModelUnreachable
from noctuary.models.chat.meter import Limits, Meter
from noctuary.models.chat.model import MOST_ANSWERED, NoAnswer, Passing, Price, Reply, Used
from noctuary.proposals import Spent
from noctuary.testing_models import TOKENS, FakeModel, Said

MOST = MOST_ANSWERED + 2  # what asking "s" and "p" could take
DOLLARS = Price(1.0, 5.0).of(2, MOST_ANSWERED)


def ask(meter: Meter, chat: FakeModel) -> Reply:
    return meter.ask(chat, "s", "p", schema={})


def test_what_was_spent_is_counted() -> None:
    """Calls, tokens and money add up; before that, nothing is spent."""
    meter = Meter()
    before = meter.spent

    for _ in range(3):
        ask(meter, FakeModel())

    assert before == Spent()
    assert meter.spent[:3] == (3, 3 * TOKENS, 3 * TOKENS)
    assert meter.spent.dollars == pytest.approx(3 * Price(1.0, 5.0).of(TOKENS, TOKENS))
    assert meter.since(before) == meter.spent
    assert meter.since(meter.spent) == Spent()


@pytest.mark.parametrize(
    ("limits", "why"),
    [
        (Limits(run_tokens=MOST - 1), "tokens for a run is 8,193, 0 are spent, and the next call could need 8,194"),
        (Limits(day_tokens=MOST - 1), "tokens for a day"),
        (Limits(run_dollars=DOLLARS * 0.99), "dollars for a run"),
        (Limits(day_dollars=DOLLARS * 0.99), "dollars for a day"),
    ],
)
def test_what_could_cost_more_than_is_left_is_not_sent(limits: Limits, why: str) -> None:
    """The error says which budget, how much of it is spent, and what to do; it is a ModelError."""
    chat = FakeModel()

    with pytest.raises(BudgetSpent, match=why) as caught:
        ask(Meter(limits), chat)

    assert chat.asked == []
    assert isinstance(caught.value, ModelError)
    assert "config.toml" in str(caught.value)
    assert caught.value.is_of_day == ("for a day" in why)


def test_what_a_question_takes_is_guessed_with_a_margin() -> None:
    """Models count more tokens in code than a guess does; what an agent reads of its own accord counts, too."""
    chat = FakeModel()
    chat.overhead = 1_000
    most = round((1_000 + 1 + 2_000) * 1.25) + MOST_ANSWERED

    with pytest.raises(BudgetSpent, match=f"could need {most:,}"):
        Meter(Limits(run_tokens=1)).ask(chat, "s", "word" * 2_000, schema={})


@pytest.mark.parametrize(
    "limits",
    [
        Limits(),
        Limits(run_tokens=MOST, day_tokens=MOST),
        Limits(run_dollars=DOLLARS * 1.01, day_dollars=DOLLARS * 1.01),
    ],
)
def test_what_fits_is_sent(limits: Limits) -> None:
    """A budget that is just enough is enough."""
    assert ask(Meter(limits), FakeModel(["hello"])).text == "hello"


def test_a_day_has_what_was_spent_before() -> None:
    """What other runs spent today counts for the day, and not for the run."""
    today = Spent(9, 500, 500, 0.5)

    with pytest.raises(BudgetSpent, match="for a day is 9,000, 1,000 are spent"):
        ask(Meter(Limits(day_tokens=9_000), today), FakeModel())
    meter = Meter(Limits(run_tokens=MOST, run_dollars=1.0), today)
    ask(meter, FakeModel())

    assert meter.spent.calls == 1


def test_a_budget_is_never_found_spent_afterwards() -> None:
    """Whatever models answer, within what they may answer, no limit is passed."""
    meter = Meter(Limits(run_tokens=50_000))
    chat = FakeModel(lambda _: Reply("", 2, MOST_ANSWERED))

    for _ in range(6):
        ask(meter, chat)
    with pytest.raises(BudgetSpent):
        ask(meter, chat)

    assert len(chat.asked) == 6
    assert meter.spent.tokens_in + meter.spent.tokens_out <= 50_000


@pytest.mark.parametrize(
    ("fault", "tokens"),
    [
        (Passing("Busy."), (0, 0)),
        (NoAnswer("Declined.", used=Used(7, 3)), (7, 3)),
        (Passing("Broke off.", used=None), (2, MOST_ANSWERED)),
    ],
)
def test_failures_cost_what_they_cost(fault: Said, tokens: tuple[int, int]) -> None:
    """What is refused costs nothing; what broke off could have cost all, and is counted so."""
    meter = Meter()

    with pytest.raises(ModelUnreachable):
        ask(meter, FakeModel([fault]))

    assert meter.spent[1:3] == tokens
    assert meter.spent.calls == 1


def test_each_call_is_noted_at_once() -> None:
    """Whoever keeps the budget of a day hears of every call, also of one that failed, before the next is made."""
    noted: list[Spent] = []
    meter = Meter(note=noted.append)

    ask(meter, FakeModel([Reply("", 10, 20, 0.5)]))
    with pytest.raises(ModelUnreachable):
        ask(meter, FakeModel([NoAnswer("Declined.", used=Used(7, 3))]))

    assert noted == [Spent(1, 10, 20, 0.5), Spent(1, 7, 3, Price(1.0, 5.0).of(7, 3))]
    assert sum(noted, Spent()) == meter.spent


def test_a_model_without_a_price_is_counted_in_tokens_and_named() -> None:
    """Nobody knows what it costs: its tokens are kept within budget, and the report can say that money is not."""
    chat = FakeModel()
    chat.price = None
    meter = Meter(Limits(run_dollars=0.000001))

    ask(meter, chat)

    assert meter.unpriced == {"fake:model"}
    assert meter.spent == Spent(1, TOKENS, TOKENS, 0.0)


def test_a_model_that_says_what_it_cost_is_believed() -> None:
    """The price is for those that do not say; then its name is known to have none."""
    chat = FakeModel([Reply("", 10, 10, 0.75)])
    chat.price = None
    meter = Meter()

    ask(meter, chat)

    assert meter.spent.dollars == 0.75
    assert meter.unpriced == frozenset()
