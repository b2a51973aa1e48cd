"""Reports of runs, as they are stored: JSON that says its version, read back strictly."""

import json
from typing import Any

from noctuary.dreams import (
    ChangeKind,
    DreamStatus,
    MemoryChange,
    PageReport,
    Phase,
    Report,
    RunStatus,
    SessionReport,
    Trigger,
)
from noctuary.errors import StoreDamaged
from noctuary.proposals import Dropped, Spent

_VERSION = 1


def to_json(report: Report) -> str:
    """The report as it is stored."""
    return json.dumps({"version": _VERSION, **_plain(report)}, ensure_ascii=False, separators=(",", ":"))


def from_json(text: str) -> Report:
    """The report that was stored; StoreDamaged if it is none."""
    try:
        given = json.loads(text)
        if given.pop("version") != _VERSION:
            raise ValueError("it was written by another version of Noctuary")
        return Report(
            **given
            | {
                "trigger": Trigger(given["trigger"]),
                "status": RunStatus(given["status"]),
                "phases": tuple(Phase(**each | {"touched": tuple(each["touched"])}) for each in given["phases"]),
                "sessions": tuple(map(_session, given["sessions"])),
                "dropped": tuple(Dropped(**each) for each in given["dropped"]),
                "changes": tuple(
                    MemoryChange(**each | {"kind": ChangeKind(each["kind"])}) for each in given["changes"]
                ),
                "pages": tuple(given["pages"]),
                "spent": Spent(**given["spent"]),
                "warnings": tuple(given["warnings"]),
                "written": tuple(PageReport(**each) for each in given.get("written", ())),
            }
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise StoreDamaged(
            f"The report of a run cannot be read ({error!r}). What the run did is in the journal and is not affected; "
            "`noctuary dream heal` sets the report aside."
        ) from None


def _session(given: dict[str, Any]) -> SessionReport:
    return SessionReport(**given | {"status": DreamStatus(given["status"]), "events": tuple(given["events"])})


def _plain(value: Any) -> Any:
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {name: _plain(item) for name, item in value._asdict().items()}
    return [_plain(item) for item in value] if isinstance(value, (list, tuple)) else value
