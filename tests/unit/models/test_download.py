"""Downloads: the whole model, or nothing."""

import hashlib
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from noctuary.errors import ModelDamaged, ModelError, ModelUnreachable
from noctuary.models.catalog import Entry, PinnedFile
from noctuary.models.download import HUB, _put, download, fetch_url, hub_of
from noctuary.models.folders import Kind
from noctuary.models.onnx import OnnxEmbedder
from noctuary.models.recipe import Pooling, Recipe, read_recipe
from tests.unit.models.building import DIMENSION, onnx_folder
from tests.unit.models.serving import HANG_UP, Asked, Reply, Server

RECIPE = Recipe(Pooling.FIRST, 64, "query: ", "passage: ")
REVISION = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture
def files(tmp_path: Path) -> dict[str, bytes]:
    """What lies in the repository, by path."""
    folder = onnx_folder(tmp_path / "made")
    return {
        "onnx/model.onnx": (folder / "model.onnx").read_bytes(),
        "tokenizer.json": (folder / "tokenizer.json").read_bytes(),
    }


@pytest.fixture
def entry(files: dict[str, bytes]) -> Entry:
    """The model, as a catalog has it."""
    pinned = [
        PinnedFile(path, path.rpartition("/")[2], len(content), hashlib.sha256(content).hexdigest())
        for path, content in files.items()
    ]
    return Entry("tiny", "English", DIMENSION, "someone/tiny", REVISION, tuple(pinned), RECIPE)


def serving(files: dict[str, bytes]) -> Callable[[Asked], Reply]:
    """The hub, as it is."""

    def answer(asked: Asked) -> Reply:
        path = asked.path.removeprefix(f"/someone/tiny/resolve/{REVISION}/")
        return Reply(files[path]) if path in files else Reply(status=404)

    return answer


def test_a_model_is_installed(tmp_path: Path, files: dict[str, bytes], entry: Entry) -> None:
    """All files arrive, with the settings of the catalog, and the model can be used."""
    seen: list[tuple[int, int]] = []
    with Server(serving(files)) as server:
        found = download(entry, tmp_path / "models", hub=server.url, progress=lambda *step: seen.append(step))

    assert (found.name, found.kind, found.path) == ("tiny", Kind.ONNX, tmp_path / "models" / "tiny")
    assert read_recipe(found.path) == RECIPE
    assert OnnxEmbedder(found.files).name.startswith("tiny@")
    assert seen[-1] == (entry.size, entry.size)
    assert seen == sorted(seen)
    assert [path.name for path in (tmp_path / "models").iterdir()] == ["tiny"]


def test_a_redirect_is_followed(tmp_path: Path, files: dict[str, bytes], entry: Entry) -> None:
    """The hub keeps large files elsewhere."""
    with Server(serving(files)) as store:
        redirected = Server(lambda asked: Reply(status=302, headers=(("Location", store.url + asked.path),)))
        with redirected as server:
            assert download(entry, tmp_path / "models", hub=server.url).name == "tiny"


def broken(kind: str, files: dict[str, bytes]) -> Callable[[Asked], Reply]:
    """A hub where the second file is not as it should be."""
    good = serving(files)
    content = files["tokenizer.json"]
    replies = {
        "other bytes": Reply(content[:-1] + b"#"),
        "too short": Reply(content[:-1]),
        "too long": Reply(content + b"#" * 1_000_000),
        "cut off": Reply(content[:100], promised=len(content)),
        "not there": Reply(status=404),
        "failing": Reply(status=500),
        "hanging up": Reply(status=HANG_UP),
        "stalling": Reply(content, pause=1.0),
        "elsewhere": Reply(status=302, headers=(("Location", "file:///etc/passwd"),)),
    }
    return lambda asked: replies[kind] if asked.path.endswith("tokenizer.json") else good(asked)


@pytest.mark.parametrize(
    ("kind", "error"),
    [
        ("other bytes", ModelDamaged),
        ("too short", ModelUnreachable),
        ("too long", ModelDamaged),
        ("cut off", ModelUnreachable),
        ("not there", ModelUnreachable),
        ("failing", ModelUnreachable),
        ("hanging up", ModelUnreachable),
        ("stalling", ModelUnreachable),
        ("elsewhere", ModelUnreachable),
    ],
)
def test_nothing_is_left_of_a_failed_download(
    tmp_path: Path, files: dict[str, bytes], entry: Entry, kind: str, error: type[ModelError]
) -> None:
    """Whatever goes wrong, the error names the address and no file stays behind."""
    fetch = partial(fetch_url, timeout=0.3) if kind == "stalling" else fetch_url
    with Server(broken(kind, files)) as server:
        with pytest.raises(error) as caught:
            download(entry, tmp_path / "models", hub=server.url, fetch=fetch)

        assert server.url in str(caught.value)
    assert list((tmp_path / "models").iterdir()) == []


def test_a_failed_download_leaves_the_model_that_was_there(
    tmp_path: Path, files: dict[str, bytes], entry: Entry
) -> None:
    """Installing again is no risk."""
    with Server(serving(files)) as server:
        download(entry, tmp_path / "models", hub=server.url)
        (tmp_path / "models" / "tiny" / "note.txt").write_text("mine")
    with Server(broken("other bytes", files)) as server, pytest.raises(ModelDamaged):
        download(entry, tmp_path / "models", hub=server.url)

    assert (tmp_path / "models" / "tiny" / "note.txt").read_text() == "mine"


def test_a_model_is_replaced_as_a_whole(tmp_path: Path, files: dict[str, bytes], entry: Entry) -> None:
    """What was in the folder before is gone."""
    old = tmp_path / "models" / "tiny"
    old.mkdir(parents=True)
    (old / "model_quantized.onnx").write_bytes(b"damaged")
    with Server(serving(files)) as server:
        download(entry, tmp_path / "models", hub=server.url)

    assert not (old / "model_quantized.onnx").exists()
    assert [path.name for path in (tmp_path / "models").iterdir()] == ["tiny"]


def test_whoever_interrupts_leaves_nothing(tmp_path: Path, files: dict[str, bytes], entry: Entry) -> None:
    """Ctrl-C in the middle is as good as never begun."""

    def interrupt(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with Server(serving(files)) as server, pytest.raises(KeyboardInterrupt):
        download(entry, tmp_path / "models", hub=server.url, progress=interrupt)

    assert list((tmp_path / "models").iterdir()) == []


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path, entry: Entry) -> None:
    """Where a file is in the way nothing is downloaded."""
    (tmp_path / "models").write_text("a file")

    with pytest.raises(ModelError, match="cannot be written"):
        download(entry, tmp_path / "models", hub="http://127.0.0.1:1")


@pytest.mark.parametrize("hub", ["file:///tmp", "nonsense", "http://127.0.0.1:1", "ftp://127.0.0.1"])
def test_a_hub_that_is_none_is_unreachable(tmp_path: Path, entry: Entry, hub: str) -> None:
    """Files are only ever fetched over the web."""
    with pytest.raises(ModelUnreachable):
        download(entry, tmp_path / "models", hub=hub)


def test_the_hub_can_be_another_one() -> None:
    """A mirror is named by a setting."""
    assert hub_of({}) == HUB
    assert hub_of({"NOCTUARY_MODEL_HUB": "https://mirror.example"}) == "https://mirror.example"


class Unwilling(type(Path())):  # type: ignore[misc]
    """A folder that cannot be moved, and while one tries, somebody else takes the place where it should go."""

    taken: Path | None = None

    def replace(self, target: Path) -> Path:
        """Fail."""
        if self.taken:
            self.taken.write_text("in the way")
        raise OSError(f"{target} is busy")


@pytest.mark.parametrize("is_taken", [False, True])
def test_what_was_there_is_never_lost(tmp_path: Path, is_taken: bool) -> None:
    """A model that cannot be replaced stays; if not even that works, it is kept, and the error says where."""
    place = tmp_path / "model"
    place.mkdir()
    (place / "weights").write_text("the only copy")
    gathered = Unwilling(tmp_path / "gathered")
    gathered.taken = place if is_taken else None

    with pytest.raises(OSError, match="lies in" if is_taken else "is busy") as caught:
        _put(gathered, place)

    [kept] = [path for path in tmp_path.rglob("weights") if path.read_text() == "the only copy"]
    assert kept.parent == place or str(kept.parent) in str(caught.value)
    assert is_taken or list(tmp_path.iterdir()) == [place]
