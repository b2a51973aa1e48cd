"""Digests: a few bytes that stand for a text."""

from typing import TYPE_CHECKING

from noctuary.lazily import lazy_module

if TYPE_CHECKING:
    import hashlib
else:
    hashlib = lazy_module("hashlib")  # it loads OpenSSL, which a search never needs


def digest(content: bytes, *, size: int) -> bytes:
    """The digest of so many bytes, the same on every machine and for ever."""
    return hashlib.blake2b(content, digest_size=size).digest()
