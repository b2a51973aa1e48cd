"""One session in a run: read, understood, compared with what is known, and written down, or put back whole."""

from noctuary.dream.gathering import gather
from noctuary.dream.life.leasing import MINUTE_MS, claim, complete, fail, heartbeat, put_back
from noctuary.dream.merging.consolidating import Reading, consolidate
from noctuary.dream.merging.history import Guarded, History, guard
from noctuary.dream.night import HOUR_MS, Night
from noctuary.dream.tally import A_BUG, Tally
from noctuary.dreams import DreamRecord, DreamStatus
from noctuary.errors import BudgetSpent, ModelError, NotFree, StoreError
from noctuary.models.extractor import Extractor
from noctuary.proposals import Conversation, Dropped, Extraction, Proposal

_NOTHING = Extraction()
MOST_PROPOSALS = 150  # of one session
_DAY_MS = 24 * HOUR_MS


class OutOfBudget(Exception):
    """No further session can be read in this run, and none before this time unless somebody asks for it."""

    def __init__(self, not_before_ms: int) -> None:
        super().__init__()
        self.not_before_ms = not_before_ms


def read_session(night: Night, tally: Tally, extractor: Extractor, record: DreamRecord) -> str | None:
    """Read one completion and write down what it gives; the project it belongs to, None if it was not read.

    OutOfBudget, with the session back where it was, if there is nothing left to spend.
    """
    claimed = claim(night, tally.run, record)
    if claimed is None:  # somebody else has it
        return None
    try:
        return _read(night, tally, extractor, claimed)
    except BudgetSpent as error:
        not_before_ms = _when_there_is_more(night, error)
        put_back(night, claimed, str(error), not_before_ms=not_before_ms)
        tally.session(claimed, "", DreamStatus.PENDING, failure=str(error))
        raise OutOfBudget(not_before_ms) from error
    except NotFree as error:  # somebody else has read it meanwhile, or it was forgotten
        tally.warnings.append(str(error))
    except StoreError:
        _give_back(night, claimed, "the memory could not be written")
        raise
    except ModelError as error:
        _note_failure(night, tally, claimed, str(error))
    except KeyboardInterrupt:
        _give_back(night, claimed, "interrupted")
        raise
    except Exception as error:  # noqa: BLE001  # one session that cannot be read must not keep the others from it
        _note_failure(night, tally, claimed, f"{A_BUG}: {type(error).__name__}: {error}")
    return None


def _read(night: Night, tally: Tally, extractor: Extractor, record: DreamRecord) -> str:
    conversation = gather(night, record)
    extraction = extractor.extract(conversation) if conversation else _NOTHING
    tally.spent += extraction.spent
    if night.now_ms() - (record.last_attempt_ms or 0) >= MINUTE_MS:  # else it has just been taken
        heartbeat(night, tally.run)
    project = (conversation.session.project if conversation else None) or ""
    events = write_down(night, tally, record, conversation, extraction)
    tally.session(record, project, DreamStatus.COMPLETED, events=events)
    return project


def write_down(
    night: Night, tally: Tally, record: DreamRecord, conversation: Conversation | None, extraction: Extraction
) -> list[str]:
    """Write what was found in a session, and that it was read, all or nothing; the ids of the events."""
    if conversation is None:  # forgotten meanwhile, or all of it hidden
        with night.store.database.transaction():
            complete(night, record, run=tally.run, trigger=tally.trigger, artifacts=())
        return []
    session = conversation.session
    project = session.project or ""
    with night.ledger.writing(project, is_gathered=True) as write:
        history = History(night.store, night.owner, project, is_of_one_moment=True, likeness=night.likeness)
        guarded = guard(history, _surest(extraction), recalled_from=conversation.recalled_from)
        reading = Reading(
            run=tally.run,
            session=session,
            epoch=record.epoch,
            first=record.first_id,
            last=record.last_id,
            guarded=guarded,
            history=history,
            node=night.store.events.task_of_session(night.owner, session.id),
        )
        written = consolidate(night, write, reading)
        complete(night, record, run=tally.run, trigger=tally.trigger, artifacts=(*written.events, written.mark))
        night.store.pages.mark_due(night.owner, project)
    _count(tally, extraction, guarded, written.entries)
    tally.changed(written.changes)
    return list(written.events)


def _count(tally: Tally, extraction: Extraction, guarded: Guarded, entries: int) -> None:
    tally.kept += entries
    tally.merged += len(guarded.merged)
    tally.dropped += [*extraction.dropped, *guarded.dropped]
    most = sorted(extraction.proposals, key=_doubt)[MOST_PROPOSALS:]
    tally.dropped += [Dropped(one.text, f"more than {MOST_PROPOSALS} of one session, and surer ones") for one in most]


def _surest(extraction: Extraction) -> list[Proposal]:
    """The proposals in their order; of very many only the surest, for each is compared with each other."""
    chosen = {id(one) for one in sorted(extraction.proposals, key=_doubt)[:MOST_PROPOSALS]}
    return [one for one in extraction.proposals if id(one) in chosen]


def _doubt(proposal: Proposal) -> float:
    return -proposal.confidence


def _when_there_is_more(night: Night, error: BudgetSpent) -> int:
    """When a run that nobody asks for may try again: days of a budget are those of UTC; runs are an hour apart."""
    now_ms = night.now_ms()
    return now_ms - now_ms % _DAY_MS + _DAY_MS if error.is_of_day else now_ms + HOUR_MS


def _note_failure(night: Night, tally: Tally, record: DreamRecord, reason: str) -> None:
    fail(night, record, reason)
    tally.session(record, "", DreamStatus.FAILED, failure=reason)


def _give_back(night: Night, record: DreamRecord, reason: str) -> None:
    try:
        put_back(night, record, reason)
    except StoreError:
        return  # its lease ends by itself
