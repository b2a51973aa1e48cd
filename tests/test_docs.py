"""Documentation that cannot rot: commands in our pages are run, and what they show is what they print."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from noctuary.doors.cli import main as noctuary
from noctuary.version import VERSION
from scripts.reference import REFERENCE, WIDTH, commands, reference
from scripts.transcripts import PAGES, ROOT, RUN, Home, blocks, expected_code, told

MARKDOWN = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
README = (ROOT / "README.md").read_text(encoding="utf-8")
# The glossary of the design, as far as it is built, and the rest of it.
WORDS = {
    *("owner", "project", "session", "message", "hit", "door", "event", "journal", "node", "edge", "a memory"),
    *("pack", "handoff", "memory.md", "dream", "run", "brief"),
}
WORDS_TO_COME: set[str] = set()
each_page = pytest.mark.parametrize("path", MARKDOWN, ids=lambda path: path.relative_to(ROOT).as_posix())
each_shown = pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())


def code_blocks(page: str, language: str) -> list[str]:
    """What stands in the page's blocks of this language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)


def comparable(text: str) -> list[str]:
    """The lines of an output, but for numbers: scores and sizes change with time and with SQLite's version."""
    return [re.sub(r"\d+([.,]\d+)*", "0", line).strip() for line in text.splitlines() if line.strip()]


def test_reference_is_up_to_date() -> None:
    """The reference is what `--help` says; `make docs` writes it again."""
    assert REFERENCE.read_text(encoding="utf-8") == reference(), "run: make docs"


def test_the_reference_is_what_commands_print() -> None:
    """Whoever types a command with `--help` reads what stands in the reference, from the usage to the last option."""
    page = REFERENCE.read_text(encoding="utf-8")
    for path, _ in commands(noctuary, ("noctuary",)):
        printed = CliRunner().invoke(noctuary, [*path[1:], "--help"], prog_name="noctuary", terminal_width=WIDTH)

        assert f"## `{' '.join(path)}`\n\n```text\n{printed.stdout}```\n" in page


def test_every_command_is_documented() -> None:
    """Each command has a section in the reference, a line in the README, and help with an example."""
    page = REFERENCE.read_text(encoding="utf-8")
    for path, command in commands(noctuary, ("noctuary",)):
        name = " ".join(path)

        assert f"## `{name}`" in page
        assert f"`{name}" in README
        assert command.help
        assert f"    {name}" in page, f"{name} has no example in its help"


def test_every_option_has_help() -> None:
    """Nobody has to guess what an option does."""
    silent = [
        f"{' '.join(path)} {parameter.opts[0]}"
        for path, command in commands(noctuary, ("noctuary",))
        for parameter in command.params
        if parameter.param_type_name == "option" and not getattr(parameter, "help", None)
    ]

    assert silent == []


def test_readme_begins_with_demo_and_test() -> None:
    """The first two commands that a newcomer sees are those that show it and those that test it."""
    lines = [line.split("#")[0].strip() for block in code_blocks(README, "sh") for line in block.splitlines()]

    assert lines[:2] == ["make demo", "make test"]
    assert README.index("make demo") < README.index("noctuary import")


@pytest.mark.parametrize("target", ["demo", "test", "test-quick", "coverage", "docs", "bench", "install", "clean"])
def test_make_has_what_pages_speak_of(target: str) -> None:
    """Every `make` command of our pages exists."""
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)


def test_ci_is_make_test() -> None:
    """What CI runs is what everybody can run."""
    script = ROOT / ".ci" / "run"

    assert "make test" in script.read_text(encoding="utf-8")
    assert os.access(script, os.X_OK)


@each_shown
def test_console_blocks_show_what_commands_print(path: Path, tmp_path: Path) -> None:
    """Commands run, end as the page says, and print what it shows; `make docs` writes it again."""
    page = path.read_text(encoding="utf-8")
    home = Home(tmp_path, page)
    for command, output in (each for block in blocks(page) for each in told(block)):
        if command.startswith(RUN):
            shown = home.run(command, output)

            assert shown.code == expected_code(command), shown.text
            assert comparable(shown.text) == comparable(output), f"{command}: run make docs"


@each_shown
def test_shell_blocks_run(path: Path, tmp_path: Path) -> None:
    """Every line `noctuary …` in a shell block is a command that works on the sample home."""
    lines = [line for block in code_blocks(path.read_text(encoding="utf-8"), "sh") for line in block.splitlines()]
    ours = [line for line in lines if line.startswith("noctuary ")]
    home = Home(tmp_path, "")
    for line in ours:
        shown = home.run(shlex.join(shlex.split(line, comments=True)))

        assert shown.code == 0, f"{line}: {shown.text}"


@each_shown
def test_python_blocks_run(path: Path, tmp_path: Path) -> None:
    """Programs in our pages work as they are written, on the sample home."""
    home = Home(tmp_path, "")
    for program in code_blocks(path.read_text(encoding="utf-8"), "python"):
        ran = subprocess.run(
            [sys.executable, "-c", program], env=home.environ, capture_output=True, text=True, check=False, timeout=60
        )

        assert ran.returncode == 0, ran.stderr
        assert ran.stdout.strip(), "prints nothing"


@each_page
def test_links_lead_somewhere(path: Path) -> None:
    """A link to a file of ours names one that exists, and a link into a page names one of its headings."""
    text = re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if link.startswith(("http://", "https://")):
            continue
        file, _, heading = link.partition("#")
        target = (path.parent / file).resolve() if file else path

        assert target.exists(), f"{path.name} links to {link}"
        if heading:
            assert heading in anchors(target), f"{path.name} links to {link}"


def anchors(page: Path) -> set[str]:
    """What the headings of a page are linked by."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@each_page
def test_one_sentence_a_line(path: Path) -> None:
    """A change to a sentence shows as a change to a line."""
    text = re.sub(r"^```.*?^```$|^\|.*$|`[^`]*`", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    crowded = [line for line in text.splitlines() if re.search(r"[a-z)][.!?] +[A-Z]", line)]

    assert crowded == []


def test_glossary_has_every_word() -> None:
    """The words of the design are explained once, in one place."""
    page = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    used, _, to_come = page.partition("## Words of parts to come")

    assert {word.lower() for word in re.findall(r"^- \*\*(.+?)\*\*:", used, re.MULTILINE)} >= WORDS
    explained = {word.lower().removeprefix("a ") for word in re.findall(r"^- \*\*(.+?)\*\*:", to_come, re.MULTILINE)}
    assert explained >= WORDS_TO_COME


def test_changelog_has_this_version() -> None:
    """Whoever installs a version can read what is in it."""
    page = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")

    assert re.search(rf"^## \[{re.escape(VERSION)}\] - (Unreleased|\d{{4}}-\d\d-\d\d)$", page, re.MULTILINE)


def test_every_decision_is_listed() -> None:
    """The list of decisions leads to each of them."""
    folder = ROOT / "docs" / "decisions"
    page = (folder / "README.md").read_text(encoding="utf-8")
    unlisted = [path.name for path in folder.glob("[0-9]*.md") if f"]({path.name})" not in page]

    assert unlisted == []
