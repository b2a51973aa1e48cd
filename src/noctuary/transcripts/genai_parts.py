"""Messages as Google's API has them: a text, or a list of parts.  Gemini CLI and Qwen Code keep these as they are."""

from collections.abc import Iterable
from typing import Any

from noctuary.records import Kind
from noctuary.transcripts.anthropic_blocks import call, result
from noctuary.transcripts.blocks import flatten, render_input
from noctuary.transcripts.drafts import ASSISTANT, TEXT, TOOL_CALL, USER, Draft, answered, is_typed
from noctuary.transcripts.fields import dict_of, text_of
from noctuary.transcripts.speech import injected, sort_turn

_QUOTED_FROM, _QUOTED_TO = "--- Content from referenced files ---", "--- End of content ---"


def parts_of(content: Any) -> Iterable[Any]:
    """The parts of a content field, which is a text, a part, or a list of them."""
    if type(content) is list:
        return content
    return () if content is None else (content,)


def part_text(part: Any) -> str:
    """The text of a part, or a word for what is not text."""
    if type(part) is str:
        return part
    if type(part) is not dict:
        return ""
    text = part.get("text")
    if type(text) is str:
        return text
    if "inlineData" in part:
        kind = text_of(dict_of(part, "inlineData"), "mimeType").partition("/")[0]
        return f"[{kind}]" if kind in ("image", "audio", "video") else "[file]"
    return "[file]" if "fileData" in part else ""


def all_text(content: Any) -> str:
    """The text of all parts that are not thoughts."""
    if type(content) is str:
        return content
    return "".join([part_text(part) for part in parts_of(content) if not _is_thought(part)])


def model_drafts(content: Any) -> list[Draft]:
    """What the model thought, said and called, in this order of its parts."""
    if type(content) is str:
        return answered(content)
    drafts: list[Draft] = []
    for part in parts_of(content):
        if type(part) is dict and type(called := part.get("functionCall")) is dict:
            drafts.append(call(text_of(called, "name"), text_of(called, "id"), called.get("args")))
            continue
        text = part_text(part)
        kind = Kind.THINKING if _is_thought(part) else TEXT
        if drafts and drafts[-1].kind is kind:  # one text may come in many parts
            drafts[-1] = drafts[-1]._replace(content=drafts[-1].content + text)
        elif text.strip():
            drafts.append(Draft(ASSISTANT, kind, None, text))
    return drafts


def user_drafts(content: Any) -> list[Draft]:
    """What is in the user's turn: results of tools, what programs put there, and what was typed."""
    if type(content) is str:
        return sort_turn(content)
    drafts: list[Draft] = []
    typed: list[str] = []
    is_quoted = False
    for part in parts_of(content):
        if type(part) is dict and type(response := part.get("functionResponse")) is dict:
            drafts.append(result_of(response))
            continue
        text = part_text(part)
        begins_quoted = text.lstrip().startswith(_QUOTED_FROM)
        if begins_quoted:  # files that the user named with @, as the program read them
            drafts.append(injected(text))
        elif is_quoted:
            drafts[-1] = injected(drafts[-1].content + text)
        if begins_quoted or is_quoted:
            is_quoted = not text.rstrip().endswith(_QUOTED_TO)
            continue
        for draft in sort_turn(text):
            if is_typed(draft):
                typed.append(draft.content)
            else:
                drafts.append(draft)
    return [*drafts, Draft(USER, TEXT, None, "\n".join(typed))] if typed else drafts


def shown_drafts(record: dict[str, Any], key: str, content: Any) -> list[Draft]:
    """The user's turn, where a field may say what was shown of it: that was typed, and a program made more of it."""
    if not record.get(key):
        return user_drafts(content)
    shown = user_drafts(record[key])
    texts = {draft.content for draft in shown}
    added = [draft for draft in user_drafts(content) if draft.content not in texts]
    return [*(injected(draft.content) if is_typed(draft) else draft for draft in added), *shown]


def result_of(response: dict[str, Any]) -> Draft:
    """What a tool gave back."""
    return result(text_of(response, "id"), response_text(response.get("response")), text_of(response, "name"))


def response_text(value: Any) -> str:
    """The answer of a tool as a text: its output or error, or whatever it is."""
    if type(value) is not dict:
        return flatten(value)
    for key in ("output", "error"):
        if type(text := value.get(key)) is str:
            return text
    return flatten(value["content"]) if type(value.get("content")) is list else render_input(value)


def without_calls(drafts: list[Draft]) -> list[Draft]:
    """The drafts that are no calls, where the calls stand elsewhere, too."""
    return [draft for draft in drafts if draft.kind is not TOOL_CALL]


def _is_thought(part: Any) -> bool:
    return type(part) is dict and part.get("thought") is True
