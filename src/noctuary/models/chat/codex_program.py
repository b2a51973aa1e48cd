"""Codex's command as a model: `codex exec --json`, which answers with a JSON object a line."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from noctuary.errors import ModelError, ModelMissing
from noctuary.models.chat.model import NoAnswer, Passing, Price, Reply, TooLong, Used
from noctuary.models.chat.program import Printed, Program
from noctuary.models.chat.server import counted
from noctuary.models.chat.tokens import tokens_of

_SCHEMA = "schema.json"
# Anywhere, writing nothing, keeping no transcript, which the next import would bring to the next dream.
_OPTIONS = ("exec", "--json", "--skip-git-repo-check", "--sandbox", "read-only", "--ephemeral", "--color", "never")
_BUSY = re.compile(r"\b(?:429|5\d\d)\b|rate.?limit|usage limit|overloaded|timed? ?out|stream|connection", re.IGNORECASE)
_NO_LOGIN = re.compile(r"\b40[13]\b|log ?in|unauthori[sz]ed", re.IGNORECASE)
_TOO_LONG = re.compile(r"too long|context.?(?:length|window)", re.IGNORECASE)


class CodexProgram:
    """The model that `codex exec` uses, with whatever the user logged in with."""

    overhead = 12_000  # tokens of its own instructions and tools

    def __init__(self, program: Program, model: str = "", *, price: Price | None = None) -> None:
        self._program = program
        self._model = model
        self.name = f"codex:{model}" if model else "codex"
        self.price = price

    def ask(self, system: str, prompt: str, *, schema: Mapping[str, Any]) -> Reply:
        """The model's answer, of this schema; what it is told to do comes first, since it has no other place."""
        chosen = ("--model", self._model) if self._model else ()
        options = [*_OPTIONS, *chosen, "--output-schema", _SCHEMA, "-"]
        asked = f"{system}\n\n{prompt}"
        printed = self._program.run(options, asked, {_SCHEMA: json.dumps(schema)})
        events = list(_events(printed.out))
        completed = [event for event in events if event.get("type") == "turn.completed"]
        if not completed:
            raise self._failure(printed, events)
        text = next(filter(None, map(_said, reversed(events))), "")
        used_in, used_out = counted(completed[-1], "input_tokens"), counted(completed[-1], "output_tokens")
        used = Used(
            tokens_of(asked) + self.overhead if used_in is None else used_in,
            tokens_of(text) if used_out is None else used_out,
        )
        return Reply(text, *used)

    def _failure(self, printed: Printed, events: list[Mapping[str, Any]]) -> ModelError:
        """It says in words what happened, in an event or, if it did not even begin, as any command does."""
        said = next(filter(None, map(_complaint, reversed(events))), "") or printed.err
        shown = self._program.shown(said)
        if "unexpected argument" in said:
            return ModelMissing(f"codex is too old: {shown}. Install a newer one.")
        if _TOO_LONG.search(said):
            return TooLong(f"codex does not take so much at a time: {shown}.", used=None)
        if _NO_LOGIN.search(said):
            return ModelMissing(f"codex does not answer: {shown}. Run: codex login")
        if _BUSY.search(said) or not said.strip():
            return Passing(f"codex cannot answer now: {shown}. Try again later.", used=None if events else Used(0, 0))
        return NoAnswer(
            f"codex failed: {shown}. Run `codex exec hello` to see more.", used=None if events else Used(0, 0)
        )


def _events(out: str) -> Iterator[Mapping[str, Any]]:
    for line in out.splitlines():
        try:
            event = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(event, dict):
            yield event


def _said(event: Mapping[str, Any]) -> str:
    """What the model says in this event; nothing in most of them."""
    item = event.get("item")
    is_message = (
        event.get("type") == "item.completed" and isinstance(item, dict) and item.get("type") == "agent_message"
    )
    text = item.get("text") if is_message and isinstance(item, dict) else None
    return text if isinstance(text, str) else ""


def _complaint(event: Mapping[str, Any]) -> str:
    error = (
        event.get("error") if event.get("type") == "turn.failed" else event if event.get("type") == "error" else None
    )
    said = error.get("message") if isinstance(error, dict) else None
    return said if isinstance(said, str) else ""
