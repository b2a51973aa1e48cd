"""The HTTP API: the verbs of `Memory` for programs elsewhere, with keys."""
