"""What Cline, Roo and Kilo write into turns: wrappings around what people typed, their environment, calls as XML.

Only texts of the user's turn are looked through for what people typed.  What a tool gave back may quote any tag and any
words of the agent, so there a person speaks only if the agent showed the same words as a person's.
"""

import re
from collections.abc import Callable
from typing import Any

from noctuary.records import Kind
from noctuary.transcripts.anthropic_blocks import call, result
from noctuary.transcripts.blocks import block_text, flatten, parse_json
from noctuary.transcripts.drafts import SYSTEM, Draft, answered, thought
from noctuary.transcripts.fields import dict_of, list_of, text_of
from noctuary.transcripts.speech import injected, sort_turn
from noctuary.transcripts.tags import part

OPEN_CALLS = 32  # calls as XML are answered in the next turn, or never
_TYPED = ("task", "feedback", "user_message", "answer", "user_input", "new_instructions")
_COMMAND = "user_command"
_TYPED_ENDS = re.compile(f"</({'|'.join([*_TYPED, _COMMAND])})>")
_ATTACHED = (
    "environment_details",
    "file_content",
    "folder_content",
    "url_content",
    "workspace_diagnostics",
    "git_working_state",
    "git_commit",
    "terminal_output",
    "explicit_instructions",
    "mode_notice",
    "mcp_resource",
    "command_output",
)
_ATTACHED_ENDS = re.compile(f"</({'|'.join(_ATTACHED)})>")
_FOLDERS = ("# Current Working Directory (", "# Current Workspace Directory (")
_SAYS_SO = ("The user denied this operation", "The user approved this operation", "The user has provided feedback")
_MAY_TELL = (*_SAYS_SO, "{")
_PROGRAM = (
    "[ERROR] ",
    "[TASK RESUMPTION]",
    "Tool [",
    "[The user ",
    "[Context Window]",
    "[NOTE]",
    "Task was interrupted",
)
_SPEECH = frozenset(["attempt_completion", "plan_mode_respond", "plan_mode_response", "ask_followup_question"])
_HEADER = re.compile(r"\[(\w+)(?: for |\]|\. )")
_TOOLS = (
    "access_mcp_resource|apply_diff|ask_followup_question|attempt_completion|browser_action|"
    "codebase_search|condense|delete_file|edit_file|execute_command|fetch_instructions|generate_image|"
    "insert_content|list_code_definition_names|list_files|load_mcp_documentation|new_rule|new_task|"
    "plan_mode_respond|plan_mode_response|read_file|replace_in_file|report_bug|run_slash_command|"
    "search_and_replace|search_files|switch_mode|update_todo_list|use_mcp_tool|web_fetch|web_search|"
    "write_to_file|thinking"
)
_CALL = re.compile(rf"^[ \t]*<({_TOOLS})>", re.MULTILINE)


class Turns:
    """The turns of one conversation, in order: calls as XML have no ids and are answered by their order."""

    def __init__(self, is_shown: Callable[[str], bool] = lambda _: False) -> None:
        self.cwd, self.model = "", ""
        self._is_shown = is_shown  # as what a person said
        self._names: dict[str, str] = {}  # tools of native calls
        self.unknown: list[str] = []
        self._waiting: list[tuple[str, str]] = []  # calls as XML that have no result yet: tool and call id
        self._spoken: set[str] = set()  # native calls by which the agent speaks; the result is what people say to it
        self._calls = 0

    def assistant(self, content: Any) -> list[Draft]:
        """What the agent said, thought and called."""
        drafts: list[Draft] = []
        blocks = content if type(content) is list else [{"type": "text", "text": flatten(content)}]
        for block in blocks:
            if type(block) is not dict:
                continue
            if block.get("type") == "text":
                text = text_of(block, "text")
                may_call = "<" in text and "</" in text and not _has_native_calls(blocks)
                drafts += self._xml(text) if may_call else _said(text)
            else:
                drafts += self._of_agent(block)
        return drafts

    def user(self, content: Any) -> list[Draft]:
        """What people typed, what tools gave back, and what the agent added to both."""
        if type(content) is not list:
            return self._texts([flatten(content)])
        drafts: list[Draft] = []
        texts: list[str] = []
        for block in content:
            if type(block) is dict and block.get("type") == "tool_result":
                drafts += self._texts(texts) if texts else []
                drafts += self._native_result(block)
                texts = []
            else:
                texts.append(block if type(block) is str else self._text_of(block))
        return [*drafts, *self._texts(texts)] if texts else drafts

    def _of_agent(self, block: dict[str, Any]) -> list[Draft]:
        match block.get("type"):
            case "thinking" | "reasoning":
                text = text_of(block, "thinking") or text_of(block, "text")
                return thought(text)
            case "tool_use":
                return self._called(text_of(block, "name"), text_of(block, "id"), block.get("input"))
            case "redacted_thinking":
                return []
        return _said(self._text_of(block))

    def _called(self, name: str, call_id: str, given: Any) -> list[Draft]:
        if name in _SPEECH and type(given) is dict:
            self._spoken.add(call_id)
            return _said("\n".join(text_of(given, key) for key in ("result", "response", "question") if key in given))
        self._names[call_id] = name
        return [call(name, call_id, given)]

    def _xml(self, text: str) -> list[Draft]:
        """A text with calls in it; one that is not closed is a text."""
        drafts: list[Draft] = []
        at = 0
        while found := _CALL.search(text, at):
            name, closing = found[1], f"</{found[1]}>"
            end = text.rfind(closing, found.end()) if name in _SPEECH else text.find(closing, found.end())
            if end < 0:
                break
            drafts += _said(text[at : found.start()])
            body, at = text[found.end() : end], end + len(closing)
            if name == "thinking":
                drafts += thought(body.strip())
                continue
            self._calls += 1
            call_id = f"xml-{self._calls}"
            self._waiting = [*self._waiting[-OPEN_CALLS:], (name, call_id)]
            drafts += self._called(name, call_id, _parameters(body) or body.strip())
        return [*drafts, *_said(text[at:])]

    def _texts(self, texts: list[str]) -> list[Draft]:
        """The texts of a user's turn; after the heading of a result, what follows belongs to that."""
        drafts: list[Draft] = []
        answered: tuple[str, str] | None = None
        given: list[str] = []
        for whole in texts:
            text = self._without_attached(whole, drafts).strip()
            if not text:
                continue
            heading = self._answered(text)
            if heading:
                drafts += self._result(answered, given)
                answered, given = heading, [text.partition("] Result:")[2]]
            elif answered:
                given.append(text)
            else:
                drafts += _typed(text)
        drafts += self._result(answered, given)
        if len(drafts) < 2:
            return drafts
        return sorted(drafts, key=_is_context)  # the environment comes last, as it does in the file

    def _answered(self, text: str) -> tuple[str, str] | None:
        """The tool and the call that a text is the result of."""
        found = _HEADER.match(text) if text.startswith("[") and "] Result:" in text else None
        if found is None:
            return None
        waiting = next((each for each in self._waiting if each[0] == found[1]), None)
        if waiting:
            self._waiting.remove(waiting)
        return waiting or (found[1], "")

    def _result(self, answered: tuple[str, str] | None, given: list[str]) -> list[Draft]:
        if answered is None:
            return []
        text = "\n".join(piece.strip("\n") for piece in given if piece.strip())
        if answered[0] in _SPEECH:
            return _typed(text) if text else []
        told = [draft for piece in given for draft in self._told_to_tool(piece.strip())]
        return [result(answered[1], text, answered[0]), *told]

    def _native_result(self, block: dict[str, Any]) -> list[Draft]:
        kept: list[Draft] = []
        call_id = text_of(block, "tool_use_id")
        content = block.get("content")
        text = self._without_attached(flatten(content), kept).strip()
        if call_id in self._spoken:
            return [*_typed(text), *kept] if text else kept
        name = text_of(block, "name") or self._names.get(call_id, "")
        drafts = [result(call_id, text if type(content) in (str, list) else content, name)]
        told = self._told_to_tool(text) if text.startswith(_MAY_TELL) else []
        return [*drafts, *told, *kept] if told or kept else drafts

    def _told_to_tool(self, text: str) -> list[Draft]:
        """What a person said when they were asked whether a tool may run."""
        if text.startswith(_SAYS_SO):
            said = "\n".join(part(text, "feedback").pieces)
        elif text.startswith("{") and '"feedback"' in text:
            given = parse_json(text)
            said = text_of(given, "feedback") if type(given) is dict else ""
        else:
            return []
        return sort_turn(said) if said.strip() and self._is_shown(said.strip()) else []

    def _without_attached(self, text: str, kept: list[Draft]) -> str:
        """A text without what the agent attached to it, which goes to those that are kept."""
        ends = _ATTACHED_ENDS.findall(text) if "<" in text else ()
        for tag in _ATTACHED if ends else ():
            if tag not in ends:
                continue
            text, pieces, _ = part(text, tag, whole=True)
            kept += [injected(piece) for piece in pieces]
            if tag == "environment_details":
                for piece in pieces:
                    self._learn(piece)
        return text

    def _learn(self, environment: str) -> None:
        """Where the work takes place, and with which model, as the environment says."""
        for heading in _FOLDERS:
            _, found, rest = environment.partition(heading)
            folder, closed, _ = rest.partition(") Files")
            if found and closed and "\n" not in folder:
                self.cwd = self.cwd or folder
        _, found, rest = environment.partition("<model>")
        self.model = rest.partition("</model>")[0].strip() if found else self.model

    def _text_of(self, block: Any) -> str:
        text = block_text(block)
        if text is None and type(block) is dict:
            self.unknown.append(str(block.get("type"))[:60])
        return text or ""


def _has_native_calls(blocks: list[Any]) -> bool:
    return any(type(block) is dict and block.get("type") == "tool_use" for block in blocks)


def tool_activities(message: dict[str, Any]) -> list[Draft]:
    """Tools that the provider of the model ran: they stand beside the message."""
    drafts: list[Draft] = []
    if "metadata" not in message:
        return drafts
    for each in list_of(dict_of(message, "metadata"), "modelToolActivities"):
        if type(each) is dict and (call_id := text_of(each, "toolCallId")):
            name = text_of(each, "toolName")
            drafts.append(call(name, call_id, each.get("input")))
            drafts += [result(call_id, each["output"], name)] if "output" in each else []
    return drafts


def summary(content: Any) -> list[Draft]:
    """What stands for the conversation before it."""
    text = flatten(content)
    return [Draft(SYSTEM, Kind.SUMMARY, None, text)] if text.strip() else []


def _said(text: str) -> list[Draft]:
    return answered(text.strip())


def _typed(text: str) -> list[Draft]:
    """What a person typed, out of its wrapping; what is around that was written by the agent."""
    ends = _TYPED_ENDS.findall(text) if "<" in text else ()
    if ends:
        rest, typed = _commands(text) if _COMMAND in ends else (text, [])
        for tag in _TYPED:
            if tag in ends:
                rest, pieces, _ = part(rest, tag)
                typed += [piece for piece in pieces if piece]
        if typed:
            drafts = [draft for piece in typed for draft in sort_turn(piece)]
            around = rest.strip()
            return [injected(around), *drafts] if around else drafts
    return [injected(text)] if text.startswith(_PROGRAM) else sort_turn(text)


def _parameters(body: str) -> dict[str, str]:
    """The elements in a call as XML by their names; what is after one that is not closed is left out."""
    found: dict[str, str] = {}
    at = 0
    while (start := body.find("<", at)) >= 0:
        end = body.find(">", start)
        name = body[start + 1 : end]
        if not name.isidentifier():
            at = start + 1
            continue
        closing = body.find(f"</{name}>", end)
        if closing < 0:
            break
        found[name] = body[end + 1 : closing].strip("\n")
        at = closing + len(name) + 3
    return found


def _commands(text: str) -> tuple[str, list[str]]:
    """A text without the commands of a person in it, and these."""
    rest, pieces, attributes = part(text, _COMMAND)
    return rest, [f"/{_slash(given)} {piece}".strip() for piece, given in zip(pieces, attributes, strict=True)]


def _slash(attributes: str) -> str:
    return attributes.partition('slash="')[2].partition('"')[0]


def _is_context(draft: Draft) -> bool:
    return draft.role is SYSTEM and draft.content.startswith("<environment_details>")
