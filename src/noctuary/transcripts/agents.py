"""Every agent whose transcripts we can read: by our own adapters, by formats that a person described in a folder of
TOML files, and by adapters that other packages bring.

Of two with one name the first of these counts.  What cannot be used is left out and named, and stops nothing else.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from noctuary.lazily import lazy_module
from noctuary.transcripts.finding import entries
from noctuary.transcripts.items import Adapter
from noctuary.transcripts.ours import every
from noctuary.transcripts.plug_ins import Loaded, PlugIn, installed

if TYPE_CHECKING:
    from noctuary.transcripts import declared, declared_format
else:
    declared = lazy_module("noctuary.transcripts.declared")
    declared_format = lazy_module("noctuary.transcripts.declared_format")


class Roster:
    """All adapters, one an agent, ours first."""

    def __init__(self, formats: Path | None = None, plug_ins: Loaded | None = None) -> None:
        self._problems: list[str] = []
        self._adapters: dict[str, Adapter] = {}
        others = plug_ins if plug_ins is not None else installed()
        for adapter in every():
            self._adapters[adapter.name] = adapter
        for path in entries(formats) if formats is not None else ():
            if path.suffix == ".toml" and not path.name.startswith("."):
                self._add_format(path)
        for plug_in in others.adapters:
            self._add(plug_in, "a plug-in")
        self._problems += [f"{problem}. It was left out; update or uninstall it." for problem in others.problems]

    @property
    def adapters(self) -> Sequence[Adapter]:
        """Those that can be used."""
        return tuple(self._adapters.values())

    @property
    def brought(self) -> Sequence[Adapter]:
        """Those of other packages."""
        return tuple(each for each in self._adapters.values() if isinstance(each, PlugIn))

    @property
    def problems(self) -> Sequence[str]:
        """What was left out, and what failed while it looked for transcripts; why, and what to do."""
        failed = [each.problem for each in self._adapters.values() if isinstance(each, PlugIn) and each.problem]
        return (
            *self._problems,
            *(f"{each}. Its transcripts were left out; update or uninstall it." for each in failed),
        )

    def _add_format(self, path: Path) -> None:
        try:
            self._add(declared.Declared(declared_format.load_format(path)), str(path))
        except declared_format.BadFormat as error:
            self._problems.append(f"{path}: {error}. The format was left out; correct the file or move it away.")

    def _add(self, adapter: Adapter, origin: str) -> None:
        if adapter.name in self._adapters:
            told = f"{origin} reads the transcripts of {adapter.name!r}, for which there is an adapter already"
            self._problems.append(f"{told}. It was left out; give it another name or take it away.")
        else:
            self._adapters[adapter.name] = adapter


def adapters(formats: Path | None = None) -> Sequence[Adapter]:
    """One adapter an agent, ours first; formats that are described in a folder are read if it is named."""
    return Roster(formats).adapters
