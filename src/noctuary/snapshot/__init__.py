"""Snapshots: everything of one memory in one folder or file, made while others write, and put back without loss."""
