"""Conversations that were dreamt of, for tests of the pages that tell of it; and what can be changed there."""

from noctuary.app import Memory
from noctuary.dreams import Report
from tests.unit.doors.web.visiting import SHOP, Element, Shown, talk

ROUND = "Always round prices half to even, never down."
FRIDAY = "Never deploy on a Friday afternoon."
MARKDOWN = "Always write posts in Markdown, never in HTML."
EVIL = "Always write <script>alert(1)</script> as text."


def dreamt(memory: Memory, name: str, *said: str, project: str = SHOP) -> Report:
    """Have a conversation in which only the user speaks, and dream of it."""
    talk(memory, name, *(part for words in said for part in (words, "Understood.")), project=project)
    return memory.dreams.run(sessions=[name], backend="rules")


def changing(page: Shown) -> list[Element]:
    """The forms of a page that change something in the memory."""
    return [one for one in page.all("form", method="post") if one.get("action") != "/leave"]
