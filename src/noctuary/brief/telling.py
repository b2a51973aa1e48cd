"""Who may say what to a session: orders come from users, and from nobody else.

What a tool printed or a page of the web says is told with its source as long as it only tells; what instructs its
reader is told only if a user said it, and what may be a piece of a secret is never told.
"""

import re

from noctuary.authored import Author, Trust
from noctuary.dream.merging.gates import is_instruction_like
from noctuary.dream.merging.orders import gives_orders, holds_secret, makes_demands, speaks_for_user
from noctuary.graph import RENAMED, Node
from noctuary.models.rules.others import own_words
from noctuary.models.rules.tongues import may_relay
from noctuary.records import BROUGHT, Session, TitleSource

_QUOTING = frozenset('"“„«「')
_VOUCHED = (Trust.USER, Trust.AGENT)
_ENSURED = re.compile(r"\b(?:ensure|make sure|be sure)\b", re.IGNORECASE)
SOURCES = {Trust.TOOL: "tool output", Trust.WEB: "with the web", Trust.IMPORT: "imported"}  # as lines name them


def may_be_told(text: str, trust: Trust) -> bool:
    """Whether a session may be told what somebody who is trusted so has said."""
    if not text.strip() or holds_secret(text):
        return False
    if trust is Trust.USER:
        return True
    return not is_instruction_like(text) and (trust in _VOUCHED or not _is_for_others(text))


def _is_for_others(text: str) -> bool:
    """Whether a text gives orders, or says what a user wants: neither is for a tool or a page to say."""
    return gives_orders(text) or speaks_for_user(text)


def told_work(node: Node, more: str = "") -> str:
    """A goal or task as it may be told, and what more there is of it; empty if it lays down what an agent made up.

    What is to be made sure of is a task, and no rule.  What somebody ended or stopped it with may be an agent's word,
    whoever made it.
    """
    text = f"{node.title}: {more}" if more.strip() else node.title
    if holds_secret(text) or is_instruction_like(text):
        return ""
    if node.created_by != Author.USER or RENAMED in node.metadata:
        return "" if _lays_down(text) else text
    return node.title if _lays_down(more) else text


def _lays_down(text: str) -> bool:
    return makes_demands(_ENSURED.sub("", text))


def told_title(session: Session) -> str:
    """The title of a session as it may be told; empty if it lays something down and is not the user's own."""
    title = session.title or session.preview or ""
    if holds_secret(title) or is_instruction_like(title):
        return ""
    is_users = session.title_source is not TitleSource.SUMMARY and session.source != BROUGHT
    if may_relay(title):
        return ""
    own = own_words(title)
    if own.isspace() and not _QUOTING.isdisjoint(title):
        return ""  # all of it quotes somebody
    if own != title and (said := " ".join(own.split()).strip(' :"“')):
        title = said  # the rest is another's
    is_users = is_users and own == title
    return title if is_users or not makes_demands(title) else ""
