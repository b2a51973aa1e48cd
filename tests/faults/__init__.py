"""Faults at every point of a verb: kills, power cuts, full and broken disks, one after the other and none left out.

faults.c        stands between the process and the C library, counts, kills, fails and writes down
injecting.py    the same for Python: which fault, at which operation
power.py        what is left of the files when the power is cut
verbs.py        the verbs that are disturbed: how each begins, acts and is completed
knowing.py      what a memory knows, and whether it is sound
enumerating.py  every point in turn, in processes forked from one that has loaded everything
cutting.py      the same on PostgreSQL: a connection, or the server, that ends at every statement
"""
