"""One of eight who write: `python -m tests.soak.writer KIND NUMBER SECONDS`, until its standard input ends.

Each line of its standard output is something that was acknowledged.  Whatever goes wrong ends it, and is on its
standard error.
"""

import itertools
import json
import random
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from noctuary.app import Memory
from noctuary.records import Message, Role, Session
from noctuary.testing import ClaudeTranscript
from tests.soak.acknowledged import MARK, Thing, event, message, node, write
from tests.soak.ground import Ground, wrong_with

TURNS = 12  # of a session, before it ends and another begins
RESTING = 6.0  # times as long as an action took: on a busy machine everybody does less
_THINGS = ("timeout", "retry limit", "batch size", "cache key", "page size", "rate limit", "lock file", "log level")
_TOOLS = ("Postgres", "SQLite", "Redis", "Kafka", "nginx", "pytest", "Docker", "Celery")
_REASONS = ("it loses rows under load", "two workers raced for one row", "the proxy cuts long answers")

Things = list[Thing]


class Words:
    """Texts of one writer, each with a word that no other has."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._chance = random.Random(name)
        self._numbers = itertools.count(1)

    def word(self) -> str:
        """One that was never used."""
        return f"{MARK}{self.name}-{next(self._numbers)}"

    def asked(self) -> str:
        """What a person says."""
        return f"Please look at the {self._chance.choice(_THINGS)} in `{self.word()}.py`, it is slow since yesterday."

    def answered(self) -> str:
        """What an agent says, with something in it that a dream finds."""
        one, other = self._chance.sample(_TOOLS, 2)
        reason, thing = self._chance.choice(_REASONS), self._chance.choice(_THINGS)
        return f"I decided to use {one} instead of {other} for the {thing} of `{self.word()}`, because {reason}."

    def noted(self) -> str:
        """What is written down."""
        return f"The {self._chance.choice(_THINGS)} of {self.word()} is too small: {self._chance.choice(_REASONS)}"


class Writer:
    """Somebody at work in one project."""

    def __init__(self, name: str, ground: Ground, *, is_staying: bool) -> None:
        self.words = Words(name)
        self.ground = ground
        self.project = ground.projects[int(name[1:]) % 2]
        self._kept = Memory.open() if is_staying else None
        self._session: str | None = None
        self._transcript = ClaudeTranscript("")
        self._turns = 0
        self._count = 0

    @contextmanager
    def memory(self) -> Iterator[Memory]:
        """The one that is open all the time, or one for this alone."""
        if self._kept:
            yield self._kept
            return
        with Memory.open() as memory:
            yield memory

    def close(self) -> None:
        """Nothing stays open."""
        if self._kept:
            self._kept.close()

    def transcripts(self) -> Things:
        """An agent writes on in its transcript, and everything is imported; now and then in the midst of a line."""
        if self._turns % TURNS == 0:
            name = f"{self.words.name}-{time.time_ns()}"
            self._transcript = ClaudeTranscript(name, cwd=self.project, start=datetime.now(UTC))
        self._turns += 1
        said = [self.words.asked(), self.words.answered()]
        before = len(self._transcript.records)
        self._transcript.say(said[0]).reply(said[1])
        lines = "".join(json.dumps(record) + "\n" for record in self._transcript.records[before:])
        cut = len(lines) // 2 if self._turns % 5 == 0 else len(lines)
        for piece in filter(None, (lines[:cut], lines[cut:])):
            self._grow(piece)
            with self.memory() as memory:
                memory.import_transcripts()
        return [message(self._transcript.session, None, text) for text in said]

    def _grow(self, piece: str) -> None:
        folder = "".join(letter if letter.isalnum() else "-" for letter in self.project)
        path = self.ground.user_home / ".claude" / "projects" / folder / f"{self._transcript.session}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.write(piece)

    def sessions(self) -> Things:
        """A program keeps what is said, message by message or a whole conversation, and finds it again."""
        said = [self.words.asked(), self.words.answered()]
        messages = [Message(role, text, ts_ms=_now()) for role, text in zip(Role, said, strict=False)]
        with self.memory() as memory:
            if self._session is None or self._turns % TURNS == 0:
                self._session = f"{self.words.name}-{time.time_ns()}"
                given = Session(self._session, agent="soak", project=self.project, cwd=self.project, started_ms=_now())
                ids = list(memory.add_session(given, messages))
            else:
                ids = [memory.append(self._session, each) for each in messages]
            self._turns += 1
            if self._turns % TURNS == 0:
                memory.dreams.end_session(self._session)
            self._find(memory, said[0])
        return [message(self._session, place, text) for place, text in zip(ids, said, strict=True)]

    def _find(self, memory: Memory, text: str) -> None:
        word = next(word for word in text.split() if MARK in word).strip("`,.").removesuffix(".py")
        found = memory.search_messages(f'"{word}"', limit=3)
        if not any(hit.session.id == self._session for hit in found.hits):
            raise SystemExit(f"{word} was stored in {self._session} and is not found")

    def notes(self) -> Things:
        """Somebody writes down what was found and decided, and what is worth to be remembered."""
        self._count += 1
        with self.memory() as memory:
            work = memory.work(self.project)
            if self._count % 5 == 0:
                kept = work.remember(self.words.noted())
                return [event(kept.event, kept.text)]
            if self._count % 5 == 1:
                ways = [{"option": f"Way {way} of {self.words.word()}", "chosen": way == 1} for way in (1, 2)]
                entry = work.note("decision", self.words.answered(), alternatives=ways)
            else:
                entry = work.note("finding", self.words.noted())
        return [event(entry.event.id, entry.event.text)]

    def tasks(self) -> Things:
        """Somebody opens a task, takes it, notes something and ends it."""
        title, found = f"Do {self.words.word()}", self.words.noted()
        with self.memory() as memory:
            work = memory.work(self.project)
            task = work.open_task(title, goal="It works")
            work.claim(task, self.words.name)
            entry = work.note("finding", found, node=task)
            work.close(task, outcome="It does")
        return [node(task.id, title), event(entry.event.id, found)]

    def typing(self) -> Things:
        """A person types commands."""
        self._count += 1
        where = ("--project", self.project, "--json")
        if self._count % 3 == 0:
            self._typed("import", "--json")
            self._typed("search", "timeout", "--json")
            return []
        if self._count % 3 == 1:
            title = f"Do {self.words.word()}"
            return [node(json.loads(self._typed("task", "open", title, *where))["id"], title)]
        text = self.words.noted()
        return [event(json.loads(self._typed("note", "finding", text, *where))["event"]["id"], text)]

    def _typed(self, *arguments: str) -> str:
        ran: subprocess.CompletedProcess[str] = self.ground.run(*arguments)
        if wrong := wrong_with(ran):
            raise SystemExit(wrong)
        return ran.stdout


def _now() -> int:
    return time.time_ns() // 1_000_000


def rest(seconds: float) -> bool:
    """Wait; False if whoever started us wants no more."""
    ready, _, _ = select.select([sys.stdin], [], [], seconds)
    return not ready


def keep_at(act: Callable[[], Things], seconds: float, chance: random.Random) -> None:
    """Do it once, and then again and again."""
    is_on = True
    while is_on:
        begun = time.monotonic()
        write(sys.stdout, act())
        took = time.monotonic() - begun
        is_on = rest(max(seconds * chance.uniform(0.5, 1.5), RESTING * took))


def main(kind: str, number: str, seconds: str, root: str) -> None:
    """Write until nobody wants it any more."""
    writer = Writer(f"w{number}", Ground(Path(root)), is_staying=int(number) % 2 == 0)
    try:
        keep_at(getattr(writer, kind), float(seconds), random.Random(int(number)))
    finally:
        writer.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
