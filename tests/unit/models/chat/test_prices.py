"""What models cost."""

import pytest

from noctuary.models.chat.model import Price
from noctuary.models.chat.prices import FREE, PRICES, is_near, price_of


@pytest.mark.parametrize(
    ("model", "named"),
    [
        ("gpt-5", "gpt-5"),
        ("gpt-5-2025-08-07", "gpt-5"),
        ("gpt-5-mini", "gpt-5-mini"),
        ("openai/gpt-5-mini", "gpt-5-mini"),
        ("claude-haiku-4-5-20251001", "claude-haiku-4-5"),
        ("claude-sonnet-4-20250514", "claude-sonnet-4"),
        ("claude-3-5-haiku-latest", "claude-3-5-haiku"),
    ],
)
def test_dated_names_have_the_price_of_the_model(model: str, named: str) -> None:
    """A date or a vendor makes no other model."""
    assert price_of(model) == PRICES[named]


@pytest.mark.parametrize("model", ["gpt-5-pro", "gpt-5.2", "claude-sonnet-4-9", "llama3", "", "gpt-50"])
def test_an_unknown_model_has_no_price(model: str) -> None:
    """A wrong price is worse than none."""
    assert price_of(model) is None


def test_given_prices_win() -> None:
    """Settings know better: the longest beginning of the name counts, also for what would be free."""
    given = {"gpt": Price(9, 9), "gpt-5-": Price(8, 8), "llama": Price(1, 1)}

    assert price_of("gpt-5-mini", given=given) == Price(8, 8)
    assert price_of("gpt-4o", given=given) == Price(9, 9)
    assert price_of("llama3", address="http://localhost:1/v1", given=given) == Price(1, 1)
    assert price_of("claude-haiku-4-5", given=given) == PRICES["claude-haiku-4-5"]


@pytest.mark.parametrize(
    ("address", "near"),
    [
        ("http://localhost:11434/v1", True),
        ("http://127.0.0.1:8000", True),
        ("http://[::1]:8000", True),
        ("http://192.168.1.7/v1", True),
        ("http://gpu.local/v1", True),
        ("https://api.openai.com/v1", False),
        ("https://8.8.8.8/v1", False),
        ("http://localhost.evil.com/v1", False),
        ("http://[::1", False),
        ("", False),
    ],
)
def test_servers_nearby_are_free(address: str, near: bool) -> None:
    """On this machine or in this house nobody sends a bill."""
    assert is_near(address) is near
    assert (price_of("whatever", address=address) == FREE) is near


def test_a_price_is_for_a_million() -> None:
    """Two for a million asked and ten for a million answered."""
    assert Price(2.0, 10.0).of(500_000, 100_000) == pytest.approx(2.0)
