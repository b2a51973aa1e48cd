"""Transcripts that do not say by themselves whose they are: what lies around them does.

They lie where their agent would not keep them, but somebody copied them with their folders.
"""

from collections.abc import Callable
from pathlib import Path

from noctuary.transcripts import grok, kimi, kiro, opencode, openhands
from noctuary.transcripts.items import Source

_KNOWN: tuple[Callable[[Path], Source | None], ...] = (
    grok.session_around,
    kimi.log_around,
    kiro.session_around,
    opencode.session_around,
    openhands.conversation_around,
)


def known_by_surroundings(path: Path) -> Source | None:
    """The transcript that a file is, or is about, by its name and by what lies around it; OSError."""
    return next((found for known in _KNOWN if (found := known(path)) is not None), None)
