"""Sessions as coding agents leave them, made up: the same seed always tells the same stories."""

import random
from collections.abc import Iterator

from noctuary.records import Kind, Message, Role, Session

PROJECT = "/home/ana/code/shop"
_AREAS = ("checkout", "billing", "search page", "import job", "login form", "invoice mailer", "stock sync", "reports",
          "price engine", "coupon service", "admin table", "webhooks", "session store", "image cache",
          "audit log")  # fmt: skip
_THINGS = ("timeout", "retry limit", "batch size", "cache key", "connection pool", "page size", "rate limit", "index",
           "lock file", "queue depth", "token lifetime", "log level", "sort order", "default locale",
           "buffer")  # fmt: skip
_TOOLS = ("Postgres", "SQLite", "Redis", "Kafka", "nginx", "Vite", "pytest", "Playwright", "Docker", "Celery", "Sentry")
_REASONS = ("it loses rows under load", "the tests hang without it", "two workers raced for one row",
            "the vendor drops idle connections", "nobody could read the old one", "it keeps the image small",
            "the proxy cuts long answers", "staging has only one core")  # fmt: skip
_LETTERS = ("bcdfgklmnprstvz", "aeiou")


class Stories:
    """Tells sessions, one after the other."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.told = 0

    def name(self) -> str:
        """An identifier that nobody has used before, or hardly."""
        return "".join(map(self.chance.choice, _LETTERS * 3)) + "_" + "".join(map(self.chance.choice, _LETTERS * 2))

    def session(self, start_ms: int, rules: tuple[str, ...] = ()) -> tuple[Session, list[Message]]:
        """A session that begins then; the user says these rules in it."""
        self.told += 1
        session = Session(f"made-up-{self.told:06}", agent="claude-code", project=PROJECT, cwd=PROJECT)
        lines = [*self._turn(), *(part for rule in rules for part in self._rule(rule)), *self._turn()]
        messages = [
            message._replace(ts_ms=start_ms + place * 20_000, source_line=place + 1)
            for place, message in enumerate(lines)
        ]
        return session._replace(started_ms=start_ms, last_ms=messages[-1].ts_ms), messages

    def _rule(self, rule: str) -> Iterator[Message]:
        yield Message(Role.USER, rule)
        yield Message(Role.ASSISTANT, "Understood.")

    def _turn(self) -> Iterator[Message]:
        """The user asks, the agent works and says what it did and why."""
        choose = self.chance.choice
        area, thing, name = choose(_AREAS), choose(_THINGS), self.name()
        old, new = sorted(self.chance.sample(range(2, 900), 2))
        yield Message(Role.USER, f"The {area} is slow since yesterday, please look at the {thing} in `{name}.py`.")
        yield Message(Role.ASSISTANT, f"Let me look at `{name}.py` first.")
        call = f'{{"command": "pytest tests/test_{name}.py -q"}}'
        yield Message(Role.ASSISTANT, call, Kind.TOOL_CALL, tool_name="Bash", tool_calls=call, call_id=name)
        failed = self.chance.random() < 0.4
        result = f"{self.chance.randint(1, 4)} failed, {new} passed in 3.21s" if failed else f"{new} passed in 2.10s"
        yield Message(Role.TOOL, result, Kind.TOOL_RESULT, tool_name="Bash", call_id=name)
        yield Message(
            Role.ASSISTANT,
            f"The root cause is the {thing} of the {area}: `{name}` used {old}, and {choose(_REASONS)}.\n\n"
            f"- I raised the {thing} in `{name}.py` from {old} to {new}, because {choose(_REASONS)}.\n"
            f"- I decided to use {choose(_TOOLS)} instead of a new service for `{name}`.\n"
            f"- {'Some tests still fail' if failed else 'All tests pass'} in `tests/test_{name}.py`.",
        )
