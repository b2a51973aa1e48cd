"""Adapters of other packages: used like ours, and whatever is wrong with one stops nothing else."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from noctuary.records import Message, Role
from noctuary.transcripts.agents import Roster
from noctuary.transcripts.items import Item, Mark, Place, Said, Source
from noctuary.transcripts.ours import Ours
from noctuary.transcripts.plug_ins import GROUP, load

HERE = __name__


class Owl:
    """An adapter as somebody else would write it."""

    name = "owl"
    globally_unique = False

    def find(self, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:  # noqa: ARG002
        yield Source(adapter=self.name, path=home / "owl.txt", session="owl-1")

    def find_at(self, path: Path, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        return (source for source in self.find(home, environ) if source.path == path)

    def read(self, source: Source, place: Place) -> Iterator[Item]:
        yield Said(source.session, Message(Role.USER, source.path.read_text(), uid="1"))
        yield Mark(place=place)


class AnotherCodex(Owl):
    """Wants to be one of ours."""

    name = "codex"


class Blind(Owl):
    """Fails while it looks."""

    name = "blind"

    def find(self, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        yield from super().find(home, environ)
        raise KeyError("home")


class Stutterer(Owl):
    """Tells what is no item."""

    name = "stutterer"

    def read(self, source: Source, place: Place) -> Iterator[Item]:
        yield from super().read(source, place)
        yield "hello"  # type: ignore[misc]


class Nameless:
    """Has nothing that an adapter has."""


class Explosive(Owl):
    """Cannot even be made."""

    def __init__(self) -> None:
        raise RuntimeError("boom")


def entry(value: str) -> EntryPoint:
    return EntryPoint(name="theirs", value=value, group=GROUP)


def test_an_adapter_of_another_package_is_used(tmp_path: Path) -> None:
    """It finds and reads like ours."""
    (tmp_path / "owl.txt").write_text("Hoo.")
    roster = Roster(None, load([entry(f"{HERE}:Owl")]))

    [owl] = [adapter for adapter in roster.adapters if adapter.name == "owl"]
    [source] = owl.find(tmp_path, {})

    assert roster.problems == ()
    assert list(owl.find_at(tmp_path / "owl.txt", tmp_path, {})) == [source]
    assert len(list(owl.read(source, Place()))) == 2


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("no_such_package:Owl", "no_such_package"),
        (f"{HERE}:NoSuchClass", "NoSuchClass"),
        (f"{HERE}:Nameless", "is no adapter"),
        (f"{HERE}:Explosive", "boom"),
        (f"{HERE}:HERE", "failed"),
        ("not a value at all", "failed"),
    ],
)
def test_a_broken_one_is_named_and_left_out(value: str, said: str) -> None:
    """Ours are there as ever, and the problem says which plug-in it is and what to do."""
    roster = Roster(None, load([entry(value)]))

    [problem] = roster.problems
    assert said in problem
    assert "update or uninstall" in problem
    assert {"claude-code", "codex"} <= {adapter.name for adapter in roster.adapters}
    assert "owl" not in {adapter.name for adapter in roster.adapters}


def test_of_one_name_ours_wins() -> None:
    """Nobody takes the place of an adapter of ours."""
    roster = Roster(None, load([entry(f"{HERE}:AnotherCodex")]))

    assert [type(each) for each in roster.adapters if each.name == "codex"] == [Ours]
    assert ["codex" in problem for problem in roster.problems] == [True]


def test_one_that_fails_while_it_looks_is_told(tmp_path: Path) -> None:
    """What it found before counts."""
    roster = Roster(None, load([entry(f"{HERE}:Blind")]))
    [blind] = roster.brought

    found = list(blind.find(tmp_path, {}))

    assert len(found) == 1
    assert ["KeyError" in problem for problem in roster.problems] == [True]


def test_one_that_tells_nonsense_cannot_be_read(tmp_path: Path) -> None:
    """It is as with a file that cannot be read to its end: an OSError, which an import can answer."""
    (tmp_path / "owl.txt").write_text("Hoo.")
    [adapter] = load([entry(f"{HERE}:Stutterer")]).adapters

    with pytest.raises(OSError, match="str is no item"):
        list(adapter.read(next(adapter.find(tmp_path, {})), Place()))


@pytest.mark.parametrize(
    ("about", "found"),
    [
        ("owl-1.0.dist-info/entry_points.txt", ["owl"]),
        ("owl.egg-info/entry_points.txt", ["owl"]),
        ("owl-1.0.dist-info/top_level.txt", []),
    ],
)
def test_one_that_is_installed_is_found(about: str, found: list[str], tmp_path: Path) -> None:
    """As packages are installed: a folder beside them says what they bring."""
    names = tmp_path / about
    names.parent.mkdir()
    names.write_text(f"[{GROUP}]\nowl = {HERE}:Owl\n", encoding="utf-8")
    (names.parent / "METADATA").write_text("Metadata-Version: 2.1\nName: owl\nVersion: 1.0\n", encoding="utf-8")
    (names.parent / "PKG-INFO").write_text("Metadata-Version: 2.1\nName: owl\nVersion: 1.0\n", encoding="utf-8")
    asks = "from noctuary.transcripts.plug_ins import installed; print(*[each.name for each in installed().adapters])"
    paths = os.pathsep.join([str(tmp_path), *filter(None, sys.path), str(Path(__file__).parents[3])])
    ran = subprocess.run(
        [sys.executable, "-c", asks], env={"PYTHONPATH": paths}, check=True, capture_output=True, text=True
    )

    assert ran.stdout.split() == found
