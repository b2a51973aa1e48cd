"""What the sessions of Factory Droid become, where a golden case cannot show it."""

from pathlib import Path
from typing import Any

from noctuary import Memory
from noctuary.testing import messages, write_lines
from noctuary.transcripts.droid import Droid
from noctuary.transcripts.items import Facts, Place, Skipped

START = {"type": "session_start", "id": "one", "title": "New Session", "version": 2, "cwd": "/home/ana/shop"}


def said(name: str, text: Any, role: str = "user") -> dict[str, Any]:
    message = {"role": role, "content": text}
    return {"type": "message", "id": name, "timestamp": "2026-03-01T09:00:00.000Z", "message": message}


def save(home: Path, *records: dict[str, Any], name: str = "one", **start: Any) -> Path:
    return write_lines(home / f".factory/sessions/-shop/{name}.jsonl", [{**START, **start}, *records])


def test_only_what_is_new_is_added(tmp_path: Path) -> None:
    """A session that has grown adds what is new, and a fork what its parent does not have."""
    home = tmp_path / "home"
    begun = [said("1", "Hello"), said("2", "Hi", "assistant")]
    save(home, *begun)
    with Memory.open(tmp_path / "memory", user_home=home) as memory:
        first = memory.import_transcripts()
        save(home, *begun, said("3", "Go left"))
        save(home, *begun, said("4", "Go right"), name="two", parent="one")
        second = memory.import_transcripts()

    assert (first.messages, second.messages) == (2, 2)


def test_home_of_droid(tmp_path: Path) -> None:
    """Droid is told by a variable which home folder to take; some mean its own folder by it."""
    save(tmp_path / "elsewhere")

    for chosen in ("elsewhere", "elsewhere/.factory"):
        found = Droid().find(tmp_path, {"FACTORY_HOME_OVERRIDE": str(tmp_path / chosen)})
        assert [source.session for source in found] == ["one"]
    assert [*Droid().find(tmp_path, {})] == []


def test_hostile_fields(tmp_path: Path) -> None:
    """Fields of any type are read as if they were not there."""
    path = save(
        tmp_path, said("1", {"x": 1}), said("2", [[1], None, "Hello"]), {"type": "message", "message": []}, cwd=[]
    )
    path.with_suffix(".settings.json").write_text("[]")

    (source,) = Droid().find(tmp_path, {})
    items = list(Droid().read(source, Place()))

    assert [message.content for message in messages(items)] == ["Hello"]
    assert [item.title for item in items if isinstance(item, Facts)] == ["Hello"]


def test_a_block_of_a_type_that_is_not_known_is_counted(tmp_path: Path) -> None:
    """What stands beside it is told, and nothing is left out silently."""
    save(tmp_path, said("1", [{"type": "text", "text": "Look"}, {"type": "hologram"}, {"type": "image"}]))
    [source] = Droid().find(tmp_path, {})

    items = list(Droid().read(source, Place()))

    assert [message.content for message in messages(items)] == ["Look", "[image]"]
    assert [item.unknown for item in items if isinstance(item, Skipped)] == ["block/hologram"]
