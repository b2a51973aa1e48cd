"""Models behind OpenAI's protocol, through its official library: `POST {url}/chat/completions`.

Ollama, vLLM, LM Studio, OpenRouter and many others speak it, each a little differently: not all of them know schemas,
and only OpenAI itself wants the length of an answer under its newer name.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from noctuary.lazily import lazy_module
from noctuary.models.chat.model import MOST_ANSWERED, Reply, TooLong
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
from noctuary.models.chat.tokens import tokens_of
from noctuary.models.deadline import Deadline

if TYPE_CHECKING:
    import openai
else:
    openai = lazy_module("openai")

_MANY = 2_000  # tokens; of fewer a guess is not good enough
_CUT = 3  # a server that counts so many times fewer tokens than were sent has left some out, as Ollama does silently
ADDRESS = "https://api.openai.com/v1"


class OpenAIChat(ServedChat):
    """A model of a server that speaks this protocol."""

    protocol = "openai"

    def form(self, schema: Mapping[str, Any]) -> dict[str, Any]:
        """What asks for an answer of this schema."""
        form = {"name": "answer", "strict": True, "schema": dict(schema)}
        return {"response_format": {"type": "json_schema", "json_schema": form}}

    def asked(self, system: str, prompt: str, more: dict[str, Any]) -> Reply:
        """The answer of one call, with more in its body."""
        server = self.server
        length = "max_completion_tokens" if server.url.startswith("https://api.openai.com/") else "max_tokens"
        with (
            failures_told(openai, server),
            openai.DefaultHttpxClient(follow_redirects=False, timeout=server.timeout) as http,
            openai.OpenAI(
                api_key=server.key or "none",
                base_url=server.url,
                timeout=server.timeout,
                max_retries=0,
                http_client=http,
            ) as client,
        ):
            deadline = Deadline(server.timeout)
            with client.chat.completions.with_streaming_response.create(
                model=server.model,
                messages=[{"role": "system", "content": system}, {"role": "user", "content": prompt}],
                extra_body={length: MOST_ANSWERED, **more},
            ) as response:
                answer = read_answer(server, response.iter_bytes(), deadline)
        return _reply(server, answer, system + prompt)


def _reply(server: Server, answer: dict[str, Any], asked: str) -> Reply:
    choices = answer.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        raise strange(server, "something else than a chat completion")
    text = message.get("content")
    text = text if isinstance(text, str) else ""
    used_in, used_out = counted(answer, "prompt_tokens"), counted(answer, "completion_tokens")
    used = used_by(asked, text, used_in, used_out)
    if used_in is not None and _MANY < tokens_of(asked) > _CUT * used_in:
        raise TooLong(
            f"{server.model} read only {used_in:,} of about {tokens_of(asked):,} tokens."
            " Give it a larger context; Ollama takes it from OLLAMA_CONTEXT_LENGTH.",
            used=used,
        )
    if choice.get("finish_reason") == "length":
        raise cut_off(server, used)
    if choice.get("finish_reason") == "content_filter" or message.get("refusal"):
        raise declined(server, used)
    return Reply(text, *used)
