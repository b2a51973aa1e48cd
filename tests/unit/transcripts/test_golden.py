"""Every shape of every agent's transcripts is read as it was written down, once, and whole."""

import os
from pathlib import Path

import pytest

from noctuary import Memory
from noctuary.importing.run import Importer
from noctuary.transcripts.agents import adapters
from noctuary.transcripts.items import Mark, Place, Said
from tests.unit.transcripts.golden_cases import FORMATS, Case, cases, sources, told

each_case = pytest.mark.parametrize("case", cases(), ids=lambda case: f"{case.agent}-{case.name}")


@each_case
def test_is_read_as_written_down(case: Case, tmp_path: Path) -> None:
    """What a transcript says is read word for word, with who said it, when, and what it belongs to."""
    read = told(case, case.laid_out(tmp_path / "home"))

    expected = case.folder / "expected.txt"
    if os.environ.get("NOCTUARY_WRITE_GOLDEN"):
        expected.write_text(read, encoding="utf-8")
    assert read == expected.read_text(encoding="utf-8")


@each_case
def test_an_entry_has_one_name(case: Case, tmp_path: Path) -> None:
    """No two messages of a session have the same uid, and read again each has the one that it had."""
    home = case.laid_out(tmp_path / "home")

    def uids() -> list[tuple[str, str | None]]:
        items = [item for source in sources(case, home) for item in case.adapter.read(source, Place())]
        return [(item.session, item.message.uid) for item in items if isinstance(item, Said)]

    assert len(set(uids())) == len(uids()) > 0
    assert uids() == uids()


@each_case
def test_nothing_is_told_twice(case: Case, tmp_path: Path) -> None:
    """Whoever reads on from where a reading ended is told nothing again."""
    for source in sources(case, case.laid_out(tmp_path / "home")):
        marks = [item for item in case.adapter.read(source, Place()) if isinstance(item, Mark)]
        if marks:
            again = list(case.adapter.read(source, marks[-1].place))
            assert [item for item in again if isinstance(item, Said)] == []


@each_case
def test_is_found_by_its_path(case: Case, tmp_path: Path) -> None:
    """A transcript that somebody names by its path is the one that is found by looking everywhere."""
    home = case.laid_out(tmp_path / "home")

    for source in case.adapter.find(home, {}):
        assert source in list(case.adapter.find_at(source.path, home, {}))


@pytest.mark.slow
@each_case
def test_imported_twice_adds_nothing(case: Case, tmp_path: Path) -> None:
    """An import stores all that is said; a second one finds everything unchanged."""
    home = case.laid_out(tmp_path / "home")
    with Memory.open(tmp_path / "memory", user_home=home) as memory:
        importer = Importer(memory.store, memory.owner, case.formats)
        first = importer.run(sources(case, home))
        second = importer.run(sources(case, home))
        found = memory.import_transcripts()

    assert (first.messages > 0, second.messages, second.sessions) == (True, 0, 0)
    assert second.unchanged + sum(second.skipped.values()) == second.found
    assert (found.messages, found.new, found.grown) == (0, 0, 0)


def test_every_agent_has_a_case() -> None:
    """An adapter without a golden case is not ready."""
    described = {path.stem for folder in FORMATS for path in folder.glob("*.toml")}

    assert {adapter.name for adapter in adapters()} | described == {case.agent for case in cases()}
