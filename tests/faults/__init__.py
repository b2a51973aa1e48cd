"""Faults at every point of a verb: kills, power cuts, full and broken disks, one after the other and none left out.

`faults.c` stands between the process and the C library, counts, kills, fails and writes down; `injecting` says which
fault happens at which operation; `power` knows what is left of the files when the power is cut.  `verbs`, `night_verbs`
and `copy_verbs` are what is disturbed: how each begins, acts and is completed.  `knowing` says what a memory knows, and
whether it is sound.  `enumerating` tries every point in turn, in processes forked from one that has loaded everything;
`small_disk` does the same on a disk that is really full, and `cutting` on PostgreSQL, where a connection, or the
server, ends at every statement.
"""
