"""What went wrong, as one line and an exit code that means something.

The class of an error decides the code, never its text.
"""

from typing import NamedTuple

from noctuary.errors import BadInput, ModelError, NoctuaryError, NotFound, NotFree, StoreError

FOUND, NOTHING_FOUND, BAD_INPUT, NO_SUCH_THING, STORE_PROBLEM, MODEL_PROBLEM, NOT_FREE = 0, 1, 2, 3, 4, 5, 6
BUG = 70

_CODES: tuple[tuple[type[NoctuaryError], int], ...] = (
    (BadInput, BAD_INPUT),
    (NotFound, NO_SUCH_THING),
    (StoreError, STORE_PROBLEM),
    (ModelError, MODEL_PROBLEM),
    (NotFree, NOT_FREE),
)


class Failure(NamedTuple):
    """How a command ends that could not do its work."""

    message: str
    code: int


INTERRUPTED = Failure("Interrupted. Everything stored so far is kept; run the command again to go on.", 130)


def failure_of(error: Exception) -> Failure:
    """What to say of the error, and the exit code; an error that nobody expected is a bug of ours."""
    for kind, code in _CODES:
        if isinstance(error, kind):
            return Failure(str(error), code)
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        return Failure(f"{where}{error.strerror or error}. Check the path and its permissions.", STORE_PROBLEM)
    return Failure(
        f"something unexpected went wrong ({type(error).__name__}: {error}). Nothing stored was lost.\n"
        "This is a bug. Run the command again with NOCTUARY_DEBUG=1 to see where, and please report it.",
        BUG,
    )
