"""The models that can be downloaded."""

import re

import pytest

from noctuary.errors import ModelMissing
from noctuary.models.catalog import CATALOG, Entry, find_entry


@pytest.mark.parametrize("entry", CATALOG, ids=lambda entry: entry.name)
def test_every_file_is_pinned(entry: Entry) -> None:
    """A revision is a commit, a file has its bytes, and names are safe as names of folders."""
    assert re.fullmatch(r"[0-9a-f]{40}", entry.revision)
    assert {file.saved_as for file in entry.files} == {"model.onnx", "tokenizer.json"}
    assert all(re.fullmatch(r"[0-9a-f]{64}", file.sha256) and file.size > 0 for file in entry.files)
    assert re.fullmatch(r"[\w.-]+", entry.name)
    assert entry.megabytes == pytest.approx(entry.size / 1e6, abs=1)


def test_names_are_given_once() -> None:
    """A name means one model."""
    assert len({entry.name for entry in CATALOG}) == len(CATALOG)
    assert all(find_entry(entry.name) is entry for entry in CATALOG)


def test_who_asks_for_another_is_told_which_there_are() -> None:
    """A mistyped name is corrected at a glance."""
    with pytest.raises(ModelMissing, match="bge-small"):
        find_entry("bge-smal")
