"""`make docs`: run the commands in the `console` blocks of our pages, and write down what they say.

A block is commands that begin with `$ ` and what each of them prints.  Those that begin with `$ noctuary` or `$ cat`
are run, in the order of the page, by a user whose home folder is the sample home and, unless the page itself begins
with `noctuary import`, has been imported.  The folder that the sample's sessions ran in is there, a repository without
a commit.  `# exit N` at the end of a command is the exit code that it must have.

Ids of tasks, entries and memories are made by chance, and so are digests of what names them.  Those that a page shows
stay as they are: each stands for the one that was made at its place this time, in what is printed and in the commands
that follow.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from scripts.console import Shown, on_terminal

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
HOME_SHOWN = "/home/ana"
RUN = ("noctuary ", "cat ")  # what a command that is run begins with
REMOTE = "https://git.example.org/ana/shop.git"
_BLOCK = re.compile(r"(?<=^```console\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)
_EXIT = re.compile(r"\s+# exit (\d+)$")
_ID = re.compile(
    r"\b(?:(?:g|t|d|o|oc|ob|r|m|ws)-[0-9a-z]{10}|01[0-9A-HJKMNP-TV-Z]{24}|(?<=noctuary:begin )[0-9a-f]{16}"
    r"|e-[0-9a-hjkmnp-tv-z]{8}|(?<=sum=\")[0-9a-f]{16})\b"
)


class Home:
    """A copy of the sample home, in which commands are run as Ana would run them."""

    def __init__(self, folder: Path, page: str) -> None:
        """Make it below the folder, ready for the commands of the page."""
        self.folder = folder / "ana"
        shutil.copytree(ROOT / "samples" / "home", self.folder)
        self.project = self.folder / "code" / "shop"
        self._make_project()
        self.ids: dict[str, str] = {}  # those of the page, and what they are this time
        first = next((command for block in blocks(page) for command, _ in told(block)), "")
        if not first.startswith("noctuary import"):
            self.run("noctuary import")

    def _make_project(self) -> None:
        """Let the sessions have run in a repository of this home."""
        (self.project / "tests").mkdir(parents=True)
        (self.project / "tests" / "test_cart.py").touch()
        for step in (("init", "--quiet", "--initial-branch=main"), ("remote", "add", "origin", REMOTE)):
            subprocess.run(["git", *step], cwd=self.project, env=self.environ, check=True)
        for transcript in self.folder.rglob("*.jsonl"):
            told = transcript.read_text(encoding="utf-8")
            here = told.replace(f'"cwd":"{HOME_SHOWN}', f'"cwd":"{self.folder}')
            transcript.write_text(here, encoding="utf-8")

    @property
    def environ(self) -> dict[str, str]:
        """Ana's environment; nothing of ours."""
        ours = {"HOME": str(self.folder), "USER": "ana", "TERM": "xterm", "NO_COLOR": "1"}
        return {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT / "src"), **ours}

    def run(self, command: str, output: str = "") -> Shown:
        """Run one command line; what it prints, as Ana sees it, with the ids that the page's output has."""
        meant = _ID.sub(lambda found: self.ids.get(found[0], found[0]), _EXIT.sub("", command))
        program, *arguments = shlex.split(meant)
        shown = self._cat(*arguments) if program == "cat" else on_terminal(arguments, self.environ, self.project)
        lines = (shown.text + shown.errors).replace(str(self.folder), HOME_SHOWN).split("\n")
        return shown._replace(text=self._as_on_page("\n".join(line.rstrip() for line in lines), output))

    def _cat(self, name: str) -> Shown:
        path = self.project / name.replace("~", str(self.folder), 1)
        return Shown(path.read_text(encoding="utf-8"), "", 0)

    def _as_on_page(self, text: str, output: str) -> str:
        """The text, with the ids of the page for those made this time; those of a kind are matched in their order."""
        made = {real: shown for shown, real in self.ids.items()}
        fresh = [name for name in dict.fromkeys(_ID.findall(text)) if name not in made]
        unmatched = [name for name in dict.fromkeys(_ID.findall(output)) if name not in self.ids]
        for kind in dict.fromkeys(map(_kind, fresh)):
            alike = [[name for name in names if _kind(name) == kind] for names in (unmatched, fresh)]
            for shown, real in zip(*alike, strict=False):
                self.ids[shown], made[real] = real, shown
        return _ID.sub(lambda found: made.get(found[0], found[0]), text)


def _kind(name: str) -> str:
    """Of what kind a thing is, by its id: those of memories, of tasks, of entries, of runs, and digests."""
    return name.partition("-")[0] if "-" in name else str(len(name))


def expected_code(command: str) -> int:
    """The exit code that a command line of a page says it has."""
    said = _EXIT.search(command)
    return int(said[1]) if said else 0


def blocks(page: str) -> list[str]:
    """The console blocks of a page."""
    return _BLOCK.findall(page)


def told(block: str) -> Iterator[tuple[str, str]]:
    """The commands of a block, each with what stands below it."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield command, output


def rewritten(page: str, home: Home) -> str:
    """The page with what its commands print now; a command that ends otherwise than it says stops this."""
    return _BLOCK.sub(
        lambda block: "\n".join(_again(command, output, home) for command, output in told(block[0])), page
    )


def _again(command: str, output: str, home: Home) -> str:
    if command.startswith(RUN):
        shown = home.run(command, output)
        if shown.code != expected_code(command):
            sys.exit(f"{command}: exit code {shown.code}, expected {expected_code(command)}\n{shown.text}")
        output = shown.text
    return f"$ {command}\n{output.rstrip()}\n" if output.strip() else f"$ {command}\n"


def main() -> None:
    """Rewrite every page that has console blocks."""
    for path in PAGES:
        page = path.read_text(encoding="utf-8")
        if blocks(page):
            with tempfile.TemporaryDirectory() as folder:
                path.write_text(rewritten(page, Home(Path(folder), page)), encoding="utf-8")
            print(f"Wrote {path.name}.")


if __name__ == "__main__":
    main()
