"""What the golden cases of Crush cannot show: change, and where its databases are."""

import json
import shutil
from pathlib import Path

import pytest

from noctuary.transcripts.crush import Crush
from noctuary.transcripts.items import Facts, Place, Skipped
from tests.unit.transcripts.foreign_homes import change, home_of, read_twice, taken_back, texts

DATABASE = Path("code/shop/.crush/crush.db")


def test_only_what_is_new_is_told(tmp_path: Path) -> None:
    """A message that was added is told, and nothing else."""
    home = home_of("crush", "repository", tmp_path)

    items = read_twice(
        Crush(),
        home,
        home / DATABASE,
        """insert into messages (id, session_id, role, parts, created_at, updated_at)
        values ('m8', 's1', 'user', '[{"type":"text","data":{"text":"Fix it."}}]', 1772355700, 1772355700)""",
    )

    assert (texts(items), taken_back(items)) == (["Fix it."], 0)


def test_an_answer_that_was_still_written_is_replaced(tmp_path: Path) -> None:
    """A message that grew is told anew, though nothing else of its session changed; those beside it are not."""
    home = home_of("crush", "repository", tmp_path)

    items = read_twice(
        Crush(),
        home,
        home / DATABASE,
        "update messages set parts = replace(parts, 'Let me look.', 'Let me look at it.') where id = 'm2'",
    )

    assert texts(items)[:2] == ["Rounding, probably.", "Let me look at it."]
    assert (len(texts(items)), taken_back(items)) == (5, 5)


def test_the_folders_that_crush_knows_are_looked_at(tmp_path: Path) -> None:
    """A project may be anywhere: Crush has a list of them, also of those whose data is elsewhere."""
    home = home_of("crush", "repository", tmp_path)
    far, data = tmp_path / "srv/shop", tmp_path / "srv/data"
    shutil.move(home / DATABASE.parent, far / ".crush")
    shutil.copytree(far / ".crush", data)
    projects = [{"path": str(far), "data_dir": str(far / ".crush")}, {"path": "/srv/other", "data_dir": str(data)}]
    projects += [{"path": str(far)}, {"path": "relative"}, {"path": "/srv/\0"}]
    listed = home / ".local/share/crush/projects.json"
    listed.parent.mkdir(parents=True)
    listed.write_text(json.dumps({"projects": [*projects, "odd"]}))

    found = list(Crush().find(home, {}))

    assert [source.path for source in found] == [far / ".crush/crush.db", data / "crush.db"]
    facts = [next(i for i in Crush().read(source, Place()) if isinstance(i, Facts)) for source in found]
    assert [each.cwd for each in facts] == [str(far), None]


def test_a_variable_names_the_folder_of_the_list(tmp_path: Path) -> None:
    """The list is where the data of Crush is."""
    home = home_of("crush", "repository", tmp_path)
    shutil.move(home / DATABASE.parent, tmp_path / "srv/.crush")
    (tmp_path / "projects.json").write_text(json.dumps({"projects": [{"path": str(tmp_path / "srv")}]}))

    found = Crush().find(home, {"CRUSH_GLOBAL_DATA": str(tmp_path)})

    assert [source.path for source in found] == [tmp_path / "srv/.crush/crush.db"]


@pytest.mark.parametrize("listed", ["", "[]", '{"projects":7}', '{"projects":[{"path":7}]}'])
def test_a_list_of_any_shape_is_no_problem(tmp_path: Path, listed: str) -> None:
    """Without a list the usual folders are still looked at."""
    home = home_of("crush", "repository", tmp_path)
    path = home / ".local/share/crush/projects.json"
    path.parent.mkdir(parents=True)
    path.write_text(listed)

    assert [source.path for source in Crush().find(home, {})] == [home / DATABASE]


def test_a_database_of_another_kind_says_nothing(tmp_path: Path) -> None:
    """What lies at the place but is of another program is told as that."""
    (tmp_path / ".crush").mkdir()
    change(tmp_path / ".crush/crush.db", "create table messages (id text)")
    [source] = Crush().find(tmp_path, {})

    assert list(Crush().read(source, Place())) == [Skipped(line=1, reason="not a database of Crush")]


@pytest.mark.parametrize("parts", ["{}", "[7]", '[{"type":"text","data":{"text":7}}]', '[{"type":"tool_result"}]', "x"])
def test_parts_of_any_shape_cost_only_themselves(tmp_path: Path, parts: str) -> None:
    """Fields of the wrong type count as absent."""
    home = home_of("crush", "repository", tmp_path)
    change(home / DATABASE, "update messages set parts = ? where id = 'a1'", parts)
    [source] = Crush().find(home, {})

    assert texts(list(Crush().read(source, Place())))[-1] == "There are none."
