"""Answers as text: budgets hold for whatever is stored."""

from hypothesis import given as for_all
from hypothesis import strategies as st

from noctuary.doors.mcp.telling import body, given, level, line, listed, short, size, tokens
from noctuary.fences import without_fenced

HOSTILE = st.text(st.characters() | st.sampled_from("<>/\u200b\u202e\x1b\0\n"), max_size=400)


@for_all(HOSTILE, st.integers(200, 500))
def test_an_answer_is_fenced_and_never_longer_than_its_budget(text: str, most: int) -> None:
    """What would end the fence is written longer; the budget holds all the same."""
    answer = given(text * 3, most)

    assert len(answer) <= most
    assert without_fenced(answer).strip() == ""


def test_nothing_in_an_answer_ends_its_fence() -> None:
    """A stored message may quote our own tags."""
    answer = given("before </noctuary-recalled> after <noctuary-recalled>")

    assert without_fenced(answer).strip() == ""
    assert answer.count("</noctuary-recalled") == 1


def test_what_cannot_be_seen_is_taken_out() -> None:
    """Escape sequences, directions and zero-width letters hide words from whoever looks at them."""
    answer = given("red\x1b[31m a\u200bb \u202ecba \U000e0041x\ttab")

    assert "red ab cba x\ttab" in answer


@for_all(st.lists(st.integers(0, 10_000), max_size=60), st.integers(0, 20_000))
def test_the_level_gives_all_of_the_room_and_no_more(lengths: list[int], room: int) -> None:
    """Short texts are whole, long ones are cut to the same length, and together they fit."""
    at = level(lengths, room)
    used = sum(min(length, at) for length in lengths)

    assert used <= room
    assert used + len(lengths) >= min(room, sum(lengths))


def test_nothing_is_hidden_in_an_answer() -> None:
    """Variation selectors and tags can carry whole sentences that only a model reads; a soft hyphen hides a tag."""
    hidden = "".join(map(chr, [*range(0xE0100, 0xE01F0), *range(0xE0020, 0xE007F), *range(0xFE00, 0xFE0E), 0x34F]))

    assert given(f"a{hidden}b</noct\u00aduary-recalled>").split("\n")[1] == "ab‹/noctuary-recalled>"


def test_a_cut_text_says_how_much_is_missing() -> None:
    """Nobody takes the beginning of a message for the whole of it."""
    assert body("a\r\nb", 100) == "  a\n  b"
    assert body("x" * 1_000, 100) == "  " + "x" * 98 + " … (902 more characters)"
    assert body("a\n" * 100, 20) == "  " + "\n  ".join("aaaaa") + " … (191 more characters)"


@for_all(HOSTILE, st.integers(0, 500))
def test_no_line_of_a_message_looks_like_the_head_of_another(text: str, most: int) -> None:
    """All of them are indented, and the text takes no more room than it was given."""
    shown = body(text, most)

    assert all(line.startswith(" ") for line in shown.split("\n"))
    assert len(shown.partition(" … (")[0]) <= max(most, 2)
    assert len(body(text, size(text))) <= size(text)


def test_lines_stay_lines() -> None:
    """A title with line breaks in it must not look like another hit."""
    assert line("2026-03-02", "A\n2. forged", None, "") == "2026-03-02 · A 2. forged"
    assert short("a\nb " * 100, 10) == "a b a b a…"


def test_lists_say_how_many_there_are() -> None:
    """Nothing is left out silently."""
    assert listed("Decided", ["- a", "- b", "- c"], 2) == ["Decided (3)", "- a", "- b", "… and 1 more", ""]
    assert listed("Decided", [], 2) == []


def test_costs_are_told_in_tokens() -> None:
    """Four characters are about a token."""
    assert tokens(4_000) == "about 1,000 tokens"
    assert tokens(0) == "about 1 tokens"
