"""Copies: what others see of a memory, and what they never do."""

import json

import pytest

from noctuary.app import Memory
from noctuary.errors import NotFound
from noctuary.sharing.copying import LONGEST_QUOTE, MOST_CITED, content_of, is_as_it_was
from noctuary.store.sharing import CitedWords
from tests.unit.sharing.people import cited, remembered


def test_provenance_is_copied(ana: Memory, ben: Memory) -> None:
    """Who said it, when, how far it is trusted, and the words it rests on."""
    memory = cited(ben, "Prices are in cents", "all prices are cents", session="s-ben")
    ben.team.publish("Shop", memory=memory.id)

    [share] = ana.team.proposals()

    content = share.content
    assert (share.publisher, content.memory, content.event) == ("ben", memory.id, memory.event)
    assert (content.said_by, content.trust, content.recorded_ms) == ("user", "user", memory.recorded_ms)
    assert content.cited == (CitedWords("s-ben", 1, "all prices are cents"),)


def test_who_reads_it_cannot_read_the_session(ana: Memory, ben: Memory) -> None:
    """The id of a session opens nothing in the memory of another."""
    memory = cited(ben, "Prices are in cents", "all prices are cents", session="s-ben")
    ben.team.publish("Shop", memory=memory.id)
    [share] = ana.team.proposals()

    with pytest.raises(NotFound):
        ana.show(share.content.cited[0].session)
    assert not ana.search("prices").hits


def test_what_was_said_beside_it_is_not_copied(ben: Memory) -> None:
    """Only the words that are quoted."""
    memory = cited(ben, "Prices are in cents", "all prices are cents")

    [offer] = ben.team.preview("Shop", memory=memory.id)

    assert "Well," not in json.dumps(offer)
    assert memory.project not in json.dumps(offer)


def test_secrets_are_looked_for_once_more(ben: Memory) -> None:
    """In whatever is copied: redaction may know more than it did when a memory was kept."""
    secret = "ghp_" + "a1B2" * 9
    memory = cited(ben, "Prices are in cents", "all prices are cents")
    entry = ben.ledger.entry(memory.event)
    assert entry is not None
    unclean = memory._replace(
        text=f"Use {secret}", facts={"topic": secret, "messages": [{"session": "s1", "id": 7, "quote": secret}]}
    )

    content = content_of(ben.ledger, unclean)

    assert secret not in json.dumps(content)
    assert [one.message for one in content.cited] == [1, 7]


def test_quotes_are_short_and_few(ben: Memory) -> None:
    """A memory that rests on many messages, or long ones, does not take them all along."""
    memory = remembered(ben, "Prices are in cents")
    messages = [{"session": "s1", "id": number, "quote": "cents " * 500} for number in range(1, 50)]

    content = content_of(ben.ledger, memory._replace(facts={"messages": messages}))

    assert len(content.cited) == MOST_CITED
    assert all(len(one.quote) <= LONGEST_QUOTE for one in content.cited)


def test_more_grounds_are_no_other_words(ben: Memory) -> None:
    """What rests on more than before is not proposed anew; what says something else is."""
    content = content_of(ben.ledger, remembered(ben, "Prices are in cents"))

    assert is_as_it_was(content, content._replace(cited=(CitedWords("s1", 1, "cents"),)))
    assert not is_as_it_was(content, content._replace(text="Prices are in euros"))
    assert not is_as_it_was(content, content._replace(valid_to_ms=1))
