"""A writer on top of any language model."""

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from noctuary.models.asking.answers import items_of
from noctuary.models.asking.asker import Asker, Retries
from noctuary.models.asking.cache import ChunkCache
from noctuary.models.asking.prompts import prompt
from noctuary.models.asking.rendering import Redact
from noctuary.models.asking.wording_checks import complaint_about
from noctuary.models.chat.meter import Meter
from noctuary.models.chat.model import ChatModel
from noctuary.models.writer import Refused, Reworded, Worded

MOST_AT_ONCE = 40  # memories
_LONGEST_QUOTE = 500

SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["memories"],
    "properties": {
        "memories": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["id", "text"],
                "properties": {"id": {"type": "string"}, "text": {"type": "string"}},
            },
        }
    },
}


class ModelWriter:
    """Asks a model for clearer wordings, and takes all of them or none."""

    def __init__(
        self,
        chat: ChatModel,
        meter: Meter,
        *,
        redact: Redact,
        cache: ChunkCache | None = None,
        retries: Retries = Retries(),  # noqa: B008 - unchangeable
    ) -> None:
        self._asker = Asker(chat, meter, cache, retries)
        self._meter = meter
        self._redact = redact
        self._system = prompt("reword")
        self.name = chat.name

    def reword(self, entries: Sequence[Worded]) -> Reworded | Refused:
        """Better wordings of these memories; Refused, and why, if one of them cannot be taken."""
        before = self._meter.spent
        texts: dict[str, str] = {}
        for start in range(0, len(entries), MOST_AT_ONCE):
            given = self._asked(entries[start : start + MOST_AT_ONCE])
            if given is None:
                return Refused("a memory is given twice, or without its id or text", self._meter.since(before))
            texts |= given
        why = complaint_about(entries, texts) or self._secret(texts)
        spent = self._meter.since(before)
        return Refused(why, spent) if why else Reworded(texts, spent)

    def _asked(self, entries: Sequence[Worded]) -> dict[str, str] | None:
        lines = [
            json.dumps(
                {"id": entry.id, "text": entry.text, "quotes": [quote[:_LONGEST_QUOTE] for quote in entry.quotes]},
                ensure_ascii=False,
            )
            for entry in entries
        ]
        question = self._redact("\n".join(["# The memories", "", *lines]))
        items = self._asker.ask(self._system, question, schema=SCHEMA, read=partial(items_of, name="memories"))
        given = {item.get("id"): item.get("text") for item in items}
        whole = {
            name: " ".join(text.split())
            for name, text in given.items()
            if isinstance(name, str) and isinstance(text, str)
        }
        return whole if len(whole) == len(items) else None

    def _secret(self, texts: Mapping[str, str]) -> str:
        found = [name for name, text in texts.items() if self._redact(text) != text]
        return f"memory {found[0]!r} has a secret in it" if found else ""
