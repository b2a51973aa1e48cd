"""The fence around whatever of ours is put into a conversation: a tag that names us, and a sum of what it holds.

The sum stands at the end, so that two texts which begin alike are alike from their first letter: models need not read
again what they have read.

Hooks use this module, so it loads next to nothing; `fences.py` knows the fence again in what others wrote.

    <noctuary-recalled is="data">
    - Use tabs. (2026-02-26) [m-4f2a]
    </noctuary-recalled sum="3f0c9a1be2d47758">
"""

try:
    from _blake2 import blake2b
except ImportError:  # a Python that is built in another way
    from hashlib import blake2b

TAG = "noctuary-recalled"
_DIGITS = 16
# What could end our fence, or the one that an agent puts around ours, if it stood within.
_NAMES = ("noctuary", "system-reminder", "hook_context", "user-prompt-submit-hook", "session-start-hook")
_ENDINGS = tuple(f"{before}{name}" for name in _NAMES for before in ("", "/", "\\/", "!--", "!--/"))
_LONGEST = 2 * max(len(ending) for ending in _ENDINGS)  # with spaces in between
_HARMLESS = "‹"  # reads like a bracket, and becomes none when somebody takes escapes out of the text


def fenced(text: str) -> str:
    """A text of ours as it is put into a conversation; nothing in it ends the fence, nor the one of an agent."""
    inside = harmless(text)
    return f'<{TAG} is="data">\n{inside}\n</{TAG} sum="{sum_of(inside)}">'


def harmless(text: str) -> str:
    """The text without tags that could end a fence: their bracket is another one."""
    first, *others = text.split("<")
    return first + "".join((_HARMLESS if _is_ending(other) else "<") + other for other in others)


def sum_of(text: str) -> str:
    """What tells one text from another, however its words are spaced and lines are broken."""
    words = " ".join(text.split())
    return blake2b(words.encode("utf-8", "surrogatepass"), digest_size=_DIGITS // 2).hexdigest()


def _is_ending(after_bracket: str) -> bool:
    return "".join(after_bracket[:_LONGEST].split()).lower().startswith(_ENDINGS)
