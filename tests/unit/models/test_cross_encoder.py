"""Cross-encoders in ONNX files."""

import math
import subprocess
import sys
from pathlib import Path

import pytest

from noctuary.errors import ModelDamaged, ModelMissing
from noctuary.models.cross_encoder import CrossEncoder
from tests.unit.models.building import onnx_folder, static_folder, wordpiece_json, write_json
from tests.unit.models.judging import NOTHING, OF_QUESTION, WORTH, judging_folder


def sigmoid(logit: float) -> float:
    return 1 / (1 + math.exp(-logit))


@pytest.mark.parametrize("logits", [0, 1, 2])
@pytest.mark.parametrize("name", ["model.onnx", "onnx/model.onnx"])
def test_what_answers_better_is_nearer_to_one(tmp_path: Path, logits: int, name: str) -> None:
    """Each text has the sigmoid of its number, or the softmax of the last of two, in the order of the texts."""
    judge = CrossEncoder(judging_folder(tmp_path, name=name, logits=logits)).judge

    judged = judge("banana", ["the cache", "yellow banana", "server", "redis and a cache and much more of all that"])

    expected = [sigmoid(logit) for logit in (WORTH["cache"], WORTH["banana"], NOTHING, WORTH["redis"])]
    assert judged == pytest.approx(expected, abs=1e-6)


def test_question_and_text_are_told_apart(tmp_path: Path) -> None:
    """The model is told which words are of the question."""
    judge = CrossEncoder(judging_folder(tmp_path, counts=OF_QUESTION)).judge

    assert judge("redis", ["banana"]) == pytest.approx([sigmoid(WORTH["redis"])], abs=1e-6)
    assert judge("banana", ["redis"]) == pytest.approx([sigmoid(WORTH["banana"])], abs=1e-6)


def test_a_long_text_is_cut_and_the_question_is_not(tmp_path: Path) -> None:
    """Of both together 512 tokens are read, and all of a question up to half of them."""
    question = "deploy " * 250 + "redis"
    read, unread = "deploy " * 250 + "cache", "deploy " * 300 + "cache"

    of_text = CrossEncoder(judging_folder(tmp_path / "text")).judge(question, [read, unread])
    of_question = CrossEncoder(judging_folder(tmp_path / "question", counts=OF_QUESTION)).judge(question, [unread])

    assert of_text == pytest.approx([sigmoid(WORTH["cache"]), sigmoid(NOTHING)], abs=1e-6)
    assert of_question == pytest.approx([sigmoid(WORTH["redis"])], abs=1e-6)


def test_a_question_of_any_length_leaves_room_for_the_text(tmp_path: Path) -> None:
    """Who pastes a log as a question has its beginning read, and that of the texts."""
    question = "redis " + "deploy " * 5_000
    text = "cache " + "deploy " * 5_000

    of_text = CrossEncoder(judging_folder(tmp_path / "text")).judge(question, [text])
    of_question = CrossEncoder(judging_folder(tmp_path / "question", counts=OF_QUESTION)).judge(question, [text])

    assert of_text == pytest.approx([sigmoid(WORTH["cache"])], abs=1e-6)
    assert of_question == pytest.approx([sigmoid(WORTH["redis"])], abs=1e-6)


def test_texts_are_judged_each_for_itself(tmp_path: Path) -> None:
    """However many and however long the texts beside it are, a text is worth the same."""
    judge = CrossEncoder(judging_folder(tmp_path)).judge
    texts = ["server " * (7 * number % 90) + ("redis" if number % 3 else "cache") for number in range(40)]

    assert judge("q", texts) == pytest.approx([judge("q", [text])[0] for text in texts], abs=1e-6)


def test_any_text_can_be_judged(tmp_path: Path) -> None:
    """Nothing, half a character and a zero byte are texts; no texts are no judgements."""
    judge = CrossEncoder(judging_folder(tmp_path)).judge

    assert len(judge("\ud800?", ["", "\udfff", "\0", "中 é 🦉"])) == 4
    assert len(judge("", ["redis"])) == 1
    assert judge("redis", []) == []


@pytest.mark.parametrize("logit", [-1e30, 1e30])
def test_huge_numbers_are_judgements(tmp_path: Path, logit: float) -> None:
    """The surest of models is still between 0 and 1."""
    judge = CrossEncoder(judging_folder(tmp_path, worth=dict.fromkeys(("[CLS]", "q", "[SEP]", "redis"), logit))).judge

    assert judge("q", ["redis"]) == [float(logit > 0)]


def test_numbers_that_are_none_are_refused(tmp_path: Path) -> None:
    """What is infinite orders nothing."""
    judge = CrossEncoder(judging_folder(tmp_path, worth={"redis": math.inf})).judge

    with pytest.raises(ModelDamaged, match="finite"):
        judge("q", ["redis"])


@pytest.mark.parametrize("kind", ["nothing", "empty", "static", "file"])
def test_a_folder_without_a_cross_encoder_is_refused(tmp_path: Path, kind: str) -> None:
    """It is said what should be in the folder, and where its name is to be corrected."""
    folder = tmp_path / kind
    if kind == "static":
        static_folder(folder)
    elif kind == "empty":
        folder.mkdir()
    elif kind == "file":
        folder.write_text("no folder")

    with pytest.raises(ModelMissing, match=r"tokenizer\.json and model\.onnx; correct NOCTUARY_RERANKER"):
        CrossEncoder(folder)


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    """Which file it is, and what to do, is said."""
    weights = judging_folder(tmp_path) / "model.onnx"
    weights.write_bytes(weights.read_bytes()[:-100])

    with pytest.raises(ModelDamaged, match=r"model\.onnx .* Install the model again"):
        CrossEncoder(tmp_path)


def test_an_embedding_model_is_no_cross_encoder(tmp_path: Path) -> None:
    """Who names the wrong folder is told so when it is used."""
    write_json(onnx_folder(tmp_path / "embedder") / "tokenizer.json", wordpiece_json())
    per_token = judging_folder(tmp_path / "tokens", pooled=False)

    for folder in (tmp_path / "embedder", per_token):
        with pytest.raises(ModelDamaged, match=r"is no cross-encoder: it gives .* Choose another"):
            CrossEncoder(folder).judge("redis", ["cache", "redis", "server"])


WITHOUT_LIBRARIES = """
import sys
from pathlib import Path
for name in ("numpy", "onnxruntime", "tokenizers"):
    sys.modules[name] = None
from noctuary.errors import ModelMissing
from noctuary.models.cross_encoder import CrossEncoder
try:
    CrossEncoder(Path(sys.argv[1]))
except ModelMissing as error:
    assert "pip install 'noctuary[semantic]'" in str(error), error
else:
    raise AssertionError
"""


def test_without_the_libraries_one_is_told_how_to_get_them(tmp_path: Path) -> None:
    """The module can be imported without them."""
    subprocess.run([sys.executable, "-c", WITHOUT_LIBRARIES, str(judging_folder(tmp_path))], check=True)
