"""How long something takes, and how far a measurement is: what benchmarks share."""

import gc
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import click


def seconds(work: Callable[[], object]) -> float:
    """How long it takes by the clock on the wall."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def cpu_seconds(work: Callable[[], object]) -> float:
    """How long the processor is at it; what others left behind is collected before."""
    gc.collect()
    start = time.process_time()
    work()
    return time.process_time() - start


def bar(items: Sequence[Any], label: str) -> Iterable[Any]:
    """The items, with a bar for whoever watches."""
    with click.progressbar(items, label=label, file=sys.stderr) as shown:
        yield from shown
