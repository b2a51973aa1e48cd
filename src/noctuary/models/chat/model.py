"""What every language model promises, and the ways in which one fails to answer."""

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from noctuary.errors import ModelUnreachable

MOST_ANSWERED = 8_192  # tokens of one answer
MOST_BYTES = 4_000_000  # of one answer with all that comes around it


class Price(NamedTuple):
    """Dollars for a million tokens."""

    asked: float
    answered: float

    def of(self, tokens_in: int, tokens_out: int) -> float:
        """What so many tokens cost."""
        return (tokens_in * self.asked + tokens_out * self.answered) / 1_000_000


class Used(NamedTuple):
    """The tokens of one call."""

    tokens_in: int
    tokens_out: int


NOTHING = Used(0, 0)


class Reply(NamedTuple):
    """An answer and what it took."""

    text: str
    tokens_in: int
    tokens_out: int
    dollars: float | None = None  # None: as the price says


class NoAnswer(ModelUnreachable):
    """The model gave no answer; asking the same again will not help."""

    def __init__(self, message: str = "", *, used: Used | None = NOTHING) -> None:
        super().__init__(message)
        self.used = used  # tokens that were spent all the same; None: nobody knows


class Passing(NoAnswer):
    """The model cannot answer now; asking again may help, after `wait` seconds if it said so."""

    def __init__(self, message: str = "", *, wait: float | None = None, used: Used | None = NOTHING) -> None:
        super().__init__(message, used=used)
        self.wait = wait


class TooLong(NoAnswer):
    """The model reads or writes less at a time; asking about less will help."""


class ChatModel(Protocol):
    """Answers one question at a time, and remembers nothing of the one before.

    Raises only `ModelError`s; no key and nothing of the question is in them.
    """

    name: str  # of the backend and its model, for reports
    price: Price | None  # None: not known
    overhead: int  # tokens that are read with every question, whatever it is

    def ask(self, system: str, prompt: str, *, schema: Mapping[str, Any]) -> Reply:
        """The answer, which should be JSON of this schema; whether it is, is for whoever asks to check."""
        ...
