"""The command `noctuary`.

A command is options, one call on `Memory` and one print.  Commands live in modules of their own that are loaded
when they are used, so that a search does not pay for what an import needs; their names and one line of help are here.
"""

from pathlib import Path

import click

from noctuary.doors.cli.commands import Commands, Entry, Place
from noctuary.version import VERSION

COMMANDS = {
    "import": Entry("importing:import_", "Bring in every transcript that is new or has grown."),
    "search": Entry("search:search", "Find what was said, in any session of any agent."),
    "sessions": Entry("sessions:sessions", "List sessions, the last active first."),
    "show": Entry("show:show", "Read a session, or the part around a message."),
    "status": Entry("status:status", "Say how much is kept, and from where."),
    "doctor": Entry("status:doctor", "Check the memory, and say what to do about what is wrong."),
    "rebuild": Entry("rebuild:rebuild", "Make the index and the tables again from messages and journal."),
    "model": Entry("models:model", "Choose the model that finds by meaning, or none."),
    "embed": Entry("embedding:embed", "Let the chosen model read what it has not read yet."),
    "forget": Entry("forget:forget", "Remove something for good, and keep it out of later imports."),
}

EPILOG = """\b
Examples:
  noctuary import
  noctuary search "why did we drop redis?"
  noctuary search --project . --after 7d "flaky test"
  noctuary show 3b0f6a52 --around 14

\b
Exit codes:
  0  done, or found
  1  nothing found
  2  the command cannot be read as it was written
  3  no such session or message
  4  the memory has a problem; the message says what to do
  5  the model has a problem; the message says what to do
  70 a bug in Noctuary      130 interrupted"""


@click.group(
    cls=Commands,
    table=COMMANDS,
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(VERSION, "-V", "--version", prog_name="noctuary", message="%(prog)s %(version)s")
@click.option("--home", type=click.Path(path_type=Path), help="Folder of the memory.  [env: NOCTUARY_HOME]")
@click.option("--owner", help="Whose memory.  [env: NOCTUARY_OWNER; default: your login name]")
@click.pass_context
def main(context: click.Context, home: Path | None, owner: str | None) -> None:
    """The long-term memory of coding agents.

    Noctuary keeps every conversation that coding agents left on this machine and finds what was said in them.
    It works offline, on one file.
    """
    context.obj = Place(home=home, owner=owner)
