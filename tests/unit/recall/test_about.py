"""Whom a sentence is about, and when what was found is about somebody else."""

import re
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noctuary.recall.about import LEAD_OF_BEST, LONGEST_TALK, SEVERAL, others_fit_better, said_by_asked
from noctuary.recall.candidates import Candidates, Word
from noctuary.recall.query import LONGEST_QUERY, parse
from noctuary.recall.scan import Likeness
from noctuary.recall.scoring import Scored
from noctuary.recall.strength import OTHERS_FIT
from noctuary.store import keys
from noctuary.text import fold_text

ROUNDING = 1e-9
NOW = 1_772_366_400_000
SMALL_TALK = ["Caroline: Nice weather.", "Melanie: Sunny indeed."] * SEVERAL  # so that both are known to speak
SENTENCES = [
    *("I ran the charity race.", "You won the race!", "The race was long.", "Did you like the charity?", "My dog ran."),
    *("We talk a lot.", "Oh.", "Nice weather.", "Your charity is great!", "A race [shares a picture: a dog]"),
]
sentences = st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=3).map(" ".join)
talks = st.lists(st.tuples(st.sampled_from(["Caroline", "Melanie"]), sentences), max_size=30)


def said(*texts: str, voice: int = keys.USER) -> list[Scored]:
    """Messages on their way, one after the other."""
    return [
        Scored(key=keys.pack(1, place, voice, 1), why={}, text=text, lowered=fold_text(text))
        for place, text in enumerate(texts, start=1)
    ]


def words_of(question: str) -> Candidates:
    """The words of the question, each worth the same."""
    return Candidates(words=[Word(term=term, worth=2.0 * term.weight) for term in parse(question, NOW).terms])


def better(question: str, *texts: str, likeness: Likeness | None = None) -> float:
    """How much better what is about others fits."""
    return others_fit_better(question, said(*texts), words_of(question), likeness)


def alike(values: Sequence[float | None]) -> Likeness:
    """How alike each message is; None for one that the model has not read."""
    known = {s.key: value for s, value in zip(said(*[""] * len(values)), values, strict=True) if value is not None}
    return Likeness(np.array(list(known), np.int64), np.array(list(known.values())))


def labelled(talk: Sequence[tuple[str, str]]) -> list[str]:
    """The talk as a chat is exported."""
    return [f"{name}: {text}" for name, text in talk]


def swapped(text: str) -> str:
    """The text with one speaker for the other."""
    return re.sub("Caroline|Melanie", lambda name: "Melanie" if name[0] == "Caroline" else "Caroline", text)


@pytest.mark.parametrize(
    ("text", "is_about_caroline"),
    [
        ("Caroline: I ran the charity race.", True),
        ("Caroline: The charity race was long.", True),
        ("Caroline: You ran the charity race.", False),
        ("Caroline: How was the charity race?", False),
        ("Caroline: Do you know that I ran the charity race?", True),
        ("Melanie: I ran the charity race.", False),
        ("Melanie: The charity race was long.", False),
        ("Melanie: You ran the charity race!", True),
        ("Melanie: How was the charity race?", True),
        ("Melanie: Ich lief, mein charity race.", False),
        ("Melanie: Tú charity race.", True),
    ],
)
def test_whom_a_sentence_is_about(text: str, is_about_caroline: bool) -> None:
    """Who says I speaks of themselves; who says you, or asks, speaks of the other."""
    assert (better("Caroline's charity race", *SMALL_TALK, text) <= OTHERS_FIT) == is_about_caroline
    assert (better("Melanie's charity race", *SMALL_TALK, text) <= OTHERS_FIT) != is_about_caroline


def test_each_sentence_for_itself() -> None:
    """One message may speak of both: what it says of the one asked for is enough."""
    text = "Melanie: I stayed at home. You ran the charity race!"

    assert better("Caroline's charity race", *SMALL_TALK, text) <= OTHERS_FIT
    assert better("Melanie's charity race", *SMALL_TALK, text) > OTHERS_FIT


@given(talks, st.sampled_from(["charity race", "who ran the race?", "Caro dog", "Carolines dog", "", "?"]))
def test_nobody_named(talk: list[tuple[str, str]], question: str) -> None:
    """A question that names none of the speakers is about nobody in particular."""
    assert better(question, *labelled(talk)) == 0
    assert said_by_asked(question, said(*labelled(talk))) == []


@given(talks)
def test_both_named(talk: list[tuple[str, str]]) -> None:
    """A question after both is answered by either."""
    texts = [*SMALL_TALK, *labelled(talk)]

    assert better("did Caroline and Melanie run the charity race?", *texts) == 0
    assert said_by_asked("did Caroline and Melanie run the charity race?", said(*texts)) == []


@given(talks)
def test_no_labels(talk: list[tuple[str, str]]) -> None:
    """Where nobody is known to speak, nothing is known to be about somebody else."""
    texts = [text for _, text in talk]

    assert better("Caroline's charity race", *texts) == 0
    assert said_by_asked("Caroline's charity race", said(*texts)) == []


@given(talks, st.sampled_from(["Caroline's charity race", "what did Melanie run?", "is Caroline's dog nice"]))
def test_neither_speaker_is_special(talk: list[tuple[str, str]], question: str) -> None:
    """With one speaker for the other in question and messages, all stays the same."""
    texts = [*SMALL_TALK, *labelled(talk)]
    others = [swapped(text) for text in texts]

    assert better(swapped(question), *others) == pytest.approx(better(question, *texts))
    assert [s.key for s in said_by_asked(swapped(question), said(*others))] == [
        s.key for s in said_by_asked(question, said(*texts))
    ]


@given(talks)
def test_the_order_of_messages_says_nothing(talk: list[tuple[str, str]]) -> None:
    """It is what was said that counts, not where it was ranked."""
    texts = [*SMALL_TALK, *labelled(talk)]

    assert better("Caroline's dog", *reversed(texts)) == pytest.approx(better("Caroline's dog", *texts))


@given(talks)
def test_a_sentence_that_has_everything(talk: list[tuple[str, str]]) -> None:
    """Whatever else is said, one sentence about the one asked for with all of the words is enough."""
    texts = [*SMALL_TALK, *labelled(talk), "Caroline: My dog ran the charity race."]

    assert better("did Caroline's dog run a charity race?", *texts) <= LEAD_OF_BEST
    assert LEAD_OF_BEST <= OTHERS_FIT


@given(talks, st.sampled_from(["I ran the charity race.", "My dog ran.", "The charity is great!"]))
def test_more_about_the_one_asked_for_never_hurts(talk: list[tuple[str, str]], text: str) -> None:
    """What they say of themselves speaks for an answer or says nothing; it never speaks against one."""
    texts = [*SMALL_TALK, *labelled(talk)]

    with_it = better("Caroline's charity race", *texts, f"Caroline: {text}")
    assert with_it <= better("Caroline's charity race", *texts) + ROUNDING


@given(talks, st.lists(sentences, max_size=10))
def test_what_nobody_is_known_to_have_said(talk: list[tuple[str, str]], texts: list[str]) -> None:
    """Messages without a speaker may be about anybody, so they never speak against an answer."""
    known = [*SMALL_TALK, *labelled(talk)]

    assert better("Caroline's charity race", *known, *texts) <= better("Caroline's charity race", *known) + ROUNDING


@pytest.mark.parametrize(
    "label", ["Error", "TypeError", "Plan", "Decision", "error", "fix", "User", "Assistant", "System", "Q", "A", "http"]
)
@pytest.mark.parametrize("times", [1, SEVERAL, 10])
def test_a_label_is_not_always_a_name(label: str, times: int) -> None:
    """What begins like a speaker's label and is none keeps no answer back: errors, headings, commits, roles."""
    question = f"why did the {label} about the missing folder happen?"
    texts = [f"{label}: ENOENT", "Feat: a new page"] * times
    texts += [f"the {label.lower()} happened because of the missing folder"]
    for answer in ("it happened as the folder was missing", "You: the missing folder happened", "Fix: the folder"):
        assert better(question, *texts, answer) <= OTHERS_FIT
        assert better(f"{label}: missing folder", *texts, answer) <= OTHERS_FIT


@pytest.mark.parametrize("label", ["User", "Assistant", "System", "Human", "fix", "warning", "caroline"])
def test_roles_and_words_in_lower_case_are_nobody(label: str) -> None:
    """An exported chat with a model has roles where others have names, and a log has kinds of messages."""
    texts = [f"{label}: Hello.", "Melanie: I ran the charity race."] * SEVERAL

    assert better(f"{label} charity race", *texts) == 0
    assert better("Caroline charity race", *(text.replace(label, "Caroline") for text in texts)) > OTHERS_FIT


def test_a_label_or_two_are_nobody() -> None:
    """Who is known to speak has spoken several times, and so has who is taken for another."""
    asked, other = ["Caroline: Hello."], ["Melanie: I ran the charity race."]

    assert better("Caroline's charity race", *asked * (SEVERAL - 1), *other * SEVERAL) == 0
    assert better("Caroline's charity race", *asked * SEVERAL, *other * (SEVERAL - 1)) == 0
    assert better("Caroline's charity race", *asked * SEVERAL, *other * SEVERAL) > OTHERS_FIT
    assert SEVERAL > 2


def test_an_address_is_no_label() -> None:
    """A message that begins with an address or a path names nobody."""
    texts = ["http://example.org: I ran the charity race", "C:\\temp: my charity race", "12:30: my charity race"] * 5

    assert better("why http C 12 charity race", *SMALL_TALK, *texts) == 0


def test_a_name_that_is_also_a_word() -> None:
    """A label that texts mostly write as a word is one; who is written with a capital is somebody."""
    others = ["Melanie: I ran the charity race."] * SEVERAL

    assert better("Will charity race", *["Will: Hello."] * SEVERAL, *others, "Melanie: that will do") == 0
    assert better("Will charity race", *["Will: Hello."] * SEVERAL, *others, "Melanie: Thanks, Will") > OTHERS_FIT


def test_one_who_speaks_alone_has_no_others() -> None:
    """Notes of one person are compared with nobody's."""
    assert better("Caroline charity race", *["Caroline: You ran the charity race!"] * 10) == 0


def test_what_programs_print_is_no_conversation() -> None:
    """Only what people and agents say has speakers."""
    texts = [*SMALL_TALK, "Melanie: I ran the charity race."]
    question = "Caroline's charity race"

    assert others_fit_better(question, said(*texts), words_of(question), None) > OTHERS_FIT
    assert others_fit_better(question, said(*texts, voice=keys.OUTPUT), words_of(question), None) == 0


@pytest.mark.parametrize("question", ["Caroline", "Caroline?", "who is Caroline", "Caroline's"])
def test_nothing_but_a_name(question: str) -> None:
    """Who asks for somebody and nothing else is shown whatever there is."""
    texts = [*SMALL_TALK, "Melanie: I like Caroline."]

    assert better(question, *texts, likeness=alike([0.1] * len(SMALL_TALK) + [0.9])) == 0
    assert len(said_by_asked(question, said(*texts))) == SEVERAL


@pytest.mark.parametrize(
    ("label", "typed"),
    [
        ("Zoë", "Zoë"),
        ("Zoë", "Zoe"),
        ("Zoe\u0308", "Zoë"),
        ("ZOE", "zoë's"),
        ("O'Brien", "O’Brien’s"),
        ("O’Brien", "O'Brien"),
        ("Jean-Luc", "jean-luc"),
        ("İlker", "ilker"),
        ("Łukasz", "łukasz"),
        ("Олег", "олег"),
        ("Ελένη", "Ελενη"),
        ("小明", "小明"),
        ("M", "M"),
    ],
)
def test_names_in_any_spelling(label: str, typed: str) -> None:
    """Case, accents and apostrophes do not matter, and a script need have no cases."""
    texts = [f"{label}: Hello.", "Anna: I ran the charity race."] * SEVERAL
    question = f"did {typed} run a charity race?"

    assert better(question, *texts) > OTHERS_FIT
    assert better(question.replace(typed, "Anna"), *texts) <= 0
    assert [s.text for s in said_by_asked(question, said(*texts))] == [f"{label}: Hello."] * SEVERAL


def test_a_name_counts_for_neither_side() -> None:
    """Parts of the name are not what is asked about it: who is spoken to by name is not described."""
    texts = ["O'Brien: My dog barks.", "Anna: O'Brien, hello O'Brien."] * SEVERAL

    assert better("O'Brien dog", *texts) <= 0


def test_words_with_accents_are_compared_too() -> None:
    """What is asked about somebody is found in any spelling."""
    for said_so, asked in (("café", "cafe"), ("cafe", "café"), ("cafe\u0301", "café")):
        assert better(f"Caroline's {asked}", *SMALL_TALK, f"Melanie: I opened a {said_so}.") > OTHERS_FIT
        assert better(f"Caroline's {asked}", *SMALL_TALK, f"Caroline: I opened a {said_so}.") <= 0


def test_meaning_speaks_too() -> None:
    """Without a common word the model tells whose sentences fit."""
    texts = [*SMALL_TALK, "Melanie: I jogged.", "Caroline: I slept."]
    small = [0.1] * len(SMALL_TALK)

    assert better("Caroline's charity race", *texts, likeness=alike([*small, 0.9, 0.1])) > 0
    assert better("Caroline's charity race", *texts, likeness=alike([*small, 0.1, 0.9])) <= 0


@given(st.lists(st.booleans(), min_size=8, max_size=8), st.floats(0.01, 1))
def test_what_the_model_has_not_read(has_read: list[bool], value: float) -> None:
    """What a model has not read yet is not held against the one asked for."""
    texts = [*SMALL_TALK, "Caroline: I ran the charity race.", "Melanie: I ran the charity race."]
    values = [value if known else None for known in has_read]

    assert better("Caroline's charity race", *texts, likeness=alike(values)) <= OTHERS_FIT


def test_a_question_without_end() -> None:
    """Ten megabytes are read as far as the query is, and no further."""
    question = "Caroline's charity race "
    texts = [*SMALL_TALK, "Melanie: I ran the charity race."]
    long = question.ljust(LONGEST_QUERY) + "Melanie " * 1_250_000

    assert better(long, *texts) == others_fit_better(question, said(*texts), words_of(long), None) > OTHERS_FIT


def test_a_message_without_end() -> None:
    """Of a long message the beginning is read, so that a pasted log costs no more than a page."""
    text = "Melanie: I ran the charity race. ".ljust(LONGEST_TALK + 100)
    long = text + "You ran a charity race. " * 400_000

    assert better("Caroline's charity race", *SMALL_TALK, long) == better("Caroline's charity race", *SMALL_TALK, text)


@settings(max_examples=200)
@given(st.text(max_size=60), st.lists(st.text(max_size=60), max_size=12))
def test_any_text_is_read(question: str, texts: list[str]) -> None:
    """Whatever is asked and whatever was said: a number comes back, and only messages that came in."""
    scored = said(*texts, *(f"{question}: {text}" for text in texts for _ in range(SEVERAL)))

    assert -10 < others_fit_better(question, scored, words_of(question), None) < 10
    assert {s.key for s in said_by_asked(question, scored)} <= {s.key for s in scored}
