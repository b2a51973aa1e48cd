"""Models behind Anthropic's protocol, through its official library: `POST {url}/v1/messages`."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from noctuary.lazily import lazy_module
from noctuary.models.chat.model import MOST_ANSWERED, Reply
from noctuary.models.chat.server import (
    ServedChat,
    Server,
    counted,
    cut_off,
    declined,
    failures_told,
    read_answer,
    strange,
    used_by,
)
from noctuary.models.deadline import Deadline

if TYPE_CHECKING:
    import anthropic
else:
    anthropic = lazy_module("anthropic")

ADDRESS = "https://api.anthropic.com"
_IN = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


class AnthropicChat(ServedChat):
    """A model of a server that speaks this protocol."""

    protocol = "anthropic"

    def form(self, schema: Mapping[str, Any]) -> dict[str, Any]:
        """What asks for an answer of this schema."""
        return {"output_config": {"format": {"type": "json_schema", "schema": dict(schema)}}}

    def asked(self, system: str, prompt: str, more: dict[str, Any]) -> Reply:
        """The answer of one call, with more in its body."""
        server = self.server
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
    used = used_by(asked, text, used_in, used_out)
    if answer.get("stop_reason") == "max_tokens":
        raise cut_off(server, used)
    if answer.get("stop_reason") == "refusal":
        raise declined(server, used)
    return Reply(text, *used)
