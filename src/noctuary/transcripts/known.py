"""What was already told about each session, so that a fact is told once and a reader can go on later."""

from typing import Any

from noctuary.records import Relation, TitleSource
from noctuary.transcripts.items import Facts, State
from noctuary.transcripts.speech import title_from

SESSIONS = 64  # a file holds one session and the sub-agents inside it; older ones are told again


class Known:
    """The facts told so far."""

    def __init__(self, session: str, state: State) -> None:
        self._told: dict[str, dict[str, Any]] = {session: {}}  # the file's own is first, and stays
        self._told |= {name: dict(told) for name, told in state.items()}

    def state(self) -> State:
        """Plain JSON."""
        return {name: dict(told) for name, told in self._told.items()}

    def place(self, session: str, *, cwd: str, branch: str = "", model: str = "") -> list[Facts]:
        """Where a session takes place: its first folder, its latest branch and model."""
        told = self._of(session)
        new_cwd = cwd if cwd and "cwd" not in told else None
        new_branch = branch if branch and told.get("branch") != branch else None
        new_model = model if model and told.get("model") != model else None
        if not (new_cwd or new_branch or new_model):
            return []
        for key, value in (("cwd", new_cwd), ("branch", new_branch), ("model", new_model)):
            if value:
                told[key] = value
        return [Facts(session=session, cwd=new_cwd, branch=new_branch, model=new_model)]

    def parent(self, session: str, parent: str, relation: Relation) -> list[Facts]:
        """What a session belongs to."""
        told = self._of(session)
        if not parent or parent == session or "parent" in told:
            return []
        told["parent"] = parent
        return [Facts(session=session, parent=parent, relation=relation)]

    def prompt(self, session: str, text: str) -> list[Facts]:
        """The first words of a session are its title until a better one is known."""
        told = self._of(session)
        title = None if "title" in told else title_from(text)
        if not title:
            return []
        told["title"] = 1
        return [Facts(session=session, title=title, title_source=TitleSource.PROMPT)]

    def _of(self, session: str) -> dict[str, Any]:
        told = self._told.get(session)
        if told is None:
            if len(self._told) >= SESSIONS:
                del self._told[list(self._told)[1]]
            told = self._told[session] = {}
        return told
