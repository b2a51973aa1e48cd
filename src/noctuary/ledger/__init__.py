"""The ledger: the only way to write what is authored; journal first, then the tables, which are a fold over it."""
