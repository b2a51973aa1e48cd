"""Scrub: secrets are taken out of what was stored before redaction knew them."""
