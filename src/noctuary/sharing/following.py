"""Shares follow their memory: what its owner no longer holds, no team is told any more.

A share is taken back when its memory is superseded, retracted, retired or forgotten, in the same transaction.  Nothing
is proposed in its place: what is new was not looked at by its owner with others in mind.
"""

from noctuary.ledger.ledger import Ledger
from noctuary.sharing.copying import content_of, is_as_it_was
from noctuary.sharing.publishing import take_back_memories, take_turns
from noctuary.store.sharing import Content


def follow(ledger: Ledger) -> int:
    """Take back what holds no longer, and remove copies for which later ones stand; how many memories it was."""
    sharing, owner = ledger.store.sharing, ledger.owner
    with ledger.store.database.transaction():
        gone = set(sharing.without_memory(owner))
        teams = {team for team, _ in (*sharing.replaced(owner), *gone)}
        take_turns(ledger, teams)
        for share in (share for team, share in sharing.replaced(owner) if team in teams):
            sharing.remove(owner, share)
        take_back_memories(ledger, gone)
    return len(gone)


def follow_forgetting(ledger: Ledger) -> int:
    """After something was forgotten: take back copies that may still say it; how many memories it was.

    That is each whose memory holds no longer or says something else, and each that cites a message which is gone.
    """
    with ledger.store.database.transaction():
        taken = follow(ledger)
        outlived = {
            (team, memory)
            for team, _, memory, content in ledger.store.sharing.published_by(ledger.owner)
            if not _is_still_so(ledger, content)
        }
        take_back_memories(ledger, outlived)
    return taken + len(outlived)


def _is_still_so(ledger: Ledger, content: Content) -> bool:
    memory = ledger.store.memories.find(ledger.owner, content.memory)
    if memory is None or not is_as_it_was(content_of(ledger, memory), content):
        return False
    return all(_is_kept(ledger, cited.session, cited.message) for cited in content.cited)


def _is_kept(ledger: Ledger, session: str, message: int) -> bool:
    found = ledger.store.sessions.find(ledger.owner, session)
    return found is not None and bool(ledger.store.messages.between(found[0], message, message))
