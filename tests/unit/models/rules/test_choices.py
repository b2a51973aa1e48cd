"""What people tell tools."""

from noctuary.authored import EventType, Trust
from tests.unit.models.rules.talking import call, found, result, texts, types, user

TASK = user("Plan the shop")
REFUSED = "The user doesn't want to proceed. The user provided the following reason for the rejection:  "


def test_a_picked_option_is_decided() -> None:
    """The question and the answer are one decision of the user, and the question is cited, too."""
    answer = 'User has answered your questions: "Which database?"="SQLite", "Who pays for it?"="The shop".'

    first, second = found(TASK, call("AskUserQuestion", "questions: …"), result("AskUserQuestion", answer))

    assert first.type is second.type is EventType.DECISION
    assert first.text == "Which database? The user chose: SQLite."
    assert first.trust is Trust.USER
    assert [ref.id for ref in first.messages] == [3, 2]
    assert first.messages[0].quote == '"Which database?"="SQLite"'


def test_a_reason_for_a_refusal_is_the_users_word() -> None:
    """As if it were typed."""
    [proposal] = found(TASK, result("ExitPlanMode", f"{REFUSED}always write the tests first"))

    assert proposal.type is EventType.PREFERENCE
    assert proposal.text == "always write the tests first"
    assert proposal.trust is Trust.USER


def test_what_was_not_allowed_is_a_limit() -> None:
    """With what was wanted."""
    denied = "Permission for this tool use was denied. Try something else."

    [proposal] = found(TASK, call("WebFetch", "url: https://example.org\nprompt: x"), result("WebFetch", denied))

    assert proposal.type is EventType.CONSTRAINT
    assert proposal.text == "Permission to use WebFetch was denied: url: https://example.org"
    assert proposal.trust is Trust.TOOL


def test_other_tools_answer_nothing() -> None:
    """What looks like an answer in a file is none."""
    assert texts(TASK, call("Read", "x"), result("Read", '"Which database?"="SQLite"')) == []
    assert types(TASK, result("ExitPlanMode", "The user has approved the plan.")) == []
