"""The verb by which memories are moved to another database."""

from collections.abc import Sequence

from noctuary.clock import Clock
from noctuary.errors import BadInput
from noctuary.moving.move import Move, Moved, ShowProgress
from noctuary.moving.places import Place, place_named
from noctuary.settings import Settings


def move_memory(
    settings: Settings,
    to: str,
    clock: Clock,
    *,
    also: Sequence[str] = (),
    all_owners: bool = False,
    dry_run: bool = False,
    progress: ShowProgress | None = None,
) -> list[Moved]:
    """Copy the memory that the settings name, and perhaps others' beside it, to a server or a folder.

    The source is not changed, and a destination that holds anything else of these owners is refused.  With `dry_run`
    both are only looked at.
    """
    if all_owners and also:
        raise BadInput("--all-owners are all; --also adds nobody.")
    source = Place(settings.home, settings.database_url)
    move = Move(source, place_named(to, settings.home), clock, settings.busy_seconds, dry_run, progress)
    return move.run(move.owners() if all_owners else list(dict.fromkeys([settings.owner, *also])))
