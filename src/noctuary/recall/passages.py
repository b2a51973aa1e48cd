"""What of a conversation is given to an embedding model, and in what pieces.

An embedding model understands a paragraph best, and time spent on one is spent on every machine.  So a message is cut
at ends of sentences into passages, of which the first few are taken, by voice: more of what people say, one of what
tools print.  An answer seldom repeats what was asked, so what an agent says is preceded by how the prompt it answers
begins.  `docs/benchmarks.md` has the measurements behind these numbers.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from noctuary.store import keys

PASSAGE = 450  # characters
LONGER = 1.25  # times as long may a passage be if that spares a crumb at the end
MOST_PASSAGES = {
    keys.USER: 4,
    keys.ASSISTANT: 1,
    keys.THINKING: 1,
    keys.SUMMARY: 8,
    keys.CALL: 1,
    keys.OUTPUT: 1,
}
PROMPT = 150  # characters of the prompt that precede what an agent says
ANSWERS = {keys.ASSISTANT, keys.THINKING}
_ENDS = ("\n", ". ", "? ", "! ", "。", "？")


class Passage(NamedTuple):
    """A piece of a message, as a model is given it."""

    key: int
    text: str


def passages_of(messages: Iterable[tuple[int, str]], prompt: str = "") -> Iterator[Passage]:
    """The passages of messages in their order; `prompt` is what a person said last before them."""
    asked = _beginning(prompt)
    for key, text in messages:
        voice = keys.voice_in(key)
        if voice == keys.USER:
            asked = _beginning(text)
        before = f"{asked}\n" if asked and voice in ANSWERS else ""
        for piece in pieces(text, MOST_PASSAGES.get(voice, 0)):
            yield Passage(key, before + piece)


def _beginning(prompt: str) -> str:
    return " ".join(prompt.lstrip()[:PROMPT].split())


def pieces(text: str, most: int) -> list[str]:
    """The first pieces of a text and, if there are more, the last; cut at ends of sentences where there are any."""
    if most < 1:
        return []
    text = text.strip()
    found: list[str] = []
    while text:
        if len(found) == most - 1 > 0 and len(text) > PASSAGE * LONGER:
            text = text[-PASSAGE:]  # where an answer says what came of it
        end = len(text) if len(text) <= PASSAGE * LONGER else _cut(text)
        found.append(text[:end].strip())
        if len(found) == most:
            break
        text = text[end:].strip()
    return found


def _cut(text: str) -> int:
    """Where a passage may end: at a sentence, else at a word, else anywhere."""
    half = PASSAGE // 2
    best = max(text.rfind(end, half, PASSAGE) + len(end) for end in _ENDS)
    if best > half:
        return best
    space = text.rfind(" ", half, PASSAGE)
    return space + 1 if space > 0 else PASSAGE
