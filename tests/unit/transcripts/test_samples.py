"""The sample home that demonstrations import: complete, and read without a word of complaint."""

from pathlib import Path

import pytest

from noctuary.records import Hidden, Role
from noctuary.testing import messages
from noctuary.transcripts.claude_code import ClaudeCode
from noctuary.transcripts.codex import Codex
from noctuary.transcripts.items import Adapter, Facts, Item, Place, Rewound, Skipped, Source

HOME = Path(__file__).parents[3] / "samples" / "home"
ADAPTERS: list[Adapter] = [ClaudeCode(), Codex()]


def read_all() -> list[tuple[Source, list[Item]]]:
    return [(source, list(adapter.read(source, Place()))) for adapter in ADAPTERS for source in adapter.find(HOME, {})]


@pytest.fixture(scope="module")
def samples() -> list[tuple[Source, list[Item]]]:
    return read_all()


def test_everything_in_the_samples_is_understood(samples: list[tuple[Source, list[Item]]]) -> None:
    """Seven transcripts, each with words, none with anything skipped."""
    assert len(samples) == 7
    for source, items in samples:
        assert messages(items), source.path
        assert not [item for item in items if isinstance(item, Skipped)], source.path


def test_samples_show_what_is_special(samples: list[tuple[Source, list[Item]]]) -> None:
    """A sub-agent, a fork, a change of mind and words in Japanese are among them."""
    items = [item for _, found in samples for item in found]

    relations = {str(item.relation) for item in items if isinstance(item, Facts) and item.relation}
    assert relations == {"subagent", "fork"}
    assert [item for item in items if isinstance(item, Rewound)]
    assert [message for message in messages(items) if "端数" in message.content]


def test_the_reason_against_redis_was_said_by_a_human(samples: list[tuple[Source, list[Item]]]) -> None:
    """Demonstrations ask for it."""
    (said,) = [
        message
        for _, items in samples
        for message in messages(items)
        if message.role is Role.USER and message.hidden is not Hidden.INJECTED and "no Redis" in message.content
    ]

    assert "one more daemon to run and back up" in said.content
