"""Models behind OpenAI's protocol, through its official library: `POST {url}/chat/completions`.

Ollama, vLLM, LM Studio, OpenRouter and many others speak it, each a little differently: not all of them know schemas,
and only OpenAI itself wants the length of an answer under its newer name.
"""

from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from noctuary.lazily import lazy_module
from noctuary.models.chat.model import MOST_ANSWERED, NoAnswer, Price, Reply, TooLong, Used
from noctuary.models.chat.server import NotTaken, Server, counted, failures_told, read_answer, strange
from noctuary.models.chat.tokens import tokens_of
from noctuary.models.deadline import Deadline

if TYPE_CHECKING:
    import openai
else:
    openai = lazy_module("openai")

_MANY = 2_000  # tokens; of fewer a guess is not good enough
_CUT = 3  # a server that counts so many times fewer tokens than were sent has left some out, as Ollama does silently
ADDRESS = "https://api.openai.com/v1"


class OpenAIChat:
    """The model of this server; nothing is sent before it is asked something."""

    overhead = 200  # what the schema takes

    def __init__(self, server: Server, *, price: Price | None = None) -> None:
        self._server = server.checked()
        self._is_plain = False  # whether the server was found not to know schemas
        self.name = f"openai:{server.model}"
        self.price = price

    def ask(self, system: str, prompt: str, *, schema: Mapping[str, Any]) -> Reply:
        """The model's answer, of this schema if the server knows schemas."""
        if not self._is_plain:
            form = {"name": "answer", "strict": True, "schema": dict(schema)}
            with suppress(NotTaken):  # as some servers do; what the schema says, the prompt says in words
                return self._asked(system, prompt, {"response_format": {"type": "json_schema", "json_schema": form}})
        reply = self._asked(system, prompt, {})
        self._is_plain = True
        return reply

    def _asked(self, system: str, prompt: str, more: dict[str, Any]) -> Reply:
        server = self._server
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
    used = Used(
        tokens_of(asked) if used_in is None else used_in,
        tokens_of(text) if used_out is None else used_out,
    )
    if used_in is not None and _MANY < tokens_of(asked) > _CUT * used_in:
        raise TooLong(
            f"{server.model} read only {used_in:,} of about {tokens_of(asked):,} tokens."
            " Give it a larger context; Ollama takes it from OLLAMA_CONTEXT_LENGTH.",
            used=used,
        )
    if choice.get("finish_reason") == "length":
        raise TooLong(f"{server.model} had more to answer than {MOST_ANSWERED:,} tokens.", used=used)
    if choice.get("finish_reason") == "content_filter" or message.get("refusal"):
        raise NoAnswer(f"{server.model} declined to read this session. Choose another model.", used=used)
    return Reply(text, *used)
