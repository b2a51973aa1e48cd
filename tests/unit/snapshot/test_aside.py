"""Copies of a memory beside it are known, wherever its folder really is."""

from pathlib import Path

from noctuary.snapshot.aside import copies_aside


def test_copies_lie_beside_what_a_link_leads_to(tmp_path: Path) -> None:
    """A restore moves the folder itself aside, and leaves the link to it where it is."""
    place = tmp_path / "disk" / "real"
    place.mkdir(parents=True)
    (tmp_path / "home").symlink_to(place)
    aside = [place.with_name("real.before-restore-1"), place.with_name("real.restoring-2"), place / ".restoring-3"]
    for folder in (*aside, place.with_name("another.before-restore-1"), place / "snapshots"):
        folder.mkdir()

    for home in (tmp_path / "home", place):
        assert [path.resolve() for path in copies_aside(home)] == aside
