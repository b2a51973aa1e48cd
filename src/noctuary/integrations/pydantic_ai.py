"""PydanticAI: runs are written down, and an agent is given tools for its own memory.

agent = Agent(model, instructions=memory.brief(), toolsets=[memory_toolset(memory)])
result = agent.run_sync("Why is the test flaky?")
write_down(capture, result.new_messages())
"""

from collections.abc import Iterable
from pathlib import Path

from pydantic_ai import FunctionToolset
from pydantic_ai.messages import (
    BaseToolCallPart,
    BaseToolReturnPart,
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    ModelResponsePart,
    RetryPromptPart,
    SpeechPart,
    SystemPromptPart,
    TextContent,
    TextPart,
    ThinkingPart,
    UserContent,
    UserPromptPart,
)

from noctuary.app import Memory
from noctuary.integrations.capture import Capture, ToolCall
from noctuary.integrations.recalling import REMEMBER, SEARCH, Recalling


def write_down(capture: Capture, messages: Iterable[ModelMessage]) -> None:
    """Write down what was said in a run: give it `result.new_messages()`; nothing that goes wrong is raised."""
    for message in messages:
        if isinstance(message, ModelRequest):
            for part in message.parts:
                with capture.unfailing():
                    _write_request(capture, part)
        elif isinstance(message, ModelResponse):
            for answer in message.parts:
                with capture.unfailing():
                    _write_response(capture, answer)


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
        content = [part.content] if isinstance(part.content, str) else part.content
        capture.user("\n".join(words for each in content if (words := _words(each))) or "[file]")
    elif isinstance(part, SpeechPart):
        capture.user(part.transcript)
    elif isinstance(part, SystemPromptPart):
        capture.injected(part.content)
    elif isinstance(part, BaseToolReturnPart):
        capture.tool(part.tool_name, part.content, call_id=part.tool_call_id)
    elif isinstance(part, RetryPromptPart) and part.tool_name:
        capture.tool(part.tool_name, part.model_response(), call_id=part.tool_call_id)


def _write_response(capture: Capture, part: ModelResponsePart) -> None:
    if isinstance(part, ThinkingPart):
        capture.thinking(part.content)
    elif isinstance(part, TextPart):
        capture.assistant(part.content)
    elif isinstance(part, SpeechPart):
        capture.assistant(part.transcript)
    elif isinstance(part, BaseToolCallPart):  # of the agent, or of whoever runs the model
        capture.assistant(tool_calls=[ToolCall(part.tool_name, part.args or "", part.tool_call_id)])
    elif isinstance(part, BaseToolReturnPart):
        capture.tool(part.tool_name, part.content, call_id=part.tool_call_id)


def _words(content: UserContent) -> str:
    """The words of a part of a prompt; a picture or a file has none."""
    return content if isinstance(content, str) else content.content if isinstance(content, TextContent) else ""
