"""What in a memory can be looked up in a repository: files, what is in them, commands and commits."""

import re
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from noctuary.store.memories import Remembered

MOST = 8  # of each kind that are looked at
_CODE = re.compile(r"`([^`\n]{1,200})`")
_URL = re.compile(r"\b[a-z][a-z+.-]{1,20}://\S+", re.IGNORECASE)
_ENDINGS = (
    "py|pyi|js|jsx|ts|tsx|mjs|cjs|rs|go|java|kt|rb|php|c|h|cc|cpp|hpp|cs|swift|scala|sh|bash|ps1|sql|md|rst|txt|toml|"
    "yaml|yml|json|jsonl|ini|cfg|conf|env|xml|html|css|scss|vue|svelte|lock|proto|tf|gradle|ipynb|dockerfile"
)
# A path has a folder, or it is a file by its ending; what goes on behind it is something else.
_PATH = re.compile(
    rf"(?<![\w/.:@~-])(?:\./)?((?:/|~/)?(?:[\w.@+-]+/)+[\w.@+-]*[\w@+-]|[\w.@+-]*\w\.(?:{_ENDINGS}))(?![\w/*]|\.\w)",
    re.IGNORECASE,
)
_FILES_BY_NAME = re.compile(
    r"(?<![\w/.-])(Makefile|Dockerfile|Justfile|justfile|Procfile|CODEOWNERS|LICENSE)(?![\w/.-])"
)
_CALLED = re.compile(r"(?<![\w`./])([A-Za-z_][\w.]*[A-Za-z_]\w*)\(\)")
_CONSTANT = re.compile(r"(?<![\w`./])([A-Z][A-Z0-9]*_[A-Z0-9_]+)(?![\w./])")
_IDENTIFIER = re.compile(r"(?:[\w.]+[.:])?([A-Za-z_]\w+)(?:\(.*\))?")
_COMMIT = re.compile(r"\bcommit\s+`?([0-9a-f]{7,40})\b", re.IGNORECASE)
_RUNNERS = re.compile(
    r"^(?:(?P<node>npm run(?:-script)?|pnpm(?: run)?|yarn(?: run)?|bun run)|(?P<make>make)|(?P<just>just))"
    r" (?P<name>[\w:.-]+)"
)
# What is not there may be just what such a sentence says; "drops the oldest" says what something does.
_GOING = re.compile(
    r"\b(?:(?:remov|delet|renam|replac|creat|introduc|extract|migrat|mov)(?:ed?|ing)|drop(?:ped|ping)?|"
    r"add(?:ed|ing)?|split|gone|no longer|instead of|will|plan(?:ned)?)\b",
    re.IGNORECASE,
)
_NO_SCRIPTS = frozenset({"install", "add", "ci", "remove", "update", "exec", "dlx", "init", "up", "why", "audit"})


class Command(NamedTuple):
    """A command that a project defines itself."""

    runner: str  # node, make or just
    name: str

    def __str__(self) -> str:
        return f"npm run {self.name}" if self.runner == "node" else f"{self.runner} {self.name}"


class Anchors(NamedTuple):
    """What a memory says of a repository."""

    paths: Sequence[str] = ()  # named in the text
    cited: Sequence[str] = ()  # that it rests on, without naming them
    symbols: Sequence[str] = ()  # named together with a file
    commands: Sequence[Command] = ()
    commits: Sequence[str] = ()
    tells_of_change: bool = False  # it says that something went, or is to come

    def is_any(self) -> bool:
        """Whether there is anything to look up."""
        return any(self[:5])


def anchors_of(memory: Remembered) -> Anchors:
    """What can be looked up of a memory."""
    text = _URL.sub(" ", memory.text)
    paths = _first([*_PATH.findall(text), *_FILES_BY_NAME.findall(text)])
    spans = [span.strip() for span in _CODE.findall(text)]
    named = {*paths}
    return Anchors(
        paths,
        _first(path for path in _texts(memory.facts.get("files")) if path not in named),
        _first(_symbols(text, spans, named)) if paths else (),
        _first_commands(spans),
        _first([*_COMMIT.findall(text), *_texts(memory.facts.get("commits"))]),
        _GOING.search(text) is not None,
    )


def _symbols(text: str, spans: Iterable[str], paths: set[str]) -> list[str]:
    found = [match[1] for span in spans if span not in paths and (match := _IDENTIFIER.fullmatch(span))]
    return [*found, *(name.rsplit(".", 1)[-1] for name in _CALLED.findall(text)), *_CONSTANT.findall(text)]


def _first_commands(spans: Iterable[str]) -> tuple[Command, ...]:
    matches = (match for span in spans if (match := _RUNNERS.match(span)))
    commands = (Command(_runner(match), match["name"]) for match in matches if not match["name"].startswith("-"))
    return tuple(dict.fromkeys(one for one in commands if one.runner != "node" or one.name not in _NO_SCRIPTS))[:MOST]


def _runner(match: "re.Match[str]") -> str:
    return next(name for name in ("node", "make", "just") if match[name])


def relative_to(path: str, root: str) -> str | None:
    """The path from the root of the repository; None if it lies elsewhere."""
    if path.startswith("~"):
        return None
    plain = PurePosixPath(path.replace("\\", "/"))
    if plain.is_absolute():
        try:
            plain = plain.relative_to(PurePosixPath(root.replace("\\", "/")))
        except ValueError:
            return None
    return None if ".." in plain.parts or not plain.parts else str(plain)


def _texts(value: object) -> list[str]:
    return [each for each in value if isinstance(each, str) and each] if isinstance(value, list) else []


def _first(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))[:MOST]
