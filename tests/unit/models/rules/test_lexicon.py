"""Words that tell what a sentence is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noctuary.authored import EventType
from noctuary.models.rules.cues import ASKED, HEADINGS, SAID
from noctuary.models.rules.lexicon import Lexicon, heaviest, normal
from noctuary.proposals import PROPOSED

LEXICON = Lexicon({EventType.DECISION: {2.0: "instead of, chose"}, EventType.FINDING: {1.0: "chose", -2.0: "we chose"}})


def test_cues_are_found_as_words() -> None:
    """Not within others, and only as a whole."""
    assert LEXICON.weigh(normal("This instead of that.")) == {EventType.DECISION: 2.0}
    assert LEXICON.weigh(normal("instead we chat")) == {}
    assert LEXICON.weigh(normal("He chosen")) == {}


def test_what_speaks_against_counts_too() -> None:
    """A cue may be no cue in company."""
    assert LEXICON.weigh(normal("We chose it")) == {EventType.DECISION: 2.0, EventType.FINDING: -1.0}


@pytest.mark.parametrize("text", ["Don't stop!", "don’t STOP", "dont -- stop", "`don't`\n(stop)"])
def test_punctuation_and_apostrophes_do_not_matter(text: str) -> None:
    """People leave them out."""
    assert normal(text) == " dont stop "


def test_of_equals_the_rarer_is_meant() -> None:
    """Whoever corrects something also says what must be."""
    weights = {EventType.FINDING: 2.0, EventType.CORRECTION: 2.0, EventType.CONSTRAINT: 2.0}

    assert heaviest(weights, EventType.FINDING) is EventType.CORRECTION
    assert heaviest({}, EventType.EVIDENCE) is EventType.EVIDENCE


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Der Test schlägt fehl, weil die Datei fehlt.", EventType.FINDING),
        ("Мы решили взять SQLite вместо Redis.", EventType.DECISION),
        ("La causa es el puerto.", EventType.FINDING),
        ("On a choisi SQLite au lieu de Redis.", EventType.DECISION),
    ],
)
def test_some_words_of_other_languages_are_known(text: str, kind: EventType) -> None:
    """German, Russian, Spanish and French."""
    assert kind in SAID.weigh(normal(text))


@given(st.text())
def test_any_text_can_be_weighed(text: str) -> None:
    """And the types it may be are types that may be proposed."""
    for lexicon in (SAID, ASKED, HEADINGS):
        assert set(lexicon.weigh(normal(text))) <= PROPOSED


@given(st.text(alphabet=st.sampled_from("aÄß İ'’.,-—…“”«»\t\n`/|x0😀")))
def test_marks_of_all_scripts_stand_between_words(text: str) -> None:
    """A text that is not all ASCII becomes what taking out each mark by itself would make of it."""
    plain = text.lower().replace("'", "").replace("’", "")
    for mark in '.,;:!?()[]{}<>"“”„«»*`#|/\\—–-…=+&':
        plain = plain.replace(mark, " ")
    assert normal(text) == f" {' '.join(plain.split())} "
