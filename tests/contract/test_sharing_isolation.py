"""Nobody sees more than a team lets them, whatever three people do one after the other, on either database.

What should be seen is kept by a few rules beside the real thing.  After every step each person is asked for all that
they can see, by every way there is; on PostgreSQL also by plain SQL that goes past the application.
"""

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import NamedTuple

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from noctuary.app import Memory
from noctuary.errors import NoctuaryError
from noctuary.store.sharing import Role
from tests.databases import url_of
from tests.unit.sharing.people import PROJECT, People, remembered

VERBS = ("invite", "promote", "remove", "leave", "publish", "accept", "reword", "refuse", "take_back", "retire")
STEPS = st.lists(st.tuples(st.sampled_from(VERBS), st.integers(0, 2), st.integers(0, 7)), min_size=4, max_size=20)
# Most sequences should get somewhere: a team of three, two of them reviewers, is often the beginning.
BEGINNINGS = st.sampled_from(
    [
        [],
        [("invite", 0, 1), ("publish", 1, 0), ("accept", 0, 0)],
        [("promote", 0, 1), ("invite", 0, 2), ("publish", 2, 0), ("publish", 0, 1)],
    ]
)
TABLES = ("teams", "team_members", "shares", "share_reviews", "share_history", "share_bindings", "memories")


class Known(NamedTuple):
    """A share as it should be."""

    id: str
    memory: str
    publisher: str
    text: str
    is_accepted: bool = False
    words: str = ""


class Expected:
    """A team by its rules alone."""

    def __init__(self, owners: list[str]) -> None:
        self.owners = owners
        self.roles = {owners[0]: Role.REVIEWER}
        self.shares: dict[str, Known] = {}
        self.gone: list[Known] = []

    @property
    def reviewers(self) -> set[str]:
        return {owner for owner, role in self.roles.items() if role is Role.REVIEWER}

    def sees(self, owner: str, share: Known) -> bool:
        """Whether somebody may see a share."""
        is_member = self.roles.get(owner) is not None
        return share.publisher == owner or owner in self.reviewers or (is_member and share.is_accepted)

    def may_decide(self, owner: str, share: Known) -> bool:
        """Whether somebody may review a share."""
        return owner in self.reviewers and (share.publisher != owner or self.reviewers == {owner})

    def may_leave(self, owner: str) -> bool:
        """Whether somebody is in and the others can do without them."""
        return owner in self.roles and (len(self.roles) == 1 or self.reviewers != {owner})


class Play:
    """The real thing and the rules, side by side."""

    def __init__(self, people: People, number: int) -> None:
        self.people = people
        self.owners = [f"{name}{number}" for name in ("ana", "ben", "cem")]
        self.expected = Expected(self.owners)
        self.team = self.memory(self.owners[0]).team.make(f"Shop {number}").id
        self.words = count()

    def memory(self, owner: str) -> Memory:
        """The memory of one of them."""
        return self.people[owner]

    def step(self, verb: str, actor: str, picked: int) -> None:
        """Do it; it works exactly if the rules say so."""
        getattr(self, f"_{verb}")(actor, picked)

    def _invite(self, actor: str, picked: int, role: Role = Role.MEMBER) -> None:
        target, rules = self.owners[picked % 3], self.expected
        is_last = role is Role.MEMBER and rules.reviewers == {target}
        if self._does(
            actor in rules.reviewers and not is_last, actor, "invite", target, as_reviewer=role is Role.REVIEWER
        ):
            rules.roles[target] = role

    def _promote(self, actor: str, picked: int) -> None:
        self._invite(actor, picked, Role.REVIEWER)

    def _remove(self, actor: str, picked: int) -> None:
        target, rules = self.owners[picked % 3], self.expected
        may = rules.may_leave(actor) if actor == target else actor in rules.reviewers and target in rules.roles
        if self._does(may, actor, "remove", target):
            del rules.roles[target]

    def _leave(self, actor: str, _: int) -> None:
        if self._does(self.expected.may_leave(actor), actor, "leave"):
            del self.expected.roles[actor]

    def _publish(self, actor: str, _: int) -> None:
        text = f"secretword{next(self.words)} is what {actor} knows"
        kept = remembered(self.memory(actor), text)
        if self._does(actor in self.expected.roles, actor, "publish", memory=kept.id):
            [share] = [one for one in self.memory(actor).team.mine() if one.content.memory == kept.id]
            self.expected.shares[share.id] = Known(share.id, kept.id, actor, text)

    def _accept(self, actor: str, picked: int, words: str = "") -> None:
        if share := self._share(picked):
            may = self.expected.may_decide(actor, share)
            if self._tries(may, lambda: self.memory(actor).team.accept(share.id, words or None)):
                self.expected.shares[share.id] = share._replace(is_accepted=True, words=words)

    def _reword(self, actor: str, picked: int) -> None:
        self._accept(actor, picked, f"secretword{next(self.words)} in words of {actor}")

    def _refuse(self, actor: str, picked: int) -> None:
        if share := self._share(picked):
            may = self.expected.may_decide(actor, share)
            if self._tries(may, lambda: self.memory(actor).team.refuse(share.id, "No")):
                self.expected.shares[share.id] = share._replace(is_accepted=False, words="")

    def _take_back(self, actor: str, picked: int) -> None:
        if (share := self._share(picked)) and self._tries(
            share.publisher == actor, lambda: self.memory(actor).team.take_back(share.id)
        ):
            self.expected.gone.append(self.expected.shares.pop(share.id))

    def _retire(self, actor: str, picked: int) -> None:
        if (share := self._share(picked)) and self._tries(
            share.publisher == actor, lambda: self.memory(actor).work(PROJECT).retire(share.memory)
        ):
            self.expected.gone.append(self.expected.shares.pop(share.id))

    def _share(self, picked: int) -> Known | None:
        known = [*self.expected.shares.values()]
        return known[picked % len(known)] if known else None

    def _does(self, may: bool, actor: str, verb: str, *given: object, **more: object) -> object:
        return self._tries(may, lambda: getattr(self.memory(actor).team, verb)(self.team, *given, **more))

    def _tries(self, may: bool, act: Callable[[], object]) -> object:
        if may:
            return act() or True
        with pytest.raises(NoctuaryError):
            act()
        return None

    def visible(self, owner: str) -> set[str]:
        """What somebody may see."""
        return {share.id for share in self.expected.shares.values() if self.expected.sees(owner, share)}

    def check(self) -> None:
        """Everybody sees exactly what they may."""
        for owner in self.owners:
            assert {share.id for share in self.memory(owner).store.sharing.where(owner)} == self.visible(owner)

    def check_words(self) -> None:
        """And no word of anything else, whichever way they ask."""
        for owner in self.owners:
            shown, visible = self._all_shown(owner), self.visible(owner)
            for share in [*self.expected.shares.values(), *self.expected.gone]:
                seen = [text for text in (share.text, share.words) if text and text.split()[0] in shown]
                assert not seen or share.id in visible

    def _all_shown(self, owner: str) -> str:
        """All that is shown of shares; not the owner's own memory, in which their own words are."""
        team = self.memory(owner).team
        found: list[object] = [team.shared(), team.proposals(), team.mine(), team.teams(), team.bindings()]
        for ask in (team.members, team.history, team.shared, team.proposals):
            try:
                found.append(ask(self.team))
            except NoctuaryError as error:
                found.append(str(error))
        for share in [*self.expected.shares, *(share.id for share in self.expected.gone)]:
            try:
                found.append(team.share(share))
            except NoctuaryError as error:
                found.append(str(error))
        return repr(found)

    def check_briefs(self) -> None:
        """Whoever bound a project is told what others share with the team, as long as they are in it."""
        for owner in self.owners:
            if owner in self.expected.roles:
                self.memory(owner).team.bind(self.team, "/bound")
            told = self.memory(owner).brief("/bound", budget=20_000)
            for share in [*self.expected.shares.values(), *self.expected.gone]:
                is_live = share.id in self.expected.shares and owner in self.expected.roles
                is_told = is_live and share.is_accepted and share.publisher != owner
                assert ((share.words or share.text) in told) is is_told

    def check_sql(self, url: str) -> None:
        """Plain SQL, with no application around it, shows no more; and nothing to whoever has no name."""
        assert not any(everything_in_sql(url, "").values())
        for owner in self.owners:
            visible = self.visible(owner)
            rows = everything_in_sql(url, owner)
            assert {row[1] for row in rows["shares"]} == visible
            assert {row[2] for row in rows["share_reviews"]} <= visible
            assert {row[0] for row in rows["memories"]} <= {owner}
            is_in = owner in self.expected.roles
            assert is_in or {row[0] for row in rows["team_members"]} <= {owner}
            for share in [*self.expected.shares.values(), *self.expected.gone]:
                words = [word.split()[0] for word in (share.text, share.words) if word]
                shown = repr({name: rows[name] for name in TABLES if name != "memories"})
                assert share.id in visible or not any(word in shown for word in words)


def everything_in_sql(url: str, owner: str) -> dict[str, list[tuple[object, ...]]]:
    """All rows that the database gives to whoever says that they are this owner."""
    with psycopg.connect(url) as connection:
        connection.execute("set role noctuary_member")
        connection.execute("select set_config('noctuary.owner', %s, false)", (owner,))
        return {name: connection.execute(f"select * from noctuary.{name}".encode()).fetchall() for name in TABLES}


@pytest.fixture
def people(tmp_path: Path, database: str) -> Iterator[People]:
    several = People(tmp_path / database)
    yield several
    several.close()


_numbers = count()


@given(beginning=BEGINNINGS, steps=STEPS)
@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_nobody_sees_more_than_they_may(
    people: People, beginning: list[tuple[str, int, int]], steps: list[tuple[str, int, int]]
) -> None:
    """Every verb works exactly for those who may, and after each everybody sees exactly what they may."""
    play = Play(people, next(_numbers))
    for verb, actor, picked in [*beginning, *steps]:
        play.step(verb, play.owners[actor], picked)
        play.check()
    play.check_words()
    play.check_briefs()
    if url := url_of(people.folder):
        play.check_sql(url)
