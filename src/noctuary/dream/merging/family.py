"""Sessions that come from one another: a fork repeats what its parent said, and that is no second voice."""

from noctuary.dream.night import Night

_DEEPEST = 20


def first_of_family(night: Night, session: str) -> str:
    """The session that a fork, a resumed session or a sub-agent goes back to; most go back to themselves."""
    seen = [session]
    while len(seen) < _DEEPEST:
        found = night.store.sessions.find(night.owner, seen[-1])
        parent = found[1].parent if found else None
        if not parent or parent in seen:
            break
        seen.append(parent)
    return seen[-1]
