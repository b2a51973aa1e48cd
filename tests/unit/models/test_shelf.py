"""A shelf of models: each is opened once, and anew when its files are others."""

import os
import threading
from pathlib import Path

import pytest

from noctuary.errors import ModelError, ModelMissing
from noctuary.models.choosing import HASHING
from noctuary.models.embedder import Embedder
from noctuary.models.shelf import Shelf
from tests.unit.models.building import static_folder


def opened(shelf: Shelf, source: str | Path, home: Path) -> Embedder:
    return shelf.embedder(str(source), home=home, environ={})


def test_whoever_asks_is_given_the_same(tmp_path: Path) -> None:
    """Also if many ask at the same moment."""
    folder, shelf, found = static_folder(tmp_path / "model"), Shelf(), list[Embedder]()
    threads = [threading.Thread(target=lambda: found.append(opened(shelf, folder, tmp_path))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(found) == 8
    assert len(set(map(id, found))) == 1


def test_a_model_that_was_installed_anew_is_opened_anew(tmp_path: Path) -> None:
    """Nobody goes on with weights that are gone, and one that is gone is missing."""
    folder, shelf = static_folder(tmp_path / "model"), Shelf()
    first = opened(shelf, folder, tmp_path)
    os.utime(folder / "model.safetensors", ns=(1, 1))

    assert opened(shelf, folder, tmp_path) is not first
    (folder / "tokenizer.json").unlink()
    with pytest.raises(ModelError):
        opened(shelf, folder, tmp_path)


def test_what_has_no_files_is_on_no_shelf(tmp_path: Path) -> None:
    """It is opened as ever, or is missing as ever."""
    shelf = Shelf()

    assert opened(shelf, HASHING, tmp_path).name == "hashing-64@1"
    assert opened(shelf, "https://example.org/v1#model", tmp_path).name.startswith("model")
    with pytest.raises(ModelMissing, match="handed over"):
        opened(shelf, "given:ours", tmp_path)
