"""Secrets out, before anything is stored."""

from noctuary.redact.finding import PRIVATE, Finding, findings, redact, redact_printed
from noctuary.redact.said import is_printed

__all__ = ["PRIVATE", "Finding", "findings", "is_printed", "redact", "redact_printed"]
