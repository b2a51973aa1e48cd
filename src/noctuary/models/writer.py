"""What everything that words memories anew promises."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from noctuary.proposals import Spent


class Worded(NamedTuple):
    """A memory as it is worded now, and the words of others that it rests on."""

    id: str
    text: str
    quotes: Sequence[str] = ()


class Reworded(NamedTuple):
    """New wordings by id, all of them checked; what is not among them stays as it is."""

    texts: Mapping[str, str]
    spent: Spent = Spent()


class Refused(NamedTuple):
    """The new wordings cannot be taken, none of them: the old ones stay."""

    why: str
    spent: Spent = Spent()


class Writer(Protocol):
    """Words memories more clearly, adding nothing and losing nothing; raises only `ModelError`s."""

    name: str  # of the backend and its model, for reports

    def reword(self, entries: Sequence[Worded]) -> Reworded | Refused:
        """Better wordings of these memories."""
        ...
