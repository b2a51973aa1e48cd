"""Answers that were paid for, kept until what they were asked for is done."""

from typing import Protocol

from noctuary.digests import digest

_KEY_BYTES = 16


class ChunkCache(Protocol):
    """Keeps answers by key, so that a second attempt asks only for what is missing."""

    def get(self, key: str) -> str | None:
        """The answer; None if there is none."""
        ...

    def put(self, key: str, answer: str) -> None:
        """Keep the answer."""
        ...


class InMemoryCache:
    """Keeps answers as long as the process lives."""

    def __init__(self) -> None:
        self._answers: dict[str, str] = {}

    def get(self, key: str) -> str | None:
        """The answer; None if there is none."""
        return self._answers.get(key)

    def put(self, key: str, answer: str) -> None:
        """Keep the answer."""
        self._answers[key] = answer


def key_of(*parts: str) -> str:
    """The key of a question: the same model and the same words have the same one."""
    joined = "\0".join(f"{len(part)} {part}" for part in parts)
    return digest(joined.encode("utf-8", "surrogatepass"), size=_KEY_BYTES).hex()
