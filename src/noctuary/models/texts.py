"""Texts as models can take them."""

from collections.abc import Iterable


def readable(texts: Iterable[str], *, most: int, prompt: str = "") -> list[str]:
    """The texts behind the prompt, cut to so many characters, with `?` for what is half a character.

    A transcript can hold a lone surrogate, which no library takes.
    """
    return [prompt + (text if text.isascii() else _whole(text[:most]))[:most] for text in texts]


def _whole(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")


def has_words(text: str) -> bool:
    """Whether there is anything but signs and spaces in it."""
    return any(character.isalnum() for character in text)
