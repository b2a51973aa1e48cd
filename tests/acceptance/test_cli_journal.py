"""`noctuary journal`: verified, exported, and imported from other machines and other tools."""

import json
from pathlib import Path

import pytest

from tests.acceptance.conftest import Cli
from tests.acceptance.shop import SHOP, Shop, make_shop


@pytest.fixture
def shop(cli: Cli) -> Shop:
    return make_shop(cli)


@pytest.fixture
def other(tmp_path: Path) -> Cli:
    """Another machine of the same user."""
    home = tmp_path / "other home"
    home.mkdir()
    return Cli(tmp_path / "other", home)


def journal_of(cli: Cli) -> Path:
    (found,) = (cli.memory / "journal" / "ana").glob("*.jsonl")
    return found


def test_a_sound_journal(cli: Cli, shop: Shop) -> None:
    """All is well, and nothing is changed by looking."""
    before = journal_of(cli).read_bytes()

    ran = cli("journal", "verify")

    assert (ran.code, ran.out) == (0, "The journals are sound.\n")
    assert cli("journal", "verify", "--json").json == {"is_sound": True, "count": 0, "findings": []}
    assert journal_of(cli).read_bytes() == before
    assert shop.goal in before.decode()


def test_no_memory_is_sound_and_none_is_made(cli: Cli) -> None:
    """Where nothing is, nothing is wrong."""
    assert cli("journal", "verify").code == 0
    assert cli("journal", "export").out == ""
    assert not cli.memory.exists()


def test_an_edited_line_is_found(cli: Cli, shop: Shop) -> None:
    """The line is named, with what to do; the exit code is that of a problem, and the doctor says it, too."""
    path = journal_of(cli)
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join([lines[0], lines[1].replace("Write", "Wrote"), *lines[2:]]))

    ran = cli("journal", "verify")

    assert ran.code == 4
    assert "line 3" in ran.out
    assert "The journals are not sound." in ran.out
    assert cli("doctor").code == 4
    assert "journals" in cli("doctor").out
    assert shop.goal in lines[0]


def test_half_a_line_is_harmless(cli: Cli, shop: Shop) -> None:
    """What a crash left is told, set aside by the next write, and glued to nothing."""
    with journal_of(cli).open("a") as file:
        file.write('{"event_id":"01')

    torn = cli("journal", "verify")
    cli("task", "rename", shop.alone, "Still here", *SHOP)

    assert torn.code == 0
    assert torn.out.startswith("torn")
    assert cli("journal", "verify").code == 0
    assert "Still here" in cli("tree", *SHOP).out


def test_a_lost_journal_is_told_by_every_command_of_the_work(cli: Cli, shop: Shop) -> None:
    """Nothing is shown that the journal does not say any more, and the way out is named."""
    journal_of(cli).unlink()

    ran = cli("tree", shop.goal, *SHOP)

    assert ran.code == 4
    assert "noctuary journal restore" in ran.err
    assert cli("journal", "verify").code == 4
    assert cli("status").code == 0
    assert cli("rebuild").code == 4


def test_a_lost_journal_is_restored(cli: Cli, shop: Shop) -> None:
    """What was read of it is written again, and all is as it was."""
    before, tree = journal_of(cli).read_bytes(), cli("tree", shop.goal, *SHOP).out
    path = journal_of(cli)
    path.unlink()

    ran = cli("journal", "restore")

    assert ran.code == 0
    assert ran.out.startswith("Restored ")
    assert path.read_bytes() == before
    assert cli("tree", shop.goal, *SHOP).out == tree
    assert cli("journal", "restore").out == "Every journal is as it was when it was read; nothing to restore.\n"
    assert cli("journal", "restore", "--json").json == {"count": 0, "restored": []}


def test_a_newer_journal_is_not_touched(cli: Cli, shop: Shop) -> None:
    """A line of a newer version stops every command of the work, with what to do."""
    path = journal_of(cli)
    newer = path.read_text().splitlines()[-1].replace('"schema_version":1', '"schema_version":99')
    with path.open("a") as file:
        file.write(newer + "\n")
    before = path.read_bytes()

    ran = cli("task", "rename", shop.alone, "New", *SHOP)

    assert ran.code == 4
    assert "pip install -U noctuary" in ran.err
    assert cli("journal", "verify").code == 4
    assert path.read_bytes() == before


def test_export_and_import_make_two_memories_the_same(cli: Cli, other: Cli, shop: Shop, tmp_path: Path) -> None:
    """Both machines went on; after each has imported the other's lines, they export the same bytes."""
    cli("journal", "export", "-o", tmp_path / "first.jsonl", *SHOP)
    other("journal", "import", tmp_path / "first.jsonl")
    cli("task", "rename", shop.alone, "Here", *SHOP)
    other("task", "open", "There", "--parent", shop.goal, *SHOP)
    cli("journal", "export", "-o", tmp_path / "here.jsonl", *SHOP)
    other("journal", "export", "-o", tmp_path / "there.jsonl", *SHOP)

    added = other("journal", "import", tmp_path / "here.jsonl")
    cli("journal", "import", tmp_path / "there.jsonl")
    again = cli("journal", "import", tmp_path / "there.jsonl", "--json").json

    assert "1 event added, 7 known already." in added.out
    assert again["added"] == 0
    assert cli("journal", "export", *SHOP).out == other("journal", "export", *SHOP).out
    assert cli("tree", *SHOP).out == other("tree", *SHOP).out
    assert cli("journal", "verify").code == other("journal", "verify").code == 0


def test_export_is_of_the_project_or_of_all(cli: Cli, shop: Shop) -> None:
    """One project unless --everywhere; each line is JSON and says nothing of this machine's chain."""
    cli("task", "open", "Grind", "--project", "mill")

    lines = [json.loads(line) for line in cli("journal", "export", *SHOP).out.splitlines()]
    everything = cli("journal", "export", "--everywhere").out.splitlines()

    assert {line["project"] for line in lines} == {"shop"}
    assert not any("prev" in line or "owner" in line for line in lines)
    assert len(everything) == len(lines) + 1
    assert shop.goal in everything[0]


def test_good_lines_are_kept_and_bad_ones_set_aside(cli: Cli, other: Cli, shop: Shop, tmp_path: Path) -> None:
    """Each bad line is told with its number and why, and is in FILE.bad to be mended and imported again."""
    lines = cli("journal", "export", *SHOP).out.splitlines()
    bad = ['{"half', "[]", lines[2].replace('"event_id"', '"id"')]
    file = tmp_path / "lines.jsonl"
    file.write_text("\n".join([*lines[:2], *bad, *lines[3:]]) + "\n")

    ran = other("journal", "import", file)
    answer = other("journal", "import", file, "--json").json
    (tmp_path / "lines.jsonl.bad").write_text(lines[2] + "\n")
    mended = other("journal", "import", tmp_path / "lines.jsonl.bad")

    assert ran.code == 0
    assert all(f"line {number} not read" in ran.out for number in (3, 4, 5))
    assert answer["set_aside_in"] == [str(file) + ".bad"]
    assert [each["number"] for each in answer["bad"]] == [3, 4, 5]
    assert "1 event added" in mended.out
    assert other("journal", "export", *SHOP).out == cli("journal", "export", *SHOP).out
    assert shop.goal in other("tree", *SHOP).out


@pytest.mark.parametrize("content", ["", "\n\n", "hello\n", "[1, 2]\n", '{"a": 1}\n', "\x00" * 100, "{" * 100_000])
def test_lines_of_nobody_are_refused(cli: Cli, tmp_path: Path, content: str) -> None:
    """What no known tool wrote changes nothing, and is one line."""
    file = tmp_path / "odd.jsonl"
    file.write_text(content)

    ran = cli("journal", "import", file)

    assert ran.code == 2
    assert len(ran.err.splitlines()) == 1
    assert cli("journal", "export", "--everywhere").out == ""


def test_lines_of_task_journal(cli: Cli, tmp_path: Path) -> None:
    """A journal of Task-Journal is read as it is: its tasks are ours, under the same ids."""
    events = [
        {"event_id": "01HX0000000000000000000001", "schema_version": "1.0", "task_id": "tj-1", "type": "open",
         "timestamp": "2025-05-01T10:00:00Z", "author": "user", "source": "cli", "text": "Move to SQLite",
         "meta": {"title": "Move to SQLite"}, "refs": {}, "status": "confirmed"},
        {"event_id": "01HX0000000000000000000002", "schema_version": "1.0", "task_id": "tj-1", "type": "finding",
         "timestamp": "2025-05-01T11:00:00Z", "author": "agent", "source": "chat", "text": "Redis is not needed",
         "meta": {}, "refs": {}, "status": "confirmed"},
    ]  # fmt: skip
    (tmp_path / "tj.jsonl").write_text("".join(json.dumps(event) + "\n" for event in events))

    ran = cli("journal", "import", tmp_path / "tj.jsonl", *SHOP)

    assert ran.code == 0, ran.err
    assert "2 events added" in ran.out
    assert "tj-1" in cli("tree", *SHOP).out
    assert "Redis is not needed" in cli("find", "redis", *SHOP).out


def test_issues_of_beads(cli: Cli, tmp_path: Path) -> None:
    """A folder with .beads in it is read: issues are tasks under their ids, and what blocks is what they wait for."""
    issues = [
        {"id": "bd-1", "title": "Schema", "status": "open", "priority": 1, "issue_type": "task",
         "created_at": "2025-05-01T10:00:00Z", "updated_at": "2025-05-01T10:00:00Z"},
        {"id": "bd-2", "title": "Import", "status": "open", "priority": 2, "issue_type": "task",
         "created_at": "2025-05-01T10:00:00Z", "updated_at": "2025-05-01T10:00:00Z",
         "dependencies": [{"issue_id": "bd-2", "depends_on_id": "bd-1", "type": "blocks"}]},
    ]  # fmt: skip
    (tmp_path / "repo" / ".beads").mkdir(parents=True)
    text = "".join(json.dumps(issue) + "\n" for issue in issues) + "{half\n"
    (tmp_path / "repo" / ".beads" / "issues.jsonl").write_text(text)

    first = cli("journal", "import", tmp_path / "repo", *SHOP)
    again = cli("journal", "import", tmp_path / "repo", *SHOP, "--json").json

    assert first.code == 0, first.err
    assert again["added"] == 0
    assert (tmp_path / "repo" / ".beads" / "issues.jsonl.bad").read_text() == "{half\n"
    assert "bd-1" in cli("ready", *SHOP).out
    assert "waits for bd-1" in cli("tree", *SHOP).out


def test_a_pipe_is_a_file(cli: Cli, other: Cli, shop: Shop) -> None:
    """Lines can come through a pipe; bad ones are in the answer."""
    lines = cli("journal", "export", *SHOP).out

    ran = other("journal", "import", "-", "--json", stdin=lines + "{half\n").json

    assert (ran["added"], len(ran["bad"]), ran["set_aside_in"]) == (len(lines.splitlines()), 1, [])
    assert other("tree", shop.goal, *SHOP).code == 0


def test_lines_of_another_project_can_become_ours(cli: Cli, other: Cli, shop: Shop, tmp_path: Path) -> None:
    """Without --foreign lines go to the project they name, with it to this one."""
    cli("journal", "export", "-o", tmp_path / "shop.jsonl", *SHOP)

    other("journal", "import", tmp_path / "shop.jsonl", "--project", "mill", "--foreign")

    assert other("tree", shop.goal, "--project", "mill", "--json").json["branches"][0]["node"]["project"] == "mill"


def test_where_nothing_can_be_written(cli: Cli, shop: Shop, tmp_path: Path) -> None:
    """An export into a folder that is not there is refused in one line."""
    ran = cli("journal", "export", "-o", tmp_path / "nowhere" / "x.jsonl", *SHOP)

    assert ran.code == 2
    assert shop.goal not in ran.out


def test_an_export_for_programs_is_one_document(cli: Cli, shop: Shop, tmp_path: Path) -> None:
    """With --json: the count and the events, which are those of the lines; of a file, where it is and the count."""
    lines = [json.loads(line) for line in cli("journal", "export", *SHOP).out.splitlines()]

    assert cli("journal", "export", *SHOP, "--json").json == {"count": len(lines), "events": lines}
    written = cli("journal", "export", "-o", tmp_path / "shop.jsonl", *SHOP, "--json").json
    assert written == {"file": str(tmp_path / "shop.jsonl"), "count": len(lines)}
    assert shop.goal
