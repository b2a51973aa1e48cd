"""Sessions in a run: read, understood, compared with what is known, and written down, or put back whole."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from functools import partial
from typing import NamedTuple, TypeVar

from noctuary.dream.asking_ahead import Ahead, Coming
from noctuary.dream.gathering import gather, understood
from noctuary.dream.life.leasing import MINUTE_MS, complete, fail, heartbeat, put_back
from noctuary.dream.merging.consolidating import Consolidated, Reading, consolidate
from noctuary.dream.merging.history import Guarded, History, guard
from noctuary.dream.merging.planted import planted_in
from noctuary.dream.merging.tracing import Sources, traced
from noctuary.dream.night import HOUR_MS, Night
from noctuary.dream.tally import A_BUG, Tally
from noctuary.dreams import DreamRecord, DreamStatus
from noctuary.errors import BudgetSpent, ModelError, NotFree, StoreError
from noctuary.models.extractor import Extractor
from noctuary.proposals import Conversation, Dropped, Extraction, Proposal
from noctuary.store.database import Foreseeing

_NOTHING = Extraction()
MOST_PROPOSALS = 150  # of one session
MOST_TOGETHER = 4  # sessions that are written down at once: a right to write costs as much as some entries
_LONGEST_UNWRITTEN_MS = 1_000  # what a model took long for is not kept waiting for others
_DAY_MS = 24 * HOUR_MS
Done = TypeVar("Done")


class OutOfBudget(Exception):
    """No further session can be read in this run, and none before this time unless somebody asks for it."""

    def __init__(self, not_before_ms: int) -> None:
        super().__init__()
        self.not_before_ms = not_before_ms


class Read(NamedTuple):
    """A completion that was read, and what was found in it."""

    record: DreamRecord
    conversation: Conversation | None  # None: forgotten meanwhile, or all of it hidden
    extraction: Extraction = _NOTHING
    sources: Sources | None = None  # of what an agent says in it, if they were looked up already

    @property
    def project(self) -> str:
        """The project that the session belongs to."""
        return (self.conversation.session.project if self.conversation else None) or ""

    @property
    def proposals(self) -> Sequence[Proposal]:
        """What is compared with what is known."""
        return _surest(self.extraction)


class _Given(NamedTuple):
    """What a session gave."""

    read: Read
    guarded: Guarded
    written: Consolidated


class Readings:
    """The sessions of a run: each is read by itself, and some at a time are written down together.

    One that fails takes no other with it: if they cannot be written together, each is written alone.
    """

    def __init__(self, night: Night, tally: Tally, extractor: Extractor) -> None:
        self.projects: set[str] = set()  # that something was written to
        self._night, self._tally, self._extractor = night, tally, extractor
        self._unwritten: list[Read] = []

    def read(self, claimed: DreamRecord) -> None:
        """Read a completion that was taken; what it gives is written now or with the next ones.

        OutOfBudget, with the session back where it was, if there is nothing left to spend.
        """
        read = self._tried(lambda: self._extracted(claimed), claimed)
        if isinstance(read, Exception):
            self.write()  # so that the report has them in their order
            self._give_up(claimed, read)
            return
        self._unwritten.append(read)
        if self._is_time_to_write():
            self.write()

    def write(self) -> None:
        """Write down what was read since the last time: all of it is there, or each as far as it can be."""
        reads, self._unwritten = self._unwritten, []
        given = self._tried(lambda: self._written(reads), *(read.record for read in reads))
        if not isinstance(given, Exception):
            for one in given:
                self._note(one)
        elif len(reads) > 1:  # which of them it was is seen when each is written alone
            self._write_each(reads)
        else:
            self._give_up(reads[0].record, given)

    def _write_each(self, reads: Sequence[Read]) -> None:
        for place, read in enumerate(reads):
            self._unwritten = [read]
            try:
                self.write()
            except BaseException:
                self._put_back(each.record for each in reads[place + 1 :])
                raise

    def _tried(self, work: Callable[[], Done], *records: DreamRecord) -> Done | Exception:
        """What work gives, or its error, which must not keep other sessions from being read."""
        try:
            return work()
        except KeyboardInterrupt:
            self._put_back([*(read.record for read in self._unwritten), *records])
            raise
        except Exception as error:  # noqa: BLE001  # who called says what is to be done about it
            return error

    def _extracted(self, record: DreamRecord) -> Read:
        conversation = gather(self._night, record)
        if conversation is None:
            return Read(record, None)
        extraction = understood(self._extractor, conversation)
        self._tally.spent += extraction.spent
        return Read(record, conversation, extraction, Sources(self._night, conversation))

    def _is_time_to_write(self) -> bool:
        if not self._unwritten:
            return False
        unwritten_ms = self._night.now_ms() - (self._unwritten[0].record.last_attempt_ms or 0)
        if unwritten_ms >= MINUTE_MS:  # else it has just been taken
            heartbeat(self._night, self._tally.run)
        return unwritten_ms >= _LONGEST_UNWRITTEN_MS or len(self._unwritten) >= MOST_TOGETHER

    def _written(self, reads: Sequence[Read]) -> list[_Given]:
        night = self._night
        said = [read for read in reads if read.conversation]
        with ExitStack() as rights:
            ahead = None
            if said and isinstance(night.store.database, Foreseeing):  # else asking later costs no more
                ahead = Ahead(night, [_coming(one) for one in said])
            for project in sorted({read.project for read in said}):
                rights.enter_context(night.ledger.writing(project, is_gathered=True))
            if ahead:
                rights.enter_context(ahead.known())
            given = [_write(night, self._tally, read, ahead) for read in reads]
            for project in sorted({read.project for read in said}):
                night.store.pages.mark_due(night.owner, project)
            return given

    def _note(self, given: _Given) -> None:
        _count(self._tally, given)
        read = given.read
        self._tally.session(read.record, read.project, DreamStatus.COMPLETED, events=given.written.events)
        self.projects.add(read.project)

    def _give_up(self, record: DreamRecord, error: Exception) -> None:
        """Note why a session was not read or not written; raises what ends the run."""
        if isinstance(error, NotFree):  # somebody else has read it meanwhile, or it was forgotten
            self._tally.warnings.append(str(error))
        elif isinstance(error, BudgetSpent):
            not_before_ms = _when_there_is_more(self._night, error)
            put_back(self._night, record, str(error), not_before_ms=not_before_ms)
            self._tally.session(record, "", DreamStatus.PENDING, failure=str(error))
            raise OutOfBudget(not_before_ms) from error
        elif isinstance(error, StoreError):
            self._put_back([record], "the memory could not be written")
            raise error
        else:
            reason = str(error) if isinstance(error, ModelError) else f"{A_BUG}: {type(error).__name__}: {error}"
            fail(self._night, record, reason)
            self._tally.session(record, "", DreamStatus.FAILED, failure=reason)

    def _put_back(self, records: Iterable[DreamRecord], reason: str = "interrupted") -> None:
        for record in records:
            try:
                put_back(self._night, record, reason)
            except StoreError:
                return  # their leases end by themselves


def write_down(night: Night, tally: Tally, read: Read) -> list[str]:
    """Write what was found in a session, and that it was read, all or nothing; the ids of the events."""
    given = _write(night, tally, read)
    if read.conversation:
        night.store.pages.mark_due(night.owner, read.project)
    _count(tally, given)
    return list(given.written.events)


def _coming(read: Read) -> Coming:
    return Coming(read.record.session, read.project, read.proposals, read.sources)


def _write(night: Night, tally: Tally, read: Read, ahead: Ahead | None = None) -> _Given:
    record, conversation, *_ = read
    if conversation is None:
        with night.store.database.transaction():
            complete(night, record, run=tally.run, trigger=tally.trigger, artifacts=())
        return _Given(read, Guarded([], [], []), Consolidated((), (), ""))
    session = conversation.session
    with night.ledger.writing(read.project, is_gathered=True) as write:
        history = History(
            night.store,
            night.owner,
            read.project,
            is_of_one_moment=True,
            likeness=night.likeness,
            words=ahead.words if ahead else None,
        )
        sources = read.sources or Sources(night, conversation)
        proposals = traced(history, sources, read.proposals)
        guarded = guard(history, proposals, recalled_from=conversation.recalled_from)
        reading = Reading(
            run=tally.run,
            session=session,
            epoch=record.epoch,
            first=record.first_id,
            last=record.last_id,
            guarded=guarded,
            history=history,
            node=night.store.events.task_of_session(night.owner, session.id),
            topics=ahead.topics(read.project) if ahead else None,
            planted=planted_in(conversation, partial(traced, history, sources)),
        )
        written = consolidate(night, ahead.noting(conversation, write) if ahead else write, reading)
        complete(night, record, run=tally.run, trigger=tally.trigger, artifacts=(*written.events, written.mark))
    return _Given(read, guarded, written)


def _count(tally: Tally, given: _Given) -> None:
    extraction, guarded, written = given.read.extraction, given.guarded, given.written
    tally.kept += written.entries
    tally.merged += len(guarded.merged)
    tally.dropped += [*extraction.dropped, *guarded.dropped]
    most = sorted(extraction.proposals, key=_doubt)[MOST_PROPOSALS:]
    tally.dropped += [Dropped(one.text, f"more than {MOST_PROPOSALS} of one session, and surer ones") for one in most]
    tally.changed(written.changes)


def _surest(extraction: Extraction) -> Sequence[Proposal]:
    """The proposals in their order; of very many only the surest, for each is compared with each other."""
    if len(extraction.proposals) <= MOST_PROPOSALS:
        return extraction.proposals
    chosen = {id(one) for one in sorted(extraction.proposals, key=_doubt)[:MOST_PROPOSALS]}
    return [one for one in extraction.proposals if id(one) in chosen]


def _doubt(proposal: Proposal) -> float:
    return -proposal.confidence


def _when_there_is_more(night: Night, error: BudgetSpent) -> int:
    """When a run that nobody asks for may try again: days of a budget are those of UTC; runs are an hour apart."""
    now_ms = night.now_ms()
    return now_ms - now_ms % _DAY_MS + _DAY_MS if error.is_of_day else now_ms + HOUR_MS
