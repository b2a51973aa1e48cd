"""Values whose key says that they are secret: `DB_PASSWORD=…`, `"api_key": "…"`, `<token>…</token>`."""

import re
from collections.abc import Iterator

from noctuary.redact.tokens import Family, Span
from noctuary.redact.values import (
    ABOUT,
    NUMBER,
    is_bare_secret,
    is_by_chance,
    is_filler,
    is_given,
    is_in_query,
    is_listed_secret,
    is_quoted_secret,
)

# A key is found by one letter of its word, the rest of the word around that, and a separator further on: `:` and `=`,
# a comma between quotes, or the end of a tag that is closed behind a value.
_QUOTE = r"""(?:\\{0,7}["'`]|&quot;|&\#3[49];)"""
_TYPE = r"(?::[ ]?(?:&?(?:'static )?str|string|String|bytes|SecretStr|str \| None)[ ]{0,4}(?==))?"
_SEPARATOR = (
    r"""([:=]|(?<=["'`;]),(?=[ ]{0,4}\\{0,7}["'])|>(?=[^\s<>]{6,512}+</)"""
    r"""|(?:\|(?=\|)|\?(?=\?))(?=.[ ]?["'`]))"""  # a value in case none is set
)
_UNTIL = rf"[\w-]{{0,24}}(?:{_QUOTE}?\]?|\[\d{{0,4}}\])[ \t]{{0,24}}{_TYPE}(?:\|\||\?\??)?{_SEPARATOR}"
_KEY_HINTS = (
    rf"k(?<=[a-z_.-]k)(?=e[ny]|ie)(?=..{_UNTIL})",
    rf"K(?=(?:ey|EY|EN|IE){_UNTIL})",
    rf"w(?<=[nspPt]w)(?=(?:oo?r)?[dt]{_UNTIL})",
    rf"W(?=(?:OR)?D{_UNTIL})",
    rf"c(?=re(?:t|dential){_UNTIL})",
    rf"C(?=(?:redential|RET|REDENTIAL){_UNTIL})",
    rf"_(?=(?:pass|PASS|auth|AUTH|pat|PAT){_UNTIL})",
    rf"z(?=ation{_UNTIL})",
    rf"ñ(?=a{_UNTIL})",
    r"&(?=(?:sig|Signature|X-(?:Amz|Goog)-Signature)(=))",
)
_KEY = re.compile(
    r"""(?:(?P<aws_secret_key>aws.{0,12}secret.{0,8}key|secret_?access_?key)
    |(?P<azure_key>account_?key|shared_?access_?(?:key|signature))|(?P<heroku_key>heroku[a-z_]{0,12}key)
    |(?P<twilio_token>twilio[a-z_]{0,12}token)|(?P<vercel_token>vercel[a-z_]{0,8}token)
    |(?P<password>passw(?:or[dt]|d)|_passphrase|contraseña|kennwort|wachtwoord|(?<![a-z])pwd|_pass)
    |(?P<authorization>authorization)|(?P<cookie>(?<![a-z])cookie(?![-_]?(?:key|secret|password|token)))|(?P<signature>&[a-z-]*sig(?:nature)?)
    |(?P<api_key>(?:api|app|sdk|access|private|secret|encryption|signing|auth|master|service|admin|jwt|ssh|license|webhook
        |role|client|account|function|record|deploy|ingest|storage|host|project|shared|subscription)[-_.]?key)
    |(?P<credential>credentials?)|(?P<secret>secrets?)|(?P<token>token|_auth|_pat))
    (?:[-_]?(?:prod|dev|staging|live|value|base|hash|digest|key|secret|password|token|old|new
        |b64|base64|json|v?\d{1,3}))*\Z""",
    re.VERBOSE,
)
_NOT_A_KEY = re.compile(
    r"(?:(?:\A|[-_.])(?:min|no|per|pad|sep|cls)"  # not the end of admin or developer
    r"|max|num|total|page|next|prev|[be]os|unk|mask|special|public|publishable|continuation|sync"
    r"|primary|foreign|sort|cache|partition|stop|reset|forgot|show|hide|input|output|completion)[-_.]?\Z"
)
# A setting whose name ends so, whatever key it is, if chance made its value; of these it is none.
_ANY_KEY = re.compile(
    r"(?<!cache)(?<!object)(?<!idempotency)(?<!routing)(?<!bucket)(?<!group)(?<!index)(?<!lock)(?<!store)(?<!row)"
    r"(?<!verify)(?<!public)(?<!publishable)(?<!partition)(?<!sort)(?<!primary)(?<!foreign)"
    r"_key(?:_b64|_base64|_json)?\Z"
)
_NAME_OF_PLACE = re.compile(r"arn:[\w-]{1,20}:[\w:/*-]*\Z")
_IN_A_QUERY = re.compile(r"[?&][\w.-]{1,40}\Z")
_IS_PASSWORD = re.compile(r"passw(?:or)?d\d?\Z")
_PUBLIC = re.compile(r"(?:public|publishable)[-_.]?\Z")  # all that a setting in capitals is excused by
_BACKWARDS = re.compile(r"[\w.&-]+")
_SIZE = re.compile(r"\[\d{0,4}\]\Z")  # of a text in C
_ANNOTATED = re.compile(_TYPE.replace("(?==))?", r")\Z"))
_ENV_NAME = re.compile(r"(?<![A-Za-z0-9_.-])[A-Z][A-Z0-9_]*\Z")
_SCHEME = r"(?:(?i:bearer|basic|token|digest|apikey|api-key|ssws|bot|oauth|key)[ ]+)?"
_BEFORE = r"\*{0,2}[>=|?]?[ \t]{0,8}(?:(?:!{1,2}|&)[\w-]{1,30}[ ]|\s{1,12}string\(\d{1,4}\)[ ])?"
_WITHIN = r"(?:(?:Some|String::from|Secret(?:Str(?:ing)?)?|Field)\((?:default=)?)?"
_QUOTED = re.compile(rf"""{_BEFORE}{_WITHIN}[rbfuN@]?(?:"(?=\\"))?({_QUOTE}){_SCHEME}((?:(?!\1)\S)+)(?=\1|\Z)""")
_PHRASE = re.compile(r"""(["'])(?=\S{1,64} )((?:(?!\1)[^\n]){8,256})\1""")
_APP_PASSWORD = re.compile(r"""[ ]{0,2}(["'])((?:[a-z]{4} ){3}[a-z]{4})\1""")  # as Google gives them to programs
_BARE = re.compile(rf"""{_BEFORE}{_SCHEME}([^\s"'`,;&<>(){{}}\[\]|\\\x1b]{{6,96}}+)(?![(\[{{])""")
_REST = re.compile(r"""[^\s"'`,;&<>(){}\[\]|\\\x1b]*+""")
_WHOLE = re.compile(rf"""{_BEFORE}([^\s"'`,;|\\\x1b]{{6,96}}+)""")
_ENV = re.compile(r"""[^\s"'`\\\x1b]{6,96}+""")
_ENV_REST = re.compile(r"""[^\s"'`\\\x1b]*+""")
_NAMES = re.compile(
    r"<property name=[\"'][\w.-]*\Z|<(?:entry|string|setting|param|option|env|var) (?:key|name)=[\"'][\w.-]*\Z"
)
_TAGGED = re.compile(r"[^\s<>]{6,512}+")
_TEMPLATE = re.compile(r"\A[\w.-]+=(?:[<{$\[]|%[({s]|\.{3}|…)")  # where a cookie is yet to stand
_COOKIES = re.compile(r"""["'`]?[ ]{0,8}["'`]?([\w.-]{1,64}=[^\r\n"'`\\]{6,4096}+)""")


def _pairs(hint: str) -> Family:
    """Make a family of the values behind the keys that a letter hints at."""
    pattern = re.compile(hint)

    def find(text: str) -> Iterator[Span]:
        done = 0
        for match in pattern.finditer(text):
            place = match.start(1)
            if place < done:
                continue
            before = text[max(0, place - 64) : place]
            typed = _ANNOTATED.search(before)
            key = _unquoted(before[: typed.start()] if typed else before)
            # Backwards the last word is the first, and needs no search.
            word = _BACKWARDS.match(key[::-1])
            name = word[0][::-1].lower() if word else ""
            env = before == key and _ENV_NAME.search(key) is not None
            named = _KEY.search(name) or (_ANY_KEY.search(name) if env else None)
            if named is None or (_PUBLIC if env else _NOT_A_KEY).search(name, 0, named.start()):
                continue
            kind = (named.lastgroup or "secret").replace("_", "-")
            is_any = named.re is _ANY_KEY
            if kind == "token" and _IS_PASSWORD.search(name):  # "smtp_auth_password"
                kind = "password"
            if text[place] == ":" and _NAME_OF_PLACE.search(key):
                continue
            if text[place] == ">" and not key.endswith(f"<{word[0][::-1]}" if word else "<") and not _NAMES.search(key):
                continue
            span = _value(text, place, kind, env=env)
            if span is not None and (not is_any or is_by_chance(text[span[0] : span[1]])):
                done = span[1]
                yield *span, kind

    return hint[0], pattern.search, find


def _unquoted(key: str) -> str:
    """The key without what closes it."""
    key = key.removesuffix("||").rstrip("?").rstrip(" \t")  # which is set unless it is already
    key = _SIZE.sub("", key).rstrip("]")
    if key.endswith(";"):
        key = key.removesuffix("&quot;").removesuffix("&#34;").removesuffix("&#39;")
    return key.rstrip("\"'`\\")


def _value(text: str, place: int, kind: str, *, env: bool) -> tuple[int, int] | None:
    """Return where the secret after a separator stands, if one does."""
    after, separator = place + 1, text[place]
    if kind == "cookie":
        header = _COOKIES.match(text, after) if separator == ":" else None
        return header.span(1) if header and not _TEMPLATE.search(header[1]) else None
    if separator == ">":
        tagged = _TAGGED.match(text, after)
        return tagged.span() if tagged and is_quoted_secret(tagged[0], kind, env=False) else None
    if env and separator == "=" and (phrase := _PHRASE.match(text, after)):
        return phrase.span(2) if not is_filler(phrase[2]) and not ABOUT.search(phrase[2]) else None
    if kind == "password" and (app := _APP_PASSWORD.match(text, after)):
        return app.span(2)
    if quoted := _QUOTED.match(text, after):
        judge = is_listed_secret if separator == "," else is_quoted_secret
        return quoted.span(2) if judge(quoted[2], kind, env=env) else None
    if separator == ",":
        return None
    if env and separator == "=" and (plain := _ENV.match(text, after)):
        start, value, others = after, plain[0].rstrip(",;)]}"), _ENV_REST
        good = len(value) > 5 and is_given(value) and (kind == "password" or not NUMBER.fullmatch(value))
    elif kind == "password" and text[after : after + 1] in (" ", "*") and (whole := _WHOLE.match(text, after)):
        start, value, others = whole.start(1), whole[1].rstrip(".:)]}>"), _ENV_REST
        good = is_bare_secret(value, kind, code=separator == "=")
    elif bare := _BARE.match(text, after):
        start, value, others = bare.start(1), bare[1].rstrip(".:"), _REST
        good = is_bare_secret(value, kind, code=text[place : place + 2] == "= ")
        if not good and separator == "=" and _IN_A_QUERY.search(text, max(0, place - 41), place):
            good = is_in_query(value)
    else:
        return None
    # A value is read only as far as it takes to judge it; this is the rest of a long one.
    rest = others.match(text, start + len(value)) if good and len(value) > 90 else None
    return (start, rest.end() if rest else start + len(value)) if good else None


PAIRS: tuple[Family, ...] = tuple(map(_pairs, _KEY_HINTS))

# After a colon only what is quoted or has digits in it is taken for a secret; in prose other words follow.
_DIGITS = r"0-9\u0080-\U0010ffff"  # what str.isdigit takes for one, and all else beyond ASCII
_TOLD = re.compile(
    rf""":[ \t>=*]{{0,9}}+(?:[!&]\S{{1,30}}[ ]"""
    rf"""|[^\s"'`,;&<>(){{}}\[\]|\\{_DIGITS}]{{0,96}}+[{_DIGITS}]|[rbfu]?\\{{0,7}}["'`]|&quot;|&\#3"""
    r"|[bBtTdDaA](?i:earer|asic|oken|igest|pikey)[ ]|SSWS[ ]|OAuth[ ]|Bot[ ])"
)


def may_have_pairs(text: str) -> bool:
    """Whether a key and a value could stand in the text; false for most prose."""
    if "=" in text or ("<" in text and "</" in text):
        return True
    if ":" in text and _TOLD.search(text) is not None:
        return True
    return ("(" in text or "[" in text) and ('", ' in text or "', " in text)
