"""What the golden cases of Goose cannot show: change, both stores at once, and where they are."""

import json
import shutil
from pathlib import Path

import pytest

from noctuary.records import Role
from noctuary.transcripts.goose import Goose
from noctuary.transcripts.items import Place, Said, Skipped
from tests.unit.importing.machine import said
from tests.unit.transcripts.foreign_homes import change, counts, home_of, imports, read_twice, taken_back, texts

SESSIONS = Path(".local/share/goose/sessions")
DATABASE = SESSIONS / "sessions.db"
LINES = SESSIONS / "20250310_142533.jsonl"
TEXT = '[{"type":"text","text":"%s"}]'


def test_only_what_is_new_is_told(tmp_path: Path) -> None:
    """A message that was added is told; when Goose writes all of a session anew, nothing is."""
    home = home_of("goose", "database", tmp_path)

    items = read_twice(
        Goose(),
        home,
        home / DATABASE,
        f"""create table kept as select * from messages; delete from messages;
        insert into messages select null, 'new_' || message_id, session_id, role, content_json, created_timestamp,
          timestamp, tokens, metadata_json from kept order by id;
        insert into messages (session_id, role, content_json, created_timestamp)
          values ('20260301_2', 'assistant', '{TEXT % "Wait, one."}', 1772355640)""",
    )

    assert (texts(items), taken_back(items)) == (["Wait, one."], 0)


def test_a_session_in_both_stores_is_told_once(tmp_path: Path) -> None:
    """Goose takes its old files over into its database, under the same names, and leaves them where they were."""
    home = home_of("goose", "lines", tmp_path)
    with imports(tmp_path) as memory:
        first = memory.import_transcripts()
        take_over(home)
        second = memory.import_transcripts()

    assert first.messages == 4
    assert counts(second) == (0, 0)
    assert [source.path for source in Goose().find(home, {})] == [home / DATABASE]


def take_over(home: Path) -> None:
    """As Goose does when it first has a database."""
    change(
        home / DATABASE,
        """create table sessions (id text primary key, description text, working_dir text, created_at timestamp,
          updated_at timestamp);
        create table messages (id integer primary key, session_id text, role text, content_json text,
          created_timestamp integer);
        insert into sessions values ('20250310_142533', '', '/home/ana/code/shop', '2025-03-10 14:25:33', '')""",
    )
    for line in (home / LINES).read_text().splitlines()[1:5]:
        record = json.loads(line)
        values = (record["role"], json.dumps(record["content"]), record["created"])
        change(home / DATABASE, "insert into messages values (null, '20250310_142533', ?, ?, ?)", *values)


def test_a_file_that_is_written_anew_tells_what_is_new(tmp_path: Path) -> None:
    """Goose writes the whole file at every turn."""
    home = home_of("goose", "lines", tmp_path)
    with imports(tmp_path) as memory:
        memory.import_transcripts()
        kept = (home / LINES).read_text().splitlines()[:5]
        kept[0] = '{"working_dir":"/home/ana/code/shop","description":"Sessions","message_count":5}'
        kept.append(f'{{"role":"user","created":1741616740,"content":{TEXT % "Danke!"}}}')
        (home / LINES).write_text("\n".join(kept) + "\n")
        second = memory.import_transcripts()
        title = memory.session("20250310_142533").title

    assert counts(second) == (1, 0)
    assert title == "Sessions"


def test_a_variable_names_the_root(tmp_path: Path) -> None:
    """Everything of Goose may be below one folder; then nothing is looked for elsewhere."""
    home = home_of("goose", "database", tmp_path)
    root = tmp_path / "root/data/sessions"
    root.mkdir(parents=True)
    shutil.copy(home / DATABASE, root / "sessions.db")

    found = Goose().find(home, {"GOOSE_PATH_ROOT": str(tmp_path / "root")})

    assert [source.path for source in found] == [root / "sessions.db"]


def test_it_is_found_on_windows(tmp_path: Path) -> None:
    """There Goose is a program of Block."""
    folder = tmp_path / "AppData/Roaming/Block/goose/data/sessions"
    folder.mkdir(parents=True)
    change(folder / "sessions.db", "create table sessions (id text)")

    assert [source.path for source in Goose().find(tmp_path, {})] == [folder / "sessions.db"]


@pytest.mark.parametrize("lines", ['{"type":"summary"}\n', "# Notes\n", "[1]\n"])
def test_a_file_of_another_kind_says_nothing(tmp_path: Path, lines: str) -> None:
    """What lies at the place but is of another program is told as that."""
    path = tmp_path / LINES
    path.parent.mkdir(parents=True)
    path.write_text(lines)
    [source] = Goose().find(tmp_path, {})

    assert list(Goose().read(source, Place())) == [Skipped(line=1, reason="not a session of Goose")]


def test_a_database_of_another_kind_says_nothing(tmp_path: Path) -> None:
    """A database without messages of Goose is told as that."""
    (tmp_path / SESSIONS).mkdir(parents=True)
    change(tmp_path / DATABASE, "create table sessions (id text)")
    [source] = Goose().find(tmp_path, {})

    assert list(Goose().read(source, Place())) == [Skipped(line=1, reason="not a database of Goose")]


def fork(path: Path, of: str, name: str, began: str, prompt: str) -> None:
    """Goose copies a session, and the user goes on in the copy."""
    columns = "role, content_json, created_timestamp, timestamp, tokens, metadata_json"
    change(
        path,
        f"""insert into sessions select '{name}', name || ' (copy)', description, user_set_name, session_type,
          working_dir, '{began}', '{began}', extension_data, provider_name, model_config_json, null
          from sessions where id = '{of}';
        insert into messages (message_id, session_id, {columns})
          select '{name}' || id, '{name}', {columns} from messages where session_id = '{of}' order by id;
        insert into messages (session_id, role, content_json, created_timestamp)
          values ('{name}', 'user', '{TEXT % prompt}', unixepoch('{began}') + 5)""",
    )


def test_what_a_fork_repeats_is_stored_with_the_original(tmp_path: Path) -> None:
    """A copy keeps its time, by which it is known; a fork of a fork repeats both."""
    home = home_of("goose", "database", tmp_path)
    fork(home / DATABASE, "20260301_1", "20260302_1", "2026-03-02 09:00:00", "In cents, then.")
    with imports(tmp_path) as memory:
        first = memory.import_transcripts()
        fork(home / DATABASE, "20260302_1", "20260303_1", "2026-03-03 09:00:00", "Or in mills?")
        second = memory.import_transcripts()
        told = {name: said(memory, name) for name in ("20260302_1", "20260303_1")}
        parents = [memory.session(name).parent for name in told]

    assert told == {"20260302_1": ["In cents, then."], "20260303_1": ["Or in mills?"]}
    assert parents == ["20260301_1", "20260302_1"]
    assert (first.repeated, second.repeated > first.repeated > 4, second.messages) == (first.repeated, True, 1)


def test_a_fork_is_still_typed_by_a_person(tmp_path: Path) -> None:
    """It has a parent, as sessions of sub-agents have, and yet nobody delegated anything."""
    home = home_of("goose", "database", tmp_path)
    fork(home / DATABASE, "20260301_1", "20260302_1", "2026-03-02 09:00:00", "In cents, then.")
    [source] = Goose().find(home, {})

    last = [item.message for item in Goose().read(source, Place()) if isinstance(item, Said)][-1]

    assert (last.content, last.role) == ("In cents, then.", Role.USER)
