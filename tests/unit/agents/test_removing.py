"""Ours goes out of any text, however it was written anew since."""

import json

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from noctuary.agents import jsonc
from noctuary.agents.commands import Calls
from noctuary.agents.known import hook_entries, server_entry
from noctuary.agents.merging import Merged, Wanted, merged
from noctuary.agents.remembered import Remembered, digest_of
from noctuary.agents.removing import removed
from noctuary.agents.splicing import put_member
from noctuary.errors import BadSettings
from tests.unit.agents.documents import Document, documents

CALLS = Calls("/opt/py thon/bin/python", None, "ana's")
WANTED = Wanted("codex", hook_entries("codex", CALLS.hook("codex")), server_entry("codex", CALLS), ("mcpServers",))


def remembered(done: Merged) -> Remembered:
    """What install would write down."""
    return Remembered("codex", True, digest_of(done.base), digest_of(done.text), done.edits, done.made)


def merged_or_refused(document: Document) -> Merged:
    """The document with ours in it; those in which something else is in the way do not count."""
    try:
        return merged(document.text, WANTED, None)
    except BadSettings:
        assume(False)
        raise


@settings(deadline=None)
@given(documents(is_object=True))
def test_untouched_text_is_what_it_was(document: Document) -> None:
    """To the character, whatever its layout."""
    done = merged_or_refused(document)

    assert removed(done.text, remembered(done)) == document.text


@settings(deadline=None, max_examples=50)  # each is read and written often
@given(documents(is_object=True), st.sampled_from([None, 1, 4, "\t"]), st.booleans())
def test_text_written_anew_says_what_it_said(document: Document, indent: int | str | None, is_known: bool) -> None:
    """An agent that dumps its settings loses the layout; what they say without ours is what they said before.

    Without what install remembers, objects and arrays that were empty before it go along with ours.
    """
    done = merged_or_refused(document)
    root = jsonc.read(done.text)
    assert root is not None
    rest = removed(json.dumps(root.data, indent=indent), remembered(done) if is_known else None)
    left = jsonc.read(rest)

    assert left is not None
    assert "noctuary" not in rest
    assert (left.data if is_known else pruned(left.data)) == (document.value if is_known else pruned(document.value))


def pruned(value: object) -> object:
    """The value without empty arrays and objects below `hooks` and `mcpServers`, and without these if empty."""
    if not isinstance(value, dict):
        return value
    rest = dict(value)
    if isinstance(hooks := rest.get("hooks"), dict):
        rest["hooks"] = {key: each for key, each in hooks.items() if each not in ([], {})}
    return {key: each for key, each in rest.items() if key not in ("hooks", "mcpServers") or each != {}}


OURS = {"type": "command", "command": "/usr/bin/python -I -S /x/noctuary/doors/hook/__main__.py --agent codex"}
THEIRS = {"type": "command", "command": "echo noctuary"}


@pytest.mark.parametrize(
    ("hooks", "left"),
    [
        ({"Stop": [{"hooks": [THEIRS, OURS]}]}, {"Stop": [{"hooks": [THEIRS]}]}),
        ({"Stop": [{"hooks": [OURS, THEIRS, OURS]}]}, {"Stop": [{"hooks": [THEIRS]}]}),
        ({"Stop": [{"hooks": [OURS]}, {"hooks": [THEIRS]}]}, {"Stop": [{"hooks": [THEIRS]}]}),
        ({"Stop": [{"hooks": [OURS, OURS]}], "Else": [{"hooks": []}]}, {"Else": [{"hooks": []}]}),
        ({"stop": [OURS, THEIRS]}, {"stop": [THEIRS]}),
        ({"Stop": "odd", "Start": [1, None, {"hooks": 3}, OURS]}, {"Stop": "odd", "Start": [1, None, {"hooks": 3}]}),
    ],
)
def test_ours_is_found_among_others(hooks: object, left: object) -> None:
    """Wherever people have put our handler, it goes, and no other does."""
    text = json.dumps({"hooks": hooks}, indent=2)

    assert json.loads(removed(text, None)) == {"hooks": left}


def test_members_of_one_name_all_lose_ours() -> None:
    """Of two members with one name an agent takes one; ours is in neither afterwards."""
    hooks = '"hooks": {"Stop": [1, ' + json.dumps(OURS) + "]}"
    text = "{" + hooks + ", " + hooks + "}"

    assert "noctuary/doors" not in removed(text, None)


@pytest.mark.parametrize("comment", ["// mine", "/* mine */", "// a, b", '// "quoted'])
def test_comments_stay_as_they_are_when_others_add_to_ours(comment: str) -> None:
    """What stood before our entries is not changed by what was put in after them, nor by its comma."""
    done = merged(f"{{\n  {comment}\n}}\n", WANTED, None)
    added = put_member(done.text, (), "theirs", {"a": "// no comment"}).text
    rest = removed(added, remembered(done))
    left = jsonc.read(rest)

    assert left is not None
    assert left.data == {"theirs": {"a": "// no comment"}}
    assert f"  {comment}\n" in rest
