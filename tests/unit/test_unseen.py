"""What nobody sees is not shown."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from noctuary.unseen import CODES, seen

HIDDEN = st.text(st.characters() | st.sampled_from([chr(code) for code in CODES]))


@given(HIDDEN)
def test_nothing_is_left_that_a_terminal_obeys(text: str) -> None:
    """Lines and tabs stay, and so does all that can be seen, in its order."""
    shown = seen(text)

    assert {each for each in shown if unicodedata.category(each) == "Cc"} <= {"\t", "\n"}
    assert shown == "".join(each for each in text if ord(each) not in CODES)


def test_what_people_write_stays() -> None:
    """An emoji keeps the selector that makes it one; other scripts keep their marks."""
    text = "Ångström ❤\ufe0f नमस्ते\t日本語\n支付"

    assert seen(text) == text
