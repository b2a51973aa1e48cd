"""What the answer to one request says in a chat of VS Code: texts, thoughts, calls, and what came of them."""

from typing import Any, NamedTuple

from noctuary.transcripts.anthropic_blocks import call, result
from noctuary.transcripts.blocks import parse_json
from noctuary.transcripts.drafts import ASSISTANT, TEXT, THINKING, Draft, answered, new
from noctuary.transcripts.fields import dict_of, list_of, text_of
from noctuary.transcripts.speech import injected

_SILENT = frozenset(
    [
        "agentDetection",
        "clearToPreviousToolInvocation",
        "codeCitation",
        "codeblockUri",
        "command",
        "confirmation",
        "contentReference",
        "disabledClaudeHooks",
        "elicitation",
        "elicitationSerialized",
        "externalEdit",
        "extensions",
        "hook",
        "mcpServersStarting",
        "move",
        "multiDiffData",
        "notebookEdit",
        "notebookEditGroup",
        "planReview",
        "prepareToolInvocation",
        "progressMessage",
        "progressTask",
        "progressTaskResult",
        "progressTaskSerialized",
        "pullRequest",
        "questionCarousel",
        "reference",
        "references",
        "textEdit",
        "textEditGroup",
        "toolInvocation",
        "treeData",
        "undoStop",
        "usedContext",
        "workspaceEdit",
    ]
)
_MARKDOWN = {"markdownContent", "markdownVuln", "text", "treatedAsMarkdown"}


class Part(NamedTuple):
    """A draft of an answer: a name that no other of the answer has, and the sub-agent whose it is, if any."""

    name: str
    draft: Draft
    agent: str = ""


class Answer:
    """The parts of one answer, in their order.  A part that comes again, as calls do, stands for the one before."""

    def __init__(self, request: dict[str, Any], unknown: list[str]) -> None:
        self.parts: dict[str, Part] = {}
        self._unknown = unknown
        self._texts = 0
        outcome = dict_of(request, "result")
        self._asked, self._given = _rounds(outcome) if outcome else ({}, {})
        for part in list_of(request, "response"):
            self._add(part)
        if not outcome:
            return
        for call_id in self._asked:  # what was called without being shown
            if f"call:{call_id}" not in self.parts:
                self._add_call({"toolCallId": call_id})
        error = text_of(dict_of(outcome, "errorDetails"), "message")
        if error:
            self._put("error", injected(error))

    def _add(self, part: Any) -> None:
        if type(part) is str:
            self._say(part)
            return
        if type(part) is not dict:
            return
        kind = part.get("kind")
        if kind is None:
            self._say(_markdown(part))
        elif type(kind) is not str:
            self._unknown.append("?")
        elif kind in _MARKDOWN:
            self._say(_markdown(part.get("content", part)))
        elif kind == "inlineReference":
            self._say(_reference(part))
        elif kind == "thinking":
            self._think(part)
        elif kind == "toolInvocationSerialized":
            self._add_call(part)
        elif kind in ("warning", "info"):
            self._put(f"text:{len(self.parts)}", injected(_markdown(part.get("content"))))
        elif kind not in _SILENT:
            self._unknown.append(kind)

    def _say(self, text: str) -> None:
        """Add to what is being said: words and names of files take turns in one text."""
        last = next(reversed(self.parts.values()), None) if self.parts else None
        if last is not None and last.draft.kind is TEXT and last.draft.hidden is None and not last.agent:
            self._go_on(last, text)
        elif said := answered(text):
            self._texts += 1
            name = f"text:{self._texts}"
            self.parts[name] = new(Part, (name, said[0], ""))

    def _go_on(self, last: Part, text: str) -> None:
        """Add to the part that came last."""
        role, kind, hidden, content, tool_name, call_id = last.draft
        draft = new(Draft, (role, kind, hidden, content + text, tool_name, call_id))
        self.parts[last.name] = new(Part, (last.name, draft, last.agent))

    def _think(self, part: dict[str, Any]) -> None:
        value = part.get("value")
        text = "".join(each for each in value if type(each) is str) if type(value) is list else value
        if type(text) is not str or not text.strip():
            return
        last = next(reversed(self.parts.values()), None)
        if last is not None and last.draft.kind is THINKING:  # it comes in many pieces
            self._go_on(last, text)
        else:
            self._texts += 1
            self._put(f"thinking:{self._texts}", Draft(ASSISTANT, THINKING, None, text))

    def _add_call(self, part: dict[str, Any]) -> None:
        call_id, agent = text_of(part, "toolCallId"), text_of(part, "subAgentInvocationId")
        call_id = call_id or f"{text_of(part, 'toolId')}.{len(self.parts)}"
        special = dict_of(part, "toolSpecificData")
        name, given = self._asked.get(call_id, (text_of(part, "toolId"), None))
        if given is None:
            given = _input(part, special)
        self._put(f"call:{call_id}", call(name, call_id, given), agent)
        came = self._given.get(call_id) or _output(part, special)
        if came.strip():
            self._put(f"result:{call_id}", result(call_id, came, name), agent)
        if special.get("kind") == "subagent":
            self._put_agent(special, call_id)

    def _put_agent(self, special: dict[str, Any], call_id: str) -> None:
        """What a sub-agent was told and what it answered, as its own session has them."""
        for name, key in (("prompt", "prompt"), ("answer", "result")):
            if text := text_of(special, key):
                self._put(f"{name}:{call_id}", Draft(ASSISTANT, TEXT, None, text), call_id)

    def _put(self, name: str, draft: Draft, agent: str = "") -> None:
        if draft.content.strip() or draft.kind is not TEXT:
            self.parts[name] = Part(name, draft, agent)


def _rounds(outcome: dict[str, Any]) -> tuple[dict[str, tuple[str, Any]], dict[str, str]]:
    """What the extension itself keeps of a request: calls as the model made them, and what it was given."""
    metadata = dict_of(outcome, "metadata")
    asked: dict[str, tuple[str, Any]] = {}
    for each in list_of(metadata, "toolCallRounds"):
        for made in list_of(each, "toolCalls") if type(each) is dict else ():
            if type(made) is dict and text_of(made, "id"):
                arguments = text_of(made, "arguments")
                parsed = parse_json(arguments)
                asked[text_of(made, "id")] = (text_of(made, "name"), arguments if parsed is None else parsed)
    results = dict_of(metadata, "toolCallResults")
    return asked, {name: _values(list_of(dict_of(results, name), "content")) for name in results}


def _values(content: list[Any]) -> str:
    """The text of a result; parts of it may be trees of what was shown to the model."""
    texts = []
    for part in content:
        value = part.get("value") if type(part) is dict else part
        texts.append(value if type(value) is str else _tree_text(value))
    return "\n".join(text for text in texts if text)


def _tree_text(tree: Any) -> str:
    texts: list[str] = []
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if type(node) is dict:
            texts += [text_of(node, "text")] if text_of(node, "text") else []
            waiting += [node.get("node"), *reversed(list_of(node, "children"))]
    return "".join(texts)


def _input(part: dict[str, Any], special: dict[str, Any]) -> Any:
    """What a tool was called with, as far as it was kept."""
    line = special.get("commandLine")
    command = text_of(line, "original") if type(line) is dict else text_of(special, "command")
    details = part.get("resultDetails")
    given = special.get("rawInput") or command or text_of(special, "prompt")
    if not given and type(details) is dict:
        shown = text_of(details, "input")
        parsed = parse_json(shown)
        given = shown if parsed is None else parsed
    return given or _markdown(part.get("invocationMessage"))


def _output(part: dict[str, Any], special: dict[str, Any]) -> str:
    """What a tool gave back, as far as it was shown."""
    details = part.get("resultDetails")
    if type(details) is dict:
        shown = [text_of(each, "value") for each in list_of(details, "output") if type(each) is dict]
        if any(shown):
            return "\n".join(filter(None, shown))
    terminal = text_of(dict_of(special, "terminalCommandOutput"), "text")
    return terminal or text_of(special, "result") or text_of(part, "resultError")


def _markdown(value: Any) -> str:
    if type(value) is str:
        return value
    return text_of(value, "value") if type(value) is dict else ""


def _reference(part: dict[str, Any]) -> str:
    """A file or a symbol that is named in the middle of a text."""
    named = part.get("inlineReference")
    name = text_of(part, "name") or (text_of(named, "name") if type(named) is dict else "")
    if not name and type(named) is dict:
        uri = named if "path" in named else dict_of(named, "uri")
        name = text_of(uri, "path").rpartition("/")[2]
    return f"`{name}`" if name else ""
