"""Long words of chance beside a word that says what they are: `try token x9…`, `my api key: x9…`, `x9…  # secret`.

Forms and keys are known of what many have met; this finds the rest.  A word of chance has capitals, small letters and
digits in turn, as no name has; hashes and ids have not, and count only right behind what names a secret.
"""

import re
from collections.abc import Iterator

from noctuary.redact.tokens import Span
from noctuary.redact.values import changes, is_filler, is_scrambled

UNNAMED = "random"  # the kind of a secret of which only this is known
_SHORTEST, _LONGEST = 20, 2_048
_RUN = b"w" * _SHORTEST
_BYTES = bytes(ord("w" if chr(b).isalnum() or chr(b) in "_-+/" else " ") if b < 128 else ord(" ") for b in range(256))
_WHOLE = re.compile(rb"w+")
_BEFORE, _BETWEEN, _MOST_WORDS, _BEHIND = 100, 40, 4, 60  # characters, and words between a cue and what it is for
_NAMES_ONE = r"passw|passphrase|pwd|secret|token|credential|api[-_ ]?key"
_ABROAD = (  # a key or a token in other languages; what it is a key of may stand before it
    r"(?:schlüssel|clé|chiave|chave|clave|klucz|sleutel|anahtar|nyckel|nøgle|nøkkel|avain|kulcs|klíč|jeton"
    r"|ключ|токен|密[钥鑰]|金鑰|キー|トークン|키|토큰)(?:(?:[ ]de|[ ]d['’])?[ ]?api)?\w{0,4}"
)
_CUE = re.compile(
    rf"{_NAMES_ONE}|{_ABROAD}|(?<![a-z])key(?![a-z])|(?-i:[a-z]Key\b)|(?-i:\bPAT\b)|auth(?!or)|session|cookie|bearer",
    re.IGNORECASE,
)
_OF = r"(?:[ ]?(?:for|of|to|de|do|da|di|del|von|van|voor|für|för|til|pro|для|от|до)[ ][^\n:=.,;!?\"'`]{1,30}?)"
_KEY_OF_SOMEBODY = (  # by a name; what is said of the keys of stores and locks says nothing
    r"(?:with|use|using)[ ](?:this[ ]|the[ ])?key|key[ ](?:[a-z]{1,5}[ ]){0,2}for[ ](?-i:[A-Z])[\w.]{1,20}"
    r"|(?-i:(?!The|This|That|My|Our|Its|Each|Any|Cache|Redis|Object|Row|Sort|Lock|Group)[A-Z][\w.]{1,20}[ ]key)"
)
_STRONG = re.compile(
    rf"(?:{_NAMES_ONE}|{_ABROAD}|{_KEY_OF_SOMEBODY}"
    r"|(?:app|access|secret|master|license|signing|deploy|account|service|client|encryption)[-_ ]key"
    r"|\blogin|authorization:[ ]\w[\w-]{2,24})[\w-]{0,16}[\"'`)\]]{0,2}[ ]{0,2}"
    rf"(?:{_OF}|[ ](?-i:[A-Z])[\w.]{{1,20}})?[ ]{{0,2}}(?:\((?:hex|base64|raw)\)[ ]?)?"
    r"(?:[:=,—–→]|is|was|ist|lautet|est|es|è|é|är|er|je|to"
    r"|[.,][ ](?:it|that)['’]s|->|<-|=>|\?|(?:content|value)=|は|是|는|은)?"
    r"[ ]{0,2}:?[ ]{0,2}[\"'`(]{0,2}\Z",
    re.IGNORECASE,
)
# Of all that is looked for before a word.
_HINTS = ("pass", "pwd", "secret", "token", "credential", "key", "auth", "session", "cookie", "bearer", "login", "otp",
          "2fa", "mfa", " pat ",
          "api", "jeton", "sleutel", "schlüssel", "клю", "密", "キー", "키")  # fmt: skip
_CODED = re.compile(r"(?:[oO]tp|OTP|2fa|2FA|[mM]fa|MFA|[aA]uthenticator)(?![a-z])[^\n]{0,30}\Z")
_OTHER = re.compile(  # what such words are besides
    r"public|publishable|cache|integrity|sha-?\d|h1:|hash|checksum|digest|fingerprint|commit|etag|page[-_ ]?token"
    r"|cursor|continuation|base64,|idempotency|websocket|nonce|ssh-(?:rsa|ed|dss)|ecdsa-|certificate"
    r"|https?://[^\s?\#]*\Z|sync[-_ ]?token|(?:node|global|request|trace|file)[-_ ]?id\b|[<\"]li[ ]|unique|foreign"
    r"|correlation|routing|enc\[|primary|[-_ ]id[\"']?[:= ]{1,2}\Z",
    re.IGNORECASE,
)
_ISSUED = re.compile(
    r"(?:toolu|call|msg|req|chatcmpl|file|resp|run|evt|thread|asst|cus|sub|price|prod|acct|sha\d+)[-_]"
)
_SAID_BEHIND = re.compile(
    r"=?[\"'`);,\]]{0,4}[ ]{1,4}(?:\#|//|--|\(|←|<-|(?:is|as)[ ](?:the|my|our|your|an?)\b|WHERE\b|"
    r"(?:saved|stored|set|used|added|goes)[ ](?:for|as|in|into|to)\b)"
    rf"[^\n]{{0,40}}?(?:{_NAMES_ONE}|(?-i:[A-Z]_KEY\b))",
    re.IGNORECASE,
)
_NOTHING = re.compile(r"[\s\"'>|+-]*(?:\d{1,6}[\t→])?[\s\"'>|+-]*(?:s\.|string\(\d+\)[ ]\")?")
_MARGIN = r"[ \t>+|-]*(?:\d{1,6}[\t→])?[ \t]*"
_FENCE = re.compile(rf"\n(?:{_MARGIN}\n)?{_MARGIN}```\w{{0,12}}[ \t]*\r?\Z|\n\s*\Z")  # of code, or an empty line
_ASKED_FOR = re.compile(  # of a debugger or an interpreter, by the name of what it is
    r"(?:>>>|(?<![\w-])>|\(Pdb\+*\)|In[ ]\[\d+\]:)[ ][^\n]{0,80}"
    r"(?i:key|token|secret|password|credential)[\"'\])]{0,3}\Z"
)
_OPENED = (":", "|", ">", "-", "=", "(", " below", " here", " following")
_NAMED = re.compile(r"(?:[A-Z]?[a-z]{2,}+|[A-Z]{2,}+|[A-Z]?\d{1,4}+|[-_+/])++")  # as names of words are
_LESS = 0.3  # of the neighbours in a word that no name is are of another sort
_DIGIT = re.compile("[0-9]")
_WORD = re.compile(r"\w+")
# Of one case only, as hashes and ids are and some keys.
_HASHED = re.compile(
    r"(?=\D*\d\D*\d\D*\d)(?:[A-Za-z]{1,10}[-_]){0,3}"
    r"(?:[0-9a-z]{24,128}|[0-9A-Z]{24,128}|[0-9a-f]{32}(?:-[0-9a-f]{8}){2})"
    r"|(?:[a-z]{1,8}\d?-){0,2}[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
)
_BASE32 = re.compile(r"[A-Z2-7]{20,64}")


def nearby(text: str) -> Iterator[Span]:
    """Long words of chance that are said to be a secret on their line, or where the line before announces one."""
    sorts = text.encode("ascii", "replace").translate(_BYTES)  # one byte for each character, whatever it is
    end = 0
    while (at := sorts.find(_RUN, end)) >= 0:
        whole = _WHOLE.match(sorts, at)
        end = whole.end() if whole else at + _SHORTEST
        if end - at <= _LONGEST and (span := _judged(text, at, end)):
            yield span


def _judged(text: str, start: int, end: int) -> Span | None:
    if _DIGIT.search(text, start, end) is None:  # as most long words have none
        return None
    before, is_above = _line_before(text, start)
    small = before.lower()  # most words have nothing before them that could name a secret, which is quickly seen so
    if not any(map(small.__contains__, _HINTS)) and not _SAID_BEHIND.match(text, end, end + _BEHIND):
        return None
    value = text[start:end]
    is_hash = _HASHED.fullmatch(value) is not None
    is_coded = _BASE32.fullmatch(value) is not None
    if not (is_hash or is_coded or _is_chance(value)) or _ISSUED.match(value):
        return None
    if _OTHER.search(before):
        return None
    if is_hash or is_coded:
        is_secret = _STRONG.search(before) is not None or (is_above and _is_announced(before))
        is_secret = is_secret or (is_coded and _CODED.search(before) is not None)
    else:
        is_secret = _is_announced(before) or _SAID_BEHIND.match(text, end, end + _BEHIND) is not None
    if not is_secret or is_filler(value):
        return None
    return start, end + (len(padding) if (padding := text[end : end + 2].rstrip("\n")) in ("=", "==") else 0), UNNAMED


def _is_chance(value: str) -> bool:
    """Whether a word has all three sorts, in turn."""
    if value == value.lower() or value == value.upper() or not any(map(str.isdigit, value)):
        return False
    if value.count("/") > len(value) // 12:  # a path
        return False
    return is_scrambled(value) or (_NAMED.fullmatch(value) is None and changes(value) > _LESS * len(value))


def _line_before(text: str, start: int) -> tuple[str, bool]:
    """What stands before a word on its line; if nothing does, on the last above that announces something, and so."""
    line = text.rfind("\n", max(0, start - _BEFORE), start) + 1 or max(0, start - _BEFORE)
    before = text[line:start]
    if line > 0 and text[line - 1] == "\n" and _NOTHING.fullmatch(before):
        above = _FENCE.sub("", text[max(0, line - 1 - _BEFORE) : line - 1]).rstrip().rpartition("\n")[2]
        return (above, True) if above.endswith(_OPENED) or _ASKED_FOR.search(above) else ("", True)
    return before, False


def _is_announced(before: str) -> bool:
    cues = [*_CUE.finditer(before)]
    if not cues:
        return False
    between = before[cues[-1].end() :]
    return len(between) <= _BETWEEN and len(_WORD.findall(between)) <= _MOST_WORDS
