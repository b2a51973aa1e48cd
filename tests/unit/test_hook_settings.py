"""The table `[hooks]` of config.toml: what it may say, and what is said about the rest."""

from pathlib import Path

import pytest

from noctuary.errors import BadSettings
from noctuary.hook_settings import HookSettings, hook_settings
from noctuary.settings import Settings


def written(home: Path, text: str) -> HookSettings:
    """The settings that a file gives."""
    (home / "config.toml").write_text(text, encoding="utf-8")
    return hook_settings(Settings.load({"USER": "ana"}, home=home).hooks_table)


def test_nothing_is_recalled_unasked(tmp_path: Path) -> None:
    """Without a table, or with an empty one, all are off."""
    assert written(tmp_path, "") == written(tmp_path, "[hooks]\n") == HookSettings(prompt_recall=False)
    assert HookSettings() == (False, False, False)


def test_each_can_be_switched_on(tmp_path: Path) -> None:
    """One does not need the other."""
    assert written(tmp_path, "[hooks]\nprompt_recall = true\n") == HookSettings(prompt_recall=True)
    assert written(tmp_path, "[hooks]\ntool_recall = true\n") == HookSettings(tool_recall=True)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("hooks = true", r"\[hooks\] on a line of its own"),
        (
            "[hooks]\nprompt_recal = true",
            r"no setting 'prompt_recal'; there are prompt_recall, tool_recall, subagent_brief",
        ),
        ('[hooks]\nprompt_recall = "yes"', "hooks.prompt_recall is 'yes'; write true or false"),
        ("[hooks]\ntool_recall = 1", "hooks.tool_recall is 1; write true or false"),
    ],
)
def test_what_makes_no_sense_is_named(tmp_path: Path, text: str, said: str) -> None:
    """With what to write instead."""
    with pytest.raises(BadSettings, match=said):
        written(tmp_path, text)
