"""Files and commits that a text names."""

import re

_MOST = 8
_ENDINGS = (
    "py|pyi|ts|tsx|js|jsx|mjs|cjs|json|jsonl|md|mdc|toml|ya?ml|rs|go|java|rb|sh|sql|css|html|c|h|cpp|cs|swift|kt|php|vue"
    "|svelte|lock|cfg|ini|env|txt|proto|tf|xml"
)
_PATH = re.compile(rf"(?<![\w/@:.-])(?:[\w@.~-]*/)+[\w@.-]+\.(?:{_ENDINGS})\b")  # with a slash, anywhere
_NAME = re.compile(rf"`([\w@.-]+\.(?:{_ENDINGS}))(?::\d+)?`")  # without one only in marks: "Next.js" is no file
_COMMIT = re.compile(r"\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}\b")


def files_in(quote: str) -> list[str]:
    """The files that a quote names, in order."""
    paths = _PATH.findall(quote) if "/" in quote else []
    names = _NAME.findall(quote) if "`" in quote else []
    return list(dict.fromkeys(paths + names))[:_MOST]


def commits_in(quote: str) -> list[str]:
    """The commits that a quote names, if it speaks of commits at all."""
    return list(dict.fromkeys(_COMMIT.findall(quote)))[:_MOST] if "ommit" in quote else []
