"""A soak: everything at once on one SQLite file, for as long as one likes, and then it is counted what is there.

`python -m tests.soak --minutes 10` is run beside the tests by `make test`; docs/soak.md says what it does and asks for.
"""
