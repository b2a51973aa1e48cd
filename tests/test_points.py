"""The points of the systems before us: each has a line in decision 16, and every test named there exists."""

import ast
import itertools
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "decisions" / "0016-points-of-the-systems-before-us.md"
MARKDOWN = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
HOW_MANY = {"D-": 79, "R-": 31, "B": 13, "C-": 38, "J7.": 28}
POINTS = [f"{family}{number}" for family, count in HOW_MANY.items() for number in range(1, count + 1)]
FEWEST_WORDS = 6  # of a reason
_NAMED = re.compile(r"`((?:\w+/)*test_\w+\.py)::(test_\w+)`")


class Row(NamedTuple):
    """A line of the page: the points it is about, the tests it names, and what it says beside them."""

    points: tuple[str, ...]
    tests: tuple[tuple[str, str], ...]  # file and name
    words: str


def rows() -> Iterator[Row]:
    """The lines of all tables, but for their heads."""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and cells[0] != "point" and not cells[0].startswith("---"):
            tests = tuple((found[1], found[2]) for found in _NAMED.finditer(cells[1]))
            yield Row(tuple(points_in(cells[0])), tests, _NAMED.sub("", cells[1]))


def points_in(cell: str) -> Iterator[str]:
    """Points as they are listed: `D-1, D-4` or `D-1 to D-4`."""
    for part in cell.split(", "):
        first, _, last = part.partition(" to ")
        family = first.rstrip("0123456789")
        start, end = (int(name.removeprefix(family)) for name in (first, last or first))
        yield from (f"{family}{number}" for number in range(start, end + 1))


def mark_of(point: str) -> str:
    """What a test that is named after a point has in its name, such as `c24` or `j7_19`."""
    return point.lower().replace("-", "").replace(".", "_")


def carries(test: str, point: str) -> bool:
    """Whether a test is named after a point."""
    return f"_{mark_of(point)}_" in test


ROWS = list(rows())
each_row = pytest.mark.parametrize("row", ROWS, ids=lambda row: row.points[0])


def test_every_point_has_its_line() -> None:
    """None is left out, none is told twice, and none is made up."""
    told = Counter(point for row in ROWS for point in row.points)

    assert [point for point in POINTS if point not in told] == []
    assert [point for point, count in told.items() if count > 1 or point not in POINTS] == []


@each_row
def test_r29_every_test_that_is_named_is_there(row: Row) -> None:
    """A test that is renamed or removed takes its line with it."""
    for file, name in row.tests:
        path = ROOT / "tests" / file
        tree = ast.parse(path.read_text(encoding="utf-8")) if path.exists() else ast.Module([], [])
        found = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}

        assert name in found, f"{file} has no {name}"


@each_row
def test_a_line_has_a_test_of_that_name_or_a_reason(row: Row) -> None:
    """Every point has a test with its number in its name, or words that say why not."""
    has_reason = len(re.findall(r"\w+", row.words)) >= FEWEST_WORDS
    nameless = [point for point in row.points if not any(carries(name, point) for _, name in row.tests)]

    assert has_reason or nameless == []


@pytest.mark.parametrize("path", MARKDOWN, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_r30_tables_are_whole(path: Path) -> None:
    """Every row of a table has as many cells as its head, and an empty line stands before the head."""
    text = re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    lines = ["", *text.splitlines()]
    head = 0
    for before, line in itertools.pairwise(lines):
        if not line.startswith("|"):
            continue
        cells = len(re.findall(r"(?<!\\)\|", re.sub(r"`[^`]*`", "", line)))
        if not before.startswith("|"):
            head = cells
            assert before.strip() == "", f"{path.name}: no empty line before {line}"
        assert cells == head, f"{path.name}: {line}"
