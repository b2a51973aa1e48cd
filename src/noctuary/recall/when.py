"""The times a question speaks of, understood from the moment it is asked: "last week", "in March", "三天前".

A question is read in three steps.  Its words become pieces, each of a kind (`when_words`).  One grammar over the
kinds finds times, each a function of the moment it is understood from; a second one finds what is said about them:
since, before, between, the week before.  A grammar is a table of rules; at each place the first that fits wins.

Precision comes before recall.  A duration ("takes 5 minutes"), an offset from an event ("two days before the release",
which `events` reads), a quoted text and a word that may be another one ("May I") are no times.  All are in UTC.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from noctuary.recall import when_words as words
from noctuary.recall.when_words import DAY, HOUR, MINUTE, WEEKEND, Piece, Year, day_of, midnight, months

LONGEST_QUESTION = 4_000  # characters; what comes after is not read
LONGEST_TAIL = 31 * DAY  # how far from a span a moment may still be near
FURTHEST_SINCE = 8  # pieces between "since" and its time: since I moved to the new machine last week
LATEST_NOW = 200_000 * DAY  # in the year 2517
EXACT, CLEAR, LOOSE, VAGUE = 1.0, 0.9, 0.7, 0.5


class Span(NamedTuple):
    """A stretch of time, its end not included, and the words it was read from."""

    start_ms: int
    end_ms: int
    text: str
    certainty: float  # 1.0 is a certain day or month


class Stretch(NamedTuple):
    """A time, once it is known from when it is understood."""

    start: int
    end: int
    certainty: float
    is_future: bool = False  # it is meant to lie ahead


Reading = Callable[[int], list[Stretch]]  # what a time is, understood from a moment; two if it can mean two things
Reader = Callable[["Parts"], Reading]
Rules = tuple[tuple[str, str, Reader], ...]


class Time(NamedTuple):
    """Pieces that are one time."""

    kind: str
    start: int
    end: int
    read: Reading


class Parts:
    """The pieces and times that a rule fits."""

    def __init__(self, items: Sequence[Piece | Time]) -> None:
        self._pieces = [item for item in items if isinstance(item, Piece)]
        self.times = [item for item in items if isinstance(item, Time)]

    def all(self, *kinds: str) -> list[Piece]:
        """The pieces of these kinds."""
        return [piece for piece in self._pieces if piece.kind in kinds]

    def value(self, *kinds: str) -> int | None:
        """The number of the first piece of these kinds."""
        return next((piece.value for piece in self.all(*kinds)), None)


def spans_in(question: str, now_ms: int) -> list[Span]:
    """The times the question speaks of, in its order; none if it speaks of none.  Never fails."""
    question = question[:LONGEST_QUESTION]
    if not words.may_tell_time(question):
        return []
    now_ms = min(max(now_ms, 0), LATEST_NOW)
    items = _with_times(words.pieces(question))
    spans: list[Span] = []
    for first, last, _, read in _matches(_MODIFIERS, items):
        text = question[items[first].start : items[last].end]
        is_since = _is_since(items[max(0, first - FURTHEST_SINCE) : first])
        for stretch in read(now_ms):
            spans += _within_reach(stretch._replace(end=now_ms + 1) if is_since else stretch, now_ms, text)
    return spans


def nearness(ts_ms: int, spans: Sequence[Span]) -> float:
    """1.0 within a span, falling smoothly to 0 outside, over as long as the span lasts (a day to a month)."""
    return max((_nearness(ts_ms, span) for span in spans), default=0.0)


def without_times(question: str, spans: Sequence[Span]) -> str:
    """The question without the words of its times; it may be that nothing is left."""
    if not spans:
        return question
    for text in sorted({span.text for span in spans}, key=len, reverse=True):
        before, after = r"(?<!\w)" if text[0].isascii() else "", r"(?!\w)" if text[-1].isascii() else ""
        question = re.sub(before + re.escape(text) + after, " ", question)
    return re.sub(r"\s+(?=[?!.,;:](?!\w)|$)", "", " ".join(question.split()))


def _nearness(ts_ms: int, span: Span) -> float:
    tail = min(max(span.end_ms - span.start_ms, DAY), LONGEST_TAIL)
    left = 1 - max(span.start_ms - ts_ms, ts_ms - span.end_ms, 0) / tail
    return left * left * (3 - 2 * left) if left > 0 else 0.0


def _within_reach(stretch: Stretch, now_ms: int, text: str) -> list[Span]:
    """The span without what is yet to come, unless that is what is asked for."""
    end = stretch.end if stretch.is_future else min(stretch.end, now_ms + 1)
    start = max(stretch.start, 0)
    return [Span(start, end, text, stretch.certainty)] if start < end else []


def _is_since(before: Sequence[Piece | Time]) -> bool:
    """Whether the words before a time say that it lasts until now."""
    return [item.kind for item in before if item.kind in ("SINCE", "COMMA", "DOT", "STOP")][-1:] == ["SINCE"]


def _yearly(days: Year, year: int | None, certainty: float, word: str = "") -> Reading:
    """What comes every year: in the given year, or the one that last, this or next means, or the latest begun."""

    def read(now: int) -> list[Stretch]:
        this_year = day_of(now).year
        known = [year] if year is not None else [this_year] if word == "THIS" else []
        years = known or range(this_year + 9, this_year - 10, -1)
        found = [Stretch(*each, certainty, word == "NEXT") for number in years if (each := days(number))]
        if known:
            return found
        if word == "NEXT":
            return [each for each in found if each.start > now][-1:]
        return [each for each in found if (each.end if word == "LAST" else each.start) <= now][:1]

    return read


# What a time is: a reader takes what a rule fits and tells how it is understood.


def _nothing(_: Parts) -> Reading:
    """Words that are no time, although some of them may be."""
    return lambda _: []


def _which(parts: Parts) -> str:
    kinds = {word.kind for word in parts.all("LAST", "PAST", "THIS", "NEXT")}
    return "LAST" if kinds & {"LAST", "PAST"} else "".join(kinds)


def count_of(parts: Parts) -> tuple[int, int]:
    """From how many to how many; 0 if it is not said, or more than can be meant."""
    for piece in parts.all("COUNT", "NUMBER", "BIGNUMBER"):
        return (piece.value, piece.most) if piece.value < 1000 else (0, 0)
    return (1, 1) if parts.all("ARTICLE", "THE", "PAST") else (0, 0)


def _day(parts: Parts) -> Reading:
    off = parts.value("DAYNAME", "TOMORROW") or 0
    return lambda now: [Stretch(midnight(now) + off * DAY, midnight(now) + (off + 1) * DAY, EXACT, off > 0)]


def _last_night(_: Parts) -> Reading:
    return lambda now: [Stretch(midnight(now) - 8 * HOUR, midnight(now) + 8 * HOUR, CLEAR)]


def _ago(parts: Parts) -> Reading:
    low, high = count_of(parts)
    unit = parts.value("UNIT", "UNITS") or DAY
    if not low:
        return _nothing(parts)
    if unit < DAY:
        return lambda now: [Stretch(now - high * unit - HOUR, now - low * unit + HOUR, LOOSE)]
    slack = unit // 2 if unit > DAY else high // 7 * DAY
    first, last = high * unit + slack, low * unit - slack - DAY
    certainty = VAGUE if low != high else LOOSE if slack else EXACT
    return lambda now: [Stretch(midnight(now - first), midnight(now - last), certainty)]


def _recent(parts: Parts) -> Reading:
    """So many days, weeks … until now; one if no number is said."""
    long = count_of(parts)[1] * (parts.value("UNIT", "UNITS") or DAY)
    if long <= MINUTE:
        return _nothing(parts)
    return lambda now: [Stretch(midnight(now - long) if long >= DAY else now - long, now + 1, CLEAR)]


def _calendar(parts: Parts) -> Reading:
    """Last, this or next week, weekend, month, quarter, year, or a part of it; "last day" is no time."""
    unit = parts.value("UNIT") or DAY
    shift = {"LAST": -1, "NEXT": 1}.get(_which(parts), 0) - bool(parts.all("BEFORE"))
    if unit < WEEKEND:
        return _nothing(parts)
    return _fraction(parts, lambda now: [Stretch(*words.period(unit, now, shift), CLEAR, shift > 0)])


def _fraction(parts: Parts, read: Reading) -> Reading:
    """The beginning, middle or end of a time, if one of them is said."""

    def cut(time: Stretch, part: Piece) -> Stretch:
        if time.end - time.start <= DAY:  # "running late today"
            return time
        start, end = ((time.end - time.start) * percent // 100 for percent in (part.value, part.most))
        return Stretch(midnight(time.start + start), time.start + end, min(time.certainty, LOOSE))

    for part in parts.all("PART", "EARLY"):
        return lambda now: [cut(time, part) for time in read(now)]
    return read


def _weekday(parts: Parts) -> Reading:
    """The latest before today; this Friday is that of this week, next Friday that of the next."""
    weekday, which = parts.value("WEEKDAY") or 0, _which(parts)

    def read(now: int) -> list[Stretch]:
        today = day_of(now).weekday()
        off = {"THIS": weekday - today, "NEXT": weekday - today + 7}.get(which, -((today - weekday - 1) % 7) - 1)
        return [Stretch(midnight(now) + off * DAY, midnight(now) + (off + 1) * DAY, CLEAR, which == "NEXT")]

    return read


def _date(parts: Parts) -> Reading:
    days = [piece.value for piece in parts.all("NUMBER", "ORDINAL")]
    month, year = parts.value(*MONTHS.split("|")) or 0, parts.value(*YEARS.split("|"))
    return _yearly(words.days_of_month(month, days[0], days[-1]), year, EXACT if year else CLEAR)


def _yearly_name(parts: Parts) -> Reading:
    """A month, quarter, season or holiday, of a year if one is said; or a year alone."""
    year = parts.value(*YEARS.split("|"))
    days, certainty = months(1, 12), EXACT if year else CLEAR
    for piece in parts.all(*MONTHS.split("|")):
        days = months(piece.value, 1)
    for piece in parts.all("QUARTERNAME"):
        days = months(piece.value * 3 - 2, 3)
    for piece in parts.all("SEASON", "FALL", "LARGEFALL"):
        days, certainty = months(piece.value, 3), LOOSE if year else VAGUE
    for piece in parts.all("HOLIDAY"):
        days = words.holiday(piece.value)
    return _fraction(parts, _yearly(days, year, certainty, _which(parts)))


def _digits(parts: Parts) -> Reading:
    """2026-03-05, 2026-03, and 03/05/2026 read both ways unless only one is a day that has been."""
    piece = parts.all("ISO", "NUMERIC", "YEARMONTH")[0]
    first, second, third = [*(int(number) for number in re.findall(r"\d+", piece.text)[:3]), 0][:3]
    if piece.kind == "YEARMONTH":
        return _yearly(words.days_of_month(second, 1, words.WHOLE_MONTH), first, EXACT)
    if piece.kind == "ISO":
        return _yearly(words.days_of_month(second, third, third), first, EXACT)
    ways = [_yearly(words.days_of_month(m, d, d), third, EXACT) for d, m in sorted({(first, second), (second, first)})]

    def read(now: int) -> list[Stretch]:
        found = [time for way in ways for time in way(now) if time.start <= now]
        return [time._replace(certainty=1 / len(found)) for time in found]

    return read


# What is said about a time.


def _same(parts: Parts) -> Reading:
    return _fraction(parts, parts.times[-1].read)


def _changed(change: Callable[[Stretch, int], Stretch]) -> Reader:
    """A reader that changes a time, which may depend on now."""
    return lambda parts: lambda now: [change(time, now) for time in _same(parts)(now)]


def _until(time: Stretch, now: int) -> Stretch:
    """All that was up to a time; nothing up to one that is yet to come, as that would be everything."""
    return Stretch(0, time.end if time.start <= now else 0, LOOSE)


def _around(time: Stretch, _: int) -> Stretch:
    more = max((time.end - time.start) // 2, 3 * DAY if time.end - time.start >= DAY else 0)
    return Stretch(time.start - more, time.end + more, min(time.certainty, LOOSE))


def _between(parts: Parts) -> Reading:
    """From the first time to the second; a month or weekday of the first is the last one before the second."""
    first, second = parts.times
    is_apart = first.kind == "RELATIVE" and second.kind == "RELATIVE"
    return lambda now: [
        Stretch(start.start, end.end, min(start.certainty, end.certainty))
        for end in second.read(now)
        for start in first.read(now if is_apart else end.start)
    ]


def _offset(parts: Parts) -> Reading:
    """So long before or after a time that is known, and up to it: what is told on a date was often before it."""
    long = count_of(parts)[1] * (parts.value("UNIT", "UNITS") or DAY)
    before, after = (long, 0) if parts.all("BEFORE") else (0, long)
    return _changed(lambda time, _: Stretch(time.start - before, time.end + after, LOOSE))(parts)


# The grammars: which kinds in a row are a time, what kind of time it is, and who reads it.

MONTHS = "MONTH|SHORTMONTH|MAYMONTH"
YEARS = "YEAR|COUNTEDYEAR"
_NUMBERS = "COUNT|NUMBER|BIGNUMBER"
_DAYS = "NUMBER|ORDINAL"
_UNITS = "UNIT|UNITS"
_NAMED = "RELATIVE|DATE|A_MONTH|A_YEAR|A_SEASON|A_HOLIDAY|A_WEEKDAY"

_TIMES: Rules = (
    ("THE? DAYNAME DAYPART|NIGHT?", "RELATIVE", _day),
    ("THIS DAYPART", "RELATIVE", _day),
    ("LAST NIGHT|DAYPART", "RELATIVE", _last_night),
    ("TOMORROW", "FUTURE", _day),
    (f"ARTICLE? {_NUMBERS}? OF? {_UNITS} AGO", "RELATIVE", _ago),
    (f"BACK ARTICLE? {_NUMBERS} OF? {_UNITS}", "RELATIVE", _ago),
    ("THE UNIT BEFORE? LAST", "RELATIVE", _calendar),
    (f"THIS? LAST|PAST ARTICLE? {_NUMBERS} OF? {_UNITS} !OF|THING", "RELATIVE", _recent),
    (f"{_NUMBERS} LAST UNITS !OF|THING", "RELATIVE", _recent),
    ("THIS? PAST UNIT !OF|THING", "RELATIVE", _recent),
    ("THE LAST UNIT !OF|THING", "RELATIVE", _recent),
    ("LAST|THIS OF? UNIT !OF|THING", "RELATIVE", _calendar),
    ("NEXT OF? UNIT !OF", "FUTURE", _calendar),
    ("THE UNIT NEXT", "FUTURE", _calendar),
    ("PART OF THE UNIT", "RELATIVE", _calendar),
    ("THIS? LAST|PAST|THIS WEEKDAY DAYPART|NIGHT?", "RELATIVE", _weekday),
    ("ARTICLE WEEKDAY DAYPART|NIGHT?", "", _nothing),  # on a Tuesday
    ("WEEKDAY LAST|DAYPART|NIGHT", "RELATIVE", _weekday),
    ("NEXT WEEKDAY", "FUTURE", _weekday),
    ("WEEKDAY", "A_WEEKDAY", _weekday),
    ("ISO|NUMERIC|YEARMONTH", "DATE", _digits),
    (f"{_DAYS} TO|AND|UNTIL {_DAYS} OF? MONTH|SHORTMONTH ( COMMA|OF? {YEARS} )?", "DATE", _date),
    (f"{MONTHS} {_DAYS} TO|UNTIL {_DAYS} ( COMMA|OF? {YEARS} )?", "DATE", _date),
    (f"{_DAYS} DOT? OF? MONTH|SHORTMONTH DOT? ( COMMA|OF? {YEARS} )?", "DATE", _date),
    (f"{_DAYS} OF MAYMONTH ( COMMA|OF? {YEARS} )?", "DATE", _date),
    (f"{_DAYS} MAYMONTH COMMA|OF? {YEARS}", "DATE", _date),
    (f"MONTH|SHORTMONTH DOT? THE? {_DAYS} ( COMMA|OF? {YEARS} )?", "DATE", _date),
    (f"MAYMONTH ORDINAL ( COMMA|OF? {YEARS} )?", "DATE", _date),
    (f"MAYMONTH NUMBER COMMA|OF? {YEARS}", "DATE", _date),
    ("THIS? LAST|PAST|THIS MONTH|SHORTMONTH|SEASON|HOLIDAY", "RELATIVE", _yearly_name),
    ("LAST|THIS MAYMONTH|FALL|LARGEFALL =STOP|COMMA|DOT", "RELATIVE", _yearly_name),
    ("LAST FALL", "RELATIVE", _yearly_name),
    ("NEXT MONTH|SHORTMONTH|SEASON|HOLIDAY", "FUTURE", _yearly_name),
    ("MONTH|SHORTMONTH|SEASON LAST", "RELATIVE", _yearly_name),
    (f"PART|EARLY OF? {MONTHS} ( COMMA|OF? {YEARS} )?", "DATE", _yearly_name),
    (f"{MONTHS}|QUARTERNAME|SEASON|FALL|LARGEFALL COMMA|OF? {YEARS}", "DATE", _yearly_name),
    (f"HOLIDAY POSSESSIVE? UNIT? OF? {YEARS}", "DATE", _yearly_name),
    ("HOLIDAY POSSESSIVE? UNIT?", "A_HOLIDAY", _yearly_name),
    ("MONTH|QUARTERNAME !BIGNUMBER", "A_MONTH", _yearly_name),
    ("SHORTMONTH|MAYMONTH", "PERHAPS_A_MONTH", _yearly_name),
    ("FALL|LARGEFALL =STOP|COMMA|DOT", "A_SEASON", _yearly_name),
    ("SEASON", "A_SEASON", _yearly_name),
    ("YEAR", "A_YEAR", _yearly_name),
)

_MODIFIERS: Rules = (
    (f"BETWEEN THE? {_NAMED} AND THE? {_NAMED}", "", _between),
    (f"FROM THE? {_NAMED} TO|UNTIL THE? {_NAMED}", "", _between),
    ("ON? A_WEEKDAY COMMA|ON? THE? DATE", "", _same),
    ("THE? RELATIVE|A_WEEKDAY ON|BEFORE THE? DATE", "", _between),
    (f"ARTICLE|THE? {_NUMBERS}? OF? {_UNITS} BEFORE|AFTER THE? {_NAMED}", "", _offset),
    ("IN|AT? THE? PART OF THE? RELATIVE|DATE|A_YEAR|A_SEASON", "", _same),
    ("IN|AT? THE? EARLY OF? THE? RELATIVE|DATE|A_YEAR|A_SEASON", "", _same),
    (f"SINCE THE? {_NAMED}|PERHAPS_A_MONTH", "", _changed(lambda time, now: time._replace(end=now + 1))),
    (
        f"BEFORE THE? {_NAMED}",
        "",
        _changed(lambda time, now: Stretch(0, time.start if time.start <= now else 0, LOOSE)),
    ),
    (f"AFTER THE? {_NAMED}", "", _changed(lambda time, now: Stretch(time.end, now + 1, LOOSE))),
    (f"UNTIL THE? {_NAMED}", "", _changed(_until)),
    ("BY DATE|A_MONTH|A_YEAR", "", _changed(_until)),
    (f"IN|ON? AROUND THE? {_NAMED}", "", _changed(_around)),
    ("IN|ON|AT|FROM THE? RELATIVE|DATE|A_HOLIDAY", "", _same),
    ("IN THE? A_MONTH|PERHAPS_A_MONTH|A_SEASON|A_YEAR", "", _same),
    ("ON A_WEEKDAY !DAYPARTS", "", _same),
    ("THE A_MONTH", "", _same),
    ("A_WEEKDAY POSSESSIVE", "", _same),
    ("THE FUTURE", "", _nothing),
    ("THE? RELATIVE|DATE|FUTURE POSSESSIVE?", "", _same),
)


def _matches(rules: Rules, items: Sequence[Piece | Time]) -> Iterator[tuple[int, int, str, Reading]]:
    """Where a rule fits: the first item and the last, the kind of time it is and how it is read."""
    grammar = words.grammar(tuple(pattern for pattern, _, _ in rules))
    for number, first, end in grammar.places([item.kind for item in items]):
        _, kind, reader = rules[number]
        yield first, end - 1, kind, reader(Parts(items[first:end]))


def _with_times(found: Sequence[Piece]) -> list[Piece | Time]:
    """The pieces, each run of them that is a time made into one."""
    items: list[Piece | Time] = []
    done = 0
    for first, last, kind, read in _matches(_TIMES, found):
        items += [*found[done:first], Time(kind, found[first].start, found[last].end, read)]
        done = last + 1
    return [*items, *found[done:]]
