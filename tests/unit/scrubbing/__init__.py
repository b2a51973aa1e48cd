"""Tests of scrubbing."""
