"""What to do about what is wrong with a journal."""

from collections.abc import Iterable, Mapping, Sequence

from noctuary.ledger.verifying import Finding, Kind

# A crash leaves these behind, and the next command that writes heals them.
HARMLESS = frozenset({Kind.TORN, Kind.BEHIND})
# The worst first.  Where there is nothing to say, the finding itself says what to do.
ADVICE: Mapping[Kind, str] = {
    Kind.TOO_NEW: "",
    Kind.DAMAGED: "",
    Kind.UNEQUAL: "",
    Kind.MALFORMED: "Lines that are no events are passed over; put them right from a copy, then `noctuary rebuild`.",
    Kind.BROKEN: "Compare with a copy; if the lines are as they should be, they can stay as they are.",
    Kind.CIRCLE: "Take one edge of each circle away: `noctuary unlink KIND FROM TO`.",
    Kind.LOOSE: "Import the journal that has the missing nodes: `noctuary journal import FILE`.",
    Kind.FOREIGN: "If the file was moved or renamed on purpose, it can stay as it is.",
    Kind.DOUBLE: "Each counts once, so they can stay as they are.",
    Kind.BEHIND: "The next command that needs them reads them.",
    Kind.TORN: "What a crash cut off was never finished, and hurts nothing.",
}
_RANKS = {kind: rank for rank, kind in enumerate(ADVICE)}


def is_sound(findings: Iterable[Finding]) -> bool:
    """Whether nothing is wrong but what heals by itself."""
    return all(finding.kind in HARMLESS for finding in findings)


def worst_of(findings: Sequence[Finding]) -> Finding:
    """What is to be looked at first."""
    return min(findings, key=lambda finding: _RANKS[finding.kind])


def advice_on(findings: Iterable[Finding]) -> list[str]:
    """What to do, once for each kind of thing that is wrong, the worst first."""
    kinds = {finding.kind for finding in findings}
    return [advice for kind, advice in ADVICE.items() if kind in kinds and advice]
