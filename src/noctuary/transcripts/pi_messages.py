"""What one message of Pi, or of an agent made of it, says."""

from collections.abc import Callable
from typing import Any

from noctuary.records import Kind
from noctuary.transcripts.anthropic_blocks import call, result
from noctuary.transcripts.blocks import block_text, flatten
from noctuary.transcripts.drafts import SYSTEM, TEXT, USER, Draft, answered, thought
from noctuary.transcripts.fields import text_of
from noctuary.transcripts.jsonl import Record
from noctuary.transcripts.speech import injected

Turn = Callable[[str], list[Draft]]  # tells what a human typed from what was put beside it


def read_message(message: Record, turn: Turn) -> list[Draft] | None:
    """The drafts of a message by its role; None if we have not met the role."""
    match message.get("role"):
        case "assistant":
            return _assistant(message.get("content"))
        case "toolResult":
            content = message.get("content")
            return [result(text_of(message, "toolCallId"), content, text_of(message, "toolName"))]
        case "user":
            return _user(message.get("content"), turn)
        case "bashExecution":
            return _executed("! " + text_of(message, "command"), text_of(message, "output"), "bash")
        case "pythonExecution":
            return _executed("$ " + text_of(message, "code"), text_of(message, "output"), "python")
        case "custom" | "hookMessage":
            return read_injected(message)
        case "branchSummary" | "compactionSummary":
            return read_summary(message)
        case "system" | "developer":
            return []  # what the agent is told about itself
    return None


def read_injected(record: Record) -> list[Draft]:
    """What an extension told the model."""
    text = flatten(record.get("content"))
    return [injected(text)] if text.strip() else []


def read_summary(record: Record) -> list[Draft]:
    """What stands for a conversation, or for a branch of it."""
    text = text_of(record, "summary")
    return [Draft(SYSTEM, Kind.SUMMARY, None, text)] if text.strip() else []


def _user(content: Any, turn: Turn) -> list[Draft]:
    if type(content) is not list:
        return turn(flatten(content))
    return [draft for block in content for draft in turn(block_text(block) or "")]


def _assistant(content: Any) -> list[Draft]:
    if type(content) is not list:
        return answered(flatten(content))
    drafts: list[Draft] = []
    for block in content:
        if type(block) is not dict:
            continue
        kind = block.get("type")
        if kind == "toolCall":
            drafts.append(call(text_of(block, "name"), text_of(block, "id"), block.get("arguments")))
        elif kind == "thinking":
            drafts += thought(text_of(block, "thinking"))
        else:
            drafts += answered(block_text(block) or "")
    return drafts


def _executed(typed: str, output: str, tool: str) -> list[Draft]:
    """A command that a person ran by themselves."""
    return [Draft(USER, TEXT, None, typed), result("", output, tool)]
