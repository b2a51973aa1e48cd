"""What a sentence says for good, and what is over with its session."""

import pytest

from noctuary.dream.merging.lasting import is_one_off, is_reasoned, is_report, is_standing, is_talk


@pytest.mark.parametrize(
    "text",
    [
        "Always format before you commit",
        "Never log tokens",
        "From now on write tests first",
        "Don't touch the generated client",
        "Use tabs for indentation",
        "We use pnpm in the web workspace",
        "Use Vite instead of webpack",
        "I'd rather have one big table",
        "Let's go with Postgres for the ledger",
        "Make sure that every endpoint has a timeout",
        "The importer must keep the old ids",
        "Imports no longer go through the proxy",
        "We now use uv",
        "Bitte immer auf Deutsch antworten",
        "常にタブを使ってください。",
        "A rule from now on: never call `datetime.now()` here without a zone",
        "Never call datetime.now() without a zone",
        "And no search server, we have enough to run",
        "Looks good. Let's use uv instead of pip. Can you go on?",
    ],
)
def test_what_lays_something_down_is_standing(text: str) -> None:
    """By its words, in one of its sentences."""
    assert is_standing(text)
    assert not is_one_off(text)


@pytest.mark.parametrize(
    "text",
    [
        "Fix the crash in line 30 please",
        "Make sure to update the badge in the header and then push",
        "Make sure to write the readme for the team",
        "Let's look at the logs of the worker",
        "Let's replace the picture on the start page",
        "Use the screenshot from the ticket to fix it",
        "That must never be there again",
        "I have to leave, so always save your work",
        "You must be wrong about that one",
        "Do we always deploy by hand?",
        "It must be in the cache",
        "Rename the helper instead of that function",
        "We don't need to add more of it",
        "make it blue instead",
    ],
)
def test_an_errand_is_not_standing(text: str) -> None:
    """Nor is what points at something only those who were there can see."""
    assert not is_standing(text)


@pytest.mark.parametrize(
    "text",
    [
        "Use npm just this once",
        "Skip the linter this time",
        "Never squash in this branch",
        "Don't run the slow tests for now",
        "Keep the flag on for this PR only",
        "Do not deploy right now",
        "Always answer in English today",
        "Temporarily disable the cache",
        "Don’t write any code yet",
        "Do not touch the old importer yet",
        "Don't touch anything for a minute",
        "Leave the branch alone while I'm rebasing",
    ],
)
def test_what_is_for_this_once_is_known_by_its_words(text: str) -> None:
    """Whatever else the sentence says."""
    assert is_one_off(text)


def test_what_begins_today_is_not_for_today() -> None:
    """Nor is what was decided today, or what speaks of times."""
    for text in (
        "From today on we use pnpm",
        "Today we decided to use pnpm",
        "Always store this time zone",
        "Never trust a record that was not yet verified",
    ):
        assert not is_one_off(text)
    assert not is_one_off("The bucket was emptied today", is_ruling=False)


def test_talk_is_talk_in_all_its_sentences() -> None:
    """One sentence that says something is enough; a log says nothing, whatever stands in it."""
    assert is_talk("Hey, let's see. Why is it slow?")
    assert not is_talk("Hey, let's see. Never use npm.")
    assert is_talk("$ npm run build\nerror: you must provide an entry")


def test_reasons_and_reports() -> None:
    """A report may have a reason; what an agent just did is a report all the same."""
    assert is_reasoned("The build hangs when the lock is held")
    assert not is_reasoned("The build is in the folder dist")
    assert not is_reasoned("The build might hang because the lock is held")
    assert is_report("`AGENTS.md` — what every agent must know")
    assert is_report("Created the folder and exported all of it")
    assert is_report("Phase 4 — wired the page")
    assert is_report("Fix summary: the variable is never used, so it's best to drop it")
    assert is_report("Key changes are: the bubble has a state of its own")
    assert is_report("These changes should eliminate all warnings and keep the code clean")
    assert not is_report("Changes to the schema: none without a migration")
    assert not is_report("Fixed the crash, which was due to a missing index")
    assert is_report("I ran the tests: 3 failed because of a missing fixture")
