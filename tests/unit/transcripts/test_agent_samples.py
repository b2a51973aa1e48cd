"""Samples of other projects, which are not ours to keep: what people typed in them was counted by hand.

All messages were counted by hand, too, but for those of Aider, whose answers and notices are what the adapter told when
this was written: that number only holds it to what it does.

They are looked for beside this repository, in `shared/bench/agent-samples`; without them there is nothing to test.
"""

import json
import shutil
from pathlib import Path

import apsw
import pytest

from noctuary import Memory
from noctuary.records import Role
from noctuary.testing import messages
from noctuary.transcripts.agents import adapters
from noctuary.transcripts.aider import Aider
from noctuary.transcripts.items import Facts, Item, Place, Source

_BESIDE = (folder / "shared" / "bench" / "agent-samples" for folder in Path(__file__).parents)
SAMPLES = next((folder for folder in _BESIDE if folder.is_dir()), Path("no samples"))
pytestmark = pytest.mark.skipif(not SAMPLES.is_dir(), reason="the samples of other projects are not here")

# Where each agent would have kept its sample.
LAYOUT = {
    "aider": "code",
    "amp/thread-001.json": ".local/share/amp/threads/T-001.json",
    "antigravity": ".gemini/antigravity",
    "chatgpt_real": "Library/Application Support/com.openai.chat",
    "claude_code_real": ".claude",
    "cline/task1": ".config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks/1700000000000",
    "codex_real": ".codex",
    "copilot/cli_prompt_output_unicode.events.jsonl": ".copilot/session-state/one/events.jsonl",
    "copilot/cli_truncated_resume.events.jsonl": ".copilot/session-state/two/events.jsonl",
    "copilot/legacy_history_human.json": ".copilot/history-session-state/three.json",
    "gemini": ".gemini/tmp",
    "opencode_json": ".local/share/opencode/storage",
    "pi_agent": ".pi/agent",
}
# How many messages a person or a model said, thought, called or was answered with, and how many of them were typed.
COUNTED = {
    "aider": (75, 12 + 27),
    "amp": (2, 1),
    "antigravity": (7, 1),
    "chatgpt": (5, 3),
    "claude-code": (3, 1),
    "cline": (3, 1),
    "codex": (6, 2),
    "copilot-cli": (6, 3),
    "cursor": (5, 2),
    "gemini": (2, 1),
    "opencode": (2, 1),
    "pi": (7, 2),
}
# The lines on which each prompt in the histories of Aider begins and ends, as a person sees them.
PROMPTS = {
    "metadata": "15 43-58 135-142 190-195 238-248 344-354 422-430 574 636 678-691 765 806",
    "simple-calculator": (
        "18 69 268 457 461 589 593 794 1165 1210 1227 1302 1461-1478 1584 1649 1652 1655 1811 1818 1846 1853 2209 2212 "
        "2656-2662 2716 2720 2776"
    ),
}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home folder in which every agent left its sample."""
    home = tmp_path / "home"
    for sample, place in LAYOUT.items():
        (home / place).parent.mkdir(parents=True, exist_ok=True)
        if (SAMPLES / sample).is_dir():
            shutil.copytree(SAMPLES / sample, home / place, dirs_exist_ok=True)
        else:
            shutil.copyfile(SAMPLES / sample, home / place)
    keep_in_cursor(home / ".config/Cursor/User/globalStorage/state.vscdb")
    return home


def keep_in_cursor(path: Path) -> None:
    """The samples of Cursor are rows; its database is made of them."""
    path.parent.mkdir(parents=True)
    connection = apsw.Connection(str(path))
    connection.execute("create table cursorDiskKV (key text primary key, value blob)")
    for sample in sorted((SAMPLES / "cursor").iterdir()):
        kept = json.loads(sample.read_text())
        rows = [
            (kept["composer_key"], kept["composer_data"]),
            *((row["key"], row["value"]) for row in kept["bubble_rows"]),
        ]
        for key, value in rows:
            connection.execute("insert into cursorDiskKV values (?, ?)", (key, json.dumps(value)))
    connection.close()


def told(home: Path) -> dict[str, list[tuple[Source, list[Item]]]]:
    found: dict[str, list[tuple[Source, list[Item]]]] = {}
    for adapter in adapters():
        for source in adapter.find(home, {}):
            found.setdefault(adapter.name, []).append((source, list(adapter.read(source, Place()))))
    return found


def test_all_that_was_said_in_every_sample(home: Path) -> None:
    """Nothing is lost, nothing is told twice, and nothing counts as typed that was not."""
    counted = {}
    for agent, read in told(home).items():
        said = [message for _, items in read for message in messages(items) if message.hidden is None]
        counted[agent] = (len(said), sum(message.role is Role.USER for message in said))

    assert counted == COUNTED


@pytest.mark.parametrize("name", PROMPTS)
def test_every_prompt_in_the_histories_of_aider(name: str) -> None:
    """All that people typed is found, word for word and in order."""
    path = SAMPLES / "aider" / name / ".aider.chat.history.md"
    lines = path.read_text(encoding="utf-8").split("\n")
    expected = []
    for numbers in PROMPTS[name].split():
        first, _, last = numbers.partition("-")
        typed = lines[int(first) - 1 : int(last or first)]
        expected.append("\n".join(line.removeprefix("#### ").removesuffix("  ") for line in typed).strip())

    items = list(Aider().read(Source(adapter="aider", path=path, session="", is_log=False), Place()))

    said = [message for message in messages(items) if message.role is Role.USER and message.hidden is None]
    assert [message.content for message in said] == expected
    assert len(expected) == {"metadata": 12, "simple-calculator": 27}[name]


def test_titles_and_places_of_samples(home: Path) -> None:
    """What a session was called, and where it took place."""
    facts = [item for read in told(home).values() for _, items in read for item in items if isinstance(item, Facts)]

    titles = {item.title for item in facts}
    assert {"Amp sample thread", "Cline fixture task", "OpenCode JSON Session", "Cursor Headers Fixture"} <= titles
    assert {"/workspaces/legacy-copilot", "/test/project", "/workspace/cursor-fixture"} <= {item.cwd for item in facts}


def test_every_sample_is_brought_in_once(home: Path, tmp_path: Path) -> None:
    """A second import adds nothing and opens nothing."""
    with Memory.open(tmp_path / "memory", user_home=home) as memory:
        first = memory.import_transcripts()
        second = memory.import_transcripts()

    assert first.messages >= sum(all_said for all_said, _ in COUNTED.values())
    assert (second.messages, second.sessions, second.unchanged) == (0, 0, second.found)
