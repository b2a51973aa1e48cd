"""The brief: what a session is told at its start, on one page within a budget."""
