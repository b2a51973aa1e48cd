"""Secrets out, before anything is stored."""

from noctuary.redact.finding import PRIVATE, Finding, findings, redact

__all__ = ["PRIVATE", "Finding", "findings", "redact"]
