"""The architecture as data, and tests that hold every file to it.

A part is a module or folder directly below `src/noctuary`.  `LAYERS` says which parts stand above which;
`MAY_IMPORT` says what each of them may know.  To let a part know another is to add a word here, for all to see.
"""

import ast
import gc
import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "noctuary"

LAYERS: dict[str, set[str]] = {
    "loading": {"lazily"},
    "bottom": {
        "records",
        "authored",
        "graph",
        "errors",
        "clock",
        "concepts",
        "stemming",
        "digests",
        "lookalikes",
        "locks",
        "marks",
        "unseen",
        "version",
    },
    "said": {"proposals"},  # records made of other records
    "dreamt": {"dreams"},
    "ground": {
        "files",
        "settings",
        "dream_settings",
        "hook_settings",
        "names",
        "moments",
        "text",
        "redact",
        "ids",
        "weighing",
        "fences",
        "bearing",
        "brief_file",
        "access",
        "server_settings",
    },
    "meanings": {"relatives"},  # which words are one word's relatives is told by their stems
    "parts": {"inbox", "journal", "memory_file", "models", "store", "transcripts"},
    "ledger": {"ledger"},
    "work": {"importing", "recall", "work"},
    "night": {"dream"},  # a dream writes what people would write, so it stands above the verbs of the work
    "telling": {"brief"},  # what a session is told at its start is of the work and of dreams
    "upkeep": {
        "agents",
        "audit",
        "embedding",
        "forgetting",
        "health",
        "moving",
        "sharing",
        "snapshot",
        "switching",
    },  # what looks after the memory needs both kinds of work
    "cleaning": {"scrubbing", "proving"},  # which goes through memories and snapshots alike
    "app": {"app"},
    "doors": {"doors", "integrations"},
}

# Known everywhere above the bottom.
ANYWHERE = {
    "records",
    "authored",
    "graph",
    "proposals",
    "dreams",
    "errors",
    "lazily",
    "digests",
    "lookalikes",
    "unseen",
}
MAY_IMPORT: dict[str, set[str]] = {
    "lazily": set(),
    **{part: {"lazily"} for part in LAYERS["bottom"]},
    "proposals": {"lazily", "authored", "records"},
    "dreams": {"lazily", "proposals"},
    "settings": {*ANYWHERE},
    "dream_settings": {*ANYWHERE},
    "hook_settings": {*ANYWHERE},
    "server_settings": {*ANYWHERE},
    "access": {*ANYWHERE},
    "files": {*ANYWHERE, "locks"},
    "names": {*ANYWHERE},
    "redact": {*ANYWHERE},
    "moments": {*ANYWHERE},
    "weighing": {*ANYWHERE},
    "fences": {*ANYWHERE, "marks"},
    "bearing": set(),  # hooks load these two and `marks`, and nothing else
    "brief_file": set(),
    "inbox": {*ANYWHERE, "files"},
    "text": {*ANYWHERE, "stemming"},
    "relatives": {*ANYWHERE, "concepts", "stemming", "text"},
    "store": {*ANYWHERE, "access", "files", "text", "stemming"},
    "ids": {*ANYWHERE},
    "journal": {*ANYWHERE, "files", "ids", "locks", "names"},
    "ledger": {*ANYWHERE, "clock", "ids", "journal", "names", "redact", "store", "text", "weighing"},
    "work": {
        *ANYWHERE,
        "clock",
        "files",
        "ids",
        "journal",
        "ledger",
        "moments",
        "names",
        "redact",
        "store",
        "text",
        "weighing",
    },
    "models": {*ANYWHERE, "fences", "text"},
    "memory_file": {*ANYWHERE, "files", "locks"},
    "dream": {
        *ANYWHERE,
        "clock",
        "concepts",
        "dream_settings",
        "fences",
        "files",
        "ids",
        "ledger",
        "locks",
        "memory_file",
        "models",
        "moments",
        "names",
        "redact",
        "relatives",
        "stemming",
        "store",
        "text",
        "weighing",
        "work",
    },
    "brief": {
        *ANYWHERE,
        "bearing",
        "clock",
        "dream",
        "fences",
        "ledger",
        "marks",
        "models",
        "moments",
        "names",
        "redact",
        "store",
        "text",
        "weighing",
        "work",
    },
    "moving": {*ANYWHERE, "clock", "files", "journal", "ledger", "names", "settings", "store"},  # to another database
    "sharing": {*ANYWHERE, "access", "clock", "dream", "ids", "ledger", "redact", "store", "text", "work"},
    "switching": {
        *ANYWHERE,
        "clock",
        "fences",
        "ids",
        "importing",
        "ledger",
        "redact",
        "store",
        "text",
        "transcripts",
        "work",
    },  # from other tools, whose conversations are imported and whose notes are written down
    "agents": {*ANYWHERE, "files", "settings", "version"},  # coding agents on this machine, and their settings
    "snapshot": {*ANYWHERE, "clock", "dream", "files", "journal", "ledger", "names", "store", "version"},
    "transcripts": {*ANYWHERE, "fences", "marks"},
    "importing": {*ANYWHERE, "fences", "store", "transcripts", "settings", "redact", "text"},
    "recall": {
        *ANYWHERE,
        "models",
        "store",
        "clock",
        "files",
        "locks",
        "names",
        "moments",
        "text",
        "relatives",
        "stemming",
        "redact",
    },
    "embedding": {*ANYWHERE, "models", "recall", "store"},
    "forgetting": {*ANYWHERE, "dream", "importing", "recall", "store", "text"},
    "audit": {*ANYWHERE, "dream", "fences", "ledger", "redact", "store"},
    "proving": {*ANYWHERE, "files", "redact", "snapshot", "store"},
    "scrubbing": {
        *ANYWHERE,
        "brief_file",
        "clock",
        "files",
        "journal",
        "ledger",
        "memory_file",
        "redact",
        "snapshot",
        "store",
    },
    "health": {*ANYWHERE, "importing", "ledger", "models", "store", "transcripts", "settings", "version"},
    "app": {
        *ANYWHERE,
        "access",
        "moving",
        "server_settings",
        "sharing",
        "agents",
        "audit",
        "bearing",
        "brief",
        "brief_file",
        "fences",
        "files",
        "inbox",
        "locks",
        "marks",
        "names",
        "dream",
        "dream_settings",
        "hook_settings",
        "ids",
        "snapshot",
        "redact",
        "embedding",
        "models",
        "forgetting",
        "proving",
        "scrubbing",
        "health",
        "importing",
        "ledger",
        "recall",
        "store",
        "settings",
        "switching",
        "clock",
        "work",
    },
    "doors": {
        *ANYWHERE,
        "access",
        "app",
        "audit",
        "bearing",
        "brief_file",
        "clock",
        "fences",
        "marks",
        "moments",
        "server_settings",
        "settings",
        "text",
        "version",
    },
    "integrations": {*ANYWHERE, "app", "clock", "fences", "settings"},  # doors for programs that are agents themselves
    "testing": {*ANYWHERE, "clock", "transcripts"},  # shipped, for whoever writes an adapter
    "testing_models": {*ANYWHERE, "models"},  # shipped, for whoever writes what asks a model
    "__init__": {"app"},
    "__main__": {"doors"},
}

# What doors may name of the parts below the app: what the verbs of `Memory` take and give, never what does the work.
DOORS_MAY_NAME: dict[str, set[str]] = {
    "noctuary.agents.changes": {"AgentChange", "FileChange", "Outcome"},
    "noctuary.brief.explaining": {"WhyTold"},
    "noctuary.brief.page": {"BUDGET", "Brief", "Line", "Section"},
    "noctuary.dream.explaining": {"Ground", "Why"},
    "noctuary.dream.reviewing": {"Suggestion"},
    "noctuary.dream_settings": {"BACKENDS"},
    "noctuary.embedding": {"Embedded"},
    "noctuary.forgetting": {"Forgotten", "Forgetting", "MOST_MATCHES"},
    "noctuary.proving": {"ForgetReport", "as_json"},
    "noctuary.scrubbing.tally": {"Tally"},
    "noctuary.health": {"Checked", "Checkup", "Finding", "Overview"},
    "noctuary.importing.report": {"ImportReport"},
    "noctuary.importing.sources": {"AgentSources", "Drifted", "Sources"},
    "noctuary.ledger.advice": {"HARMLESS", "advice_on", "is_sound"},
    "noctuary.ledger.verifying": {"Finding"},
    "noctuary.models.catalog": {"Entry"},
    "noctuary.models.folders": {"FoundModel"},
    "noctuary.moving.move": {"Moved"},
    "noctuary.recall.contract": {"DEFAULT_LIMIT", "DEFAULT_WINDOW", "MOST_HITS", "MOST_WINDOW"},
    "noctuary.recall.query": {"Query"},
    "noctuary.sharing.publishing": {"Offer", "Published", "Step"},
    "noctuary.snapshot.making": {"Made"},
    "noctuary.snapshot.manifest": {"Manifest"},
    "noctuary.snapshot.restoring": {"Restored"},
    "noctuary.store.access": {"ApiKey", "Audit"},
    "noctuary.store.keys": {"MOST_MESSAGES"},
    "noctuary.store.memories": {"MemoryChoice", "MemoryKind", "MemoryStatus", "Remembered"},
    "noctuary.store.sessions": {"Selection"},
    "noctuary.store.sharing": {
        "Binding",
        "CitedWords",
        "Content",
        "Deed",
        "DeedDone",
        "Member",
        "Role",
        "Share",
        "ShareState",
        "Team",
    },
    "noctuary.store.vectors": {"Coverage", "KnownEmbedder", "State"},
    "noctuary.store.work_sessions": {"WorkSession"},
    "noctuary.switching.brought": {"Switched"},
    "noctuary.switching.tools": {"Tool"},
    "noctuary.work.adr": {"AdrReport"},
    "noctuary.work.completeness": {"Check"},
    "noctuary.work.decisions": {"Decision", "NewOption", "Revisited"},
    "noctuary.work.desk": {"Writer"},
    "noctuary.work.exchange": {"SetAside"},
    "noctuary.work.finding": {"FoundEntry", "FoundNode", "Rejected"},
    "noctuary.work.gaps": {"Gap", "Severity"},
    "noctuary.work.interchange.differing": {"Diff"},
    "noctuary.work.interchange.importing": {"Difference", "Plan"},
    "noctuary.work.interchange.exporting": {"Exported"},
    "noctuary.work.ready": {"Ranked", "Ready", "Stuck"},
    "noctuary.work.setting_aside": {"ImportedFiles"},
    "noctuary.work.tasks": {"Closed", "NodeView"},
    "noctuary.work.tree": {"Branch"},
}

# A library that is not Python's own, and the only places that may import it.
LIBRARIES: dict[str, tuple[str, ...]] = {
    "apsw": ("store/sqlite.py", "store/migrate.py", "store/raw.py", "transcripts/foreign_sqlite.py"),
    "click": ("doors/cli/",),
    "simsimd": ("recall/scan.py",),
    "numpy": (
        "models/cross_encoder.py",
        "models/embedder.py",
        "models/endpoint.py",
        "models/hashing.py",
        "models/onnx.py",
        "models/safetensors.py",
        "models/static.py",
        "models/vectors.py",
        "recall/scan.py",
    ),
    "anthropic": ("models/chat/anthropic_api.py",),
    "anyio": ("doors/mcp/server.py", "doors/http/application.py"),  # which starlette is made of
    "mcp": ("doors/mcp/server.py", "doors/mcp/http.py"),
    "mcp_types": ("doors/mcp/server.py",),  # part of mcp
    "openai": ("models/chat/openai_api.py",),
    "onnxruntime": ("models/onnx.py",),
    "tokenizers": ("models/onnx.py",),
    "agents": ("integrations/openai_agents.py",),  # the OpenAI Agents SDK
    "langgraph": ("integrations/langgraph.py",),
    "pydantic_ai": ("integrations/pydantic_ai.py",),
    "uvicorn": ("doors/mcp/http.py", "doors/http/", "doors/patience.py"),  # which mcp needs as well
    "h11": ("doors/patience.py",),  # which uvicorn is made of
    "fastapi": ("doors/http/", "doors/web/"),
    "starlette": ("doors/http/", "doors/web/"),  # which fastapi is made of
    "pydantic": ("doors/http/",),  # and this
    "jinja2": ("doors/web/",),
    "markupsafe": ("doors/web/",),  # which jinja2 is made of
    "psycopg": (
        "store/postgres.py",
        "store/postgres_errors.py",
        "store/postgres_pool.py",
        "store/postgres_tables.py",
        "store/postgres_extensions.py",
    ),
    "psycopg_pool": ("store/postgres.py", "store/postgres_errors.py", "store/postgres_pool.py"),
}

MODULE_LINES = 400
FUNCTION_LINES = 50  # of its body, without the docstring
BAD_NAMES = {"utils", "util", "helpers", "helper", "base", "common", "misc", "manager", "v2"}
MAY_IMPORT_INSIDE_FUNCTIONS: set[str] = set()  # doors that load an optional library
MAY_CATCH_EVERYTHING = {
    "doors/cli/commands.py",
    "doors/hook/__main__.py",
    "doors/http/nights.py",  # a dream that fails stops no other, and no request
    "doors/http/problems.py",
    "doors/mcp/verbs.py",
    "dream/reading.py",  # a session that cannot be read stops no other …
    "dream/rehearsing.py",  # … neither in a rehearsal
    "integrations/capture.py",  # what goes wrong in a memory stops no agent
    "transcripts/plug_ins.py",  # the code of others: what it raises stops no import
}
MAY_PRINT = ("doors/",)

LOADERS = {"import_module", "lazy_module"}
Function = ast.FunctionDef | ast.AsyncFunctionDef


class Imported(NamedTuple):
    """A module that is imported, the names taken from it, and on which line."""

    module: str
    names: tuple[str, ...]
    line: int


class Source(NamedTuple):
    """A file of ours, read."""

    path: str  # within src/noctuary, or within the repository
    text: str
    tree: ast.Module

    def __repr__(self) -> str:
        return self.path

    @property
    def part(self) -> str:
        """The part that it belongs to."""
        return self.path.split("/")[0].removesuffix(".py")


def read(path: Path, root: Path) -> Source:
    """Read a Python file."""
    text = path.read_text(encoding="utf-8")
    return Source(path.relative_to(root).as_posix(), text, ast.parse(text))


@cache
def sources() -> list[Source]:
    """The files of the package: read by the first test that asks, and not by everybody who collects tests."""
    found = [read(path, PACKAGE) for path in sorted(PACKAGE.rglob("*.py"))]
    gc.freeze()  # else whoever collects garbage later would go through millions of their nodes each time
    return found


@cache
def sources_and_tools() -> list[Source]:
    """The files of the package, of the benchmarks and of the scripts."""
    folders = (ROOT / "bench", ROOT / "scripts")
    return [*sources(), *(read(path, ROOT) for folder in folders for path in sorted(folder.glob("*.py")))]


def held_by(files: Callable[[], list[Source]]) -> Callable[[Callable[[Source], None]], Callable[[], None]]:
    """Make one test of a rule for files: as one for each they would take longer to hand out than to run."""

    def as_test(rule: Callable[[Source], None]) -> Callable[[], None]:
        def test() -> None:
            broken: list[str] = []
            for source in files():
                try:
                    rule(source)
                except AssertionError as error:
                    broken.append(f"{source.path}: {error}")
            assert not broken, "\n".join(broken)

        test.__name__, test.__doc__ = rule.__name__, rule.__doc__
        return test

    return as_test


each_source = held_by(sources)
each_file = held_by(sources_and_tools)


def imports(tree: ast.AST) -> Iterator[Imported]:
    """Everything that is imported, wherever it stands and also if it is loaded by its name later."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (Imported(alias.name, (), node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield Imported(node.module or "", tuple(alias.name for alias in node.names), node.lineno)
        elif isinstance(node, ast.Call) and _name(node.func) in LOADERS and isinstance(node.args[0], ast.Constant):
            yield Imported(str(node.args[0].value), (), node.lineno)


def own_parts(tree: ast.AST) -> Iterator[tuple[str, Imported]]:
    """The parts of ours that are imported."""
    for imported in imports(tree):
        root, _, rest = imported.module.partition(".")
        if root == "noctuary":
            for part in [rest.split(".")[0]] if rest else imported.names:
                yield part, imported


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def functions(tree: ast.AST) -> list[Function]:
    """All functions and methods, inner ones too."""
    return [node for node in ast.walk(tree) if isinstance(node, Function)]


def body_lines(function: Function) -> int:
    """How long the function is, without what it says about itself."""
    body = function.body[1:] if ast.get_docstring(function) else function.body
    return (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


def test_every_part_has_its_place() -> None:
    """A new part is given a layer and a line of what it may know."""
    parts = {source.part for source in sources()}

    assert parts == MAY_IMPORT.keys()
    assert parts - {"testing", "testing_models", "__init__", "__main__"} == set().union(*LAYERS.values())


def test_what_parts_may_import_lies_below_them() -> None:
    """Layers point down; parts of one layer do not know each other."""
    height = {part: number for number, parts in enumerate(LAYERS.values()) for part in parts}
    wrong = [
        (part, known)
        for part, allowed in MAY_IMPORT.items()
        for known in allowed
        if part in height and height[known] >= height[part]
    ]

    assert wrong == []


@each_source
def test_imports_point_down(source: Source) -> None:
    """A file imports only what its part may know; a door only names what the verbs take and give."""
    allowed = MAY_IMPORT[source.part] | {source.part}
    wrong = [
        f"{source.path}:{imported.line} imports {part}"
        for part, imported in own_parts(source.tree)
        if part not in allowed and not (source.part == "doors" and _is_for_doors(imported))
    ]

    assert wrong == []


def _is_for_doors(imported: Imported) -> bool:
    names = set(imported.names)
    return bool(names) and names <= DOORS_MAY_NAME.get(imported.module, set())


@each_file
def test_imports_are_absolute(source: Source) -> None:
    """One can tell from an import where it leads."""
    relative = [node.lineno for node in ast.walk(source.tree) if isinstance(node, ast.ImportFrom) and node.level]

    assert relative == []


@each_source
def test_imports_are_not_inside_functions(source: Source) -> None:
    """What a module needs stands at its top; only a door may load an optional library when it is asked for."""
    if source.path in MAY_IMPORT_INSIDE_FUNCTIONS:
        return
    inside = [
        f"{source.path}:{node.lineno}"
        for function in functions(source.tree)
        for node in ast.walk(function)
        if isinstance(node, ast.Import | ast.ImportFrom)
    ]

    assert inside == []


@each_source
def test_libraries_stay_where_they_belong(source: Source) -> None:
    """The base install is Python's own library, apsw and click, each in its one place."""
    known = {*sys.stdlib_module_names, "noctuary"}
    foreign = [
        (library, each.line) for each in imports(source.tree) if (library := each.module.split(".")[0]) not in known
    ]
    wrong = [
        f"{source.path}:{line} imports {library}"
        for library, line in foreign
        if not source.path.startswith(LIBRARIES.get(library, ("nowhere",)))
    ]

    assert wrong == []


@each_file
def test_files_and_functions_stay_small(source: Source) -> None:
    """A module is read in one sitting, a function at one glance."""
    long = [f"{f.name}: {body_lines(f)} lines" for f in functions(source.tree) if body_lines(f) > FUNCTION_LINES]

    assert len(source.text.splitlines()) <= MODULE_LINES
    assert long == []


@each_source
def test_only_doors_catch_everything(source: Source) -> None:
    """An error that nobody expected ends at a door; elsewhere whoever catches everything raises it again."""
    broad = [
        handler.lineno
        for handler in ast.walk(source.tree)
        if isinstance(handler, ast.ExceptHandler)
        and (handler.type is None or _name(handler.type) in ("Exception", "BaseException"))
        and not _raises_again(handler)
    ]

    assert len(broad) <= (source.path in MAY_CATCH_EVERYTHING), f"{source.path}: lines {broad}"


def _raises_again(handler: ast.ExceptHandler) -> bool:
    last = handler.body[-1]
    return isinstance(last, ast.Raise) and last.exc is None


@each_file
def test_names_say_what_is_inside(source: Source) -> None:
    """No file is called after what anything could be."""
    words = set(re.split(r"[/_.]", source.path))

    assert words.isdisjoint(BAD_NAMES)


@each_file
def test_everything_public_says_what_it_promises(source: Source) -> None:
    """Every module, and every public class and function of it, has a docstring."""
    silent = [
        node.name
        for node in _public(source.tree)
        if not ast.get_docstring(node) and not any(_name(d) == "overload" for d in node.decorator_list)
    ]

    assert ast.get_docstring(source.tree), f"{source.path} has no docstring"
    assert silent == []


def _public(tree: ast.Module) -> Iterator[Function | ast.ClassDef]:
    """What others may use: public functions and classes of the module, and the methods of these classes."""
    for node in tree.body:
        if isinstance(node, Function | ast.ClassDef) and not node.name.startswith("_"):
            yield node
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            yield from (each for each in node.body if isinstance(each, Function) and not each.name.startswith("_"))


@each_source
def test_only_doors_print(source: Source) -> None:
    """The library can be called quietly."""
    if source.path.startswith(MAY_PRINT):
        return
    printing = [
        f"{source.path}:{node.lineno}"
        for node in ast.walk(source.tree)
        if (isinstance(node, ast.Call) and _name(node.func) == "print")
        or (isinstance(node, ast.Attribute) and node.attr in ("stdout", "stderr") and _name(node.value) == "sys")
    ]

    assert printing == []


# What is looked for is spelled in two pieces, so that this file does not find itself.
REGISTRIES = re.compile("|".join(["pypi" + r"\.org", "python" + "hosted", "registry" + r"\.", "index" + "-url"]))
THIS_MACHINE = re.compile(
    "|".join(["/work" + "/(?:main|shared)", "/tmp" + "/venv", "/root" + "/", re.escape(str(ROOT))])
)
NOT_OURS = {".git", ".venv", "var", "build", "dist", "__pycache__"}
NAMES_THEM_AS_DATA = {"tests/unit/test_redact.py"}  # texts that must come through unchanged


def our_files() -> Iterator[Path]:
    """Every text file of the repository."""
    for path in sorted(ROOT.rglob("*")):
        parts = path.relative_to(ROOT).parts
        is_ours = not any(part in NOT_OURS or part.endswith(("_cache", ".egg-info", ".hypothesis")) for part in parts)
        if (
            is_ours
            and path.is_file()
            and path.suffix in ("", ".py", ".toml", ".md", ".sql", ".sh", ".cfg", ".lock", ".txt")
        ):
            yield path


def test_nothing_names_a_download_address_or_this_machine() -> None:
    """Where packages come from is up to whoever installs, and so is where the repository lies."""
    wrong = [
        f"{path.relative_to(ROOT)}: {found[0]}"
        for path in our_files()
        for pattern in (REGISTRIES, THIS_MACHINE)
        if (found := pattern.search(path.read_text(encoding="utf-8", errors="replace")))
        and path.relative_to(ROOT).as_posix() not in NAMES_THEM_AS_DATA
    ]

    assert wrong == []
