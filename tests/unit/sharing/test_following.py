"""Shares follow their memory: what its owner no longer holds, no team is told."""

from noctuary.app import Memory
from noctuary.forgetting import Forgotten
from noctuary.store.sharing import Deed, Share
from tests.unit.sharing.people import PROJECT, cited, published, remembered, texts


def accepted(ana: Memory, ben: Memory, text: str = "Prices are in cents") -> Share:
    """Something of Ben's that the team reads."""
    return ana.team.accept(published(ben, "Shop", text).id)


def is_gone(ana: Memory, ben: Memory) -> bool:
    """Whether nobody reads anything any more, and the history says that it was taken back."""
    newest = ana.team.history("Shop")[0]
    return not ana.team.shared() and not ben.team.mine() and (newest.what, newest.who) == (Deed.TAKEN_BACK, "ben")


def test_what_is_retired_is_taken_back(ana: Memory, ben: Memory) -> None:
    """At once, in the same transaction."""
    share = accepted(ana, ben)

    ben.work(PROJECT).retire(share.content.memory)

    assert is_gone(ana, ben)


def test_what_is_forgotten_is_taken_back(ana: Memory, ben: Memory) -> None:
    """By `memory forget`."""
    share = accepted(ana, ben)

    ben.dreams.forget(share.content.memory, PROJECT)

    assert is_gone(ana, ben)


def test_what_is_retracted_is_taken_back(ana: Memory, ben: Memory) -> None:
    """With the entry that says it."""
    share = accepted(ana, ben)

    ben.work(PROJECT).retract(share.content.event)

    assert is_gone(ana, ben)


def test_what_is_superseded_is_taken_back_and_nothing_proposed_for_it(ana: Memory, ben: Memory) -> None:
    """Its owner has not looked at the new words with others in mind."""
    share = accepted(ana, ben)
    new = remembered(ben, "Prices are in tenths of cents")

    ben.work(PROJECT).supersede(share.content.event, new.event)

    assert is_gone(ana, ben)
    assert ana.team.proposals() == []


def test_a_proposal_follows_too(ana: Memory, ben: Memory) -> None:
    """No reviewer is asked about what its publisher no longer holds."""
    share = published(ben, "Shop", "Prices are in cents")

    ben.work(PROJECT).retire(share.content.memory)

    assert ana.team.proposals() == []


def test_what_holds_stays(ana: Memory, ben: Memory) -> None:
    """Other memories come and go, tables are folded again, and nothing is taken back."""
    share = accepted(ana, ben)
    other = remembered(ben, "Tests run in parallel")
    ben.work(PROJECT).retire(other.id)

    ben.rebuild()

    assert ana.team.shared() == [share]


def test_what_others_do_takes_nothing_back(ana: Memory, ben: Memory) -> None:
    """A memory of the same words in another's memory is another memory."""
    share = accepted(ana, ben)

    ana.work(PROJECT).retire(remembered(ana, "Prices are in cents").id)

    assert ana.team.shared() == [share]


def test_forgetting_a_session_takes_back_what_quotes_it(ana: Memory, ben: Memory) -> None:
    """Also if its owner still says it: the words of the session were copied."""
    memory = cited(ben, "Prices are in cents", "all prices are cents", session="s-ben")
    ana.team.accept(ben.team.publish("Shop", memory=memory.id).proposed[0].id)

    ben.forget(Forgotten(session="s-ben"))

    assert is_gone(ana, ben)


def test_forgetting_something_else_takes_nothing_back(ana: Memory, ben: Memory) -> None:
    """What is quoted is still there."""
    memory = cited(ben, "Prices are in cents", "all prices are cents", session="s-ben")
    cited(ben, "Tests run in parallel", "tests are parallel", session="s-other")
    ana.team.accept(ben.team.publish("Shop", memory=memory.id).proposed[0].id)

    ben.forget(Forgotten(session="s-other"))

    assert texts(ana.team.shared()) == ["Prices are in cents"]


def test_what_a_later_edition_stands_for_is_removed_in_time(ana: Memory, ben: Memory) -> None:
    """Nobody reads it any more, so it need not be kept."""
    old = accepted(ana, ben)
    ben.work(PROJECT).correct(old.content.event, "Prices are in tenths of cents")
    [new] = ben.team.publish("Shop", memory=old.content.memory).proposed
    ana.team.accept(new.id)

    ben.team.follow()

    assert [share for _, share, _, _ in ben.store.sharing.published_by("ben")] == [new.id]
