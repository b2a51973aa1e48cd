"""Sharing with a team: memories are proposed as copies, reviewed, read by members, and taken back at any time."""
