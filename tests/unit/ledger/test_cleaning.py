"""What is written down has no secrets in it, and nothing that would come back from JSON as something else."""

import json
from enum import IntEnum
from typing import Any

import pytest

from noctuary.authored import Event, EventType, Trust
from noctuary.ledger.cleaning import cleaned


class Level(IntEnum):
    """A number that is a kind of its own."""

    LOW = 1


class Share(float):
    """Another one."""


@pytest.mark.parametrize(
    "value",
    [Trust.USER, Level.LOW, Share(0.5), True, None, 3, 0.25, ("a", ["b", Trust.AGENT]), {"k": {"of": Level.LOW}}],
)
def test_values_are_those_that_json_gives_back(value: Any) -> None:
    """A record that was cleaned equals what its line is read as, to the kind of each value."""
    event = Event(EventType.FINDING, "said", meta={"it": value}, change={"twice": [value, value]})
    harmless: set[str] = set()

    for _ in range(2):  # the second time its texts are known to be harmless
        ready = cleaned(event, harmless)
        assert repr(ready.meta) == repr(json.loads(json.dumps(event.meta)))
        assert repr(ready.change) == repr(json.loads(json.dumps(event.change)))


def test_secrets_are_taken_out_wherever_they_stand() -> None:
    """Texts, keys and lists are searched, also when a harmless text was seen before."""
    secret = "ghp_" + "a1B2" * 9
    event = Event(
        EventType.FINDING, f"token {secret}", meta={secret: [secret]}, change={"memories": [{"text": secret}]}
    )

    assert secret not in repr(cleaned(event, {"harmless"}))
