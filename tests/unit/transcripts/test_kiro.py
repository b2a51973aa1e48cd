"""What the golden cases of Kiro cannot show: change, and where its sessions are."""

import json
import shutil
from pathlib import Path

import pytest

from noctuary.transcripts.items import Facts, Place
from noctuary.transcripts.kiro import Kiro
from tests.unit.transcripts.foreign_homes import as_shown, counts, home_of, imports

LINES = Path(".kiro/sessions/cli")


def prompt(text: str, at: int = 0) -> dict[str, object]:
    return {"kind": "Prompt", "data": {"content": [{"kind": "text", "data": text}], "meta": {"timestamp": at}}}


def answer(text: str) -> dict[str, object]:
    return {"kind": "AssistantMessage", "data": {"content": [{"kind": "text", "data": text}]}}


def reset(index: object) -> dict[str, object]:
    return {"kind": "ResetTo", "data": {"target_index": index}}


def write(home: Path, *lines: object) -> Path:
    """A session of the command line."""
    path = home / LINES / "s1.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def read(home: Path) -> list[str]:
    [source] = Kiro().find(home, {})
    return as_shown(list(Kiro().read(source, Place())))


@pytest.mark.parametrize(
    ("index", "kept"),
    [
        (2, ["one", "first"]),
        (1, ["one", "first"]),
        (0, []),
        (9, ["one", "first", "two", "second"]),
        (-1, None),
        ("1", None),
    ],
)
def test_turns_are_taken_back_whole(tmp_path: Path, index: object, kept: list[str] | None) -> None:
    """A reset leaves what comes before the prompt that it reaches; an index that is none changes nothing.

    What it takes back is told as that.
    """
    said = ["one", "first", "two", "second"]
    write(tmp_path, prompt("one"), answer("first"), prompt("two"), answer("second"), reset(index), prompt("three"))

    left = said if kept is None else kept
    assert read(tmp_path) == [*left, "three", *(f"({each})" for each in said[len(left) :])]


def test_what_is_reset_is_taken_back(tmp_path: Path) -> None:
    """What an earlier import told goes when a later line takes it back; what was added is told."""
    home = tmp_path / "home"
    turns = [prompt("one", 1772355600), answer("first"), prompt("two"), answer("second")]
    write(home, *turns)
    with imports(tmp_path) as memory:
        first = memory.import_transcripts()
        write(home, *turns, reset(2), prompt("three"))
        second = memory.import_transcripts()

    assert (counts(first), counts(second)) == ((4, 0), (1, 2))


def test_a_title_may_come_later(tmp_path: Path) -> None:
    """What is told about a session beside it is read when it changes."""
    path = write(tmp_path / "home", prompt("one"))
    with imports(tmp_path) as memory:
        memory.import_transcripts()
        before = memory.session("s1").title
        path.with_suffix(".json").write_text('{"title":"The first","cwd":"/srv/shop"}')
        memory.import_transcripts()
        after = memory.session("s1").title

    assert (before, after) == ("one", "The first")


def test_a_broken_sidecar_costs_what_it_would_have_told(tmp_path: Path) -> None:
    """What was said counts more than what is told about it."""
    write(tmp_path, prompt("one")).with_suffix(".json").write_text("{")

    assert read(tmp_path) == ["one"]


def test_a_variable_names_the_home_folder(tmp_path: Path) -> None:
    """The command line may have another home folder; the editor does not, so both are looked at."""
    home = home_of("kiro", "lines", tmp_path)
    shutil.move(home / ".kiro", tmp_path / "elsewhere")
    write(home, prompt("one"))

    found = [source.path for source in Kiro().find(home, {"KIRO_HOME": str(tmp_path / "elsewhere")})]

    assert [path.parents[2] for path in found] == [tmp_path / "elsewhere"] * 2 + [home / ".kiro"]


def test_a_sub_agent_belongs_to_its_parent(tmp_path: Path) -> None:
    """Only a session that names a parent is one of a sub-agent, whatever it says of why it was made."""
    home = home_of("kiro", "lines", tmp_path)

    parents = []
    for source in Kiro().find(home, {}):
        [facts] = [item for item in Kiro().read(source, Place()) if isinstance(item, Facts)]
        parents.append(facts.parent)

    assert parents == [None, "0a1b2c3d-0000-4000-8000-000000000001"]


@pytest.mark.parametrize(
    "line",
    [
        {"kind": 7, "data": 7},
        {"kind": "Prompt", "data": {"content": [7, {"kind": "text", "data": {}}], "meta": 3}},
        {"kind": "AssistantMessage", "data": {"content": [{"kind": "toolUse", "data": "x"}, {"kind": "thinking"}]}},
        {"kind": "ToolResults", "data": {"content": [{"kind": "toolResult", "data": {"content": [7, None, [1]]}}]}},
        {"kind": "Compaction", "data": {"summary": 7}},
    ],
)
def test_a_line_of_any_shape_costs_only_itself(tmp_path: Path, line: object) -> None:
    """Fields of the wrong type count as absent."""
    write(tmp_path, prompt("one"), line, answer("first"))

    said = read(tmp_path)

    assert (said[0], said[-1]) == ("one", "first")
