"""What one sentence of a prompt reports or quotes: whose words these are is said in it.

What a text says is the text's, also if somebody tells it in his own words; what "I" or "we" say is our own.
"""

import re
from collections.abc import Iterator, Sequence

from noctuary.text import lowered

# Who says so: a clause that reports what another said.  What "I" or "we" say is our own.
_REPORTS = (
    r"says|said|wrote|writes|reads|states|stated|tells|told|claims|claimed|suggests|suggested|recommends|recommended|"
    r"replied|answered|posted|reports|reported|mentions|mentioned|prints|printed|outputs|complains|complained|asks|"
    r"asked|(?<=s )say|(?<=s )state|(?<=s )recommend|(?<=they )say|sagt|sagte|schreibt|schrieb|meint|meinte|пишет|"
    r"написал|говорит|dice|dijo|escribió|dit|écrit"
)
_TEXTS = (
    r"readme|docs?|documentation|manual|guide|page|web ?site|article|blog|post|e-?mails?|mails?|letter|messages?|"
    r"slack|discord|chat|threads?|conversation|transcript|tickets?|issue|jira|comments?|feedback|changelog|"
    r"release notes|logs?|output|stack ?trace|traceback|diff|patch|snippet|json|yaml|response|quote|excerpt|paste|"
    r"[\w./-]+\.(?:md|mdc|txt|rst|json|ya?ml|toml|log)"
)
SOURCES = rf"{_TEXTS}|customer|client|colleague|vendor"
# What a text says is the text's, also if somebody tells it in his own words; what people say may be agreed to.
_RELAYED = re.compile(
    rf"\b(?:{_TEXTS}) (?:(?:of|for|from|in|on|by|about) (?:[\w./'’-]+ ){{1,4}}?)?(?:(?:also|clearly) )?"
    rf"(?:{_REPORTS}|say|state|recommend|suggest|mention) ",
    re.IGNORECASE,
)
_REPORTED = re.compile(rf"(?<=\S )(?:{_REPORTS})\b[^.!?:\n]{{0,40}}:", re.IGNORECASE)
_REPORTING = re.compile(rf"\b(?:{_REPORTS}|say|state)\b", re.IGNORECASE)
TELLS = (  # what all reports have, in small letters
    " say", " said", " state", " recommend", " tell", " told", " suggest", " claim", " read", " mention", " wr",
    " repl", " answer", " post", " report", " print", " output", " complain", " ask", " sag", " schr", " mein", " пиш",
    " напис", " говор", " dice", " dijo", " escrib", " dit", " écrit",
)  # fmt: skip
# Who does as another says, or says that it is right, has made it his own.
_ADOPTED = re.compile(
    r"\b(?:we(?:['’]ll)?|let['’]?s|please|just) (?:do|build|make|handle|keep|solve|name|model) [^.!?:\n]{0,30}?"
    r"\b(?:as|like) (?:\w+ ){1,3}?$",
    re.IGNORECASE,
)
_FOUND_RIGHT = re.compile(
    r"\b(?:is|are)(?: absolutely| exactly| completely| totally)? (?:right|correct|true|what we (?:do|want|"
    r"agreed))\b[^:]*:",
    re.IGNORECASE,
)
_WE_SAY = re.compile(r"\b(?:i|we|ich|wir|я|мы|yo|je|nous)(?:['’]ve)?(?: \w+)? $", re.IGNORECASE)
_QUOTED = re.compile(r"\"[^\"\n]{12,}(?:\"|$)|“[^”\n]{12,}(?:”|$)|«[^»\n]{12,}(?:»|$)|„[^“”\n]{12,}", re.MULTILINE)
_WHO_QUOTES = re.compile(rf"\b(?:{_REPORTS}|{SOURCES})\b(?P<more>[^\"“«„]{{0,60}})$", re.IGNORECASE)
# "…, they really write that": who says so stands behind it.
_SAID_BEHIND = re.compile(
    r"(?<=[\w\"”»)]), (?:they|he|she|it|sie|er|ils?|elles?|ell[oa]s?|они|он|она) (?:[\w'’-]+ ){0,2}?"
    rf"(?:{_REPORTS}|say|write|claim|state)(?: (?:so|that|this|it|here|there))?(?=\W*$|[.!?] )",
    re.IGNORECASE,
)
_BEHIND = (", ",)  # all of these have it
_HANDS_OVER = re.compile(  # a quote that something is to be done with
    r"\b(?:this|these|following|dies\w*|folgende\w*|ceci|cette|esto|este|questo|это|эту|следующ\w+)\b[^:]{0,60}:\s*$",
    re.IGNORECASE,
)
_TO_BE_KEPT = re.compile(
    r"\b(?:(?:remember|note|keep|follow|apply|obey|use)\b|merk|beacht|recuerda|retiens|запомни)", re.IGNORECASE
)
_RULED_OF = re.compile(
    r"\b(?:must|has to|have to|should|always|never|may not)\b", re.IGNORECASE
)  # of a text, by who speaks
_SENTENCE_ENDS = ".!?\n"
_LONGEST = 2_000  # characters of a sentence that are looked through for where it begins and ends
_MOST_BEFORE = 160  # characters of a sentence before a quote in which it is said whose it is
HANDED = re.compile(
    r"\b(?:summari[sz]e|translate|paraphrase|proofread|reply|respond|rephrase|tl;?dr|explain this|übersetze|резюмируй|"
    r"переведи|traduce|traduis|i (?:got|received|found) this|copied from|pasted)\b",
    re.IGNORECASE,
)
# What introduces words of one's own, though it may name a document: what is to be written, held or done.
OWN_DEMAND = re.compile(
    r"\b(?:add|put|write|update|append|include|insert|ensure|make sure|rules?|requirements?|constraints?|"
    r"(?:have|has|need|needs|should|must) (?:to )?\w*|(?:my|our|some|few|more|several) (?:\w+ )?(?:comments?|feedback|"
    r"notes?|thoughts|remarks|things|points|changes|issues|problems|fixes))\b|"
    r"^(?:for|in|on|about|regarding|when|with)\b",
    re.IGNORECASE,
)


def reported_in(content: str) -> Iterator[tuple[int, int]]:
    """What is reported or quoted in a sentence, with the words that report it."""
    for found in _QUOTED.finditer(content):
        before = content[max(0, found.start() - _MOST_BEFORE) : found.start()]
        begun = max(before.rfind(mark) for mark in _SENTENCE_ENDS) + 1
        who = _WHO_QUOTES.search(before, begun)
        is_told = who is not None and not (_RULED_OF.search(who["more"]) and not _REPORTING.search(before, begun))
        if is_told or _is_handed_over(before[begun:]):
            yield found.start() - len(before) + begun, found.end()
    told: set[int] = set()  # lines that report what another said, by where they begin
    for line in lines_with(content, ":"):
        end = line_end(content, line)
        text = content[line:end]
        if (report := _REPORTED.search(text)) and not _is_own(text, report):
            told.add(line)
            yield line + _sentence_start(text, report.start()), end
    for line in lines_with(in_small_letters(content), TELLS):
        text = content[line : line_end(content, line)]
        for found in _RELAYED.finditer(text) if line not in told else ():
            last = found.end() + _LONGEST
            ends = [end for mark in _SENTENCE_ENDS if (end := text.find(mark + " ", found.end(), last)) >= 0]
            yield line + _sentence_start(text, found.start()), line + min(ends, default=len(text))
    for line in lines_with(content, _BEHIND):
        for found in _SAID_BEHIND.finditer(text := content[line : line_end(content, line)]):
            yield line + _sentence_start(text, found.start()), line + found.end()


def _is_handed_over(before: str) -> bool:
    """Whether a quote that follows is only there for something to be done with it."""
    if not before.rstrip().endswith(":") or OWN_DEMAND.search(before.strip()) or _TO_BE_KEPT.search(before):
        return False
    return _HANDS_OVER.search(before) is not None or HANDED.search(before) is not None


def in_small_letters(content: str) -> str:
    """The text in small letters, unless one of them is two then: places stay as they are."""
    small = lowered(content)
    return small if len(small) == len(content) else content


def lines_with(content: str, cues: Sequence[str]) -> list[int]:
    """Where lines begin that have one of the cues."""
    starts: set[int] = set()
    for cue in cues:
        at = content.find(cue)
        while at >= 0:
            starts.add(content.rfind("\n", 0, at + 1) + 1)
            end = line_end(content, at)
            at = content.find(cue, end)
    return sorted(starts)


def line_end(content: str, at: int) -> int:
    """Where the line ends that a place is in."""
    end = content.find("\n", at)
    return len(content) if end < 0 else end


def reports(text: str) -> bool:
    """Whether a line reports what another said."""
    found = _REPORTED.search(text)
    return found is not None and not _is_own(text, found)


def _is_own(text: str, report: re.Match[str]) -> bool:
    """Whether what is reported is one's own: because one says it oneself, or makes it one's own."""
    before = text[: report.start()]
    return bool(_WE_SAY.search(before) or _ADOPTED.search(before) or _FOUND_RIGHT.search(report[0]))


def _sentence_start(text: str, place: int) -> int:
    first = max(0, place - _LONGEST)
    return max([first, *(at + 1 for mark in _SENTENCE_ENDS if (at := text.rfind(mark + " ", first, place)) >= 0)])
