"""What looks after a server: health, numbers, a copy of everything."""

import pytest

from tests.unit.doors.http.serving import BOB, OF_SHOP, Served

pytestmark = pytest.mark.slow


def test_health_needs_no_key_and_tells_nothing(served: Served) -> None:
    """Only that the server answers, and which version it is."""
    answer = served.ask("GET", "/health", headers={"Authorization": ""})

    assert answer.status_code == 200
    assert answer.json().keys() == {"status", "version"}


def test_the_status_counts_what_is_ones_own(served: Served) -> None:
    """Nothing of other owners; and where the database lies is nobody's business."""
    served.session("s1", "hello")
    served.session("s2", "hello", as_=BOB)

    status = served.get("/status")

    assert (status["sessions"], status["messages"], status["owner"]) == (1, 1, "ana")
    assert "database" not in status


def test_a_copy_of_everything_is_told_by_its_name_and_ones_own_numbers(served: Served) -> None:
    """Other owners are in it, and are not named."""
    served.session("s1", "hello")
    served.session("s2", "hello", as_=BOB)

    made = served.ask("POST", "/snapshots", headers={"Idempotency-Key": "k"})
    again = served.ask("POST", "/snapshots", headers={"Idempotency-Key": "k"})

    assert made.status_code == 201
    assert again.json() == made.json()
    assert (made.json()["sessions"], "/" in made.json()["name"]) == (1, False)
    assert "bob" not in made.text


def test_what_concerns_all_projects_is_not_for_a_key_of_one(served: Served) -> None:
    """Neither to look at nor to copy."""
    asked = [("GET", "/status"), ("GET", "/checkup"), ("POST", "/snapshots")]

    assert [served.ask(*each, as_=OF_SHOP).status_code for each in asked] == [403, 403, 403]


def test_a_checkup_looks_at_everything(served: Served) -> None:
    """And finds a new memory healthy."""
    assert served.get("/checkup")["is_healthy"] is True
