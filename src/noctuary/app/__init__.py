"""The verbs: everything Noctuary does, as methods that every door calls."""

from noctuary.app.memory import Memory

__all__ = ["Memory"]
