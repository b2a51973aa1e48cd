"""What one item of a Codex rollout says, regardless of where it stands.

Most speech is written twice, as a response item and as an event for the screen; both come out of here as
the same drafts, so that the reader can tell copies by comparing them.
"""

from collections.abc import Callable
from typing import Any

from noctuary.records import Kind, Role
from noctuary.transcripts.blocks import block_text, flatten, parse_json, render_arguments, render_input
from noctuary.transcripts.drafts import TEXT, USER, Draft, answered, called, returned, thought
from noctuary.transcripts.fields import dict_of, list_of, text_of
from noctuary.transcripts.jsonl import Record
from noctuary.transcripts.speech import injected, sort_turn

Read = Callable[[Record], list[Draft]]

_IMAGE = "[image]"


def _message(item: Record) -> list[Draft]:
    role, content = text_of(item, "role"), item.get("content")
    if role == "user":
        return _turn(content)
    text = flatten(content)
    if role == "assistant":
        return answered(text)
    return [injected(text)] if text.strip() else []  # developer and system: nobody said it


def _turn(content: Any) -> list[Draft]:
    blocks = content if type(content) is list else [content]
    drafts: list[Draft] = []
    typed: list[str] = []
    for block in blocks:
        text = block if type(block) is str else block_text(block) or ""
        if text.startswith(("<image", "</image>")) and len(text) < 200:
            continue  # a picture is wrapped in two blocks of text
        for part in sort_turn(text):
            if part.role is USER:
                typed.append(part.content)
            else:
                drafts.append(part)
    if typed:
        drafts.append(Draft(USER, TEXT, None, "\n".join(typed)))
    return drafts


def _reasoning(item: Record) -> list[Draft]:
    """One draft a part, as the screen gets them; what is encrypted says nothing."""
    parts = [block_text(part) for part in list_of(item, "summary")]
    return [draft for part in parts if part for draft in thought(part)]


def _called(item: Record, name: str, shown: str) -> list[Draft]:
    call_id = text_of(item, "call_id") or text_of(item, "id")
    return [called(name, call_id, shown)]


def _function_call(item: Record) -> list[Draft]:
    return _called(item, text_of(item, "name"), render_arguments(item.get("arguments")))


def _custom_call(item: Record) -> list[Draft]:
    return _called(item, text_of(item, "name"), render_input(item.get("input")))


def _shell_call(item: Record) -> list[Draft]:
    action = dict_of(item, "action")
    command = action.get("command")
    if type(command) is list and all(type(word) is str for word in command):
        return _called(item, "local_shell", " ".join(command))
    return _called(item, "local_shell", render_input(action))


def _web_search(item: Record) -> list[Draft]:
    action = dict_of(item, "action")
    shown = text_of(action, "query") or text_of(action, "url") or text_of(item, "query")
    return _called(item, "web_search", shown) if shown else []


def _tool_search(item: Record) -> list[Draft]:
    return _called(item, "tool_search", render_arguments(item.get("arguments")))


def _output(item: Record) -> list[Draft]:
    output = item.get("output")
    if output is None:
        output = item.get("tools")
    return [returned(text_of(item, "call_id"), _output_text(output))]


def _output_text(output: Any) -> str:
    """The text a tool printed, out of the several wrappings it comes in."""
    if type(output) is str:
        if output.startswith("{") and '"output"' in output:
            inner = parse_json(output)
            if type(inner) is dict and type(inner.get("output")) is str:
                return str(inner["output"])
        return output
    if type(output) is dict:
        for key in ("content", "output", "body"):
            if key in output:
                return flatten(output[key]) or render_input(output[key])
    return flatten(output) or render_input(output)


def _user_event(event: Record) -> list[Draft]:
    pictures = [_IMAGE for key in ("images", "local_images") for _ in list_of(event, key)]
    return _turn([text_of(event, "message"), *pictures])


def _agent_event(event: Record) -> list[Draft]:
    return answered(text_of(event, "message"))


def _reasoning_event(event: Record) -> list[Draft]:
    return thought(text_of(event, "text"))


def read_compacted(item: Record) -> list[Draft]:
    """The summary that stands for what was before."""
    text = text_of(item, "message")
    return [Draft(Role.SYSTEM, Kind.SUMMARY, None, text)] if text.strip() else []


def twin_key(draft: Draft) -> str:
    """What the two copies of one piece of speech have in common."""
    said = draft.content
    if "[" in said:
        said = said.replace(_IMAGE, "")
    return f"{draft.role}\0{draft.kind}\0{said.strip()}"


RESPONSE_ITEMS: dict[str, Read] = {
    "message": _message,
    "reasoning": _reasoning,
    "function_call": _function_call,
    "custom_tool_call": _custom_call,
    "local_shell_call": _shell_call,
    "web_search_call": _web_search,
    "tool_search_call": _tool_search,
    "function_call_output": _output,
    "custom_tool_call_output": _output,
    "local_shell_call_output": _output,
    "tool_search_output": _output,
    "tool_search_call_output": _output,
}
SILENT_ITEMS = {"ghost_snapshot", "compaction", "compaction_summary", "image_generation_call", "other"}
EVENTS: dict[str, Read] = {
    "user_message": _user_event,
    "agent_message": _agent_event,
    "agent_reasoning": _reasoning_event,
    "tool_call": _custom_call,
}
SILENT_EVENTS = {
    "token_count",
    "task_started",
    "task_complete",
    "turn_started",
    "turn_complete",
    "turn_aborted",
    "turn_diff",
    "context_compacted",
    "agent_reasoning_section_break",
    "agent_reasoning_raw_content",
    "session_configured",
    "plan_update",
    "background_event",
    "error",
    "warning",
    "stream_error",
    "deprecation_notice",
    "entered_review_mode",
    "exited_review_mode",
    "undo_started",
    "undo_completed",
    "view_image_tool_call",
    "item_started",
    "item_completed",
    "thread_name_updated",
    "thread_goal_updated",
    "shutdown_complete",
    "request_user_input",
    "terminal_interaction",
    "model_reroute",
    "skills_update_available",
}
SILENT_ENDINGS = ("_begin", "_end", "_delta", "_request", "_response")
