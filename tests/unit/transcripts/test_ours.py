"""Our adapters are loaded when there is a sign of their agent, and no sign is forgotten."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from noctuary.transcripts.ours import AGENTS, Agent, Ours, every
from tests.unit.transcripts.golden_cases import Case, cases

FOLDERS = ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "APPDATA")  # of all programs of a user, so they are no sign of one


class Looks:
    """Which folders are listed and which files are opened, as Python tells whoever listens."""

    def __init__(self) -> None:
        self._heard: list[Path] | None = None
        sys.addaudithook(self._hear)

    @contextmanager
    def heard(self) -> Iterator[list[Path]]:
        self._heard = []
        try:
            yield self._heard
        finally:
            self._heard = None

    def _hear(self, event: str, about: tuple[object, ...]) -> None:
        is_look = event in ("os.listdir", "os.scandir", "open")
        if self._heard is not None and is_look and isinstance(about[0], str | Path):
            self._heard.append(Path(about[0]))


LOOKS = Looks()


@pytest.mark.parametrize("agent", AGENTS, ids=[agent.name for agent in AGENTS])
@pytest.mark.parametrize("variable", ["", *FOLDERS])
def test_nothing_is_looked_at_that_has_no_sign(agent: Agent, variable: str, tmp_path: Path) -> None:
    """Else an agent would be passed over that is there: wherever its adapter looks, a sign is there as well."""
    home = tmp_path / "home"
    home.mkdir()
    environ = {variable: str(home / "elsewhere")} if variable else {}
    adapter = Ours(*agent).adapter
    with LOOKS.heard() as heard:
        list(adapter.find(home, environ))

    looked = {path for path in heard if path.is_relative_to(home) and path != home}
    without = {path for path in looked if not _has_sign(agent, path, home, environ)}
    assert not without


def _has_sign(agent: Agent, path: Path, home: Path, environ: dict[str, str]) -> bool:
    """Whether a sign is there once the path is."""
    path.mkdir(parents=True, exist_ok=True)
    try:
        return agent.signs.are_there(home, environ)
    finally:
        for each in (path, *path.parents):
            if each == home:
                break
            if not any(each.iterdir()):
                each.rmdir()


@pytest.mark.parametrize("agent", AGENTS, ids=[agent.name for agent in AGENTS])
def test_variables_are_those_of_the_page(agent: Agent) -> None:
    """A variable that the page of formats names for an agent is a sign of it, if it does not name folders of all."""
    page = (Path(__file__).parents[3] / "docs" / "formats.md").read_text(encoding="utf-8")
    [row] = [line for line in page.splitlines() if line.startswith(f"| `{agent.name}` |")]
    named = {word.strip("`") for word in row.rsplit("|", 2)[1].replace(",", " ").split()}

    assert named - set(FOLDERS) <= set(agent.signs.variables)


OF_OURS = [case for case in cases() if case.agent in {agent.name for agent in AGENTS}]


@pytest.mark.parametrize("case", OF_OURS, ids=lambda case: f"{case.agent}-{case.name}")
def test_what_is_there_is_found(case: Case, tmp_path: Path) -> None:
    """With signs or without, the same transcripts are found."""
    home = case.laid_out(tmp_path / "home")
    [ours] = [each for each in every() if each.name == case.agent]

    assert list(ours.find(home, {})) == list(ours.adapter.find(home, {}))


def test_names_and_uids_are_those_of_the_adapters() -> None:
    """What is said of an adapter before it is loaded is what it says itself."""
    told = [(each.name, each.globally_unique) for each in every()]

    assert told == [(each.adapter.name, each.adapter.globally_unique) for each in every()]


def test_an_agent_that_is_not_there_is_not_loaded(tmp_path: Path) -> None:
    """An import that has nothing to do loads no adapter."""
    looks = "from pathlib import Path; import sys; from noctuary.transcripts.agents import adapters; "
    looks += "found = [list(each.find(Path(sys.argv[1]), {})) for each in adapters()]; print(*sys.modules, sep='\\n')"
    ran = subprocess.run([sys.executable, "-c", looks, str(tmp_path)], check=True, capture_output=True, text=True)

    modules = {agent.made_by.partition(".")[0] for agent in AGENTS}
    assert not {f"noctuary.transcripts.{module}" for module in modules} & set(ran.stdout.split())
