"""Whether a text can hold a secret at all: most that people and agents write cannot, and to see that must cost little.

A secret has a word of letters and digits, many digits, or sixteen letters; or it stands where only values stand: behind
`=`, in a tag, in quotes behind a colon or as SQL has them, in an address before the host, behind an option of a command
or a scheme of authorization; or it is a phrase of twelve words.  All rules look at what passes, so nothing is found
here, and what is let through in vain costs only time.
"""

import re

# Every digit is a 0, every letter an a, and what may stand between them within a word a dash or a plus.
_BETWEEN_WORDS, _WITHIN_NAMES = " \t\r\n\"'`", "-.,/"


def _sort(byte: int) -> str:
    character = chr(byte)
    if byte > 127 or character.isalpha():
        return "a"
    if character.isdigit():
        return "0"
    return " " if character in _BETWEEN_WORDS else "-" if character in _WITHIN_NAMES else "+"


_SORTS = bytes(ord(_sort(byte)) for byte in range(256))
_MIXED = re.compile(rb"0(?:[-+]{0,2}+a|(?<=[-+a]0)(?:(?<=a0)|(?<=a[-+]0)|(?<=a[-+]{2}0))|00000)")
_LONG = b"a" * 16  # letters alone, as one key in thirty of AWS has them
_SHORTEST = 6  # characters of such a word: 3pm, 1st and B12 are none
_COUNTED = re.compile(rb"(?:0{1,4}-)*0{1,4}(?:-a+(?:-a+)*|a{1,3}(?:-a+)?)|a+-0")  # 30-minute, 24-70mm, omega-3
_BEHIND_A_COLON = re.compile(
    r""":[ \t>=*]{0,9}+(?:!\S{1,30}[ ]|[rbfu]?\\{0,7}["'`]|&quot;|&\#3"""
    r"|[bBtTdDaA](?i:earer|asic|oken|igest|pikey)[ ]|SSWS[ ]|OAuth[ ]|Bot[ ]|[a-z]{3,8}+(?:[ ][a-z]{3,8}+){11})"
)
_NUMERALS = "¹²³⁰-⁹₀-₉፩-፱①-⑨⑴-⑼⒈-⒐⓪⓵-⓽⓿❶-❾➀-➈➊-➒"  # which str.isdigit takes for digits, and a pattern does not
_FOREIGN_DIGIT = re.compile(
    rf""":[ \t>=*]{{0,9}}[^\s"'`,;&<>(){{}}\[\]|\\\d{_NUMERALS}]{{0,96}}+[\d{_NUMERALS}](?<![0-9])"""
)
_OPTION = re.compile(
    r"-(?:-(?=[a-z])[a-z0-9-]{0,30}(?:passw|passph|token|secret|key|user|value|string|cookie|command)"
    r"|(?<=[ ]-)(?:[aAbkpPSuUwX][ ]?[^\s-]|passin|[a-z]{3,10}pass[ ])|(?<=\w-)(?=[\w-]{16})|AsPlain)"
)

_GIVEN_IN_SQL = re.compile(r"""["'](?<=(?:BY|by|RD|rd)[ (]["'])""")  # identified by '…', password '…'
_SAID_BEFORE = ("add-mask", "net use ")  # what words as any other are values behind


def has_mixed_word(text: str) -> bool:
    """Whether there is a word of letters and digits, one of six digits, or a long one; seen at the speed of memchr."""
    sorts = text.encode("utf-8", "replace").translate(_SORTS)
    if _LONG in sorts:
        return True
    for match in _MIXED.finditer(sorts):
        start, end = sorts.rfind(b" ", 0, match.start()) + 1, sorts.find(b" ", match.start())
        word = sorts[start : end if end >= 0 else None].strip(b"-+")
        if len(word) >= _SHORTEST and not _COUNTED.fullmatch(word):
            return True
    return False


def has_place_of_value(text: str) -> bool:
    """Whether a value could stand somewhere in a text, be it a word as any other."""
    return (
        "=" in text
        or "_" in text
        or ("<" in text and "</" in text)
        or (":" in text and _BEHIND_A_COLON.search(text) is not None)
        or (not text.isascii() and _FOREIGN_DIGIT.search(text) is not None)
        or ("-" in text and _OPTION.search(text) is not None)
        or ("@" in text and "://" in text)
        or (("'" in text or '"' in text) and _GIVEN_IN_SQL.search(text) is not None)
        or any(map(text.__contains__, _SAID_BEFORE))
    )
