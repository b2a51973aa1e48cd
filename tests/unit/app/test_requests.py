"""Answers that are given once a key, as a memory keeps them; on each database."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from noctuary.app import Memory
from noctuary.app.requests import Answer, answer_once
from noctuary.errors import BadInput
from noctuary.settings import Settings
from noctuary.testing import FakeClock
from tests.databases import url_of

ANSWER = Answer(201, {"Location": "/there"}, "{}")


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def memory(tmp_path: Path, database: str, clock: FakeClock) -> Iterator[Memory]:
    home = tmp_path / "memory"
    settings = Settings(home=home, owner="ana", user_home=tmp_path, environ={}, database_url=url_of(home))
    with Memory.from_settings(settings, clock) as opened:
        yield opened


def opening(memory: Memory) -> Answer:
    """Something that must not be done twice."""
    memory.work("/shop").open_task("Sell")
    return ANSWER


def failing(memory: Memory) -> Answer:
    """The same, but it fails after it was done."""
    opening(memory)
    raise BadInput("No.")


def titles(memory: Memory) -> list[str]:
    """What is there."""
    return [task.title for task in memory.work("/shop").tasks()]


@pytest.mark.parametrize("is_apart", [False, True])
def test_what_was_answered_under_a_key_is_answered_again(memory: Memory, is_apart: bool) -> None:
    """And not done again; for something else the key is taken."""
    first = answer_once(memory, "k", "asked", lambda: opening(memory), is_apart=is_apart)
    second = answer_once(memory, "k", "asked", lambda: opening(memory), is_apart=is_apart)
    other = answer_once(memory, "k", "other", lambda: opening(memory), is_apart=is_apart)

    assert first == (ANSWER, False)
    assert second == (ANSWER, True)
    assert other is None
    assert titles(memory) == ["Sell"]


def test_what_fails_is_undone_with_its_answer(memory: Memory) -> None:
    """So it can be tried again."""
    with pytest.raises(BadInput):
        answer_once(memory, "k", "asked", lambda: failing(memory))

    assert answer_once(memory, "k", "asked", lambda: opening(memory)) == (ANSWER, False)
    assert len(titles(memory)) == 1


def test_after_a_day_a_key_is_new(memory: Memory, clock: FakeClock) -> None:
    """Until then it is not."""
    answer_once(memory, "k", "asked", lambda: ANSWER)
    clock.advance(timedelta(hours=23))
    assert answer_once(memory, "k", "asked", lambda: ANSWER) == (ANSWER, True)

    clock.advance(timedelta(hours=2))

    assert answer_once(memory, "k", "other", lambda: ANSWER) == (ANSWER, False)
