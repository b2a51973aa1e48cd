"""A team's memory: PostgreSQL beside SQLite, many dream workers, many clients, kills, and the first look at the page.

    python bench/team.py --data FOLDER [--json] [--only NAME …] [--seconds 60] [--database URL] [--cache FILE]

FOLDER is that of all benchmark data, with the scorers.  With --cache retrieval is also measured by words and meaning;
vectors are kept in that file, so that a text is embedded once for both databases.  Without --database a PostgreSQL
server is made for the run (Debian's package `postgresql`) and removed afterwards; `kills` always has one of its own,
because it kills it.
"""

import contextlib
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import click

from timing import seconds

sys.path.insert(0, str(Path(__file__).parents[1]))

from databases import open_memory
from noctuary.store.postgres_words import words
from speed import Bench
from team_load import kills_of, load
from team_page import first_look
from team_workers import workers
from tests import postgres_server

Measured = dict[str, Any]
_MESSAGES = 200_000
_SETS = {  # each with the name by which the scorer knows it
    "coding-sessions": [
        *("coding-sessions", "coding_sessions.py"),
        *("--home", "coding-sessions/home", "--gold", "coding-sessions/gold"),
    ],
    "locomo": ["locomo", "locomo.py", "--data", "locomo/locomo_dev.json"],
    "longmemeval pooled": ["longmemeval", "longmemeval.py", "--data", "longmemeval", "--pooled"],
    "longmemeval per question": ["longmemeval", "longmemeval.py", "--data", "longmemeval"],
}
_DURABLE = "synchronous_commit = on\nfsync = on\nfull_page_writes = on\n"


class Team:
    """What every measurement needs."""

    def __init__(self, data: Path, url: str | None, seconds: float, cache: Path | None) -> None:
        self.data, self.seconds, self.cache = data, seconds, cache
        self._given = url

    @contextmanager
    def server(self) -> Iterator[str]:
        """The address of an empty database, on the given server or on one of our own."""
        if self._given:
            yield self._given
            return
        with own_server() as server:
            yield server.url("team")

    def retrieval(self) -> Measured:
        """Every figure of the scorers, on both databases: the largest difference."""
        ways = {"words": ["--no-semantic"]}
        if self.cache:
            ways["meaning"] = ["--cache", str(self.cache)]
        measured: Measured = {}
        with self.server() as url:
            for way, options in ways.items():
                measured[way] = {name: self._compared(name, options, url) for name in _SETS}
        return measured

    def _compared(self, name: str, options: Sequence[str], url: str) -> Measured:
        here, there = self._scored(name, options, None), self._scored(name, options, url)
        differences = {key: there[key] - value for key, value in here.items()}
        worst = max(differences, key=lambda key: abs(differences[key]))
        return {"figures": len(here), "most": round(differences[worst], 4), "where": worst}

    def _scored(self, name: str, ways: Sequence[str], url: str | None) -> dict[str, float]:
        scored_as, script, *arguments = _SETS[name]
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "run.jsonl"
            options = [part if part.startswith("--") else str(self.data / part) for part in arguments]
            command = [sys.executable, str(Path(__file__).with_name(script)), *options, *ways]
            subprocess.run([*command, *(["--database", url] if url else []), "--out", str(out)], check=True)
            score = [sys.executable, str(self.data / "score_retrieval.py"), scored_as, str(out)]
            told = subprocess.run(score, check=True, capture_output=True, text=True).stdout
        return _figures(told)

    def search(self) -> Measured:
        """Search among 200,000 messages on PostgreSQL over one raw OR query of the same terms, ranked by the server."""
        import psycopg  # noqa: PLC0415 (an optional library, for this alone)

        with self.server() as url, tempfile.TemporaryDirectory() as folder:
            bench = Bench(self.data / "longmemeval", Path(folder), url)
            with open_memory(Path(folder) / "big", url) as memory, psycopg.connect(url, autocommit=True) as raw:
                bench.fill(memory, _MESSAGES)
                raw.execute("set search_path = noctuary")
                raw.execute("select set_config('noctuary.owner', %s, false)", (memory.owner,))
                raw.execute("analyze")
                ours, theirs = [], []
                questions = [question["question"] for question in bench.questions]
                for text in random.Random(5).sample(questions, len(questions)):
                    terms = [words(term.words[0]) for term in memory.query(text).terms if len(term.words) == 1]
                    asked = " | ".join(f"'{word}'" for word in dict.fromkeys(word for each in terms for word in each))
                    ours.append(seconds(partial(memory.search, text)))
                    theirs.append(seconds(partial(raw.execute, _RAW, {"query": asked})))
        return {
            "search_p50_ms": round(1000 * statistics.median(ours), 2),
            "raw_p50_ms": round(1000 * statistics.median(theirs), 2),
            "search_over_raw": round(statistics.median(ours) / statistics.median(theirs), 3),
        }

    def workers(self) -> Measured:
        """Eight dream workers over one."""
        with self.server() as url:
            return workers(url)

    def load(self) -> Measured:
        """Thirty-two clients on both databases."""
        with self.server() as url:
            return {"sqlite": load(None, self.seconds), "postgres": load(url, self.seconds)}

    def kills(self) -> Measured:
        """The same while the server, a dream worker and the database are killed."""
        measured: Measured = {}
        with own_server(_DURABLE) as server:
            for name, url in {"sqlite": None, "postgres": server.url("team")}.items():
                trouble = kills_of(partial(_worker, url), partial(_cut, server) if url else None)
                measured[name] = load(url, self.seconds, trouble)
        return measured

    def page(self) -> Measured:
        """The first look at the page of 200,000 messages, in a real browser."""
        with tempfile.TemporaryDirectory() as folder:
            bench = Bench(self.data / "longmemeval", Path(folder), None)
            with open_memory(Path(folder) / "big", None) as memory:
                bench.fill(memory, _MESSAGES)
            return first_look(Path(folder) / "big")


_RAW = """select key, ts_rank(words, %(query)s::tsquery) from message_index
          where words @@ %(query)s::tsquery order by 2 desc limit 10"""


@contextmanager
def own_server(settings: str = "") -> Iterator[postgres_server.Server]:
    """A PostgreSQL server of our own, with an empty database `team`."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        place = Path(folder) / "server"
        server = postgres_server.start(place)
        try:
            postgres_server.stop(place, "fast")
            with (place / "data" / "postgresql.conf").open("a") as file:
                file.write(f"autovacuum = on\nshared_buffers = '512MB'\n{settings}")
            server = postgres_server.start_again(place)
            server.run(f"create database team owner {postgres_server.ROLE}")
            yield server
        finally:
            postgres_server.stop(place)


def _cut(server: postgres_server.Server) -> None:
    """Kill the database as a power cut would, and start it again."""
    postgres_server.kill(server)
    for _ in range(50):
        time.sleep(0.2)
        with contextlib.suppress(postgres_server.NoServer):
            postgres_server.start_again(server.folder)
            return
    raise SystemExit("the database did not start again")


def _worker(url: str | None, home: Path) -> "subprocess.Popen[bytes]":
    """A process that dreams whenever it is due."""
    options = ["--home", str(home), *(["--database", url] if url else []), "--every", "0.02"]
    return subprocess.Popen(
        [sys.executable, "-m", "noctuary", "watch", *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


def _figures(told: str) -> dict[str, float]:
    """The figures of a scorer's lines: `name  n 61  any@1 0.3279 …`."""
    figures: dict[str, float] = {}
    for line in told.splitlines():
        name, _, rest = line.partition("  ")
        parts = rest.split()
        for key, value in zip(parts[::2], parts[1::2], strict=False):
            if key != "n":
                figures[f"{name} {key}"] = float(value)
    return figures


MEASURES: dict[str, Callable[[Team], Measured]] = {
    "retrieval": Team.retrieval,
    "search": Team.search,
    "workers": Team.workers,
    "load": Team.load,
    "kills": Team.kills,
    "page": Team.page,
}


@click.command()
@click.option("--data", type=click.Path(path_type=Path, exists=True), required=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--only", type=click.Choice(list(MEASURES)), multiple=True, help="Measure only this.")
@click.option("--seconds", default=60.0, show_default=True, help="How long clients work.")
@click.option("--database", "url", metavar="URL", help="An empty database on a server that is there.")
@click.option("--cache", type=click.Path(path_type=Path), help="Search by meaning, too, and keep vectors here.")
def main(data: Path, as_json: bool, only: tuple[str, ...], seconds: float, url: str | None, cache: Path | None) -> None:
    """Measure, and print what was seen."""
    team, measured = Team(data, url, seconds, cache), {}
    for name in only or MEASURES:
        click.echo(f"{name} …", err=True)
        measured[name] = MEASURES[name](team)
    click.echo(json.dumps(measured, indent=None if as_json else 1))


if __name__ == "__main__":
    main()
