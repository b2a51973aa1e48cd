"""What the user has changed in our own entries is theirs."""

import json

from noctuary.agents.commands import Calls
from noctuary.agents.known import hook_entries, server_entry
from noctuary.agents.merging import Wanted, handlers_in, merged, server_in

CALLS = Calls("/usr/bin/python3")
WANTED = Wanted(
    "claude-code",
    hook_entries("claude-code", CALLS.hook("claude-code")),
    server_entry("claude-code", CALLS),
    ("mcpServers",),
)


def test_changed_timeouts_and_environment_stay() -> None:
    """A second install sees that everything is called, and changes nothing."""
    data = json.loads(merged("{}", WANTED, None).text)
    data["hooks"]["Stop"][0]["hooks"][0]["timeout"] = 60
    data["hooks"]["Stop"][0]["matcher"] = "*"
    data["mcpServers"]["noctuary"]["env"] = {"A": "1"}
    text = json.dumps(data)

    assert merged(text, WANTED, None).text == text


def test_one_handler_that_is_missing_is_put_back() -> None:
    """Nor is any of the others doubled."""
    data = json.loads(merged("{}", WANTED, None).text)
    del data["hooks"]["SessionStart"]
    again = merged(json.dumps(data), WANTED, None).text

    assert len(handlers_in(again)) == len(WANTED.hooks)


def test_server_is_found_in_both_formats() -> None:
    """In JSON and in TOML."""
    toml = WANTED._replace(hooks={}, is_toml=True)

    assert server_in(merged("", WANTED, None).text, WANTED) == WANTED.server
    assert server_in(merged('a = "b"', toml, None).text, toml) == WANTED.server
    assert server_in("", toml) is None
