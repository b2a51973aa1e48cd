"""Redaction: how many made-up secrets go, whole, and how much goes that is none.

    python bench/redaction.py [--json] [--seed N] [--each N] [--data FOLDER]

Secrets of over a hundred kinds are made up and put where agents meet them: settings, commands, diffs, logs, code,
conversation, JSON within JSON, lines that are broken.  A secret counts as gone only if nothing of it is left that is
six characters long.  False hits are counted in made-up texts that look like secrets, and in real ones: every text in
the JSON files below FOLDER.
"""

import json
import lzma
import re
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from harmless_texts import harmless
from noctuary.redact import findings, redact
from secret_contexts import Case, cases

PLACEHOLDER = re.compile(r"\[redacted:[a-z0-9-]+:[0-9a-f]{8}\]")
LEFT = 6  # characters of a secret that must not be left
WORDS_A_HIT = 10_000
RECALL = 0.99
KEPT = 0.999  # of the texts with a secret, nothing beside it goes
MOST_TOLD = 20


@click.command()
@click.option("--seed", default=1, show_default=True, help="Of what is made up.")
@click.option("--each", default=40, show_default=True, help="So many texts of every kind.")
@click.option("--data", type=click.Path(exists=True, file_okay=False, path_type=Path), help="Real texts.")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def main(seed: int, each: int, data: Path | None, as_json: bool) -> None:
    """Measure what redaction finds, and what it takes for a secret that is none."""
    found = measured_recall(seed, each)
    made_up = measured_hits(harmless(seed, max(1, each // 2)))
    real = measured_hits(("real texts", text) for text in real_texts(data)) if data else None
    result = {"recall": found, "made_up": made_up, **({"real": real} if real else {})}
    is_whole = found["recall"] >= RECALL and found["neighbours_kept"] >= KEPT
    is_good = is_whole and all(one["words_a_hit"] >= WORDS_A_HIT for one in (made_up, real) if one)
    if as_json:
        click.echo(json.dumps({**result, "is_good": is_good}, indent=2, ensure_ascii=False))
    else:
        click.echo("\n".join(_told(result)))
    raise SystemExit(0 if is_good else 1)


def measured_recall(seed: int, each: int) -> dict[str, Any]:
    """How many secrets go whole, and how many texts lose something beside."""
    made = cases(seed, each)
    missed = [case for case in made if leftovers(case)]
    harmed = [case for case in made if is_harmed(case)]
    return {
        "texts": len(made),
        "kinds": len({case.kind for case in made}),
        "contexts": len({case.context for case in made}),
        "recall": round(1 - len(missed) / len(made), 5),
        "missed_kinds": dict(Counter(case.kind for case in missed).most_common(MOST_TOLD)),
        "missed_contexts": dict(Counter(case.context for case in missed).most_common(MOST_TOLD)),
        "neighbours_kept": round(1 - len(harmed) / len(made), 5),
    }


def leftovers(case: Case) -> list[str]:
    """The lines of secrets of which something is left."""
    left, around = PLACEHOLDER.sub("\0", redact(case.text)), _around(case)
    parts = [part.strip(" \t\r>+") for secret in case.secrets for part in re.split(r"\n|\\+n", secret)]
    return [part for part in parts if any(piece in left and piece not in around for piece in _pieces(part))]


def _pieces(part: str) -> Iterator[str]:
    yield from (part[at : at + LEFT] for at in range(max(0, len(part) - LEFT + 1)))


def _around(case: Case) -> str:
    text = case.text
    for secret in case.secrets:
        text = text.replace(secret, "\0")
    return text


def is_harmed(case: Case) -> bool:
    """Whether something that is no part of a secret went with it; what is behind it on its line may."""
    lines = [line for line in _around(case).split("\n") if "\0" not in line]
    left = redact(case.text)
    return not all(line in left for line in lines)


def measured_hits(texts: "Iterator[tuple[str, str]]") -> dict[str, Any]:
    """How many hits there are in texts without secrets, and what looking cost."""
    words = characters = 0
    hits: Counter[str] = Counter()
    began = time.process_time()
    for name, text in texts:
        words += len(text.split())
        characters += len(text)
        hits[name] += len(findings(text))
    return {
        "characters": characters,
        "words": words,
        "hits": hits.total(),
        "words_a_hit": words // max(1, hits.total()),
        "where": {name: number for name, number in hits.most_common(MOST_TOLD) if number},
        "cpu_seconds": round(time.process_time() - began, 3),
    }


def real_texts(folder: Path) -> Iterator[str]:
    """Every text in the JSON below a folder, and every other file that is text."""
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        content = lzma.decompress(path.read_bytes()) if path.suffix == ".xz" else path.read_bytes()
        text = content.decode("utf-8", "replace")
        name = path.name.removesuffix(".xz")
        if name.endswith(".jsonl"):
            for line in text.splitlines():
                yield from _texts_in(_parsed(line))
        elif name.endswith(".json"):
            yield from _texts_in(_parsed(text))
        elif "\0" not in text:
            yield text


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _texts_in(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts_in(item)


def _told(result: dict[str, Any]) -> Iterator[str]:
    found = result["recall"]
    yield f"{found['texts']:,} secrets of {found['kinds']} kinds in {found['contexts']} contexts"
    yield f"  gone whole       {found['recall']:.4f}   (must: {RECALL})"
    yield f"  neighbours kept  {found['neighbours_kept']:.4f}   (must: {KEPT})"
    yield f"  missed           {found['missed_kinds']}"
    for name in ("made_up", "real"):
        if one := result.get(name):
            yield f"{name.replace('_', ' ')}: {one['words']:,} words, {one['characters']:,} characters without secrets"
            yield f"  false hits       {one['hits']}, one in {one['words_a_hit']:,} words   (must: {WORDS_A_HIT:,})"
            yield f"  where            {one['where']}"


if __name__ == "__main__":
    main()
