"""The command `claude` as a model."""

from pathlib import Path

import pytest

from noctuary.errors import ModelError, ModelMissing
from noctuary.models.chat.claude_program import ClaudeProgram
from noctuary.models.chat.model import NoAnswer, Passing, TooLong
from noctuary.models.chat.program import Program
from tests.unit.models.chat.answering import KEY, LONG, SCHEMA, Step, claude_envelope, environ_for, program

pytestmark = pytest.mark.slow


def claude(folder: Path, model: str = "haiku") -> ClaudeProgram:
    return ClaudeProgram(Program("claude", environ_for(folder), LONG), model)


def test_it_prints_once_without_tools_and_without_a_transcript(tmp_path: Path) -> None:
    """Its own session must not be found by the next import; it has no tools, whatever the session tells it."""
    with program(tmp_path, "claude", lambda _: Step(claude_envelope("{}"))) as asked:
        found = claude(tmp_path).ask("Be brief.", "--help", schema=SCHEMA)

        [kept] = asked()
    argv = kept.details["argv"]
    assert argv[:3] == ["-p", "--output-format", "json"]
    assert argv[argv.index("--tools") + 1] == ""
    assert argv[argv.index("--model") + 1] == "haiku"
    assert argv[argv.index("--system-prompt") + 1] == "Be brief."
    assert {"--no-session-persistence", "--strict-mcp-config"} < set(argv)
    assert kept.prompt == "--help"
    assert found == ("{}", 120, 30, 0.0125)


def test_without_a_model_it_uses_its_own(tmp_path: Path) -> None:
    """Whoever names none gets what the command is set to."""
    with program(tmp_path, "claude", lambda _: Step(claude_envelope("{}"))) as asked:
        chat = claude(tmp_path, "")
        chat.ask("s", "p", schema=SCHEMA)

        assert "--model" not in asked()[0].details["argv"]
        assert chat.name == "claude"


@pytest.mark.parametrize(
    ("step", "kind", "says"),
    [
        (Step(claude_envelope("API Error: 429 slow", is_error=True), code=1), Passing, "429 slow"),
        (Step(claude_envelope("Overloaded", is_error=True, api_error_status=529), code=1), Passing, "Overloaded"),
        (Step(claude_envelope("API Error: Connection error.", is_error=True)), Passing, "Connection"),
        (Step(claude_envelope("Invalid API key · Please run /login", is_error=True), code=1), ModelMissing, "log in"),
        (Step(claude_envelope("API Error: 401 {}", is_error=True), code=1), ModelMissing, "log in"),
        (Step(claude_envelope("Prompt is too long", is_error=True), code=1), TooLong, "too long"),
        (Step(claude_envelope("Something else", is_error=True), code=1), NoAnswer, "Something else"),
        (Step(claude_envelope("", is_error=True, subtype="error_max_turns")), NoAnswer, "error_max_turns"),
        (Step(err="error: unknown option '--tools'", code=1), ModelMissing, "claude update"),
        (Step(err="Killed", code=137), Passing, "code 137: Killed"),
        (Step("hello"), Passing, "something else than its JSON"),
        (Step("[1]"), Passing, "something else than its JSON"),
        (Step('{"type": "result"'), Passing, "something else than its JSON"),
    ],
)
def test_what_it_says_is_understood(step: Step, kind: type[ModelError], says: str, tmp_path: Path) -> None:
    """It ends with a code that says nothing; the words tell what passes and what does not."""
    with program(tmp_path, "claude", lambda _: step), pytest.raises(kind) as caught:
        claude(tmp_path).ask("s", "p", schema=SCHEMA)

    assert type(caught.value) is kind
    assert says in str(caught.value)


def test_an_error_repeats_no_key(tmp_path: Path) -> None:
    """Not even if the command does."""
    step = Step(claude_envelope(f"API Error: 400 {KEY} is no key", is_error=True), code=1)
    with program(tmp_path, "claude", lambda _: step), pytest.raises(ModelError) as caught:
        claude(tmp_path).ask("s", "p", schema=SCHEMA)

    assert KEY not in str(caught.value)


def test_the_envelope_may_be_the_last_of_many(tmp_path: Path) -> None:
    """With verbose settings it prints a list."""
    step = Step(f'[{{"type": "system"}}, {claude_envelope("{}")}]')
    with program(tmp_path, "claude", lambda _: step):
        assert claude(tmp_path).ask("s", "p", schema=SCHEMA).text == "{}"


@pytest.mark.parametrize("dollars", [None, "free", -1])
def test_a_cost_that_is_none_is_not_known(dollars: object, tmp_path: Path) -> None:
    """Then the price of the model counts."""
    step = Step(claude_envelope("12345678", total_cost_usd=dollars, usage=None))
    with program(tmp_path, "claude", lambda _: step):
        found = claude(tmp_path).ask("s", "p", schema=SCHEMA)

    assert found == ("12345678", 1 + ClaudeProgram.overhead, 2, None)
