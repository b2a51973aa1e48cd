"""Which of two that contradict each other holds, and what contradicts at all."""

import pytest

from noctuary.dream.comparing.sameness import signature
from noctuary.dream.merging.contradicting import Holds, Side, closeness, is_contradiction, may_contradict, which_holds
from noctuary.store.memories import MemoryKind

USER, AGENT = 2, 1


@pytest.mark.parametrize(
    ("new", "old", "expected"),
    [
        (Side(2, USER), Side(1, USER), Holds.NEW),
        (Side(2, AGENT), Side(1, AGENT), Holds.NEW),
        (Side(2, USER), Side(1, AGENT), Holds.NEW),
        (Side(2, AGENT), Side(1, USER), Holds.OPEN),
        (Side(1, USER), Side(2, USER), Holds.OLD),
        (Side(1, AGENT), Side(2, USER), Holds.OLD),
        (Side(1, USER), Side(2, AGENT), Holds.OPEN),
        (Side(1, USER), Side(1, USER), Holds.OPEN),
        (Side(1, USER), Side(1, AGENT), Holds.NEW),
        (Side(1, AGENT), Side(1, USER), Holds.OLD),
    ],
)
def test_what_was_said_later_holds_unless_it_is_trusted_less(new: Side, old: Side, expected: Holds) -> None:
    """What cannot be ordered stays open."""
    assert which_holds(new, old) is expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Use Redis for sessions", "Use SQLite for sessions"),
        ("The request timeout is 30s", "The request timeout is 60s"),
        ("Keep the legacy importer", "Remove the legacy importer"),
        ("Deploy on Fridays", "Never deploy on Fridays"),
        ("Invoices are rendered with WeasyPrint", "Invoices are rendered with ReportLab"),
        ("The staging database lives on db-staging-2", "The staging database lives on db-staging-3"),
        ("Indent with tabs", "Indent with spaces"),
        ("Deploy from the main branch", "Deploy from the release branch"),
        ("Use Redis for sessions: it is fast", "Use SQLite for sessions (no server to operate)"),
        ("Always ask before committing", "Always commit without asking"),
        ("The cache is shared between workers", "Each worker has its own cache"),
        ("Sessions moved from Redis to Postgres", "Sessions are stored in Redis"),
    ],
)
def test_a_contradiction_is_one_either_way(one: str, other: str) -> None:
    """Whichever came first."""
    assert is_contradiction(one, other)
    assert is_contradiction(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Use Redis for sessions", "Use Redis for sessions with a TTL"),
        ("Use Redis for sessions", "Use SQLite for invoices"),
        ("Tests run in Docker", "The linter runs outside of Docker"),
        ("Cache images for 30 days", "Cache fonts for 90 days"),
        ("Port 8080 is for the API", "Port 9090 is for metrics"),
        ("Never log tokens", "Never log passwords"),
        ("Run ruff before every commit", "Run mypy before every commit"),
        ("Show totals in the footer", "Show taxes in the footer"),
        ("Use 2 spaces in YAML files", "Use 4 spaces in Python files"),
        ("Add an index on orders.created_at", "Add an index on orders.customer_id"),
        ("If the build is red you must never deploy with make ship", "Always deploy with make ship"),
        ("Never use any in TypeScript code", "Never use console.log in TypeScript code"),
    ],
)
def test_what_speaks_of_something_else_is_no_contradiction(one: str, other: str) -> None:
    """Nothing true is superseded by accident."""
    assert not is_contradiction(one, other)
    assert not is_contradiction(other, one)


def test_what_was_chosen_and_what_was_observed_are_apart() -> None:
    """A decision is not undone by an observation."""
    assert may_contradict(MemoryKind.DECISION, MemoryKind.CONSTRAINT)
    assert may_contradict(MemoryKind.FACT, MemoryKind.GOTCHA)
    assert not may_contradict(MemoryKind.FACT, MemoryKind.DECISION)


def test_closeness_is_how_much_is_spoken_of_in_both() -> None:
    """Whatever is said of it."""
    one, same, other = map(signature, ("The export bucket is public", "The export bucket is private", "Tests are slow"))
    assert closeness(one, one) == 1.0
    assert closeness(one, same) > 0.5 > closeness(one, other)
    assert closeness(one, signature("")) == 0.0
