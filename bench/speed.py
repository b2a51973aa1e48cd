"""Speed, memory and size, each as a ratio to a floor measured in the same run.

    python bench/speed.py --data FOLDER [--json] [--only NAME …] [--database URL]

FOLDER is the LongMemEval folder (`questions.jsonl`, `sessions.jsonl.xz`).  Install the package first (`make install`):
cold start and size are those of what is installed beside this Python.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from importlib.metadata import distribution
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

import click

import plain_fts5
from databases import open_memory, with_database
from longmemeval import Chats, dates_of, read_questions, read_sessions, store_chats
from noctuary import Memory
from timing import bar, cpu_seconds, seconds

Measured = dict[str, float]
BIG_TRANSCRIPT = 500_000_000
COLD_STARTS = 41
IMPORT_TURNS = 7
CHATS_IN_TRANSCRIPT = 20  # a chat has ten messages; a real transcript has a hundred and more


class Bench:
    """The data, a folder to work in, and a progress bar."""

    def __init__(self, data: Path, folder: Path, url: str | None) -> None:
        self.folder = folder
        self.url = url
        self.chats = read_sessions(data)
        self.questions = [q for q in read_questions(data) if not q["question_id"].endswith("_abs")]
        self.dates = dates_of(self.questions)

    def search_latency(self) -> Measured:
        """Search on the pooled store, as a multiple of one raw FTS5 OR query with the same words."""
        raw = plain_fts5.load(self.folder / "raw.db", self.transcripts("raw-home", chats=1))
        with open_memory(self.folder / "pooled", self.url, user_home=self.folder / "raw-home") as memory:
            memory.import_transcripts()
            words = {q["question"]: _words(memory, q["question"]) for q in self.questions}
            ours, theirs = [], []
            for text in bar(list(words) * 3, "search"):  # in turns, so that a slow moment meets both
                ours.append(seconds(partial(memory.search, text)))
                theirs.append(seconds(partial(plain_fts5.search, raw, words[text])))
        raw.close()
        return {
            "search_p50_ratio": _percentile(ours, 50) / _percentile(theirs, 50),
            "search_p95_ratio": _percentile(ours, 95) / _percentile(theirs, 95),
            "search_p50_ms": 1000 * _percentile(ours, 50),
            "raw_or_p50_ms": 1000 * _percentile(theirs, 50),
        }

    def growth(self) -> Measured:
        """p50 at 200,000 messages over p50 at 20,000; the same chats again under new ids."""
        medians = []
        for size in (20_000, 200_000):
            with open_memory(self.folder / f"grown-{size}", self.url) as memory:
                self.fill(memory, size)
                times = [
                    seconds(partial(memory.search, q["question"]))
                    for q in bar(self.questions, f"search in {size:,} messages")
                ]
                medians.append(_percentile(times, 50))
        return {"growth_200k_over_20k": medians[1] / medians[0], "p50_200k_ms": 1000 * medians[1]}

    def fill(self, memory: Memory, size: int) -> None:
        """Store so many messages: the same chats again under new ids."""
        stored, copy = 0, 0
        while stored < size:
            part: Chats = {}
            for name, turns in self.chats.items():
                if stored >= size:
                    break
                part[f"{name}-{copy}"] = turns
                stored += len(turns)
            store_chats(memory, part, {name: self.dates.get(name.rsplit("-", 1)[0], 0) for name in part})
            copy += 1

    def import_cost(self) -> Measured:
        """CPU of importing over that of a script that parses, inserts and indexes the same messages.

        One run of either varies by a third on a shared machine, so they take turns and the best of each is compared.
        """
        paths = self.transcripts("import-home", chats=CHATS_IN_TRANSCRIPT)
        ours, theirs, count = [], [], 0
        for turn in bar(range(IMPORT_TURNS), "import"):
            plain = partial(plain_fts5.load, self.folder / f"plain-{turn}.db", paths)
            theirs.append(cpu_seconds(plain))
            imported, home = self.folder / f"imported-{turn}", self.folder / "import-home"
            with open_memory(imported, self.url, user_home=home) as memory:
                ours.append(cpu_seconds(memory.import_transcripts))
                count = memory.status().messages
        return {"import_cpu_ratio": min(ours) / min(theirs), "import_messages_per_cpu_s": count / min(ours)}

    def transcripts(self, home: str, *, chats: int) -> list[Path]:
        """The chats as Claude Code would have left them in a home folder, so many to a transcript."""
        folder = self.folder / home / ".claude" / "projects" / "-bench"
        folder.mkdir(parents=True)
        names = list(self.chats)
        for start in range(0, len(names), chats):
            session = names[start]
            turns = [turn for name in names[start : start + chats] for turn in self.chats[name]]
            lines = [_record(session, place, turn) for place, turn in enumerate(turns)]
            (folder / f"{session}.jsonl").write_text("".join(lines), encoding="utf-8")
        return sorted(folder.glob("*.jsonl"))

    def import_memory(self) -> Measured:
        """Peak memory of a process that imports one transcript of 500 MB."""
        folder = self.folder / "big-home" / ".claude" / "projects" / "-bench"
        folder.mkdir(parents=True)
        with (folder / "big.jsonl").open("w", encoding="utf-8") as file:
            place = 0
            while file.tell() < BIG_TRANSCRIPT:
                for turns in self.chats.values():
                    file.writelines(_record("big", place + i, turn) for i, turn in enumerate(turns))
                    place += len(turns)
                    if file.tell() >= BIG_TRANSCRIPT:
                        break
        # What getrusage says of a child begins with the size of its parent, and this one holds all chats.
        code = (
            "import sys; from pathlib import Path; from noctuary import Memory\n"
            "with Memory.open(sys.argv[1], user_home=sys.argv[2]) as memory: memory.import_transcripts()\n"
            "print(Path('/proc/self/status').read_text().partition('VmHWM:')[2].split()[0])"
        )
        command = [sys.executable, "-c", code, str(self.folder / "big"), str(self.folder / "big-home")]
        peak = int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        return {"import_500mb_peak_rss_mb": peak / 1024}

    def cold_start(self) -> Measured:
        """CPU of `noctuary search` from the shell over that of a Python that does nothing."""
        home = self.folder / "cold"
        with Memory.open(home) as memory:
            store_chats(memory, dict(list(self.chats.items())[:200]), self.dates)
        script = Path(sys.executable).with_name("noctuary")
        ours = [str(script)] if script.exists() else [sys.executable, "-m", "noctuary"]
        search = [*ours, "--home", str(home), "search", "museum visit", "--limit", "5"]
        pairs = [
            (_child_cpu(search), _child_cpu([sys.executable, "-c", "pass"]))
            for _ in bar(range(COLD_STARTS), "cold start")
        ]
        return {"cold_start_cpu_ratio": _median(p[0] for p in pairs) / _median(p[1] for p in pairs)}

    def installed_size(self) -> Measured:
        """Bytes on disk of the base package and what it depends on, compiled files included."""
        sizes = {name: _distribution_bytes(name) for name in ("noctuary", "apsw", "click")}
        return {"installed_mb": sum(sizes.values()) / 1e6, **{f"{n}_mb": size / 1e6 for n, size in sizes.items()}}


def _record(session: str, place: int, turn: dict[str, Any]) -> str:
    role = turn["role"]
    content = turn["content"] if role == "user" else [{"type": "text", "text": turn["content"]}]
    record = {
        "parentUuid": str(uuid5(NAMESPACE_URL, f"{session}/{place - 1}")) if place else None,
        "isSidechain": False,
        "userType": "external",
        "cwd": "/home/bench",
        "sessionId": session,
        "version": "2.0.9",
        "gitBranch": "",
        "type": role,
        "message": {"role": role, "content": content},
        "uuid": str(uuid5(NAMESPACE_URL, f"{session}/{place}")),
        "timestamp": "2026-02-26T17:55:48.999Z",
    }
    return json.dumps(record, ensure_ascii=False) + "\n"


def _words(memory: Memory, text: str) -> list[str]:
    return [term.words[0] for term in memory.query(text).terms if len(term.words) == 1]


def _child_cpu(command: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=False, capture_output=True, env={**os.environ, "PYTHONDONTWRITEBYTECODE": ""})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _distribution_bytes(name: str) -> int:
    files = distribution(name).files or []
    return sum(path.stat().st_size for file in files if (path := Path(str(file.locate()))).is_file())


def _percentile(values: Sequence[float], percent: int) -> float:
    return sorted(values)[min(len(values) - 1, len(values) * percent // 100)]


def _median(values: Iterable[float]) -> float:
    return _percentile(list(values), 50)


MEASURES: dict[str, Callable[[Bench], Measured]] = {
    "search": Bench.search_latency,
    "growth": Bench.growth,
    "import": Bench.import_cost,
    "memory": Bench.import_memory,
    "cold": Bench.cold_start,
    "size": Bench.installed_size,
}


@click.command()
@click.option("--data", type=click.Path(path_type=Path, exists=True), required=True)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@with_database
@click.option("--only", type=click.Choice(list(MEASURES)), multiple=True, help="Measure only this.")
def main(data: Path, as_json: bool, url: str | None, only: tuple[str, ...]) -> None:
    """Measure, and print what was seen."""
    measured: Measured = {}
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(data, Path(folder), url)
        for name in only or MEASURES:
            click.echo(f"{name} …", err=True)
            measured |= MEASURES[name](bench)
    if as_json:
        click.echo(json.dumps({name: round(value, 3) for name, value in measured.items()}))
        return
    for name, value in measured.items():
        click.echo(f"{name:28s} {value:10.3f}")


if __name__ == "__main__":
    main()
