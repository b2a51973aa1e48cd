"""The command `codex` as a model."""

import json
from pathlib import Path

import pytest

from noctuary.errors import ModelError, ModelMissing
from noctuary.models.chat.codex_program import CodexProgram
from noctuary.models.chat.model import NoAnswer, Passing, TooLong
from noctuary.models.chat.program import Program
from tests.unit.models.chat.answering import (
    LONG,
    SCHEMA,
    Step,
    codex_failure,
    codex_lines,
    environ_for,
    program,
)

pytestmark = pytest.mark.slow


def codex(folder: Path, model: str = "gpt-5") -> CodexProgram:
    return CodexProgram(Program("codex", environ_for(folder), LONG), model)


def test_it_runs_once_read_only_and_without_a_transcript(tmp_path: Path) -> None:
    """Its own session must not be found by the next import; the prompt is on its input, the schema in a file."""
    with program(tmp_path, "codex", lambda _: Step(codex_lines("{}"))) as asked:
        found = codex(tmp_path).ask("Be brief.", "Hello?", schema=SCHEMA)

        [kept] = asked()
    argv = kept.details["argv"]
    assert argv[:2] == ["exec", "--json"]
    assert argv[argv.index("--sandbox") + 1] == "read-only"
    assert argv[argv.index("--model") + 1] == "gpt-5"
    assert argv[-1] == "-"
    assert {"--ephemeral", "--skip-git-repo-check"} < set(argv)
    assert json.loads(kept.details["files"][argv[argv.index("--output-schema") + 1]]) == SCHEMA
    assert kept.prompt == "Be brief.\n\nHello?"
    assert found == ("{}", 120, 30, None)


def test_the_last_message_is_the_answer(tmp_path: Path) -> None:
    """It may think aloud before, and print lines that are no events."""
    first = {"type": "item.completed", "item": {"type": "agent_message", "text": "Let me see."}}
    out = f"warning: old\n{json.dumps(first)}\n[1]\n{codex_lines('{}')}"
    with program(tmp_path, "codex", lambda _: Step(out)):
        assert codex(tmp_path).ask("s", "p", schema=SCHEMA).text == "{}"


def test_without_a_model_it_uses_its_own(tmp_path: Path) -> None:
    """Whoever names none gets what the command is set to; without counts, tokens are guessed."""
    with program(tmp_path, "codex", lambda _: Step(codex_lines("12345678", other=1))) as asked:
        chat = codex(tmp_path, "")
        found = chat.ask("s", "p", schema=SCHEMA)

        assert "--model" not in asked()[0].details["argv"]
    assert chat.name == "codex"
    assert found == ("12345678", 1 + CodexProgram.overhead, 2, None)


@pytest.mark.parametrize(
    ("step", "kind", "says"),
    [
        (Step(codex_failure("last status: 429 Too Many Requests"), code=1), Passing, "429"),
        (Step(codex_failure("stream disconnected before completion"), code=1), Passing, "stream"),
        (Step(codex_failure("You've hit your usage limit."), code=1), Passing, "usage limit"),
        (Step(codex_failure("ran out of room in the model's context window"), code=1), TooLong, "at a time"),
        (Step(codex_failure("unexpected status 401 Unauthorized"), code=1), ModelMissing, "codex login"),
        (Step(codex_failure("The model is not supported"), code=1), NoAnswer, "not supported"),
        (Step('{"type": "error", "message": "broken pipe of dreams"}\n', code=1), NoAnswer, "broken pipe of dreams"),
        (Step(err="error: unexpected argument '--ephemeral' found", code=2), ModelMissing, "newer"),
        (Step(err="panicked", code=101), NoAnswer, "panicked"),
        (Step(code=1), Passing, "it said nothing"),
        (Step("<html>"), Passing, "it said nothing"),
        (Step('{"type": "turn.failed", "error": "text"}\n'), Passing, "it said nothing"),
    ],
)
def test_what_it_says_is_understood(step: Step, kind: type[ModelError], says: str, tmp_path: Path) -> None:
    """The words tell what passes and what does not."""
    with program(tmp_path, "codex", lambda _: step), pytest.raises(kind) as caught:
        codex(tmp_path).ask("s", "p", schema=SCHEMA)

    assert type(caught.value) is kind
    assert says in str(caught.value)
