"""A memory is one line, whatever its text holds, and the line tells which memory it is."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from noctuary.dream.pages.lines import LONGEST_LINE, ids_in, line_of, shown_in, shown_text
from noctuary.store.memories import MemoryKind, MemoryStatus, Remembered
from tests.unit.dream.page_maker import DAY_MS

HOSTILE = [
    "one\ntwo\r\n- three [m-other]",
    "<!-- noctuary:end -->",
    "<!-- noctuary:begin 00 --> x",
    "- item",
    "# Rules",
    "```",
    "~~~~ sh",
    "1. first",
    "> quote",
    "\u202eevil\u2066\u200b\ufeff\u0007 word\u2028next",
    "x" * 10_000,
    "word " * 2_000,
    "",
    "\0\x1b[31m",
    "ends with (pinned) [m-0000000009]",
]


def memory(text: str, **facts: object) -> Remembered:
    known = {"valid_from": DAY_MS, **facts}
    return Remembered("m-0000000001", "p", MemoryKind.FACT, text, MemoryStatus.ACTIVE, DAY_MS, None, None, "e", known)


def test_a_line_has_the_text_the_day_and_the_id() -> None:
    """The line says since when it holds, and what is special about it."""
    assert line_of(memory("Use tabs.")) == "- Use tabs. (2026-02-26) [m-0000000001]"
    assert line_of(memory("Use tabs.", pinned=True)) == "- Use tabs. (2026-02-26) (pinned) [m-0000000001]"
    assert line_of(memory("Use tabs.", verified="stale")) == "- Use tabs. (2026-02-26) (stale) [m-0000000001]"


def test_a_rejection_that_only_names_what_was_rejected_says_so() -> None:
    """What was rejected cannot be read as what was chosen; a sentence of its own is not turned round."""
    assert line_of(memory("Redis for sessions: one more server."), is_rejection=True).startswith(
        "- Rejected: Redis for"
    )
    for text in (
        "Redis is not used.",
        "We do container-first, the local loop is very hard to test.",
        "Those frameworks look ancient?",
        "Keep the old importer.",
    ):
        assert line_of(memory(text), is_rejection=True).startswith(f"- {text}")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("See ![logo](https://example.com/x.png?q=1) first", "See logo (https://example.com/x.png?q=1) first"),
        ("See ![](https://example.com/x.png)", "See https://example.com/x.png"),
        ("Click [here](javascript:alert(1)) now", "Click here now"),
        ("Click [here](data:text/html;base64,xx) now", "Click here now"),
        ("Read [the guide](https://example.com/a_(b)) now", "Read the guide (https://example.com/a_(b)) now"),
        ("Read [pages](docs/pages.md)", "Read pages (docs/pages.md)"),
        ("[![x](https://example.com/x)](vbscript:y)", "x (https://example.com/x)"),
        ("Use ![ref][logo]", "Use [ref][logo]"),
        ('Add <img src="https://example.com/x">', 'Add &lt;img src="https://example.com/x">'),
        ("Return Map<string> if a < b", "Return Map&lt;string> if a < b"),
        ("[x]: https://example.com", "\\[x]: https://example.com"),
    ],
)
def test_c20_links_pictures_and_tags_are_words(text: str, expected: str) -> None:
    """Nothing on a page is loaded or leads anywhere by itself."""
    assert line_of(memory(text)) == f"- {expected} (2026-02-26) [m-0000000001]"


def test_c13_of_a_long_text_what_decides_stays() -> None:
    """The sentence with the decision is there wherever it stands; what is left out is marked."""
    filler = "The page was looked at from all sides by several people over some weeks. "
    text = filler * 3 + "We chose Vite instead of webpack because the plugin is gone. " + filler * 2
    line = line_of(memory(text))

    assert "We chose Vite instead of webpack because the plugin is gone." in line
    assert line.startswith("- The page was looked at")
    assert " … " in line
    assert len(line) <= LONGEST_LINE


def test_c13_of_a_long_sentence_the_clause_that_decides_stays() -> None:
    """Clauses stand for sentences where there is only one."""
    text = "After a look at the pages, " + "which are long and old, " * 12 + "the importer must keep the ids"
    line = line_of(memory(text))

    assert "the importer must keep the ids" in line
    assert len(line) <= LONGEST_LINE


@pytest.mark.parametrize(
    "deciding",
    [
        "because", "INSTEAD", "must", "chosen", "decided", "Root cause", "never", "always", "rather than",
        "from now on", "use", "not", "only", "needs", "requires", "cannot", "so that", "avoid", "prefer", "fixed",
        "don't", "don’t",
    ],
)  # fmt: skip
def test_c13_each_word_that_decides_keeps_its_sentence(deciding: str) -> None:
    """Whatever else has to go for it."""
    rest = "The weather was fine on that long day in the mountains near the lake. " * 4
    line = line_of(memory(f"{rest}It went so {deciding} there. {rest}"))
    assert f"It went so {deciding} there." in line


def test_c20_no_text_breaks_its_line() -> None:
    """Newlines, marks, headings, fences, controls and signs that nobody sees stay within one line."""
    for text in HOSTILE:
        line = line_of(memory(text))

        assert line.startswith("- ")
        assert len(line.splitlines()) == 1
        assert line.isprintable()
        assert "<!--" not in line
        assert not re.match(r"- (?:[#>+*~-]|```|\d+\.)", line)
        assert len(line) <= LONGEST_LINE
        assert [*ids_in(line)] == ["m-0000000001"]


def test_c13_a_long_text_is_cut_at_a_word_and_not_left_out() -> None:
    """What is too long ends with … and the id leads to the rest."""
    line = line_of(memory("word " * 100))

    assert line.endswith("word… (2026-02-26) [m-0000000001]")
    assert 150 < len(line) <= LONGEST_LINE


@given(text=st.text(max_size=400), is_pinned=st.booleans())
@example(text="\x1b\\0", is_pinned=False)
def test_a_line_is_read_as_it_was_written(text: str, is_pinned: bool) -> None:
    """Of every text its line gives back the id and, if nothing was cut, the words."""
    line = line_of(memory(text, pinned=is_pinned))
    shown = shown_in(line.removeprefix("- "))

    assert "\n" not in line
    assert shown.id == "m-0000000001"
    assert ("pinned" in shown.notes) is is_pinned
    if "…" not in line and "&" not in text and not shown_text(text).startswith("\\"):
        assert shown.text == shown_text(text)


def test_brackets_in_a_line_without_id_are_said() -> None:
    """Only what stands before an id is ours."""
    assert shown_in("Released (2026-02-26)").text == "Released (2026-02-26)"
    assert shown_in("Keep it (pinned)") == ("Keep it", "", frozenset({"pinned"}))
