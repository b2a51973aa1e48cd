"""Publishing: what is proposed, to whom it shows, and how it is taken back."""

from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from noctuary.app import Memory
from noctuary.errors import BadChange, BadInput, NotFound, ShareNotFound, TeamNotFound
from noctuary.sharing.publishing import Step
from noctuary.store.sharing import Deed, ShareState
from noctuary.store.sqlite import SqliteDatabase
from tests.unit.sharing.people import PROJECT, People, published, remembered, texts


def deeds(memory: Memory) -> list[Deed]:
    """What was done in the team as this owner knows it, the newest first."""
    return [done.what for done in memory.team.history("Shop")]


def test_what_is_published_waits_for_a_reviewer(ana: Memory, ben: Memory) -> None:
    """Its publisher and reviewers see a proposal; other members see nothing yet."""
    ana.team.invite("Shop", "dan")
    share = published(ben, "Shop", "Prices are in cents", kind="constraint")

    assert ana.team.proposals() == [share]
    assert ben.team.mine() == [share]
    assert share.state is ShareState.PROPOSED
    assert ana.team.shared("Shop") == ben.team.shared("Shop") == []


def test_other_members_do_not_see_proposals(people: People, ana: Memory, ben: Memory) -> None:
    """Neither in lists nor by their id, nor in the history."""
    ana.team.invite("Shop", "dan")
    share = published(ben, "Shop", "Prices are in cents")

    assert people["dan"].team.proposals() == []
    with pytest.raises(ShareNotFound):
        people["dan"].team.share(share.id)
    assert Deed.PROPOSED not in deeds(people["dan"])
    assert Deed.PROPOSED in deeds(ana)


def test_the_preview_is_what_others_see(ana: Memory, ben: Memory) -> None:
    """To the letter, and nothing is published by looking."""
    memory = remembered(ben, "Prices are in cents", topic="prices")

    [offer] = ben.team.preview("Shop", memory=memory.id)

    assert offer.step is Step.PROPOSE
    assert ana.team.proposals() == []
    ben.team.publish("Shop", memory=memory.id)
    assert [share.content for share in ana.team.proposals()] == [offer.content]


def test_only_what_holds_is_published(ben: Memory) -> None:
    """A proposal of a dream is nobody's word yet, and what was retired is nobody's any more."""
    suggested = remembered(ben, "Prices are in cents", suggested=True)
    retired = remembered(ben, "Prices are in euros")
    ben.work(PROJECT).retire(retired.id)

    for memory in (suggested, retired):
        with pytest.raises(BadChange, match="only what holds"):
            ben.team.publish("Shop", memory=memory.id)


def test_nobody_publishes_to_a_team_they_are_not_in(cem: Memory, team: str) -> None:
    """Nor what is another's."""
    memory = remembered(cem, "Prices are in cents")

    with pytest.raises(TeamNotFound):
        cem.team.publish(team, memory=memory.id)


def test_nobody_publishes_what_is_anothers(ana: Memory, ben: Memory) -> None:
    """A memory is looked for among one's own."""
    memory = remembered(ana, "Prices are in cents")

    with pytest.raises(NotFound):
        ben.team.publish("Shop", memory=memory.id)


def test_a_memory_or_a_project_is_named(ben: Memory) -> None:
    """Exactly one of them."""
    for what in ({}, {"memory": "m-1", "project": PROJECT}):
        with pytest.raises(BadInput, match="a memory by its id, or a project"):
            ben.team.publish("Shop", **what)


def test_a_project_is_all_its_memories_that_hold_now(ana: Memory, ben: Memory) -> None:
    """The oldest first; not those of all projects, nor of others, nor what holds no longer."""
    first, second = remembered(ben, "Prices are in cents"), remembered(ben, "Tests run in parallel")
    ben.work(PROJECT).retire(remembered(ben, "Prices are in euros").id)
    ben.work(PROJECT).remember("Answers in German", everywhere=True)
    ben.work("/home/ben/till").remember("The till is offline")

    done = ben.team.publish("Shop", project=PROJECT)

    assert [share.content.memory for share in done.proposed] == [first.id, second.id]
    assert len(ana.team.proposals()) == 2


def test_what_a_project_learns_later_is_proposed_when_asked_again(ben: Memory) -> None:
    """Never by itself; what is known to the team is left out then."""
    remembered(ben, "Prices are in cents")
    ben.team.publish("Shop", project=PROJECT)
    remembered(ben, "Tests run in parallel")
    assert len(ben.team.mine()) == 1

    done = ben.team.publish("Shop", project=PROJECT)

    assert texts([*done.proposed]) == ["Tests run in parallel"]
    assert [offer.step for offer in done.left_out] == [Step.KNOWN]


def test_what_was_refused_is_proposed_again_only_by_its_name(ana: Memory, ben: Memory) -> None:
    """A whole project does not bring up again what a reviewer has looked at."""
    share = published(ben, "Shop", "Prices are in cents")
    ana.team.refuse(share.id, "Only in your branch")

    done = ben.team.publish("Shop", project=PROJECT)
    assert [offer.step for offer in done.left_out] == [Step.REFUSED]

    [again] = ben.team.publish("Shop", memory=share.content.memory).proposed
    assert ben.team.mine() == [again] == ana.team.proposals()


def test_other_words_take_the_place_of_those_before_when_they_are_accepted(ana: Memory, ben: Memory) -> None:
    """Until then the team reads what it had."""
    old = published(ben, "Shop", "Prices are in cents")
    ana.team.accept(old.id)
    ben.work(PROJECT).correct(ben.dreams.explain(old.content.memory).memory.event, "Prices are in tenths of cents")
    [new] = ben.team.publish("Shop", memory=old.content.memory).proposed
    assert texts(ben.team.shared("Shop")) == ["Prices are in cents"]

    ana.team.accept(new.id)

    assert texts(ben.team.shared("Shop")) == ["Prices are in tenths of cents"]
    with pytest.raises(ShareNotFound):
        ana.team.share(old.id)


def test_a_proposal_in_other_words_replaces_one_that_waits(ana: Memory, ben: Memory) -> None:
    """Nobody reviews what its publisher no longer says."""
    old = published(ben, "Shop", "Prices are in cents")
    ben.work(PROJECT).correct(ben.dreams.explain(old.content.memory).memory.event, "Prices are in tenths of cents")

    ben.team.publish("Shop", memory=old.content.memory)

    assert texts(ana.team.proposals()) == ["Prices are in tenths of cents"]


def test_what_is_taken_back_is_gone_for_everybody(ana: Memory, ben: Memory, people: People) -> None:
    """All that is left is a line, without a word of what it was."""
    ana.team.invite("Shop", "dan")
    share = published(ben, "Shop", "Prices are in cents")
    ana.team.accept(share.id, "Prices are always in cents")

    ben.team.take_back(share.id)

    for memory in (ana, ben, people["dan"]):
        assert memory.team.shared() == []
        with pytest.raises(ShareNotFound):
            memory.team.share(share.id)
        newest = memory.team.history("Shop")[0]
        assert (newest.what, newest.about, newest.publisher) == (Deed.TAKEN_BACK, share.id, "ben")
    assert "cents" not in str(ana.team.history("Shop"))


def test_no_word_of_what_was_taken_back_stays_in_the_tables(ana: Memory, ben: Memory) -> None:
    """The reviewer's words go with the publisher's."""
    share = published(ben, "Shop", "Prices are in cents")
    ana.team.accept(share.id, "Prices are always in cents")

    ben.team.take_back(share.id)

    assert ana.store.sharing.published_by("ben") == []
    assert ben.store.database.fetch("remove_reviews", owner="ben", id=share.id) == []


def test_that_a_proposal_was_taken_back_is_no_news_to_members(ana: Memory, ben: Memory, people: People) -> None:
    """They never knew of it; reviewers did."""
    ana.team.invite("Shop", "dan")
    share = published(ben, "Shop", "Prices are in cents")

    ben.team.take_back(share.id)

    assert Deed.TAKEN_BACK in deeds(ana)
    assert Deed.TAKEN_BACK not in deeds(people["dan"])


def test_taking_back_the_newest_does_not_bring_back_the_one_before(ana: Memory, ben: Memory) -> None:
    """What is taken back is what the memory says, in whatever words."""
    old = published(ben, "Shop", "Prices are in cents")
    ana.team.accept(old.id)
    ben.work(PROJECT).correct(ben.dreams.explain(old.content.memory).memory.event, "Prices are in tenths of cents")
    [new] = ben.team.publish("Shop", memory=old.content.memory).proposed
    ana.team.accept(new.id)

    ben.team.take_back(new.id)

    assert ana.team.shared("Shop") == []
    assert ben.team.mine() == []


def test_a_memory_is_taken_back_from_every_team(ben: Memory, people: People) -> None:
    """By the name of the memory; by that of a share from one."""
    people["cem"].team.make("Till")
    people["cem"].team.invite("Till", "ben")
    share = published(ben, "Shop", "Prices are in cents")
    ben.team.publish("Till", memory=share.content.memory)

    ben.team.take_back(share.content.memory)

    assert ben.team.mine() == []


def test_who_has_left_can_still_take_back(ana: Memory, ben: Memory) -> None:
    """One, or all that they published there."""
    share = published(ben, "Shop", "Prices are in cents")
    other = published(ben, "Shop", "Tests run in parallel")
    for one in (share, other):
        ana.team.accept(one.id)
    ben.team.leave("Shop")

    ben.team.take_back(share.id)
    assert texts(ana.team.shared("Shop")) == ["Tests run in parallel"]
    ben.team.take_back_all(share.team)
    assert ana.team.shared("Shop") == []
    assert deeds(ana)[:2] == [Deed.TAKEN_BACK, Deed.TAKEN_BACK]


def asked(memory: Memory, does: Callable[[], object]) -> int:
    """How often all that is shared is looked through while something is done."""
    database, found = memory.store.database, []
    assert isinstance(database, SqliteDatabase)
    database._connection.trace_v2(apsw.SQLITE_TRACE_STMT, lambda told: found.append(told["sql"]))
    does()
    database._connection.trace_v2(0, None)
    return sum("left join share_reviews" in sql for sql in found)


def test_what_is_shared_is_looked_through_as_often_for_many_as_for_one(tmp_path: Path) -> None:
    """Or to publish a project of a few hundred memories would take minutes, and keep everybody waiting."""
    people = People(tmp_path)
    ana = people["ana"]
    ana.team.make("Shop")
    remembered(ana, "Prices are in cents")
    one = asked(ana, lambda: ana.team.publish("Shop", project=PROJECT))
    for number in range(5):
        remembered(ana, f"Fact {number} is of its own kind")

    many = asked(ana, lambda: ana.team.publish("Shop", project=PROJECT))

    assert many == one > 0
    assert len(ana.team.mine()) == 6
    people.close()


def test_all_is_taken_back_from_one_team_only(people: People, ben: Memory, cem: Memory, team: str) -> None:
    """Of two teams of one name it has to be said which; nothing is taken back from the other."""
    other = cem.team.make("Shop").id
    cem.team.invite(other, "ben")
    here, there = published(ben, team, "Prices are in cents"), published(ben, other, "Tests run in parallel")

    with pytest.raises(BadInput, match=other):
        ben.team.take_back_all("Shop")
    assert ben.team.mine() == [here, there]
    assert ben.team.take_back_all(other) == [there]
    assert ben.team.mine() == [here]


def test_nobody_takes_back_what_another_published(ana: Memory, ben: Memory) -> None:
    """Also no reviewer; they can refuse it."""
    share = published(ben, "Shop", "Prices are in cents")

    with pytest.raises(ShareNotFound):
        ana.team.take_back(share.id)
    assert ben.team.mine() == [share]
