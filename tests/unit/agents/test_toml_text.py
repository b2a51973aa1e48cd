"""A block in TOML comes in and goes out again; what it cannot be added to is left alone."""

import tomllib

import pytest

from noctuary.agents import toml_text
from noctuary.agents.remembered import Remembered, digest_of
from noctuary.agents.splicing import Spliced
from noctuary.errors import BadSettings

ENTRY = {"command": '/opt/my "py\\thon/é', "args": ["-P", "-m", "noctuary", "mcp"]}
TEXTS = [
    "",
    "\n",
    "\ufeff",
    "# only words",
    'model = "o5"',
    'model = "o5"\n',
    "[tui]\nx = 1",
    "[a.b]\r\nx = 1\r\n",
    '[mcp_servers.other]\ncommand = "x"\n\n[mcp_servers.other.env]\nA = "1"\n',
    's = """\n# noctuary: begin\n"""\n[[list]]\nx = 1\n',
    "[projects]\n[projects.'/home/ana']\ntrust_level = \"trusted\" # yes\n\n\n",
]


def remembered(text: str, spliced: Spliced) -> Remembered:
    """What install would write down."""
    return Remembered("codex", True, digest_of(text), digest_of(spliced.text), spliced.edits)


@pytest.mark.parametrize("text", TEXTS)
def test_there_and_back(text: str) -> None:
    """With the block the text says one thing more; without it it is what it was."""
    spliced = toml_text.with_server(text, ENTRY)
    said = tomllib.loads(spliced.text.removeprefix("\ufeff"))
    expected = tomllib.loads(text.removeprefix("\ufeff"))

    assert said == {**expected, "mcp_servers": {**expected.get("mcp_servers", {}), "noctuary": ENTRY}}
    assert toml_text.without_server(spliced.text, remembered(text, spliced)) == text


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("is_known", [True, False])
def test_what_others_add_stays(text: str, is_known: bool) -> None:
    """Tables that Codex adds after ours are kept, also if install remembers nothing."""
    spliced = toml_text.with_server(text, ENTRY)
    more = '[projects."/new"]\ntrust_level = "trusted"\n'
    known = remembered(text, spliced) if is_known else None
    rest = toml_text.without_server(spliced.text + more, known)

    assert rest.endswith(more)
    assert "noctuary]" not in rest
    assert rest == text + more or not is_known or not text.endswith("\n")


def test_what_others_put_into_the_block_stays() -> None:
    """A table that lies between our marks now, since the mark was a comment to its writer, is not ours."""
    spliced = toml_text.with_server("", ENTRY)
    text = spliced.text.replace("# noctuary: end", '[mcp_servers.other]\ncommand = "x"\n# noctuary: end')
    rest = toml_text.without_server(text, remembered("", spliced))

    assert tomllib.loads(rest) == {"mcp_servers": {"other": {"command": "x"}}}
    assert "noctuary" not in rest


def test_what_belongs_to_our_server_goes_along() -> None:
    """A setting that the user added to our entry means nothing without it."""
    spliced = toml_text.with_server("a = 1\n", ENTRY)
    text = spliced.text.replace("# noctuary: end", "startup_timeout_sec = 20\n# noctuary: end")

    assert tomllib.loads(toml_text.without_server(text, remembered("a = 1\n", spliced))) == {"a": 1}


@pytest.mark.parametrize("text", ['mcp_servers = {a = {command = "x"}}\n', "mcp_servers = 1\n"])
def test_what_cannot_be_added_to_is_refused(text: str) -> None:
    """TOML allows no table there; a person has to write it."""
    with pytest.raises(BadSettings, match="by hand"):
        toml_text.with_server(text, ENTRY)


@pytest.mark.parametrize("text", ["a = ", "[a]\n[a]\n", "a = 1\na = 2"])
def test_what_is_no_toml_is_refused(text: str) -> None:
    """It is not for us to repair."""
    with pytest.raises(BadSettings, match="no TOML"):
        toml_text.with_server(text, ENTRY)


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("", "[hooks]\nprompt_recall = true\n"),
        ('owner = "ana"', 'owner = "ana"\n[hooks]\nprompt_recall = true\n'),
        ("[hooks]", "[hooks]\nprompt_recall = true"),
        ("[ hooks ] # ours\r\nx = 1\r\n", "[ hooks ] # ours\r\nprompt_recall = true\r\nx = 1\r\n"),
        ("[hooks]\nprompt_recall = false # no\n", "[hooks]\nprompt_recall = true # no\n"),
        ("[hooks]\nprompt_recall = true\n", "[hooks]\nprompt_recall = true\n"),
        ("[hooks.inner]\na = 1\n", "[hooks.inner]\na = 1\n[hooks]\nprompt_recall = true\n"),
        ("[dream]\nprompt_recall = false\n", "[dream]\nprompt_recall = false\n[hooks]\nprompt_recall = true\n"),
    ],
)
def test_recall_is_turned_on_in_its_table(text: str, after: str) -> None:
    """Nothing else of the file changes, and it can be undone also after others have edited it."""
    spliced = toml_text.with_recall(text)

    assert spliced.text == after
    if spliced.edits:
        known = remembered(text, spliced)
        assert toml_text.without_recall(after, known) == text
        edited = after + "\n[later]\n"
        assert "later" in tomllib.loads(toml_text.without_recall(edited, known))
        assert tomllib.loads(toml_text.without_recall(edited, known)).get("hooks", {}).get("prompt_recall") is not True


@pytest.mark.parametrize("text", ["hooks = {a = 1}\n", "hooks = 1\n", '[hooks]\nprompt_recall = "no"\n'])
def test_recall_that_takes_a_person(text: str) -> None:
    """Unusual ways of writing it are not guessed at."""
    with pytest.raises(BadSettings, match="by hand"):
        toml_text.with_recall(text)


def test_recall_that_the_user_turned_off_stays_off() -> None:
    """Uninstall does not touch what is not as install left it."""
    spliced = toml_text.with_recall("")
    text = spliced.text.replace("true", "false")

    assert toml_text.without_recall(text, remembered("", spliced)) == text
