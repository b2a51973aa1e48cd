"""Formats that a person describes in a TOML file: what may stand in it, what is said of a bad one, and what is read."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from noctuary import Memory
from noctuary.testing import messages, write_lines
from noctuary.transcripts.agents import Roster
from noctuary.transcripts.declared import Declared
from noctuary.transcripts.declared_format import BadFormat, Format, format_of, load_format
from noctuary.transcripts.items import Facts, Mark, Place
from noctuary.transcripts.ours import Ours
from noctuary.transcripts.plug_ins import Loaded
from tests.unit.transcripts.golden_cases import FORMATS

VIBE = FORMATS[0] / "vibe.toml"
NEEDED: dict[str, Any] = {"agent": "owl", "files": ["~/.owl/*.jsonl"], "fields": {"role": "role", "text": "text"}}


def described(**table: Any) -> Format:
    """A format with what every format needs, and something else."""
    return format_of(NEEDED | table)


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"agent": ""}, "agent"),
        ({"agent": "two\nlines"}, "agent"),
        ({"files": []}, "files"),
        ({"files": [5]}, "files"),
        ({"files": ["../../etc/*.json"]}, "leads out of the home folder"),
        ({"files": ["~root/*.json"]}, "leads out of the home folder"),
        ({"files": ["**/*.json"]}, "would look everywhere"),
        ({"files": ["/*/x.json"]}, "would look everywhere"),
        ({"files": [".owl/x**/a.json"]}, "must stand alone"),
        ({"shape": "xml"}, "jsonl, json"),
        ({"session_from": "moon"}, "file, folder"),
        ({"messages": "items"}, 'shape = "json"'),
        ({"fields": {"text": "text"}}, "fields.role"),
        ({"fields": {"role": "role"}}, "fields.text"),
        ({"fields": {"role": "role", "text": ""}}, "path of a field"),
        ({"fields": {"role": "role", "text": 5}}, "path of a field"),
        ({"fields": {"role": "role", "text": "a..b"}}, "a dot too many"),
        ({"fields": {"role": "role", "text": "a[x]"}}, "between brackets"),
        ({"fields": {"role": "role", "text": "text", "code": "x"}}, "fields.code"),
        ({"fields": 5}, "[fields]"),
        ({"roles": {"bot": "robot"}}, "roles.bot"),
        ({"command": "rm"}, "means nothing here"),
    ],
)
def test_what_is_wrong_is_said(table: dict[str, Any], said: str) -> None:
    """A description that cannot be used names the place, and says what to write."""
    with pytest.raises(BadFormat) as caught:
        described(**table)

    assert said in str(caught.value)


@pytest.mark.parametrize("content", [b"agent = ", b"\xff\xfe", b"a" * 200_000], ids=["cut", "no text", "huge"])
def test_a_file_that_is_no_toml_is_said_to_be_none(tmp_path: Path, content: bytes) -> None:
    """Neither a torn file nor one that is no text raises anything else."""
    (tmp_path / "x.toml").write_bytes(content)

    with pytest.raises(BadFormat):
        load_format(tmp_path / "x.toml")


def test_a_bad_format_stops_no_other(tmp_path: Path) -> None:
    """An import tells it once, with the file and what to do, and reads all the rest; the doctor warns."""
    formats = tmp_path / "memory" / "formats"
    formats.mkdir(parents=True)
    shutil.copy(VIBE, formats / "vibe.toml")
    (formats / "bad.toml").write_text('agent = "bad"')
    (formats / "notes.txt").write_text("not a format")
    write_lines(tmp_path / "home/.vibe/logs/session/one/messages.jsonl", [{"role": "user", "content": "Hello"}])

    with Memory.open(tmp_path / "memory", user_home=tmp_path / "home") as memory:
        report = memory.import_transcripts()
        warned = [check.detail for check in memory.doctor().checks if check.name == "transcripts"]

    assert report.messages == 1
    [problem] = report.problems
    assert str(formats / "bad.toml") in problem
    assert "fields.role" in problem
    assert [problem] == warned


def test_ours_wins(tmp_path: Path) -> None:
    """A format for an agent that we read ourselves is left out, and that is told."""
    (tmp_path / "codex.toml").write_text(VIBE.read_text().replace('agent = "vibe"', 'agent = "codex"'))

    roster = Roster(tmp_path, Loaded())

    assert [type(each) for each in roster.adapters if each.name == "codex"] == [Ours]
    assert ["codex" in problem for problem in roster.problems] == [True]


def test_absolute_patterns_lead_anywhere(tmp_path: Path) -> None:
    """Whoever writes the whole path means it; each file is found once, whatever patterns and links lead to it."""
    write_lines(tmp_path / "data/one.jsonl", [])
    (tmp_path / "data/two.jsonl").symlink_to(tmp_path / "data/one.jsonl")
    adapter = Declared(described(files=[f"{tmp_path}/data/*.jsonl", f"{tmp_path}/**/one.jsonl"]))

    assert [source.path for source in adapter.find(tmp_path / "home", {})] == [tmp_path / "data/one.jsonl"]


def test_a_log_is_read_on_where_it_was_left(tmp_path: Path) -> None:
    """Only new lines are told, with the facts that were not told yet; a copy of a state is plain JSON."""
    adapter = Declared(described(fields={"role": "role", "text": "text", "cwd": "cwd", "session": "s"}))
    path = tmp_path / ".owl/one.jsonl"
    write_lines(path, [{"role": "user", "text": "Hello", "cwd": "/shop", "s": "named"}])
    [source] = adapter.find(tmp_path, {})
    mark = list(adapter.read(source, Place()))[-1]
    assert isinstance(mark, Mark)
    state = json.loads(json.dumps(mark.place.state))
    with path.open("a") as file:
        file.write('{"role":"assistant","text":"Good day.","cwd":"/shop"}\n')

    place = Place(offset=mark.place.offset, line=mark.place.line, state=state)
    items = list(adapter.read(source, place))

    assert [(message.content, message.source_line) for message in messages(items)] == [("Good day.", 2)]
    assert [item for item in items if isinstance(item, Facts)] == []


def test_a_format_without_times_takes_that_of_the_file(tmp_path: Path) -> None:
    """Never that of the import."""
    adapter = Declared(described())
    path = tmp_path / ".owl/one.jsonl"
    write_lines(path, [{"role": "user", "text": "Hello"}])
    [source] = adapter.find(tmp_path, {})

    assert [m.ts_ms for m in messages(list(adapter.read(source, Place())))] == [path.stat().st_mtime_ns // 1_000_000]


def test_a_document_that_changes_is_compared(tmp_path: Path) -> None:
    """An answer that was still being written is replaced, and only what is new is added."""
    form = described(
        shape="json", files=[".owl/*.json"], messages="items", fields={"role": "r", "text": "t", "id": "n"}
    )
    path = tmp_path / "home/.owl/one.json"
    path.parent.mkdir(parents=True)
    said = [{"n": 1, "r": "user", "t": "Hello"}, {"n": 2, "r": "model", "t": "Goo"}]
    path.write_text(json.dumps({"items": said}))
    [source] = Declared(form).find(tmp_path / "home", {})
    mark = list(Declared(form).read(source, Place()))[-1]
    assert isinstance(mark, Mark)
    said[1]["t"] = "Good day."
    path.write_text(json.dumps({"items": [*said, {"n": 3, "r": "user", "t": "Bye"}]}))

    items = list(Declared(form).read(source, mark.place))

    assert [message.content for message in messages(items)] == ["Good day.", "Bye"]


def test_the_page_shows_the_example() -> None:
    """What docs/formats.md shows is what is shipped."""
    page = (Path(__file__).parents[3] / "docs" / "formats.md").read_text(encoding="utf-8")

    assert VIBE.read_text(encoding="utf-8") in page
