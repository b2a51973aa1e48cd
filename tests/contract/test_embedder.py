"""What every embedding model promises, whatever it is made of."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from noctuary.models.embedder import Embedder
from noctuary.models.endpoint import EndpointEmbedder
from noctuary.models.hashing import HashingEmbedder
from noctuary.models.onnx import OnnxEmbedder
from noctuary.models.static import StaticEmbedder
from tests.unit.models.building import bpe_folder, np, onnx_folder, static_folder
from tests.unit.models.serving import Server, embeddings

TEXTS = ["drop the redis cache", "yellow banana", "", "server memory, server cache", "中 é deploy"]
any_text = st.text(st.characters(exclude_categories=()), max_size=40)  # half characters too

MAKERS: dict[str, Callable[[Path], Embedder]] = {
    "onnx": lambda folder: OnnxEmbedder(onnx_folder(folder)),
    "static, WordPiece": lambda folder: StaticEmbedder(static_folder(folder)),
    "static, BPE": lambda folder: StaticEmbedder(bpe_folder(folder)),
    "hashing": lambda _: HashingEmbedder(),
}


@pytest.fixture(scope="module", params=[*MAKERS, "endpoint"])
def embedder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Embedder]:
    """A model of each kind."""
    if request.param == "endpoint":
        with Server(embeddings) as server:
            yield EndpointEmbedder(server.url, "words")
        return
    yield MAKERS[request.param](tmp_path_factory.mktemp("model"))


def test_there_is_one_row_a_text(embedder: Embedder) -> None:
    """Texts become as many rows of float32, each as long as the model says."""
    found = embedder.passages(TEXTS)

    assert found.shape == (len(TEXTS), embedder.dimension)
    assert found.dtype == np.float32


def test_no_texts_are_no_rows(embedder: Embedder) -> None:
    """Nothing to do is no special case for whoever asks."""
    assert embedder.passages([]).shape == (0, embedder.dimension)


def test_a_question_is_one_row(embedder: Embedder) -> None:
    """A question has a vector that can be compared with those of passages."""
    asked = embedder.question("why did we drop redis?")

    assert asked.shape == (1, embedder.dimension)
    assert asked.dtype == np.float32


def test_rows_come_in_the_order_of_the_texts(embedder: Embedder) -> None:
    """Whatever runs together, each text has its own vector, the same as alone."""
    texts = [f"{text} {'cache ' * (number % 7)}" for number in range(8) for text in TEXTS]

    together = embedder.passages(texts)

    alone = np.concatenate([embedder.passages([text]) for text in texts])
    assert np.allclose(together, alone, atol=1e-5)


def test_texts_that_share_words_are_alike(embedder: Embedder) -> None:
    """What says the same lies closer than what does not."""
    asked = embedder.question("redis cache on the server")

    same, other = embedder.passages(["the server has a redis cache", "a banana is yellow fruit"])

    assert asked[0] @ same > asked[0] @ other


def test_the_same_text_has_the_same_vector(embedder: Embedder) -> None:
    """Nothing is drawn by lot."""
    assert np.array_equal(embedder.passages(["server"]), embedder.passages(["server"]))


def test_long_texts_are_cut(embedder: Embedder) -> None:
    """A text of any length has a vector."""
    found = embedder.passages(["server cache " * 20_000])

    assert np.allclose(np.linalg.norm(found, axis=1), 1, atol=1e-4)


def test_a_name_says_which_weights(embedder: Embedder) -> None:
    """A name is a label and a digest, and fits on a line."""
    label, _, version = embedder.name.rpartition("@")

    assert label
    assert version
    assert embedder.name.isprintable()


@given(text=any_text)
@example(text="\ud800 half a character")
@example(text="\0")
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_has_a_vector(embedder: Embedder, text: str) -> None:
    """Whatever a transcript holds becomes a vector of length 1, or of length 0 if there is nothing in it."""
    found = np.concatenate([embedder.passages([text, "server"]), embedder.question(text)])

    lengths = np.linalg.norm(found, axis=1)
    assert np.isfinite(found).all()
    assert all(abs(length - 1) < 1e-4 or length == 0 for length in lengths)


def test_made_twice_it_has_the_same_name(tmp_path: Path) -> None:
    """Vectors that were stored yesterday can be compared today."""
    for number, maker in enumerate(MAKERS.values()):
        folder = tmp_path / str(number)
        folder.mkdir()

        assert maker(folder).name == maker(folder).name
