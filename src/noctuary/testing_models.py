"""Shipped for tests: a language model that answers as it is told, and fails as it is told."""

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from noctuary.models.chat.model import Price, Reply

TOKENS = 100  # what each question and each answer of the fake takes


class Asked(NamedTuple):
    """What the fake was asked."""

    system: str
    prompt: str
    schema: Mapping[str, Any]


Said = str | Mapping[str, Any] | Reply | Exception
Script = Iterable[Said] | Callable[[Asked], Said]


class FakeModel:
    """A ChatModel that follows a script: an answer or a fault a question, or a function that makes them.

    A text is answered as it is, a mapping as JSON, an error is raised.  When the script is over, it finds nothing.
    `asked` has every question, answered or not.
    """

    name = "fake:model"
    price: Price | None = Price(1.0, 5.0)
    overhead = 0

    def __init__(self, script: Script = ()) -> None:
        self.asked: list[Asked] = []
        self._next = script if callable(script) else _follow(list(script))

    def ask(self, system: str, prompt: str, *, schema: Mapping[str, Any]) -> Reply:
        """The next answer of the script."""
        self.asked.append(Asked(system, prompt, schema))
        said = self._next(self.asked[-1])
        if isinstance(said, Exception):
            raise said
        if isinstance(said, Reply):
            return said
        return Reply(said if isinstance(said, str) else json.dumps(said), TOKENS, TOKENS)


def _follow(script: list[Said]) -> Callable[[Asked], Said]:
    left = iter(script)
    return lambda asked: next(left, {name: [] for name in asked.schema.get("required", ["events"])})
