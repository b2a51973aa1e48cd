"""Decisions as files that people read: `NNN-slug.md`, one a decision.

A decision keeps its number for ever.  The number is given once, the next after all that are in use, and is kept with
the decision in the journal: older decisions that appear later, another folder, or a folder that was deleted change
nothing.  Only if two machines, not seeing each other, gave the same number to two decisions, the younger decision gets
another when they meet.

The last line of a file says which decision it is of and has a digest of the rest.  If the rest is not what it was,
somebody has edited the file, and it is theirs: it is neither written nor removed.  A file of ours whose decision has
another name by now, or was retracted, is removed; files of decisions that this project does not have are nobody's to
touch here.
"""

import errno
import os
import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, unquote

from noctuary.authored import EventType
from noctuary.digests import digest
from noctuary.errors import BadInput
from noctuary.files import replace_file
from noctuary.graph import Edge, Node, NodeType
from noctuary.work.adr_page import Record, Surroundings, page_of
from noctuary.work.desk import Desk
from noctuary.work.reviving import is_retracted

NUMBER = "adr_number"  # where a decision's metadata has it
_LONGEST_SLUG = 120  # bytes, so that the name fits into every file system
_GREATEST = 999_999
_MARKER = re.compile(r"<!-- noctuary adr (\S+) ([0-9a-f]{32}) -->")
_NUMBERED = re.compile(r"(\d{3,6})-(?!\d\d-\d\d)")  # 2026-05-01-notes.md has a date, not a number
_EDITED = "edited by hand; delete it to have it written anew"
_FOREIGN = "not written by noctuary; move it away to have the decision written here"
_UNKNOWN = "of a decision that this project does not have"


class Kept(NamedTuple):
    """A file that was left as it is, and why."""

    file: str
    why: str


class AdrReport(NamedTuple):
    """What an export did, by names of files in order."""

    written: Sequence[str] = ()
    unchanged: Sequence[str] = ()
    removed: Sequence[str] = ()
    kept: Sequence[Kept] = ()


class _File(NamedTuple):
    """A file in the folder.  The decision is None if the file is none of ours."""

    name: str
    text: str
    decision: str | None = None
    is_edited: bool = False


def export_adrs(desk: Desk, folder: Path) -> AdrReport:
    """Write the decisions of the desk's project into the folder; BadInput if that cannot be written to."""
    known = _decisions(desk)
    if not known or (all(map(is_retracted, known)) and not folder.exists()):
        return AdrReport()
    files = _files_in(folder)
    decisions, numbers = _numbered(desk, files)
    edited = {file.decision: file.name for file in files if file.is_edited}
    records = {
        node.id: Record(node, numbers[node.id], edited.get(node.id) or f"{numbers[node.id]:03d}-{slug_of(node)}.md")
        for node in decisions
        if not is_retracted(node)
    }
    around = _surroundings(desk, decisions)
    pages = {record.file: _marked(record, around, records) for record in records.values()}
    return _brought_up_to_date(folder, files, pages, {node.id for node in decisions})


def slug_of(node: Node) -> str:
    """The title as part of a file's name: letters and digits of any script, dashes between; its id if it has none."""
    title = unicodedata.normalize("NFC", node.title.lower())
    letters = "".join(c if c.isalnum() or unicodedata.category(c)[0] == "M" else " " for c in title)
    slug = "-".join(word for word in letters.split() if any(map(str.isalnum, word)))
    cut = slug.encode()[:_LONGEST_SLUG].decode(errors="ignore")
    if len(cut) < len(slug) and "-" in cut:
        cut = cut.rpartition("-")[0]
    return cut or re.sub(r"[^a-z0-9]+", "-", node.id.lower()).strip("-") or "decision"


def _decisions(desk: Desk) -> list[Node]:
    return desk.store.nodes.where(desk.owner, project=desk.project, types=[NodeType.DECISION])


def _numbered(desk: Desk, files: Sequence[_File]) -> tuple[list[Node], dict[str, int]]:
    """The decisions and their numbers; those that have none yet get one, by age, in one event."""
    decisions = _decisions(desk)
    numbers = _given(decisions, ())
    if all(node.id in numbers or is_retracted(node) for node in decisions):
        return decisions, numbers
    with desk.writing() as write:
        decisions = _decisions(desk)
        numbers = _given(decisions, files)
        last = max((*numbers.values(), *(number for file in files if (number := _number_in(file.name)))), default=0)
        for node in decisions:
            if node.id not in numbers and not is_retracted(node):
                numbers[node.id] = last = last + 1
        lacking = [node for node in decisions if node.id in numbers and _own_number(node) != numbers[node.id]]
        fresh = {node.id: str(numbers[node.id]) for node in lacking}
        change = {"set": {name: {"metadata": {NUMBER: number}} for name, number in fresh.items()}}
        if fresh:
            write(EventType.AMEND, "Decision records numbered", change=change, meta={"bookkeeping": True})
    return decisions, numbers


def _given(decisions: Sequence[Node], files: Iterable[_File]) -> dict[str, int]:
    """The numbers that hold: each decision's own, or that of its file; of two with the same the older keeps it."""
    by_file = {file.decision: number for file in files if (number := _number_in(file.name)) and file.decision}
    numbers: dict[str, int] = {}
    taken: set[int] = set()
    for of in (_own_number, lambda node: by_file.get(node.id)):
        for node in decisions:
            number = of(node)
            if node.id not in numbers and number and number not in taken:
                numbers[node.id] = number
                taken.add(number)
    return numbers


def _own_number(node: Node) -> int | None:
    text = node.metadata.get(NUMBER, "")
    return int(text) if text.isascii() and text.isdigit() and 0 < int(text[:7]) <= _GREATEST else None


def _number_in(name: str) -> int | None:
    found = _NUMBERED.match(name)
    return int(found[1]) if found else None


def _surroundings(desk: Desk, decisions: Sequence[Node]) -> Surroundings:
    """The decisions, what they are joined to, and what their options are joined to."""
    nodes = {node.id: node for node in decisions}
    edges: dict[str, Edge] = {}
    reached: Iterable[str] = list(nodes)
    for _ in range(2):
        found = desk.store.nodes.edges_of(desk.owner, reached)
        edges |= {edge.id: edge for edge in found}
        ends = {end for edge in found for end in (edge.from_id, edge.to_id)} - nodes.keys()
        around = desk.store.nodes.by_id(desk.owner, ends)
        nodes |= around
        reached = [node.id for node in around.values() if node.type is NodeType.OPTION]
    by_end: dict[str, list[Edge]] = {}
    for edge in sorted(edges.values(), key=lambda edge: (edge.created_ms, edge.id)):
        by_end.setdefault(edge.from_id, []).append(edge)
        by_end.setdefault(edge.to_id, []).append(edge)
    return Surroundings(nodes, by_end)


def _marked(record: Record, around: Surroundings, records: Mapping[str, Record]) -> str:
    page = page_of(record, around, records)
    return f"{page}\n<!-- noctuary adr {quote(record.node.id)} {_digest(page)} -->\n"


def _digest(page: str) -> str:
    return digest(page.strip().encode("utf-8", "surrogatepass"), size=16).hex()


def _files_in(folder: Path) -> list[_File]:
    """The pages in the folder, which is made if there is none."""
    _refuse_ways_out(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not os.access(folder, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return [_read(path) for path in sorted(folder.glob("*.md"))]
    except (FileExistsError, NotADirectoryError):
        raise BadInput(f"{folder} is no folder; name one that decisions can be written to.") from None
    except OSError as error:
        raise _unusable(folder, error) from error


def _read(path: Path) -> _File:
    name = unicodedata.normalize("NFC", path.name)  # some systems give names back in another form
    if not path.is_file():
        return _File(name, "")
    text = path.read_text(encoding="utf-8", errors="surrogateescape")
    page, _, last = text.strip().rpartition("\n")
    marker = _MARKER.fullmatch(last)
    if not marker:
        return _File(name, text)
    return _File(name, text, unquote(marker[1]), _digest(page) != marker[2])


def _brought_up_to_date(
    folder: Path, files: Sequence[_File], pages: Mapping[str, str], known: Collection[str]
) -> AdrReport:
    """Write first and remove then, so that no decision is without its file at any time."""
    by_name = {file.name: file for file in files}
    written, unchanged, removed, kept = [], [], [], []
    try:
        for name, page in sorted(pages.items()):
            there = by_name.get(name)
            if there is not None and (there.is_edited or there.decision is None):
                kept.append(Kept(name, _EDITED if there.decision else _FOREIGN))
            elif there is not None and there.text == page:
                unchanged.append(name)
            else:
                replace_file(folder / name, page.encode("utf-8", "surrogateescape"))
                written.append(name)
        for file in files:
            if file.decision is not None and file.name not in pages:
                if file.decision in known and not file.is_edited:
                    (folder / file.name).unlink(missing_ok=True)
                    removed.append(file.name)
                else:
                    kept.append(Kept(file.name, _EDITED if file.decision in known else _UNKNOWN))
    except OSError as error:
        raise _unusable(folder, error) from error
    return AdrReport(tuple(written), tuple(unchanged), tuple(removed), tuple(sorted(kept)))


def _refuse_ways_out(folder: Path) -> None:
    """Raise BadInput if a folder that is named within a repository is a link of the repository that leads out of it."""
    is_within = not folder.is_absolute() and ".." not in folder.parts
    if is_within and not folder.resolve().is_relative_to(Path.cwd().resolve()):
        raise BadInput(f"{folder} is a link that leads to {folder.resolve()}; name that folder to write there.")


def _unusable(folder: Path, error: OSError) -> BadInput:
    return BadInput(f"Decisions cannot be written to {folder}: {error.strerror or error}. Check it or name another.")
