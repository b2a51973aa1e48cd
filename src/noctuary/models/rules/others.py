"""Whose words stand in a prompt: what people quote and paste is another's, and never counts as theirs.

A prompt may hold a mail, a chat, a page, a diff or what a program printed.  Whoever wrote that does not speak for the
user, so it is blanked out before the prompt is read.  In doubt words are another's: a rule that is lost is said again,
a rule that a stranger put in stays.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from noctuary.models.rules.attributed import attributed_in
from noctuary.models.rules.reported import (
    HANDED,
    OWN_DEMAND,
    SOURCES,
    TELLS,
    in_small_letters,
    line_end,
    lines_with,
    reported_in,
    reports,
)

_FROM_SOURCE = re.compile(
    rf"\b(?:this|that|these|those|the|a|an|from|of|their|his|her|following|below)\b.*\b(?:{SOURCES})\b",
    re.IGNORECASE,
)
# What asks for something to be done with a text that follows: to answer it, to judge it, to say what it means.
_ABOUT_WHAT_FOLLOWS = re.compile(
    r"\b(?:draft|write|compose|prepare|send)\b.{0,30}\b(?:reply|answer|response)\b|\b(?:reply|respond) to\b|"
    r"\b(?:summari[sz]e|translate|paraphrase|proofread|rephrase|tl;?dr)\b|"
    r"\b(?:what|why|who|is|are|does|do)\b.{0,60}\b(?:this|these|following|below)\b.{0,60}\?\W*$|"
    r"\b(?:explain|review|check|analy[sz]e|look at|see|fix|classify|answer)\b.{0,20}\b(?:this|these|following|"
    r"below)\b|"
    r"\b(?:ticket|issue|mail|e-?mail|message|feedback|report) (?:#?\d+ )?(?:from|by|of)\b|"
    # The same in other languages: a short question or request that points at what follows, or wants it translated.
    r"\b(?:das|dies\w*|folgende\w*|esto|este|ceci|cela|ça|questo|isso|isto|dit|deze|это|этот|tym|tohle|detta|dette)\b"
    r".{0,40}\?\W*$|\b(?:übersetz|fasse?\b.{0,40}\bzusammen|tradu[ciz]|résum|riassum|resum[ea]|vertaal|przetłumacz|"
    r"перевед|översätt|oversæt|oversett|çevir|terjemah)|翻訳|訳して|要約|翻译|总结|번역|요약",
    re.IGNORECASE,
)
_SEES = re.compile(
    r"\W*(?:\w+,? )?(?:i|we)(?:['’]m| am|['’]re| are|['’]ve| have)?(?: \w+)? (?:see|saw|seeing|seen|get|got|getting|"
    r"have)\b",
    re.IGNORECASE,
)
# What asks for an opinion on what follows, or says that what follows is what another said; it needs no empty line.
_WHAT_ANOTHER_SAID = re.compile(
    r"\b(?:this|here|that)(?:['’]?s| is| was) (?:all |exactly )?(?:what|how)\b(?! (?:i|we)\b)|"
    r"\b(?:told|sent|gave|wrote|showed|messaged|suggested|answered|replied|said|says|forwarded|pasted|dropped|left)\b"
    r".{0,40}\bth(?:is|ese)\b|\b(?:any thoughts|your (?:take|view|opinion|thoughts|verdict|read)\b|"
    r"(?:make|makes|making) (?:any )?sense|what do you (?:think|make)\b.{0,20}\b(?:of|about) (?:this|it|that)|"
    r"(?:was (?:meinst|hältst|denkst|sagst) du|meinung)\b.{0,10}\b(?:da(?:zu|von|rüber))|qué opinas|qu['’]en penses|"
    r"cosa ne pensi|o que (?:você )?acha|wat vind je|что (?:ты )?(?:думаешь|скажешь))|どう思い|怎么看|어떻게 생각",
    re.IGNORECASE,
)
# What was written to somebody, and is pointed at: it begins on the next line, with or without an empty one.
_POINTED_AT = re.compile(
    r"\b(?:this|these|following|below) (?:[\w-]+ ){0,2}?(?:tickets?|e-?mails?|mails?|letters?|messages?|chats?|"
    r"threads?|comments?|feedback|reviews?|complaints?|transcripts?|articles?|posts?|tweets?|reply|replies|quotes?|"
    r"excerpts?)\b",
    re.IGNORECASE,
)
_FROM_ADDRESS = re.compile(r"\W*(?:from|source|via|quelle|aus|fuente|de):? <?https?://\S+\s*\Z", re.IGNORECASE)
_FORWARDED = re.compile(
    r"[ \t]*[-_=*]{2,}[ \t]*(?:forwarded|original|begin|start)\b|[ \t]*on .{5,80} wrote:$", re.IGNORECASE
)
_MARKUP = re.compile(
    r"[ \t]*</?(?:!doctype|html|head|body|div|p|span|section|article|main|script|style|table|tr|td|ul|ol|li"
    r"|h[1-6]|blockquote|pre|svg|xml|\?xml|iframe|form|nav|footer|header)\b[^<>]*>.*$",
    re.IGNORECASE,
)
_SIGNED = re.compile(
    r"(?:^|[\n.!,]\s*)(?:thanks|thank you|regards|best(?: regards| wishes)?|kind regards|cheers|sincerely|yours|"
    r"viele grüße|mit freundlichen grüßen|saludos|cordialement)[,!.]?\s+[A-Z][\w'-]+(?: [A-Z][\w'-]+)?\W*\Z",
    re.IGNORECASE,
)
_LONGEST_SIGNATURE = 100  # characters
# A letter in any language: a short line that ends with a comma, and at the end lines that end with nothing.
_SALUTED = re.compile(r"(?:^|\n\s*\n)[ \t]*(?=[^\W\d_])(?:[^\s,.!?:;]+ ){0,4}[^\s,.!?:;]+,[ \t]*\n")
_CLOSED = re.compile(r"[^.!?:;,\n]{2,60}(?:,\s*\n|\n|, )\s*[^\W\d_a-z][^.!?:;\n]?[^!?:;\n]{0,60}\Z")
# Lines of nothing but who and when, as chats put them before what somebody says.
_WHO_AND_WHEN = re.compile(
    r"^[ \t]*(?:[^\W\d_][^\n.!?:;,]{0,40}?[ \t]+[\[(]?\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?: ?[AaPp]\.?[Mm]\.?)?[\])]?"
    r"|[\[(]?\d{1,2}[:.]\d{2}(?: ?[AaPp]\.?[Mm]\.?)?[\])]?[ \t]+[^\W\d_][^\n.!?:;,]{0,40})[ \t]*$",
    re.MULTILINE,
)
_MAIL_HEADERS = re.compile(r"^(?:from|to|subject|date|sent|cc|von|an|betreff): \S.*$", re.IGNORECASE | re.MULTILINE)
_SUBJECT = re.compile(
    r"^[ \t]*(?:subject|betreff|asunto|objet|oggetto|onderwerp|temat|тема): \S", re.IGNORECASE | re.MULTILINE
)
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
_RAISED = re.compile(r"\b[\w.]*(?:Error|Exception|Warning)(?:\[\w+\])?: .*$")
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
    r"Caused by: |\w+:\d+:\d+:|line \d+:\d+\b|E   )",
    re.IGNORECASE,
)
_COMMAND = re.compile(r"[ \t]*(?:[$❯%] ?\S|[●⏺⎿✻] ?\S|Traceback \(most recent)")  # and what agents print before theirs
_DIFF = re.compile(r"(?:diff --git |@@ -|\+\+\+ |--- a/|index [0-9a-f]{7})")
_BULLET = re.compile(r"[ \t]*(?:[-*•+]|\d{1,2}[.)])[ \t]+")
_QUOTING = frozenset('"“«„「『')
_ALL_QUOTED = re.compile(r"[ \t]*[\"“«„「『][^\n]{12,}[\"”“»」』][.,!?]?[ \t]*$")  # a line that is nothing but a quote
_GREATER = re.compile(r"[ \t]*>=? ?[\d$€£]+(?![.)] )")  # "> 500 ms" is no quote
_JSON_LINE = re.compile(r"[ \t]*(?:[{}\[\]]+,?[ \t]*$|\"[^\"\n]+\"[ \t]*:|\{[ \t]*\")")
# What lines begin with that these patterns find, so that most lines are held against none of them.
_FORWARDING = frozenset("-_=*oO")
_LABELLING = frozenset("[tTsSſwWfFcCaApP")
_BIDDING = frozenset("$❯%T●⏺⎿✻")
_OF_JSON = frozenset('{}[]"')
_PRINTING = frozenset("=[aAnNpPyYeEwWiIdDfFtTcClL")  # or a digit; or there is a bar, an at or a colon in them
_OF_DIFFS = ("diff --git ", "@@ -", "+", "--- a/", "index ")
_LONGEST_INTRODUCTION = 200
_MAY_BE = (*':>"“«„{<+$❯%|@,', *TELLS)  # one line without any of these is typed, but for how it begins and ends


class _Line(NamedTuple):
    start: int
    end: int
    text: str


@lru_cache(maxsize=128)  # a dream asks first what the user wants, and then whose words an agent repeats
def own_words(content: str) -> str:
    """The prompt with blanks where another's words stand, so that all places stay as they are."""
    if "\n" not in content and _is_typed(content):
        return _masked(content, sorted(attributed_in(content)))
    if content.lstrip().startswith(_PEER) or _is_letter(content) or _is_page(content):
        return _blank(content)
    masked = content
    for find in (_enclosed, _foreign, reported_in, attributed_in):
        if spans := sorted(find(masked)):
            masked = _masked(masked, spans)
    return masked


def _is_typed(line: str) -> bool:
    """Whether one line has nothing of what another's words have."""
    small = in_small_letters(line)
    if any(mark in small for mark in _MAY_BE) or line.rstrip()[-1:] == "?":
        return False
    if _SIGNED.search(line[-_LONGEST_SIGNATURE:]):
        return False
    return not any(sign.match(line) for sign in (_PRINTED, _LABELLED, _FORWARDED, _COMMAND))


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
        for line in lines_with(content, _RAISES):
            end = line_end(content, line)
            if found := _RAISED.search(content[line:end]):
                yield line + found.start(), end


@lru_cache(maxsize=4)  # the same text is looked at for several reasons
def _lines(content: str) -> list[_Line]:
    texts = content.split("\n")
    starts = [0, *accumulate(len(text) + 1 for text in texts)]
    return [*map(_Line._make, zip(starts, [start - 1 for start in starts[1:]], texts, strict=False))]


def _foreign(content: str) -> Iterator[tuple[int, int]]:
    """Where whole lines are another's."""
    lines = _lines(content)
    for sign in (_MAIL_HEADERS, _WHO_AND_WHEN):
        places = [found.start() for found in sign.finditer(content)]
        if len(places) > 1:
            yield places[0], len(content)
    if subject := _SUBJECT.search(content):
        yield subject.start(), len(content)
    saluted = _SALUTED.search(content)
    if saluted is not None and _CLOSED.search(content.rstrip(), saluted.end()):
        yield saluted.start(), len(content)
    may_be_diff = any(content.startswith(mark) or f"\n{mark}" in content for mark in _OF_DIFFS)
    is_diff = may_be_diff and any(line.text[:1] == "+" or _DIFF.match(line.text) for line in lines)
    place = 0
    while place < len(lines):
        line = lines[place]
        first = line.text.lstrip()[:1]
        if not first:
            place += 1
        elif _introduction(line.text):
            last = _introduced(lines, place + 1)
            yield line.start, lines[last - 1].end
            place = last
        elif first in _FORWARDING and _FORWARDED.match(line.text):
            yield line.start, len(content)
            place = len(lines)
        elif _asks_about_what_follows(lines, place):
            yield lines[place + 1].start, len(content)
            place = len(lines)
        elif (first in _LABELLING and _LABELLED.match(line.text)) or (first in _BIDDING and _COMMAND.match(line.text)):
            last = _until_blank(lines, place)
            yield line.start, lines[last - 1].end
            place = last
        else:
            if _is_foreign(lines, place, first, is_diff=is_diff):
                yield line.start, line.end
            place += 1


def _introduction(text: str) -> bool:
    """Whether a line only introduces what another said."""
    said = text.strip().rstrip("*_ ")
    if len(said) > _LONGEST_INTRODUCTION:
        return False
    if said[-1:] == "?":
        return _FOUND_SOMEWHERE.search(said) is not None
    if _FROM_ADDRESS.match(said):
        return True
    if said[-1:] != ":" or _BULLET.match(text):
        return False
    if reports(said):
        return True
    if OWN_DEMAND.search(said):
        return False
    return HANDED.search(said) is not None or _FROM_SOURCE.search(said) is not None


def _asks_about_what_follows(lines: list[_Line], place: int) -> bool:
    """Whether the first line asks for something to be done with all that follows, which is set off from it."""
    if place != 0 or len(lines) < 2 or len(lines[0].text) > _LONGEST_INTRODUCTION:
        return False
    if _WHAT_ANOTHER_SAID.search(lines[0].text) or _POINTED_AT.search(lines[0].text):
        return not OWN_DEMAND.search(lines[0].text)
    if len(lines) < 3 or lines[1].text.strip() or _shows_one_block(lines):
        return False
    return _ABOUT_WHAT_FOLLOWS.search(lines[0].text) is not None and not OWN_DEMAND.search(lines[0].text)


def _shows_one_block(lines: list[_Line]) -> bool:
    """Whether somebody tells what he sees, with one block of it: what stands below that block he says again himself."""
    fences = [place for place, line in enumerate(lines) if line.text.lstrip().startswith("```")]
    return len(fences) == 2 and fences[0] == 2 and _SEES.match(lines[0].text) is not None


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


def _is_foreign(lines: list[_Line], place: int, first: str, *, is_diff: bool) -> bool:
    """Whether a line, of which this is the first sign, is another's."""
    text = lines[place].text
    if first in _QUOTING and len(lines) > 1 and _ALL_QUOTED.match(text):
        return True
    if first == ">":
        near = (lines[at].text.lstrip()[:1] for at in (place - 1, place + 1) if 0 <= at < len(lines))
        return not _GREATER.match(text) or ">" in near
    if is_diff and (text[:1] in {"+", "-"} or _DIFF.match(text)):
        return True
    if (first == "<" and _MARKUP.match(text)) or (first in _OF_JSON and _JSON_LINE.match(text)):
        return True
    has_colon = ":" in text
    may_be_printed = has_colon or first in _PRINTING or first.isdecimal() or "|" in text or "@" in text
    if may_be_printed and _PRINTED.match(text):
        return True
    if _is_code(lines, place):
        return True
    found = _SPEAKER.match(text) if has_colon else None
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
