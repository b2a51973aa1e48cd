"""Cut a conversation on the borders of its messages into parts that a model reads at once."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from noctuary.models.asking.rendering import Shown

CHUNK_TOKENS = 24_000
_CONTEXT_TOKENS = 1_500  # of what came before, to be understood by


class Chunk(NamedTuple):
    """Messages that are read at once, and the last few before them, which were read and are not cited."""

    messages: Sequence[Shown]
    before: Sequence[Shown] = ()

    def halves(self) -> "tuple[Chunk, Chunk] | None":
        """The same in two parts; None if it is one message."""
        if len(self.messages) < 2:
            return None
        middle = len(self.messages) // 2
        first, second = self.messages[:middle], self.messages[middle:]
        return Chunk(first, self.before), Chunk(second, _last(first))


def chunks_of(messages: Sequence[Shown], before: Sequence[Shown], *, most: int = CHUNK_TOKENS) -> Iterator[Chunk]:
    """The messages in order, as many at once as have at most so many tokens; a longer one is alone."""
    part: list[Shown] = []
    context = _last(before)
    size = 0
    for message in messages:
        if part and size + message.tokens > most:
            yield Chunk(part, context)
            context = _last(part)
            part, size = [], 0
        part.append(message)
        size += message.tokens
    if part:
        yield Chunk(part, context)


def _last(messages: Sequence[Shown]) -> Sequence[Shown]:
    room = _CONTEXT_TOKENS
    start = len(messages)
    while start and room >= messages[start - 1].tokens:
        start -= 1
        room -= messages[start].tokens
    return messages[start:]
