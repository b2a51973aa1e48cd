"""JSON as hooks read and write it, without the module `json`: to load that costs more than all else a hook does."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Written = str | int | Mapping[str, "Written"]


class _AsJsonDoes:
    """What the scanner wants to know; control characters within strings are let through."""

    strict = False
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float  # of NaN, Infinity and -Infinity


_scan: "Callable[[str, int], tuple[object, int]]"
try:
    from _json import encode_basestring_ascii as quoted
    from _json import make_scanner

    _scan = make_scanner(_AsJsonDoes())  # type: ignore[arg-type]
except ImportError:  # a Python that is built in another way
    from json import JSONDecoder
    from json.encoder import encode_basestring_ascii as quoted

    _scan = JSONDecoder(strict=False).raw_decode


def object_in(content: bytes) -> "dict[str, object] | None":
    """The object that the content begins with, whatever follows it; None if there is none that is whole."""
    text = content.decode("utf-8", "replace")
    if not text.startswith("{"):
        text = text.lstrip("\ufeff \t\r\n")
    try:
        found = _scan(text, 0)[0]
    except (ValueError, StopIteration, RecursionError, SystemError):  # the last if `json` was never loaded
        return None
    return found if isinstance(found, dict) else None


def written(value: "Written") -> str:
    """A text, number or mapping as JSON, all of it ASCII."""
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, int):
        return str(value).lower()  # of `True`, too
    return "{" + ", ".join(f"{quoted(name)}: {written(each)}" for name, each in value.items()) + "}"
