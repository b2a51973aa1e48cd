"""What commits say was done, and why: the agent's own words for it."""

import re
from collections.abc import Iterator

from noctuary.authored import EventType
from noctuary.models.rules.candidates import Candidate
from noctuary.models.rules.cues import SAID
from noctuary.models.rules.lexicon import normal
from noctuary.models.rules.prose import plain
from noctuary.models.rules.statements import LONGEST_QUOTE, shortened
from noctuary.models.rules.turns import Turn, is_command
from noctuary.records import Kind, Message

_BASE, _MOST_CUES = 0.5, 3.0
_LEAST_CHARACTERS = 25
_MESSAGE = re.compile(r"git commit\b[^\n]*?-m\s+(?:\"\$\(cat <<'?EOF'?\n|[\"'])")
_ENDS = ('"\n', "'\n", "\nEOF", "Co-Authored", '" ', '"&')


def from_commits(turn: Turn) -> Iterator[Candidate]:
    """What the messages of the turn's commits say."""
    for message in turn.work:
        if message.kind is Kind.TOOL_CALL and "git commit" in message.content and is_command(message):
            yield from _messages(message)


def _messages(message: Message) -> Iterator[Candidate]:
    for found in _MESSAGE.finditer(message.content):
        start = found.end()
        raw = message.content[start : start + LONGEST_QUOTE]
        ends = [at for end in _ENDS if (at := raw.find(end)) >= 0]
        raw = raw[: min(ends, default=len(raw))].rstrip().rstrip("\"'")
        text = plain(raw)
        if len(text) >= _LEAST_CHARACTERS:
            score = _BASE + min(_MOST_CUES, sum(SAID.weigh(normal(text)).values()))
            end = start + len(raw)
            yield Candidate(EventType.DECISION, score, message, start, end, shortened(text), "commit")
