"""Every error Noctuary raises on purpose.

    NoctuaryError
    ├── BadInput            what was asked cannot be done: the caller must change the call
    │   ├── BadTime
    │   ├── BadSettings
    │   ├── BadEvent
    │   ├── BadChange       the graph of the work would not be one afterwards
    │   └── NotAllowed      others may do it
    ├── NotFound
    │   ├── SessionNotFound
    │   ├── MessageNotFound
    │   ├── NodeNotFound
    │   ├── EventNotFound
    │   ├── WorkSessionNotFound
    │   ├── TeamNotFound
    │   └── ShareNotFound
    ├── NotFree             somebody else holds it, or it is not ready
    ├── ModelError          a model cannot be used or does not answer; search goes on by words
    │   ├── ModelMissing
    │   ├── ModelDamaged
    │   ├── ModelUnreachable
    │   └── BudgetSpent
    └── StoreError          the memory cannot be used as it is: the message says what to do
        ├── StoreBusy
        │   └── PageEdited
        ├── StoreReadOnly
        ├── StoreFull
        ├── StoreDamaged
        ├── StoreTooNew
        ├── JournalDamaged
        └── JournalTooNew

A class's docstring is its default message.  Doors map the class, never the text, to an exit code
or a status; every message ends with what to do next.
"""

import inspect


class NoctuaryError(Exception):
    """Something went wrong in Noctuary."""

    def __init__(self, message: str = "") -> None:
        super().__init__(message or inspect.cleandoc(self.__doc__ or ""))


class BadInput(NoctuaryError):
    """The request makes no sense as it stands."""


class BadTime(BadInput):
    """A time was expected, such as 2026-05-01, 2026-05-01T14:00 or 7d."""


class BadSettings(BadInput):
    """The configuration cannot be used."""


class BadEvent(BadInput):
    """A line of the journal cannot be understood."""


class BadChange(BadInput):
    """The work cannot be changed in this way."""


class NotAllowed(BadInput):
    """Somebody else may do this, but not you."""


class NotFound(NoctuaryError):
    """There is no such thing in this memory."""


class SessionNotFound(NotFound):
    """There is no such session in this memory; `noctuary sessions` lists them."""


class MessageNotFound(NotFound):
    """The session has no message with this id."""


class NodeNotFound(NotFound):
    """There is no such goal, task or decision in this memory; `noctuary task list` lists tasks."""


class EventNotFound(NotFound):
    """There is no such event in this journal; `noctuary event list` lists them."""


class WorkSessionNotFound(NotFound):
    """There is no such session of work; `noctuary session list` lists them."""


class TeamNotFound(NotFound):
    """You are in no such team; `noctuary share teams` lists those you are in."""


class ShareNotFound(NotFound):
    """There is nothing shared of that name; `noctuary share list` shows ids."""


class NotFree(NoctuaryError):
    """The task cannot be claimed now; `noctuary ready` shows those that can."""


class ModelError(NoctuaryError):
    """The model cannot be used."""


class ModelMissing(ModelError):
    """There is no such model on this machine; `noctuary model list` shows what there is."""


class ModelDamaged(ModelError):
    """The model's files are not what they should be; install it again with `noctuary model install`."""


class ModelUnreachable(ModelError):
    """The embeddings endpoint does not answer as it should; try again later."""


class BudgetSpent(ModelError):
    """The next call of the model could cost more than it may; raise the budget in config.toml, or wait a day."""

    def __init__(self, message: str = "", *, is_of_day: bool = False) -> None:
        super().__init__(message)
        self.is_of_day = is_of_day  # the budget of the day, so that the next run has no more of it than this one


class StoreError(NoctuaryError):
    """The memory's database cannot be used."""


class StoreBusy(StoreError):
    """Another process is writing to this memory for too long; try again when it has finished."""


class TooManyWait(StoreBusy):
    """Too many requests of yours wait for this memory already; try again in a moment."""


class PageEdited(StoreBusy):
    """A page was edited this moment and was not touched; the next dream takes the edit in."""


class StoreUnreachable(StoreError):
    """The server of the database cannot be reached, or lets nobody in; try again when it runs."""


class StoreReadOnly(StoreError):
    """This memory cannot be written to; check the permissions of its folder."""


class StoreFull(StoreError):
    """The disk is full; nothing stored was lost. Free some space and run the command again."""


class StoreDamaged(StoreError):
    """The database is damaged; `noctuary doctor` says what is wrong and which backup to use."""


class StoreTooNew(StoreError):
    """This memory was written by a newer Noctuary; it was not touched. Upgrade: pip install -U noctuary."""


class JournalDamaged(StoreError):
    """The journal is not what it was; `noctuary journal verify` says where, `noctuary rebuild` reads it again."""


class JournalTooNew(StoreError):
    """The journal was written by a newer Noctuary; nothing was changed. Upgrade: pip install -U noctuary."""
