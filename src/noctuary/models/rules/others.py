"""Whose words stand in a prompt: what people quote and paste is another's, and never counts as theirs.

A prompt may hold a mail, a chat, a page, a diff or what a program printed.  Whoever wrote that does not speak for the
user, so it is blanked out before the prompt is read.  In doubt words are another's: a rule that is lost is said again,
a rule that a stranger put in stays.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

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
_SOURCES = rf"{_TEXTS}|customer|client|colleague|vendor"
# What a text says is the text's, also if somebody tells it in his own words; what people say may be agreed to.
_RELAYED = re.compile(
    rf"\b(?:{_TEXTS}) (?:(?:of|for|from|in|on|by|about) (?:[\w./'’-]+ ){{1,4}}?)?(?:(?:also|clearly) )?"
    rf"(?:{_REPORTS}|say|state|recommend|suggest|mention) ",
    re.IGNORECASE,
)
_REPORTED = re.compile(rf"(?<=\S )(?:{_REPORTS})\b[^.!?:\n]{{0,40}}:", re.IGNORECASE)
_REPORTING = re.compile(rf"\b(?:{_REPORTS}|say|state)\b", re.IGNORECASE)
_TELLS = (" say", " said", " state", " recommend", " tell", " told", " suggest", " claim", " read", " mention")
_WE_SAY = re.compile(r"\b(?:i|we|ich|wir|я|мы|yo|je|nous)(?:['’]ve)?(?: \w+)? $", re.IGNORECASE)
_QUOTED = re.compile(r"\"[^\"\n]{12,}(?:\"|$)|“[^”\n]{12,}(?:”|$)|«[^»\n]{12,}(?:»|$)|„[^“”\n]{12,}", re.MULTILINE)
_WHO_QUOTES = re.compile(rf"\b(?:{_REPORTS}|{_SOURCES})\b(?P<more>[^\"“«„]{{0,60}})$", re.IGNORECASE)
_RULED_OF = re.compile(
    r"\b(?:must|has to|have to|should|always|never|may not)\b", re.IGNORECASE
)  # of a text, by who speaks
_SENTENCE_ENDS = ".!?\n"
_MOST_BEFORE = 160  # characters of a sentence before a quote in which it is said whose it is
_FROM_SOURCE = re.compile(
    rf"\b(?:this|that|these|those|the|a|an|from|of|their|his|her|following|below)\b.*\b(?:{_SOURCES})\b",
    re.IGNORECASE,
)
_HANDED = re.compile(
    r"\b(?:summari[sz]e|translate|paraphrase|proofread|reply|respond|rephrase|tl;?dr|explain this|übersetze|резюмируй|"
    r"переведи|traduce|traduis|i (?:got|received|found) this|copied from|pasted)\b",
    re.IGNORECASE,
)
# What asks for something to be done with a text that follows: to answer it, to judge it, to say what it means.
_ABOUT_WHAT_FOLLOWS = re.compile(
    r"\b(?:draft|write|compose|prepare|send)\b.{0,30}\b(?:reply|answer|response)\b|\b(?:reply|respond) to\b|"
    r"\b(?:summari[sz]e|translate|paraphrase|proofread|rephrase|tl;?dr)\b|"
    r"\b(?:what|why|who|is|are|does|do)\b.{0,60}\b(?:this|these|following|below)\b.{0,60}\?\W*$|"
    r"\b(?:explain|review|check|analy[sz]e|look at|see|fix|classify|answer)\b.{0,20}\b(?:this|these|following|below)\b|"
    r"\b(?:ticket|issue|mail|e-?mail|message|feedback|report) (?:#?\d+ )?(?:from|by|of)\b",
    re.IGNORECASE,
)
_FORWARDED = re.compile(
    r"[ \t]*[-_=*]{2,}[ \t]*(?:forwarded|original|begin|start)\b|[ \t]*on .{5,80} wrote:$", re.IGNORECASE
)
_MARKUP = re.compile(
    r"[ \t]*</?(?:!doctype|html|head|body|div|p|span|section|article|main|script|style|table|tr|td|ul|ol|li"
    r"|h[1-6]|blockquote|pre|svg|xml|\?xml|iframe|form|nav|footer|header)\b[^<>]*>.*$",
    re.IGNORECASE,
)
# What introduces words of one's own, though it may name a document: what is to be written, held or done.
_OWN_DEMAND = re.compile(
    r"\b(?:add|put|write|update|append|include|insert|ensure|make sure|rules?|requirements?|constraints?|"
    r"(?:have|has|need|needs|should|must) (?:to )?\w*|(?:my|our|some|few|more|several) (?:\w+ )?(?:comments?|feedback|"
    r"notes?|thoughts|remarks|things|points|changes|issues|problems|fixes))\b|"
    r"^(?:for|in|on|about|regarding|when|with)\b",
    re.IGNORECASE,
)
_SIGNED = re.compile(
    r"(?:^|[\n.!,]\s*)(?:thanks|thank you|regards|best(?: regards| wishes)?|kind regards|cheers|sincerely|yours|"
    r"viele grüße|mit freundlichen grüßen|saludos|cordialement)[,!.]?\s+[A-Z][\w'-]+(?: [A-Z][\w'-]+)?\W*\Z",
    re.IGNORECASE,
)
_LONGEST_SIGNATURE = 100  # characters
_MAIL_HEADERS = re.compile(r"^(?:from|to|subject|date|sent|cc|von|an|betreff): \S.*$", re.IGNORECASE | re.MULTILINE)
_PEER = "Another Claude session sent a message"
_TAGGED = re.compile(
    r"<([\w:-]*(?:message|notification|reminder|stdout|stderr|output|document|email|quote|context|transcript)[\w:-]*)"
    r"(?:\s[^<>]*)?>.*?(?:</\1\s*>|\Z)",
    re.DOTALL | re.IGNORECASE,
)
# An element that begins a line, and what somebody put between two marks: programs and people who paste write so.
_ELEMENT = re.compile(r"^[ \t]*<([\w:-]+)(?:\s[^<>]*)?>.*?</\1\s*>", re.DOTALL | re.MULTILINE)
_BETWEEN = re.compile(
    r"^\W*(?:begin|start)(?: of)?\b[^\n]*\n.*?^\W*end\b[^\n]*$", re.DOTALL | re.MULTILINE | re.IGNORECASE
)
_LABELLED = re.compile(  # a line that says itself that a tool, a page or an agent wrote it
    r"[ \t]*\[[^\[\]\n]{0,60}\b(?:results?|outputs?|search|web|page|tool|agent|message|fetched|transcript|system)\b"
    r"[^\[\]\n]{0,60}\]"
    r"|[ \t]*(?:tool|search|web|function|command|agent|assistant|page) (?:result|output|response|content|message)s?:",
    re.IGNORECASE,
)
_FOUND_SOMEWHERE = re.compile(r"\b(?:found|got|received|read|saw|copied|pasted)\b.*\bthis\b.*\?$", re.IGNORECASE)
_OBJECT = re.compile(r"\{[^{}]*\"[^{}]*\}")
_RAISES = ("Error", "Exception", "Warning")
_RAISED = re.compile(r"\b[\w.]*(?:Error|Exception|Warning)(?:\[\w+\])?: .*$", re.MULTILINE)
# Labels that people put before their own words; any other name before a colon speaks.
_LABELS = frozenset(
    {
        "note", "notes", "rule", "rules", "important", "task", "tasks", "goal", "goals", "todo", "context",
        "constraint", "constraints", "requirement", "requirements", "style", "tests", "test", "testing", "docs",
        "api", "ui", "ux", "db", "database", "backend", "frontend", "server", "client", "edit", "update", "ps",
        "fix", "bug", "feature", "question", "answer", "step", "example", "examples", "also", "plan", "scope",
        "summary", "format", "output", "input", "naming", "language", "code", "commits", "git", "deployment",
        "deploy", "security", "performance", "warning", "hint", "tip", "idea", "option", "options", "decision",
        "reminder", "request", "general", "first", "second", "third", "finally", "please", "remember",
        "wichtig", "regel", "regeln", "hinweis", "aufgabe", "ziel", "bitte", "важно", "правило", "правила",
        "задача", "importante", "nota", "regla", "reglas", "règle", "règles", "attention",
        "python", "docker", "typescript", "javascript", "react", "rust", "sql", "css", "html", "json", "yaml",
        "ci", "build", "lint", "branch", "branches", "file", "files", "class", "module", "errors", "logs", "comments",
        "names", "types", "preference", "reason", "why", "how", "what", "where", "when", "who", "yes", "no", "ok",
        "and", "but", "so", "then", "now", "next", "last", "again", "here", "this", "that", "these", "it", "one",
    }
)  # fmt: skip
# How words end that are no names, as "decided", "testing" and "migration"; short names may end so.
_OF_THINGS = ("ed", "ing", "tion", "sion", "ment", "ments", "ness", "ity", "ions", "ure", "ures", "ung", "ción", "ость")
_LONGEST_NAME_LIKE = 5
_TITLE = re.compile(r"\s*# +([^\n]+)\n\s*\S")
_SPEAKER = re.compile(
    r"[ \t]*(?:[\[(]?\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?: ?[AaPp][Mm])?[\])]?[ \t]+)?[@<\[]?"
    r"([^\W\d_a-z][\w'’.-]*)(?: [^\W\d_a-z][\w'’.-]*)?(?: ?[(\[][^()\[\]\n]{1,30}[)\]])?[>\]]?:[ \t]+\S"
)
_PRINTED = re.compile(
    r"[ \t]*(?:\S+ +\||=> |\[\d|\d{4}-\d\d-\d\d[T ]\d|at \S+[ (]|[\w.-]+@[\w.-]+[:~]|\d{2}:\d{2}:\d{2}|"
    r"(?:npm|pnpm|yarn) (?:err!?|warn|error|info)\b|(?:error|fatal|warning|warn|info|debug)(?:\[\w+\])?: |"
    r"(?-i:\[?(?:ERROR|WARN|WARNING|INFO|DEBUG|FATAL|TRACE)\]?[ :])|File \"|Traceback \(|"
    r"Caused by: |\w+:\d+:\d+:|E   )",
    re.IGNORECASE,
)
_COMMAND = re.compile(r"[ \t]*(?:[$❯%] ?\S|Traceback \(most recent)")
_DIFF = re.compile(r"(?:diff --git |@@ -|\+\+\+ |--- a/|index [0-9a-f]{7})")
_BULLET = re.compile(r"[ \t]*(?:[-*•+]|\d{1,2}[.)])[ \t]+")
_GREATER = re.compile(r"[ \t]*>=? ?[\d$€£]+(?![.)] )")  # "> 500 ms" is no quote
_JSON_LINE = re.compile(r"[ \t]*(?:[{}\[\]]+,?[ \t]*$|\"[^\"\n]+\"[ \t]*:|\{[ \t]*\")")
_LONGEST_INTRODUCTION = 200
_MAY_BE = (*':>"“«„{<+$❯%|@', *_TELLS)  # one line without any of these is typed


class _Line(NamedTuple):
    start: int
    end: int
    text: str


@lru_cache(maxsize=128)  # a dream asks first what the user wants, and then whose words an agent repeats
def own_words(content: str) -> str:
    """The prompt with blanks where another's words stand, so that all places stay as they are."""
    if "\n" not in content and not any(mark in content for mark in _MAY_BE) and content[:1] != "[":
        return content
    if content.lstrip().startswith(_PEER) or _is_letter(content) or _is_page(content):
        return _blank(content)
    masked = content
    for find in (_enclosed, _foreign, _within_lines):
        if spans := sorted(find(masked)):
            masked = _masked(masked, spans)
    return masked


def _masked(content: str, spans: Sequence[tuple[int, int]]) -> str:
    """The text with blanks in these places, which may overlap; put together once, for a document may have many."""
    parts: list[str] = []
    done = 0
    for start, end in spans:
        if end > done:
            parts += (content[done : max(done, start)], _blank(content[max(done, start) : end]))
            done = end
    return "".join((*parts, content[done:]))


def _is_letter(content: str) -> bool:
    """Whether all of it is a letter that somebody signed; nobody signs what he tells an agent."""
    return _SIGNED.search(content[-_LONGEST_SIGNATURE:]) is not None and not _introduction(
        content.lstrip().split("\n", 1)[0]
    )


def _is_page(content: str) -> bool:
    """Whether all of it is a page with a title, and the title does not say that it tells what to do."""
    found = _TITLE.match(content)
    return found is not None and _LABELS.isdisjoint(found[1].lower().rstrip(":").split())


def _blank(text: str) -> str:
    return "\n".join([" " * len(line) for line in text.split("\n")])


def _enclosed(content: str) -> Iterator[tuple[int, int]]:
    """What stands between tags or braces, and what a program raised."""
    if "<" in content:
        yield from (found.span() for found in _TAGGED.finditer(content))
        yield from (found.span() for found in _ELEMENT.finditer(content))
    yield from (found.span() for found in _BETWEEN.finditer(content))
    if "{" in content:
        yield from (found.span() for found in _OBJECT.finditer(content))
    if any(word in content for word in _RAISES):
        yield from (found.span() for found in _RAISED.finditer(content))


def _within_lines(content: str) -> Iterator[tuple[int, int]]:
    """What is reported or quoted in a sentence, with the words that report it."""
    for found in _QUOTED.finditer(content):
        before = content[max(0, found.start() - _MOST_BEFORE) : found.start()]
        begun = max(before.rfind(mark) for mark in _SENTENCE_ENDS) + 1
        who = _WHO_QUOTES.search(before, begun)
        if who is not None and not (_RULED_OF.search(who["more"]) and not _REPORTING.search(before, begun)):
            yield found.start() - len(before) + begun, found.end()
    for line in _lines(content):
        at = _reported(line.text) if ":" in line.text else -1
        if at >= 0:
            yield line.start + at, line.end
        elif any(cue in line.text for cue in _TELLS):
            for found in _RELAYED.finditer(line.text):
                begun = _sentence_start(line.text, found.start())
                ends = [end for mark in _SENTENCE_ENDS if (end := line.text.find(mark + " ", found.end())) >= 0]
                yield line.start + begun, line.start + min(ends, default=len(line.text))


def _reported(text: str) -> int:
    """Where the sentence begins that reports what another said; -1 if there is none."""
    found = _REPORTED.search(text)
    if found is None or _WE_SAY.search(text[: found.start()]):
        return -1
    return _sentence_start(text, found.start())


def _sentence_start(text: str, place: int) -> int:
    return max(text.rfind(mark + " ", 0, place) for mark in _SENTENCE_ENDS) + 1


def _lines(content: str) -> list[_Line]:
    lines: list[_Line] = []
    at = 0
    for text in content.split("\n"):
        lines.append(_Line(at, at + len(text), text))
        at += len(text) + 1
    return lines


def _foreign(content: str) -> Iterator[tuple[int, int]]:
    """Where whole lines are another's."""
    lines = _lines(content)
    headers = [found.start() for found in _MAIL_HEADERS.finditer(content)]
    if len(headers) > 1:
        yield headers[0], len(content)
    is_diff = any(_DIFF.match(line.text) for line in lines) or any(line.text[:1] == "+" for line in lines)
    place = 0
    while place < len(lines):
        line = lines[place]
        if not line.text.strip():
            place += 1
        elif _introduction(line.text):
            last = _introduced(lines, place + 1)
            yield line.start, lines[last - 1].end
            place = last
        elif _FORWARDED.match(line.text):
            yield line.start, len(content)
            place = len(lines)
        elif _asks_about_what_follows(lines, place):
            yield lines[place + 1].start, len(content)
            place = len(lines)
        elif _LABELLED.match(line.text) or _COMMAND.match(line.text):
            last = _until_blank(lines, place)
            yield line.start, lines[last - 1].end
            place = last
        else:
            if _is_foreign(lines, place, is_diff=is_diff):
                yield line.start, line.end
            place += 1


def _introduction(text: str) -> bool:
    """Whether a line only introduces what another said."""
    said = text.strip().rstrip("*_ ")
    if _FOUND_SOMEWHERE.search(said):
        return len(said) <= _LONGEST_INTRODUCTION
    if not said.endswith(":") or len(said) > _LONGEST_INTRODUCTION or _BULLET.match(text):
        return False
    if _reported(said) >= 0:
        return True
    if _OWN_DEMAND.search(said):
        return False
    return _HANDED.search(said) is not None or _FROM_SOURCE.search(said) is not None


def _asks_about_what_follows(lines: list[_Line], place: int) -> bool:
    """Whether the first line asks for something to be done with all that follows, which is set off from it."""
    if place != 0 or len(lines) < 3 or len(lines[0].text) > _LONGEST_INTRODUCTION or lines[1].text.strip():
        return False
    return _ABOUT_WHAT_FOLLOWS.search(lines[0].text) is not None and not _OWN_DEMAND.search(lines[0].text)


def _introduced(lines: list[_Line], place: int) -> int:
    """The first line behind what is introduced: a list or a quote ends where it ends, prose goes on to the end."""
    while place < len(lines) and not lines[place].text.strip():
        place += 1
    if place == len(lines) or not _is_set_apart(lines[place].text):
        return len(lines)
    while place < len(lines) and (not lines[place].text.strip() or _is_set_apart(lines[place].text)):
        place += 1
    return place


def _is_set_apart(text: str) -> bool:
    return bool(_BULLET.match(text)) or text.lstrip()[:1] in {">", "+", "-"} or text[:1] in {" ", "\t"}


def _until_blank(lines: list[_Line], place: int) -> int:
    while place < len(lines) and lines[place].text.strip():
        place += 1
    return place


def _is_foreign(lines: list[_Line], place: int, *, is_diff: bool) -> bool:
    text = lines[place].text
    if text.lstrip()[:1] == ">":
        near = (lines[at].text.lstrip()[:1] for at in (place - 1, place + 1) if 0 <= at < len(lines))
        return not _GREATER.match(text) or ">" in near
    if is_diff and (text[:1] in {"+", "-"} or _DIFF.match(text)):
        return True
    if _MARKUP.match(text) or _PRINTED.match(text) or _JSON_LINE.match(text) or _is_code(lines, place):
        return True
    found = _SPEAKER.match(text)
    return found is not None and not _is_label(found[1].lower())


def _is_label(word: str) -> bool:
    """Whether a word before a colon says what follows, and is no name."""
    return word in _LABELS or (len(word) > _LONGEST_NAME_LIKE and word.endswith(_OF_THINGS))


def _is_code(lines: list[_Line], place: int) -> bool:
    """Whether a line is set in as code is, and does not go on with a bullet."""
    text = lines[place].text
    if not text.startswith(("    ", "\t")) or _BULLET.match(text):
        return False
    while place > 0 and lines[place].text[:1] in {" ", "\t"}:
        place -= 1
        if _BULLET.match(lines[place].text):
            return False
    return lines[place].text[:1] not in {" ", "\t"}  # where all lines are set in, none is
