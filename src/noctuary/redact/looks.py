"""One look at a text for the words of many families.

To look for a word takes ten times as long as for a character, and there are fifty of them; nearly all texts have none.
So words that have a rare character in common share a pattern that begins with it, and only where that finds one of
them each is looked for.  What is opened is what would be without this.
"""

import re
from collections.abc import Callable, Iterable, Iterator

from noctuary.redact.tokens import Family, Finder

# Characters by which words are looked up, the first that a word has: rarer ones first, but such that many share one.
_RARE = 'zJKPSTU2$/]<={(_"kwpglum'
Look = tuple[
    str, Callable[[str], object], tuple[Family, ...]
]  # a character, what must match, and whose words these are


def looks_for(families: Iterable[Family]) -> tuple[Look, ...]:
    """The families behind as few looks as can be; one whose word has no rare character has its own."""
    shared: dict[str, list[Family]] = {}
    alone: list[Look] = []
    for family in families:
        trigger, gate, _ = family
        rare = next((character for character in _RARE if character in trigger), None)
        if len(trigger) > 1 and rare is not None:
            shared.setdefault(rare, []).append(family)
        else:
            alone.append((trigger, gate, (family,)))
    return (*alone, *((rare, _any_of(rare, group), tuple(group)) for rare, group in shared.items()))


def opened(looks: Iterable[Look], text: str) -> Iterator[Finder]:
    """What finds something in a text, perhaps: of each family whose word is there and whose gate matches."""
    for character, look, families in looks:
        if character in text and look(text):
            for trigger, gate, find in families:
                if trigger in text and gate(text):
                    yield find


def _any_of(rare: str, families: Iterable[Family]) -> Callable[[str], object]:
    """Whether one of their words is in a text: the character, what follows it in the word, and what stands before."""
    ways = []
    for word in dict.fromkeys(trigger for trigger, _, _ in families):
        before, _, behind = word.partition(rare)
        ways.append(re.escape(behind) + (f"(?<={re.escape(word)})" if before else ""))
    return re.compile(f"{re.escape(rare)}(?:{'|'.join(ways)})").search
