"""Golden cases: a home folder as an agent leaves it, and what we read from it, written down to be read by people.

A case is a folder `golden/<agent>/<version or shape>` with a folder `home` and a file `expected.txt`.  A file whose
name ends in `.sql` stands for a database of that name without the ending, so that it can be read and compared.  All
files are given one time, because some agents write none.  After `NOCTUARY_WRITE_GOLDEN=1` what is read is written down
instead of compared: read it, line by line, before you commit it.
"""

import os
import shutil
from pathlib import Path
from typing import NamedTuple

import apsw

from noctuary.transcripts import agents
from noctuary.transcripts.agents import adapters
from noctuary.transcripts.items import Adapter, Facts, Item, Mark, NewField, Place, Rewound, Said, Skipped, Source

FOLDER = Path(__file__).parent / "golden"
FORMATS = (Path(agents.__file__).parent / "examples", Path(__file__).parent / "formats")
WRITTEN_AT = 1_772_442_000  # 2026-03-02T09:00:00Z


class Case(NamedTuple):
    """One shape of one agent's transcripts."""

    agent: str
    name: str

    @property
    def folder(self) -> Path:
        """Where it is kept."""
        return FOLDER / self.agent / self.name

    @property
    def formats(self) -> Path:
        """The folder in which its format is described, if it is one of those."""
        return next((each for each in FORMATS if (each / f"{self.agent}.toml").exists()), FORMATS[0])

    @property
    def adapter(self) -> Adapter:
        """Who reads it."""
        return next(each for each in adapters(self.formats) if each.name == self.agent)

    def laid_out(self, home: Path) -> Path:
        """The home folder of the case, in a place where it may be changed."""
        shutil.copytree(self.folder / "home", home)
        for path in sorted(home.rglob("*.sql")):
            connection = apsw.Connection(str(path.with_suffix("")))
            connection.execute(path.read_text(encoding="utf-8"))
            connection.close()
            path.unlink()
        for path in (home, *home.rglob("*")):
            os.utime(path, (WRITTEN_AT, WRITTEN_AT))
        return home


def cases() -> list[Case]:
    """Every case there is."""
    found = [Case(path.parent.name, path.name) for path in sorted(FOLDER.glob("*/*")) if path.is_dir()]
    assert found
    return found


def sources(case: Case, home: Path) -> list[Source]:
    """The transcripts of a case; nothing of the machine is asked.  Exports are where people download them to."""
    named = getattr(case.adapter, "sources_in", None)
    return [*case.adapter.find(home, {}), *(named(home / "Downloads") if named else ())]


def told(case: Case, home: Path) -> str:
    """All that is read, as a text for people; the home folder is a tilde wherever it lies."""
    lines = []
    for source in sources(case, home):
        lines.append(f"# {source.path.relative_to(home)}" + (f" ({source.session})" if source.session else ""))
        lines += [_line(item) for item in case.adapter.read(source, Place()) if not isinstance(item, Mark)]
    return "\n".join(lines).replace(str(home), "~") + "\n"


def _line(item: Item) -> str:
    match item:
        case Facts():
            known = {name: getattr(item, name) for name in item._fields if getattr(item, name) is not None}
            return "facts " + ", ".join(f"{name}={value}" for name, value in known.items())
        case Said(session, message):
            about = [message.role.value, message.kind.value, message.hidden, message.tool_name, message.call_id]
            head = " ".join(str(part) for part in about if part)
            return f"{session}:{message.source_line} {message.ts_ms} {head}\n" + _indented(message.content)
        case Rewound():
            return f"rewound {item.session}: {len(item.uids)}"
        case Skipped():
            return f"skipped {item.line}: {item.unknown or item.reason}"
        case NewField():
            return f"new field {item.line}: {item.name}"
    raise AssertionError(item)


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.split("\n"))
