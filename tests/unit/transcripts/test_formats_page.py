"""The page about formats names every agent that is read, and every variable that says where its transcripts are."""

import re
from pathlib import Path

from noctuary.transcripts.agents import adapters

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| `([a-z.-]+)` \|[^|]+\|[^|]+\|([^|]*)\|$", PAGE, re.MULTILINE)
# How the names of variables end that name a place; other words in capitals are types of records.
ENDINGS = ("_HOME", "_DIR", "_DB", "_FILE", "_ROOT", "_DATA", "_OVERRIDE", "_PATH")


def test_every_agent_has_a_line() -> None:
    """In the order in which they are looked for."""
    assert [agent for agent, _ in ROWS] == [adapter.name for adapter in adapters()]


def test_every_variable_is_named() -> None:
    """None that is read is left out, and none is named that nobody reads."""
    source = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "src/noctuary/transcripts").glob("*.py"))
    read = set(re.findall(r'"([A-Z]+(?:_[A-Z]+)+|APPDATA)"', source))
    named = {name for _, variables in ROWS for name in re.findall(r"`([A-Z_]+)`", variables)}

    assert {name for name in read if name.endswith(ENDINGS) or name == "APPDATA"} == named
