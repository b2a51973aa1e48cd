"""Whether the formats of agents are still what our adapters know."""

from noctuary.health import Checked, Finding
from noctuary.importing.sources import places_by_agent, unparsed
from noctuary.store import Store

NAME = "formats"
FEWEST = 2  # one file that says nothing may be anything; a format that has changed shows in all of them


def check_up(store: Store, owner: str) -> Checked:
    """Say which agents have transcripts that mostly could not be read."""
    wrong = []
    places = places_by_agent(store, owner)
    for agent, read in sorted(places.items()):
        told_nothing = unparsed(read)
        if len(told_nothing) >= FEWEST and 2 * len(told_nothing) > len(read):
            wrong.append(f"{len(told_nothing):,} of {len(read):,} transcripts of {agent}, e.g. {told_nothing[0]}")
    if wrong:
        advice = "`noctuary sources --drift` says what was new in them."
        return Checked(name=NAME, finding=Finding.WARNING, detail=f"could not be read: {'; '.join(wrong)}. {advice}")
    read_all = sum(map(len, places.values()))
    detail = f"{read_all:,} transcripts read, as we know them" if read_all else "none read yet"
    return Checked(name=NAME, finding=Finding.OK, detail=detail)
