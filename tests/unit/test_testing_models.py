"""The fake model that is shipped."""

import pytest

from noctuary.errors import ModelError
from noctuary.models.chat.model import ChatModel, Passing, Reply
from noctuary.testing_models import TOKENS, FakeModel

SCHEMA = {"required": ["events"]}


def test_a_script_is_followed_and_then_nothing_is_found() -> None:
    """Texts, mappings, whole replies and faults, one a question."""
    chat: ChatModel = FakeModel(["hello", {"events": [1]}, Reply("paid", 1, 2, 0.5), Passing("Busy.")])

    answers = [chat.ask("s", "p", schema=SCHEMA) for _ in range(3)]
    with pytest.raises(ModelError, match="Busy"):
        chat.ask("s", "p", schema=SCHEMA)

    assert answers == [
        Reply("hello", TOKENS, TOKENS),
        Reply('{"events": [1]}', TOKENS, TOKENS),
        Reply("paid", 1, 2, 0.5),
    ]
    assert chat.ask("s", "p", schema=SCHEMA).text == '{"events": []}'


def test_a_function_may_answer() -> None:
    """It is given what was asked; everything that was asked is kept."""
    chat = FakeModel(lambda asked: asked.prompt.upper())

    assert chat.ask("s", "hello", schema=SCHEMA).text == "HELLO"
    assert chat.asked == [("s", "hello", SCHEMA)]
