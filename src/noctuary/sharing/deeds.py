"""The history of a team: who did what and when, and never a text."""

from noctuary.ids import ulid_after
from noctuary.ledger.ledger import Ledger
from noctuary.store.sharing import Deed, DeedDone


def note(ledger: Ledger, team: str, what: Deed, about: str = "", *, publisher: str = "", is_open: bool = True) -> None:
    """Add a line in the name of whoever asks; unless it is open, only reviewers and the publisher see it."""
    sharing, now_ms = ledger.store.sharing, ledger.clock.now_ms()
    name = ulid_after(sharing.last_deed(ledger.owner), now_ms)
    sharing.note(DeedDone(name, team, now_ms, ledger.owner, what, about, publisher), is_open=is_open)
