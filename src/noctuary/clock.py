"""Time comes from here, so that tests can say what time it is."""

import time
from typing import Protocol


class Clock(Protocol):
    """Tells the time in milliseconds since 1970, UTC."""

    def now_ms(self) -> int:
        """The time now."""
        ...


class SystemClock:
    """The computer's clock."""

    def now_ms(self) -> int:
        """The time now."""
        return time.time_ns() // 1_000_000
