"""A page is read, laid out and replaced; what somebody edits in between is not lost, but all is done again."""

from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from noctuary.errors import PageEdited

_MOST_TRIED = 3  # no more than generations of a page are known: an edit is compared with the one that it is of
_Written = TypeVar("_Written")


def until_unedited(write: Callable[[], _Written]) -> _Written:
    """Do all of it, from reading on, again if a block was edited meanwhile; PageEdited if that does not end."""
    for _ in range(_MOST_TRIED - 1):
        with suppress(PageEdited):
            return write()
    return write()
