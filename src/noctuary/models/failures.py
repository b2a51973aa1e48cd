"""Failures of the libraries behind the models, said as errors of ours.

onnxruntime's errors have no class in common, and tokenizers raises a bare `Exception`; so what they raise is told by
where it comes from.  Anything else is a mistake of ours and goes on as it is.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from noctuary.errors import ModelDamaged, ModelMissing

INSTALL = "pip install 'noctuary[semantic]'"
LIBRARIES = {"onnxruntime", "tokenizers", "pyo3_runtime"}  # the last one is how Rust's panics arrive
_LONGEST_REASON = 200


@contextmanager
def said_of(what: str, advice: str) -> Iterator[None]:
    """Whatever a library raises inside becomes a `ModelError` that says what it was about and what to do."""
    try:
        yield
    except ImportError as error:
        raise ModelMissing(f"{what} needs a library that is not installed ({error}); run: {INSTALL}") from error
    except MemoryError as error:
        raise ModelDamaged(f"{what} needs more memory than there is. Use a smaller model.") from error
    except BaseException as error:
        if _is_of_a_library(error):
            raise ModelDamaged(f"{what} cannot be used: {reason(error)}. {advice}") from error
        raise


def reason(error: BaseException) -> str:
    """The first line of what the error says."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[0][:_LONGEST_REASON].rstrip(". ")


def _is_of_a_library(error: BaseException) -> bool:
    kind = type(error)
    return (
        kind is Exception
        or kind.__module__.split(".")[0] in LIBRARIES
        or isinstance(error, OSError | ValueError | RuntimeError)
    )
