"""Tests of the command line that need no process."""
