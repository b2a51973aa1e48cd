"""Every agent whose transcripts we can read: our own adapters, and those that other packages bring.

A package brings one by an entry point of the group `noctuary.transcripts`, which names a class without parameters that
has what the protocol `Adapter` asks for.
"""

from collections.abc import Sequence
from importlib.metadata import entry_points

from noctuary.transcripts.amp import Amp
from noctuary.transcripts.chatgpt import ChatGpt
from noctuary.transcripts.claude_ai import ClaudeAi
from noctuary.transcripts.claude_code import ClaudeCode
from noctuary.transcripts.codex import Codex
from noctuary.transcripts.grok import Grok
from noctuary.transcripts.items import Adapter
from noctuary.transcripts.kimi import Kimi
from noctuary.transcripts.openhands import OpenHands

GROUP = "noctuary.transcripts"


def adapters() -> Sequence[Adapter]:
    """One adapter an agent, ours first."""
    return (*_ours(), *(entry.load()() for entry in entry_points(group=GROUP)))


def _ours() -> Sequence[Adapter]:
    return (ClaudeCode(), Codex(), Amp(), ChatGpt(), ClaudeAi(), Grok(), Kimi(), OpenHands())
