"""A run that changes nothing: everything is done as a run would, shown, and taken back before anybody sees it.

Each project is rehearsed within the right to write to it, which is never brought to its end; so not a line reaches the
journal, also if the rehearsal is killed.
"""

from collections.abc import Sequence
from contextlib import suppress

from noctuary.dream.changes import by_kind, in_order
from noctuary.dream.gathering import gather, understood
from noctuary.dream.life.completing import converge, end_session
from noctuary.dream.life.hygiene import tidy
from noctuary.dream.night import Night
from noctuary.dream.pages.edits import take_in_edits
from noctuary.dream.pages.writing import write_pages
from noctuary.dream.reading import Read, write_down
from noctuary.dream.run import Wanted, candidates
from noctuary.dream.tally import Tally, told_bug
from noctuary.dreams import DreamRecord, DreamStatus, Report, RunStatus, Trigger
from noctuary.errors import ModelError, StoreError
from noctuary.models.extractor import Extractor
from noctuary.proposals import Conversation, Extraction
from noctuary.store.memories import EVERY_PROJECT


class _TakenBack(Exception):
    """The end of a rehearsal is never reached."""


def rehearse(night: Night, extractor: Extractor, *, wanted: Wanted) -> Report:
    """What a run would do now, with the difference it would make to each page."""
    tally = Tally("", Trigger.MANUAL, night.now_ms(), extractor.name, night.meter)
    records = _waiting(night, wanted)
    tally.considered = len(records)
    by_project: dict[str, list[Read]] = {}
    for record in records:
        if read := _extract(night, tally, extractor, record):
            by_project.setdefault(read.project, []).append(read)
    for project, reads in sorted(by_project.items()):
        _rehearse_project(night, tally, project, reads)
    return tally.report(RunStatus.COMPLETED, night.now_ms(), len(records), is_dry=True)


def _waiting(night: Night, wanted: Wanted) -> list[DreamRecord]:
    """What a run would read, after closing what is idle."""
    records: list[DreamRecord] = []
    with suppress(_TakenBack), night.store.database.transaction():
        for session in wanted.sessions:  # as a run does, for whoever names a session says that it is over
            end_session(night, session)
        tidy(night, is_forced=True)
        converge(night)
        records += candidates(night, Trigger.MANUAL, wanted)
        raise _TakenBack
    return records


def _extract(night: Night, tally: Tally, extractor: Extractor, record: DreamRecord) -> Read | None:
    conversation = gather(night, record)
    try:
        extraction = understood(extractor, conversation) if conversation else Extraction()
    except StoreError:
        raise
    except Exception as error:  # noqa: BLE001  # a run notes what is wrong with a session and goes on, too
        why = str(error) if isinstance(error, ModelError) else told_bug(error)
        tally.session(record, _project(conversation), DreamStatus.FAILED, failure=why)
        return None
    tally.spent += extraction.spent
    return Read(record, conversation, extraction)


def _rehearse_project(night: Night, tally: Tally, project: str, reads: Sequence[Read]) -> None:
    before = len(tally.changes)
    with suppress(_TakenBack), night.ledger.writing(EVERY_PROJECT), night.ledger.writing(project):
        tally.changed(take_in_edits(night, project))
        for read in reads:
            night.store.dreams.save(night.owner, [read.record])
            events = write_down(night, tally, read)
            tally.session(read.record, project, DreamStatus.COMPLETED, events=events)
        written = write_pages(night, project, is_dry=True)
        tally.changed(written.changes)
        tally.diffs.append(written.diff)
        tally.changes = by_kind([*tally.changes[:before], *in_order(night, tally.changes[before:])])
        raise _TakenBack


def _project(conversation: Conversation | None) -> str:
    return (conversation.session.project if conversation else None) or ""
