"""Files that a command is given to read; `-` is what comes through the pipe."""

import sys
from pathlib import Path

from noctuary.errors import BadInput

PIPE = Path("-")


def text_in(file: Path) -> str:
    """The text of a file; BadInput if it is none."""
    try:
        return bytes_in(file).decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadInput(f"{file} is no text in UTF-8 (byte {error.start:,}). Name another file.") from None


def bytes_in(file: Path) -> bytes:
    """What is in a file; BadInput if it cannot be read."""
    if file == PIPE:
        return sys.stdin.buffer.read()
    if file.is_dir():
        raise BadInput(f"{file} is a folder. Name a file in it.")
    try:
        return file.read_bytes()
    except FileNotFoundError:
        raise BadInput(f"There is no file {file}. Check its name.") from None
    except OSError as error:
        raise BadInput(f"{file} cannot be read: {error.strerror or error}. Check its permissions.") from error
