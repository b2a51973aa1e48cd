"""Grok Build's history of a conversation as it was sent to the model: for sessions that have no log of updates."""

from noctuary.records import Kind
from noctuary.transcripts.blocks import flatten, render_arguments
from noctuary.transcripts.documents import Entry
from noctuary.transcripts.drafts import ASSISTANT, SYSTEM, TEXT, TOOL, TOOL_RESULT, Draft, called, thought
from noctuary.transcripts.fields import dict_of, list_of, text_of
from noctuary.transcripts.grok_turns import turn
from noctuary.transcripts.jsonl import Record
from noctuary.transcripts.speech import injected
from noctuary.transcripts.whole_logs import Oddities, unknown


class History:
    """Takes the items of one conversation in their order."""

    def __init__(self, oddities: Oddities) -> None:
        self.entries: list[Entry] = []
        self.model = ""
        self._oddities = oddities
        self._names: dict[str, str] = {}

    def take(self, number: int, item: Record) -> None:
        """Take in one item; there are no times in it."""
        match item.get("type"):
            case "user":
                drafts = _heard(item)
            case "assistant":
                self.model = text_of(item, "model_id") or self.model
                drafts = self._answered(item)
            case "reasoning":
                drafts = _thought(flatten(item.get("summary") or item.get("content")))
            case "tool_result" | "tool" | "function_call_output":
                call_id = text_of(item, "tool_call_id") or text_of(item, "call_id")
                text, name = flatten(item.get("content", item.get("output"))), self._names.get(call_id)
                drafts = [Draft(TOOL, TOOL_RESULT, None, text, name, call_id or None)]
            case "system":
                return
            case kind:
                self._oddities.append(unknown(number, kind if type(kind) is str else ""))
                return
        if drafts:
            self.entries.append(Entry(str(number), drafts, 0, number))

    def _answered(self, item: Record) -> list[Draft]:
        drafts = _thought(text_of(dict_of(item, "reasoning"), "text"))
        text = flatten(item.get("content"))
        if text.strip():
            drafts.append(Draft(ASSISTANT, TEXT, None, text))
        for each in list_of(item, "tool_calls"):
            if type(each) is dict:
                asked, call_id = dict_of(each, "function") or each, text_of(each, "id")
                name = self._names[call_id] = text_of(asked, "name")
                given = render_arguments(asked.get("arguments"))
                drafts.append(called(name, call_id, given))
        return drafts


def _thought(text: str) -> list[Draft]:
    return thought(text)


def _heard(item: Record) -> list[Draft]:
    text = flatten(item.get("content"))
    if not text.strip():
        return []
    why = item.get("synthetic_reason")
    if why:
        is_summary = type(why) is str and "compact" in why.lower()
        return [Draft(SYSTEM, Kind.SUMMARY, None, text)] if is_summary else [injected(text)]
    if "prompt_index" not in item and "<user_query>" not in text:
        return [injected(text)]
    return turn(text)
