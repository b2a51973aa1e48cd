"""Tests of the extractor that reads by rules."""
