"""What a snapshot says of itself: by whom and when it was made, how much is in it, and each file by its digest.

manifest.json                        this
noctuary.db                          the database, of one moment
journal/<owner>/<project>.jsonl      the journals of that moment
memory/<project>/MEMORY.md …         the pages
config.toml                          the settings, if there are any
state/<owner>/dream_state.json       the dream state, byte for byte what the database holds of it
"""

import json
import os
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from noctuary.errors import StoreDamaged, StoreTooNew
from noctuary.names import file_name
from noctuary.store.holdings import Holdings
from noctuary.store.sqlite import newest_schema

FORMAT = 1
MANIFEST = "manifest.json"
DATABASE = "noctuary.db"
CONFIG = "config.toml"
JOURNALS, PAGES, STATE = "journal", "memory", "state"
_FOLDERS = (JOURNALS, PAGES, STATE)
_SHA256 = re.compile("[0-9a-f]{64}")


class Kept(NamedTuple):
    """One file of a snapshot."""

    size: int
    sha256: str


class Manifest(NamedTuple):
    """All that a snapshot says of itself."""

    noctuary: str  # the version that made it
    schema: int  # of the database
    made_ms: int
    owners: Mapping[str, Holdings]
    files: Mapping[str, Kept]
    format: int = FORMAT

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing in the memory that it is of."""
        return all(held.is_empty for held in self.owners.values()) and not any(
            name.startswith((f"{JOURNALS}/", f"{PAGES}/")) for name in self.files
        )

    def encode(self) -> bytes:
        """As a file."""
        owners = {owner: held._asdict() for owner, held in self.owners.items()}
        files = {name: kept._asdict() for name, kept in sorted(self.files.items())}
        said = {**self._asdict(), "owners": owners, "files": files}
        return json.dumps({"format": said.pop("format"), **said}, indent=2).encode() + b"\n"


def state_name(owner: str) -> str:
    """Where the dream state of an owner is."""
    return f"{STATE}/{file_name(owner)}/dream_state.json"


def is_state(name: str) -> bool:
    """Whether the file only repeats what the database knows: a restore does not need it."""
    return name.startswith(f"{STATE}/")


def decode_manifest(content: bytes) -> Manifest:
    """The manifest in a file; StoreTooNew if a newer Noctuary wrote it, StoreDamaged if it is none."""
    try:
        said = json.loads(content)
        if said["format"] > FORMAT or said["schema"] > newest_schema():
            raise StoreTooNew(
                f"This snapshot was made by a newer Noctuary ({said.get('noctuary')}, schema {said['schema']}; this "
                f"one knows {newest_schema()}). Nothing was changed. Upgrade with: pip install -U noctuary"
            )
        manifest = _decoded(said)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise StoreDamaged(
            f"The {MANIFEST} of this snapshot cannot be read ({error}). Nothing was changed; take another snapshot."
        ) from None
    if DATABASE not in manifest.files:
        raise StoreDamaged(f"This snapshot lists no {DATABASE}. Nothing was changed; take another snapshot.")
    for name in manifest.files:
        check_name(name)
    return manifest


def _decoded(said: Mapping[str, Any]) -> Manifest:
    owners = {owner: Holdings(**held) for owner, held in said["owners"].items()}
    files = {name: Kept(**kept) for name, kept in said["files"].items()}
    numbers = [said["format"], said["schema"], said["made_ms"], *(kept.size for kept in files.values())]
    numbers += [number for held in owners.values() for number in held]
    if not all(type(number) is int and number >= 0 for number in numbers):
        raise ValueError("a number is none")
    if not all(_SHA256.fullmatch(kept.sha256) for kept in files.values()):
        raise ValueError("a digest is none")
    return Manifest(str(said["noctuary"]), said["schema"], said["made_ms"], owners, files, said["format"])


def check_name(name: str) -> None:
    """Raise StoreDamaged unless the name is one that a snapshot can have, and so leads nowhere else."""
    parts = name.split("/")
    is_ours = name in (DATABASE, CONFIG, MANIFEST) if len(parts) == 1 else parts[0] in _FOLDERS
    is_plain = not {"", ".", ".."}.intersection(parts) and "\0" not in name
    if not is_ours or not is_plain or (os.name == "nt" and re.search(r"[\\:]", name)):
        raise StoreDamaged(f"{name!r} has no place in a snapshot. Nothing was changed; take another snapshot.")
