"""Whether what stands in the place of a secret is one: a value, and not a name, a term, a reference or a filler."""

import re
from base64 import b64decode
from binascii import Error as NotBase64
from collections.abc import Callable
from itertools import pairwise

# Things that stand where a secret would: variables, templates, paths, dates, hashes with their name.
_REFERENCE = re.compile(
    r"""\$[{(\[]|\$[A-Za-z_]\w*\Z|%[A-Za-z_]\w*%|%[sdr](?!\w)|%\(|\#?\{|<|\[|`
    |(?:os|process|sys|env|self|this|config|settings|secrets|vars?|args|options|opts|req|request|props|params
       |import|ctx|context|state|data|user|response|res|local)[.\[(:?]
    |(?:\.{0,2}|~)/(?:[\w.-]+/|[\w.-]+\.\w{1,5}\Z|[a-z]+\Z)|[A-Za-z]:\\|https?://|file:|sha\d{1,3}[-:=]
    |(?:arn|vault|env|ssm|secretsmanager|gcpsm|awssm|keyvault):|op://|ref\+|!(?:vault|secret|Ref|Sub|GetAtt|ImportValue|reference)\b|\((?:sensitive|hidden|secret|known|redacted|masked|none|empty)|\d{4}-\d\d-\d\d|(?i:bearer|basic|none|null|nil|true|false|undefined)\b""",
    re.VERBOSE,
)
_BLANKED = re.compile(r"\.{3}|…|\*{3}|\$\{|\{\{|[xX]{4}|(.)\1{5}")
_FILLER = re.compile(
    r"change[-_ ]?(?:me|this|it)|example|placeholder|your|redacted|dummy|insert|replace|todo|fixme|fake|xxx"
    r"|sample|[-_]here|\A(?:hidden|disabled|enabled|secretkeyref)\Z|undefined|not[-_]?set|masked|\A(?:my|the|a|some|db|user|root)?[-_]?(?:pass(?:word|wd|wort)?|pwd"
    r"|secret|(?:auth[-_])?token|(?:api|secret)?[-_]?key|value|string|text|required|optional)s?[-_]?\d{0,3}\Z"
)
_CALL = re.compile(r"[A-Za-z_][\w.:>!-]*[(\[]")
_WORD = r"(?:[A-Za-z]+\d{0,2}|v?\d{1,4})"
NAME = re.compile(rf"{_WORD}(?:(?:[-_./:]|->)+{_WORD})+[-_./:]*|[A-Za-z]+|(?:[A-Z][a-z]+\d{{0,2}})+")
_PLAIN_NAME = re.compile(rf"{NAME.pattern}|[A-Za-z]+\d{{0,3}}")
NUMBER = re.compile(r"[\d.,_:%+-]+[a-zA-Z]{0,3}")
ABOUT = re.compile(r"(?i:passw|field|input|label|error|invalid|required|hint|must|kennwort|contrase)")
_LONGEST_PART, _LONG = 30, 70
_KEY_MATERIAL = re.compile(r"[A-Za-z0-9+/=]{20}")
# What a sentence may say a password or a token to be, though it has digits, and what stands beside such words.
_TERM = re.compile(
    r"(?:sha|md|bcrypt|argon|scrypt|pbkdf|hmac|aes|rsa|utf|base|[hrep]s|oauth|ed|ipv|http|min|max|[vxp])\d{1,4}[a-z]{0,3}"
    r"|k8s|i18n|l10n|a11y|oauth|\d{1,4}[a-z]{0,12}",
    re.IGNORECASE,
)
_TRAIT = re.compile(
    r"(?:hash|encod|encrypt|sign|salt|sensit|based|only|compat|manag|able|char|bit|byte|digit|letter|word|level|protect"
    r"|derive|generat|side|like|style|safe|long|hex|url)\w*",
    re.IGNORECASE,
)
_PARTS = re.compile(r"[-_./:]")
_SIGNS = re.compile(r"\w[@!#$%^&*?~]\w")  # which stand within no term
_HASH_OR_ID = re.compile(r"(?:[a-z]{1,8}-){0,2}(?:[0-9a-f]{30,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})")
_PHRASE = re.compile(r"(?:[a-z]{3,12}-){3,7}[a-z]{3,12}")
_LINKING = {"the", "and", "for", "from", "not", "set", "with", "your", "use", "read", "env", "file", "vault", "secret"}
_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")


def is_filler(value: str) -> bool:
    """Whether a value only stands in for a secret; its beginning tells."""
    value = value[:80]
    if _BLANKED.search(value):
        return len(value) < _LONG or not is_scrambled(value[_LONGEST_PART:])  # keys of Twitter begin with many A
    if _REFERENCE.match(value):
        return not (len(value) > _LONGEST_PART and is_scrambled(value))  # a key may begin like a path
    # A real secret may spell EXAMPLE (AWS's own do); what people fill in does not mix cases and digits.
    if any(map(str.isdigit, value)) and not (value.islower() or value.isupper()):
        return False
    return _FILLER.search(value.lower()) is not None


def is_mixed(value: str) -> bool:
    """Whether there are digits and letters, as in random text and not in words."""
    return any(map(str.isdigit, value)) and any(map(str.isalpha, value))


def is_given(value: str) -> bool:
    """Whether what stands in the place of a password is one."""
    return not is_filler(value) and not _CALL.match(value)


def is_typed(value: str) -> bool:
    """Whether it was typed as a password, not as the next word of a sentence."""
    if not is_given(value) or NUMBER.fullmatch(value) or value.startswith("-"):
        return False
    return is_mixed(value) if NAME.fullmatch(value) is None else value.isalnum() and is_mixed(value)


def is_told(value: str) -> bool:
    """Whether somebody told a password in a sentence: it has letters, digits and signs that no name or term has."""
    if not is_given(value) or NUMBER.fullmatch(value) or value.startswith(("-", "#")) or _MAIL.fullmatch(value):
        return False
    parts = _PARTS.split(value)
    if is_mixed(value) and _SIGNS.search(value):
        return True
    if not is_mixed(value) or (any(map(_TERM.fullmatch, parts)) and not _begins_by_chance(value)):
        return False
    return len(parts) == 1 or not all(part.isalnum() for part in parts if part)


def _begins_by_chance(value: str) -> bool:
    """Whether capitals and small letters follow a digit in turn, as in no term: `9DEKZdgYMM`, and not `3DTouch`."""
    return value[0].isdigit() and len(value) > 7 and value.isalnum() and changes(value) > 2


def is_told_plainly(value: str) -> bool:
    """Whether a word right behind "password" is one: told, and of three sorts of characters, or with digits inside."""
    if len(value) < 6 or not is_told(value):
        return value.count("-") > 2 and (is_named(value) or is_phrase(value))
    sorts = (str.isdigit, str.isupper, str.islower, lambda c: not c.isalnum())
    return sum(any(map(sort, value)) for sort in sorts) > 2 or re.search(r"[a-z]\d+[a-z]|\d[a-z]+\d", value) is not None


def is_named(value: str) -> bool:
    """Whether a password of words and digits with dashes between them was told, and not the name of something."""
    if value.isdigit():
        return True
    parts = re.split("[-_]", value)
    if not is_given(value) or not is_mixed(value) or len(parts) < 2 or not all(map(str.isalnum, parts)):
        return False
    if any(_TERM.fullmatch(part) for part in (*parts[:-1], "".join(parts))) or any(map(_TRAIT.fullmatch, parts)):
        return len(parts) > 3 and not any(map(_TRAIT.fullmatch, parts))  # four words with a number are a passphrase
    return re.fullmatch(r"v\d+|\d", parts[-1]) is None


def is_coded(value: str) -> bool:
    """Whether a key or token was told in a sentence: digits stand among its letters, as in no name and no term."""
    if len(value) < 8 or not is_given(value) or not is_mixed(value) or _MAIL.fullmatch(value):
        return False
    is_term = all(re.fullmatch(r"[A-Za-z]*\d{0,4}|\d{1,4}[A-Za-z]*", part) for part in _PARTS.split(value))
    return not is_term and not NUMBER.fullmatch(value) and (sum(map(str.isdigit, value)) > 2 or is_scrambled(value))


def is_phrase(value: str) -> bool:
    """Whether words joined by dashes are a password of chance, and no sentence or name."""
    if _PHRASE.fullmatch(value) is None or is_filler(value) or ABOUT.search(value):
        return False
    return _LINKING.isdisjoint(value.split("-"))


def is_by_chance(value: str) -> bool:
    """Whether a word can only be made by chance, whatever stands around it: of hexadecimal digits, or of all sorts."""
    return _HASH_OR_ID.fullmatch(value) is not None or is_scrambled(value)


def is_scrambled(value: str) -> bool:
    """Whether capitals, small letters and digits alternate as in random text; a name of words has long runs."""
    return len(value) >= 20 and changes(value) > 0.4 * len(value)


def is_random(value: str) -> bool:
    """The same of a shorter one, which has two digits or is long, and none of the signs that join words."""
    if len(value) < 8 or not is_mixed(value):
        return False
    enough = sum(map(str.isdigit, value)) > 1 or len(value) > 15
    return enough and "." not in value and changes(value) > 0.4 * len(value)


def changes(value: str) -> int:
    """How many neighbours are not of one sort: capitals, digits, all else."""
    sorts = [(c.isupper(), c.isdigit()) for c in value]
    return sum(one != other for one, other in pairwise(sorts))


def is_quoted_secret(value: str, kind: str, *, env: bool) -> bool:
    """Whether a value in quotes is one; `env`: it was set as in a shell, where nothing else is quoted."""
    if len(value) < (6 if env or kind == "password" else 8) or is_filler(value):
        return False
    if kind == "authorization":
        return is_mixed(value) or is_scrambled(value)
    if kind == "password" and len(value) < 8:
        return env or (is_mixed(value) and value.isascii() and not ABOUT.search(value))
    if kind == "password":
        return env or value.isdigit() or (value.isascii() and not ABOUT.search(value))
    if env or is_scrambled(value):
        return not NUMBER.fullmatch(value)
    return not NUMBER.fullmatch(value) and NAME.fullmatch(value) is None and is_mixed(value)


def is_listed_secret(value: str, kind: str, *, env: bool) -> bool:
    """Whether a value in quotes behind a comma is one: there the next name of a list may stand as well."""
    if kind == "password" and is_phrase(value):
        return True
    is_name = not is_scrambled(value) and (_PLAIN_NAME.fullmatch(value) is not None or not is_mixed(value))
    return not is_name and is_quoted_secret(value, kind, env=env)


def is_bare_secret(value: str, kind: str, *, code: bool) -> bool:
    """Whether an unquoted value is one; in code after `= ` names of variables stand there too."""
    if len(value) < 8 and not (len(value) > 5 and kind == "password" and not code and is_told_plainly(value)):
        return False
    if not is_given(value) or NUMBER.fullmatch(value):
        return False
    if kind == "password" and is_phrase(value):
        return True
    if not is_mixed(value) and not is_scrambled(value) and not (kind == "password" and _has_signs_within(value)):
        return False
    if kind == "authorization":
        return True
    if kind == "password" and _has_signs_within(value):
        return True
    if kind == "password" and not code:
        return not re.fullmatch(r"(?:[A-Z][a-z]{2,}\d{0,2})+|[a-z]+(?:[-_./:][a-z0-9]+){1,2}", value)
    if is_random(value) or is_scrambled(value) or (len(value) > 39 and value.endswith("=")):
        return True
    if re.fullmatch(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+" + r"|[A-Za-z_]\w{0,19}" * code, value):
        return False
    return NAME.fullmatch(value) is None and (sum(map(str.isdigit, value)) > 2 or is_scrambled(value))


def is_in_query(value: str) -> bool:
    """Whether what a query has for a secret is one: there neither code nor a next word can stand."""
    if len(value) < 8 or not is_given(value):
        return False
    return (is_mixed(value) and not NAME.fullmatch(value)) or is_phrase(value)


def _has_signs_within(value: str) -> bool:
    """Whether signs that no term has stand among capitals and small letters in turn."""
    return _SIGNS.search(value) is not None and changes(value) > 0.3 * len(value)


def is_login(value: str) -> bool:
    """Whether it is a name and a password with a colon between them, in base64."""
    try:
        name, colon, _ = b64decode(value.replace("-", "+").replace("_", "/") + "==").partition(b":")
    except (NotBase64, ValueError):
        return False
    return bool(name and colon and name.isascii())


def is_set(value: str) -> bool:
    """Whether what stands behind the name of a setting is its value, and not the next word."""
    if not is_given(value) or NUMBER.fullmatch(value):
        return False
    return is_scrambled(value) or (is_mixed(value) and not value.startswith("-"))


def is_encoded(value: str) -> bool:
    """Whether it is base64 of a text."""
    try:
        return b64decode(value, validate=True).decode("ascii").isprintable()
    except (NotBase64, ValueError):
        return False


CHECKS: dict[str, Callable[[str], object]] = {
    "-": bool,
    "mixed": lambda value: is_mixed(value) or value != value.lower(),  # 4 % of short bodies lack digits
    "random": lambda value: is_mixed(value) and not value.islower() and not value.isupper(),
    "digits": is_mixed,
    "key": _KEY_MATERIAL.search,
    "given": is_given,
    "typed": is_typed,
    "told": is_told,
    "plain": is_told_plainly,
    "named": is_named,
    "coded": is_coded,
    "login": is_login,
    "set": is_set,
    "base64": is_encoded,
    "phrase": is_phrase,
    "chance": is_by_chance,
}
