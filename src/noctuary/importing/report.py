"""What an import found and did: every transcript is accounted for, and nothing is left out silently."""

from collections import Counter
from dataclasses import dataclass, field


@dataclass(slots=True)
class ImportReport:
    """Counts for people to read; `problems` say which file, what happened and what to do.

    Every transcript is counted once: `found` is new, grown, unchanged and all the skipped together.
    """

    found: int = 0
    new: int = 0
    grown: int = 0  # or rewritten
    unchanged: int = 0
    skipped: Counter[str] = field(default_factory=Counter)  # why a whole transcript was left out → how many
    sessions: int = 0
    messages: int = 0
    repeated: int = 0  # entries a fork or resume copied from its parent: stored once, with the parent
    hidden: int = 0  # of the messages, those that are not part of a conversation
    rewound: int = 0
    forgotten: int = 0  # entries kept out because they were forgotten before
    malformed: int = 0
    unknown: Counter[str] = field(default_factory=Counter)  # record types we have not met → how many
    fields: Counter[str] = field(default_factory=Counter)  # fields we have not met, of records that were used
    by_agent: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
