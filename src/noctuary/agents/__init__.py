"""Coding agents on this machine: their settings, with our hooks and our MCP server in them or not."""

from noctuary.agents.looking import installed

__all__ = ["installed"]
