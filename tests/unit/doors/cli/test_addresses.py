"""Addresses of databases as they may be printed."""

import pytest

from noctuary.doors.cli.addresses import without_password


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("postgresql://db.example/noctuary", "postgresql://db.example/noctuary"),
        ("postgresql://ana@db.example/noctuary", "postgresql://ana@db.example/noctuary"),
        ("postgresql://ana:s3cret@db.example/noctuary", "postgresql://ana@db.example/noctuary"),
        ("postgresql://ana:s3@cret@db.example/noctuary", "postgresql://ana@db.example/noctuary"),
        ("postgresql:///noctuary?host=/run&password=s3cret", "postgresql:///noctuary?host=/run"),
        ("postgresql:///noctuary?password=s3cret&host=/run", "postgresql:///noctuary?host=/run"),
        ("postgresql:///noctuary?sslpassword=s3cret", "postgresql:///noctuary"),
    ],
)
def test_an_address_is_shown_without_its_password(address: str, shown: str) -> None:
    """Wherever it stands in it."""
    assert without_password(address) == shown
