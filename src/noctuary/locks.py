"""Locks between processes: an exclusive lock on an open file, freed when the process ends, however it ends."""

import sys

if sys.platform == "win32":
    import msvcrt

    def try_lock_file(file: int) -> bool:
        """Hold the file if nobody does; False at once if somebody does."""
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def lock_file(file: int) -> None:
        """Wait until this process alone holds the file."""
        msvcrt.locking(file, msvcrt.LK_LOCK, 1)
else:
    import fcntl

    def try_lock_file(file: int) -> bool:
        """Hold the file if nobody does; False at once if somebody does."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def lock_file(file: int) -> None:
        """Wait until this process alone holds the file."""
        fcntl.flock(file, fcntl.LOCK_EX)
