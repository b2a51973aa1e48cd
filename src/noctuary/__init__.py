"""Noctuary: the long-term memory of coding agents."""
