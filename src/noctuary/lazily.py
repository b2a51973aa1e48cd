"""Parts that are loaded when they are first used, so that a search does not pay at its start for what an import needs.

There is one way to do it, at the top of a module, where imports are looked for:

    if TYPE_CHECKING:
        from noctuary import forgetting
    else:
        forgetting = lazy_module("noctuary.forgetting")

It is for what a search never uses and whose loading was measured to matter; everything else is imported as usual.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any, Generic, Self, TypeVar, overload

Made = TypeVar("Made")


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


class Once(Generic[Made]):
    """A property that is made when it is first asked for, and kept with its object.

    `functools.cached_property` of Python 3.11 makes one at a time for all objects of a class.  What asks a database is
    not made so: it would wait for a connection while all others wait for it, and they may hold the connections.
    """

    def __init__(self, make: Callable[[Any], Made]) -> None:
        self._make, self._name = make, ""
        self.__doc__ = make.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type) -> Made: ...
    def __get__(self, instance: object, owner: type) -> Self | Made:
        if instance is None:
            return self
        made = vars(instance)[self._name] = self._make(instance)
        return made
