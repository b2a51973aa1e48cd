"""Post to one address over HTTP, carefully: bounded in time and size, no redirects, no key in any error."""

import errno
import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from noctuary.errors import ModelDamaged, ModelMissing, ModelUnreachable
from noctuary.lazily import lazy_module
from noctuary.models.failures import reason

if TYPE_CHECKING:
    from email import utils as mail
    from http import client
    from urllib import error as failed
    from urllib import parse, request

    from noctuary.models import deadline
else:
    deadline = lazy_module("noctuary.models.deadline")
    failed = lazy_module("urllib.error")
    mail = lazy_module("email.utils")
    client = lazy_module("http.client")
    parse = lazy_module("urllib.parse")
    request = lazy_module("urllib.request")

_CHUNK = 1 << 16
_BUSY = (429, 502, 503, 504)
_KEY = re.compile(r"[!-~]+")  # printable ASCII without spaces
_WHAT_TO_DO = {
    401: "Set NOCTUARY_EMBED_KEY to a key that it takes.",
    403: "Set NOCTUARY_EMBED_KEY to a key that it takes.",
    404: "Check the address (it often ends in /v1) and the model's name.",
    413: "It takes less at a time than we send; choose another endpoint.",
}
_OF_TEXTS = (400, 413, 422, 500)  # what servers say to a text that they cannot take, be it too long
_PASSING = (errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN, errno.ETIMEDOUT)
_REDIRECTS = range(300, 400)
_LATER = "Try again later."
_EXAMPLE = "https://api.openai.com/v1#model-name"


class Busy(Exception):  # never leaves this package
    """The endpoint cannot answer now, and may say when it can; `spent` are seconds that it was waited for."""

    def __init__(self, message: str, wait: float | None = None, *, spent: float = 0.0) -> None:
        super().__init__(message)
        self.wait = wait
        self.spent = spent


class Absent(Busy):
    """Nobody is there, or nobody answers in time; only who is in no hurry asks again."""


class Refused(ModelUnreachable):
    """The endpoint does not take what it was sent; something else it may."""


class Patience(NamedTuple):
    """How long somebody waits, in seconds."""

    timeout: float  # for one answer
    retries: int
    waiting: float  # for all of the tries
    is_for_absent: bool = False  # whether to ask again where nobody is, or nobody answers


class Address(NamedTuple):
    """Where to post to."""

    url: str
    shown: str  # without what may be secret

    def __str__(self) -> str:
        return self.shown

    @classmethod
    def read(cls, given: str) -> "Address":
        """The address of embeddings at this endpoint; ModelMissing if it is no address."""
        try:
            parts = parse.urlsplit(given.strip())
            host, port = parts.hostname or "", parts.port
        except ValueError as error:
            raise ModelMissing(f"The endpoint is no address: {error}. Write it like {_EXAMPLE}") from error
        if parts.scheme not in ("http", "https") or not host or parts.username is not None:
            raise ModelMissing(f"An endpoint is an http or https address without a user's name, like {_EXAMPLE}")
        if not given.isascii() or any(character <= " " for character in given.strip()):
            raise ModelMissing(f"The endpoint's address has characters that no address has. Write it like {_EXAMPLE}")
        path = parts.path.rstrip("/").removesuffix("/embeddings") + "/embeddings"
        place = (f"[{host}]" if ":" in host else host) + (f":{port}" if port else "")
        shown = parse.urlunsplit((parts.scheme, place, path, "", ""))
        return cls(parse.urlunsplit((parts.scheme, place, path, parts.query, "")), shown)


class Poster:
    """Posts JSON to one address with one key."""

    def __init__(self, address: Address, key: str | None) -> None:
        bare = (key or "").strip()
        if bare and not _KEY.fullmatch(bare):
            raise ModelMissing(f"The key for {address} has characters that no key has; set NOCTUARY_EMBED_KEY again.")
        self._address = address
        self._headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if bare:
            self._headers["Authorization"] = f"Bearer {bare}"

    def post(self, body: bytes, *, most: int, timeout: float) -> bytes:
        """What is answered, at most so many bytes within so many seconds; Busy if it may help to ask again."""
        asked = request.Request(self._address.url, body, self._headers, method="POST")
        try:
            with _opener().open(asked, timeout=timeout) as response:
                return self._read(response, most)
        except failed.HTTPError as error:
            with error:
                raise self._refused(error) from None  # its own message may hold what was sent
        except (OSError, UnicodeError, client.HTTPException) as error:
            raise self._broken(error, timeout) from error

    def _read(self, response: "client.HTTPResponse", most: int) -> bytes:
        pieces: list[bytes] = []
        size = 0
        while piece := response.read1(_CHUNK):
            pieces.append(piece)
            size += len(piece)
            if size > most:
                raise ModelDamaged(f"{self._address} answered with far more than was asked. Check the address.")
        if response.length:
            raise Busy(f"{self._address} broke off in the middle of its answer. {_LATER}")
        return b"".join(pieces)

    def _refused(self, error: "failed.HTTPError") -> ModelUnreachable | Busy:
        status = error.code
        if status in _BUSY:
            busy = f"{self._address} is busy (HTTP status {status}). {_LATER}"
            return Busy(busy, seconds_of(error.headers.get("Retry-After")))
        if status in _REDIRECTS:
            return ModelUnreachable(f"{self._address} points to another address. Find it and use it instead.")
        what_to_do = _WHAT_TO_DO.get(status, "Check the address and the model's name.")
        kind = Refused if status in _OF_TEXTS else ModelUnreachable
        return kind(f"{self._address} refused (HTTP status {status}). {what_to_do}")

    def _broken(self, error: Exception, timeout: float) -> ModelUnreachable | Busy:
        wrapped = getattr(error, "reason", None)  # urllib wraps what happens before there is an answer
        cause = wrapped if isinstance(wrapped, Exception) else error
        if isinstance(cause, client.HTTPException):  # which may repeat what the server sent, and that what it was sent
            return Busy(f"{self._address} broke off, or answered something else than HTTP. {_LATER}")
        if isinstance(cause, ConnectionResetError | BrokenPipeError):
            return Busy(f"{self._address} broke off: {reason(cause)}. {_LATER}")
        if isinstance(cause, TimeoutError):
            return Absent(f"{self._address} did not answer within {timeout:g} seconds. {_LATER}", spent=timeout)
        unreached = f"{self._address} cannot be reached: {reason(cause)}. Check the address, and that the server runs."
        is_passing = isinstance(cause, ConnectionError) or getattr(cause, "errno", None) in _PASSING
        return Absent(unreached) if is_passing else ModelUnreachable(unreached)


def _opener() -> "request.OpenerDirector":
    """What follows no redirect: the key is for this address, and a redirected post would lose what it says."""
    opener = request.OpenerDirector()
    opener.add_handler(request.ProxyHandler())
    opener.add_handler(deadline.DeadlineHandler())
    opener.add_handler(request.HTTPErrorProcessor())
    opener.add_handler(request.HTTPDefaultErrorHandler())
    opener.add_handler(request.UnknownHandler())  # a proxy can be of a kind that we do not speak
    return opener


def seconds_of(retry_after: str | None) -> float | None:
    """How long to wait, of a header that has seconds or a date; None if it has neither."""
    if not retry_after:
        return None
    try:
        return max(0.0, float(retry_after)) if retry_after.strip().isdigit() else _until(retry_after)
    except (ValueError, OverflowError):
        return None


def _until(date: str) -> float:
    then = mail.parsedate_to_datetime(date)
    return max(0.0, (then.replace(tzinfo=then.tzinfo or UTC) - datetime.now(UTC)).total_seconds())
