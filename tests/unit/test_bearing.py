"""What bears on a prompt is found by words, and most prompts find nothing."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noctuary.bearing import MOST_BYTES, bearing_on, told_lines, words_of, written

pytestmark = pytest.mark.slow

Entry = tuple[str, str, str, str, str]
TOPICS = [
    "Sessions are kept in PostgreSQL, in the table user_session",
    "Redis for sessions was rejected, because nobody wants to run another server",
    "The invoice job fails when the mail relay is slow; it is retried by `retry_mail.py`",
    "Prices are stored in cents, as integers",
    "Deployments go through the staging cluster first",
    "会话存储在数据库里",
    "Die Rechnungen werden nachts verschickt",
]


def entry(number: int, text: str, kind: str = "decision", session: str = "s0") -> Entry:
    """An entry of a project."""
    return f"e-{number}", kind, "2026-03-02", session, text


ENTRIES = [entry(number, text) for number, text in enumerate(TOPICS)]
CONTENT = written(ENTRIES)


def found(prompt: str, content: bytes = CONTENT, session: str = "s9", told: tuple[str, ...] = ()) -> list[str]:
    """The ids of what bears on a prompt."""
    return [hit.id for hit in bearing_on(content, prompt, session=session, told=told)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("the Sessions, stored; storing", {"sess": False, "stor": False}),
        ("sessionStore", {"sess": False, "stor": False, "sessionstore": True}),
        ("user_session", {"sess": False, "user_session": True}),
        ("see src/auth/token.py.", {"src": False, "auth": False, "token": False, "py": False}),
        ("a well-known 3.11 release", {"known": False, "11": False, "releas": False}),
        ("数据库 db", {"数据": False, "据库": False, "db": False}),
        ("Größe", {"größ": False}),
        ("thanks, go on! yes please", {}),
        ("", {}),
    ],
)
def test_words_are_compared_without_their_endings(text: str, words: dict[str, bool]) -> None:
    """Names count whole and in parts; what everybody says counts for nothing."""
    assert words.items() <= words_of(text).items()
    assert all(word in words or is_exact for word, is_exact in words_of(text).items())


def test_a_path_counts_whole_and_by_its_last_part() -> None:
    """People write the one or the other."""
    exact = {word for word, is_exact in words_of("see src/auth/token.py.").items() if is_exact}

    assert exact == {"src/auth/token.py", "token.py"}


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("Would Redis be a server for our sessions?", ["e-1"]),
        ("what is in user_session?", ["e-0"]),
        ("Why does retry_mail.py exist", ["e-2"]),
        ("are prices integers?", ["e-3"]),
        ("会话为什么存储在数据库", ["e-5"]),
        ("wann werden Rechnungen verschickt", ["e-6"]),
    ],
)
def test_what_shares_rare_words_bears_on_a_prompt(prompt: str, expected: list[str]) -> None:
    """Two of them, or one that names something exactly."""
    assert found(prompt)[:1] == expected


@pytest.mark.parametrize(
    "prompt",
    [
        "thanks",
        "go on",
        "yes please",
        "ok, do it",
        "great, continue with the next one",
        "run the tests again",
        "fix the error in the file, please",
        "What is redis?",
        "the purple elephant dances on moonlight cheese",
        "Tell me how to write a server in Rust that listens on a port and answers every request with its own address",
        "",
        " \n",
    ],
)
def test_most_prompts_find_nothing(prompt: str) -> None:
    """Chat, one word that is shared, or two among many that are not."""
    assert found(prompt) == []


def test_the_session_itself_and_what_was_told_are_left_out() -> None:
    """Whoever said it knows it, and so does who was told."""
    prompt = "Would Redis be a server for our sessions?"

    assert "e-1" in found(prompt)
    assert found(prompt, session="s0") == []
    assert "e-1" not in found(prompt, told=("e-1",))


def test_of_kinds_only_those_that_are_wanted() -> None:
    """After a tool was used only rejections are told."""
    content = written([entry(0, "Redis for sessions", "rejection"), entry(1, "Redis for sessions it is", "decision")])
    hits = bearing_on(content, "redis sessions", session="s9", kinds=("rejection",))

    assert [hit.id for hit in hits] == ["e-0"]


def test_there_are_never_more_than_three_and_none_twice() -> None:
    """The same words under two names are told once."""
    same = [entry(number, f"Redis for sessions, take {number // 2}") for number in range(10)]
    other = [entry(100 + number, f"Something else about topic{number}") for number in range(100)]
    hits = bearing_on(written([*same, *other]), "redis sessions", session="s9")

    assert len(hits) == 3
    assert len({hit.text for hit in hits}) == 3


@given(texts=st.lists(st.text(max_size=2_000), min_size=1, max_size=6), prompt=st.text(max_size=200))
def test_whatever_is_said_can_be_told(texts: list[str], prompt: str) -> None:
    """In few characters, each entry on one line that can be shown."""
    content = written([entry(number, text) for number, text in enumerate(texts)])
    lines = told_lines(bearing_on(content, prompt + texts[0], session="s9")).split("\n")

    assert sum(map(len, lines)) + len(lines) <= 900
    assert all(line == "" or line.startswith("- 2026-03-02 decided: ") for line in lines)
    assert all(line.isprintable() for line in lines)


def test_long_entries_are_cut_between_words() -> None:
    """All three of them fit."""
    long = [entry(number, f"Redis sessions variant{number} " + "and so forth " * 100) for number in range(3)]
    text = told_lines(bearing_on(written(long), "redis sessions", session="s9"))

    assert text.count("\n") == 2
    assert len(text) <= 900
    assert all(line.endswith(f"… [e-{number}]") for number, line in enumerate(text.split("\n")))


@given(entries=st.lists(st.tuples(*[st.text(max_size=60)] * 5), max_size=8), prompt=st.text(max_size=60))
def test_no_entry_breaks_the_file(entries: list[Entry], prompt: str) -> None:
    """Tabs, line ends and what not within a field change nothing for the other entries."""
    mark = entry(99, "zebracrossing in Wellington_street")
    hits = bearing_on(written([*entries, mark]), "zebracrossing Wellington_street", session="s9")

    assert "e-99" in [hit.id for hit in hits]
    assert isinstance(bearing_on(written(entries), prompt, session="s9"), list)


@given(at=st.integers(0, len(CONTENT) - 1), byte=st.integers(0, 255))
def test_a_broken_file_finds_nothing_or_something(at: int, byte: int) -> None:
    """It never breaks the hook."""
    broken = CONTENT[:at] + bytes([byte]) + CONTENT[at + 1 :]

    assert len(bearing_on(broken, "redis sessions user_session prices", session="s9")) <= 3


def test_a_file_that_was_cut_anywhere_finds_nothing() -> None:
    """Half an entry is not told as if it were one."""
    assert bearing_on(CONTENT, "redis sessions", session="s9")
    assert not any(bearing_on(CONTENT[:at], "redis sessions", session="s9") for at in range(len(CONTENT)))


@pytest.mark.parametrize("content", [b"", b"noctuary-recall 1 3 0\n", b"noctuary-recall 2 0 0\n", b"\xff" * 100])
def test_what_is_no_such_file_finds_nothing(content: bytes) -> None:
    """Also one that a later version wrote."""
    assert found("Would Redis be a server for our sessions?", content) == []


def test_of_too_many_entries_the_first_are_kept() -> None:
    """Whoever writes them puts those first that matter."""
    many = [entry(number, f"unique{number}word and sibling{number}word") for number in range(6_000)]
    content = written(many)

    assert found("unique17word sibling17word", content) == ["e-17"]
    assert found("unique5999word sibling5999word", content) == []


@pytest.mark.parametrize("first", ["\u4e00", "\U00020000"])
def test_the_file_is_never_longer_than_what_a_hook_reads(first: str) -> None:
    """In any script; one that is cut off would find nothing, however much is in it."""
    texts = ["".join(chr(ord(first) + (number * 7 + at * at) % 20_000) for at in range(400)) for number in range(3_000)]
    content = written(entry(number, text) for number, text in enumerate(texts))

    assert MOST_BYTES * 0.5 < len(content) <= MOST_BYTES
    assert found(texts[5][:60], content)[0] == "e-5"


def test_it_loads_nothing() -> None:
    """Hooks pay for every module."""
    source = str(Path(__file__).parents[2] / "src")
    code = (
        f"import sys; sys.path.append({source!r}); before = set(sys.modules); import noctuary.bearing; "
        "print(*sorted(set(sys.modules) - before))"
    )
    ran = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)

    assert ran.stdout.split() == ["noctuary", "noctuary.bearing"]
