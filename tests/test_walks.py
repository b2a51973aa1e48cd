"""What docs/walks.md says of the code is so: files, names, stages of ranking and layers."""

import re
from pathlib import Path

import pytest

from noctuary.recall.ranking import STAGES
from tests.test_shape import LAYERS, PACKAGE, ROOT

PAGE = (ROOT / "docs" / "walks.md").read_text(encoding="utf-8")
FILES = sorted(set(re.findall(r"`((?:\w+/)*\w+\.py)`", PAGE)))
NAMES = sorted(set(re.findall(r"`((?:\w+/)*\w+\.py)`, `([\w.]+)`", PAGE)))


def found(name: str) -> list[Path]:
    """The files that a name may mean: a place in the package or repository, or what is called so anywhere in it."""
    return [path for path in (PACKAGE / name, ROOT / name) if path.exists()] or list(PACKAGE.rglob(name))


@pytest.mark.parametrize("name", FILES)
def test_every_file_is_there(name: str) -> None:
    """Whoever follows a walk finds each file."""
    assert found(name)


@pytest.mark.parametrize(("file", "name"), [pair for pair in NAMES if not pair[1].endswith(".py")])
def test_every_name_stands_in_its_file(file: str, name: str) -> None:
    """A function or class that is named beside a file is defined in it."""
    defined = re.compile(rf"^\s*(?:(?:async )?def|class) {name.rpartition('.')[2]}\b", re.MULTILINE)

    assert any(defined.search(path.read_text(encoding="utf-8")) for path in found(file))


def test_every_stage_of_ranking_is_told_in_its_order() -> None:
    """The table has each of them, and no other."""
    told = re.findall(r"^ +\| `(\w+)` \|", PAGE, re.MULTILINE)

    assert told == [stage.__name__ for stage in STAGES]


def test_every_module_at_the_root_is_told() -> None:
    """A stranger who opens the package learns what each is about."""
    modules = {path.name for path in PACKAGE.glob("[!_]*.py")}
    about = PAGE.partition("What stands at the root")[2].partition("## ")[0]

    assert set(re.findall(r"`(\w+\.py)`", about)) == modules


def test_every_folder_has_its_layer() -> None:
    """The table of layers names each folder that the architecture has above the ground."""
    above = {part for layer, parts in LAYERS.items() if layer not in ("bottom", "ground") for part in parts}
    folders = {part for part in above if (PACKAGE / part).is_dir()}
    layers = PAGE.partition("| layer |")[2].partition("What stands at the root")[0]

    assert folders == set(re.findall(r"`(\w+)/`", layers)) - {"redact"}
