"""Ask a model until it answers as it should: with patience that ends, and never twice for what was paid for."""

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

from noctuary.errors import ModelUnreachable
from noctuary.models.asking.answers import Garbled
from noctuary.models.asking.cache import ChunkCache, InMemoryCache, key_of
from noctuary.models.chat.meter import Meter
from noctuary.models.chat.model import ChatModel, Passing

Answer = TypeVar("Answer")


class Retries(NamedTuple):
    """How often a model is asked, and how long is waited in between."""

    attempts: int = 4
    first_wait: float = 2.0  # seconds; each wait is twice the one before
    longest_wait: float = 60.0  # who wants to be asked later than that is asked in another run
    sleep: Callable[[float], None] = time.sleep


class Asker:
    """Asks one model."""

    def __init__(self, chat: ChatModel, meter: Meter, cache: ChunkCache | None, retries: Retries) -> None:
        self._chat = chat
        self._meter = meter
        self._cache = InMemoryCache() if cache is None else cache
        self._retries = retries
        self.name = chat.name

    def ask(self, system: str, prompt: str, *, schema: Mapping[str, Any], read: Callable[[str], Answer]) -> Answer:
        """What is read from the model's answer; the reader raises Garbled if it cannot be read.

        Raises a ModelError if there is no such answer after all attempts, or the budget ends before.
        """
        prompt = prompt.encode("utf-8", "replace").decode("utf-8")  # a transcript may hold half a character
        key = key_of(self._chat.name, system, prompt)
        kept = self._cache.get(key)
        if kept is not None:
            with suppress(Garbled):  # kept by somebody who read it otherwise
                return read(kept)
        said, answer = self._answered(system, prompt, schema, read)
        self._cache.put(key, said)
        return answer

    def _answered(
        self, system: str, prompt: str, schema: Mapping[str, Any], read: Callable[[str], Answer]
    ) -> tuple[str, Answer]:
        retries = self._retries
        asked, failure, wait = prompt, "", 0.0
        for attempt in range(retries.attempts):
            if attempt:
                retries.sleep(wait)
            wait = min(retries.longest_wait, retries.first_wait * 2**attempt)
            try:
                reply = self._meter.ask(self._chat, system, asked, schema=schema)
                return reply.text, read(reply.text)
            except Garbled as garbled:
                failure = f"{self.name} answered, but {garbled}"
                asked = (
                    f"{prompt}\n\nYour answer before could not be read: {garbled}. Answer with the JSON object only."
                )
            except Passing as passing:
                failure = str(passing)
                if passing.wait is not None and passing.wait > retries.longest_wait:
                    raise ModelUnreachable(f"{failure} It asks to wait {passing.wait:,.0f} seconds.") from passing
                wait = wait if passing.wait is None else passing.wait
        raise ModelUnreachable(f"{self.name} was asked {retries.attempts} times in vain; the last time: {failure}")
