"""Relative dates made absolute: "yesterday" means another day whenever it is read again.

Days are counted from when a sentence was said, in UTC, never from when it is dreamt of.  What stands in code, in quotes
or in a path is left as it is, and so is what is no date: "today's browsers", "in 3 days", "shows this month".
"""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache

from noctuary.dream.merging.marked import has_any

_LAST_DAY_MS = 200_000 * 86_400_000  # in the year 2517: no clock is there yet
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_COUNTS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
           "nine": 9, "ten": 10, "a couple of": 2}  # fmt: skip
_COUNT = rf"\d{{1,3}}|{'|'.join(sorted(_COUNTS, key=len, reverse=True))}"
_UNTOUCHED = re.compile(
    r"```.*?(?:```|\Z)|`[^`\n]*`|\"[^\"\n]*\"|“[^”\n]*”|«[^»\n]*»|(?<!\w)'[^'\n]*'(?!\w)|\S*/\S*", re.DOTALL
)
_RELATIVE = re.compile(
    rf"""
    (?<![\w.\-’'@\#])
    (?:(?P<before>since|until|till|by|from|after|before|as\ of|for|of|on|through|to|than)\ )?
    (?:
        (?P<day>the\ day\ before\ yesterday|the\ day\ after\ tomorrow|yesterday|today|tomorrow)
            (?:\ (?:morning|afternoon|evening|night))?
      | (?P<part>this\ morning|this\ afternoon|this\ evening|tonight|last\ night)
      | (?P<which>last|next)\ (?P<span>week|month|year|{"|".join(_WEEKDAYS)})
      | this\ (?P<near>{"|".join(_WEEKDAYS)})
      | (?P<ago>{_COUNT})\ (?P<unit>minute|hour|day|week|month|year)s?\ ago
      | (?P<foreign>heute|gestern|ayer|hoy|сегодня|вчера|завтра)
    )
    (?:\ ?\((?P<given>\d{{4}}-\d\d-\d\d)\))?
    (?![\w\-@]|\.\w)(?P<own>['’]s\b)?
    """,
    re.VERBOSE | re.IGNORECASE,
)
# One of these is in every relative date.
_MARKS = ("yesterday", "today", "tomorrow", "tonight", "this ", "last ", "next ", " ago", "heute", "gestern", "ayer",
          "hoy")  # fmt: skip
_OTHER_MARKS = ("сегодня", "вчера", "завтра", "天", "日", "ſ")  # an old s is one, too, in a search of any case
# What holds always is no news of a day: a rule, what a program does, what is written on a button.
_TIMELESS = re.compile(
    r"\b(?:must|always|never|every|by default|default|shows?|showing|displays?|filters?|removes?|deletes?|purges?"
    r"|selects?|sees|runs|returns?|expires?|button|tab|label|column)\b",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:\w{2,}ed|was|were|had|did|broke|ran|went|came|chose|made|got|left|began|found|wrote|built|sent|took|gave|met"
    r"|saw|fell|lost|kept|froze|became|cut|hit|put|set|hung)\b",
    re.IGNORECASE,
)
_NOT_A_DAY = ("from", "than", "before", "after", "of", "to", "for")  # before "three days ago": an age, not a date
_SENTENCE_END = ".!?;\n"
_UNSPACED = {"前天": -2, "昨天": -1, "今天": 0, "明天": 1, "後天": 2, "后天": 2, "昨日": -1, "今日": 0, "明日": 1}
_UNSPACED_DAY = re.compile("|".join(_UNSPACED))
_DAYS = {"the day before yesterday": -2, "yesterday": -1, "today": 0, "tomorrow": 1, "the day after tomorrow": 2,
         "last night": -1, "heute": 0, "gestern": -1, "ayer": -1, "hoy": 0, "сегодня": 0, "вчера": -1,
         "завтра": 1}  # fmt: skip
_PREPOSITIONS = {
    "heute": "am ",
    "gestern": "am ",
    "ayer": "el ",
    "hoy": "el ",
    "сегодня": "",
    "вчера": "",
    "завтра": "",
}


@lru_cache(maxsize=1_024)  # a run asks for the same text again and again
def absolute(text: str, said_ms: int) -> tuple[str, int]:
    """The text with its relative dates made absolute, as of when it was said, and how many there were."""
    if not 0 < said_ms < _LAST_DAY_MS or not _may_be_dated(text):
        return text, 0
    moment = datetime.fromtimestamp(said_ms / 1000, UTC)
    count = 0

    def dated(found: re.Match[str]) -> str:
        nonlocal count
        said = _dated(found, moment)
        count += said != found[0]
        return said

    def with_dates(part: str) -> str:
        part = _RELATIVE.sub(dated, part)
        return part if part.isascii() else _UNSPACED_DAY.sub(dated, part)

    return _outside(_UNTOUCHED, with_dates, text), count


def _may_be_dated(text: str) -> bool:
    """Whether there can be a relative date in a text: in most there is none, and to see that is quick."""
    small = text.lower()
    return has_any(small, _MARKS) or (not small.isascii() and has_any(small, _OTHER_MARKS))


def _outside(untouched: re.Pattern[str], change: Callable[[str], str], text: str) -> str:
    """The text changed everywhere but where the pattern is found."""
    parts: list[str] = []
    end = 0
    for found in untouched.finditer(text):
        parts += (change(text[end : found.start()]), found[0])
        end = found.end()
    return "".join((*parts, change(text[end:])))


def _dated(found: re.Match[str], moment: datetime) -> str:
    if found.re is _UNSPACED_DAY:
        return (moment.date() + timedelta(days=_UNSPACED[found[0]])).isoformat()
    own, before = found["own"] or "", found["before"]
    if own and (found["day"] or "").lower().startswith("today"):  # today's browsers are those of any day
        return found[0]
    if _is_no_day(found):
        return found[0]
    preposition, when = _when(found, moment)
    when = found["given"] or when
    if own:
        return f"{before + ' ' if before else ''}{when}{own}"
    if before:
        return f"{before} {when}"
    is_first = found[0][0].isupper()
    return f"{preposition.capitalize() if is_first else preposition}{when}"


def _is_no_day(found: re.Match[str]) -> bool:
    """Whether the words mean no day of the calendar: a name, an age, or part of what holds always."""
    text, start = found.string, found.start()
    begin = max(text.rfind(end, 0, start) for end in _SENTENCE_END) + 1
    ends = [place for end in _SENTENCE_END if (place := text.find(end, found.end())) >= 0]
    sentence = text[begin : min(ends, default=len(text))]
    is_name = found[0][0].isupper() and bool(text[begin:start].strip(" \t*_-(—–>"))
    before = (found["before"] or "").lower()
    if is_name or before == "of" or _TIMELESS.search(sentence):
        return True
    return bool(found["ago"]) and (before in _NOT_A_DAY or not _PAST.search(sentence))


def _when(found: re.Match[str], moment: datetime) -> tuple[str, str]:
    """The preposition and the date that stand for what was found."""
    if named := found["day"] or found["part"] or found["foreign"]:
        day = moment.date() + timedelta(days=_DAYS.get(named.lower(), 0))
        return _PREPOSITIONS.get(named.lower(), "on "), day.isoformat()
    if found["which"]:
        return _span(found["which"].lower(), found["span"].lower(), moment.date())
    if found["near"]:
        return _span("this", found["near"].lower(), moment.date())
    return _away(-_number(found["ago"]), found["unit"].lower(), moment)


def _number(text: str) -> int:
    return int(text) if text.isdigit() else _COUNTS[text.lower()]


def _span(which: str, span: str, today: date) -> tuple[str, str]:
    steps = {"last": -1, "this": 0, "next": 1}[which]
    if span in _WEEKDAYS:
        away = _WEEKDAYS.index(span) - today.weekday()
        if which == "last" and away >= 0:
            away -= 7
        elif which == "next" and away <= 0:
            away += 7
        return "on ", (today + timedelta(days=away)).isoformat()
    return _away(steps, span, datetime(today.year, today.month, today.day, tzinfo=UTC))


def _away(count: int, unit: str, moment: datetime) -> tuple[str, str]:
    """So many units from the moment, as exactly as people mean it."""
    if unit == "year":
        return "in ", str(max(1, moment.year + count))
    if unit == "month":
        months = max(12, moment.year * 12 + moment.month - 1 + count)
        return "in ", f"{months // 12:04}-{months % 12 + 1:02}"
    if unit == "week":
        day = moment.date() + timedelta(weeks=count)
        return "in ", f"the week of {day - timedelta(days=day.weekday())}"
    step = {"minute": timedelta(minutes=count), "hour": timedelta(hours=count), "day": timedelta(days=count)}[unit]
    return "on ", (moment + step).date().isoformat()
