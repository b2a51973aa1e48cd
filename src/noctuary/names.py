"""Names of owners, projects and sessions as names of files: one to one, and none escapes its folder.

Small letters, digits, `-` and `.` inside a name stand for themselves; every other byte is `%` and two hex digits.
Capitals are encoded too, because some file systems do not tell them from small letters.  A name that would be
too long for a file keeps its beginning and gets a hash of all of it, behind `%%`, which no other name can contain.
"""

from functools import lru_cache

from noctuary.digests import digest

_PLAIN = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789-.")
_LONGEST = 120
_KEPT = 60
# Windows reserves these, with any extension; encoding the first letter makes an ordinary name of them.
_RESERVED = {"con", "prn", "aux", "nul", *(f"{port}{i}" for port in ("com", "lpt") for i in range(10))}


@lru_cache(maxsize=256)  # few names, each of them in every path
def file_name(name: str) -> str:
    """A file name that stands for this name and no other."""
    raw = name.encode("utf-8", "surrogatepass")
    encoded = "".join(chr(byte) if byte in _PLAIN else f"%{byte:02x}" for byte in raw)
    if encoded.split(".")[0] in _RESERVED or encoded.startswith("."):
        encoded = f"%{raw[0]:02x}{encoded[1:]}"
    if encoded.endswith("."):
        encoded = f"{encoded[:-1]}%2e"
    if len(encoded) <= _LONGEST:
        return encoded or "%"
    return f"{encoded[:_KEPT].rsplit('%', 1)[0]}%%{digest(raw, size=16).hex()}"


def original_name(name: str) -> str | None:
    """The name that a file name stands for; None if it does not hold all of it, or is none of ours."""
    plain, *encoded = name.split("%") if name != "%" else [""]
    try:
        raw = plain.encode("ascii") + b"".join(bytes.fromhex(part[:2]) + part[2:].encode("ascii") for part in encoded)
        original = raw.decode("utf-8", "surrogatepass")
    except ValueError:
        return None
    return original if file_name(original) == name else None
