"""What sentences announce: words that tell a decision from a finding, in five languages.

They are looked for as plain substrings of the lowered text between spaces: a search in C that costs nothing, where one
great pattern would cost more than reading the session.
"""

from noctuary.authored import EventType

_CAUSE = (
    "because", "root cause", "the cause", "caused by", "the issue", "the problem", "turns out", "due to", "the reason",
    "is missing", "are missing", "doesn't exist", "does not exist", "no such", "not supported", "doesn't support",
    "does not support", "comes from", "came from", "there's no ", "there is no ", "isn't a", "there isn't", "none of",
    "i found", "i confirmed", "i see the", "culprit", "conflict", "rejects", "instead of returning", "even though",
    "weil", "ursache", "das problem", "liegt an", "причина", "потому что", "проблема", "porque", "la causa",
    "el problema", "parce que", "la cause", "le problème",
)  # fmt: skip
_CHOICE = (
    "instead of", "rather than", "decided", "going with", "go with", "chose", "choose", "let's use", "switched to",
    "switch to", "opted", "best fit", "trade-off", "tradeoff", "compromise", "so that", "in favor of", "over using",
    "stick with", "settled on", "source of truth", "responsibility", "entschieden", "statt", "stattdessen", "решили",
    "вместо", "выбрали", "en lugar de", "en vez de", "decidimos", "au lieu de", "plutôt que", "décidé",
)  # fmt: skip
_RULE = (
    " must ", "must not", " only ", " never ", " always ", "do not ", "don't ", " cannot ", " can't ", "required",
    "needs to", "need to", "has to", "have to", "make sure", "ensure", "exclusively", "not allowed", "out of scope",
    "at least", "at most", "no more than", "should ", "expected", "we expect", "avoid ", " muss ", " darf nicht",
    " nur ", " immer ", " niemals ", "должн", "нельзя", "только", "всегда", "никогда", " debe ", "siempre", "nunca",
    " solo ", " doit ", "toujours", "jamais", "ne pas",
)  # fmt: skip
_PROOF = (
    " passed", " passes", " pass ", " failed", " fails", " failing", "failure", "returns 200", "returned", "exit code",
    "build succe", "build pass", "tests ", "verified", "no longer", "type-check", "typecheck", " errors", "green",
    "all done", "successful", "reproduc", "benchmark", "measured", " ms", "fehlgeschlagen", "bestanden", "тесты",
    "прошли", "упал", "pasaron", "fallan", "échoué", "réussi",
)  # fmt: skip
_GUESS = (
    "likely", "probably", "might be", "may be", "suspect", "possibly", "perhaps", "seems to", "appears to",
    "i think", "could be", "hypothes", "my guess", "wahrscheinlich", "vermutlich", "вероятно", "возможно",
    "probablemente", "quizás", "probablement", "peut-être",
)  # fmt: skip
_REFUSAL = (
    "don't want", "do not want", "doesn't need", "don't need", "not worth", "overkill", "no need", "ruled out",
    "rejected", "decided against", "would just be", "unnecessary", "not going to", "won't use", "dropped", "discarded",
    "nicht nötig", "abgelehnt", "не нужно", "не надо", "no necesit", "descart", "pas besoin", "rejeté",
)  # fmt: skip

CUES: dict[EventType, tuple[str, ...]] = {
    EventType.FINDING: _CAUSE,
    EventType.DECISION: _CHOICE,
    EventType.CONSTRAINT: _RULE,
    EventType.EVIDENCE: _PROOF,
    EventType.HYPOTHESIS: _GUESS,
    EventType.REJECTION: _REFUSAL,
}

# Headings that say what stands below them.
HEADINGS: tuple[tuple[EventType, tuple[str, ...]], ...] = (
    (EventType.EVIDENCE, ("verif", "validat", "test result", "checks", "tested", "results")),
    (
        EventType.DECISION,
        ("change", "what i did", "decision", "implemented", "fix", "approach", "built", "added", "solution"),
    ),
    (
        EventType.FINDING,
        ("cause", "finding", "issue", "problem", "why", "note", "how it works", "behavior", "gap", "error"),
    ),
    (
        EventType.CONSTRAINT,
        ("require", "constraint", "rule", "non-goal", "must", "out of scope", "limitation", "request and intent"),
    ),
)

# Sentences that only announce what is done next.
INTENTS = (
    "i'll ", "i’ll ", "let me ", "i'm going to", "i’m going to", "i will ", "next i", "now i'll", "now let", "i'm now",
    "i’m now", "let's ", "now ", "next, ", "i'm checking", "i’m checking", "i'm running", "i’m running", "first, ",
    "want me to", "would you like", "do you want", "if you want", "should i ", "shall i", "i can ", "here's ",
    "here is ", "here’s", "great", "perfect", "good", "excellent", "done", "i need to", "i'm ", "i’m ", "i should",
    "the user ", "looking at", "let's see", "ich werde", "я ", "voy a", "je vais",
)  # fmt: skip


def hits(padded: str, cues: tuple[str, ...]) -> int:
    """How many of the cues occur in the text, which is lowered and has a space at both ends."""
    return sum(cue in padded for cue in cues)
