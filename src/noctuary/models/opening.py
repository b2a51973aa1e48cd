"""Open the reader of sessions, or the writer of memories, that the settings name.

rules       no model at all: offline, and the default
anthropic   a model behind Anthropic's protocol; the key is ANTHROPIC_API_KEY
openai      a model behind OpenAI's protocol; the key is OPENAI_API_KEY.  With an address: Ollama, vLLM, LM Studio …
claude      Claude Code's command, with whatever the user logged in with
codex       Codex's command, likewise

A key that is meant for a vendor goes to this vendor only, or to the address that the same environment names for it;
any other address gets NOCTUARY_MODEL_KEY.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from noctuary.errors import BadSettings, ModelMissing
from noctuary.lazily import lazy_module
from noctuary.models.asking.asker import Retries
from noctuary.models.asking.cache import ChunkCache
from noctuary.models.asking.rendering import Redact
from noctuary.models.chat.meter import Meter
from noctuary.models.chat.model import ChatModel, Price
from noctuary.models.chat.prices import price_of
from noctuary.models.chat.server import Server
from noctuary.models.extractor import Extractor
from noctuary.models.writer import Writer

if TYPE_CHECKING:
    from noctuary.models.asking import extractor, wording
    from noctuary.models.chat import anthropic_api, claude_program, codex_program, openai_api, program
    from noctuary.models.rules import extractor as rules
else:
    anthropic_api = lazy_module("noctuary.models.chat.anthropic_api")
    claude_program = lazy_module("noctuary.models.chat.claude_program")
    codex_program = lazy_module("noctuary.models.chat.codex_program")
    extractor = lazy_module("noctuary.models.asking.extractor")
    openai_api = lazy_module("noctuary.models.chat.openai_api")
    program = lazy_module("noctuary.models.chat.program")
    rules = lazy_module("noctuary.models.rules.extractor")
    wording = lazy_module("noctuary.models.asking.wording")

RULES = "rules"
MODELS = ("anthropic", "openai", "claude", "codex")
BACKENDS = (RULES, *MODELS)
TIMEOUT_SECONDS = 180.0
RETRY_SECONDS = 2.0
ANY_KEY = "NOCTUARY_MODEL_KEY"
_USUAL = {"anthropic": "claude-haiku-4-5", "openai": "gpt-5-mini", "claude": "claude-haiku-4-5", "codex": ""}


def open_extractor(
    chat: ChatModel | None,
    meter: Meter,
    *,
    redact: Redact,
    cache: ChunkCache | None = None,
    retry_seconds: float = RETRY_SECONDS,
) -> Extractor:
    """What reads sessions for a dream: this model, or rules if there is none."""
    if chat is None:
        return rules.RulesExtractor()
    retries = Retries(first_wait=retry_seconds)
    return extractor.ModelExtractor(chat, meter, redact=redact, cache=cache, retries=retries)


def open_writer(chat: ChatModel, meter: Meter, *, redact: Redact, retry_seconds: float = RETRY_SECONDS) -> Writer:
    """What words memories anew: this model; rules leave them as they are."""
    return wording.ModelWriter(chat, meter, redact=redact, retries=Retries(first_wait=retry_seconds))


def open_model(
    backend: str, *, model: str = "", address: str = "", environ: Mapping[str, str], timeout_seconds: float
) -> ChatModel | None:
    """The model of a backend, which is asked nothing yet; None for `rules`.

    BadSettings if there is no such backend, a ModelError if it cannot be used.
    """
    if backend == RULES:
        return None
    return open_chat(backend, model=model, address=address, environ=environ, timeout_seconds=timeout_seconds)


def open_chat(
    backend: str,
    *,
    model: str = "",
    address: str = "",
    environ: Mapping[str, str],
    timeout_seconds: float = TIMEOUT_SECONDS,
    prices: Mapping[str, Price] | None = None,
) -> ChatModel:
    """The language model of this backend, which is asked nothing yet."""
    if backend not in MODELS:
        raise BadSettings(f"There is no backend {backend!r} for dreams; choose one of {', '.join(BACKENDS)}.")
    if backend in ("claude", "codex"):
        return _open_program(backend, model or _USUAL[backend], environ, timeout_seconds, prices)
    is_anthropic = backend == "anthropic"
    usual = anthropic_api.ADDRESS if is_anthropic else openai_api.ADDRESS
    set_up = environ.get(f"{backend.upper()}_BASE_URL") or usual
    url = address or set_up
    key_name = f"{backend.upper()}_API_KEY" if url in (usual, set_up) else ANY_KEY
    key = environ.get(key_name, "").strip()
    if not key and url == usual:
        raise ModelMissing(f"The backend {backend} needs a key; set {key_name}, or choose another backend.")
    server = Server(url, model or _USUAL[backend], key, key_name, backend, timeout_seconds).checked()
    if url != usual and not model:
        raise BadSettings(f"Which model at {server}? Name it beside the address.")
    price = price_of(server.model, address=url, given=prices)
    return (
        anthropic_api.AnthropicChat(server, price=price) if is_anthropic else openai_api.OpenAIChat(server, price=price)
    )


def _open_program(
    backend: str, model: str, environ: Mapping[str, str], timeout: float, prices: Mapping[str, Price] | None
) -> ChatModel:
    command = program.Program(backend, environ, timeout)
    price = price_of(model, given=prices)
    if backend == "claude":
        return claude_program.ClaudeProgram(command, model, price=price)
    return codex_program.CodexProgram(command, model, price=price)
