"""Doors for programs that are agents themselves: capture for a plain loop, and adapters for the usual libraries."""
