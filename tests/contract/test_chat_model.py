"""What every language model promises, whatever protocol it speaks: on real servers and real commands."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from noctuary.errors import ModelError, ModelUnreachable
from noctuary.models.chat.model import NoAnswer, Passing
from tests.unit.models.chat.answering import CHATS, KEY, PASSING, SCHEMA, TOKENS_IN, TOKENS_OUT, Fault, Opener

each_chat = pytest.mark.parametrize("opened", CHATS.values(), ids=CHATS.keys())
ANSWER = '{"events": [{"text": "größer 中 \\"quoted\\""}]}'


@each_chat
def test_an_answer_comes_as_it_was_said(opened: Opener, tmp_path: Path) -> None:
    """Text and tokens are the model's own, whatever is put around them."""
    with opened(tmp_path, [ANSWER], 20.0) as (chat, asked):
        found = chat.ask("Be brief.", "What was decided?\nSay it.", schema=SCHEMA)

        assert found.text == ANSWER
        assert (found.tokens_in, found.tokens_out) == (TOKENS_IN, TOKENS_OUT)
        assert len(asked()) == 1


@each_chat
def test_a_question_comes_as_it_was_asked(opened: Opener, tmp_path: Path) -> None:
    """A prompt longer than a command line can be, in any script, arrives whole; the model is told what to do."""
    prompt = "Ünï 中文 🙂 “quoted” $HOME `x`\n" * 10_000
    with opened(tmp_path, [ANSWER], 20.0) as (chat, asked):
        chat.ask("Be brief.", prompt, schema=SCHEMA)

        [kept] = asked()
        assert kept.prompt.endswith(prompt)
        assert "Be brief." in kept.prompt + str(kept.details)


@each_chat
def test_an_empty_answer_is_an_answer(opened: Opener, tmp_path: Path) -> None:
    """What to make of it is for whoever asked."""
    with opened(tmp_path, [""], 20.0) as (chat, _):
        assert chat.ask("s", "p", schema=SCHEMA).text == ""


@each_chat
@pytest.mark.parametrize("fault", PASSING)
def test_what_passes_is_told_as_passing(opened: Opener, fault: Fault, tmp_path: Path) -> None:
    """It was asked once, the error says that it may help to ask again, and no key is in it; then it answers."""
    with opened(tmp_path, [fault, ANSWER], 20.0) as (chat, asked):
        with pytest.raises(Passing) as caught:
            chat.ask("s", "p", schema=SCHEMA)

        assert len(asked()) == 1
        assert KEY not in str(caught.value)
        assert str(caught.value).endswith(".")
        assert chat.ask("s", "p", schema=SCHEMA).text == ANSWER


@pytest.mark.parametrize("name", ["anthropic", "openai"])
def test_a_server_says_how_long_to_wait(name: str, tmp_path: Path) -> None:
    """Without a word about it, how long is up to whoever asks."""
    said: Sequence[str | Fault] = [Fault.BUSY_FOR_A_WHILE, Fault.BUSY]
    with CHATS[name](tmp_path, said, 20.0) as (chat, _):
        waits = []
        for _ in said:
            with pytest.raises(Passing) as caught:
                chat.ask("s", "p", schema=SCHEMA)
            waits.append(caught.value.wait)

    assert waits == [7.0, None]


@each_chat
def test_what_is_slow_is_ended(opened: Opener, tmp_path: Path) -> None:
    """Whoever does not answer in time is not waited for, and nobody knows what that cost."""
    with opened(tmp_path, [Fault.SLOW] * 2, 0.4) as (chat, _), pytest.raises(Passing, match=r"0\.4 seconds") as caught:
        chat.ask("s", "p", schema=SCHEMA)

    assert caught.value.used is None


@each_chat
def test_what_never_ends_is_not_read_to_its_end(opened: Opener, tmp_path: Path) -> None:
    """An answer of any size does not fill the memory; asking again would not help."""
    with (
        opened(tmp_path, [Fault.HUGE], 20.0) as (chat, _),
        pytest.raises(NoAnswer, match="more than was asked") as caught,
    ):
        chat.ask("s", "p", schema=SCHEMA)

    assert not isinstance(caught.value, Passing)


@each_chat
def test_faults_are_model_errors(opened: Opener, tmp_path: Path) -> None:
    """Whoever dreams catches one class."""
    with opened(tmp_path, [Fault.BROKEN], 20.0) as (chat, _), pytest.raises(ModelError) as caught:
        chat.ask("s", "p", schema=SCHEMA)

    assert isinstance(caught.value, ModelUnreachable)


@each_chat
def test_a_model_has_a_name(opened: Opener, tmp_path: Path) -> None:
    """Reports say what was asked, and by which model."""
    with opened(tmp_path, [], 20.0) as (chat, _):
        assert chat.name.endswith(":m")
