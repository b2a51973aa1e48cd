"""A hard budget of tokens and money, by run and by day.

What a call may cost at most is looked at before it is sent, so a budget is never found to be spent afterwards.  What
it did cost is counted as the model says; if it broke off and nobody knows, all that it could have cost is counted.
One run has one meter, and asks one question at a time.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from noctuary.errors import BudgetSpent
from noctuary.models.chat.model import MOST_ANSWERED, ChatModel, NoAnswer, Reply, Used
from noctuary.models.chat.tokens import tokens_of
from noctuary.proposals import Spent

_MARGIN = 1.25  # models count more tokens in code than are guessed


class Limits(NamedTuple):
    """What may be spent at most; None: whatever it takes."""

    run_tokens: int | None = None
    run_dollars: float | None = None
    day_tokens: int | None = None
    day_dollars: float | None = None


class Meter:
    """Asks models and counts what that costs, within limits."""

    def __init__(
        self,
        limits: Limits = Limits(),  # noqa: B008 - unchangeable
        spent_today: Spent = Spent(),  # noqa: B008 - unchangeable
        note: Callable[[Spent], None] | None = None,
    ) -> None:
        """`note` is told of each call what it cost, at once: a budget of a day must survive whoever spends it."""
        self._limits = limits
        self._before = spent_today
        self._note = note
        self._spent = Spent()
        self._unpriced: set[str] = set()

    @property
    def spent(self) -> Spent:
        """What was spent since this meter was made."""
        return self._spent

    def since(self, before: Spent) -> Spent:
        """What was spent after that had been."""
        now = self._spent
        tokens_in, tokens_out = now.tokens_in - before.tokens_in, now.tokens_out - before.tokens_out
        return Spent(now.calls - before.calls, tokens_in, tokens_out, now.dollars - before.dollars)

    @property
    def unpriced(self) -> frozenset[str]:
        """Models that were asked though nobody knows what they cost: only their tokens are counted."""
        return frozenset(self._unpriced)

    def ask(self, chat: ChatModel, system: str, prompt: str, *, schema: Mapping[str, Any]) -> Reply:
        """What the model answers; BudgetSpent, and nothing is sent, if that could cost more than is left."""
        read = chat.overhead + tokens_of(system) + tokens_of(prompt)
        most = Used(round(read * _MARGIN), MOST_ANSWERED)
        self._check(most, chat)
        try:
            reply = chat.ask(system, prompt, schema=schema)
        except NoAnswer as failure:
            self._add(most if failure.used is None else failure.used, chat, None)
            raise
        self._add(Used(reply.tokens_in, reply.tokens_out), chat, reply.dollars)
        return reply

    def _check(self, most: Used, chat: ChatModel) -> None:
        tokens = sum(most)
        dollars = chat.price.of(*most) if chat.price else 0.0
        limits, run, day = self._limits, self._spent, self._before + self._spent
        _keep("run", "tokens", limits.run_tokens, run.tokens_in + run.tokens_out, tokens)
        _keep("day", "tokens", limits.day_tokens, day.tokens_in + day.tokens_out, tokens)
        _keep("run", "dollars", limits.run_dollars, run.dollars, dollars)
        _keep("day", "dollars", limits.day_dollars, day.dollars, dollars)

    def _add(self, used: Used, chat: ChatModel, dollars: float | None) -> None:
        if dollars is None and chat.price is None and any(used):
            self._unpriced.add(chat.name)
        if dollars is None:
            dollars = chat.price.of(*used) if chat.price else 0.0
        spent = Spent(1, *used, dollars)
        self._spent += spent
        if self._note:
            self._note(spent)


def _keep(span: str, what: str, limit: float | None, spent: float, more: float) -> None:
    """BudgetSpent if so much more would be over the limit."""
    if limit is None or spent + more <= limit:
        return
    told = f"{limit:,.2f}, {spent:,.4f} are spent, and the next call could need {more:,.4f}"
    if what == "tokens":
        told = f"{limit:,}, {spent:,} are spent, and the next call could need {more:,}"
    later = "wait for the next run" if span == "run" else "wait until tomorrow"
    why = f"The budget of {what} for a {span} is {told}. Raise it in config.toml, or {later}."
    raise BudgetSpent(why, is_of_day=span == "day")
