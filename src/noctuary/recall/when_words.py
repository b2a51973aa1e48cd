"""The words people speak of time with, how a question is cut into them, and where they lie in a calendar.

A word has a kind, which is what the grammar of `when` is written in, and a number: the place of a month, the length
of a unit, the days that "yesterday" lies off.  One word has one kind, in whichever of six languages; where they
disagree, English wins.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from functools import cache
from typing import NamedTuple

_EPOCH = date(1970, 1, 1).toordinal()

MINUTE = 60_000
HOUR = 60 * MINUTE
DAY = 24 * HOUR
WEEKEND = 2 * DAY
WEEK = 7 * DAY
MONTH = 2_629_746_000  # on average
QUARTER = 3 * MONTH
YEAR = 12 * MONTH
WHOLE_MONTH = 99  # as the last day of one


class Word(NamedTuple):
    """What a word is in the grammar."""

    kind: str
    value: int = 0
    most: int = 0  # "a few" is two to five


# Words that may make a question one about time, by kind and value.  Without one of them a question is not read at all.
_TELLING: tuple[tuple[str, int, str], ...] = (
    ("DAYNAME", 0, "today tonight heute aujourd hoy 今天 今日"),
    ("DAYNAME", -1, "yesterday gestern ayer anoche 昨天 昨日 昨晚 昨夜"),
    ("DAYNAME", -2, "vorgestern avant-hier anteayer 前天 一昨日"),
    ("HIER", -1, "hier"),  # yesterday in French, here in German
    ("TOMORROW", 1, "tomorrow demain 明天 明日"),
    ("DAYPART", 0, "morning afternoon evening"),
    ("DAYPARTS", 0, "mornings afternoons evenings nights"),
    ("NIGHT", 0, "night nacht nuit noche"),
    ("UNIT", MINUTE, "minute minuto"),
    ("UNITS", MINUTE, "minutes minuten minutos 分钟 分鐘 分"),
    ("UNIT", HOUR, "hour stunde heure hora"),
    ("UNITS", HOUR, "hours stunden heures horas 小时 小時 時間"),
    ("UNIT", DAY, "day tag jour día dia"),
    ("UNITS", DAY, "days tage tagen jours días dias 天 日"),
    ("UNIT", WEEKEND, "weekend wochenende week-end"),
    ("UNIT", WEEK, "week woche semaine semana 周 週 星期"),
    ("UNITS", WEEK, "weeks wochen semaines semanas 週間"),
    ("UNIT", MONTH, "month monat mois mes 月"),
    ("UNITS", MONTH, "months monate monaten meses か月 ヶ月 カ月"),
    ("UNIT", QUARTER, "quarter quartal trimestre"),
    ("UNIT", YEAR, "year jahr année annee año 年"),
    ("UNITS", YEAR, "years jahre jahren ans années años"),
    ("MONTH", 1, "january januar jänner janvier enero jan"),
    ("MONTH", 2, "february februar février fevrier febrero feb"),
    ("MONTH", 3, "march märz maerz mars marzo mar"),
    ("MONTH", 4, "april avril abril apr"),
    ("MONTH", 5, "may mai mayo"),
    ("MONTH", 6, "june juni juin junio jun"),
    ("MONTH", 7, "july juli juillet julio jul"),
    ("MONTH", 8, "august août aout agosto aug"),
    ("MONTH", 9, "september septembre septiembre sept sep"),
    ("MONTH", 10, "october oktober octobre octubre oct"),
    ("MONTH", 11, "november novembre noviembre nov"),
    ("MONTH", 12, "december dezember décembre decembre diciembre dec"),
    ("WEEKDAY", 0, "monday montag lundi lunes"),
    ("WEEKDAY", 1, "tuesday dienstag mardi martes"),
    ("WEEKDAY", 2, "wednesday mittwoch mercredi miércoles miercoles"),
    ("WEEKDAY", 3, "thursday donnerstag jeudi jueves"),
    ("WEEKDAY", 4, "friday freitag vendredi viernes"),
    ("WEEKDAY", 5, "saturday samstag samedi sábado sabado"),
    ("WEEKDAY", 6, "sunday sonntag dimanche domingo"),
    ("SEASON", 6, "summer sommer été verano"),
    ("SEASON", 9, "autumn herbst automne otoño"),
    ("SEASON", 12, "winter hiver invierno"),
    ("SEASON", 3, "frühling frühjahr printemps primavera"),
    ("FALL", 3, "spring"),
    ("FALL", 9, "fall"),
    ("HOLIDAY", 0, "christmas xmas weihnachten noël navidad"),
    ("HOLIDAY", 2, "valentine valentines valentinstag"),
    ("HOLIDAY", 3, "halloween"),
    ("HOLIDAY", 4, "thanksgiving"),
    *(("QUARTERNAME", number, f"q{number}") for number in (1, 2, 3, 4)),
)

# Words that only mean time beside one of the others.
_HELPING: tuple[tuple[str, str], ...] = (
    ("ARTICLE", "a an"),
    ("THE", "the der die das den dem la le les l el los las"),
    ("OF", "of de des del du 个 個"),
    ("LAST", "last 上 去 先 昨"),
    ("LAST", "letzte letzten letzter letztes letztem vorige vorigen voriges vorigem vergangene vergangenen"),
    ("LAST", "dernier dernière derniere derniers dernières passé passée pasado pasada últimos últimas ultimos ultimas"),
    ("PAST", "past 过去 最近"),
    ("THIS", "this diese diesen dieser dieses diesem ce cet cette este esta 今 本 这"),
    ("NEXT", "next nächste nächsten nächster nächstes prochain prochaine próximo próxima 下 来"),
    ("AGO", "ago 前 以前 之前"),
    ("BACK", "vor hace"),
    ("IN", "in during over throughout im en während pendant durante 在"),
    ("ON", "on am"),
    ("AT", "at"),
    ("SINCE", "since seit depuis desde"),
    ("BEFORE", "before avant"),
    ("AFTER", "after following nach après"),
    ("UNTIL", "until till bis hasta"),
    ("BY", "by"),
    ("AROUND", "around circa approximately roughly gegen vers hacia"),
    ("BETWEEN", "between zwischen entre"),
    ("FROM", "from von vom"),
    ("AND", "and und et"),
    ("TO", "to through - –"),
    ("COMMA", ","),
    ("DOT", "."),
    ("STOP", "? ! ; : ) ？ 。 ！ ，"),
    ("POSSESSIVE", "'s ’s"),
    # "the last 7 days filter" is the name of a thing.
    ("THING", "filter filters window view button option retention chart tab range preset dropdown"),
)

# Several words that are one; also those that only look like a time.
_PHRASES: dict[str, Word] = {
    "day before yesterday": Word("DAYNAME", -2),
    "aujourd hui": Word("DAYNAME", 0),
    "il y a": Word("BACK"),
    "couple of": Word("COUNT", 2, 3),
    "prior to": Word("BEFORE"),
    "antes de": Word("BEFORE"),
    "después de": Word("AFTER"),
    "new year": Word("HOLIDAY", 1),
    "fin de semana": Word("UNIT", WEEKEND),
    "half a": Word("OTHER"),
    "spring boot": Word("OTHER"),
    "fall back": Word("OTHER"),
    "fall through": Word("OTHER"),
    "fall over": Word("OTHER"),
    # Parts of a period, in hundredths from and to.
    "first half of": Word("EARLY", 0, 50),
    "second half of": Word("EARLY", 50, 100),
    "first week of": Word("EARLY", 0, 25),
    "last week of": Word("EARLY", 75, 100),
}

_PARTS: tuple[tuple[str, int, int, str], ...] = (
    ("EARLY", 0, 35, "early anfang début debut"),
    ("EARLY", 30, 70, "mid mitte mi"),
    ("EARLY", 65, 100, "late ende fin"),
    ("PART", 0, 35, "beginning start principios"),  # of
    ("PART", 30, 70, "middle mediados"),
    ("PART", 65, 100, "end finales"),
)

_COUNTS: tuple[tuple[int, int, str], ...] = (
    (1, 1, "one ein eine einem einer un una une 一"),
    (2, 2, "two zwei deux dos 二 两 兩"),
    (3, 3, "three drei trois tres 三"),
    (4, 4, "four vier quatre cuatro 四"),
    (5, 5, "five fünf cinq cinco 五"),
    (6, 6, "six sechs seis 六"),
    (7, 7, "seven sieben sept siete 七"),
    (8, 8, "eight acht huit ocho 八"),
    (9, 9, "nine neun neuf nueve 九"),
    (10, 10, "ten zehn dix diez 十"),
    (11, 11, "eleven elf onze once"),
    (12, 12, "twelve zwölf douze doce"),
    (15, 15, "fifteen"),
    (20, 20, "twenty"),
    (30, 30, "thirty"),
    (2, 3, "couple"),
    (2, 5, "few paar quelques unos unas 几 幾 数"),
    (3, 8, "several einigen mehreren varios varias"),
)

FIRST_YEAR, LAST_YEAR = 1900, 2099

# From month and day to month and day.  Thanksgiving is on one of seven days.
_HOLIDAYS = (
    ((12, 24), (12, 26)),  # Christmas
    ((12, 31), (1, 1)),  # New Year
    ((2, 14), (2, 14)),  # Valentine's day
    ((10, 31), (10, 31)),  # Halloween
    ((11, 22), (11, 28)),  # Thanksgiving
)

# Months that are also other words: written large they need a number or a preposition, written small both or a year.
_SHORT_MONTHS = frozenset("jan feb mar apr jun jul aug sept sep oct nov dec".split())  # noqa: SIM905
_FOREIGN_MONTHS = frozenset({"mars", "mayo"})  # as _SHORT_MONTHS written large
_SMALL_MONTHS = frozenset({"may", "march"})

# Seasons that are names where they are written large: Spring Boot, Summer Nights, the Winter Olympics.
_NAMES_WRITTEN_LARGE = frozenset({"spring", "summer", "fall", "autumn", "winter"})

# "hier" is yesterday beside one of these, and here beside none.
_FRENCH_WORDS = frozenset(
    "je j nous vous on qu que quoi quel quelle est ce ai avons avait avions le la les pourquoi où".split()  # noqa: SIM905
)

_COUNTED = r"\s+(?!(?:was|has|does|his|this|as|is|versus|always)\b)[a-z]{2,}s\b"  # 2000 rows, 2024 requests

WORDS: dict[str, Word] = {
    **{word: Word(kind) for kind, words in _HELPING for word in words.split()},
    **{word: Word("COUNT", low, high) for low, high, words in _COUNTS for word in words.split()},
    **{word: Word(kind, low, high) for kind, low, high, words in _PARTS for word in words.split()},
    **{word: Word(kind, value) for kind, value, words in _TELLING for word in words.split()},
}
_TELLING_WORDS = frozenset(
    [word for _, _, words in _TELLING for word in words.split()]
    + [str(year) for year in range(FIRST_YEAR, LAST_YEAR + 1)]
)
_LAST_WORDS = frozenset(phrase.split()[-1] for phrase in _PHRASES)
# What stands between other characters without spaces, longest first, so that 昨天 is not read as 昨 and 天.
_UNSPACED_WORDS = sorted((word for word in WORDS if "\u3040" <= word[0] <= "\u9fff"), key=len, reverse=True)
_UNSPACED_SIGNS = frozenset("".join(word for word in _UNSPACED_WORDS if word in _TELLING_WORDS))


class Piece(NamedTuple):
    """A word of a question, and where it stands."""

    kind: str
    start: int
    end: int
    text: str
    value: int = 0
    most: int = 0


def may_tell_time(question: str) -> bool:
    """Whether it is worth cutting the question into pieces; cheap."""
    if not _TELLING_WORDS.isdisjoint(re.findall(r"\w+", question.lower())):
        return True
    return not question.isascii() and not _UNSPACED_SIGNS.isdisjoint(question)


def pieces(question: str) -> list[Piece]:
    """The question cut into words, numbers, dates and signs; a quoted text is one piece, and so is some-name.py."""
    found = _with_phrases([_piece(match, question) for match in _token().finditer(question)])
    if any(piece.text.lower() in _FRENCH_WORDS for piece in found):
        return [piece._replace(kind="DAYNAME") if piece.kind == "HIER" else piece for piece in found]
    return found


@cache
def _token() -> re.Pattern[str]:
    letter = r"[^\W\u3040-\u30ff\u3400-\u9fff]"  # of words that are set apart by spaces
    return re.compile(
        rf"""(?P<QUOTED>"[^"\n]{{0,200}}"|“[^”]{{0,200}}”|`[^`]{{0,200}}`|(?<!\w)'[^'\n]{{1,80}}'(?!\w))
        | (?P<ISO>(?<![\w.\-/])\d{{4}}([-/.])\d{{1,2}}\3\d{{1,2}}(?:T\d\d:\d\d[\d:.Z+]*)?(?![\w/-]))
        | (?P<NUMERIC>(?<![\w.\-/])\d{{1,2}}([-/.])\d{{1,2}}\5\d{{4}}(?![\w/-]))
        | (?P<YEARMONTH>(?<![\w.\-/])\d{{4}}-\d\d(?![\w/.-]))
        | \b(?P<PREFIX>[Ee]arly|[Mm]id|[Ll]ate|[Mm]i)-(?=[^\W\d]{{3}})
        | (?P<NAME>(?!\d+[-–]\d+(?![\w-])){letter}+(?:[-./:@\\=+&]+{letter}+|,\d{{3}}(?!\d))+)
        | (?P<ORDINAL>\d+)(?:st|nd|rd|th)\b
        | (?P<NUMBER>\d+)(?!{letter})
        | (?P<WORD>['’]s\b|{letter}+|{"|".join(_UNSPACED_WORDS)})
        | (?P<SIGN>[^\s'’])""",
        re.VERBOSE,
    )


def _with_phrases(found: list[Piece]) -> list[Piece]:
    """The pieces, with those that are one phrase made one."""
    made: list[Piece] = []
    for piece in found:
        made.append(piece)
        for size in (3, 2) if piece.text.lower() in _LAST_WORDS else ():
            phrase = _PHRASES.get(" ".join(each.text.lower() for each in made[-size:]))
            if phrase and len(made) >= size:
                whole = Piece(phrase.kind, made[-size].start, piece.end, "", phrase.value, phrase.most)
                made[-size:] = [whole]
    return made


def _piece(match: re.Match[str], question: str) -> Piece:
    kind, text = match.lastgroup or "", match.group()
    piece = Piece(kind, match.start(), match.end(), text)
    if kind in ("NUMBER", "ORDINAL"):
        value = int(match[kind][:9])
        return piece._replace(kind=_kind_of_number(kind, value, question, match.end()), value=value, most=value)
    if kind in ("QUOTED", "ISO", "NUMERIC", "YEARMONTH"):
        return piece
    plain = (match["PREFIX"] or text).lower()
    word = WORDS.get(plain) or Word("OTHER")
    kind = _kind_of_month(text, match.start()) if word.kind == "MONTH" else word.kind
    if plain in _NAMES_WRITTEN_LARGE and not text.islower():
        kind = "LARGEFALL"
    return piece._replace(kind=kind, value=word.value, most=word.most)


def _kind_of_number(kind: str, value: int, question: str, end: int) -> str:
    if 1 <= value <= 31:
        return kind
    if FIRST_YEAR <= value <= LAST_YEAR and kind == "NUMBER":
        return "COUNTEDYEAR" if re.compile(_COUNTED).match(question, end) else "YEAR"
    return "BIGNUMBER"


def _kind_of_month(text: str, place: int) -> str:
    """MONTH is sure, SHORTMONTH needs a number or a preposition beside it, MAYMONTH more than that."""
    plain = text.lower()
    if plain in _SMALL_MONTHS and (text.islower() or place == 0):  # "May I", "it may"
        return "MAYMONTH"
    if plain in _SHORT_MONTHS:
        return "MAYMONTH" if text.islower() else "SHORTMONTH"
    return "SHORTMONTH" if plain in _FOREIGN_MONTHS else "MONTH"


class Grammar(NamedTuple):
    """Rules over kinds, made ready to be looked for."""

    pattern: re.Pattern[str]
    letters: dict[str, str]

    def places(self, kinds: Sequence[str]) -> Iterator[tuple[int, int, int]]:
        """Where rules fit, from left to right: the number of the rule, the first place and the one after the last."""
        for match in self.pattern.finditer("".join(self.letters.get(kind, "-") for kind in kinds)):
            yield (match.lastindex or 1) - 1, match.start(), match.end()


@cache
def grammar(rules: tuple[str, ...]) -> Grammar:
    """Rules as "COUNT|NUMBER UNIT AGO"; X? may be missing, ( X Y )? both, !X: no X follows, =X: X or nothing does."""
    kinds = sorted({kind for rule in rules for kind in re.findall("[A-Z_]+", rule)})
    letters = {kind: chr(ord("Ā") + number) for number, kind in enumerate(kinds)}
    return Grammar(re.compile("|".join(f"({_regex(rule, letters)})" for rule in rules)), letters)


def _regex(rule: str, letters: dict[str, str]) -> str:
    """The rule with a letter for each kind."""
    signs = {"(": "(?:", ")?": ")?"}
    forms = {"!": "(?![{}])", "=": "(?=[{}]|$)", "?": "[{}]?"}
    made = []
    for item in rule.split():
        form = forms.get(item[0]) or forms.get(item[-1], "[{}]")
        made.append(signs.get(item) or form.format("".join(letters[kind] for kind in re.findall("[A-Z_]+", item))))
    return "".join(made)


# Where the words lie in a calendar.

Year = Callable[[int], tuple[int, int] | None]  # from when to when something lasts in a given year


def day_of(ms: int) -> date:
    """The day of a moment."""
    return date.fromordinal(ms // DAY + _EPOCH)


def midnight(ms: int) -> int:
    """When the day of a moment began."""
    return ms // DAY * DAY


def period(unit: int, ms: int, shift: int) -> tuple[int, int]:
    """The week, weekend, month, quarter or year of a moment, or one so many later."""
    day = day_of(ms)
    if unit in (WEEK, WEEKEND):
        monday = midnight(ms) - day.weekday() * DAY + shift * WEEK
        return (monday + WEEK - WEEKEND if unit == WEEKEND else monday), monday + WEEK
    length = unit // MONTH
    first = (day.year * 12 + day.month - 1) // length * length + shift * length
    return _first_of_month(first), _first_of_month(first + length)


def months(first: int, length: int) -> Year:
    """So many months of a year."""
    return lambda year: (_first_of_month(year * 12 + first - 1), _first_of_month(year * 12 + first - 1 + length))


def days_of_month(month: int, first: int, last: int) -> Year:
    """Days of a month, if it has them."""

    def days(year: int) -> tuple[int, int] | None:
        if not 0 < month <= 12 or not FIRST_YEAR - 100 < year < LAST_YEAR + 100:
            return None
        start, end = period(MONTH, _ms(date(year, month, 1)), 0)
        until = end if last == WHOLE_MONTH else start + last * DAY
        return (start + (first - 1) * DAY, until) if 0 < first <= last and until <= end else None

    return days


def holiday(which: int) -> Year:
    """The days of a holiday."""
    (month, first), (last_month, last) = _HOLIDAYS[which]
    later = int(last_month < month)
    return lambda year: (_ms(date(year, month, first)), _ms(date(year + later, last_month, last)) + DAY)


def _ms(day: date) -> int:
    return (day.toordinal() - _EPOCH) * DAY


def _first_of_month(number: int) -> int:
    """The first moment of a month that is counted from the year 0."""
    return _ms(date(number // 12, number % 12 + 1, 1))
