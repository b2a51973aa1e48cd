"""What in memory bears on what somebody asks: words against words, strict enough to be silent most of the time.

Hooks use this module on every prompt, so it loads nothing, and what is looked through is a file that was made for it:

    noctuary-recall 1 <count of entries> <count of bytes of the index>
    <word>TAB<count of entries that have it> <their numbers>          a line for each word, the words in order
    <id>TAB<kind>TAB<day>TAB<session>TAB<weight>TAB<text>             a line for each entry

Every line has its end, so a file that was cut anywhere shows it.  A word weighs as much as it is rare.  An entry bears
on a prompt if they share two rare words, or one that names something exactly, such as `session_store.py`, and these
are much of what the prompt or the entry says.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    Entry = tuple[str, str, str, str, str]  # id, kind, day, session as its agent calls it, text

REJECTED = "rejection"  # of the kinds, the one that bears on what a tool does
MOST_HITS, MOST_CHARACTERS = 3, 900  # the fence around them included
MOST_BYTES = 4_000_000  # of a file: so much can be looked through while somebody waits
_MARK = b"noctuary-recall 1 "
_MOST_ENTRIES, _MOST_SHOWN, _MOST_READ, _MOST_ASKED = 5_000, 210, 4_000, 64
_ROOM = MOST_CHARACTERS - 80  # without the fence
_IN_MANY = 4  # words that one entry in so many has say nothing
_RARE, _MOST_RARE = 8, 50  # one entry in so many has a word that is rare, and at most so many entries
_FIELDS, _NEVER_ENOUGH = 6, 1e9
_LONGEST_NUMBER = 5  # bytes of the number of an entry, with a space before it
_FEWEST = 25  # entries that have a word that is left out
_ENOUGH_OF_PROMPT, _ENOUGH_OF_ENTRY = 0.3, 0.5  # docs/hooks.md says what was measured
_JOINING = "_./-"
_FIRST_IDEOGRAPH = "\u2e80"
_SAID_AS = {"rejection": "rejected", "decision": "decided", "finding": "found"}
# Words of every conversation; whoever only says these asks for nothing.
_COMMON = frozenset(
    """a about above actually add after again against all almost alright already also although always am an and
    another any anything apply are around as ask at away back be because been before begin being below better between
    both but by call can cannot change check code come commit complete continue correct could create cool current
    currently did didn different do does doesn doing don done down during each edit either else end enough error etc
    even ever every everything exactly example exist explain far feel few file find fine first fix follow for forward
    found from full function get give given go goes going good got great had happen has have haven having he help
    here him his hmm how however i if implement improve in instead into is isn issue it its itself job just keep know
    last later least left less let like line list little ll long look lot make many may maybe me mean might mind more
    most much must my name need never new next nice no none not note nothing now of off ok okay old on once one only
    open or other our out over own part path perfect place please point possible pretty problem proceed project
    prompt put question quick quite rather re read ready really remove result right run said same saw say see seem
    set shall she should show since so some something sorry sound start still stop such super sure take tell test
    text than thank thanks that the their them then there these they thing think this those though through thx time to
    today together too tool try trying turn two type under until up update us use used user using ve very via wait
    want was wasn way we well were weren what when where which while who whole why will with within without won word
    work would wrong yeah yes yet you your""".split()  # noqa: SIM905 (a list of this length is read in lines)
)


class Hit:
    """An entry that bears on what is asked."""

    __slots__ = ("day", "id", "kind", "session", "text")

    def __init__(self, id: str, kind: str, day: str, session: str, text: str) -> None:  # noqa: A002
        self.id = id
        self.kind = kind
        self.day = day
        self.session = session
        self.text = text


def words_of(text: str) -> "dict[str, bool]":
    """The words that texts are compared by, and of each whether it names something exactly."""
    words: dict[str, bool] = {}
    kept = "".join([letter if letter.isalnum() or letter in _JOINING else " " for letter in text[:_MOST_READ]])
    for run in kept.split():
        name = run.strip(_JOINING)
        if name.isascii():
            _add_name(words, name)
        else:
            for piece in _pieces(name, _JOINING):
                _add_foreign(words, piece)
    return words


def written(entries: "Iterable[Entry]") -> bytes:
    """The content of the file that prompts are held against; of too many or too long entries the first are taken."""
    rows: list[tuple[Entry, dict[str, bool]]] = []
    having: dict[str, list[int]] = {}
    room = MOST_BYTES - 100  # for the first line
    for entry in entries:
        words = words_of(entry[4])
        room -= _size(_line_of(entry, _NEVER_ENOUGH)) + len(words) * _LONGEST_NUMBER
        room -= sum(_size(word) + _LONGEST_NUMBER for word in words if word not in having)
        if room < 0 or len(rows) == _MOST_ENTRIES:
            break
        for word in words:
            having.setdefault(word, []).append(len(rows))
        rows.append((entry, words))
    most = max(_FEWEST, len(rows) // _IN_MANY)
    index = "".join(
        f"{word}\t{len(numbers)} {' '.join(map(str, numbers))}\n"
        for word, numbers in sorted(having.items())
        if len(numbers) <= most
    ).encode("utf-8", "replace")
    count = len(rows)
    lines = [_line_of(entry, sum(_weight(count, len(having[word])) for word in words)) + "\n" for entry, words in rows]
    return b"%s%d %d\n" % (_MARK, count, len(index)) + index + "".join(lines).encode("utf-8", "replace")


def bearing_on(
    content: bytes,
    prompt: str,
    *,
    session: str,
    told: "Collection[str]" = (),
    kinds: "Collection[str]" = (),
    most: int = MOST_HITS,
) -> "list[Hit]":
    """What bears on a prompt, the strongest first: not of this session, not told before, of these kinds if any.

    There are at most so many that they can be told in `MOST_CHARACTERS`.
    """
    file = _File.of(content)
    asked = words_of(prompt)
    if not file or (len(asked) < 2 and not any(asked.values())):
        return []
    found = _Found(file, asked)
    hits: list[Hit] = []
    for number in found.strongest():
        hit, weight = file.hit(number)
        is_fit = hit.session != session and hit.id not in told and (not kinds or hit.kind in kinds)
        is_new = is_fit and all(other.text != hit.text for other in hits)
        if is_new and found.is_enough(number, weight):
            hits.append(hit)
            if len(told_lines(hits)) > _ROOM:
                hits.pop()
            elif len(hits) == most:
                break
    return hits


def told_lines(hits: "Iterable[Hit]") -> str:
    """Hits as they are told, a line each."""
    return "\n".join([f"- {hit.day} {_SAID_AS.get(hit.kind, hit.kind)}: {hit.text} [{hit.id}]" for hit in hits])


class _File:
    """A file that `written` made."""

    def __init__(self, count: int, index: bytes, lines: "list[bytes]") -> None:
        self.count = count
        self._index = b"\n" + index
        self._lines = lines

    @classmethod
    def of(cls, content: bytes) -> "_File | None":
        """The file with this content; None if it is none of ours, or not whole."""
        head, _, rest = content.partition(b"\n")
        numbers = head.removeprefix(_MARK).split(b" ")
        if not head.startswith(_MARK) or len(numbers) != 2 or not all(map(_is_number, numbers)):
            return None
        count, size = map(int, numbers)
        *lines, after = rest[size:].split(b"\n")
        return cls(count, rest[:size], lines) if len(lines) == count and not after else None

    def having(self, word: str) -> "list[int]":
        """The numbers of the entries that have a word; none if that says nothing."""
        start = b"\n" + word.encode("utf-8", "replace") + b"\t"
        at = self._index.find(start)
        if at < 0:
            return []
        end = self._index.find(b"\n", at + 1)
        numbers = self._index[at + len(start) : end].split(b" ")[1:]
        return [int(number) for number in numbers if _is_number(number) and int(number) < self.count]

    def hit(self, number: int) -> "tuple[Hit, float]":
        """An entry, and how much its words weigh."""
        fields = self._lines[number].decode("utf-8", "replace").split("\t")
        name, kind, day, session, weight, text = fields if len(fields) == _FIELDS else [""] * _FIELDS
        return Hit(name, kind, day, session, text), int(weight) / 10 if _is_number(weight.encode()) else _NEVER_ENOUGH


class _Found:
    """What entries share with a prompt."""

    def __init__(self, file: _File, asked: "dict[str, bool]") -> None:
        self._most_rare = min(_MOST_RARE, max(3, file.count // _RARE))
        self._shared: dict[int, float] = {}  # weight of the words
        self._rare: dict[int, int] = {}  # how many of them are rare; one that names something counts for two
        self._asked = 0.0
        for word in sorted(asked, key=lambda word: (not asked[word], -len(word)))[:_MOST_ASKED]:
            self._look_for(word, is_exact=asked[word], file=file)

    def _look_for(self, word: str, *, is_exact: bool, file: _File) -> None:
        numbers = file.having(word)
        weight = _weight(file.count, len(numbers))
        self._asked += weight
        for number in numbers:
            self._shared[number] = self._shared.get(number, 0.0) + weight
            if len(numbers) <= self._most_rare:
                self._rare[number] = self._rare.get(number, 0) + (2 if is_exact else 1)

    def strongest(self) -> "list[int]":
        """The numbers of entries that share enough words, those that share most first."""
        numbers = [number for number, rare in self._rare.items() if rare > 1]
        return sorted(numbers, key=lambda number: (-self._shared[number], number))

    def is_enough(self, number: int, weight: float) -> bool:
        """Whether what is shared is much of what is asked, or of what the entry says."""
        return self._shared[number] >= min(_ENOUGH_OF_PROMPT * self._asked, _ENOUGH_OF_ENTRY * weight)


def _size(text: str) -> int:
    return len(text.encode("utf-8", "replace")) + 1


def _line_of(entry: "Entry", weight: float) -> str:
    fields = [_shown(field) for field in entry]
    if len(fields[-1]) > _MOST_SHOWN:
        fields[-1] = fields[-1][:_MOST_SHOWN].rsplit(" ", 1)[0] + " …"
    return "\t".join([*fields[:-1], str(int(10 * weight)), fields[-1]])


def _shown(text: str) -> str:
    """The text on one line, without what could disturb a terminal or hide something."""
    return "".join([letter for letter in " ".join(text.split()) if letter.isprintable()])


def _weight(count: int, having: int) -> float:
    """How much a word says that so many of all entries have: about the logarithm of how rare it is."""
    scaled = 1024 * (count + 1) // (having + 1)
    whole = scaled.bit_length() - 1
    return max(0.0, whole - 10 + scaled / (1 << whole) - 1)


def _is_number(text: bytes) -> bool:
    return len(text) < 10 and text.isdigit()


def _add_name(words: "dict[str, bool]", name: str) -> None:
    """Add a run of ASCII: a word, or what names something, whole and in parts."""
    pieces = _pieces(name, _JOINING)
    is_joined = len(pieces) > 1 and not _is_only_hyphened(name)
    for piece in pieces:
        humps = _humps(piece)
        for hump in humps:
            _add_word(words, hump.lower())
        if len(humps) > 1:
            words[piece.lower()] = True
    if is_joined and len(name) > 3 and not name.replace(".", "").isdigit():
        words[name.lower()] = True
        last = name.rpartition("/")[2].lower()
        if "." in last or "_" in last:
            words[last] = True


def _add_word(words: "dict[str, bool]", word: str) -> None:
    if len(word) < 2 or word in _COMMON:
        return
    stem = _stem(word)
    if stem not in _COMMON:
        words.setdefault(stem, False)


def _add_foreign(words: "dict[str, bool]", run: str) -> None:
    """Add a run of letters of any script: ideographs in pairs, everything else as a word."""
    plain = "".join(letter if letter < _FIRST_IDEOGRAPH else " " for letter in run)
    for word in plain.split():
        _add_word(words, word.lower())
    other = "".join(letter if letter >= _FIRST_IDEOGRAPH else " " for letter in run)
    for letters in other.split():
        for start in range(max(1, len(letters) - 1)):
            words.setdefault(letters[start : start + 2], False)


def _pieces(name: str, separators: str) -> "list[str]":
    for separator in separators:
        name = name.replace(separator, " ")
    return name.split()


def _is_only_hyphened(name: str) -> bool:
    return not any(letter in name for letter in "_./")


def _humps(word: str) -> "list[str]":
    """The parts of `sessionStore`; a word that is written in one way is one."""
    if word.islower() or word.isupper() or word[1:].islower() or word.isdigit():
        return [word]
    parts, start = [], 0
    for at in range(1, len(word)):
        if word[at].isupper() and not word[at - 1].isupper():
            parts.append(word[start:at])
            start = at
    return [*parts, word[start:]]


def _stem(word: str) -> str:
    """The word without its ending, roughly; what matters is that forms of one word become the same."""
    if len(word) < 4 or not word.isalpha():
        return word
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) > 2:
            word = word[: -len(ending)] + instead
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiouls":
        word = word[:-1]
    return word[:-1] if len(word) > 3 and word[-1] == "e" else word


_ENDINGS = (
    ("ations", ""),
    ("ation", ""),
    ("ments", ""),
    ("ment", ""),
    ("ings", ""),
    ("ing", ""),
    ("ions", ""),
    ("ion", ""),
    ("ies", "y"),
    ("ied", "y"),
    ("ers", ""),
    ("er", ""),
    ("ed", ""),
    ("ly", ""),
    ("ss", "ss"),
    ("s", ""),
)
