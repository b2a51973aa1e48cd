"""PydanticAI: runs are written down, and an agent is given tools for its own memory.

agent = Agent(model, instructions=memory.brief(), toolsets=[memory_toolset(memory)])
result = agent.run_sync("Why is the test flaky?")
write_down(capture, result.new_messages())
"""

from collections.abc import Iterable
from pathlib import Path

from pydantic_ai import FunctionToolset
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    RetryPromptPart,
    SystemPromptPart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

from noctuary.app import Memory
from noctuary.integrations.capture import Capture, ToolCall
from noctuary.integrations.recalling import REMEMBER, SEARCH, Recalling


def write_down(capture: Capture, messages: Iterable[ModelMessage]) -> None:
    """Write down what was said in a run: give it `result.new_messages()`."""
    for message in messages:
        if isinstance(message, ModelRequest):
            for part in message.parts:
                _write_request(capture, part)
        elif isinstance(message, ModelResponse):
            _write_response(capture, message)


def memory_toolset(
    memory: Memory, project: str | Path | None = None, *, exclude_session: str | None = None
) -> FunctionToolset[object]:
    """Tools by which an agent searches its memory and keeps sentences in it; they run in threads."""
    recalling = Recalling(memory, project, exclude_session=exclude_session)
    tools: FunctionToolset[object] = FunctionToolset()
    tools.add_function(recalling.search_memory, takes_ctx=False, name="search_memory", description=SEARCH)
    tools.add_function(recalling.remember, takes_ctx=False, name="remember", description=REMEMBER)
    return tools


def _write_request(capture: Capture, part: ModelRequestPart) -> None:
    if isinstance(part, UserPromptPart):
        content = part.content
        texts = [content] if isinstance(content, str) else [each for each in content if isinstance(each, str)]
        capture.user("\n".join(texts) or "[file]")
    elif isinstance(part, SystemPromptPart):
        capture.injected(part.content)
    elif isinstance(part, ToolReturnPart):
        capture.tool(part.tool_name, part.content, call_id=part.tool_call_id)
    elif isinstance(part, RetryPromptPart) and part.tool_name:
        capture.tool(part.tool_name, part.model_response(), call_id=part.tool_call_id)


def _write_response(capture: Capture, message: ModelResponse) -> None:
    for part in message.parts:
        if isinstance(part, ThinkingPart):
            capture.thinking(part.content)
        elif isinstance(part, TextPart):
            capture.assistant(part.content)
        elif isinstance(part, ToolCallPart):
            capture.assistant(tool_calls=[ToolCall(part.tool_name, part.args or "", part.tool_call_id)])
