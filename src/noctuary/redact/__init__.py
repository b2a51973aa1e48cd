"""Secrets out, before anything is stored."""

from noctuary.redact.finding import PRIVATE, Finding, findings, redact, redact_printed
from noctuary.redact.places import prints_secret

__all__ = ["PRIVATE", "Finding", "findings", "prints_secret", "redact", "redact_printed"]
