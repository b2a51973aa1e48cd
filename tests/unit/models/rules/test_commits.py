"""What commits say."""

from noctuary.authored import EventType
from tests.unit.models.rules.talking import call, found, texts, user

TASK = user("Commit it")


def test_a_commit_that_says_why_is_a_decision() -> None:
    """In the words of its message."""
    message = (
        "Use npm install instead of npm ci\n\nIt is slower, but avoids the crash, so that images can be built again"
    )

    [proposal] = found(TASK, call("Bash", f'command: git add -A && git commit -m "{message}"\ndescription: commit'))

    assert proposal.type is EventType.DECISION
    assert proposal.text.startswith("Use npm install instead of npm ci It is slower")
    assert proposal.messages[0].quote == message


def test_a_message_may_come_as_a_document() -> None:
    """As agents write them at a shell."""
    message = "Switch to chunks instead of one request, to avoid the limit"
    told = f"git commit -m \"$(cat <<'EOF'\n{message}\n\nCo-Authored-By: x\nEOF\n)\""

    assert texts(TASK, call("Bash", told)) == [message]


def test_a_commit_that_says_only_what_is_none() -> None:
    """Git keeps that."""
    assert texts(TASK, call("Bash", 'git commit -m "feat: the second page of the shop"')) == []
    assert texts(TASK, call("Write", 'git commit -m "Use a instead of b, to avoid c, so that d"')) == []
