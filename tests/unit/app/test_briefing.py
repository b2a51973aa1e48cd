"""The brief through the library, and as the file that hooks read."""

import os
import stat
from pathlib import Path

import pytest

from noctuary import bearing, brief_file
from noctuary.app import Memory
from noctuary.app.briefing import write_brief_file
from noctuary.brief.page import MOST_CHARACTERS
from noctuary.errors import NotFound
from noctuary.fences import without_fenced
from noctuary.forgetting import Forgotten
from noctuary.records import Message, Role, Session
from tests.unit.brief.shop import SHOP, note, opened, talk

pytestmark = pytest.mark.slow


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that is a project."""
    made = tmp_path / "shop"
    made.mkdir()
    return made


def read(memory: Memory, folder: Path, owner: str = "") -> brief_file.BriefFile:
    """The brief for a folder, as a hook reads it."""
    found = brief_file.read(brief_file.path_of(str(memory.settings.home), owner, str(folder)))
    assert found is not None
    return found


def test_a_memory_tells_its_brief(tmp_path: Path) -> None:
    """As a text, and as a record of its lines; by the name of the project or the end of it, and None is everywhere."""
    with opened(tmp_path) as memory:
        kept = memory.work(SHOP).remember("Prices are whole cents.", kind="constraint")
        brief = memory.briefing(SHOP)

        assert brief.text == memory.brief(SHOP) == memory.brief("shop")
        assert [line.id for line in brief.lines] == [kept.id]
        assert memory.brief("/elsewhere") == memory.brief(None) == ""
        assert memory.why_told(kept.id, SHOP).id == kept.id
        with pytest.raises(NotFound):
            memory.why_told("never said", SHOP)


def test_a_folder_is_told_the_brief_of_its_project(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By default the one that the program runs in; folders below it are of the same repository."""
    (folder / ".git").mkdir()
    (folder / "src").mkdir()
    with opened(tmp_path) as memory:
        memory.work(str(folder)).remember("Prices are whole cents.")
        monkeypatch.chdir(folder / "src")

        assert "cents" in memory.brief()
        assert memory.brief() == memory.brief("..") == memory.brief("./")


def test_what_others_wrote_to_the_journal_is_told(tmp_path: Path) -> None:
    """Also if this process has not read it yet."""
    with opened(tmp_path) as memory, opened(tmp_path) as other:
        assert memory.brief(SHOP) == ""
        other.work(SHOP).remember("Prices are whole cents.")

        assert "cents" in memory.brief(SHOP)


def test_a_journal_that_cannot_be_read_leaves_what_is_known(tmp_path: Path) -> None:
    """The tables know the rest, and the doctor says what is wrong."""
    with opened(tmp_path) as memory:
        memory.work(SHOP).remember("Prices are whole cents.")
        memory.ledger.journal(SHOP).path.write_text("", encoding="utf-8")

        assert "cents" in memory.brief(SHOP)


def test_the_file_of_a_brief(tmp_path: Path, folder: Path) -> None:
    """It holds the same text, is for its owner only, and is fresh until something is written down."""
    with opened(tmp_path) as memory:
        memory.work(str(folder)).remember("Prices are whole cents.")
        path = write_brief_file(memory, "", str(folder))
        before = read(memory, folder)

        assert before.text == memory.brief(str(folder))
        assert (before.is_fresh, before.made_ms) == (True, memory.clock.now_ms())
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        memory.work(str(folder)).remember("Taxes are rounded per line.")
        assert not read(memory, folder).is_fresh
        write_brief_file(memory, "", str(folder))
        assert read(memory, folder).is_fresh
        assert "Taxes" in read(memory, folder).text
        assert sorted(each.name for each in path.parent.iterdir()) == [path.name, f"{path.name}.recall"]


def test_what_makes_a_file_outdated(tmp_path: Path, folder: Path) -> None:
    """What holds everywhere, the first word about the project, and other settings; not what others do elsewhere."""
    with opened(tmp_path) as memory:
        for change, is_fresh in (
            (lambda: memory.work("/elsewhere").remember("Nothing of ours."), True),
            (lambda: memory.work(str(folder)).remember("The first."), False),
            (lambda: memory.work(str(folder)).remember("Of all.", everywhere=True), False),
            (lambda: (memory.settings.home / "config.toml").write_text("", encoding="utf-8"), False),
        ):
            write_brief_file(memory, "", str(folder))
            change()

            assert read(memory, folder).is_fresh is is_fresh


def test_a_file_of_nothing_says_so(tmp_path: Path, folder: Path) -> None:
    """A hook that finds it need not ask again."""
    with opened(tmp_path) as memory:
        write_brief_file(memory, "", str(folder))

        assert (read(memory, folder).text, read(memory, folder).is_fresh) == ("", True)


def test_each_owner_has_a_file(tmp_path: Path, folder: Path) -> None:
    """A hook that was told whose memory it serves reads that one's."""
    with opened(tmp_path) as memory:
        memory.work(str(folder)).remember("Prices are whole cents.")
        write_brief_file(memory, "ana", str(folder))

        assert "cents" in read(memory, folder, "ana").text
        assert brief_file.read(brief_file.path_of(str(memory.settings.home), "", str(folder))) is None


def test_a_file_is_never_longer_than_a_hook_may_tell(tmp_path: Path, folder: Path) -> None:
    """However much there is."""
    with opened(tmp_path) as memory:
        for number in range(150):
            note(memory, "decision", f"Decision {number}: {os.urandom(60).hex()}", project=str(folder))
        write_brief_file(memory, "", str(folder))
        text = read(memory, folder).text

        assert 7_000 < len(text) <= MOST_CHARACTERS
        assert not without_fenced(text).strip()


def test_what_is_forgotten_is_in_no_file(tmp_path: Path, folder: Path) -> None:
    """Forgetting removes the files of briefs at once; the next that is made knows nothing of it."""
    with opened(tmp_path) as memory:
        memory.add_session(
            Session(id="s-1", project=str(folder), title="The zeppelin"),
            [Message(role=Role.USER, content="The zeppelin", ts_ms=memory.clock.now_ms())],
        )
        write_brief_file(memory, "", str(folder))
        assert "zeppelin" in read(memory, folder).text
        memory.forget(Forgotten(session="s-1"))

        assert list((memory.settings.home / brief_file.FOLDER).iterdir()) == []
        write_brief_file(memory, "", str(folder))
        assert read(memory, folder).text == ""


def test_a_memory_that_is_forgotten_is_in_no_file(tmp_path: Path, folder: Path) -> None:
    """A hook may print a brief that is not of today, and holds prompts against the file beside it."""
    with opened(tmp_path) as memory:
        kept = memory.work(str(folder)).remember("The zeppelin is red.")
        write_brief_file(memory, "", str(folder))
        assert "zeppelin" in read(memory, folder).text
        memory.dreams.forget(kept.id, str(folder))

        assert list((memory.settings.home / brief_file.FOLDER).iterdir()) == []


def test_prompts_are_held_against_the_file_beside_it(tmp_path: Path, folder: Path) -> None:
    """What was rejected bears on a prompt that wants it again."""
    with opened(tmp_path) as memory:
        talk(memory, "s-1", "Sessions")
        note(memory, "rejection", "Redis for the sessionstore: one more server", session="s-1", project=str(folder))
        write_brief_file(memory, "", str(folder))
        content = Path(brief_file.recall_path_of(str(memory.settings.home), "", str(folder))).read_bytes()
        hits = bearing.bearing_on(content, "add Redis as the sessionstore", session="s-2", told=())

        assert [hit.kind for hit in hits] == ["rejection"]


@pytest.mark.parametrize("verb", ["retract", "correct", "supersede", "retire", "reject"])
def test_what_holds_no_longer_is_recalled_at_no_prompt(tmp_path: Path, folder: Path, verb: str) -> None:
    """Whoever takes an entry back is not told it a minute later, before any sweep."""
    with opened(tmp_path) as memory:
        work = memory.work(str(folder))
        kept = work.remember("Redis is the sessionstore.", kind="decision", suggested=verb == "reject")
        write_brief_file(memory, "", str(folder))
        recalled = Path(brief_file.recall_path_of(str(memory.settings.home), "", str(folder)))
        assert recalled.exists()

        match verb:
            case "retract":
                work.retract(kept.event)
            case "correct":
                work.correct(kept.event, "SQLite is the sessionstore.")
            case "supersede":
                work.supersede(kept.id, "SQLite is the sessionstore.")
            case "retire":
                work.retire(kept.id)
            case "reject":
                memory.dreams.reject(kept.event)

        assert not recalled.exists()
        write_brief_file(memory, "", str(folder))
        assert b"Redis" not in recalled.read_bytes()


def test_on_a_server_every_session_asks_for_a_new_brief(tmp_path: Path, folder: Path, postgres_url: str) -> None:
    """What another machine wrote there no file tells, so the one that there is counts as old; it is true so far."""
    with opened(tmp_path) as here:
        settings, clock = here.settings._replace(database_url=postgres_url), here.clock
    with Memory.from_settings(settings, clock) as memory:
        memory.work(str(folder)).remember("Prices are whole cents.")
        write_brief_file(memory, "", str(folder))

        assert "cents" in read(memory, folder).text
        assert not read(memory, folder).is_fresh
