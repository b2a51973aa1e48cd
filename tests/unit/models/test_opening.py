"""Opening what reads sessions and words memories."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from noctuary.errors import BadSettings, ModelMissing
from noctuary.models.chat.meter import Meter
from noctuary.models.chat.model import Price
from noctuary.models.chat.prices import FREE, PRICES
from noctuary.models.opening import open_chat, open_extractor, open_model, open_writer
from noctuary.models.rules.extractor import RulesExtractor
from noctuary.redact import redact
from tests.unit.models.chat.answering import SCHEMA, Step, claude_envelope, environ_for, openai_body, program, reply
from tests.unit.models.serving import Asked, Server

KEYS = {"ANTHROPIC_API_KEY": "sk-for-anthropic", "OPENAI_API_KEY": "sk-for-openai", "NOCTUARY_MODEL_KEY": "sk-for-any"}
LOCAL = "http://localhost:11434/v1"


def test_rules_are_the_reader_without_a_model() -> None:
    """It needs nothing, and words nothing anew."""
    chat = open_model("rules", environ={}, timeout_seconds=1.0)

    assert chat is None
    assert isinstance(open_extractor(chat, Meter(), redact=redact), RulesExtractor)


@pytest.mark.parametrize("backend", ["", "gemini", "Rules"])
def test_a_backend_that_is_not_there_is_told(backend: str) -> None:
    """The error lists those that are."""
    with pytest.raises(BadSettings, match="rules, anthropic, openai, claude, codex"):
        open_model(backend, environ={}, timeout_seconds=1.0)


@pytest.mark.parametrize(
    ("backend", "name"), [("anthropic", "anthropic:claude-haiku-4-5"), ("openai", "openai:gpt-5-mini")]
)
def test_a_vendor_has_a_usual_model(backend: str, name: str) -> None:
    """Whoever has a key needs to say no more."""
    chat = open_model(backend, environ=KEYS, timeout_seconds=1.0)

    assert chat is not None
    assert open_extractor(chat, Meter(), redact=redact).name == name
    assert open_writer(chat, Meter(), redact=redact).name == name


@pytest.mark.parametrize(("backend", "key"), [("anthropic", "ANTHROPIC_API_KEY"), ("openai", "OPENAI_API_KEY")])
def test_a_vendor_needs_a_key(backend: str, key: str) -> None:
    """The error says where to put it; a blank one is none."""
    for environ in ({}, {key: "  "}):
        with pytest.raises(ModelMissing, match=f"set {key}"):
            open_chat(backend, environ=environ)


def test_a_server_of_ones_own_needs_a_models_name() -> None:
    """Nobody else knows which models it has."""
    with pytest.raises(BadSettings, match=r"Which model at localhost:11434/v1\?"):
        open_chat("openai", address=LOCAL, environ=KEYS)


@pytest.mark.parametrize("address", ["localhost:11434", "ftp://localhost", "http://me:secret@localhost/v1"])
def test_an_address_that_is_none_is_told(address: str) -> None:
    """Without repeating it: it may have a password in it."""
    with pytest.raises(BadSettings, match="http or https") as caught:
        open_chat("openai", model="m", address=address, environ=KEYS)

    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("more", "key"),
    [
        ({}, "sk-for-any"),
        ({"NOCTUARY_MODEL_KEY": ""}, "none"),
        ({"OPENAI_BASE_URL": "{url}/v1"}, "sk-for-openai"),
        ({"OPENAI_BASE_URL": "https://other.example/v1"}, "sk-for-any"),
    ],
)
def test_a_key_goes_to_whom_it_is_for(more: dict[str, str], key: str) -> None:
    """That of a vendor goes to the vendor, or to the address that the same environment names for it; to no other."""
    with Server(lambda _: reply(openai_body("{}"))) as server:
        environ = {**KEYS, **{name: value.format(url=server.url) for name, value in more.items()}}
        open_chat("openai", model="m", address=f"{server.url}/v1", environ=environ).ask("s", "p", schema=SCHEMA)

    assert server.asked[0].headers["authorization"] == f"Bearer {key}"


def test_the_address_of_the_environment_is_used() -> None:
    """As the vendors' own libraries do."""

    def answer(_: Asked) -> object:
        return reply(openai_body("{}"))

    with Server(answer) as server:  # type: ignore[arg-type]
        environ = {**KEYS, "OPENAI_BASE_URL": f"{server.url}/v1"}
        open_chat("openai", model="m", environ=environ).ask("s", "p", schema=SCHEMA)

    assert len(server.asked) == 1


def test_prices_are_known_or_given() -> None:
    """By the model's name; what runs here is free."""
    assert open_chat("anthropic", environ=KEYS).price == PRICES["claude-haiku-4-5"]
    assert open_chat("anthropic", environ=KEYS, model="new").price is None
    assert open_chat("anthropic", environ=KEYS, model="new", prices={"n": Price(1, 2)}).price == Price(1, 2)
    assert open_chat("openai", environ=KEYS, model="llama3", address=LOCAL).price == FREE


@pytest.mark.parametrize("name", ["claude", "codex"])
def test_commands_are_opened(name: str, tmp_path: Path) -> None:
    """They use what the user logged in with."""
    with program(tmp_path, name, lambda _: Step(claude_envelope("{}"))):
        chat = open_chat(name, model="m", environ=environ_for(tmp_path))

    assert chat.name == f"{name}:m"


def test_a_command_that_is_not_there_is_told(tmp_path: Path) -> None:
    """When it is opened, not in the middle of a dream."""
    with pytest.raises(ModelMissing, match="no command codex"):
        open_chat("codex", environ=environ_for(tmp_path))


WITHOUT = """
import sys
sys.modules["{name}"] = None
from noctuary.errors import ModelMissing
from noctuary.models.opening import open_chat
chat = open_chat("{name}", model="m", address="http://127.0.0.1:9/v1", environ={{}})
try:
    chat.ask("s", "p", schema={{}})
except ModelMissing as error:
    assert "pip install 'noctuary[{name}]'" in str(error), error
else:
    raise AssertionError
"""


@pytest.mark.parametrize("name", ["anthropic", "openai"])
def test_a_library_that_is_not_installed_is_told(name: str) -> None:
    """The error says what to run."""
    subprocess.run([sys.executable, "-c", WITHOUT.format(name=name)], check=True, env=dict(os.environ))


def test_no_library_is_loaded_before_it_is_needed() -> None:
    """To open a reader costs nothing; the libraries take seconds to load."""
    code = "import sys, noctuary.models.opening; assert not {'anthropic', 'openai', 'httpx2'} & set(sys.modules)"

    subprocess.run([sys.executable, "-c", code], check=True, env=dict(os.environ))
