"""A text is redacted as it is read: codes of colour and the joints of strings hide nothing.

Every secret here is composed at run time from made-up parts, so that no scanner takes this file for a leak.
"""

import pytest

from noctuary.redact import findings, redact

HALVES = ("glpat" + "-a1B2c3D", "4e5F6g7H8i9J0")
TOKEN = "".join(HALVES)


@pytest.mark.parametrize(
    "joint",
    [
        '" +\n  "',
        '"\n    "',
        '" \\\n    "',
        '"\n  + "',
        '" + "',
        "\\\n",
        "\x1b[m\x1b[K",
        "\x1b[01;31m",
    ],
)
def test_what_joins_two_halves_of_a_token_goes_with_it(joint: str) -> None:
    """Whoever runs the code, or looks at the terminal, has the whole token."""
    text = f'token = "{HALVES[0]}{joint}{HALVES[1]}"\nport = 80\n'

    left = redact(text)

    assert HALVES[0] not in left
    assert HALVES[1] not in left
    assert left.startswith('token = "[redacted:gitlab-token:')
    assert left.endswith('"\nport = 80\n')


def test_a_coloured_setting_is_one() -> None:
    """Codes between a name and its value do not hide what the value is."""
    value = "0123456789abcdef" * 2

    left = redact(f"\x1b[32mDATADOG_API_KEY\x1b[0m=\x1b[33m{value}\x1b[0m\nok")

    assert value not in left
    assert left.endswith("\x1b[0m\nok")


@pytest.mark.parametrize(
    "text",
    [
        'raise ValueError("the password " +\n  "is too short")\n',
        'import (\n\t"fmt"\n\t"os"\n\t"github.com/stripe/stripe-go"\n)\n',
        '"react": "^18"\n"@use-gesture/react"\n"@react-spring/web"\n',
        "\x1b[1mdiff --git a/token.py b/token.py\x1b[m\n\x1b[32m+\x1b[m\x1b[32mtoken = next()\x1b[m\n",
        "make install \\\n  PREFIX=/usr/local\n",
        "1 + 2 = 3 and 'a' + 'b'\n",
    ],
)
def test_what_is_cut_and_no_secret_stays(text: str) -> None:
    """The same object comes back."""
    assert redact(text) is text


def test_places_are_those_of_the_text_itself() -> None:
    """A finding covers both halves and what joins them, and nothing beside."""
    text = f'é = "{HALVES[0]}" +\n    "{HALVES[1]}";'

    (found,) = findings(text)

    assert text[found.start : found.end] == f'{HALVES[0]}" +\n    "{HALVES[1]}'
