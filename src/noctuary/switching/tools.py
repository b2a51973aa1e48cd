"""The tools that one can switch from; apart from what reads them, since every import looks whether one is meant."""

from enum import StrEnum


class Tool(StrEnum):
    """What one can switch from."""

    CLAUDE_MEM = "claude-mem"
    MEMPALACE = "mempalace"
    MEM0 = "mem0"
    BASIC_MEMORY = "basic-memory"
    BEADS = "beads"
    TASK_JOURNAL = "task-journal"
    CHATGPT = "chatgpt"
    CLAUDE_AI = "claude.ai"
