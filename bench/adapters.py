"""What each adapter costs: its CPU over that of `json.loads` of the same bytes, or of reading the same rows.

    python bench/adapters.py [--json] [--data FOLDER] [--only NAME]

FOLDER is that of the golden cases of the tests.  Each case is enlarged to some megabytes: its records are repeated
under new ids, and what is said in them gets the length that it has in real sessions.  The floor of a database is to
ask the same of it and to load the JSON in what is found.  Markdown has no JSON: its floor is to load the same messages,
written as JSON lines with who said them and what (decision 32); what it takes over merely splitting the page into lines
is told beside it.  Only files that the adapter opens count.  Each figure is the median of several turns, in which what
is compared follows each other.
"""

import gc
import json
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import apsw
import click

from enlarging import enlarge, lay_out
from noctuary.transcripts import agents
from noctuary.transcripts.items import Adapter, Place, Said, Source

GOLDEN = Path(__file__).parents[1] / "tests" / "unit" / "transcripts" / "golden"
BAR = 3.0
MEGABYTES = 4
TURNS = 7
RARELY = 100_000  # as in an import
Work = Callable[[], None]
Figures = dict[str, float]


class Enlarged(NamedTuple):
    """A case with much in it."""

    adapter: Adapter
    sources: list[Source]

    def read(self) -> None:
        """Read all of it, as an import does."""
        for source in self.sources:
            deque(self.adapter.read(source, Place()), maxlen=0)

    def messages(self) -> list[Said]:
        """What is said in it."""
        return [item for source in self.sources for item in self.said_in(source)]

    def said_in(self, source: Source) -> list[Said]:
        """What is said in one transcript."""
        return [item for item in self.adapter.read(source, Place()) if isinstance(item, Said)]


def adapter_of(name: str, data: Path) -> Adapter | None:
    """Who reads the cases of this name: one of ours, or a format that is described."""
    folders = (Path(agents.__file__).parent / "examples", data.parent / "formats")
    every = [adapter for folder in folders for adapter in agents.adapters(folder)]
    return next((adapter for adapter in every if adapter.name == name), None)


def sources_of(adapter: Adapter, home: Path) -> list[Source]:
    """The transcripts of a home, with the exports in it that somebody would name."""
    named = getattr(adapter, "sources_in", None)
    return [*adapter.find(home, {}), *(named(home / "Downloads") if named else ())]


class Watched:
    """What an adapter opens and asks for while it reads: a floor is made of the same files and the same queries."""

    def __init__(self) -> None:
        self.files: dict[Path, None] = {}
        self.queries: dict[str, list[tuple[str, Any]]] = {}
        self._is_on = False
        sys.addaudithook(self._heard)

    def watch(self, work: Work) -> None:
        """Note what is read."""
        apsw.connection_hooks.append(self._traced)
        self._is_on = True
        work()
        self._is_on = False
        apsw.connection_hooks.remove(self._traced)

    def _heard(self, event: str, about: tuple[Any, ...]) -> None:
        if self._is_on and event == "open" and isinstance(about[0], str | Path):
            self.files[Path(about[0])] = None

    def _traced(self, connection: apsw.Connection) -> None:
        asked = self.queries.setdefault(connection.filename, [])

        def note(_: object, sql: str, values: Any) -> bool:
            asked.append((sql, values))
            return True

        connection.exec_trace = note


def floors(watched: Watched, case: Enlarged) -> Iterator[Work]:
    """The least that reading takes, for each file; an adapter looks at how a database begins, which is no reading."""
    for path in watched.files:
        if path.suffix == ".md":
            yield partial(load_lines, as_json_lines(path, case))
        elif str(path) not in watched.queries and path.is_file():
            yield partial(load_whole if path.suffix == ".json" else load_lines, path)
    for name, asked in watched.queries.items():
        yield partial(load_rows, name, asked)


def as_json_lines(path: Path, case: Enlarged) -> Path:
    """The messages of a page, one record a message, with the very words of the page."""
    said = [item.message for source in case.sources if source.path == path for item in case.said_in(source)]
    lines = [json.dumps({"role": each.role, "text": each.content}, ensure_ascii=False) for each in said]
    written = path.with_name(f"{path.name}.jsonl")
    written.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return written


def load_lines(path: Path) -> None:
    """Load every line."""
    with path.open("rb") as file:
        for line in file:
            load(line)


def split_lines(path: Path) -> None:
    """Decode the lines."""
    path.read_bytes().decode("utf-8", "replace").splitlines()


def load_whole(path: Path) -> None:
    """Load the document."""
    load(path.read_bytes())


def load(text: str | bytes) -> Any:
    """The value, or nothing: some cases have broken lines on purpose."""
    try:
        return json.loads(text)
    except ValueError:
        return None


def load_rows(name: str, asked: list[tuple[str, Any]]) -> None:
    """Ask the same, and load the JSON in what is found."""
    connection = apsw.Connection(name, flags=apsw.SQLITE_OPEN_READONLY)
    for sql, values in asked:
        for row in connection.execute(sql, values):
            for cell in row:
                if isinstance(cell, str | bytes) and cell[:1] in ("{", "[", b"{", b"["):
                    load(cell)
    connection.close()


def cpu(work: Work, times: int) -> float:
    """Seconds of CPU."""
    began = time.process_time()
    for _ in range(times):
        work()
    return time.process_time() - began


def measure(case: Enlarged) -> Figures:
    """The ratio, and what it is made of."""
    watched = Watched()
    watched.watch(case.read)
    size = sum(path.stat().st_size for path in [*watched.files, *map(Path, watched.queries)] if path.is_file())
    least = list(floors(watched, case))
    pages = [partial(split_lines, path) for path in watched.files if path.suffix == ".md"]
    times = max(1, MEGABYTES * 1_000_000 // max(1, size) // 2)
    turns = [[cpu(work, times) for work in (case.read, all_of(least), all_of(pages))] for _ in range(TURNS)]
    ours, theirs, _ = (median(each) for each in zip(*turns, strict=True))
    megabytes = size * times / 1e6
    figures = {
        "ratio": round(median(our_turn / max(floor, 1e-9) for our_turn, floor, _ in turns), 2),
        "megabytes": round(megabytes, 1),
        "bytes_a_message": size // max(1, len(case.messages())),
        "adapter_ms_a_mb": round(1000 * ours / megabytes, 2),
        "floor_ms_a_mb": round(1000 * theirs / megabytes, 2),
    }
    if pages:
        figures["over_splitting_lines"] = round(median(our_turn / max(split, 1e-9) for our_turn, _, split in turns), 2)
    return figures


def all_of(works: Sequence[Work]) -> Work:
    """All of them, one after the other."""

    def work() -> None:
        for each in works:
            each()

    return work


def names_of(data: Path) -> list[str]:
    """Every golden case that somebody reads."""
    folders = sorted(path for path in data.glob("*/*") if (path / "home").is_dir())
    return [f"{each.parent.name}/{each.name}" for each in folders if adapter_of(each.parent.name, data)]


def measured(data: Path, name: str) -> Figures:
    """The figures of one case."""
    adapter = adapter_of(name.partition("/")[0], data)
    assert adapter is not None
    gc.set_threshold(RARELY)
    with tempfile.TemporaryDirectory(prefix="noctuary-") as scratch:
        home = lay_out(data / name / "home", Path(scratch) / "home")
        enlarge(home, MEGABYTES * 1_000_000)
        return measure(Enlarged(adapter, sources_of(adapter, home)))


def measured_alone(data: Path, name: str) -> Figures:
    """The same in a process of its own: what other cases left in memory slows the next."""
    command = [sys.executable, __file__, "--json", "--data", str(data), "--case", name]
    ran = subprocess.run(command, check=True, capture_output=True, text=True)
    figures: Figures = json.loads(ran.stdout)
    return figures


@click.command(help=__doc__)
@click.option("--json", "as_json", is_flag=True)
@click.option("--data", type=click.Path(exists=True, file_okay=False, path_type=Path), default=GOLDEN)
@click.option("--only", default="", help="Only cases whose name begins so, such as `kimi` or `kimi/code`.")
@click.option("--case", hidden=True)
def main(as_json: bool, data: Path, only: str, case: str | None) -> None:
    """Measure, tell, and end with 1 if an adapter costs more than it may."""
    if case:
        print(json.dumps(measured(data, case)))
        return
    found: dict[str, Figures] = {}
    for name in names_of(data):
        if name.startswith(only):
            figures = found[name] = measured_alone(data, name)
            if not as_json:
                size = f"{figures['megabytes']:.1f} MB, {figures['bytes_a_message']:.0f} bytes a message"
                split = figures.get("over_splitting_lines")
                beside = f"; {split:.2f} over splitting it into lines" if split else ""
                print(f"{name:<32} {figures['ratio']:>6.2f}   of {size}{beside}", flush=True)
    worst = max((figures["ratio"] for figures in found.values()), default=0.0)
    if as_json:
        print(json.dumps({"cases": found, "worst": worst, "bar": BAR}, indent=2))
    else:
        print(f"{'worst':<32} {worst:>6.2f}   at most {BAR}")
    sys.exit(worst > BAR)


if __name__ == "__main__":
    main()
