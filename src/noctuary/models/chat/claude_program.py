"""Claude Code's command as a model: `claude -p`, which answers with one JSON object."""

import json
import re
from collections.abc import Mapping
from typing import Any

from noctuary.errors import ModelError, ModelMissing
from noctuary.models.chat.model import NoAnswer, Passing, Price, Reply, TooLong, Used
from noctuary.models.chat.program import Printed, Program
from noctuary.models.chat.server import counted
from noctuary.models.chat.tokens import tokens_of

# Print and leave; no tools, no servers, and no transcript, which the next import would bring to the next dream.
_OPTIONS = ("-p", "--output-format", "json", "--tools", "", "--strict-mcp-config", "--no-session-persistence")
_IN = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
_STATUS = re.compile(r"\b(?:API Error:?|status)\D{0,10}(\d{3})\b", re.IGNORECASE)
_BUSY = re.compile(r"rate.?limit|usage limit|limit reached|overloaded|timed? ?out|connection|try again", re.IGNORECASE)
_NO_LOGIN = re.compile(r"log ?in|api key|authenticat|credit balance", re.IGNORECASE)
_TOO_LONG = re.compile(r"too long|context|maximum.{0,20}tokens", re.IGNORECASE)
_PASSING = {408, 409, 429, *range(500, 600)}


class ClaudeProgram:
    """The model that `claude -p` uses, with whatever the user logged in with."""

    overhead = 3_000  # tokens of its own instructions, tools aside

    def __init__(self, program: Program, model: str = "", *, price: Price | None = None) -> None:
        self._program = program
        self._model = model
        self.name = f"claude:{model}" if model else "claude"
        self.price = price

    def ask(self, system: str, prompt: str, *, schema: Mapping[str, Any]) -> Reply:  # noqa: ARG002 - in the prompt
        """The model's answer; what the schema says, the prompt says in words."""
        chosen = ("--model", self._model) if self._model else ()
        printed = self._program.run([*_OPTIONS, *chosen, "--system-prompt", system], prompt)
        envelope = _envelope(printed.out)
        if envelope is None:
            raise self._broken(printed)
        text = envelope.get("result")
        text = text if isinstance(text, str) else ""
        used_in, used_out = counted(envelope, *_IN), counted(envelope, "output_tokens")
        if envelope.get("is_error") or printed.code:
            raise self._failure(envelope, text, Used(used_in or 0, used_out or 0))
        dollars = envelope.get("total_cost_usd")
        return Reply(
            text,
            tokens_of(system + prompt) + self.overhead if used_in is None else used_in,
            tokens_of(text) if used_out is None else used_out,
            float(dollars) if isinstance(dollars, int | float) and dollars >= 0 else None,
        )

    def _failure(self, envelope: Mapping[str, Any], text: str, used: Used) -> ModelError:
        """It says what happened in words, and ends with a code that says nothing."""
        said = self._program.shown(text or str(envelope.get("subtype") or ""))
        status = envelope.get("api_error_status")
        found = _STATUS.search(text)
        status = status if isinstance(status, int) else int(found[1]) if found else 0
        if status in _PASSING or (not status and _BUSY.search(text)):
            return Passing(f"claude cannot answer now: {said}. Try again later.", used=used)
        if status in (401, 403) or _NO_LOGIN.search(text):
            return ModelMissing(f"claude does not answer: {said}. Run `claude` once and log in.")
        if status == 413 or _TOO_LONG.search(text):
            return TooLong(f"claude does not take so much at a time: {said}.", used=used)
        return NoAnswer(f"claude failed: {said}. Run `claude -p hello` to see more.", used=used)

    def _broken(self, printed: Printed) -> ModelError:
        said = self._program.shown(printed.err or printed.out)
        if "unknown option" in printed.err:
            return ModelMissing(f"claude is too old: {said}. Run: claude update")
        if printed.code:
            return Passing(f"claude ended with code {printed.code}: {said}. Run `claude -p hello` to see more.")
        return Passing("claude answered with something else than its JSON. Try again later.", used=None)


def _envelope(out: str) -> Mapping[str, Any] | None:
    """The object that says how it went; with verbose settings it is the last of a list."""
    try:
        found = json.loads(out)
    except (ValueError, RecursionError):
        return None
    found = found[-1] if isinstance(found, list) and found else found
    return found if isinstance(found, dict) and ("result" in found or "is_error" in found) else None
