"""Parts that are loaded when they are first used, so that a search does not pay at its start for what an import needs.

There is one way to do it, at the top of a module, where imports are looked for:

    if TYPE_CHECKING:
        from noctuary import forgetting
    else:
        forgetting = lazy_module("noctuary.forgetting")

It is for what a search never uses and whose loading was measured to matter; everything else is imported as usual.
"""

from importlib import import_module
from typing import Any


class _LazyModule:
    """Stands for a module; asking it for anything loads the module, and what was asked for is kept."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        found = getattr(import_module(self._name), attribute)
        setattr(self, attribute, found)
        return found


def lazy_module(name: str) -> Any:
    """The module of this name, loaded when something of it is first used."""
    return _LazyModule(name)
