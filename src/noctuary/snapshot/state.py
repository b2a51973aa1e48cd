"""The dream state beside the database of a snapshot: a second copy, for when the first cannot be read."""

from noctuary.dream.night import Night
from noctuary.dream.state_file import restore_state, state_bytes
from noctuary.errors import NoctuaryError, StoreError
from noctuary.ledger.ledger import Ledger
from noctuary.store import Store


def state_of(store: Store, owner: str) -> bytes:
    """The dream state of an owner, as a file; the same state always gives the same bytes."""
    return state_bytes(store, owner)


def settle_state(ledger: Ledger, content: bytes | None, *, is_same_schema: bool = True) -> list[str]:
    """See to it that the database knows the dream state; what there is to say about it.

    The database counts if it can be read, else the file; without both it is left to be healed from the journal.
    """
    owner, known = ledger.owner, _known(ledger)
    if known is not None:
        differs = content is not None and content != known and is_same_schema
        return [f"The dream state of {owner} beside the database is another; the database's counts."] if differs else []
    if content is None:
        return [_left_to_heal(owner, "and there is no good copy of it beside the database")]
    try:
        restore_state(Night(ledger), content, over_newer=True)
    except NoctuaryError as error:
        return [_left_to_heal(owner, f"and neither can the copy beside it ({error})")]
    return [f"The dream state of {owner} in the database could not be read; it is that of the file beside it now."]


def _known(ledger: Ledger) -> bytes | None:
    try:
        return state_bytes(ledger.store, ledger.owner)
    except StoreError:
        return None


def _left_to_heal(owner: str, why: str) -> str:
    return (
        f"The dream state of {owner} in the database cannot be read, {why}. Everything else was restored; "
        "`noctuary dream heal` makes it again from the journal."
    )
