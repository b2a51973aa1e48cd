"""What people tell tools: the option they picked, why they refused, and what they did not allow."""

import json
import re
from collections.abc import Iterator

from noctuary.authored import EventType, Trust
from noctuary.models.rules.asked import Words, judge_words
from noctuary.models.rules.candidates import Candidate
from noctuary.models.rules.prose import plain
from noctuary.models.rules.statements import shortened
from noctuary.models.rules.turns import TOOL_RESULT, Turn
from noctuary.records import Message, Role

_MOST = 3_000  # characters of an answer that are looked at
_ANSWERED = re.compile(r'"([^"\n]{5,200})"="([^"\n]{1,200})"')
# How Claude Code begins what it puts in the place of a result when the user refused the call and said why.
_REFUSED = re.compile(
    r"The user doesn['’]t want to proceed with this tool use\. The tool use was rejected(?: \(eg\. [^()\n]{1,120}\))?\."
    r" (?:The user provided the following reason for the rejection:|To tell you how to proceed, the user said:)\s*"
)
_REFUSING = "The user doesn"  # with which each of these begins
_DENIED = "Permission for this tool use was denied"
_CHOICE, _DENIAL = 8.0, 5.0  # scores: what was picked is certain, what was not allowed is seldom said again
_CLAUDE_ASKS, _CODEX_ASKS = "AskUserQuestion", "request_user_input"  # a server's tool has another name, always
# Tools of which no result begins with words from outside: what looks like a refusal of them is one.  What a shell or
# a server prints may begin with anything, so a refusal there counts as what a tool shows, unless the transcript itself
# says that the user spoke.
_SPEAK_FOR_THEMSELVES = frozenset(
    {"ExitPlanMode", "EnterPlanMode", _CLAUDE_ASKS, "Edit", "MultiEdit", "Write", "NotebookEdit", "Read", "TodoWrite"}
)
_QUESTION = re.compile(r'"id":"((?:[^"\\]|\\.){1,80})"[^{}]*?"question":"((?:[^"\\]|\\.){5,400})"')


def from_choices(turn: Turn) -> Iterator[Candidate]:
    """What the user answered, refused and did not allow in the turn."""
    calls: dict[str, Message] = {}
    for message in turn.used:
        if message.kind is TOOL_RESULT:
            yield from _answer(message, calls.get(message.call_id or ""))
        elif message.call_id:
            calls[message.call_id] = message


def _answer(message: Message, call: Message | None) -> Iterator[Candidate]:
    if message.content.startswith(_DENIED):
        yield _denial(message, call)
    elif call is not None and message.content.startswith(_REFUSING) and (refused := _REFUSED.match(message.content)):
        is_users = message.role is Role.USER or call.tool_name in _SPEAK_FOR_THEMSELVES
        end = min(len(message.content), refused.end() + _MOST)
        for said in judge_words(Words(message, refused.end(), end, "reason")):
            yield said._replace(trust=Trust.USER if is_users else Trust.TOOL)
    elif message.tool_name == _CLAUDE_ASKS:
        for found in _ANSWERED.finditer(message.content[:_MOST]):
            yield _choice(message, call, found.span(), found[1], found[2])
    elif message.tool_name == _CODEX_ASKS and call is not None:
        yield from _picked(message, call)


def _picked(message: Message, call: Message) -> Iterator[Candidate]:
    """What Codex was answered: the labels of the options by the ids of the questions."""
    try:
        answers = json.loads(message.content)["answers"]
        questions = {found[1]: json.loads(f'"{found[2]}"') for found in _QUESTION.finditer(call.content)}
        given = {str(name): [str(each) for each in answer["answers"]] for name, answer in answers.items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return
    for name, labels in given.items():
        at = message.content.find(json.dumps(name, ensure_ascii=False))
        if labels and name in questions and at >= 0:
            yield _choice(message, call, (at, len(message.content)), questions[name], "; ".join(labels))


def _choice(message: Message, call: Message | None, place: tuple[int, int], question: str, answer: str) -> Candidate:
    text = shortened(f"{question} The user chose: {answer}.")
    support = () if call is None else (call,)
    return Candidate(EventType.DECISION, _CHOICE, message, *place, text, "choice", Trust.USER, support)


def _denial(message: Message, call: Message | None) -> Candidate:
    tool = message.tool_name or "a tool"
    wanted = "" if call is None else f": {plain(call.content.split(chr(10), 1)[0])}"
    text = shortened(f"Permission to use {tool} was denied{wanted}")
    support = () if call is None else (call,)
    return Candidate(EventType.CONSTRAINT, _DENIAL, message, 0, len(_DENIED), text, "denied", Trust.TOOL, support)
