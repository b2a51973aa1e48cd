"""Find secrets in a text, and put placeholders in their place.

Every secret known becomes `[redacted:<kind>:<digest>]`, every `<private>` block `[private]`.  The promises:
the same secret has the same placeholder, the text around it stays, redacting twice changes nothing more,
clean text comes back as the very same object, and the time is linear in the text.

It runs on every message imported, so clean text must cost next to nothing: most does not pass the `sieve`.  Rules for
what does are in families that share a character (the `_` of `ghp_…`, the `w` of a password's key).  Their *gate* is
a regex that begins with it, which `re` finds nearly at the speed of memchr, and then looks around; only behind an open
gate are rules tried.  No regex begins with a choice of words, none looks for the word token without its `=` or `:`, or
the words that go on to say what it is.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b

from noctuary.redact.columns import COLUMNS
from noctuary.redact.joined import joined, may_be_cut_at_an_end
from noctuary.redact.keys import PAIRS, may_have_pairs
from noctuary.redact.looks import Look, looks_for, opened
from noctuary.redact.nearby import UNNAMED, nearby
from noctuary.redact.places import CALLS, PLACES, may_have_calls, may_have_places, printed_secrets
from noctuary.redact.secret_tongues import IN_FOREIGN_LETTERS
from noctuary.redact.sieve import has_mixed_word, has_place_of_value
from noctuary.redact.token_forms import AFTER_A_COLON, ANYWHERE, LONG_WORDS, WITH_PAIRS
from noctuary.redact.tokens import Family, Span, family_of
from noctuary.redact.wrapped import end_behind_lines, wrapped


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Where in a text a secret, or a private block, stands."""

    kind: str
    start: int
    end: int


PRIVATE = "private"


def redact(text: str) -> str:
    """Return the text without its secrets; the same object if there are none."""
    # One secret may hide another.  Every round replaces what is no placeholder yet, so this ends.
    while found := findings(text):
        text = _replaced(text, found)
    return text


def redact_printed(text: str) -> str:
    """The same of what a command printed that prints secrets: also what stands alone on a line."""
    return redact(_replaced(text, _merged(_outside_placeholders(text, printed_secrets(text)))))


def _replaced(text: str, found: list[Finding]) -> str:
    parts, done = [], 0
    for finding in found:
        parts += [text[done : finding.start], _placeholder(text, finding)]
        done = finding.end
    return "".join([*parts, text[done:]]) if found else text


def findings(text: str) -> list[Finding]:
    """Return the secrets and private blocks of a text in order, none overlapping another."""
    is_mixed = has_mixed_word(text)
    if not is_mixed and not has_place_of_value(text):
        return _merged([*_private_blocks(text)]) if "<" in text and _PRIVATE_TAG.search(text) else []
    found = _found(text, is_mixed)
    if is_mixed and ("+" in text or "\x1b" in text or may_be_cut_at_an_end(text)) and (read := joined(text)):
        found += read.where(_found(read.text, is_mixed))
    if not found:
        return []
    if "[redacted:" in text or "[private]" in text:
        found = _outside_placeholders(text, found)
    return _merged(found)


def _found(text: str, is_mixed: bool) -> list[Span]:
    """What the rules find in a text, perhaps several times."""
    found: list[Span] = []
    calls = is_mixed and may_have_calls(text)
    places = calls or (is_mixed and may_have_places(text))
    for find in opened(_looks(":" in text, may_have_pairs(text), places, calls), text):
        found += find(text)
    if not text.isascii() and _FOREIGN_LETTER.search(text):
        for find in opened(_FOREIGN, text):
            found += find(text)
    if _LONG_WORD in text.encode("utf-8", "replace").translate(_WORD_BYTES):
        found += _formed(text)
        found += nearby(text)
    if "\n" in text:
        found = [(start, end_behind_lines(text, start, end), kind) for start, end, kind in found]
    return found


def _formed(text: str) -> list[Span]:
    """Keys and tokens that are known by their form; where one begins, a line may break it."""
    found: list[Span] = []
    is_open = False
    for find in opened(_FORMED_LOOKS, text):
        is_open = True
        found += find(text)
    if is_open and "\n" in text:
        found += wrapped(text, _FORMED)
    return found


def _placeholder(text: str, finding: Finding) -> str:
    if finding.kind == PRIVATE:
        return "[private]"
    secret = text[finding.start : finding.end].encode("utf-8", "surrogatepass")
    return f"[redacted:{finding.kind}:{blake2b(secret, digest_size=4).hexdigest()}]"


_PLACEHOLDER = re.compile(r"\[(?:redacted:[a-z0-9-]+:[0-9a-f]{8}|private)\]")


def _outside_placeholders(text: str, found: list[Span]) -> list[Span]:
    """Drop what begins or ends inside a placeholder: `password:ab12cd34` in one looks like a secret."""
    spans = [match.span() for match in _PLACEHOLDER.finditer(text)]
    starts = [start for start, _ in spans]

    def inside(place: int) -> bool:
        before = bisect_left(starts, place) - 1
        return before >= 0 and place < spans[before][1]

    whole = set(spans)
    return [each for each in found if not inside(each[0]) and not inside(each[1]) and each[:2] not in whole]


def _merged(found: list[Span]) -> list[Finding]:
    """Join what overlaps; the joint finding has the most specific of the kinds."""
    merged: list[Finding] = []
    for start, end, kind in sorted(found):
        last = merged[-1] if merged else None
        if last is None or start >= last.end:
            merged.append(Finding(kind=kind, start=start, end=end))
        else:
            is_better = kind == PRIVATE or (last.kind in _GENERAL and kind != UNNAMED)
            keep = kind if is_better else last.kind
            merged[-1] = Finding(kind=keep, start=last.start, end=max(end, last.end))
    return merged


_PRIVATE_TAG = re.compile(r"<(/?)[pP][rR][iI][vV][aA][tT][eE](?:\s[^<>]{0,400})?(?<!/)>")


def _private_blocks(text: str) -> Iterator[Span]:
    """Yield the outermost blocks; one that is not closed reaches to the end."""
    depth = start = 0
    for tag in _PRIVATE_TAG.finditer(text):
        if not tag[1]:
            start = start if depth else tag.start()
            depth += 1
        elif depth:
            depth -= 1
            if not depth:
                yield start, tag.end(), PRIVATE
    if depth:
        yield start, len(text), PRIVATE


# Keys and tokens that are known by their form alone are long words; most messages have none.
_LONG_WORD = b"w" * 16
_WORD_BYTES = bytes(
    ord("w" if chr(b).isalnum() or chr(b) in "_-" else " ") if b < 128 else ord(" ") for b in range(256)
)
_ALWAYS: list[Family] = [("<", _PRIVATE_TAG.search, _private_blocks), COLUMNS, *map(family_of, ANYWHERE)]
_AFTER_A_COLON: list[Family] = [*map(family_of, AFTER_A_COLON)]
_PAIRS: list[Family] = [*PAIRS, *map(family_of, WITH_PAIRS)]
_FOREIGN_LETTER = re.compile("[éèñłŁşпПр密口パ비öóậรסم]")  # of those words, or of what stands behind them
_FOREIGN = looks_for(map(family_of, IN_FOREIGN_LETTERS))
_FORMED: list[Family] = [*map(family_of, LONG_WORDS)]
_FORMED_LOOKS = looks_for(_FORMED)


@cache
def _looks(colon: bool, pairs: bool, places: bool, calls: bool) -> tuple[Look, ...]:
    """What to look for in a text with these or without; all together, for they share looks."""
    sorts = ((True, _ALWAYS), (colon, _AFTER_A_COLON), (pairs, _PAIRS), (places, PLACES), (calls, CALLS))
    return looks_for(family for is_there, families in sorts if is_there for family in families)


_GENERAL = {"password", "secret", "token", "api-key", "credential", "authorization", "cookie", "signature", UNNAMED}
