"""Characters that nobody sees: what a terminal would obey, what turns the direction of text, and what hides words.

A text of somebody else is shown without them.  Selectors of variants and tags can spell whole sentences that only a
model reads; the two selectors that choose between an emoji and a sign stay.
"""

# C0 but for tab and newline, DEL and C1; soft hyphen and joiners; marks of direction; selectors and tags.
_RANGES = (
    *((0x00, 0x08), (0x0B, 0x1F), (0x7F, 0x9F), (0xAD, 0xAD), (0x034F, 0x034F), (0x061C, 0x061C), (0x180B, 0x180F)),
    *((0x200B, 0x200F), (0x2028, 0x202E), (0x2060, 0x206F), (0xFE00, 0xFE0D), (0xFEFF, 0xFEFF), (0xFFF9, 0xFFFB)),
    *((0xE0000, 0xE007F), (0xE0100, 0xE01EF)),
)
CODES = tuple(code for first, last in _RANGES for code in range(first, last + 1))
_NOTHING = dict.fromkeys(CODES)
_CHARACTERS = frozenset(map(chr, CODES))


def has_unseen(text: str) -> bool:
    """Whether there are any; far quicker than to translate a text that has none, as most have."""
    return not (text.isascii() and text.isprintable()) and not _CHARACTERS.isdisjoint(text)


def seen(text: str) -> str:
    """The text without them; lines and tabs stay."""
    return text.translate(_NOTHING) if has_unseen(text) else text
