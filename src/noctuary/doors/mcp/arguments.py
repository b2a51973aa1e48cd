"""What a model passes to a tool: anything may come, and what cannot be used is answered with the right form.

A model reads the answer and tries again, so a sentence that names the right form is worth more than a code.  Numbers
out of bounds are brought within them; numbers in quotes and single values in place of lists are understood.
"""

import re
from collections.abc import Collection, Mapping, Sequence

from noctuary.errors import BadInput
from noctuary.text import clean

_LONGEST_QUOTED = 60
_HUGE = 10**30
_PLAIN = (str, int, float, bool)


class Arguments:
    """The arguments of one call."""

    def __init__(self, tool: str, given: Mapping[str, object] | None, known: Collection[str]) -> None:
        """BadInput if there is one that the tool does not have."""
        self.tool = tool
        self._given = {name: value for name, value in (given or {}).items() if value is not None and value != ""}
        if unknown := sorted(self._given.keys() - set(known)):
            raise BadInput(f"{tool} has no argument {_quoted(unknown[0])}; it has {', '.join(known)}.")

    def has(self, name: str) -> bool:
        """Whether it was given."""
        return name in self._given

    def text(self, name: str, default: str = "") -> str:
        """A text, without what no database can hold."""
        value = self._given.get(name, default)
        if isinstance(value, bool) or not isinstance(value, str | int | float) or _is_huge(value):
            raise self._wrong(name, "a text")
        return clean(str(value)).strip()

    def needed(self, name: str, why: str) -> str:
        """A text that must be there; `why` says what it is."""
        words = self.text(name)
        if not words:
            raise BadInput(f"{self.tool} needs {name}: {why}.")
        return words

    def number(self, name: str, default: int, least: int, most: int) -> int:
        """A whole number, brought within its bounds."""
        value = self._given.get(name, default)
        if isinstance(value, str) and re.fullmatch(r"\s*-?[0-9]{1,18}\s*", value):
            value = int(value)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int):
            raise self._wrong(name, f"a whole number from {least} to {most}")
        return max(least, min(value, most))

    def one_of(self, name: str, choices: Sequence[str], default: str | None = None) -> str:
        """One of these words, or the default; without a default it must be given."""
        value = self._given.get(name, default)
        if isinstance(value, str) and (word := value.strip().lower()) in (*choices, default):
            return word
        instead = f", not {_quoted(value)}" if value is not None else ""
        raise BadInput(f"{name} of {self.tool} is one of {', '.join(choices)}{instead}.")

    def names(self, name: str) -> list[str]:
        """A list of texts; a single one is a list, too."""
        value = self._given.get(name, [])
        values = [value] if isinstance(value, str) else value
        if not isinstance(values, list) or not all(isinstance(each, str) for each in values):
            raise self._wrong(name, 'a list of texts, such as ["a", "b"]')
        return [clean(each).strip() for each in values if each.strip()]

    def _wrong(self, name: str, form: str) -> BadInput:
        return BadInput(f"{name} of {self.tool} is {form}, not {_quoted(self._given.get(name))}.")


def _is_huge(value: object) -> bool:
    """Whether Python would refuse to write the number down."""
    return isinstance(value, int) and abs(value) > _HUGE


def _quoted(value: object) -> str:
    told = "a huge number" if _is_huge(value) else repr(value) if isinstance(value, _PLAIN) else _kind(value)
    return told if len(told) <= _LONGEST_QUOTED else f"{told[:_LONGEST_QUOTED]}…"


def _kind(value: object) -> str:
    return "a list" if isinstance(value, list) else "an object"
