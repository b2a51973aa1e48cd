"""The dream state beside the database of a snapshot: a second copy, for when the first cannot be read."""

from noctuary.dream.life.healing import heal
from noctuary.dream.life.state_file import restore_state, state_bytes
from noctuary.dream.night import Night
from noctuary.errors import NoctuaryError, StoreError
from noctuary.ledger.ledger import Ledger
from noctuary.store import Store

_BESIDE = "the file beside it"


def state_of(store: Store, owner: str) -> bytes:
    """The dream state of an owner, as a file; the same state always gives the same bytes."""
    return state_bytes(store, owner)


def settle_state(ledger: Ledger, content: bytes | None, *, is_same_schema: bool = True) -> list[str]:
    """See to it that the database knows the dream state; what there is to say about it.

    The database counts if it can be read, else the file, else the journal.
    """
    owner, known = ledger.owner, _known(ledger)
    if known is not None:
        differs = content is not None and content != known and is_same_schema
        return [f"The dream state of {owner} beside the database is another; the database's counts."] if differs else []
    if content is not None:
        try:
            restore_state(Night(ledger), content, over_newer=True)
            return [f"The dream state of {owner} in the database could not be read; it is now that of {_BESIDE}."]
        except NoctuaryError:
            pass  # healed below, and said
    return [_healed(ledger)]


def _known(ledger: Ledger) -> bytes | None:
    try:
        return state_bytes(ledger.store, ledger.owner)
    except StoreError:
        return None


def _healed(ledger: Ledger) -> str:
    said = f"The dream state of {ledger.owner} can be read neither in the database nor in {_BESIDE}"
    try:
        made = heal(Night(ledger))
    except NoctuaryError as error:
        return f"{said}, nor made again from the journal: {error} Everything else was restored."
    return f"{said}; it was made again from the journal, with {made.records} completions."
