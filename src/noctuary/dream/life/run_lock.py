"""One run at a time on a memory that is one file; on a database server any number, but none while one is taken back.

On one machine whoever holds an open handle of `state/dream.lock` locked is the one.

The operating system frees the lock when the process ends, however it ends.  The file says nothing: it is made if it is
missing, never written to, never removed, and a file that was left over keeps nobody out.  So there is nothing to
recover after a crash; if a dream says that another is running, one is.

On a server, runs share a lock of the database, which frees it when their connection ends; each session is read by one
of them, by its lease.
"""

from contextlib import AbstractContextManager
from pathlib import Path

from noctuary.dream.night import Night
from noctuary.files import held
from noctuary.store.database import Locking


def lock_path(home: Path) -> Path:
    """The file whose open handle is the lock."""
    return home / "state" / "dream.lock"


def run_lock(home: Path) -> AbstractContextManager[bool]:
    """Whether this is the only run on this memory; never waits."""
    return held(lock_path(home))


def dream_lock(night: Night, *, with_others: bool = False) -> AbstractContextManager[bool]:
    """Whether this is the only run on this memory; with others, where several may run: whether nobody is alone."""
    database = night.store.database
    return database.locked("dream", with_others=with_others) if isinstance(database, Locking) else run_lock(night.home)


def ask_for_another(night: Night) -> None:
    """Leave word that a run is wanted when the present one has ended; however many ask, it is one."""
    _set_asked(night, is_asked=True)


def take_asked(night: Night) -> bool:
    """Whether somebody asked for another run; the next to ask this is told no."""
    if not night.store.dreams.state(night.owner).follow_up:  # mostly nobody did, and to look needs no turn to write
        return False
    return _set_asked(night, is_asked=False)


def _set_asked(night: Night, *, is_asked: bool) -> bool:
    """Set the word that was left; what it was."""
    dreams = night.store.dreams
    with night.store.database.transaction():
        state = dreams.state(night.owner)
        if state.follow_up is not is_asked:
            dreams.save_state(night.owner, state._replace(follow_up=is_asked))
    return state.follow_up
