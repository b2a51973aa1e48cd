"""Tags of what was answered: whoever has it already is not sent it again, and changes only what they have seen."""

import re

from noctuary.digests import digest

_TAG = re.compile(r'(W/)?("[^"]*")')


def etag_of(body: str) -> str:
    """The tag of an answer: the same for the same letters."""
    return f'"{digest(body.encode(), size=12).hex()}"'


def is_match(header: str | None, tag: str, *, is_weak: bool) -> bool:
    """Whether a list of tags in a header has this one; weak ones count only if `is_weak`."""
    if header is None:
        return False
    if header.strip() == "*":
        return True
    return any(found == tag and (is_weak or not mark) for mark, found in _TAG.findall(header))
