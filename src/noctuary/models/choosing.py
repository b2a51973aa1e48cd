"""Find and open the model that somebody names.

all-MiniLM-L6-v2                         installed by `noctuary model install`: a folder in <home>/models
~/models/my-model                        any folder with a model; written with a slash
package:wordllama                        weights that came with a Python package
https://api.openai.com/v1#model-name     an endpoint that speaks OpenAI's protocol
hashing                                  no weights at all, for trying out
"""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from noctuary.errors import ModelError, ModelMissing
from noctuary.lazily import lazy_module
from noctuary.models import folders, packages
from noctuary.models.catalog import CATALOG
from noctuary.models.folders import FoundModel, Kind

if TYPE_CHECKING:
    from noctuary.models import endpoint, hashing, onnx, static
    from noctuary.models.embedder import Embedder
else:
    endpoint = lazy_module("noctuary.models.endpoint")
    hashing = lazy_module("noctuary.models.hashing")
    onnx = lazy_module("noctuary.models.onnx")
    static = lazy_module("noctuary.models.static")

HASHING = "hashing"
_GIVEN = "given:"
OPENAI = "https://api.openai.com/"


def open_embedder(source: str, *, home: Path, environ: Mapping[str, str]) -> "Embedder":
    """The model of this name, ready to use; a ModelError says what to do if it cannot be had."""
    if is_address(source):
        return endpoint.from_source(source, key=_key(source, environ))
    if source.startswith(_GIVEN):
        raise ModelMissing(
            f"The model {source.removeprefix(_GIVEN)} was handed over by a program; only that program can use it."
        )
    if source == HASHING:
        return hashing.HashingEmbedder()
    return _open(find_model(source, home=home))


def is_address(source: str) -> bool:
    """Whether the model is somewhere else, and is sent what it reads."""
    return source.startswith(("http://", "https://"))


def has_files(source: str) -> bool:
    """Whether the model lies in files on this machine."""
    return not is_address(source) and source != HASHING and not source.startswith(_GIVEN)


def lasting(source: str) -> str:
    """The source as it can be kept: a folder is named from the root, a package as it is listed."""
    if source.startswith(packages.PREFIX):
        return packages.spelled(source)
    if _is_folder(source):
        return str(Path(source).expanduser().resolve())
    return source


def find_model(source: str, *, home: Path) -> FoundModel:
    """Where the model of this name lies on this machine; ModelMissing if it does not."""
    if source.startswith(packages.PREFIX):
        return packages.find_package(source)
    if _is_folder(source):
        return folders.read_folder(Path(source))
    if source and (models_folder(home) / source).is_dir():
        return folders.read_folder(models_folder(home) / source)
    if any(entry.name == source for entry in CATALOG):
        raise ModelMissing(f"The model {source} is not installed; run: noctuary model install {source}")
    raise ModelMissing(
        f"There is no model {source!r} on this machine; `noctuary model list` shows what there is."
        f" A folder is written with a slash: ./{source}"
    )


def available(home: Path) -> list[FoundModel]:
    """The models that can be opened as they are: those installed in this home, then those of packages."""
    return [*_installed(models_folder(home)), *packages.installed()]


def models_folder(home: Path) -> Path:
    """Where models are installed."""
    return home / "models"


def _installed(folder: Path) -> list[FoundModel]:
    found: list[FoundModel] = []
    for path in sorted(folder.iterdir()) if folder.is_dir() else []:
        if path.is_dir() and not path.name.startswith("."):
            with suppress(ModelError):
                found.append(folders.read_folder(path))
    return found


def _is_folder(source: str) -> bool:
    is_elsewhere = is_address(source) or source.startswith(packages.PREFIX)
    return not is_elsewhere and ("/" in source or "\\" in source or source.startswith(("~", ".")))


def _key(source: str, environ: Mapping[str, str]) -> str | None:
    """The key for the endpoint; the one that is meant for OpenAI goes to no one else."""
    return environ.get("NOCTUARY_EMBED_KEY") or (environ.get("OPENAI_API_KEY") if source.startswith(OPENAI) else None)


def _open(found: FoundModel) -> "Embedder":
    if found.kind is Kind.ONNX:
        return onnx.OnnxEmbedder(found.files)
    return static.StaticEmbedder(found.files)
