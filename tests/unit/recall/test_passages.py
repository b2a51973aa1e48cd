"""Passages: parts of the text in its order, none empty, none too long, at a cost that does not grow with the text."""

import tracemalloc

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from noctuary.recall.passages import LONGER, MOST_PASSAGES, PASSAGE, PROMPT, passages_of, pieces
from noctuary.store import keys

LONGEST = int(PASSAGE * LONGER)
BLANKS = " \t\n\r\u3000\xa0"

words = st.text(st.characters(codec="utf-8"), max_size=12) | st.sampled_from(
    ["a" * 600, "支付" * 400, "it works.", "Why?", "No!", "\n", "。", "   ", "🦉" * 500, "e\u0301" * 300]
)
texts = st.lists(words, max_size=120).map(" ".join) | st.lists(words, max_size=60).map("".join)


def key(place: int, voice: int) -> int:
    return keys.pack(1, place, voice, 3)


@given(texts, st.integers(0, 9))
@example("x" * 10_000, 3)
@example("支" * 10_000, 3)
@example("\n" * 10_000, 3)
@example(("word " * 200).strip(), 1)
def test_pieces_are_parts_of_the_text_in_order(text: str, most: int) -> None:
    """Every piece stands in the text, after the one before it; none is empty, too long, or one too many."""
    found = pieces(text, most)

    assert len(found) <= most
    at = 0
    for piece in found:
        assert piece == piece.strip() != ""
        assert len(piece) <= LONGEST
        start = text.find(piece, at)
        assert start >= 0
        at = start + 1 if start + len(piece) == len(text) else start + len(piece)


@given(texts, st.integers(1, 9))
@example("y" * (LONGEST + 1), 1)
def test_the_beginning_is_never_lost(text: str, most: int) -> None:
    """What a message begins with is in its first piece; a text with anything in it has one."""
    found = pieces(text, most)

    assert bool(found) == bool(text.strip())
    assert not found or text.strip().startswith(found[0])
    assert not found or len(found[0]) >= min(len(text.strip()), PASSAGE // 2)


@given(texts, st.integers(2, 9))
def test_the_end_is_never_lost(text: str, most: int) -> None:
    """With more than one piece the last is how the text ends."""
    found = pieces(text, most)

    assert not found or text.strip().endswith(found[-1])


@given(texts)
def test_enough_pieces_hold_the_whole_text(text: str) -> None:
    """If as many pieces may be taken as there are, nothing but space between them is left out."""
    joined = "".join("".join(pieces(text, 10_000)).split())

    assert joined == "".join(text.split())


@given(texts, st.integers(1, 9))
def test_characters_stay_whole(text: str, most: int) -> None:
    """What can be written as UTF-8 can be written so in pieces."""
    for piece in pieces(text, most):
        assert piece.encode().decode() == piece


def test_cut_at_sentences() -> None:
    """A passage ends where a sentence does, if one ends in its second half."""
    sentence = "We moved the queue to another host because it was slow. "
    found = pieces(sentence * 40, 3)

    assert len(found) == 3
    assert all(piece.endswith("slow.") for piece in found)


@pytest.mark.parametrize("end", ["\n", ". ", "? ", "! ", "。", "？"])
def test_every_end_of_a_sentence(end: str) -> None:
    """Sentences end in many ways."""
    text = "x" * 300 + end + "y" * 1_000

    assert pieces(text, 4)[0] == "x" * 300 + end.strip()


def test_cut_at_words() -> None:
    """Without sentences a passage ends with a word; without words, anywhere."""
    assert all(piece.split() == ["abcdefg"] * len(piece.split()) for piece in pieces("abcdefg " * 200, 9)[:-1])
    assert [len(piece) for piece in pieces("z" * (2 * PASSAGE + LONGEST), 9)] == [PASSAGE, PASSAGE, LONGEST]


def test_crumbs_are_spared() -> None:
    """A text a little longer than a passage is one; a longer one is not."""
    assert pieces("k" * LONGEST, 5) == ["k" * LONGEST]
    assert len(pieces("k" * (LONGEST + 1), 5)) == 2
    assert pieces("k" * LONGEST, 0) == []
    assert pieces("k" * LONGEST, -1) == []


@pytest.mark.parametrize("text", ["n" * 10_000_000, "a b " * 2_500_000, " " * 10_000_000 + "x", "\n" * 10_000_000])
def test_huge_texts_are_cheap(text: str) -> None:
    """Of ten million characters no more is copied than a few times over, and little is kept."""
    tracemalloc.start()
    found = pieces(text, max(MOST_PASSAGES.values()))
    kept, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert len(found) <= max(MOST_PASSAGES.values())
    assert kept < 100_000
    assert most < 3.1 * len(text)


def test_answers_follow_their_prompt() -> None:
    """What an agent says or thinks is preceded by how the prompt it answers begins, in one line; nothing else is."""
    said = [
        (key(1, keys.USER), "Why is\n  it slow?"),
        (key(2, keys.THINKING), "Perhaps the index."),
        (key(3, keys.CALL), "explain select"),
        (key(4, keys.OUTPUT), "scan"),
        (key(5, keys.ASSISTANT), "There is no index."),
        (key(6, keys.SUMMARY), "A summary."),
        (key(7, keys.USER), "Add one."),
        (key(8, keys.ASSISTANT), "Done."),
    ]

    assert list(passages_of(said)) == [
        (said[0][0], "Why is\n  it slow?"),
        (said[1][0], "Why is it slow?\nPerhaps the index."),
        (said[2][0], "explain select"),
        (said[3][0], "scan"),
        (said[4][0], "Why is it slow?\nThere is no index."),
        (said[5][0], "A summary."),
        (said[6][0], "Add one."),
        (said[7][0], "Add one.\nDone."),
    ]


def test_the_prompt_before() -> None:
    """Messages that begin with an answer have the prompt that was said before them, until there is another."""
    said = [(key(1, keys.ASSISTANT), "Yes."), (key(2, keys.USER), "Good."), (key(3, keys.ASSISTANT), "Bye.")]

    assert [text for _, text in passages_of(said, "Is it?")] == ["Is it?\nYes.", "Good.", "Good.\nBye."]
    assert [text for _, text in passages_of(said[:1])] == ["Yes."]


@pytest.mark.parametrize("blank", ["", *BLANKS, BLANKS * 100])
def test_a_blank_prompt_is_none(blank: str) -> None:
    """An answer to nothing stands for itself."""
    said = [(key(1, keys.USER), blank), (key(2, keys.ASSISTANT), "Hello.")]

    assert list(passages_of(said)) == [(said[1][0], "Hello.")]
    assert list(passages_of(said[1:], blank)) == [(said[1][0], "Hello.")]


def test_a_long_prompt_is_cut() -> None:
    """Only the beginning of a prompt precedes its answer."""
    said = [(key(1, keys.USER), "p" * 10_000), (key(2, keys.ASSISTANT), "Hello.")]

    assert list(passages_of(said))[-1].text == "p" * PROMPT + "\nHello."
    assert next(passages_of(said[1:], "\n" * 1_000 + "Why?")).text == "Why?\nHello."


def test_voices_that_are_not_embedded() -> None:
    """What programs inject, and titles, make no passages; of all others there are as many as their voice may have."""
    long = "Some sentence that is not too short. " * 1_000

    for voice in range(8):
        found = list(passages_of([(key(1, voice), long)]))
        assert len(found) == MOST_PASSAGES.get(voice, 0)
    assert MOST_PASSAGES.keys().isdisjoint({keys.INJECTED, keys.TITLE})


@given(st.lists(st.tuples(st.integers(0, 7), texts), max_size=12), st.integers(0, 12))
def test_in_two_halves(spoken: list[tuple[int, str]], half: int) -> None:
    """Read in two parts, with the prompt before the second, messages make the same passages as read at once."""
    said = [(key(place, voice), text) for place, (voice, text) in enumerate(spoken, 1)]
    prompts = [text for voice, text in spoken[:half] if voice == keys.USER]

    parts = [*passages_of(said[:half]), *passages_of(said[half:], prompts[-1] if prompts else "")]
    assert parts == list(passages_of(said))
