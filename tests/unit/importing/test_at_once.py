"""Two that write to one memory at the same time."""

from pathlib import Path

import pytest

from noctuary.app import Memory
from noctuary.forgetting import Forgotten
from noctuary.importing.batch import MOST_MESSAGES
from noctuary.testing import ClaudeTranscript


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with one transcript of more than two batches."""
    transcript = ClaudeTranscript()
    for i in range(MOST_MESSAGES + MOST_MESSAGES // 4):
        transcript.say(f"question {i}").reply(f"answer {i}")
    transcript.save(tmp_path / "home")
    return tmp_path / "home"


@pytest.mark.slow
def test_two_imports_double_nothing(home: Path, tmp_path: Path) -> None:
    """A second import between two batches of the first takes over, and nothing is stored twice."""
    with Memory.open(tmp_path / "m", user_home=home) as first, Memory.open(tmp_path / "m", user_home=home) as second:
        others: list[int] = []

        def meanwhile(_done: int, _total: int) -> None:
            if not others and first.status().messages:
                others.append(second.import_transcripts().messages)

        mine = first.import_transcripts(progress=meanwhile).messages

        assert others
        assert mine + others[0] == first.status().messages == 2 * (MOST_MESSAGES + MOST_MESSAGES // 4)
        assert first.doctor().is_healthy


@pytest.mark.slow
def test_what_is_forgotten_during_an_import_stays_forgotten(home: Path, tmp_path: Path) -> None:
    """Forgetting a session or a text between two batches holds for the batches that follow, and for later imports."""
    with Memory.open(tmp_path / "m", user_home=home) as memory, Memory.open(tmp_path / "m", user_home=home) as other:
        done: list[int] = []

        def meanwhile(_done: int, _total: int) -> None:
            if not done and memory.status().messages:
                done.append(other.forget(Forgotten(text=f"question {MOST_MESSAGES}")))
                done.append(other.forget(Forgotten(session=other.sessions()[0].id)))

        memory.import_transcripts(progress=meanwhile)
        memory.import_transcripts()

        assert done
        assert memory.sessions() == []
