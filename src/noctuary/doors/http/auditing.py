"""What was asked of the server: who, which route, and how it ended; never what was said.

Requests do not wait for it.  Entries are collected and written by a thread of their own about once a second, so that a
search does not wait for whoever writes to the database; what a killed server had not written yet is lost.
"""

import time
from collections import deque
from collections.abc import Sequence
from itertools import groupby
from threading import Event, Lock, Thread

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from noctuary.access import Caller
from noctuary.app.access_keys import forget_audits, keep_audits, new_audit_id
from noctuary.app.house import House
from noctuary.doors.http.origins import SAFE
from noctuary.doors.logging_lines import LogLines
from noctuary.errors import NoctuaryError
from noctuary.store.access import Audit

CALLER = "noctuary.caller"  # where the guard leaves the caller in the scope of a request
UNSEEN = "noctuary.unseen"  # and that somebody is refused so often that it is not written down any more
PATH = "noctuary.path"  # and the path of what is no route
MOST_WAITING = 10_000
_REFUSED = 400
_SECONDS = 1.0
_SWEEP_EVERY = 1_000  # entries of one owner, and at its first
_VERBS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class AuditTrail:
    """Entries on their way to the database."""

    def __init__(self, house: House, log: LogLines) -> None:
        self.house = house
        self.log = log
        self._waiting: deque[Audit] = deque()
        self._lost = 0
        self._last_id = ""
        self._written: dict[str, int] = {}
        self._lock = Lock()
        self._is_over = Event()
        self._thread = Thread(target=self._run, name="audit", daemon=True)

    def start(self) -> None:
        """Begin to write."""
        self._thread.start()

    def close(self) -> None:
        """Write what waits, and end."""
        self._is_over.set()
        if self._thread.is_alive():
            self._thread.join()
        self.write()

    def add(self, caller: Caller | None, verb: str, path: str, status: int) -> None:
        """Note a request; if the database takes nothing for long, the oldest that wait are lost, and counted."""
        with self._lock:
            at_ms = self.house.clock.now_ms()
            self._last_id = new_audit_id(self._last_id, at_ms)
            owner, key_id = (caller.owner, caller.key_id) if caller else ("", "")
            self._waiting.append(Audit(owner, self._last_id, at_ms, key_id, verb, path, status))
            self._shorten()

    def write(self) -> None:
        """Write what waits; what the database does not take now waits on."""
        with self._lock:
            waiting, self._waiting = list(self._waiting), deque()
            lost, self._lost = self._lost, 0
        if lost:
            self.log.warn("audit", lost=lost)
        waiting.sort(key=lambda audit: (audit.owner, audit.id))
        for owner, audits in groupby(waiting, lambda audit: audit.owner):
            self._write_of(owner, list(audits))

    def _write_of(self, owner: str, audits: Sequence[Audit]) -> None:
        try:
            with self.house.memory(owner) as memory:
                keep_audits(memory, audits)
                before = self._written.get(owner)
                self._written[owner] = (before or 0) + len(audits)
                if before is None or before // _SWEEP_EVERY != self._written[owner] // _SWEEP_EVERY:
                    forget_audits(memory)
        except NoctuaryError as error:
            self.log.warn("audit", failed=type(error).__name__, waiting=len(audits))
            with self._lock:
                self._waiting.extendleft(reversed(audits))
                self._shorten()

    def _shorten(self) -> None:
        while len(self._waiting) > MOST_WAITING:
            self._waiting.popleft()
            self._lost += 1

    def _run(self) -> None:
        while not self._is_over.wait(_SECONDS):
            self.write()


class Auditing:
    """Notes every request when its answer begins, and says in the log how long it took."""

    def __init__(self, app: ASGIApp, trail: AuditTrail) -> None:
        self.app = app
        self.trail = trail

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began, status = time.perf_counter(), 0

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                if is_worth_it(scope, status):
                    self.trail.add(scope.get(CALLER), verb_of(scope), path_of(scope), status)
            await send(message)

        try:
            await self.app(scope, receive, sending)
        finally:
            self.trail.log.say(
                "request",
                verb=verb_of(scope),
                path=path_of(scope) or "-",
                status=status,
                key=key_of(scope),
                seconds=round(time.perf_counter() - began, 6),
            )


def is_worth_it(scope: Scope, status: int) -> bool:
    """Whether a request is noted: not what anybody may read, such as how a page looks, nor one refusal too many."""
    if scope.get(UNSEEN):
        return False
    return CALLER in scope or status >= _REFUSED or scope["method"] not in SAFE


def path_of(scope: Scope) -> str:
    """The route of a request, with names in the place of values; "" if there is none: an address may say anything."""
    path = scope.get(PATH) or getattr(scope.get("route"), "path_format", None)
    return f"{scope.get('root_path', '')}{path}" if isinstance(path, str) else ""


def verb_of(scope: Scope) -> str:
    """The method of a request, if it is one: whoever asks can write anything there."""
    return scope["method"] if scope["method"] in _VERBS else "OTHER"


def key_of(scope: Scope) -> str:
    """The id of the key that a request came with; `-` is none."""
    caller: Caller | None = scope.get(CALLER)
    return "-" if caller is None else caller.key_id or "token"
