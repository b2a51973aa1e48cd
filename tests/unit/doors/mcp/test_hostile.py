"""Any JSON may come as arguments: the answer is a sentence or a result, within bounds, and never a traceback."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noctuary.doors.mcp.keeper import Keeper, Serving
from noctuary.doors.mcp.telling import LONGEST_ANSWER
from noctuary.doors.mcp.tools import TOOLS, arguments_of
from noctuary.fences import without_fenced
from noctuary.settings import Settings
from noctuary.testing import FakeClock
from tests.unit.doors.mcp.serving import OWNER, Served

TEXTS = st.one_of(
    st.text(max_size=60),
    st.text(st.characters(categories=["Cc", "Cf", "Cs", "Zs", "Sm", "Po"]), max_size=20),
    st.sampled_from(
        ["*", ".", "..", "/", "../../etc", "t-", "g-", "aaaa-1", "' OR 1=1 --", '"', "NEAR(", "7d", "9999-12-31", "-"]
    ),
)
ANYTHING = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), TEXTS, st.just(10**40)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)),
    max_leaves=5,
)


def likely(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """What the schema of an argument asks for, or anything at all."""
    if "enum" in schema:
        return st.one_of(st.sampled_from(schema["enum"]), ANYTHING)
    fitting = {"string": TEXTS, "integer": st.integers(), "array": st.lists(TEXTS, max_size=4)}
    return st.one_of(fitting[schema["type"]], ANYTHING)


def calls() -> st.SearchStrategy[tuple[str, dict[str, Any]]]:
    """A tool and arguments for it."""
    return st.one_of([st.tuples(st.just(str(tool["name"])), _arguments(tool["inputSchema"])) for tool in TOOLS])


def _arguments(schema: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    needed = set(schema.get("required", ()))
    values = {name: likely(each) for name, each in schema["properties"].items()}
    return st.fixed_dictionaries(
        {name: value for name, value in values.items() if name in needed},
        optional={name: value for name, value in values.items() if name not in needed},
    )


@pytest.fixture(scope="module")
def filled() -> Iterator[Served]:
    """A memory with a session and a task, which all examples share and add to."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        place = Settings(home=folder / "memory", owner=OWNER, user_home=folder, environ={})
        served = Served(Keeper(Serving(place, folder=folder), FakeClock()))
        served.keep("aaaa-1", ["Why are logins lost?", "A dict.", "No Redis then."])
        served("task", action="open", title="Move sessions")
        yield served
        served.keeper.close()


@given(call=calls())
@settings(max_examples=300, deadline=None)
def test_nothing_that_a_model_passes_breaks_a_tool(filled: Served, call: tuple[str, dict[str, Any]]) -> None:
    """No error that nobody expected, nothing outside of the fence, nothing longer than an answer may be."""
    tool, arguments = call
    answer = filled.asked(tool, **arguments)

    assert "something unexpected" not in answer.text
    assert "Traceback" not in answer.text
    assert len(answer.text) <= LONGEST_ANSWER
    assert without_fenced(answer.text).strip() == ""
    answer.text.encode()


@pytest.mark.parametrize("tool", [str(tool["name"]) for tool in TOOLS])
def test_every_argument_may_be_null(filled: Served, tool: str) -> None:
    """Some clients send all they know."""
    nothing = dict.fromkeys(arguments_of(tool))

    assert filled.asked(tool, **nothing) == filled.asked(tool)


NAMED = [
    (str(tool["name"]), name)
    for tool in TOOLS
    for name, schema in tool["inputSchema"]["properties"].items()
    if schema["type"] in ("string", "array") and "enum" not in schema
]


@pytest.mark.parametrize("letter", ["s", "%", "😀"])
@pytest.mark.parametrize(("tool", "name"), NAMED)
def test_nothing_is_too_long_to_be_answered(filled: Served, tool: str, name: str, letter: str) -> None:
    """A text longer than a database compares is one that is not there, or one to keep shorter."""
    needed = {"task": {"action": "check"}, "work": {"action": "claim", "task": "t-1"}, "recall_why": {"topic": "redis"}}
    answer = filled.asked(tool, **{**needed.get(tool, {}), name: letter * 60_000})

    assert "something unexpected" not in answer.text
    assert len(answer.text) <= LONGEST_ANSWER
