"""Reviews: who decides, in which words, and what is read then."""

import pytest

from noctuary.app import Memory
from noctuary.errors import BadInput, NotAllowed, ShareNotFound
from noctuary.store.sharing import Deed, ShareState
from tests.unit.sharing.people import People, published, texts


def test_what_is_accepted_all_members_read(people: People, ana: Memory, ben: Memory) -> None:
    """With who said it and who reviewed it."""
    ana.team.invite("Shop", "dan")
    share = published(ben, "Shop", "Prices are in cents")

    accepted = ana.team.accept(share.id)

    assert people["dan"].team.shared("Shop") == ana.team.shared() == [accepted]
    assert (accepted.state, accepted.reviewer, accepted.publisher) == (ShareState.ACCEPTED, "ana", "ben")


def test_others_than_members_read_nothing(cem: Memory, ana: Memory, ben: Memory) -> None:
    """Neither in a list nor by the id."""
    share = published(ben, "Shop", "Prices are in cents")
    ana.team.accept(share.id)

    assert cem.team.shared() == []
    with pytest.raises(ShareNotFound):
        cem.team.share(share.id)


def test_in_other_words_both_are_kept(ana: Memory, ben: Memory) -> None:
    """The team reads the reviewer's, and can see the publisher's."""
    share = published(ben, "Shop", "prices r in cents")

    ana.team.accept(share.id, "Prices are stored in cents.")

    [shared] = ben.team.shared("Shop")
    assert (shared.text, shared.content.text) == ("Prices are stored in cents.", "prices r in cents")


@pytest.mark.parametrize("nothing", ["", "  ", "\u200b"])
def test_who_wants_other_words_says_some(ana: Memory, ben: Memory, nothing: str) -> None:
    """Else the publisher's would be accepted, which nobody asked for."""
    share = published(ben, "Shop", "prices r in cents")

    with pytest.raises(BadInput, match="no words"):
        ana.team.accept(share.id, nothing)
    assert ben.team.shared("Shop") == []


def test_a_secret_in_the_words_of_a_reviewer_is_taken_out(ana: Memory, ben: Memory) -> None:
    """In the reason of a refusal, too."""
    secret = "ghp_" + "a1B2" * 9
    share = published(ben, "Shop", "Prices are in cents")

    assert secret not in ana.team.accept(share.id, f"Use {secret}").text
    assert secret not in ana.team.refuse(share.id, f"It has {secret}").reason


def test_a_refusal_has_a_reason_that_its_publisher_reads(people: People, ana: Memory, ben: Memory) -> None:
    """And no other member."""
    ana.team.invite("Shop", "dan")
    share = published(ben, "Shop", "Prices are in cents")
    with pytest.raises(BadInput, match="Say why"):
        ana.team.refuse(share.id, " ")

    ana.team.refuse(share.id, "Only in your branch")

    assert [(one.state, one.reason) for one in ben.team.mine()] == [(ShareState.REFUSED, "Only in your branch")]
    assert ben.team.shared("Shop") == ana.team.proposals() == []
    with pytest.raises(ShareNotFound):
        people["dan"].team.share(share.id)
    assert Deed.REFUSED not in [done.what for done in people["dan"].team.history("Shop")]


def test_a_member_decides_nothing(people: People, ana: Memory, ben: Memory) -> None:
    """Not even about their own."""
    ana.team.invite("Shop", "dan")
    share = published(ben, "Shop", "Prices are in cents")

    with pytest.raises(NotAllowed):
        ben.team.accept(share.id)
    with pytest.raises(ShareNotFound):
        people["dan"].team.accept(share.id)
    assert ben.team.shared("Shop") == []


def test_the_only_reviewer_may_accept_what_is_their_own(ana: Memory, ben: Memory) -> None:
    """Not by publishing it, but by saying so; everybody can see that it was them."""
    share = published(ana, "Shop", "Prices are in cents")
    assert ben.team.shared("Shop") == []

    ana.team.accept(share.id)

    [shared] = ben.team.shared("Shop")
    assert shared.reviewer == shared.publisher == "ana"


def test_where_there_is_another_reviewer_nobody_accepts_their_own(ana: Memory, ben: Memory) -> None:
    """It waits for the other one, and only there."""
    ana.team.invite("Shop", "ben", as_reviewer=True)
    share = published(ana, "Shop", "Prices are in cents")

    with pytest.raises(NotAllowed, match="ben can review it"):
        ana.team.accept(share.id)
    assert ana.team.proposals() == []
    assert ben.team.proposals() == [share]


def test_a_reviewer_can_think_again(ana: Memory, ben: Memory) -> None:
    """What was accepted is no longer shared when it is refused, and the other way round."""
    share = published(ben, "Shop", "Prices are in cents")
    ana.team.accept(share.id)

    ana.team.refuse(share.id, "No longer so")
    assert ben.team.shared("Shop") == []
    ana.team.accept(share.id)

    assert texts(ben.team.shared("Shop")) == ["Prices are in cents"]
    assert [done.what for done in ben.team.history("Shop")][:3] == [Deed.ACCEPTED, Deed.REFUSED, Deed.ACCEPTED]


def test_to_accept_twice_is_to_accept_once(ana: Memory, ben: Memory) -> None:
    """A second click changes nothing."""
    share = published(ben, "Shop", "Prices are in cents")
    accepted, history = ana.team.accept(share.id), ana.team.history("Shop")

    assert ana.team.accept(share.id) == accepted
    assert ana.team.history("Shop") == history


def test_what_is_shared_is_found_by_its_words(ana: Memory, ben: Memory) -> None:
    """All of them, whatever their case; in the words that the team reads, the topic and the name of who said it."""
    for text in ("Prices are in cents", "Tests run in parallel"):
        ana.team.accept(published(ben, "Shop", text, topic="rules").id)

    assert texts(ana.team.shared(words="CENTS prices")) == ["Prices are in cents"]
    assert len(ana.team.shared("Shop", words="rules ben")) == 2
    assert ana.team.shared(words="euros") == []
