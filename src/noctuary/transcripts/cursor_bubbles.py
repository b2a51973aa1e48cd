"""What the bubbles of Cursor's chats say, whichever version of the editor kept them."""

from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import unquote, urlsplit

from noctuary.transcripts.anthropic_blocks import call, result
from noctuary.transcripts.blocks import parse_json, render_arguments
from noctuary.transcripts.documents import Entry
from noctuary.transcripts.drafts import Draft, answered, new, thought
from noctuary.transcripts.fields import dict_of, list_of, text_of, time_ms
from noctuary.transcripts.items import NewField, Skipped
from noctuary.transcripts.speech import sort_turn
from noctuary.transcripts.unfamiliar import new_fields

Bubble = dict[str, Any]

_KINDS = (1, "user", 2, "ai", "assistant")
_FROM_MS = 1e12  # some times of a bubble are counted from the start of the editor
_KNOWN = (
    frozenset(["_v", "type", "bubbleId", "id", "text", "rawText", "content", "message", "richText", "timestamp"])
    | {"createdAt", "modelType", "model", "modelInfo", "workspaceProjectDir", "workspaceUris", "toolFormerData"}
    | {"thinking", "thinkingDurationMs", "allThinkingBlocks", "timingInfo", "tokenCount", "usageUuid", "requestId"}
    | {"serverBubbleId", "checkpointId", "capabilityType", "capabilities", "capabilityContexts", "capabilityStatuses"}
    | {"capabilitiesRan", "isAgentic", "isThought", "isRefunded", "isNudge", "isPlanExecution", "skipRendering"}
    | {"unifiedMode", "supportedTools", "codeBlocks", "suggestedCodeBlocks", "assistantSuggestedDiffs", "context"}
    | {"attachedCodeChunks", "attachedFolders", "attachedFoldersNew", "attachedFoldersListDirResults", "images"}
    | {"attachedHumanChanges", "codebaseContextChunks", "commits", "pullRequests", "gitDiffs", "diffHistories"}
    | {"interpreterResults", "userResponsesToSuggestedCodeBlocks", "consoleLogs", "uiElementPicked", "notepads"}
    | {"knowledgeItems", "documentationSelections", "externalLinks", "projectLayouts", "cursorRules", "lints"}
    | {"approximateLintErrors", "multiFileLinterErrors", "recentLocationsHistory", "recentlyViewedFiles"}
    | {"fileDiffTrajectories", "humanChanges", "summarizedComposers", "editTrailContexts", "contextPieces"}
    | {"relevantFiles", "toolResults", "docsReferences", "webReferences", "aiWebSearchResults", "symbolLinks"}
    | {"fileLinks", "todos", "errorDetails", "existedPreviousTerminalCommand", "existedSubsequentTerminalCommand"}
    | {"diffsSinceLastApply", "diffsForCompressingFiles", "deletedFiles", "afterCheckpointId", "isCapabilityIteration"}
    | {"attachedFileCodeChunksMetadataOnly", "currentFileLocationData", "cachedConversationSummary", "contextWindow"}
    | {"contextWindowStatusAtCreation", "conversationState", "mcpDescriptors", "isQuickSearchQuery", "isChat"}
)


def entries_of(
    bubbles: Iterable[tuple[str, Bubble]], oddities: list[Skipped | NewField], first: int = 1
) -> list[Entry]:
    """What bubbles say, in their order, numbered from the first on; each new field is told once."""
    fields: dict[str, object] = {}
    told: list[Entry] = []
    for number, (key, bubble) in enumerate(bubbles, first):
        if not _KNOWN.issuperset(bubble):
            fields |= bubble
        said_ms = time_of(bubble)
        if drafts := _drafts(bubble, number, oddities):
            told.append(new(Entry, (key, drafts, said_ms, number)))
        if "toolFormerData" in bubble and (tool := dict_of(bubble, "toolFormerData")):
            told += _tool(key, tool, said_ms, number)
    oddities += new_fields("bubble", fields, _KNOWN)
    return told


def time_of(bubble: Bubble) -> int:
    """When a bubble was made; 0 if it does not say."""
    if "createdAt" in bubble and (said_ms := time_ms(bubble["createdAt"])):
        return said_ms
    if "timestamp" in bubble and (said_ms := time_ms(bubble["timestamp"])):
        return said_ms
    if "timingInfo" not in bubble:  # as in the first versions
        return 0
    timing = dict_of(bubble, "timingInfo")
    times = [timing.get(name) for name in ("clientRpcSendTime", "clientSettleTime", "clientEndTime")]
    return next((time_ms(at) for at in times if isinstance(at, int | float) and at > _FROM_MS), 0)


def model_of(bubble: Bubble) -> str:
    """The model that a bubble names."""
    return (
        text_of(dict_of(bubble, "modelInfo"), "modelName") or text_of(bubble, "modelType") or text_of(bubble, "model")
    )


def folder_of(bubble: Bubble) -> str:
    """The folder in which a bubble was said."""
    if "workspaceProjectDir" in bubble and (folder := text_of(bubble, "workspaceProjectDir")):
        return folder
    uris = list_of(bubble, "workspaceUris") if "workspaceUris" in bubble else ()
    return next((folder_at(uri) for uri in uris if type(uri) is str), "")


def folder_at(address: str) -> str:
    """The folder at an address, on this machine or on the one that the editor was connected to."""
    if "://" not in address:
        return address
    try:
        path = unquote(urlsplit(address).path)
    except ValueError:
        return ""
    return path[1:] if path[2:3] == ":" else path  # /c:/Users


def _drafts(bubble: Bubble, number: int, oddities: list[Skipped | NewField]) -> list[Draft]:
    kind = bubble.get("type")
    text = bubble.get("text")
    if type(text) is not str or not text:
        text = text_of(bubble, "rawText") or text_of(bubble, "content") or text_of(bubble, "message")
    said = sort_turn(text) if kind == 1 or kind == "user" else answered(text)
    if kind not in _KINDS:
        oddities.append(Skipped(line=number, reason="unknown type of bubble", unknown=f"bubble/{kind}"[:60]))
    if "thinking" in bubble:
        said[:0] = thought(text_of(dict_of(bubble, "thinking"), "text"))
    return said


def _tool(key: str, tool: dict[str, Any], said_ms: int, number: int) -> Iterator[Entry]:
    """A call, and what came of it once that is known."""
    name, call_id = text_of(tool, "name"), text_of(tool, "toolCallId")
    given = tool.get("rawArgs") or tool.get("params")
    if not name and not given:
        return
    yield Entry(f"{key}:call", [call(name, call_id, render_arguments(given))], said_ms, number)
    failure = tool.get("error")
    came = _failure(failure) if failure else render_arguments(tool.get("result"))
    if came:
        yield Entry(f"{key}:result", [result(call_id, came, name)], said_ms, number)


def _failure(failure: Any) -> str:
    told = parse_json(failure) if type(failure) is str else failure
    if type(told) is not dict:
        return render_arguments(failure)
    words = text_of(told, "modelVisibleErrorMessage") or text_of(told, "clientVisibleErrorMessage")
    return words or render_arguments(failure)
