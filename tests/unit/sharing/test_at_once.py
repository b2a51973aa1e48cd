"""Several people do something in one team at the same moment: it ends as if they had done it one after the other."""

from collections.abc import Callable
from threading import Thread

import pytest

from noctuary.app import Memory
from noctuary.errors import BadChange, NotAllowed, ShareNotFound, TeamNotFound
from noctuary.store.sharing import Role, ShareState
from tests.unit.sharing.people import PROJECT, People, published, remembered

_A_MOMENT = 0.5  # seconds: so long the second one gets on while the first is not done


def both(first: Memory, does: Callable[[], object], also: Callable[[], object]) -> object:
    """What becomes of the second, who begins when the first has done everything but to end the transaction."""
    outcome: list[object] = []

    def second() -> None:
        try:
            outcome.append(also())
        except Exception as error:  # noqa: BLE001 (it is what the test asks about)
            outcome.append(error)

    other = Thread(target=second)
    with first.store.database.transaction():
        does()
        other.start()
        other.join(_A_MOMENT)
    other.join()
    return outcome[0]


@pytest.fixture
def dan(people: People, ana: Memory) -> Memory:
    """A second reviewer."""
    ana.team.invite("Shop", "dan", as_reviewer=True)
    return people["dan"]


def test_two_reviewers_who_leave_at_once_leave_no_team_alone(ana: Memory, dan: Memory, ben: Memory) -> None:
    """The second is told that they are the only one by now."""
    told = both(ana, lambda: ana.team.leave("Shop"), lambda: dan.team.leave("Shop"))

    assert isinstance(told, BadChange)
    assert {one.owner: one.role for one in ben.team.members("Shop")} == {"dan": Role.REVIEWER, "ben": Role.MEMBER}


def test_two_reviewers_who_remove_each_other_leave_one(ana: Memory, dan: Memory, ben: Memory) -> None:
    """Whoever is first stays; the other is in no such team any more."""
    told = both(ana, lambda: ana.team.remove("Shop", "dan"), lambda: dan.team.remove("Shop", "ana"))

    assert isinstance(told, TeamNotFound)
    assert {one.owner for one in ben.team.members("Shop")} == {"ana", "ben"}


def test_two_reviewers_who_step_back_leave_one(ana: Memory, dan: Memory, ben: Memory) -> None:
    """Also where each makes the other a member."""
    told = both(ana, lambda: ana.team.invite("Shop", "dan"), lambda: dan.team.invite("Shop", "ana"))

    assert isinstance(told, NotAllowed)
    assert [one.owner for one in ben.team.members("Shop") if one.role is Role.REVIEWER] == ["ana"]


def test_accepted_while_it_is_taken_back_nothing_of_it_stays(ana: Memory, ben: Memory) -> None:
    """Neither the share nor the words that a reviewer found for it."""
    share = published(ben, "Shop", "Prices are in cents")

    told = both(ben, lambda: ben.team.take_back(share.id), lambda: ana.team.accept(share.id, "Cents, never euros"))

    assert isinstance(told, ShareNotFound)
    assert ana.store.database.fetch("owned_share_reviews", owner="ana") == []


def test_taken_back_while_it_is_accepted_nothing_of_it_stays(ana: Memory, ben: Memory) -> None:
    """Also where the reviewer was first; and nobody is left with a share that cannot be taken back."""
    share = published(ben, "Shop", "Prices are in cents")

    both(ana, lambda: ana.team.accept(share.id, "Cents, never euros"), lambda: ben.team.take_back(share.id))

    assert ana.team.shared("Shop") == ben.team.mine() == []
    assert ana.store.database.fetch("owned_share_reviews", owner="ana") == []


def test_what_holds_no_longer_is_not_accepted_in_that_moment(ana: Memory, ben: Memory) -> None:
    """A share that follows its memory is gone for the reviewer, too."""
    memory = remembered(ben, "Prices are in cents")
    [share] = ben.team.publish("Shop", memory=memory.id).proposed

    told = both(
        ben, lambda: ben.work(PROJECT).retire(memory.id), lambda: ana.team.accept(share.id, "Cents, never euros")
    )

    assert isinstance(told, ShareNotFound)
    assert ana.store.database.fetch("owned_share_reviews", owner="ana") == []


def test_two_verdicts_at_once_are_one_after_the_other(ana: Memory, dan: Memory, ben: Memory) -> None:
    """The last one counts, and the history has both."""
    share = published(ben, "Shop", "Prices are in cents")

    both(ana, lambda: ana.team.accept(share.id), lambda: dan.team.refuse(share.id, "Only here"))

    [known] = ben.team.mine()
    assert (known.state, known.reviewer) == (ShareState.REFUSED, "dan")
    assert [str(deed.what) for deed in ben.team.history("Shop")][:2] == ["refused", "accepted"]


def test_whoever_is_removed_in_that_moment_publishes_nothing(ana: Memory, ben: Memory) -> None:
    """They are in no such team any more."""
    memory = remembered(ben, "Prices are in cents")

    told = both(ana, lambda: ana.team.remove("Shop", "ben"), lambda: ben.team.publish("Shop", memory=memory.id))

    assert isinstance(told, TeamNotFound)
    assert ana.team.proposals("Shop") == []
