"""Who may say what to a session: orders come from users, and from nobody else.

What a tool printed or a page of the web says is told with its source as long as it only tells; what instructs its
reader is told only if a user said it, and what may be a piece of a secret is never told.
"""

from noctuary.authored import Trust
from noctuary.dream.merging.gates import is_instruction_like
from noctuary.dream.merging.orders import gives_orders, holds_secret, makes_demands, speaks_for_user
from noctuary.models.rules.others import own_words
from noctuary.records import BROUGHT, Session, TitleSource

_VOUCHED = (Trust.USER, Trust.AGENT)
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


def told_title(session: Session) -> str:
    """The title of a session as it may be told; empty if it lays something down and is not the user's own."""
    title = session.title or session.preview or ""
    if holds_secret(title) or is_instruction_like(title):
        return ""
    is_users = session.title_source is not TitleSource.SUMMARY and session.source != BROUGHT
    is_users = is_users and own_words(title) == title
    return title if is_users or not makes_demands(title) else ""
