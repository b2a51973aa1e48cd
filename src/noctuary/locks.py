"""Locks between processes: an exclusive lock on an open file, freed when the process ends, however it ends."""

import sys

if sys.platform == "win32":
    import msvcrt

    def lock_file(file: int) -> None:
        """Wait until this process alone holds the file."""
        msvcrt.locking(file, msvcrt.LK_LOCK, 1)
else:
    import fcntl

    def lock_file(file: int) -> None:
        """Wait until this process alone holds the file."""
        fcntl.flock(file, fcntl.LOCK_EX)
