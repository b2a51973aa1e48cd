"""Whether two sentences say the same: the share of labelled pairs that is judged right, by kind, and what it costs.

    python bench/dedup.py [--json] [--pairs FILE] [--lookups]

The pairs are those of the tests, or of a file of the same form: lots of `[kind, what is right, new, old]`.  `right`
counts the relation, `told apart` only whether it is a duplicate.  With `--lookups` also what it costs to look a
sentence up in 20,000 events over what it costs in 200.
"""

import json
import random
import sys
import tempfile
import time
import tomllib
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

import click

from noctuary.authored import Event, EventType
from noctuary.clock import SystemClock
from noctuary.dream.comparing.sameness import Relation, compare, relation, signature
from noctuary.dream.merging.history import History
from noctuary.ledger.ledger import Ledger
from noctuary.store import open_store

PAIRS = Path(__file__).parents[1] / "tests" / "unit" / "dream" / "comparing" / "dedup_pairs.toml"
FEW, MANY, LOOKUPS, ROUNDS = 200, 20_000, 60, 7
Pair = Sequence[str]
Share = dict[str, float | int]


def is_right(pair: Pair) -> bool:
    """Whether the relation is one of those that are right."""
    _, right, new, old = pair
    return compare(new, old) in right.split("|")


def is_told_apart(pair: Pair) -> bool:
    """Whether a duplicate is known as one, and nothing else is."""
    _, right, new, old = pair
    return (compare(new, old) is Relation.SAME) == ("same" in right.split("|"))


def share(pairs: Sequence[Pair]) -> Share:
    """How many pairs there are, and which part of them is judged right."""
    return {
        "pairs": len(pairs),
        "right": round(sum(map(is_right, pairs)) / len(pairs), 4),
        "told apart": round(sum(map(is_told_apart, pairs)) / len(pairs), 4),
    }


def by_kind(pairs: Sequence[Pair]) -> dict[str, Share]:
    """The same for each kind of pair."""
    kinds: dict[str, list[Pair]] = defaultdict(list)
    for pair in pairs:
        kinds[pair[0]].append(pair)
    return {kind: share(of_kind) for kind, of_kind in sorted(kinds.items())}


def microseconds(work: Callable[[], object], count: int) -> float:
    """What one of so many costs, at best."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return round(best / count * 1e6, 1)


def costs(pairs: Sequence[Pair]) -> dict[str, float]:
    """Microseconds to read a sentence, and to compare two that were read."""
    texts = [text for pair in pairs for text in pair[2:]]
    read = [signature(text) for text in texts]

    def read_all() -> None:
        signature.cache_clear()
        for text in texts:
            signature(text)

    def compare_all() -> None:
        for new, old in zip(read[::2], read[1::2], strict=True):
            relation(new, old, 0.0)  # with a likeness, or it would be looked up

    return {"signature": microseconds(read_all, len(texts)), "relation": microseconds(compare_all, len(pairs))}


class Stories:
    """Sentences of made-up words, as rare and as common as words are."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        made = {"".join(map(self.chance.choice, ("bcdfgklmnprstvz", "aeiou") * 3)) for _ in range(6_000)}
        self.words = sorted(made)
        self.weights = [1 / (rank + 10) for rank in range(len(self.words))]

    def say(self) -> str:
        """A sentence."""
        count = self.chance.randint(8, 24)
        return " ".join(self.chance.choices(self.words, self.weights, k=count)).capitalize() + "."


def history(folder: Path, stories: Stories, count: int) -> History:
    """A project in which so much was said."""
    folder.mkdir()
    store = open_store(folder / "noctuary.db")
    with Ledger(store, folder, "ana", SystemClock()).writing("shop") as write:
        for _ in range(count):
            write(Event(EventType.FINDING, stories.say(), project="shop"))
    return History(store, "ana", "shop")


def lookups() -> dict[str, float]:
    """What a lookup costs in a long history over what it costs in a short one; both by turns, each at its best."""
    stories = Stories(7)
    with tempfile.TemporaryDirectory() as folder:
        histories = [history(Path(folder) / str(count), stories, count) for count in (FEW, MANY)]
        costs_of: list[list[float]] = [[], []]
        for text in [stories.say() for _ in range(LOOKUPS)]:
            for one, cost in zip(histories, costs_of, strict=True):
                cost.append(microseconds(lambda one=one, text=text: one.near(text), 1))  # type: ignore[misc]
        few, many = map(median, costs_of)
        for one in histories:
            one.store.close()
    return {f"lookup in {FEW}": few, f"lookup in {MANY}": many, "ratio": round(many / few, 2)}


@click.command()
@click.option("--json", "as_json", is_flag=True, help="For machines.")
@click.option("--pairs", "file", type=click.Path(exists=True, path_type=Path), default=PAIRS, help="Other pairs.")
@click.option("--lookups", "with_lookups", is_flag=True, help="Also what a lookup in a long history costs.")
def main(as_json: bool, file: Path, with_lookups: bool) -> None:
    """Judge labelled pairs of sentences."""
    lots: dict[str, list[Pair]] = tomllib.loads(file.read_text(encoding="utf-8"))
    pairs = [pair for lot in lots.values() for pair in lot]
    measured: dict[str, object] = {
        "all": share(pairs),
        "kinds": by_kind(pairs),
        "lots": {name: share(lot) for name, lot in lots.items()},
        "microseconds": costs(pairs),
    }
    if with_lookups:
        measured["lookups"] = lookups()
    if as_json:
        json.dump(measured, sys.stdout, indent=2)
        sys.stdout.write("\n")
        return
    for name, kind in {**by_kind(pairs), "all": share(pairs)}.items():
        click.echo(f"{name:12} {kind['pairs']:4} pairs  right {kind['right']:.3f}  told apart {kind['told apart']:.3f}")
    click.echo(f"microseconds {measured['microseconds']} {measured.get('lookups', '')}")


if __name__ == "__main__":
    main()
