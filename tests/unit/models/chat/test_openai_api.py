"""Models behind OpenAI's protocol, on a real server."""

from collections.abc import Callable

import pytest

from noctuary.errors import ModelError
from noctuary.models.chat.model import MOST_ANSWERED, NoAnswer, Passing, TooLong, Used
from noctuary.models.chat.openai_api import OpenAIChat
from noctuary.models.chat.server import Server as Place
from tests.unit.models.chat.answering import KEY, SCHEMA, openai_body, reply
from tests.unit.models.serving import Asked, Dripping, Reply, Server

pytestmark = pytest.mark.slow


def chat_at(server: Server, key: str = KEY) -> OpenAIChat:
    return OpenAIChat(Place(f"{server.url}/v1", "llama3", key, "NOCTUARY_MODEL_KEY", "openai", 20.0))


def answering(body: object, status: int = 200) -> Callable[[Asked], Reply]:
    return lambda _: reply(body, status)


def test_a_question_is_asked_as_openai_has_it() -> None:
    """Model, instructions, prompt, schema and key go to {url}/chat/completions, once."""
    with Server(answering(openai_body("{}"))) as server:
        chat_at(server).ask("Be brief.", "Hello?", schema=SCHEMA)

    [asked] = server.asked
    assert asked.path == "/v1/chat/completions"
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert asked.json == {
        "model": "llama3",
        "max_tokens": MOST_ANSWERED,
        "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hello?"}],
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "answer", "strict": True, "schema": SCHEMA},
        },
    }


@pytest.mark.parametrize("status", [400, 404, 422, 501])
def test_a_server_that_knows_no_schemas_is_asked_without(status: int) -> None:
    """Once that is found out, it is not tried again."""

    def older(asked: Asked) -> Reply:
        if "response_format" in asked.json:
            return reply({"error": {"message": "response_format is not supported"}}, status)
        return reply(openai_body("{}"))

    with Server(older) as server:
        chat = chat_at(server)
        texts = [chat.ask("s", "p", schema=SCHEMA).text for _ in range(2)]

    assert texts == ["{}", "{}"]
    assert ["response_format" in asked.json for asked in server.asked] == [True, False, False]


def test_without_a_key_none_of_the_users_is_sent() -> None:
    """A server on this machine needs no key, and gets no other one."""
    with Server(answering(openai_body("{}"))) as server:
        chat_at(server, "").ask("s", "p", schema=SCHEMA)

    assert server.asked[0].headers["authorization"] == "Bearer none"


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (openai_body("{", finish="length"), TooLong),
        (openai_body("", finish="content_filter"), NoAnswer),
        (openai_body(None) | {"choices": [{"message": {"content": None, "refusal": "I will not"}}]}, NoAnswer),
    ],
)
def test_an_answer_that_is_none_says_what_it_cost(body: dict[str, object], kind: type[NoAnswer]) -> None:
    """A cut or declined answer was paid for."""
    with Server(answering(body)) as server, pytest.raises(kind) as caught:
        chat_at(server).ask("s", "p", schema=SCHEMA)

    assert type(caught.value) is kind
    assert caught.value.used == Used(120, 30)


@pytest.mark.parametrize(
    "body", [{}, {"choices": []}, {"choices": ["x"]}, {"choices": [{"text": "old"}]}, {"choices": {}}]
)
def test_another_protocol_is_told(body: dict[str, object]) -> None:
    """A server that speaks something else is not taken for one that has nothing to say."""
    with Server(answering(body)) as server, pytest.raises(Passing, match="something else than a chat completion"):
        chat_at(server).ask("s", "p", schema=SCHEMA)


def test_a_prompt_that_was_cut_silently_is_told() -> None:
    """Ollama reads as much as its context holds and says nothing; its count of tokens tells."""
    usage = {"prompt_tokens": 2_050, "completion_tokens": 30}
    with Server(answering(openai_body("{}", usage=usage))) as server:
        chat = chat_at(server)
        fits = chat.ask("s", "word " * 4_000, schema=SCHEMA)
        with pytest.raises(TooLong, match=r"read only 2,050 of about 10,001 tokens.* OLLAMA_CONTEXT_LENGTH"):
            chat.ask("s", "word " * 8_000, schema=SCHEMA)

    assert fits.text == "{}"


@pytest.mark.parametrize(("code", "kind"), [(429, Passing), ("busy", Passing), (None, Passing), (402, NoAnswer)])
def test_an_error_in_a_good_answer_is_an_error(code: object, kind: type[NoAnswer]) -> None:
    """Routers say 200 before they know."""
    body = {"error": {"code": code, "message": "no luck"}}
    with Server(answering(body)) as server, pytest.raises(kind, match="no luck") as caught:
        chat_at(server).ask("s", "p", schema=SCHEMA)

    assert type(caught.value) is kind


def test_who_drips_is_late() -> None:
    """A byte now and then keeps a connection open, and nobody waiting."""
    with Dripping(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n") as dripping:
        place = Place(f"http://{dripping.place}/v1", "m", KEY, "K", "openai", 0.3)
        with pytest.raises(Passing, match=r"within 0\.3 seconds"):
            OpenAIChat(place).ask("s", "p", schema=SCHEMA)


def test_without_usage_tokens_are_guessed() -> None:
    """Not every server counts."""
    with Server(answering(openai_body("12345678", usage=None))) as server:
        found = chat_at(server).ask("1234", "5678", schema=SCHEMA)

    assert (found.tokens_in, found.tokens_out) == (2, 2)


def test_no_redirect_is_followed() -> None:
    """A key is for one address."""
    with Server(answering(openai_body("{}"))) as other:
        moved = Reply(b"", 307, (("Location", f"{other.url}/v1/chat/completions"),))
        with Server(lambda _: moved) as server, pytest.raises(ModelError, match="another address"):
            chat_at(server).ask("s", "p", schema=SCHEMA)

    assert other.asked == []
