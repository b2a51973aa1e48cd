"""A chat of VS Code as it is kept, whatever kept it: the session, and those of sub-agents in it."""

from collections.abc import Iterator
from typing import Any

from noctuary.records import Relation, TitleSource
from noctuary.transcripts.copilot_chat_parts import Answer
from noctuary.transcripts.documents import Entry, Talk
from noctuary.transcripts.drafts import new, taken_back
from noctuary.transcripts.fields import dict_of, list_of, text_of, time_ms
from noctuary.transcripts.items import Facts, NewField, Skipped
from noctuary.transcripts.speech import sort_turn, title_from
from noctuary.transcripts.unfamiliar import new_fields

_SESSION = frozenset(
    [
        "computedTitle",
        "creationDate",
        "customTitle",
        "hasPendingEdits",
        "initialLocation",
        "inputState",
        "inputText",
        "isImported",
        "isNew",
        "lastMessageDate",
        "mode",
        "pendingRequests",
        "repoData",
        "requesterAvatarIconUri",
        "requesterUsername",
        "requests",
        "responderAvatarIconUri",
        "responderUsername",
        "selectedModel",
        "sessionId",
        "version",
        "welcomeMessage",
        "workingDirectory",
    ]
)
_REQUEST = frozenset(
    [
        "agent",
        "agentOrSlashCommandDetected",
        "attempt",
        "codeCitations",
        "completionTokens",
        "confirmation",
        "contentReferences",
        "editedFileEvents",
        "elapsedMs",
        "followups",
        "isCanceled",
        "isHidden",
        "isSystemInitiated",
        "locationData",
        "message",
        "modeInfo",
        "modelId",
        "modelState",
        "promptTokens",
        "providerResponseId",
        "requestId",
        "response",
        "responseId",
        "responseMarkdownInfo",
        "responseTimestamp",
        "result",
        "shouldBeRemovedOnSend",
        "slashCommand",
        "systemInitiatedLabel",
        "timeSpentWaiting",
        "timestamp",
        "usedContext",
        "userSelectedTools",
        "variableData",
        "vote",
        "voteDownReason",
        "workingSet",
    ]
)
_OURS = "github.copilot"


def is_chat(document: Any) -> bool:
    """Whether this is a chat at all."""
    return type(document) is dict and type(document.get("requests")) is list


def is_of_copilot(chat: dict[str, Any]) -> bool:
    """Whether Copilot answers in a chat: many extensions keep theirs in the same place."""
    asked = [each for each in list_of(chat, "requests") if type(each) is dict and "agent" in each]
    names = {_extension(dict_of(each, "agent")) for each in asked} - {""}
    return not names or any(name.startswith((_OURS, "setup.", "vscode")) for name in names)


def _extension(agent: dict[str, Any]) -> str:
    extension = agent.get("extensionId")
    name = text_of(extension, "value") if type(extension) is dict else text_of(agent, "extensionId")
    return (name or text_of(agent, "id")).lower()


def talks_in(chat: dict[str, Any], session: str, cwd: str | None) -> Iterator[Talk]:
    """The session, and those of the sub-agents that were at work in it."""
    oddities: list[Skipped | NewField] = [*new_fields("session", chat, _SESSION)]
    told: list[Entry] = []
    gone: list[Entry] = []
    agents: dict[str, list[Entry]] = {}
    model = ""
    for number, request in enumerate(list_of(chat, "requests"), 1):
        if type(request) is not dict:
            oddities.append(Skipped(line=number, reason="not a JSON object"))
            continue
        oddities += new_fields("request", request, _REQUEST, number)
        if request.get("isHidden") is True:  # it was taken back, with what sub-agents did for it
            _tell(request, number, gone, {}, oddities)
            continue
        model = text_of(request, "modelId").removeprefix("copilot/") or model
        _tell(request, number, told, agents, oddities)
    told += [entry._replace(drafts=taken_back([*entry.drafts])) for entry in gone]
    title, title_source = _title(chat)
    facts = Facts(
        session=session, cwd=cwd, model=model or None, title=title, title_source=title_source, source="vscode"
    )
    started_ms = time_ms(chat.get("creationDate"))
    yield Talk(facts, told, oddities, started_ms)
    for agent, entries in agents.items():
        yield _of_agent(agent, session, cwd, entries, started_ms)


def _tell(
    request: dict[str, Any],
    number: int,
    told: list[Entry],
    agents: dict[str, list[Entry]],
    oddities: list[Skipped | NewField],
) -> None:
    """Add what one request asks and what is answered."""
    name, asked_ms = text_of(request, "requestId") or str(number), time_ms(request.get("timestamp"))
    message = request.get("message")
    text = message if type(message) is str else text_of(message, "text") if type(message) is dict else ""
    drafts = sort_turn(text)
    if drafts:
        told.append(new(Entry, (name, drafts, asked_ms, number)))
    unknown: list[str] = []
    answered_ms = time_ms(request.get("responseTimestamp")) or asked_ms
    for part in Answer(request, unknown).parts.values():
        entry = new(Entry, (f"{name}:{part.name}", [part.draft], answered_ms, number))
        (agents.setdefault(part.agent, []) if part.agent else told).append(entry)
    for kind in unknown:
        reason = "unknown part of an answer"
        oddities.append(Skipped(line=number, reason=reason, unknown=f"response/{kind[:60]}"))


def _of_agent(agent: str, session: str, cwd: str | None, entries: list[Entry], started_ms: int) -> Talk:
    """What a sub-agent did: it was prompted first, and answered last."""
    prompts = [entry for entry in entries if entry.key.endswith(f":prompt:{agent}")]
    answers = [entry for entry in entries if entry.key.endswith(f":answer:{agent}")]
    around = {entry.key for entry in (*prompts, *answers)}
    between = [entry for entry in entries if entry.key not in around]
    title = title_from(prompts[0].drafts[0].content) if prompts else None
    facts = Facts(
        session=f"{session}/{agent}",
        cwd=cwd,
        parent=session,
        relation=Relation.SUBAGENT,
        title=title,
        title_source=TitleSource.PROMPT if title else None,
        source="vscode",
    )
    return Talk(facts, [*prompts, *between, *answers], (), started_ms)


def _title(chat: dict[str, Any]) -> tuple[str | None, TitleSource | None]:
    for key, source in (("customTitle", TitleSource.GIVEN), ("computedTitle", TitleSource.SUMMARY)):
        if title := text_of(chat, key).strip():
            return title, source
    return None, None
