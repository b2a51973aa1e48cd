"""`noctuary forget`: nothing goes unasked, and what went does not come back."""

import json
from pathlib import Path

import pytest

from noctuary.testing import ClaudeTranscript
from tests.acceptance.conftest import SAMPLES, Cli

SESSION = "3b0f6a52-7c1d-4e0a-9a44-1d5e8c2f7a01"


@pytest.fixture
def filled(cli: Cli) -> Cli:
    """The sample home, imported into a memory that a test may change."""
    cli("import", "--from", SAMPLES)
    return cli


@pytest.mark.parametrize(
    ("options", "query"),
    [
        (["--session", "3b0f"], "SHA-256 of the token"),
        (["--project", "shop"], "redis"),
        (["--query", "lampshade"], "lampshade"),
        (["--text", "Elasticsearch or Meilisearch"], "Meilisearch"),
    ],
)
def test_what_is_forgotten_stays_forgotten(filled: Cli, options: list[str], query: str) -> None:
    """What was forgotten is found no more, and the next import does not bring it back."""
    assert filled("search", query).code == 0

    ran = filled("forget", *options, "--yes")
    again = filled("import", "--from", SAMPLES)

    assert ran.code == 0
    assert "tombstone" in ran.out
    assert again.code == 0
    assert filled("search", f'"{query}"').code == 1
    assert filled("doctor").code == 0


def test_a_dry_run_only_shows(filled: Cli) -> None:
    """--dry-run shows what would go and changes nothing."""
    ran = filled("forget", "--session", SESSION, "--dry-run")
    as_json = filled("forget", "--session", SESSION, "--dry-run", "--json")

    assert ran.code == 0
    assert "1 session with 19 messages" in ran.out
    assert (as_json.json["forgotten"], as_json.json["sessions"]) == (False, [SESSION])
    assert filled("show", SESSION).code == 0


def test_nobody_to_ask_means_no(filled: Cli) -> None:
    """Without a terminal and without --yes nothing is forgotten, whatever stdin says."""
    ran = filled("forget", "--session", SESSION, stdin="y\n")

    assert ran.code == 2
    assert "--yes" in ran.err
    assert filled("show", SESSION).code == 0


def test_json_says_what_went(filled: Cli) -> None:
    """--json with --yes gives how many messages were removed."""
    answer = filled("forget", "--session", SESSION, "--yes", "--json").json

    assert answer["forgotten"] is True
    assert answer["removed"] == 19


@pytest.mark.parametrize("options", [[], ["--session", "3b0f", "--text", "x"], ["--text", ""], ["--query", "  "]])
def test_exactly_one_thing_is_forgotten_at_a_time(filled: Cli, options: list[str]) -> None:
    """None, two or empty choices are refused, with --yes as well."""
    ran = filled("forget", *options, "--yes")

    assert ran.code == 2
    assert filled("status", "--json").json["sessions"] == 7


@pytest.mark.parametrize(
    ("options", "code"),
    [(["--session", "nope"], 3), (["--project", "nope"], 1), (["--text", "zeppelin"], 1), (["--query", "zeppelin"], 1)],
)
def test_nothing_to_forget(filled: Cli, options: list[str], code: int) -> None:
    """What is not there cannot be forgotten: an unknown session is 3, a search without result 1."""
    assert filled("forget", *options, "--yes").code == code


def test_forgetting_is_for_one_owner(cli: Cli, tmp_path: Path) -> None:
    """One owner's forgetting leaves another's memory alone, even of the same transcript."""
    ClaudeTranscript().say("The zeppelin is late.").save(tmp_path / "home")
    cli("import")
    cli("import", "--owner", "ben")

    cli("forget", "--text", "zeppelin", "--yes", "--owner", "ben")

    assert cli("search", "zeppelin").code == 0
    assert cli("search", "zeppelin", "--owner", "ben").code == 1


def test_forgetting_by_query_takes_only_what_matches(filled: Cli) -> None:
    """The neighbours of a match are not forgotten with it."""
    plan = filled("forget", "--query", "Meilisearch", "--dry-run", "--json").json

    assert plan["messages"] == 1


def test_what_dreams_took_from_it_is_shown_and_goes(filled: Cli) -> None:
    """Before anybody is asked, the memories that would go are told; then they are on no page, and nothing waits."""
    assert filled("dream", "--session", SESSION).code == 0
    page = next((filled.memory / "memory").rglob("MEMORY.md"))
    looked = filled("forget", "--session", SESSION, "--dry-run")
    planned = filled("forget", "--session", SESSION, "--dry-run", "--json").json

    assert "of dreams and" in looked.out
    assert planned["memories"]
    assert filled("forget", "--session", SESSION, "--yes").code == 0
    assert not page.exists() or all(text[:40] not in page.read_text() for text in planned["memories"])
    assert filled("forget", "--text", "no such words at all").code == 1


def test_the_proof_is_of_what_went_before(filled: Cli) -> None:
    """What is asked for together with it is not forgotten, and nobody is left to believe that it was."""
    refused = filled("forget", "--text", "Meilisearch", "--yes", "--proof")

    assert refused.code == 2
    assert "Nothing was forgotten" in refused.err
    assert filled("search", "Meilisearch").code == 0

    told = filled("forget", "--text", "Meilisearch", "--yes").out
    proof = filled("forget", "--proof").out
    assert "looked for in" in told
    assert "looked for in" in proof


def test_what_waits_in_the_inbox_is_told_and_goes_with_the_next_sweep(cli: Cli) -> None:
    """A compaction's summary waits for its session: the proof finds it there, and no sweep stores what is forgotten."""
    said = "Never ship cloves from zanzibar77, always weigh them twice."
    ClaudeTranscript("s-1").say(said).reply("Noted.").save(cli.user_home)
    cli("import")
    note = {"event": "PostCompact", "at_ms": 1_772_366_400_000, "session": "s-1", "summary": f"In short: {said}"}
    inbox = cli.memory / "inbox" / "hooks.jsonl"
    inbox.parent.mkdir()
    inbox.write_text(json.dumps(note) + "\n", encoding="utf-8")

    told = cli("forget", "--text", "cloves from zanzibar77", "--yes").out

    assert "still there" in told
    assert "goes with the next sweep: noctuary sweep" in told
    assert cli("sweep").code == 0
    assert not any(b"zanzibar77" in path.read_bytes() for path in cli.memory.rglob("*") if path.is_file())
    assert cli("search", "zanzibar77").code == 1
