"""What a text names that lies outside it: commits, pull requests, issues, files, branches and links.

A name that is none costs more than one that is missed: it is looked up later, not found, and held against the task.  So
each kind is recognised by how it is written *and* by what stands around it, and what could as well be something else
(the parts of a UUID, `UTF-8`, `defaced`) is left alone.  Whatever is given stands in the text, letter for letter.

No pattern here looks twice at a character: each can begin only where the character before ends a word.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, pairwise
from typing import Any, NamedTuple

from noctuary.work import event_meta
from noctuary.work.artifact_words import (
    COUNTED,
    ENDINGS,
    FILE_NAMES,
    FILE_NAMES_WITH_ENDING,
    NO_TRACKERS,
    USUAL_BRANCHES,
)

# Scripts without spaces between words: a path or address ends where they begin, unless it is written in them.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u30ff\u3400-\u9fff\uac00-\ud7af"
_ADDRESS = re.compile(
    r"(?<![A-Za-z0-9+])[a-z][a-z0-9+]{1,11}://[^\s<>\"`\\^{}|。、，；：！？（）「」『』【】《》]+", re.IGNORECASE
)
_REMOTE = re.compile(r"(?<![\w.+-])[\w.+-]+@[\w.-]+(?::[^\s<>\"'`]+)?")  # git@host:owner/name.git, and mail
_GLUED = re.compile(f"(?<=[A-Za-z0-9])[{_UNSPACED}]")
_PR_ADDRESS = re.compile(r"/(?:pull|pulls|merge_requests|pull-requests)/[0-9]+(?![0-9])")
_ISSUE_ADDRESS = re.compile(r"/(?:issues|browse|issue)/(?:[0-9]+|[A-Z][A-Z0-9]+-[0-9]+)(?![0-9])")
_COMMIT_ADDRESS = re.compile(r"/commits?/([0-9a-f]{7,40})(?![0-9A-Za-z])")

_PR = re.compile(
    r"(?<!\w)(?:(?:PRs?|pull requests?)[ \t]?#|(?:MRs?|merge requests?)[ \t]?!)[0-9]{1,7}(?!\w)", re.IGNORECASE
)
_KEY = re.compile(r"(?<![\w./\\-])([A-Z][A-Z0-9]{1,9})-[1-9][0-9]{0,6}(?![\w-])(?!\.[0-9])")
_NUMBER = re.compile(r"(?<![\w&#/.-])(?:[\w.-]{1,60}/[\w.-]{1,60})?#[1-9][0-9]{0,4}(?![\w-])")
_WORD_BEFORE = re.compile(r"([A-Za-z]+)[ \t]$")

_HEX = re.compile(r"(?:(?<![\w./\\#@%+=&-])|(?<=\.\.))[0-9a-f]{7,40}(?![\w@-])(?!\.\w)")
_INTRODUCED = re.compile(
    r"\b(?:commits?|sha|sha1|rev|revision|revert(?:s|ed)?|cherry-pick)[ \t:=(`\"']{1,3}$", re.IGNORECASE
)
_OTHER_DIGESTS = frozenset({24, 32})  # as long as ids of documents, MD5 and UUIDs without dashes
_POWER_OF_TEN = re.compile(r"[0-9]+e[0-9]+")
_WORDS_IN_HEX = frozenset({"face2face"})

_RUN = re.compile(r"(?<![\w.@+~/-])[\w.@+~/-]+")
_DRIVE = re.compile(r"(?<![\w\\])[A-Za-z]:\\(?:[\w.+@~$-]+\\)*[\w.+@~$-]+")
_BEGINNING = re.compile(f"[{_UNSPACED}]+(?=[A-Za-z0-9_./~])")
_ENDING = re.compile(r"(?<=[^./])\.([A-Za-z][A-Za-z0-9]{0,9})(?![A-Za-z0-9_])")
_HIDDEN = re.compile(r"\.[A-Za-z][\w-]*")  # .bashrc
_HOST = re.compile(r"[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{2,}|[0-9]{1,3}(?:\.[0-9]{1,3}){3}")
_CLEARLY_A_PATH = ("/", "./", "../", "~/")
_NEVER_BEFORE = frozenset("*$%\\")  # a pattern, a variable, an escaped character
_NEVER_BEFORE_ROOT = frozenset(">}])?")  # <folder>/x.py

_BRANCH_MADE = re.compile(
    r"(?<!\w)git[ \t]+(?:checkout[ \t]+-[bB]|switch[ \t]+(?:-[cC]|--create))[ \t]+[\"'`]?([\w][\w./+@#-]*)"
)
_BRANCH_NAMED = re.compile(
    r"(?<!\w)(?:git[ \t]+branch|on branch)[ \t]+([\"'`]?)([\w][\w./+@#-]*)([ \t]*$)?", re.IGNORECASE | re.MULTILINE
)
_BRANCH_QUOTED = re.compile(r"(?<!\w)branch[ \t]+([\"'`])([\w][\w./+@#-]*)\1", re.IGNORECASE)
_LOOKS_LIKE_A_NAME = re.compile(r"[/_0-9-]")


class Artifacts(NamedTuple):
    """What is named: each kind in the order of the text, each name once."""

    commits: tuple[str, ...] = ()
    prs: tuple[str, ...] = ()
    issues: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    branches: tuple[str, ...] = ()
    links: tuple[str, ...] = ()


def artifacts_in(text: str) -> Artifacts:
    """All that the text names.  Never fails, and takes time by the length of the text."""
    commits: list[str] = []
    prs: list[str] = []
    issues: list[str] = []
    links: list[str] = []
    for link in _links(text):
        if commit := _COMMIT_ADDRESS.search(link):
            commits.append(commit[1])
        elif pr := _PR_ADDRESS.search(link):
            prs.append(link[: pr.end()])
        elif issue := _ISSUE_ADDRESS.search(link):
            issues.append(link[: issue.end()])
        else:
            links.append(link)
    rest = _without(_REMOTE, _without(_ADDRESS, text))
    prs += (found[0] for found in _PR.finditer(rest))
    branches = list(_branches(rest))
    rest = _without(_BRANCH_MADE, _without(_PR, rest))
    commits += _commits(rest)
    issues += _issues(rest)
    files = [found[0] for found in _DRIVE.finditer(rest)]
    files += _files(_without(_DRIVE, rest))
    return Artifacts(*map(_each_once, (commits, prs, issues, files, branches, links)))


def joined(all_of_them: Iterable[Artifacts]) -> Artifacts:
    """What any of them names; a commit that is the beginning of another one is that one."""
    columns = [_each_once(chain.from_iterable(column)) for column in zip(*all_of_them, strict=True)]
    together = Artifacts(*columns)
    return together._replace(commits=_without_beginnings(together.commits))


def as_meta(artifacts: Artifacts) -> dict[str, list[str]]:
    """As they stand in the `meta` of an event under "artifacts"; only what there is."""
    return {kind: list(names) for kind, names in artifacts._asdict().items() if names}


def from_meta(meta: Mapping[str, Any]) -> Artifacts:
    """What `meta` of an event says, written by us or by Task-Journal; what has another shape is passed over."""
    given = event_meta.artifacts(meta)
    found = {kind: tuple(chain.from_iterable(_names(given.get(key)) for key in keys)) for kind, keys in _META.items()}
    return Artifacts(**{kind: _each_once(names) for kind, names in found.items()})


_META = {
    "commits": ("commits", "commit_hashes"),
    "prs": ("prs", "pr_urls", "pr_numbers"),
    "issues": ("issues", "issue_ids", "linked_issues"),
    "files": ("files", "file_paths"),
    "branches": ("branches", "branch_names"),
    "links": ("links",),
}


def _names(values: object) -> Iterator[str]:
    """The names in a list: texts, or records with a `url`."""
    for value in values if isinstance(values, list) else ():
        name = value.get("url") if isinstance(value, dict) else value
        if isinstance(name, str) and name.strip():
            yield name.strip()


def _without(pattern: re.Pattern[str], text: str) -> str:
    """The text with what matches blanked, so that nothing is found in it again; all else keeps its place."""
    return pattern.sub(lambda found: " " * len(found[0]), text)


def _each_once(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def _without_beginnings(commits: tuple[str, ...]) -> tuple[str, ...]:
    in_order = sorted(commits)
    short = {a for a, b in pairwise(in_order) if b.startswith(a)}
    return tuple(commit for commit in commits if commit not in short)


def _links(text: str) -> Iterator[str]:
    for found in _ADDRESS.finditer(text):
        link = found[0]
        if not link.lower().startswith(("http://", "https://")):
            continue
        if glued := _GLUED.search(link):
            link = link[: glued.start()]
        link = _without_closing(link)
        if not link.endswith("/") or link.count("/") > 2:
            yield link


def _without_closing(link: str) -> str:
    """The address without the punctuation of the sentence it stands in; a bracket stays if it was opened within."""
    end = len(link)
    opened = {")": link.count("(") - link.count(")"), "]": link.count("[") - link.count("]")}
    while end:
        last = link[end - 1]
        if last in opened:
            if opened[last] >= 0:
                break
            opened[last] += 1
        elif last not in ".,;:!?'*_…’”":
            break
        end -= 1
    return link[:end]


def _commits(text: str) -> Iterator[str]:
    for found in _HEX.finditer(text):
        digits = found[0]
        has_both = not digits.isdigit() and not digits.isalpha()
        if not has_both or _POWER_OF_TEN.fullmatch(digits) or digits in _WORDS_IN_HEX:
            continue
        before = text[max(0, found.start() - 20) : found.start()]
        if len(digits) not in _OTHER_DIGESTS or _INTRODUCED.search(before):
            yield digits


def _issues(text: str) -> Iterator[str]:
    places = [(found.start(), found[0]) for found in _KEY.finditer(text) if found[1] not in NO_TRACKERS]
    places += ((found.start(), found[0]) for found in _NUMBER.finditer(text) if not _is_counted(text, found.start()))
    return (name for _, name in sorted(places))


def _is_counted(text: str, start: int) -> bool:
    """Whether the word before says what the number counts: step #2."""
    word = _WORD_BEFORE.search(text[max(0, start - 12) : start])
    return word is not None and word[1].lower() in COUNTED


def _branches(text: str) -> Iterator[str]:
    places = [(found.start(), found[1]) for found in _BRANCH_MADE.finditer(text)]
    places += ((found.start(), found[2]) for found in _BRANCH_QUOTED.finditer(text))
    for found in _BRANCH_NAMED.finditer(text):
        quote, name, ends_line = found.groups()
        is_name = name.rstrip(".") in USUAL_BRANCHES or _LOOKS_LIKE_A_NAME.search(name)
        if quote or is_name or ends_line is not None:
            places.append((found.start(), name))
    for _, written in sorted(places):
        name = written.rstrip("./-")
        if name and ".." not in name and not name.endswith(".lock"):
            yield name


def _files(text: str) -> Iterator[str]:
    for found in _RUN.finditer(text):
        before = text[found.start() - 1 : found.start()]
        path = found[0].rstrip(".-+@~")
        if glued := _BEGINNING.match(path):
            path, before = path[glued.end() :], " "
        is_port = before == ":" and path.partition("/")[0].isdigit()
        if is_port or before in _NEVER_BEFORE or (before in _NEVER_BEFORE_ROOT and path.startswith("/")):
            continue
        if whole := _file(path):
            yield whole


def _file(path: str) -> str:
    """The path, up to its ending; empty if it is none."""
    folder, slash, name = path.rpartition("/")
    if "//" in path or _HOST.fullmatch(folder.partition("/")[0]):
        return ""
    if name in FILE_NAMES or name.lower() in FILE_NAMES_WITH_ENDING:
        return path
    if not slash:
        return ""
    is_clear = path.startswith(_CLEARLY_A_PATH)
    ends = [end.end() for end in _ENDING.finditer(name) if is_clear or end[1].lower() in ENDINGS]
    if not ends and _HIDDEN.fullmatch(name):
        return path
    return path[: len(folder) + 1 + ends[-1]] if ends else ""
