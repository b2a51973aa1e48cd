"""Secrets out, before anything is stored.

Every secret known becomes `[redacted:<kind>:<digest>]`, every `<private>` block `[private]`.  The promises:
the same secret has the same placeholder, the text around it stays, redacting twice changes nothing more,
clean text comes back as the very same object, and the time is linear in the text.

It runs on every message imported, so clean text must cost next to nothing.  Rules are in families that
share a character (the `_` of `ghp_…`, the `w` of a password's key).  A family's *gate* is a regex that begins
with it, which `re` finds nearly at the speed of memchr, and then looks around; only behind an open gate are
rules tried.  No regex begins with a choice of words, none looks for the word token without its `=` or `:`, or the words
that go on to say what it is.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from itertools import pairwise

from noctuary.token_forms import ANYWHERE, COLON, LONG_WORDS, TERM, TRAIT


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Where in a text a secret, or a private block, stands."""

    kind: str
    start: int
    end: int


PRIVATE = "private"
Span = tuple[int, int, str]
Finder = Callable[[str], Iterator[Span]]
Family = tuple[str, Callable[[str], object], Finder]  # what the text must contain, what must match, what then looks


def redact(text: str) -> str:
    """Return the text without its secrets; the same object if there are none."""
    # One secret may hide another.  Every round replaces what is no placeholder yet, so this ends.
    while found := findings(text):
        parts, done = [], 0
        for finding in found:
            parts += [text[done : finding.start], _placeholder(text, finding)]
            done = finding.end
        text = "".join([*parts, text[done:]])
    return text


def findings(text: str) -> list[Finding]:
    """Return the secrets and private blocks of a text in order, none overlapping another."""
    found: list[Span] = []
    colon = ":" in text
    pairs = "=" in text or (colon and _TOLD.search(text) is not None)
    long = _LONG_WORD in text.encode("utf-8", "replace").translate(_WORD_BYTES)
    for trigger, gate, finder in _FAMILIES[colon, pairs, long]:
        if trigger in text and gate(text):
            found += finder(text)
    if not found:
        return []
    if "[redacted:" in text or "[private]" in text:
        found = _outside_placeholders(text, found)
    return _merged(found)


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
            keep = kind if kind == PRIVATE or (last.kind in _GENERAL) else last.kind
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


# Things that stand where a secret would: variables, templates, paths, dates, hashes with their name.
_REFERENCE = re.compile(
    r"""\$[{(\[]|\$[A-Za-z_]\w*\Z|%[A-Za-z_]\w*%|%[sdr(]|\#?\{|<|\[|`
    |(?:os|process|sys|env|self|this|config|settings|secrets|vars?|args|options|opts|req|request|props|params
       |import|ctx|context|state|data|user|response|res|local)[.\[(:?]
    |(?:\.{0,2}|~)/(?:[\w.-]+/|[\w.-]+\.\w{1,5}\Z|[a-z]+\Z)|[A-Za-z]:\\|https?://|file:|sha\d{1,3}[-:=]
    |\d{4}-\d\d-\d\d|(?i:bearer|basic|none|null|nil|true|false|undefined)\b""",
    re.VERBOSE,
)
_BLANKED = re.compile(r"\.{3}|…|\*{3}|\$\{|\{\{|[xX]{4}|(.)\1{5}")
_FILLER = re.compile(
    r"change[-_ ]?(?:me|this|it)|example|placeholder|your|redacted|dummy|insert|replace|todo|fixme|fake|xxx"
    r"|sample|[-_]here|undefined|not[-_]?set|masked|\A(?:my|the|a|some|db|user|root)?[-_]?(?:pass(?:word|wd|wort)?|pwd"
    r"|secret|(?:auth[-_])?token|(?:api|secret)?[-_]?key|value|string|text|required|optional)s?[-_]?\d{0,3}\Z"
)
_CALL = re.compile(r"[A-Za-z_][\w.:>!-]*[(\[]")
_WORD = r"(?:[A-Za-z]+\d{0,2}|v?\d{1,4})"
_NAME = re.compile(rf"{_WORD}(?:(?:[-_./:]|->)+{_WORD})+[-_./:]*|[A-Za-z]+|(?:[A-Z][a-z]+\d{{0,2}})+")
_NUMBER = re.compile(r"[\d.,_:%+-]+[a-zA-Z]{0,3}")
_KEY_MATERIAL = re.compile(r"[A-Za-z0-9+/=]{20}")
_ABOUT = re.compile(r"(?i:passw|field|input|label|error|invalid|required|hint|must|kennwort|contrase)")


def _is_filler(value: str) -> bool:
    """Whether a value only stands in for a secret; its beginning tells."""
    value = value[:80]
    if _REFERENCE.match(value) or _BLANKED.search(value):
        return True
    # A real secret may spell EXAMPLE (AWS's own do); what people fill in does not mix cases and digits.
    if any(map(str.isdigit, value)) and not (value.islower() or value.isupper()):
        return False
    return _FILLER.search(value.lower()) is not None


def _is_mixed(value: str) -> bool:
    """Whether there are digits and letters, as in random text and not in words."""
    return any(map(str.isdigit, value)) and any(map(str.isalpha, value))


def _is_given(value: str) -> bool:
    """Whether what stands in the place of a password is one."""
    return not _is_filler(value) and not _CALL.match(value)


def _is_typed(value: str) -> bool:
    """Whether it was typed as a password, not as the next word of a sentence."""
    if not _is_given(value) or _NUMBER.fullmatch(value) or value.startswith("-"):
        return False
    return _is_mixed(value) if _NAME.fullmatch(value) is None else value.isalnum() and _is_mixed(value)


_TERM, _TRAIT = re.compile(TERM, re.IGNORECASE), re.compile(TRAIT, re.IGNORECASE)
_PARTS = re.compile(r"[-_./:]")
_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")


def _is_told(value: str) -> bool:
    """Whether somebody told a password in a sentence: it has letters, digits and signs that no name or term has."""
    if not _is_given(value) or _NUMBER.fullmatch(value) or value.startswith("-") or _MAIL.fullmatch(value):
        return False
    parts = _PARTS.split(value)
    if not _is_mixed(value) or any(map(_TERM.fullmatch, parts)):
        return False
    return len(parts) == 1 or not all(part.isalnum() for part in parts if part)


def _is_named(value: str) -> bool:
    """Whether a password of words and digits with dashes between them was told, and not the name of something."""
    if value.isdigit():
        return True
    parts = re.split("[-_]", value)
    if not _is_given(value) or not _is_mixed(value) or len(parts) < 2 or not all(map(str.isalnum, parts)):
        return False
    if any(_TERM.fullmatch(part) for part in (*parts[:-1], "".join(parts))) or any(map(_TRAIT.fullmatch, parts)):
        return False
    return re.fullmatch(r"v\d+|\d", parts[-1]) is None


def _is_coded(value: str) -> bool:
    """Whether a key or token was told in a sentence: digits stand among its letters, as in no name and no term."""
    if len(value) < 8 or not _is_given(value) or not _is_mixed(value) or _MAIL.fullmatch(value):
        return False
    is_term = all(re.fullmatch(r"[A-Za-z]*\d{0,4}|\d{1,4}[A-Za-z]*", part) for part in _PARTS.split(value))
    return not is_term and not _NUMBER.fullmatch(value) and (sum(map(str.isdigit, value)) > 2 or _is_scrambled(value))


def _is_quoted_secret(value: str, kind: str, *, env: bool) -> bool:
    if len(value) < (6 if env else 8) or _is_filler(value):
        return False
    if kind == "authorization":
        return _is_mixed(value)
    if kind == "password":
        return env or value.isdigit() or (value.isascii() and not _ABOUT.search(value))
    return not _NUMBER.fullmatch(value) and (env or (_NAME.fullmatch(value) is None and _is_mixed(value)))


def _is_scrambled(value: str) -> bool:
    """Whether capitals, small letters and digits alternate as in random text; a name of words has long runs."""
    sorts = [(c.isupper(), c.isdigit()) for c in value]
    changes = sum(one != other for one, other in pairwise(sorts))
    return len(value) >= 20 and changes > 0.4 * len(value)


def _is_bare_secret(value: str, kind: str, *, code: bool) -> bool:
    """Whether an unquoted value is one; in code after `= ` names of variables stand there too."""
    if len(value) < 8 or not _is_given(value) or _NUMBER.fullmatch(value) or not _is_mixed(value):
        return False
    if kind == "password" and not code:
        return not re.fullmatch(r"(?:[A-Z][a-z]+\d*)+|[a-z]+(?:[-_./:][a-z0-9]+)+", value)
    if re.fullmatch(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+" + r"|[A-Za-z_]\w{0,19}" * code, value):
        return False
    return _NAME.fullmatch(value) is None and (sum(map(str.isdigit, value)) > 2 or _is_scrambled(value))


def _tokens(table: str) -> Family:
    """Make a family of a table; a backslash at the end of a line joins it to the next."""
    lines = [line.split(maxsplit=2) for line in table.strip().replace("\\\n", "").split("\n")]
    (_, trigger, gate), *rows = lines
    rules = [(kind, _CHECKS[check], re.compile(pattern, re.ASCII)) for kind, check, pattern in rows]

    def find(text: str) -> Iterator[Span]:
        for kind, check, pattern in rules:
            for match in pattern.finditer(text):
                start, end = match.span(match.lastindex or 0)
                # A token does not start within a word; the n of a literal "\n" is none.
                joined = not match.lastindex and start > 0 and text[start - 1 : start + 1].isalnum()
                if check(text[start:end]) and not (joined and text[max(0, start - 2)] != "\\"):
                    yield start, end, kind

    return trigger, re.compile(gate, re.ASCII).search, find


_CHECKS: dict[str, Callable[[str], object]] = {
    "-": bool,
    "mixed": lambda value: _is_mixed(value) or value != value.lower(),  # 4 % of short bodies lack digits
    "random": lambda value: _is_mixed(value) and not value.islower() and not value.isupper(),
    "key": _KEY_MATERIAL.search,
    "given": _is_given,
    "typed": _is_typed,
    "told": _is_told,
    "named": _is_named,
    "coded": _is_coded,
}

# A key is found by one letter of its word, the rest of the word around that, and a separator further on.
_TYPE = r"(?::[ ]?(?:&?(?:'static )?str|string|String|bytes|SecretStr|str \| None)[ ]{0,4}(?==))?"
_UNTIL = rf"""[\w-]{{0,24}}\\?["'`]?\]?[ \t]{{0,24}}{_TYPE}([:=])"""
_KEY_HINTS = (
    rf"k(?<=[a-z_-]k)(?=e[ny]|ie)(?=..{_UNTIL})",
    rf"K(?=(?:ey|EY|EN|IE){_UNTIL})",
    rf"w(?<=[sp]w)(?=(?:or)?[dt]{_UNTIL})",
    rf"W(?=(?:OR)?D{_UNTIL})",
    rf"c(?=re(?:t|dential){_UNTIL})",
    rf"C(?=(?:redential|RET|REDENTIAL){_UNTIL})",
    rf"_(?=(?:pass|PASS|auth|AUTH){_UNTIL})",
    rf"z(?=ation{_UNTIL})",
    rf"ñ(?=a{_UNTIL})",
    r"&(?=(?:sig|Signature|X-(?:Amz|Goog)-Signature)(=))",
)
_KEY = re.compile(
    r"""(?:(?P<aws_secret_key>aws.{0,12}secret.{0,8}key|secret_?access_?key)
    |(?P<azure_key>account_?key|shared_?access_?(?:key|signature))|(?P<heroku_key>heroku[a-z_]{0,12}key)
    |(?P<twilio_token>twilio[a-z_]{0,12}token)|(?P<vercel_token>vercel[a-z_]{0,8}token)
    |(?P<password>passw(?:or[dt]|d)|contraseña|(?<![a-z])pwd|_pass)
    |(?P<authorization>authorization)|(?P<cookie>(?<![a-z])cookie)|(?P<signature>&[a-z-]*sig(?:nature)?)
    |(?P<api_key>(?:api|access|private|secret|encryption|signing|auth|master|service|admin|app|jwt|ssh)[-_]?key)
    |(?P<credential>credentials?)|(?P<secret>secrets?)|(?P<token>token|_auth))
    (?:[-_]?(?:prod|dev|staging|live|value|base|hash|digest|key|secret|password|token|old|new|v?\d{1,3}))*\Z""",
    re.VERBOSE,
)
_NOT_A_KEY = re.compile(
    r"(?:(?:\A|[-_.])(?:min|no|per|pad|sep|cls)"  # not the end of admin or developer
    r"|max|num|total|page|next|prev|[be]os|unk|mask|special|public|publishable|continuation|sync"
    r"|primary|foreign|sort|cache|partition|stop|reset|forgot|show|hide|input|output|completion)[-_.]?\Z"
)
_PUBLIC = re.compile(r"(?:public|publishable)[-_.]?\Z")  # all that a setting in capitals is excused by
_BACKWARDS = re.compile(r"[\w.&-]+")
_ANNOTATED = re.compile(_TYPE.replace("(?==))?", r")\Z"))
_ENV_NAME = re.compile(r"(?<![A-Za-z0-9_.-])[A-Z][A-Z0-9_]*\Z")
_SCHEME = r"(?:(?i:bearer|basic|token|digest|apikey)[ ]+)?"
_QUOTED = re.compile(rf""">?[ \t]{{0,8}}[rbfu]?(\\?["'`]){_SCHEME}((?:(?!\1)\S)+)(?=\1|\Z)""")
_PHRASE = re.compile(r"""(["'])(?=\S{1,64} )((?:(?!\1)[^\n]){8,256})\1""")
_BARE = re.compile(rf""">?[ \t]{{0,8}}{_SCHEME}([^\s"'`,;&<>(){{}}\[\]|\\]{{6,96}}+)(?![(\[{{])""")
_ENV = re.compile(r"""[^\s"'`\\]{6,96}+""")
_REST = re.compile(r"""[^\s"'`,;&<>(){}\[\]|\\]*+""")
_COOKIES = re.compile(r"""["'`]?[ ]{0,8}["'`]?([\w.-]{1,64}=[^\r\n"'`\\]{6,4096}+)""")


def _pairs(hint: str) -> Family:
    """Make a family of the values whose key says that they are secret."""
    pattern = re.compile(hint)

    def find(text: str) -> Iterator[Span]:
        done = 0
        for match in pattern.finditer(text):
            place = match.start(1)
            if place < done:
                continue
            before = text[max(0, place - 64) : place]
            typed = _ANNOTATED.search(before)
            key = (before[: typed.start()] if typed else before).rstrip(" \t").rstrip("]").rstrip("\"'`\\")
            # Backwards the last word is the first, and needs no search.
            word = _BACKWARDS.match(key[::-1])
            name = word[0][::-1].lower() if word else ""
            named = _KEY.search(name)
            env = before == key and _ENV_NAME.search(key) is not None
            if named is None or (_PUBLIC if env else _NOT_A_KEY).search(name, 0, named.start()):
                continue
            kind = (named.lastgroup or "secret").replace("_", "-")
            span = _value(text, place, kind, env=env)
            if span is not None:
                done = span[1]
                yield *span, kind

    return hint[0], pattern.search, find


def _value(text: str, place: int, kind: str, *, env: bool) -> tuple[int, int] | None:
    """Return where the secret after a separator stands, if one does."""
    after = place + 1
    if kind == "cookie":
        header = _COOKIES.match(text, after) if text[place] == ":" else None
        return header.span(1) if header else None
    if env and text[place] == "=" and (phrase := _PHRASE.match(text, after)):
        return phrase.span(2) if not _is_filler(phrase[2]) and not _ABOUT.search(phrase[2]) else None
    if quoted := _QUOTED.match(text, after):
        return quoted.span(2) if _is_quoted_secret(quoted[2], kind, env=env) else None
    if env and text[place] == "=" and (plain := _ENV.match(text, after)):
        start, value = after, plain[0].rstrip(",;)]}")
        good = len(value) > 5 and _is_given(value) and (kind == "password" or not _NUMBER.fullmatch(value))
    elif bare := _BARE.match(text, after):
        start, value = bare.start(1), bare[1].rstrip(".:")
        good = _is_bare_secret(value, kind, code=text[place : place + 2] == "= ")
    else:
        return None
    # A value is read only as far as it takes to judge it; this is the rest of a long one.
    rest = _REST.match(text, start + len(value)) if good and len(value) > 90 else None
    return (start, rest.end() if rest else start + len(value)) if good else None


# Keys and tokens that are known by their form alone are long words; most messages have none.
_LONG_WORD = b"w" * 16
_WORD_BYTES = bytes(
    ord("w" if chr(b).isalnum() or chr(b) in "_-" else " ") if b < 128 else ord(" ") for b in range(256)
)


# After a colon only what is quoted or has digits in it is taken for a secret; in prose other words follow.
_DIGITS = r"0-9\u0080-\U0010ffff"  # what str.isdigit takes for one, and all else beyond ASCII
_TOLD = re.compile(
    rf""":[ \t>]{{0,9}}(?:[^\s"'`,;&<>(){{}}\[\]|\\{_DIGITS}]{{0,96}}+[{_DIGITS}]|[rbfu]?\\?["'`]"""
    r"|[bBtTdDaA](?i:earer|asic|oken|igest|pikey)[ ])"
)


_ALWAYS: list[Family] = [("<", _PRIVATE_TAG.search, _private_blocks), *map(_tokens, ANYWHERE)]
_AFTER_A_COLON: list[Family] = [_tokens(COLON)]
_PAIRS: list[Family] = [*map(_pairs, _KEY_HINTS)]
_LONG_WORDS: list[Family] = [*map(_tokens, LONG_WORDS)]
_FAMILIES = {
    (colon, pairs, long): (
        *_ALWAYS,
        *(_AFTER_A_COLON if colon else ()),
        *(_PAIRS if pairs else ()),
        *(_LONG_WORDS if long else ()),
    )
    for colon in (False, True)
    for pairs in (False, True)
    for long in (False, True)
}
_GENERAL = {"password", "secret", "token", "api-key", "credential", "authorization", "cookie", "signature"}
