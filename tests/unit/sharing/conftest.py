"""People who share: Ana made the team and reviews, Ben is a member, Cem is not in it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from noctuary.app import Memory
from tests.unit.sharing.people import People


@pytest.fixture
def people(tmp_path: Path, database: str) -> Iterator[People]:
    several = People(tmp_path / database)
    yield several
    several.close()


@pytest.fixture
def team(people: People) -> str:
    made = people["ana"].team.make("Shop")
    people["ana"].team.invite("Shop", "ben")
    return made.id


@pytest.fixture
def ana(people: People, team: str) -> Memory:
    return people["ana"]


@pytest.fixture
def ben(people: People, team: str) -> Memory:
    return people["ben"]


@pytest.fixture
def cem(people: People, team: str) -> Memory:
    return people["cem"]
