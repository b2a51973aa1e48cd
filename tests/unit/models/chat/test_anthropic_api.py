"""Models behind Anthropic's protocol, on a real server."""

from collections.abc import Callable

import pytest

from noctuary.errors import ModelError
from noctuary.models.chat.anthropic_api import AnthropicChat
from noctuary.models.chat.model import MOST_ANSWERED, NoAnswer, Passing, TooLong, Used
from noctuary.models.chat.server import Server as Place
from tests.unit.models.chat.answering import KEY, SCHEMA, anthropic_body, reply
from tests.unit.models.serving import Asked, Dripping, Reply, Server

pytestmark = pytest.mark.slow


def chat_at(server: Server, key: str = KEY) -> AnthropicChat:
    return AnthropicChat(Place(server.url, "claude-x", key, "ANTHROPIC_API_KEY", "anthropic", 20.0))


def answering(body: object, status: int = 200) -> Callable[[Asked], Reply]:
    return lambda _: reply(body, status)


def test_a_question_is_asked_as_anthropic_has_it() -> None:
    """Model, instructions, prompt, schema and key go to /v1/messages, once."""
    with Server(answering(anthropic_body("{}"))) as server:
        chat_at(server).ask("Be brief.", "Hello?", schema=SCHEMA)

    [asked] = server.asked
    assert asked.path == "/v1/messages"
    assert KEY in asked.headers.get("x-api-key", "") + asked.headers.get("authorization", "")
    assert asked.json == {
        "model": "claude-x",
        "max_tokens": MOST_ANSWERED,
        "system": "Be brief.",
        "messages": [{"role": "user", "content": "Hello?"}],
        "output_config": {"format": {"type": "json_schema", "schema": SCHEMA}},
    }


def test_a_model_that_knows_no_schemas_is_asked_without() -> None:
    """Once that is found out, it is not tried again."""

    def older(asked: Asked) -> Reply:
        if "output_config" in asked.json:
            return reply({"error": {"message": "output_config: not supported"}}, 400)
        return reply(anthropic_body("{}"))

    with Server(older) as server:
        chat = chat_at(server)
        texts = [chat.ask("s", "p", schema=SCHEMA).text for _ in range(2)]

    assert texts == ["{}", "{}"]
    assert ["output_config" in asked.json for asked in server.asked] == [True, False, False]


def test_a_refusal_that_is_not_about_schemas_is_told() -> None:
    """Without a schema it is refused as well, and the next question tries one again."""
    with Server(answering({"error": {"message": "no"}}, 400)) as server:
        chat = chat_at(server)
        for _ in range(2):
            with pytest.raises(NoAnswer, match="HTTP status 400"):
                chat.ask("s", "p", schema=SCHEMA)

    assert ["output_config" in asked.json for asked in server.asked] == [True, False, True, False]


def test_texts_are_put_together_and_thoughts_left_out() -> None:
    """An answer may come in blocks of many kinds."""
    blocks = [
        {"type": "thinking", "thinking": "hm"},
        {"type": "text", "text": '{"a"'},
        {"type": "text", "text": ": 1}"},
        {"type": "text", "text": None},
        "?",
    ]
    with Server(answering({**anthropic_body(""), "content": blocks})) as server:
        assert chat_at(server).ask("s", "p", schema=SCHEMA).text == '{"a": 1}'


@pytest.mark.parametrize(
    ("more", "kind"), [({"stop_reason": "max_tokens"}, TooLong), ({"stop_reason": "refusal"}, NoAnswer)]
)
def test_an_answer_that_is_none_says_what_it_cost(more: dict[str, object], kind: type[NoAnswer]) -> None:
    """A cut or declined answer was paid for."""
    with Server(answering(anthropic_body("{", **more))) as server, pytest.raises(kind) as caught:
        chat_at(server).ask("s", "p", schema=SCHEMA)

    assert type(caught.value) is kind
    assert caught.value.used == Used(120, 30)


@pytest.mark.parametrize("body", [{}, {"type": "message"}, {"type": "message", "content": "text"}, {"choices": []}])
def test_another_protocol_is_told(body: dict[str, object]) -> None:
    """A server that speaks something else is not taken for one that has nothing to say."""
    with Server(answering(body)) as server, pytest.raises(Passing, match="something else than a message"):
        chat_at(server).ask("s", "p", schema=SCHEMA)


def test_without_usage_tokens_are_guessed() -> None:
    """A server in between may leave them out."""
    with Server(answering(anthropic_body("12345678", usage=None))) as server:
        found = chat_at(server).ask("1234", "5678", schema=SCHEMA)

    assert (found.tokens_in, found.tokens_out) == (2, 2)


def test_who_drips_is_late() -> None:
    """A byte now and then keeps a connection open, and nobody waiting."""
    with Dripping(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n") as dripping:
        place = Place(f"http://{dripping.place}", "m", KEY, "K", "anthropic", 0.3)
        with pytest.raises(Passing, match=r"within 0\.3 seconds"):
            AnthropicChat(place).ask("s", "p", schema=SCHEMA)


def test_no_redirect_is_followed() -> None:
    """A key is for one address."""
    with Server(answering(anthropic_body("{}"))) as other:
        moved = Reply(b"", 307, (("Location", f"{other.url}/v1/messages"),))
        with Server(lambda _: moved) as server, pytest.raises(ModelError, match="another address"):
            chat_at(server).ask("s", "p", schema=SCHEMA)

    assert other.asked == []


def test_nobody_there_is_told() -> None:
    """The error says where it looked."""
    with Server(answering({})) as server:
        chat = chat_at(server)
        place = server.url.removeprefix("http://")

    with pytest.raises(Passing, match=f"{place} cannot be reached") as caught:
        chat.ask("s", "p", schema=SCHEMA)

    assert caught.value.used == Used(0, 0)
