"""The command `noctuary`.

A command is options, one call on `Memory` and one print.  Commands live in modules of their own that are loaded
when they are used, so that a search does not pay for what an import needs; their names and one line of help are here.
"""

from pathlib import Path

import click

from noctuary.doors.cli.commands import Commands, Entry, Place
from noctuary.version import VERSION

SECTIONS = {
    "Conversations": {
        "import": Entry("importing:import_", "Bring in every transcript that is new or has grown."),
        "sources": Entry("sources:sources", "List the agents of this machine, and what came of their transcripts."),
        "search": Entry("search:search", "Find what was said, in any session of any agent."),
        "sessions": Entry("sessions:sessions", "List sessions, the last active first."),
        "show": Entry("show:show", "Read a session, or the part around a message."),
    },
    "Work": {
        "task": Entry("task:task", "Open, list, show, close, reopen, rename, amend and move tasks."),
        "goal": Entry("goal:goal", "Open, list, show, close, reopen and rename goals."),
        "tree": Entry("tree:tree", "Show what is part of what, and where it stands."),
        "ready": Entry("ready:ready", "List tasks that can be begun now, and those that are stuck."),
        "next": Entry("ready:next_", "Suggest which task to begin with, and why."),
        "claim": Entry("claim:claim", "Take a task, so that nobody else does; or give it back."),
        "depend": Entry("linking:depend", "Make a task wait until another is done."),
        "link": Entry("linking:link", "Link two nodes."),
        "unlink": Entry("linking:unlink", "Remove the link between two nodes."),
        "find": Entry("find:find", "Find goals, tasks, decisions and notes by their words."),
    },
    "Journal of the why": {
        "note": Entry("note:note", "Write down what was found, decided, rejected or required."),
        "decide": Entry("decide:decide", "Write a decision down, made or still to be made."),
        "reject": Entry("decide:reject", "Write down an option that is ruled out, and why."),
        "rejected": Entry("rejected:rejected", "Find what was rejected about a topic, and why."),
        "outcome": Entry("outcomes:outcome", "Write down what came of a decision, an option or a task."),
        "observe": Entry("outcomes:observe", "Write down something learned, as a node that others can rest on."),
        "revisit": Entry("outcomes:revisit", "Decide again after an outcome; the old decision is superseded."),
        "event": Entry("event:event", "List, show, confirm, correct, retract and supersede entries."),
        "remember": Entry("memories:remember", "Keep a sentence, for this project or for all."),
        "memory": Entry("memories:memory", "List, show, pin, verify, forget and retire memories."),
    },
    "Dreams": {
        "dream": Entry("dream:dream", "Read finished sessions for what nobody wrote down."),
        "watch": Entry("watch:watch", "Bring in what is new and dream when it is due, until you stop it."),
    },
    "Resume and hand over": {
        "pack": Entry("pack:pack", "Print all you need to resume a task, within a budget."),
        "handoff": Entry("handoff:handoff", "Say where the work on a goal stands."),
        "session": Entry("work_session:session", "Work on a goal, and hand it over at the end."),
        "check": Entry("checks:check", "Rate how complete the record of a task is, out of 100."),
        "gaps": Entry("checks:gaps", "List what the record of a task lacks, and what to do about it."),
        "stale": Entry("checks:stale", "List open tasks that nobody has touched for days."),
    },
    "Agents": {
        "install": Entry("install:install", "Let the coding agents on this machine use the memory."),
        "uninstall": Entry("install:uninstall", "Remove from their settings exactly what install added."),
        "mcp": Entry("mcp:mcp", "Serve the memory to agents over the Model Context Protocol."),
        "brief": Entry("brief:brief", "Print what a session in this project is told at its start."),
        "sweep": Entry("sweep:sweep", "Process what hooks left, and dream if one is due."),
    },
    "Exchange": {
        "adr": Entry("adr:adr", "Write decisions as pages for people to read."),
        "graph": Entry("graph:graph", "Take a goal to another machine and back, as a file."),
        "journal": Entry("journal:journal", "Verify, restore, export and import what was written down."),
    },
    "Team": {
        "serve": Entry("serve:serve", "Open the memory as a page and an API, until you stop it."),
        "key": Entry("key:key", "Make, list, rotate and revoke keys of the API."),
        "share": Entry("share:share", "Publish memories to a team's project, review them, take them back."),
        "service": Entry("service:service", "Write the unit that keeps `watch` or `serve` running."),
        "move": Entry("move:move", "Copy the whole memory to a PostgreSQL server, or back to a folder."),
    },
    "Upkeep": {
        "status": Entry("status:status", "Show how much is kept, and from where."),
        "doctor": Entry("status:doctor", "Check the memory, and say what to do about what is wrong."),
        "audit": Entry("audit:audit", "List what in the memory deserves a look."),
        "rebuild": Entry("rebuild:rebuild", "Rebuild the index and the tables from messages and journal."),
        "model": Entry("models:model", "Choose the model for search by meaning, or none."),
        "embed": Entry("embedding:embed", "Let the chosen model read what it has not read yet."),
        "snapshot": Entry("snapshot:snapshot", "Copy everything to one folder or file, while others keep working."),
        "restore": Entry("snapshot:restore", "Put a snapshot back; what is there is never deleted."),
        "forget": Entry("forget:forget", "Remove something for good, and keep it out of later imports."),
        "scrub": Entry("scrub:scrub", "Remove secrets that were stored before they were recognised."),
    },
}

EPILOG = """\b
Examples:
  noctuary import
  noctuary search "why did we drop redis?"
  noctuary search --project . --after 7d "flaky test"
  noctuary show 3b0f6a52 --around 14
  noctuary task open "Move sessions to SQLite" --goal "No Redis in production"
  noctuary pack t-4k2x

\b
Exit codes:
  0  done, or found
  1  nothing found
  2  the command line is not valid
  3  no such session, message, task …
  4  the memory has a problem; the message says what to do
  5  the model has a problem; the message says what to do
  6  the task is not free: somebody holds it, or it waits for another
  70 a bug in Noctuary      130 interrupted"""


@click.group(
    cls=Commands,
    sections=SECTIONS,
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(VERSION, "-V", "--version", prog_name="noctuary", message="%(prog)s %(version)s")
@click.option("--home", type=click.Path(path_type=Path), help="Folder of the memory.  [env: NOCTUARY_HOME]")
@click.option("--owner", help="Whose memory.  [env: NOCTUARY_OWNER; default: your login name]")
@click.option("--database", metavar="URL", help="A team's memory, postgresql://…  [env: NOCTUARY_DATABASE]")
@click.pass_context
def main(context: click.Context, home: Path | None, owner: str | None, database: str | None) -> None:
    """The long-term memory of coding agents.

    Noctuary keeps every conversation that coding agents left on this machine and finds what was said in them.
    It also keeps why things were done, and the work as a graph, so that the next session can carry on.
    It works offline.
    """
    context.obj = Place(home=home, owner=owner, database=database)
