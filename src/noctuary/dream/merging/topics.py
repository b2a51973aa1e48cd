"""What a memory is about, in a word: few topics, so that each is a file worth opening."""

import re
from collections.abc import Collection
from functools import cache

from noctuary.proposals import Proposal
from noctuary.text import fold, plain_words

MOST_TOPICS = 40  # of a project; what comes later goes to the areas and to the general one
GENERAL = "general"
_LONGEST = 24
# Areas of engineering and the words they are known by, the most telling first: the first that is named is taken.
_AREAS = {
    "auth": "auth authentication authorization login logout oauth oidc jwt password passwords token tokens permission",
    "database": "database db sql sqlite postgres postgresql mysql redis mongo migration migrations schema table query",
    "docker": "docker dockerfile container containers compose podman kubernetes k8s helm image",
    "deploy": "deploy deploys deployment release releases rollout staging production prod hosting terraform ansible",
    "tests": "test tests testing pytest unittest jest vitest fixture fixtures mock mocks coverage flaky assertion",
    "build": "build builds bundler webpack vite makefile make cmake gradle maven cargo compile compiler ci pipeline",
    "api": "api apis endpoint endpoints rest graphql grpc http route routes request response webhook",
    "ui": "ui css html button page layout component components frontend react vue svelte theme modal screen",
    "git": "git branch branches commit commits merge rebase squash pr pull tag changelog",
    "dependencies": "dependency dependencies package packages library upgrade pip npm pnpm yarn uv poetry lockfile pin",
    "performance": "performance slow fast latency memory cache caching cpu throughput benchmark profile profiling",
    "style": "style naming indent indentation tabs spaces lint linter ruff eslint prettier format formatter type types",
    "docs": "docs documentation readme docstring docstrings comment comments markdown",
    "workflow": "workflow review reviews ask approval before after always never plan agent session worktree",
}  # fmt: skip
_KNOWN_FOLDERS = frozenset({"src", "lib", "app", "apps", "packages", "pkg", "internal", "cmd", "home", "users", "tmp"})
_TESTS = frozenset({"test", "tests", "spec", "__tests__"})


def topic_of(proposal: Proposal, known_topics: Collection[str]) -> str:
    """A short topic in small letters: the proposal's own, that of its words, or the package of its main file."""
    own = _slug(proposal.topic)
    area = _area(own.replace("-", " ")) or (None if own else _area(proposal.text))
    wanted = own if own in known_topics else area or own or _package(proposal.files) or GENERAL
    if wanted in known_topics or wanted in _AREAS or wanted == GENERAL:
        return wanted
    return wanted if len(known_topics) < MOST_TOPICS - len(_AREAS) else _area(proposal.text) or GENERAL


def _slug(topic: str) -> str:
    words = plain_words(fold(topic))[:3]
    return "-".join(words)[:_LONGEST].strip("-")


@cache
def _by_word() -> dict[str, str]:
    return {word: area for area, words in reversed(_AREAS.items()) for word in (area, *words.split())}


def _area(text: str) -> str | None:
    """The area that most of the words speak of; of several, the one that is named first."""
    areas = [area for word in plain_words(fold(text)) if (area := _by_word().get(word))]
    return max(areas, key=lambda area: (areas.count(area), -areas.index(area))) if areas else None


def _package(files: Collection[str]) -> str:
    """The package that the first file belongs to: the folder below the one that holds all of them."""
    for file in files:
        parts = [part for part in re.split(r"[/\\]+", file.lower()) if part not in ("", ".", "..", "~")]
        if _TESTS.intersection(parts):
            return "tests"
        folders = [part for part in parts[:-1] if part not in _KNOWN_FOLDERS]
        if folders and (name := _slug(folders[-1])):
            return name
    return ""
