"""OpenHands before its version 1: `sessions/<id>`, or one folder for each user, with a numbered JSON file an event.

An event is an action, with what it was given, or an observation of what came of the action that it names as its cause.
Times have no zone.  Agents that others delegate to speak in the same conversation.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from noctuary.records import Kind
from noctuary.transcripts.anthropic_blocks import call, result
from noctuary.transcripts.documents import Entry, Talk, load_document, with_tool_names
from noctuary.transcripts.drafts import SYSTEM, USER, Draft, answered, thought
from noctuary.transcripts.fields import dict_of, int_of, list_of, text_of, time_ms
from noctuary.transcripts.finding import entries, is_file, is_folder
from noctuary.transcripts.items import Facts, Skipped, Source
from noctuary.transcripts.jsonl import Record
from noctuary.transcripts.speech import injected, sort_turn
from noctuary.transcripts.unfamiliar import names, new_fields
from noctuary.transcripts.whole_logs import Oddities, unknown

ABOUT, _EVENTS = "metadata.json", "events"
_EVENT = names(
    "id timestamp source message cause action observation tool_call_metadata llm_metrics args timeout content extras",
    "success",
)
_SILENT = names(
    "system change_agent_state null start pause resume stop recall condensation_request agent_state_changed",
    "microagent workspace_context condense loop_recovery loop_detection",
)
_CALLS = names(
    "read write edit run run_ipython browse browse_interactive delegate push send_pr search call_tool_mcp",
    "task_tracking",
)
_SEEN = _CALLS | names("error success user_rejected mcp download chat message")
_NOT_GIVEN = names(
    "thought confirmation_state security_risk blocking hidden is_input is_static hard_timeout image_urls impl_source",
    "return_axtree keep_prompt include_extra kernel_init_code cwd translated_ipython_code",
)
_HOSTS = {"github": "github.com", "gitlab": "gitlab.com", "bitbucket": "bitbucket.org"}


def first_conversations(adapter: str, root: Path) -> Iterator[Source]:
    """The conversations below a folder of OpenHands."""
    users = (user / "conversations" for user in entries(root / "users"))
    for folder in (each for place in (root / "sessions", *users) for each in entries(place)):
        if is_folder(folder / _EVENTS):
            yield first_conversation(adapter, folder)


def first_conversation(adapter: str, folder: Path) -> Source:
    """The conversation in a folder."""
    about, events = folder / ABOUT, folder / _EVENTS
    path = about if is_file(about) else events
    return Source(adapter=adapter, path=path, session=folder.name, is_log=False, beside=(events,))


def numbered_files(folder: Path) -> list[tuple[int, Path]]:
    """The files of the events with their numbers, from 1."""
    found = [path for path in entries(folder) if path.suffix == ".json" and path.stem.isdecimal() and is_file(path)]
    return sorted((int(path.stem[:12]) + 1, path) for path in found)


def events_in(files: list[tuple[int, Path]], oddities: Oddities) -> Iterator[tuple[int, Record]]:
    """The events in files with their numbers; those that cannot be read are added to the oddities."""
    for number, path in files:
        try:
            event = load_document(path)
        except ValueError as error:
            oddities.append(Skipped(line=number, reason=str(error)))
            continue
        if type(event) is dict:
            yield number, event
        else:
            oddities.append(Skipped(line=number, reason="not a JSON object"))


def first_talk(source: Source, files: list[tuple[int, Path]]) -> Talk:
    """A conversation as a whole."""
    oddities: Oddities = []
    told: list[Entry] = []
    model = ""
    for number, event in events_in(files, oddities):
        model = text_of(dict_of(dict_of(event, "tool_call_metadata"), "model_response"), "model") or model
        if drafts := _drafts(event, number, oddities):
            told.append(Entry(str(number), drafts, time_ms(event.get("timestamp")), number))
    facts, started_ms = _facts(source, model)
    return Talk(facts, with_tool_names(told), oddities, started_ms=started_ms)


def _facts(source: Source, model: str) -> tuple[Facts, int]:
    about: Any = {}
    if source.path.name == ABOUT:
        try:
            about = load_document(source.path)
        except ValueError:  # costs what it would tell of the conversation
            about = {}
    about = about if type(about) is dict else {}
    title, repository = text_of(about, "title").strip(), text_of(about, "selected_repository")
    host = _HOSTS.get(text_of(about, "git_provider") or "github", "")
    facts = Facts(
        session=source.session,
        title=title if title and not title.endswith(f"Conversation {source.session[:5]}") else None,
        branch=text_of(about, "selected_branch") or None,
        repository=f"https://{host}/{repository}" if host and "/" in repository else None,
        model=text_of(about, "llm_model") or model or None,
        source=text_of(about, "trigger") or None,
    )
    return facts, time_ms(about.get("created_at"))


def _drafts(event: Record, number: int, oddities: Oddities) -> list[Draft]:
    kind = text_of(event, "action") or text_of(event, "observation")
    if kind in _SILENT:
        return []
    oddities += new_fields("event", event, _EVENT, number)
    drafts = _of_action(event, kind) if "action" in event else _of_observation(event, kind)
    if drafts is None:
        oddities.append(unknown(number, kind))
    return drafts or []


def _of_action(event: Record, kind: str) -> list[Draft] | None:
    """What an action says; None for one of a type that we have not met."""
    given = dict_of(event, "args")
    said = _thought(given)
    match kind:
        case "message":
            pictures = "[image]\n" * len(list_of(given, "image_urls"))
            text = f"{text_of(given, 'content')}\n{pictures}".strip()
            return sort_turn(text) if event.get("source") == "user" else answered(text)
        case "think":
            return thought(said)
        case "finish" | "reject":
            outputs = dict_of(given, "outputs")
            last = text_of(given, "final_thought") or text_of(outputs, "content") or text_of(outputs, "reason")
            return [*(answered(said) if said != last else []), *answered(last)]
        case "summarize" | "condensation":
            summary = text_of(given, "summary")
            return [Draft(SYSTEM, Kind.SUMMARY, None, summary)] if summary.strip() else []
    if kind not in _CALLS:
        return None
    name, call_id = _named(event, kind, int_of(event, "id", -1))
    asked = call(
        name, call_id, {key: value for key, value in given.items() if key not in _NOT_GIVEN and _is_set(value)}
    )
    if event.get("source") == "user":  # a command that a person typed
        asked = asked._replace(role=USER)
    return [*answered(said), asked]


def _of_observation(event: Record, kind: str) -> list[Draft] | None:
    """What came of an action; None for an observation of a type that we have not met."""
    text = text_of(event, "content")
    if kind == "think":  # says that a thought was logged
        return []
    if kind not in _SEEN:
        return None
    cause = int_of(event, "cause", -1)
    if cause < 0 and "tool_call_metadata" not in event:
        return [injected(text)] if text.strip() else []
    name, call_id = _named(event, "" if kind in ("error", "user_rejected") else kind, cause)
    return [result(call_id, text, name)]


def _named(event: Record, kind: str, number: int) -> tuple[str, str]:
    """The name of a tool and that of a call, as the model gave them or else as OpenHands did."""
    asked = dict_of(event, "tool_call_metadata")
    return text_of(asked, "function_name") or kind, text_of(asked, "tool_call_id") or str(number)


def _thought(given: Record) -> str:
    found = given.get("thought")
    return text_of(found, "text") if type(found) is dict else text_of(given, "thought")


def _is_set(value: object) -> bool:
    return value is not None and value != "" and value is not False and value != -1
