"""`make demo`: import what is on this machine, or else the sample home, answer three searches, and dream.

The memory of the demo is a folder of its own, made anew each time; the user's own memory is not touched.
"""

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from noctuary import Memory
from noctuary.records import Relation, Session

HOME = Path("var/demo")
SAMPLES = Path("samples/home")
SAMPLE_QUESTIONS = ("why did we drop redis?", "flaky tax test", "端数処理")
WORDS_OF_TITLE = 8
NEXT = {
    "make install EXTRAS=http": "put the command `noctuary` into ~/.local/bin, with the page",
    f"noctuary serve --home {HOME} --open": "look at this demo in a browser",
    "noctuary import": "keep your own conversations, in your own memory",
    'noctuary search "what you remember"': "find what was said",
    "noctuary dream": "recover what nobody wrote down, into MEMORY.md",
    "noctuary --help": "everything else; or read docs/quickstart.md",
}
MOST_DREAMT = "20"  # sessions: a look, not a night


def main() -> None:
    """Run the demo in the folder of the repository."""
    os.chdir(Path(__file__).parents[1])
    shutil.rmtree(HOME, ignore_errors=True)
    with Memory.open(HOME) as memory:
        found = memory.status().transcripts
    if found:
        print(f"Found {found} transcripts of coding agents on this machine.\n")
    else:
        print(f"No transcripts of coding agents on this machine: this demo uses the sample in {SAMPLES}.\n")
    run("import", *(() if found else ("--from", str(SAMPLES))))
    for question in questions_of_home() if found else SAMPLE_QUESTIONS:
        run("search", "--limit", "2", question)
    run("dream", "--limit", MOST_DREAMT)
    print(f"That was a demo.  Its memory is {HOME}, its command .venv/bin/noctuary; `make clean` removes them.\n")
    for command, told in NEXT.items():
        print(f"  {command:<39}  {told}")


def run(command: str, *arguments: str) -> None:
    """Show a command line and what it says; stop if it fails."""
    words = [command, "--home", str(HOME), *arguments]
    print(f"$ {shlex.join(['noctuary', *words])}", flush=True)
    code = subprocess.run([sys.executable, "-m", "noctuary", *words], check=False).returncode
    print(flush=True)
    if code > 1:  # 1 is "nothing found"
        raise SystemExit(code)


def questions_of_home() -> list[str]:
    """Three searches for whoever's home this is: the beginnings of the titles of the last sessions."""
    with Memory.open(HOME) as memory:
        recent = memory.sessions(limit=100)
    questions = [question_of(session) for session in recent if session.relation is not Relation.SUBAGENT]
    return list(dict.fromkeys(question for question in questions if question))[:3]


def question_of(session: Session) -> str:
    """The first words of a session's title; nothing that the command line could take for an option."""
    words = (session.title or session.preview or "").replace(":", " ").split()
    return " ".join(words[:WORDS_OF_TITLE]).lstrip("-").rstrip("…")


if __name__ == "__main__":
    main()
