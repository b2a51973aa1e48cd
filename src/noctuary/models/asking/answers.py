"""Find the JSON in what a model answers: fenced or not, with talk around it or not."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from noctuary.errors import ModelDamaged

MOST_CHARACTERS = 400_000  # of an answer that is looked at
MOST_TRIES = 20  # places where the object may begin, half of them from each end
_DECODER = json.JSONDecoder()


class Garbled(ModelDamaged):
    """The answer is not the JSON that was asked for."""


def items_of(text: str, name: str) -> list[Mapping[str, Any]]:
    """The objects in the list of this name, in the last JSON object of the answer that has one; Garbled if none has.

    A bare list is taken as well.  What in the list is no object is given as an empty one.
    """
    if not text.strip():
        raise Garbled("the answer is empty")
    if len(text) > MOST_CHARACTERS:
        raise Garbled(f"the answer has {len(text):,} characters")
    lists = [found for value in _values(text, name) if (found := _list(value, name)) is not None]
    if not lists:
        raise Garbled(f'the answer has no JSON object with a list of "{name}"')
    return [item if isinstance(item, dict) else {} for item in lists[-1]]


def _list(value: object, name: str) -> list[Any] | None:
    if isinstance(value, list):  # notes are numbered so, too
        return value if all(isinstance(item, dict) for item in value) else None
    found = value.get(name) if isinstance(value, dict) else None
    return found if isinstance(found, list) else None


def _values(text: str, name: str) -> Iterator[object]:
    """JSON values that begin where one might: with the name, behind a fence, or first of all."""
    likely = re.compile(rf'\{{\s*"{name}"|(?<=```json)\s*[{{\[]|(?<=```)\s*[{{\[]')
    starts = [match.start() for match in likely.finditer(text)]
    starts += [place for place in (text.find("{"), text.find("[")) if place >= 0]
    places = sorted(set(starts))
    done = 0
    for start in [*places[: MOST_TRIES // 2], *places[MOST_TRIES // 2 :][-MOST_TRIES // 2 :]]:
        begin = start + len(text[start:]) - len(text[start:].lstrip())
        if begin < done:
            continue
        try:
            value, done = _DECODER.raw_decode(text, begin)
        except (ValueError, RecursionError):
            continue
        yield value
