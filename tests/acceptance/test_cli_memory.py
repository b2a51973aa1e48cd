"""`noctuary memory`: remember, list, show, pin, verify, retire, forget; here and from another folder."""

import subprocess
from pathlib import Path

import pytest

from noctuary.testing import ClaudeTranscript
from tests.acceptance.conftest import Cli
from tests.acceptance.shop import HOSTILE

SHOP = ("--project", "/home/ana/code/shop")
TABS = "The build needs Node 22."


@pytest.fixture
def shop(cli: Cli) -> str:
    """The id of a memory of the shop."""
    return str(cli("memory", "remember", TABS, *SHOP, "--json").json["id"])


def page(cli: Cli) -> str:
    """The page of the shop, empty if there is none."""
    found = sorted((cli.memory / "memory").rglob("MEMORY.md"))
    return found[0].read_text() if found else ""


def test_remembered_is_remembered(cli: Cli, shop: str) -> None:
    """It is listed where it belongs, shown by the beginning of its id, and the next dream puts it on the page."""
    listed, shown = cli("memory", "list", *SHOP), cli("memory", "show", shop[:6], *SHOP)
    cli("dream")

    assert TABS in listed.out
    assert TABS in shown.out
    assert "said by" in shown.out
    assert f"[{shop}]" in page(cli)


def test_elsewhere_there_is_a_way_to_find_it(cli: Cli, shop: str, tmp_path: Path) -> None:
    """In a folder of which nothing is known the list says how much there is, and ids work all the same."""
    here = cli("memory", "list", cwd=tmp_path)
    everywhere = cli("memory", "list", "--everywhere", cwd=tmp_path)

    assert here.code == 1
    assert "1 memory of other projects: noctuary memory list --everywhere" in here.out
    assert everywhere.code == 0
    assert "shop" in everywhere.out
    assert cli("memory", "show", shop[:6], cwd=tmp_path).code == 0
    assert cli("memory", "pin", shop[:6], cwd=tmp_path).code == 0


def test_nothing_is_remembered_yet(cli: Cli) -> None:
    """It says how to begin."""
    ran = cli("memory", "list", "--everywhere")

    assert ran.code == 1
    assert "noctuary remember TEXT" in ran.out


def test_pinned_and_unpinned(cli: Cli, shop: str) -> None:
    """The page says so at once; twice is once."""
    pinned, again = cli("memory", "pin", shop, *SHOP), cli("memory", "pin", shop, *SHOP)
    with_pin = page(cli)
    unpinned = cli("memory", "unpin", shop, *SHOP)

    assert pinned.out.startswith(f"Pinned {shop}")
    assert again.out == pinned.out
    assert "pinned" in with_pin
    assert unpinned.out.startswith(f"Unpinned {shop}")
    assert "pinned" not in page(cli)


@pytest.mark.parametrize("verb", ["retire", "forget"])
def test_what_is_over_leaves_the_page(cli: Cli, shop: str, verb: str) -> None:
    """It leaves page and list, a second time is refused, and it can still be looked at."""
    cli("dream")
    gone = cli("memory", verb, shop, "--because", "That was a joke", *SHOP)
    cli("dream")

    assert gone.code == 0
    assert TABS not in page(cli)
    assert cli("memory", "list", *SHOP).code == 1
    assert cli("memory", "list", "--all", *SHOP).code == 0
    assert cli("memory", verb, shop, *SHOP).code == 2
    assert cli("memory", "show", shop).code == 0


def test_checked_against_the_files(cli: Cli, tmp_path: Path) -> None:
    """A memory of a file that is gone is stale and leaves the page; when the file is back, it is, too."""
    repository = tmp_path / "shop"
    (repository / "src").mkdir(parents=True)
    file = repository / "src" / "prices.py"
    file.write_text("CENTS = 100\n")
    git(repository, "init", "-q")
    git(repository, "add", ".")
    git(repository, "commit", "-qm", "Prices")
    transcript = ClaudeTranscript("6f1c1f6e-0000-4000-8000-000000000001", cwd=str(repository))
    transcript.say("Please remember that src/prices.py keeps whole cents only.").reply("Noted.").save(cli.user_home)
    cli("import")
    cli("dream")
    project = ("--project", str(repository))

    before = cli("memory", "verify", *project)
    git(repository, "rm", "-q", "src/prices.py")
    git(repository, "commit", "-qm", "No prices")
    gone = cli("memory", "verify", "--json", *project).json
    without = page(cli)
    git(repository, "revert", "--no-edit", "HEAD")
    cli("memory", "verify", *project)

    assert before.code == 0
    assert "STATE" in before.out
    assert [verdict["verified"] for verdict in gone["verdicts"]] == ["stale"]
    assert "prices.py" not in without
    assert "prices.py" in page(cli)


def git(folder: Path, *arguments: str) -> None:
    """Do something to a repository."""
    who = ("-c", "user.name=Ana", "-c", "user.email=ana@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)


def test_nothing_to_check(cli: Cli, tmp_path: Path) -> None:
    """A project of which nothing is remembered: nothing found."""
    assert cli("memory", "verify", cwd=tmp_path).code == 1


def test_hostile_words(cli: Cli) -> None:
    """A memory of escapes and line breaks is one line, and shows none of them."""
    made = cli("memory", "remember", HOSTILE, *SHOP)
    listed = cli("memory", "list", *SHOP)

    for ran in (made, listed):
        assert ran.code == 0
        assert "\x1b" not in ran.out
        assert "\u202e" not in ran.out
    assert len(made.out.splitlines()) == 1
    assert len(listed.out.splitlines()) == 2
    assert cli("memory", "remember", "", *SHOP).code == 2
    assert cli("memory", "remember", " \u200b ", *SHOP).code == 2
