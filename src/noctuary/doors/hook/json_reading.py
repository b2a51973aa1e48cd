"""JSON as hooks read and write it, without the module `json`: to load that costs more than all else a hook does."""

_MOST_INPUT, _MOST_TRIED = 8_000_000, 16_000_000  # bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

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


def object_from(
    read: "Callable[[], bytes]", marks: "Sequence[bytes]", at_mark: "Callable[[], None]"
) -> "dict[str, object] | None":
    """The object that comes in pieces, as soon as it is complete: not every agent ends what it sends.

    Once one of `marks` has come, however it is cut, `at_mark` is called: what follows may take long to come.
    """
    pieces: list[bytes] = []
    size = tried = 0
    is_marked = False
    while piece := read():
        size += len(piece)
        pieces.append(piece)
        if not is_marked and _has_any(marks, pieces):
            is_marked = True
            at_mark()
        if size > _MOST_INPUT:
            del pieces[:-1]  # read on, or who writes would be told that nobody reads
        elif piece.rstrip().endswith(b"}") and tried + size <= _MOST_TRIED:
            tried += size
            if found := object_in(b"".join(pieces)):
                return found
    return object_in(b"".join(pieces)) if size <= _MOST_INPUT else None


def _has_any(marks: "Sequence[bytes]", pieces: "Sequence[bytes]") -> bool:
    """Whether the last piece holds a mark, or the end of one that began in those before it."""
    *before, last = pieces
    longest = max(map(len, marks), default=0)
    while before and len(last) < len(pieces[-1]) + longest:
        last = before.pop()[-longest:] + last
    return any(mark in last for mark in marks)


def written(value: "Written") -> str:
    """A text, number or mapping as JSON, all of it ASCII."""
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, int):
        return str(value).lower()  # of `True`, too
    return "{" + ", ".join(f"{quoted(name)}: {written(each)}" for name, each in value.items()) + "}"
