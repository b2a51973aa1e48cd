"""Memories held against the repository they speak of."""
