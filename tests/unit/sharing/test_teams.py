"""Teams: who is in, who may let others in, and who knows of them."""

import pytest

from noctuary.app import Memory
from noctuary.errors import BadChange, BadInput, NotAllowed, TeamNotFound
from noctuary.sharing.teams import LONGEST_NAME
from noctuary.store.sharing import Deed, Role
from tests.unit.sharing.people import People, published, texts


def roles(memory: Memory) -> dict[str, Role]:
    """Who is in the team, as this owner sees it."""
    return {one.owner: one.role for one in memory.team.members("Shop")}


def test_who_makes_a_team_reviews_in_it(people: People) -> None:
    """There is nobody yet who could invite or decide."""
    made = people["ana"].team.make("Shop")

    assert made.role is Role.REVIEWER
    assert people["ana"].team.teams() == [made]
    assert roles(people["ana"]) == {"ana": Role.REVIEWER}


def test_members_know_each_other_and_others_nothing(ana: Memory, ben: Memory, cem: Memory) -> None:
    """Whoever is not in a team is told that they are in none of that name, as if there were none."""
    assert roles(ana) == roles(ben) == {"ana": Role.REVIEWER, "ben": Role.MEMBER}
    assert cem.team.teams() == []
    with pytest.raises(TeamNotFound):
        cem.team.members("Shop")


def test_a_team_is_not_found_by_its_id_either(cem: Memory, team: str) -> None:
    """Who has heard the id of a team is not in it."""
    with pytest.raises(TeamNotFound):
        cem.team.history(team)


def test_two_teams_of_one_name_are_told_apart_by_id(ana: Memory, cem: Memory, team: str) -> None:
    """Names are free, for nobody knows the teams of others."""
    other = cem.team.make("Shop")
    cem.team.invite(other.id, "ana")

    with pytest.raises(BadInput, match=other.id):
        ana.team.members("Shop")
    assert {one.owner for one in ana.team.members(other.id)} == {"ana", "cem"}
    assert {one.owner for one in ana.team.members(team)} == {"ana", "ben"}


def test_a_second_team_of_one_name_is_refused_to_whoever_is_in_the_first(ana: Memory) -> None:
    """Or they could not say which they mean."""
    with pytest.raises(BadChange, match="another name"):
        ana.team.make("Shop")


@pytest.mark.parametrize("name", ["", "  \n", "\u200b", "x" * (LONGEST_NAME + 1)])
def test_a_team_has_a_name_that_can_be_seen(people: People, name: str) -> None:
    """And one that fits a line."""
    with pytest.raises(BadInput):
        people["ana"].team.make(name)


def test_a_secret_in_the_name_of_a_team_is_taken_out(people: People) -> None:
    """Everybody in the team reads it."""
    made = people["ana"].team.make("Shop ghp_" + "a1B2" * 9)

    assert made.name.startswith("Shop [redacted:")


def test_only_a_reviewer_invites(ana: Memory, ben: Memory, cem: Memory) -> None:
    """A member asks one to."""
    with pytest.raises(NotAllowed):
        ben.team.invite("Shop", "cem")

    ana.team.invite("Shop", "ben", as_reviewer=True)
    ben.team.invite("Shop", "cem")
    assert [team.role for team in cem.team.teams()] == [Role.MEMBER]


def test_there_is_always_a_reviewer(ana: Memory, ben: Memory) -> None:
    """The last one neither leaves nor becomes a member while others are there."""
    with pytest.raises(BadChange, match="only reviewer"):
        ana.team.leave("Shop")
    with pytest.raises(BadChange, match="only reviewer"):
        ana.team.invite("Shop", "ana")

    ana.team.invite("Shop", "ben", as_reviewer=True)
    ana.team.leave("Shop")
    assert roles(ben) == {"ben": Role.REVIEWER}


def test_the_last_one_may_leave(people: People) -> None:
    """Nobody is left who would need a reviewer."""
    people["ana"].team.make("Shop")

    people["ana"].team.leave("Shop")

    assert people["ana"].team.teams() == []


def test_who_leaves_sees_nothing_any_more(ana: Memory, ben: Memory) -> None:
    """What others publish is for members; the one who left is told of no team."""
    share = published(ana, "Shop", "Prices are in cents")
    ana.team.accept(share.id)
    ben.team.leave("Shop")

    assert ben.team.shared() == []
    assert ben.team.teams() == []
    assert ana.team.history("Shop")[0].what is Deed.LEFT


def test_what_is_removed_comes_back_only_by_a_new_invitation(ana: Memory, ben: Memory) -> None:
    """A reviewer removes; being a member once is no right to be one again."""
    ana.team.remove("Shop", "ben")
    with pytest.raises(TeamNotFound):
        ben.team.members("Shop")

    ana.team.invite("Shop", "ben")
    assert roles(ben)["ben"] is Role.MEMBER


def test_a_member_removes_nobody(ana: Memory, ben: Memory) -> None:
    """Only themselves, which is to leave."""
    with pytest.raises(NotAllowed):
        ben.team.remove("Shop", "ana")

    ben.team.remove("Shop", "ben")
    assert roles(ana) == {"ana": Role.REVIEWER}


def test_who_is_not_in_cannot_be_removed(ana: Memory) -> None:
    """A mistyped name is told."""
    with pytest.raises(TeamNotFound, match="dan is not in Shop"):
        ana.team.remove("Shop", "dan")


def test_what_one_published_stays_when_one_leaves(ana: Memory, ben: Memory) -> None:
    """It is the team's until it is taken back; nobody is surprised by a gap."""
    share = published(ben, "Shop", "Prices are in cents")
    ana.team.accept(share.id)
    ben.team.leave("Shop")

    assert texts(ana.team.shared("Shop")) == ["Prices are in cents"]


def test_who_was_invited_again_as_the_same_leaves_no_line(ana: Memory) -> None:
    """The history has what changed."""
    before = ana.team.history("Shop")

    ana.team.invite("Shop", "ben")

    assert ana.team.history("Shop") == before
