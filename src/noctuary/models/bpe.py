"""Byte-pair encoding as Llama's tokenizer.json files have it: no words, spaces are a letter, bytes for the rest.

A text is one long row of characters in which pairs are merged, the most frequent first.  Nothing merges at a place
between two characters that meet in no merge at all; so the text can be cut there, and what its parts become can be
kept.  The ids are those that the `tokenizers` library gives.
"""

import heapq
import re
from typing import Any, NamedTuple

MOST_KEPT = 200_000  # parts
SPACE = "▁"
_MEETING = re.compile(". .", re.DOTALL)  # the end of one token and the beginning of the other, in a merge


class Replacement(NamedTuple):
    """A step of the normalizer: text for other text, or text put before."""

    old: str | None  # None is the beginning
    new: str


class Bpe:
    """Merges the characters of a text into the tokens of a vocabulary."""

    def __init__(
        self,
        vocabulary: dict[str, int],
        merges: list[str],
        *,
        unknown: int | None,
        fuse_unknown: bool,
        byte_fallback: bool,
        steps: list[Replacement],
        most_kept: int = MOST_KEPT,
    ) -> None:
        self._vocabulary = vocabulary
        self._ranks = {merge: rank for rank, merge in enumerate(merges)}
        self._unknown = unknown
        self._fuse_unknown = fuse_unknown
        self._bytes = _byte_tokens(vocabulary) if byte_fallback else {}
        self._steps = steps
        self._most_kept = most_kept
        self._meeting = set(_MEETING.findall("\n".join(merges)))
        is_inside = any(pair[2] == SPACE != pair[0] for pair in self._meeting)  # a space after a letter of its token
        self._part = re.compile(r".+" if is_inside else f"{SPACE}+[^{SPACE}]*|[^{SPACE}]+", re.DOTALL)
        self._kept: dict[str, list[int]] = {}

    def ids(self, text: str) -> list[int]:
        """The tokens of the text."""
        found: list[int] = []
        kept = self._kept
        for part in self._part.findall(self._normalized(text)):
            tokens = kept.get(part)
            if tokens is None:
                tokens = self._keep(part)
            found += tokens
        return self._fused(found) if self._fuse_unknown and self._unknown in found else found

    def _normalized(self, text: str) -> str:
        for old, new in self._steps:
            if old is not None:
                text = text.replace(old, new)
            elif text:
                text = new + text
        return text

    def _keep(self, part: str) -> list[int]:
        if len(self._kept) >= self._most_kept:
            self._kept.clear()
        tokens: list[int] = []
        for piece in self._cut(part):
            if piece not in self._kept:
                self._kept[piece] = self._merged(piece)
            tokens += self._kept[piece]
        self._kept[part] = tokens
        return tokens

    def _cut(self, part: str) -> list[str]:
        """The part cut wherever nothing can merge."""
        meeting = self._meeting
        ends = [end for end in range(1, len(part)) if f"{part[end - 1]} {part[end]}" not in meeting]
        return [part[start:end] for start, end in zip([0, *ends], [*ends, len(part)], strict=True)]

    def _merged(self, piece: str) -> list[int]:
        """Merge the pair of the lowest rank, the leftmost of several, until none is left."""
        symbols: list[str] = list(piece)  # "" where one was merged into that before it
        following = list(range(1, len(symbols) + 1))
        previous = list(range(-1, len(symbols)))
        ranks = self._ranks
        heap: list[tuple[int, int, str]] = []

        def note(left: int) -> None:
            right = following[left]
            if right < len(symbols):
                pair = f"{symbols[left]} {symbols[right]}"
                rank = ranks.get(pair)
                if rank is not None:
                    heapq.heappush(heap, (rank, left, pair))

        for left in range(len(symbols) - 1):
            note(left)
        while heap:
            _, left, pair = heapq.heappop(heap)
            right = following[left]
            if not symbols[left] or right >= len(symbols) or pair != f"{symbols[left]} {symbols[right]}":
                continue  # one of them was merged meanwhile
            symbols[left] += symbols[right]
            symbols[right] = ""
            following[left] = following[right]
            previous[following[right]] = left
            if previous[left] >= 0:
                note(previous[left])
            note(left)
        return [token for symbol in symbols if symbol for token in self._tokens(symbol)]

    def _tokens(self, symbol: str) -> list[int]:
        known = self._vocabulary.get(symbol)
        if known is not None:
            return [known]
        encoded = symbol.encode("utf-8")
        if all(byte in self._bytes for byte in encoded):
            return [self._bytes[byte] for byte in encoded]
        return [] if self._unknown is None else [self._unknown]

    def _fused(self, tokens: list[int]) -> list[int]:
        """Unknown tokens in a row are one."""
        before = [None, *tokens]
        unknown = self._unknown
        return [token for last, token in zip(before, tokens, strict=False) if token != unknown or last != unknown]


def _byte_tokens(vocabulary: dict[str, int]) -> dict[int, int]:
    named = {byte: f"<0x{byte:02X}>" for byte in range(256)}
    return {byte: vocabulary[name] for byte, name in named.items() if name in vocabulary}


def bpe_from(model: dict[str, Any], steps: list[Replacement]) -> Bpe:
    """The encoding that a tokenizer.json describes; KeyError, TypeError or ValueError if it does not."""
    strange = ("dropout", "continuing_subword_prefix", "end_of_word_suffix", "ignore_merges")
    if any(model.get(name) for name in strange):
        raise ValueError(f"it is of another kind: {', '.join(name for name in strange if model.get(name))}")
    vocabulary = dict(model["vocab"])
    merges = model["merges"]
    return Bpe(
        vocabulary,
        [merge if isinstance(merge, str) else " ".join(merge) for merge in merges],
        unknown=vocabulary.get(model.get("unk_token")),
        fuse_unknown=bool(model.get("fuse_unk")),
        byte_fallback=bool(model.get("byte_fallback")),
        steps=steps,
    )
