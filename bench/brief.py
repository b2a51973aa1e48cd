"""Coding sessions: how much of what mattered is the next session told at its start?

    python bench/brief.py --home FOLDER [--home …] --gold FOLDER [--budget 2000] [--json]

The homes are imported as a user's home is, a dream by rules reads every session, and the brief of each project is made.
A gold event of importance 3 is there if one line of the brief of its session's project agrees with it in words, as
`score_events.py` compares them: F1 of the beginnings of words of .25 or more, with the text, the quote or both.  A
brief cites no lines of transcripts, so words alone decide; one line is held against one event, never several together.

Beside the share at the budget asked for stand those at other budgets, and the share if all sessions had been in one
project, for which there is as much room as else for one of several.
"""

import json
import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from noctuary import Memory

OWNER = "bench"
BUDGETS = (500, 1_000, 2_000, 4_000)
IMPORTANT = 3
AGREEING = 0.25
TOGETHER = "/home/bench/together"
_STOP = frozenset(  # as in score_events.py
    """a an the of to in on for and or is are was were be been it its this that with at from by as into over not no can
    will has have had which when then than so do does did use used using""".split()  # noqa: SIM905
)
Gold = Mapping[str, Any]


@click.command()
@click.option("--home", "homes", type=click.Path(path_type=Path, exists=True), multiple=True, required=True)
@click.option("--gold", type=click.Path(path_type=Path, exists=True), required=True)
@click.option("--budget", default=2_000, show_default=True, type=click.IntRange(1), help="Tokens of a brief.")
@click.option("--json", "as_json", is_flag=True)
@click.option("--misses", is_flag=True, help="Say on standard error what is not in the brief.")
def main(homes: tuple[Path, ...], gold: Path, budget: int, as_json: bool, misses: bool) -> None:
    """Import, dream, make briefs, and count what is in them."""
    events = [event for path in sorted(gold.glob("*.json")) for event in _important(path)]
    budgets = sorted({*BUDGETS, budget})
    with tempfile.TemporaryDirectory() as folder:
        apart = shares(Path(folder) / "apart", homes, events, budgets, told=misses and budget)
        one = [moved_together(home, Path(folder) / f"home-{number}") for number, home in enumerate(homes)]
        together = shares(Path(folder) / "together", one, events, budgets)
    result = {
        "gold": len(events),
        "budget": budget,
        "share": apart[budget],
        "shares": {str(tokens): share for tokens, share in apart.items()},
        "in_one_project": {str(tokens): share for tokens, share in together.items()},
    }
    lines = [f"gold events of importance {IMPORTANT}  {len(events)}", f"share at {budget} tokens  {apart[budget]:.3f}"]
    lines += [f"  {tokens:5} tokens  {apart[tokens]:.3f}, in one project {together[tokens]:.3f}" for tokens in budgets]
    click.echo(json.dumps(result) if as_json else "\n".join(lines))


def shares(
    folder: Path, homes: Iterable[Path], events: Sequence[Gold], budgets: Sequence[int], told: int = 0
) -> dict[int, float]:
    """By budget, the share of the events that are in the briefs made after a dream over these homes."""
    for home in homes:
        with Memory.open(folder, owner=OWNER, user_home=home) as memory:
            memory.import_transcripts()
    with Memory.open(folder, owner=OWNER) as memory:
        memory.dreams.run(backend="rules")
        sessions = memory.sessions(limit=1_000_000)
        projects = {Path(session.source_path or "").name: session.project for session in sessions}
        found: dict[int, float] = {}
        for budget in budgets:
            lines = {name: told_by(memory, name, budget) for name in {*projects.values()}}
            held = [(event, best(event, lines.get(projects.get(event["file"]), ()))) for event in events]
            found[budget] = round(sum(score >= AGREEING for _, score in held) / max(1, len(held)), 4)
            if budget == told:
                missing = [f"  {score:.2f}  {event['text'][:100]}" for event, score in held if score < AGREEING]
                click.echo("\n".join(missing), file=sys.stderr)
        return found


def told_by(memory: Memory, project: str | None, budget: int) -> list[Counter[str]]:
    """The words of each line of the brief of a project."""
    brief = memory.briefing(project, budget=budget)
    return [words(line.text) for line in brief.lines if line.text in brief.text]


def best(event: Gold, lines: Iterable[Counter[str]]) -> float:
    """How far the line that agrees most with an event does so."""
    texts = [words(event["text"]), words(event["quote"]), words(f"{event['text']} {event['quote']}")]
    return max((f1(line, text) for line in lines for text in texts), default=0.0)


def words(text: str) -> Counter[str]:
    """The beginnings of the words of a text, as `score_events.py` takes them."""
    return Counter(word[:6] for word in re.findall(r"[a-z0-9_]{2,}", text.lower()) if word not in _STOP)


def f1(one: Counter[str], other: Counter[str]) -> float:
    """How far two texts have the same words."""
    both = sum((one & other).values())
    return 2 * both / (sum(one.values()) + sum(other.values())) if both else 0.0


def moved_together(home: Path, target: Path) -> Path:
    """A copy of a home in which all sessions ran in one folder."""
    for path in sorted(home.rglob("*")):
        copy = target / path.relative_to(home)
        if path.is_file():
            copy.parent.mkdir(parents=True, exist_ok=True)
            if path.suffix == ".jsonl":
                copy.write_text("".join(map(_moved, path.open(encoding="utf-8"))), encoding="utf-8")
            else:
                shutil.copyfile(path, copy)
    return target


def _moved(line: str) -> str:
    try:
        return json.dumps(_elsewhere(json.loads(line)), ensure_ascii=False) + "\n"
    except ValueError:
        return line


def _elsewhere(value: object) -> object:
    if isinstance(value, dict):
        told = {name: _elsewhere(item) for name, item in value.items() if name != "repository_url"}
        return told | ({"cwd": TOGETHER} if isinstance(told.get("cwd"), str) else {})
    return [_elsewhere(item) for item in value] if isinstance(value, list) else value


def _important(path: Path) -> list[Gold]:
    session = json.loads(path.read_text(encoding="utf-8"))
    name = Path(session["file"]).name
    return [{**event, "file": name} for event in session["events"] if event["importance"] == IMPORTANT]


if __name__ == "__main__":
    main()
