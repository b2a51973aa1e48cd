"""What reviewers do: read proposals, accept them, perhaps in other words, or refuse them; and think again.

Nobody accepts what they published themselves, unless there is no other reviewer; the history names both in any case.
"""

from noctuary.errors import BadInput, NotAllowed
from noctuary.ledger.ledger import Ledger
from noctuary.redact import redact
from noctuary.sharing.deeds import note
from noctuary.sharing.publishing import share_named
from noctuary.sharing.teams import reviewed_team, reviewers, team_named, teams
from noctuary.store.sharing import Deed, Role, Share, ShareState
from noctuary.work.wording import words_of


def proposals(ledger: Ledger, team_name: str | None = None) -> list[Share]:
    """What waits for the owner's review, in one team or in all, the oldest first."""
    chosen = [reviewed_team(ledger, team_name)] if team_name else teams(ledger)
    found = [
        share
        for team in chosen
        if team.role is Role.REVIEWER
        for share in ledger.store.sharing.where(ledger.owner, team=team.id, state=ShareState.PROPOSED)
        if share.publisher != ledger.owner or reviewers(ledger, team) == [ledger.owner]
    ]
    return sorted(found, key=lambda share: (share.proposed_ms, share.id))


def shared(ledger: Ledger, team_name: str | None = None, words: str = "") -> list[Share]:
    """What the team has accepted, of one team or of all; with `words` only what has all of them."""
    team = team_named(ledger, team_name).id if team_name else None
    found = ledger.store.sharing.where(ledger.owner, team=team, state=ShareState.ACCEPTED)
    wanted = words.casefold().split()
    return [share for share in found if all(word in _findable(share) for word in wanted)]


def accept(ledger: Ledger, name: str, text: str | None = None) -> Share:
    """Accept a proposal for all members, as it is or in other words; the publisher's are kept beside them.

    Words of which nothing is left are refused: whoever wanted others must not find the publisher's accepted.
    """
    wording = redact(words_of(text or "", "text"))
    if text is not None and not wording:
        raise BadInput("There are no words in the text; say some, or leave it out to accept the publisher's.")
    return _decided(ledger, name, ShareState.ACCEPTED, wording=wording)


def refuse(ledger: Ledger, name: str, reason: str) -> Share:
    """Say why something is not for the team; what was accepted before is then no longer shared."""
    words = redact(words_of(reason, "reason"))
    if not words:
        raise BadInput("Say why, so that its publisher can do something about it.")
    return _decided(ledger, name, ShareState.REFUSED, reason=words)


def _decided(ledger: Ledger, name: str, state: ShareState, *, wording: str = "", reason: str = "") -> Share:
    with ledger.store.database.transaction():
        ledger.store.sharing.take_turn(share_named(ledger, name).team)
        share = share_named(ledger, name)  # as it is now: its publisher may have taken it back while we waited
        _check_right(ledger, share)
        wording = "" if wording == share.content.text else wording
        if (share.state, share.wording, share.reason) != (state, wording, reason):
            sharing, now_ms = ledger.store.sharing, ledger.clock.now_ms()
            sharing.review(ledger.owner, share, state, wording, reason, now_ms)
            is_open = ShareState.ACCEPTED in (state, share.state)
            what = Deed.ACCEPTED if state is ShareState.ACCEPTED else Deed.REFUSED
            note(ledger, share.team, what, share.id, publisher=share.publisher, is_open=is_open)
        return share_named(ledger, name)


def _check_right(ledger: Ledger, share: Share) -> None:
    team = reviewed_team(ledger, share.team)
    others = [one for one in reviewers(ledger, team) if one != ledger.owner]
    if share.publisher == ledger.owner and others:
        raise NotAllowed(f"You published {share.id} yourself; {', '.join(others)} can review it.")


def _findable(share: Share) -> str:
    return f"{share.text} {share.content.topic} {share.publisher}".casefold()
