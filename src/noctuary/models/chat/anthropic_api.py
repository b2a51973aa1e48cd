"""Models behind Anthropic's protocol, through its official library: `POST {url}/v1/messages`."""

from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from noctuary.lazily import lazy_module
from noctuary.models.chat.model import MOST_ANSWERED, NoAnswer, Price, Reply, TooLong, Used
from noctuary.models.chat.server import NotTaken, Server, counted, failures_told, read_answer, strange
from noctuary.models.chat.tokens import tokens_of
from noctuary.models.deadline import Deadline

if TYPE_CHECKING:
    import anthropic
else:
    anthropic = lazy_module("anthropic")

ADDRESS = "https://api.anthropic.com"
_IN = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


class AnthropicChat:
    """The model of this server; nothing is sent before it is asked something."""

    overhead = 200  # what the schema takes

    def __init__(self, server: Server, *, price: Price | None = None) -> None:
        self._server = server.checked()
        self._is_plain = False  # whether the server was found not to know schemas
        self.name = f"anthropic:{server.model}"
        self.price = price

    def ask(self, system: str, prompt: str, *, schema: Mapping[str, Any]) -> Reply:
        """The model's answer, of this schema if the server knows schemas."""
        if not self._is_plain:
            form = {"format": {"type": "json_schema", "schema": dict(schema)}}
            with suppress(NotTaken):  # as older models do; what the schema says, the prompt says in words
                return self._asked(system, prompt, {"output_config": form})
        reply = self._asked(system, prompt, {})
        self._is_plain = True
        return reply

    def _asked(self, system: str, prompt: str, more: dict[str, Any]) -> Reply:
        server = self._server
        with (
            failures_told(anthropic, server),
            anthropic.DefaultHttpxClient(follow_redirects=False, timeout=server.timeout) as http,
            anthropic.Anthropic(
                api_key=server.key or "none",
                base_url=server.url,
                timeout=server.timeout,
                max_retries=0,
                http_client=http,
                open_telemetry=False,
            ) as client,
        ):
            deadline = Deadline(server.timeout)
            with client.messages.with_streaming_response.create(
                model=server.model,
                max_tokens=MOST_ANSWERED,
                system=system,
                messages=[{"role": "user", "content": prompt}],
                extra_body=more,
            ) as response:
                answer = read_answer(server, response.iter_bytes(), deadline)
        return _reply(server, answer, system + prompt)


def _reply(server: Server, answer: dict[str, Any], asked: str) -> Reply:
    blocks = answer.get("content")
    if answer.get("type") != "message" or not isinstance(blocks, list):
        raise strange(server, "something else than a message")
    texts = [block.get("text") for block in blocks if isinstance(block, dict) and block.get("type") == "text"]
    text = "".join(each for each in texts if isinstance(each, str))
    used_in, used_out = counted(answer, *_IN), counted(answer, "output_tokens")
    used = Used(
        tokens_of(asked) if used_in is None else used_in,
        tokens_of(text) if used_out is None else used_out,
    )
    if answer.get("stop_reason") == "max_tokens":
        raise TooLong(f"{server.model} had more to answer than {MOST_ANSWERED:,} tokens.", used=used)
    if answer.get("stop_reason") == "refusal":
        raise NoAnswer(f"{server.model} declined to read this session. Choose another model.", used=used)
    return Reply(text, *used)
