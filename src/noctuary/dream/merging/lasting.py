"""Whether a sentence says something that lasts: a rule or a choice, or only what was to be done or was done just then.

Most of what people tell an agent is an errand, and most of what an agent answers is a report of it.  Both are over when
their session is.  What holds longer says so: by "always" or "we use", by a reason, by what it needs.

Patterns are of small letters.  What one of them may begin with stands first, in one group behind one `\\b`, and what
must stand before it is looked at last: so most letters of a text are passed over by the first comparison.
"""

import re

from noctuary.dream.merging.marked import Marked, has_any, in_small

_SENTENCE = re.compile(r"\s(?:(?<=[.!?;]\s)\s*|(?<=\n)\n*)")
# It is for this once only, whatever else is said.
_ONE_OFF = re.compile(
    r"\b(?:this (?:one )?(?:once|time)(?! zones?\b)|for (?:just |only )?(?:now|once|today|tonight|the moment)"
    r"|for the time being|right now|temporarily|hurry|until (?:later|tomorrow)|one last time|just (?:once|today)"
    r"|(?:for|in|on|with) (?:just |only )?this (?:pr|mr|pull request|merge request|branch|commit|session|run|task"
    r"|change|ticket|issue|one|round|attempt)\b|diesmal|dieses mal|vorerst|esta vez|por ahora|cette fois|"
    r"pour l.instant"
    r"|на этот раз|пока что|for (?:a|another) (?:moment|minute|min|sec|second|bit|while)\b"
    r"|(?:until|till|while) i(?:['’]m| am)\b|einen moment|un momento?\b|(?:not|don['’]?t|do not) (?:\S+ ){1,8}yet\b)",
)
_TODAY = re.compile(
    r"\b(?:today|tonight|this (?:morning|afternoon|evening)|heute|hoy|сегодня)\b(?!['’])",
)
_ONE_OFF_MARKS = (  # one is in all of these
    "this ", "now", "once", "today", "tonight", "moment", "being", "temporarily", "hurry", "later", "tomorrow",
    "last time", "diesmal", "dieses mal", "vorerst", "esta vez", "por ahora", "cette fois", "pour l", "на этот раз",
    "пока что", "heute", "hoy", "сегодня", " yet", "for a ", "for another ", " while i", "until i", "till i", " momen",
)  # fmt: skip
_SINCE_THEN = re.compile(
    r"\b(?:(?:as of|starting|since|from) (?:today|now)|decided|chose|agreed|switched|moved|settled)\b",
)
# What people say to an agent, and what holds nothing.
_TALK = re.compile(
    r"^(?:(?:ok(?:ay)?|so|and|well|then|wait|hey|hi|oh|hm+|yes|no|please|thanks)\b[\s,.!]*)*"
    r"(?:let['’]?s (?:see|try|commit|push|get|call it|continue|start|begin|look|go (?:on|back|ahead)|do|check|wait"
    r"|find|talk|think|discuss|move on|finish|wrap|proceed|stop|take|run|restart|revert|keep going)\b"
    r"|давай (?:посмотрим|попробуем)|never ?mind\b|always the same\b|good (?:morning|night)\b"
    r"|(?:i|you) (?:do ?n['’]?o?t )?(?:have|need|got|ought) to\b|i must\b|you must be\b|i (?:see|found|get|got|"
    r"think)\b"
    r"|(?:can|could|would|will|should|shall|do|does|did|are|is|have|has) (?:you|we|i|it|they|there|this|that|the)\b"
    r"|(?:sollen|soll|können|kann) (?:wir|ich|du|man)\b|ich (?:glaube|denke)\b"
    r"|must be\b|why\b|what (?:is|are|do|does|if|about|happens)\b|how (?:do|does|can|come|about)\b)",
)
_AT_A_PLACE = re.compile(r"\b(?:line|lines|option|item|step) #?\d|error: (?<=\werror: )|exception: (?<=\wexception: )")
_PASTED = re.compile(r"^\s*(?:\$ |Traceback |File \"|npm ERR)|\bnpm ERR!", re.MULTILINE)
_OURS = (
    r"project|repo|repository|codebase|code base|app|application|package|service|team|company|workspace|monorepo|way"
)
# It points at what only those who were there can see.
_POINTING = re.compile(
    rf"\b(?:this (?!(?:{_OURS})\b)\w|these\b|those\b"
    r"|that (?:file|one|function|folder|line|change|test|button|command|thing|code|class|method|variable|bug|error)\b"
    r"|there\b(?! (?:is|are|must|should|has|have|was|were|will|can|may)\b)|here\b|again\b"
    r"|now\b(?<!\.now)(?<!from now)(?<!we now)(?<!is now)(?<!are now)(?! on\b|\()|i (?:attached|pasted|sent|showed)\b)"
    r"|^(?:(?:\S+ ){0,6}(?:it|this|that|them)\W*$"
    r"|(?:that|this|it)(?:['’]?s\b| (?:is|has|must|still|should|was|looks)\b))",
)
_ALWAYS = Marked(
    re.compile(
        r"\b(?:always|never|from now on|from today on|going forward|in (?:the )?future|every ?time|each time|whenever"
        r"|(?:before|after) (?:every|each|any)|for (?:every|each) (?:change|commit|pr|pull request|release|task)"
        r"|when(?:ever)? you|as you|no longer|everywhere"
        r"|immer|nie|niemals|stets|ab jetzt|keine?n?|siempre|nunca|toujours|jamais|всегда|никогда|больше не)\b"
        r"|常に|必ず|決して|ないで|ないこと|总是|始终|一律|不要|必须|항상|절대",
    ),
    (
        "always", "never", "from now on", "from today on", "going forward", "future", "every", "each", "whenever",
        "when you", "as you", "no longer", " any", "immer", "nie", "stets", "ab jetzt", "kein", "siempre", "nunca",
        "toujours", "jamais", "всегда", "никогда", "больше не", "常に", "必ず", "決して", "ないで", "ないこと", "总是",
        "始终", "一律", "不要", "必须", "항상", "절대",
    ),
)  # fmt: skip
_FROM_NOW_ON = re.compile(r"\b(?:from (?:now|today) on|going forward|in (?:the )?future|ab jetzt)\b")
_STANDING = re.compile(
    r"^(?:decision|decided|entscheidung|решение|decisión|décision|決定)\s*[:：]|"
    r"\b(?:must|mustn['’]?t|has to|have to|may not|make sure|be sure|ensure|remember|prefer\w*|avoid|only|unless|every"
    r"|(?<!i )(?<!you )(?<!they )(?:don['’]?t|do not)(?! (?:need|have|think|know|see|understand|mind|care|get|work)\b)"
    r"|we (?:now |only |still )?(?:use|keep|want|write|call|go with|chose|decided|agreed|picked|settled|switched|"
    r"moved)"
    r"|(?:the user|users?) (?:chose|decided|wants?|prefers?)|i (?:chose|decided|like|hate|expect|want (?!to\b))"
    r"|(?:is|are) now|instead|rather than|i['’]?d rather|i would rather|in favou?r of|statt|вместо|en vez de|"
    r"au lieu de"
    r"|(?:use|using) (?:\S+ ){1,8}?(?:for|as|in|over|with|to(?! (?:fix|find|see|check))|when|on)"
    r"|stick (?:to|with)|go with|stop \w+ing"
    r"|let['’]?s (?:use|go (?:with|for)|keep|stick|switch|standardi[sz]e|adopt|drop|avoid|not|always|never|have))\b"
    r"|, (?:and )?not \w|^(?:please |and |also |so )*(?:no|keep|answer|reply)\b",
)
_FEWEST_WORDS = 5  # that say something by themselves, if none of them is one of these
_TELLING = re.compile(
    r"\b(?:must|don['’]?t|do not|no|not|prefer|avoid|use|rather|like|hate|chose|every|instead of)\b",
)
# To be done once, and then it is done.
_DO_ONCE = (
    r"(?:also |please |just |now )*(?:add|create|fix|rename|replace|move|remove|delete|write|update|implement|build"
    r"|commit|push|run|restart|revert|open|close|merge|rebase|extract|look|check|find|show|explain|continue|include|"
    r"change"
    r"|copy|install|deploy|set up|clean|finish|tell|give|put|make (?!sure))\b"
)
_ERRAND = re.compile(
    rf"^(?:(?:ok(?:ay)?|so|and|then|now|wait|please)\b[\s,]*)*{_DO_ONCE}"
    rf"|\b(?:make sure|be sure|remember|you (?:should|must)|we (?:should|need to|have to)|"
    rf"let['’]?s) (?:to )?{_DO_ONCE}"
    r"|\b(?:and|then) (?:then )?(?:push|commit|open a pr|deploy|stop|tell me|let me know)\b\W*$",
)

# By these a finding is good for more than the day: it says why, when, or what it takes.
_REASON = re.compile(
    r"\b(?:because|so that|root cause|caus(?:e|es|ed)(?: is| was| by)?|due to|stems? from|comes? from|as the"
    r"|instead of|rather than|in favou?r of|must|cannot|can['’]?t|could not be|(?:fails?|crash(?:es)?|breaks?|hangs?|"
    r"times? out|works?|loops?|leaks?|is lost|are lost) (?:when|if|on|with|only|unless|without|after|because|as|at|in)"
    r"|only works?|needs?|requires?|depends? on|unless|otherwise|to (?:avoid|prevent|keep|allow)|never|always"
    r"|(?:issue|problem|bug|culprit|reason|trick|fix) (?:is|was)|known bug|decided|chose|opted|weil|parce que|"
    r"porque)\b"
    r"|\bso (?!far\b|on\b|forth\b|much\b|many\b|i\b)\w|, (?:as|since|or) \w|потому что|因为|ため",
)
_GUESS = re.compile(r"\b(?:might|perhaps|possibly|probably|likely|i (?:think|would|suspect|guess))\b")
_BECAUSE = re.compile(
    r"\b(?:because|root cause|caused by|due to|so that|known bug|(?:issue|problem|bug) (?:is|was))\b",
)
_DONE = (
    r"created|added|updated|implemented|fixed|committed|pushed|moved|renamed|removed|deleted|wrote|written|refactored"
    r"|ran|restarted|started|changed|installed|extracted|exported|built|deployed|verified|tested|replaced|completed"
    r"|finished|cleaned|merged|rebased|reverted|resolved|set up|generated|wired|converted|improved|cleared|done"
)
_CHANGELOG = re.compile(
    r"^\W*(?:(?:all|and|now|also|then|successfully|fully|partially|i(?:['’]ve| have)?|we(?:['’]ve| have)?)\b\s*)*"
    rf"(?:{_DONE})\b"
    rf"|^[^.!?]{{1,60}}(?::| —| –| -) (?:{_DONE})\b|^\W?\S+\.[a-z]{{2,4}}\W? [—–] "
    r"|^\W*(?:(?:the|key|main|all|what|i|we) )*(?:fix(?:es)?|changes?|changed|improvements?|updates?)"
    r"(?: (?:summary|made|and|fixes|changes|improvements|are|done|applied|include))*\s*:",
)
# Of a moment, reason or not.
_OF_A_MOMENT = Marked(
    re.compile(
        r"^\W*(?:phase \d|(?:partially|fully|mostly|not yet) (?:compliant|complete|done)\b)"
        r"|\b(?:i(?:['’]ve| have)? (?:just |also |then |now |already )*"
        r"(?:ran|re-?ran|restarted|started|looked|checked|opened|read|moved|created|committed|pushed|tried"
        r"|couldn['’]?t find|could not find)|\d+ (?:tests? )?(?:passed|failed|passing)"
        r"|should (?:now )?(?:fix|work|resolve|help|eliminate)|let me|want me to|shall i|if you want|would you like"
        r"|is (?:running|passing|failing|broken) now|are (?:running|passing|failing|broken) now"
        r"|the user (?:asked|requested|then|said|reported))\b",
    ),
    (
        "phase ", "partially", "fully", "mostly", "not yet", " ran", "re-ran", "reran", "restarted", "started",
        "looked", "checked", "opened", " read", "moved", "created", "committed", "pushed", "tried", "t find", "passed",
        "failed", "passing", "should", "let me", "want me to", "shall i", "if you want", "would you like",
        "running now", "failing now", "broken now", "the user ",
    ),
)  # fmt: skip


def is_one_off(text: str, *, is_ruling: bool = True) -> bool:
    """Whether it is meant for this once; a rule or a choice is also if it is for today."""
    small = in_small(text)
    if not has_any(small, _ONE_OFF_MARKS) or _SINCE_THEN.search(small):
        return False
    return _ONE_OFF.search(small) is not None or (is_ruling and _TODAY.search(small) is not None)


def is_talk(text: str) -> bool:
    """Whether nothing in it is more than a word in passing: a greeting, a question, a guess, a line of a log."""
    return _PASTED.search(text) is not None or all(_is_talk(sentence) for sentence in _sentences(text))


def is_standing(text: str) -> bool:
    """Whether somebody lays down by it how things are to be, so that it can be understood elsewhere and later."""
    return _PASTED.search(text) is None and any(_is_standing(sentence) for sentence in _sentences(text))


def is_reasoned(text: str) -> bool:
    """Whether what an agent found or chose comes with why, when, or what it takes, and is no guess."""
    small = in_small(text)
    return _REASON.search(small) is not None and _GUESS.search(small) is None


def is_report(text: str) -> bool:
    """Whether an agent only reports what it did, or how things stood just then."""
    small = in_small(text)
    if _OF_A_MOMENT.is_in(small):
        return True
    return _CHANGELOG.search(small) is not None and _BECAUSE.search(small) is None


def _sentences(text: str) -> list[str]:
    """The sentences of a text, in small letters."""
    return [sentence.strip() for sentence in _SENTENCE.split(in_small(text).strip()) if sentence.strip()] or [""]


def _is_talk(sentence: str) -> bool:
    return sentence.endswith("?") or bool(_TALK.search(sentence) or _AT_A_PLACE.search(sentence))


def _is_standing(sentence: str) -> bool:
    if _is_talk(sentence):
        return False
    if _FROM_NOW_ON.search(sentence):
        return True
    if _POINTING.search(sentence):
        return False
    if _ALWAYS.is_in(sentence):
        return True
    if len(sentence.split()) < _FEWEST_WORDS and not _TELLING.search(sentence):
        return False
    return _STANDING.search(sentence) is not None and not _ERRAND.search(sentence)
