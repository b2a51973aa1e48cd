"""What servers do with requests as such: an answer is given once a key, and who listens is told what changed."""

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import NamedTuple

from noctuary.app.memory import Memory
from noctuary.store.requests import AskedDream, AskedState, Change, Mark, StoredAnswer

__all__ = ["Answer", "AskedDream", "AskedState", "Change", "Mark", "Once", "answer_once"]

KEPT_MS = 24 * 3_600_000
KEPT_ASKED_MS = 30 * KEPT_MS
LONGEST_DREAM_MS = 24 * 3_600_000  # one that was asked for before is not being had any more: its server was killed
_UNENDED = (AskedState.WAITING, AskedState.RUNNING)


class Answer(NamedTuple):
    """What is answered to a request."""

    status: int
    headers: dict[str, str]
    body: str


class Once(NamedTuple):
    """An answer, and whether it is the one of an earlier request."""

    answer: Answer
    is_of_before: bool


def answer_once(
    memory: Memory, key: str, asked: str, do: Callable[[], Answer], *, is_apart: bool = False
) -> Once | None:
    """Do what is asked and keep the answer, all or nothing; what was answered under this key is answered again.

    None, and nothing is done, if something else was asked under the key.  Whoever asks the same at the same time waits.
    What is done `is_apart` is not undone if the answer cannot be kept.
    """
    requests, now_ms = memory.store.requests, memory.clock.now_ms()
    with nullcontext() if is_apart else memory.ledger.at_once():
        requests.forget_before(memory.owner, now_ms - KEPT_MS)
        known = requests.answer(memory.owner, key, now_ms - KEPT_MS)
        if known is not None:
            same = Once(Answer(known.status, dict(known.headers), known.body), is_of_before=True)
            return same if known.asked == asked else None
        answer = do()
        requests.save_answer(memory.owner, key, StoredAnswer(asked, answer.status, answer.headers, answer.body), now_ms)
    return Once(answer, is_of_before=False)


def changes(memory: Memory, mark: Mark, most: int, project: str | None) -> Sequence[Change]:
    """What changed since, the first first; of one project alone, if it is named."""
    return memory.store.requests.changes_after(memory.owner, mark, most, project)


def last_mark(memory: Memory) -> Mark:
    """Where the stream of changes ends now."""
    return memory.store.requests.last_mark(memory.owner)


def go_on_from(memory: Memory, mark: Mark) -> bool:
    """Whether all that changed since is still known; what is older than anybody should need is forgotten."""
    memory.store.requests.keep_changes(memory.owner)
    return memory.store.requests.is_kept(memory.owner, mark)


def save_asked(memory: Memory, asked: AskedDream) -> None:
    """Write down a dream that was asked for, new or changed."""
    memory.store.requests.forget_asked_before(memory.owner, asked.asked_ms - KEPT_ASKED_MS)
    memory.store.requests.save_asked(memory.owner, asked)


def asked_dream(memory: Memory, name: str) -> AskedDream | None:
    """A dream that was asked for, or None; one of which nobody will ever tell how it ended has failed."""
    found = memory.store.requests.asked(memory.owner, name)
    if found is None or found.state not in _UNENDED:
        return found
    is_left = memory.clock.now_ms() - found.asked_ms > LONGEST_DREAM_MS
    return found._replace(state=AskedState.FAILED) if is_left else found
