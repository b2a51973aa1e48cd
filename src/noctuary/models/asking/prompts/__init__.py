"""What models are told, as pages beside this file."""

from pathlib import Path


def prompt(name: str) -> str:
    """The page of this name."""
    return (Path(__file__).parent / f"{name}.md").read_text(encoding="utf-8").strip()
