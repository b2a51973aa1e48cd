"""`python -m tests.soak [--json] [--minutes 10] [--home FOLDER]`: exits with 1 if anything went wrong."""

import json
import signal
import sys
import tempfile
from pathlib import Path
from typing import Any

import click

from tests.soak.ground import Ground
from tests.soak.soaking import Pauses, Soak


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print all that was seen, as JSON.")
@click.option("--minutes", default=10.0, show_default=True, help="How long they work; checks and the end come on top.")
@click.option("--home", type=click.Path(path_type=Path), help="A new folder to work in, which is kept.")
@click.option("--pace", default=1.0, show_default=True, help="Pauses are so many times as long.")
def main(as_json: bool, minutes: float, home: Path | None, pace: float) -> None:
    """Let everybody work on one memory at once, and say what went wrong."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # or servers would be left behind
    with tempfile.TemporaryDirectory(prefix="noctuary-soak-") as folder:
        ground = Ground(home.absolute() if home else Path(folder) / "ground")
        if ground.root.exists():
            raise click.UsageError(f"{ground.root} is there already; name a new folder.")
        seen = Soak(ground, 60 * minutes, Pauses().times(pace)).run()
    click.echo(json.dumps(seen, indent=2) if as_json else _told(seen))
    sys.exit(1 if seen["faults"] else 0)


def _told(seen: dict[str, Any]) -> str:
    actions, kept = (sum(seen[name].values()) for name in ("actions", "acknowledged"))
    lines = [f"soak: {fault}" for fault in seen["faults"]]
    result = f"{len(lines)} faults" if lines else "nothing went wrong"
    return "\n".join([*lines, f"soak: {seen['seconds']} s, {actions} actions, {kept} things acknowledged; {result}"])


if __name__ == "__main__":
    main()
