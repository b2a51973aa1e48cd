"""A secret that a command prints stands alone in its result, and only the call says that it is one."""

from pathlib import Path

import pytest

from noctuary.app import Memory
from noctuary.testing import ClaudeTranscript, CodexTranscript
from tests.unit.importing.machine import open_memory, said

SECRET = "Kq7v" + "T2mR9wK4"
OTHER = "quartz-" + "maple-5929-river"


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return open_memory(tmp_path / "memory", tmp_path / "user")


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("Bash", {"command": "cat /run/secrets/db_password"}),
        ("Bash", {"command": "kubectl get secret db -o jsonpath='{.data.p}' | base64 -d"}),
        ("Bash", {"command": "op read op://shop/db/password"}),
        ("Bash", {"command": "echo $DB_PASSWORD"}),
        ("Read", {"file_path": "/run/secrets/db_password"}),
    ],
)
def test_what_such_a_call_prints_goes(tool: str, given: dict[str, str], memory: Memory, tmp_path: Path) -> None:
    """Whether it is a random word or a phrase, numbered or not; what is said beside it stays."""
    talk = ClaudeTranscript("s-1").say("Which one is it?").call(tool, given)
    talk.result(f"     1→{SECRET}\n     2→{OTHER}\nDone in 2s, see v2").save(tmp_path / "user")

    memory.import_transcripts()

    told = "\n".join(said(memory, "s-1"))
    assert SECRET not in told
    assert OTHER not in told
    assert "Done in 2s, see v2" in told


def test_also_of_codex_and_when_the_result_comes_later(memory: Memory, tmp_path: Path) -> None:
    """An import between the call and its result remembers the call."""
    talk = CodexTranscript("s-1").prompt("Which one is it?").call("exec_command", {"cmd": "printenv API_TOKEN"})
    talk.save(tmp_path / "user")
    memory.import_transcripts()
    talk.result(SECRET).save(tmp_path / "user")

    memory.import_transcripts()

    assert any("redacted:secret" in text for text in said(memory, "s-1"))
    assert not any(SECRET in text for text in said(memory, "s-1"))


def test_what_other_calls_print_stays(memory: Memory, tmp_path: Path) -> None:
    """A word alone is no secret for itself: it may be a commit, a version or a name."""
    talk = ClaudeTranscript("s-1").say("Which one is it?").call("Bash", {"command": "git rev-parse HEAD"})
    talk.result(SECRET).call("Bash", {"command": "echo $HOME"}).result("/home/ana2").save(tmp_path / "user")

    memory.import_transcripts()

    assert SECRET in "\n".join(said(memory, "s-1"))
    assert "/home/ana2" in "\n".join(said(memory, "s-1"))
