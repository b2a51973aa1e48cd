"""Which requests are being answered under which idempotency key: a second one is told so, and need not wait."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock


class Flights:
    """Keys of owners under which a request of this server is being answered."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._keys: set[tuple[str, str]] = set()

    @contextmanager
    def taking_off(self, owner: str, key: str) -> Iterator[bool]:
        """Whether this is the only request under the key; it is until the end of the block."""
        with self._lock:
            is_only = (owner, key) not in self._keys
            self._keys.add((owner, key))
        try:
            yield is_only
        finally:
            if is_only:
                with self._lock:
                    self._keys.discard((owner, key))
