"""A server with a model behind it: where it is, which key it gets, and what its failures mean.

The libraries that speak with servers are asked to try once and to follow no redirect: when to ask again is decided in
one place, and a key is for one address.  No error has a key in it.
"""

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from noctuary.errors import BadSettings, ModelError, ModelMissing
from noctuary.lazily import lazy_module
from noctuary.models.chat.model import MOST_ANSWERED, MOST_BYTES, NoAnswer, Passing, Price, Reply, TooLong, Used
from noctuary.models.chat.tokens import tokens_of
from noctuary.models.deadline import Deadline
from noctuary.models.failures import reason
from noctuary.models.posting import seconds_of

if TYPE_CHECKING:
    from urllib import parse
else:
    parse = lazy_module("urllib.parse")

_KEY = re.compile(r"[!-~]+")  # printable ASCII without spaces
_PASSING = {408, 409, 425, 429, 500, 502, 503, 504, *range(520, 530)}
_TOO_LONG = re.compile(r"too long|too large|context.?(?:length|window|size)|maximum.{0,20}tokens", re.IGNORECASE)
_NOT_REACHED = ("ConnectError", "ConnectTimeout", "UnsupportedProtocol", "ProxyError")
_UNDER_THEM = {"httpx", "httpx2", "httpcore", "httpcore2", "h11"}  # what the official libraries are made of
_FAULT = 500  # what a failure without a status counts as
_LATER = "Try again later."


class NotTaken(NoAnswer):
    """The server does not take what it was sent; something simpler it may."""


class Server(NamedTuple):
    """Where a model is, and who may use it."""

    url: str
    model: str
    key: str
    key_name: str  # the variable that holds the key
    extra: str  # what to install to speak with it
    timeout: float  # seconds for one answer, to its end

    def __str__(self) -> str:
        parts = parse.urlsplit(self.url)
        return parts.netloc + parts.path.rstrip("/")

    def checked(self) -> "Server":
        """The same; BadSettings if its address is none or its key cannot be one."""
        parts = _split(self.url)
        if parts is None or parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc:
            raise BadSettings("A model's address is http or https without a user's name: http://localhost:11434/v1")
        if self.key and not _KEY.fullmatch(self.key):
            raise BadSettings(f"{self.key_name} has characters that no key has; set it again.")
        return self

    def shown(self, said: str) -> str:
        """What the server said, to be put behind a sentence: on one line and without the key."""
        bare = " ".join((said.replace(self.key, "[key]") if self.key else said).split())
        return f": {reason(ValueError(bare))}" if bare else ""


class ServedChat(ABC):
    """A model behind a server; nothing is sent before it is asked something.  Each protocol says how."""

    protocol = ""
    overhead = 200  # what the schema takes

    def __init__(self, server: Server, *, price: Price | None = None) -> None:
        self.server = server.checked()
        self.name = f"{self.protocol}:{server.model}"
        self.price = price
        self._is_plain = False  # whether the server was found not to know schemas

    def ask(self, system: str, prompt: str, *, schema: Mapping[str, Any]) -> Reply:
        """The model's answer, of this schema if the server knows schemas."""
        if not self._is_plain:
            with suppress(NotTaken):  # as older models and some servers do; the prompt says in words what it says
                return self.asked(system, prompt, self.form(schema))
        reply = self.asked(system, prompt, {})
        self._is_plain = True
        return reply

    @abstractmethod
    def form(self, schema: Mapping[str, Any]) -> dict[str, Any]:
        """What asks for an answer of this schema."""

    @abstractmethod
    def asked(self, system: str, prompt: str, more: dict[str, Any]) -> Reply:
        """The answer of one call, with more in its body."""


def _split(url: str) -> "parse.SplitResult | None":
    try:
        parts = parse.urlsplit(url)
        return parts if parts.port is None or url.isascii() else None
    except ValueError:
        return None


@contextmanager
def failures_told(library: Any, server: Server) -> Iterator[None]:
    """What an official library raises inside becomes an error of ours; both of them call their errors the same."""
    try:
        yield
    except ImportError as error:
        install = f"pip install 'noctuary[{server.extra}]'"
        raise ModelMissing(f"{server} needs a library that is not installed ({error}); run: {install}") from error
    except library.APIStatusError as error:
        raise refusal(server, error.status_code, error.response.headers, error.body) from None  # it may hold the key
    except (library.APITimeoutError, TimeoutError) as error:
        raise _slow(server) from error
    except library.APIConnectionError as error:
        raise _broken(server, error.__cause__ or error) from error
    except Exception as error:
        if type(error).__module__.split(".")[0] in _UNDER_THEM:  # raised while the answer is read
            raise _slow(server) if "Timeout" in type(error).__name__ else _broken(server, error) from error
        raise


def refusal(server: Server, status: int, headers: Mapping[str, str], body: object) -> ModelError:
    """What an HTTP status means, and what to do about it."""
    details = body.get("error", body) if isinstance(body, dict) else {}
    details = details if isinstance(details, dict) else {"message": details}
    said = server.shown(str(details.get("message") or ""))
    told = f"{server} refused (HTTP status {status}){said}."
    if status in (401, 403):
        return ModelMissing(
            f"{server} does not take the key (HTTP status {status}). Set {server.key_name} to one that it takes."
        )
    if status == 413 or (status in (400, 422) and _TOO_LONG.search(said)):
        return TooLong(f"{told} Ask about less at a time, or use a model that reads more.")
    if status == 402 or "insufficient_quota" in (details.get("code"), details.get("type")):
        return NoAnswer(f"{told} Look at what the account may spend.")
    if status in _PASSING:
        return Passing(f"{server} is busy or has a fault (HTTP status {status}){said}. {_LATER}", wait=_wait(headers))
    if status in range(300, 400):
        return NoAnswer(f"{server} points to another address. Find it and use it instead.")
    if status == 404 and "support" not in said:  # which a router says that knows no server for what is asked
        return ModelMissing(f"{told} Check the address (it often ends in /v1) and the model's name, {server.model}.")
    return NotTaken(f"{told} Check the address and the model's name, {server.model}.")


def read_answer(server: Server, pieces: Iterable[bytes], deadline: Deadline) -> dict[str, Any]:
    """The JSON object that comes in pieces, bounded in size and time."""
    found: list[bytes] = []
    size = 0
    for piece in pieces:
        found.append(piece)
        size += len(piece)
        if size > MOST_BYTES:
            raise NoAnswer(f"{server} answered with far more than was asked. Check the address.", used=None)
        deadline.left()
    try:
        answer = json.loads(b"".join(found))
    except (ValueError, RecursionError) as error:
        raise strange(server, "something else than JSON") from error
    if not isinstance(answer, dict):
        raise strange(server, "something else than a JSON object")
    fault = answer.get("error")
    if isinstance(fault, dict):  # as routers do that have begun to answer
        code = fault.get("code")
        raise refusal(server, code if isinstance(code, int) else _FAULT, {}, answer)
    return answer


def used_by(asked: str, text: str, counted_in: int | None, counted_out: int | None) -> Used:
    """What a call used, as the server counts it; what it does not count is reckoned from the texts."""
    return Used(
        tokens_of(asked) if counted_in is None else counted_in,
        tokens_of(text) if counted_out is None else counted_out,
    )


def cut_off(server: Server, used: Used) -> TooLong:
    """The model had more to say than it may."""
    return TooLong(f"{server.model} had more to answer than {MOST_ANSWERED:,} tokens.", used=used)


def declined(server: Server, used: Used) -> NoAnswer:
    """The model does not want to answer."""
    return NoAnswer(f"{server.model} declined to read this session. Choose another model.", used=used)


def counted(answer: Mapping[str, Any], *names: str) -> int | None:
    """The sum of these counts of the answer's usage; None if it has none of them."""
    usage = answer.get("usage")
    counts = [usage.get(name) for name in names] if isinstance(usage, dict) else []
    known = [count for count in counts if isinstance(count, int) and count >= 0]
    return sum(known) if known else None


def strange(server: Server, what: str) -> Passing:
    """The server answered, but not as its protocol has it."""
    return Passing(f"{server} answered with {what}. Check the address, or try again later.", used=None)


def _slow(server: Server) -> Passing:
    return Passing(f"{server} did not answer within {server.timeout:g} seconds. {_LATER}", used=None)


def _broken(server: Server, cause: BaseException) -> Passing:
    if type(cause).__name__ in _NOT_REACHED:
        said = server.shown(str(cause))
        return Passing(f"{server} cannot be reached{said}. Check the address, and that the server runs.")
    return Passing(f"{server} broke off in the middle of its answer, or before it. {_LATER}", used=None)


def _wait(headers: Mapping[str, str]) -> float | None:
    milliseconds = headers.get("retry-after-ms", "")
    return float(milliseconds) / 1_000 if milliseconds.isdigit() else seconds_of(headers.get("retry-after"))
