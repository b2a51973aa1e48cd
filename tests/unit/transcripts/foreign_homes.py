"""What the tests of agents with databases share: a home of a golden case, and a program that writes to it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from noctuary import Memory
from noctuary.importing.report import ImportReport
from noctuary.records import Hidden
from noctuary.transcripts.items import Adapter, Item, Mark, Place, Rewound, Said
from tests.unit.transcripts.golden_cases import Case


def home_of(agent: str, shape: str, tmp_path: Path) -> Path:
    """The home folder of a golden case, to be changed."""
    return Case(agent, shape).laid_out(tmp_path / "home")


def change(path: Path, sql: str, *values: object) -> None:
    """The program writes to its database."""
    connection = apsw.Connection(str(path))
    connection.execute(sql, values)
    connection.close()


@contextmanager
def imports(tmp_path: Path) -> Iterator[Memory]:
    """A memory beside the home folder."""
    with Memory.open(tmp_path / "memory", user_home=tmp_path / "home") as memory:
        yield memory


def counts(report: ImportReport) -> tuple[int, int]:
    """How many messages an import added, and how many it took back."""
    return report.messages, report.rewound


def read_twice(adapter: Adapter, home: Path, path: Path, sql: str) -> list[Item]:
    """What a second reading tells after a change."""
    source = next(each for each in adapter.find(home, {}) if each.path == path)
    marks = [item for item in adapter.read(source, Place()) if isinstance(item, Mark)]
    change(path, sql)
    return list(adapter.read(source, marks[-1].place))


def texts(items: list[Item]) -> list[str]:
    """What was said."""
    return [item.message.content for item in items if isinstance(item, Said)]


def as_shown(items: list[Item]) -> list[str]:
    """What was said; what its agent took back is put in brackets."""
    said = [item.message for item in items if isinstance(item, Said)]
    return [f"({each.content})" if each.hidden is Hidden.REWOUND else each.content for each in said]


def taken_back(items: list[Item]) -> int:
    """How many messages were taken back."""
    return sum(len(item.uids) for item in items if isinstance(item, Rewound))
