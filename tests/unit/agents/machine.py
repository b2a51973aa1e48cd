"""A machine with agents on it, in a folder of the test's own."""

import os
from pathlib import Path
from typing import NamedTuple

import noctuary
from noctuary.agents.changes import Outcome
from noctuary.agents.commands import Calls
from noctuary.agents.installing import Order, install, plan
from noctuary.agents.known import Agent, agents_of
from noctuary.agents.uninstalling import uninstall
from noctuary.settings import Settings

SOURCE = Path(noctuary.__file__).parents[1]  # for processes that run elsewhere


class Machine(NamedTuple):
    """A user's home, and a memory."""

    settings: Settings

    @classmethod
    def below(cls, folder: Path, **environ: str) -> "Machine":
        """One in which no agent is to be found yet."""
        user = folder / "user"
        user.mkdir()
        given = {"PATH": os.environ["PATH"], "PYTHONPATH": str(SOURCE), **environ}
        return cls(Settings(home=folder / "memory", owner="ana", user_home=user, environ=given))

    def agent(self, name: str) -> Agent:
        """An agent that we know, here or not."""
        return next(agent for agent in agents_of(self.settings) if agent.name == name)

    def with_agent(self, name: str) -> Agent:
        """The same, with its settings folder there."""
        agent = self.agent(name)
        agent.folder.mkdir(parents=True, exist_ok=True)
        return agent

    def order(self, *agents: str, has_server: bool = False, with_recall: bool = False) -> Order:
        """To install this: by default without a server, whose start takes longest."""
        calls = Calls.by_this_python(self.settings.home)
        return Order(calls, agents, has_server=has_server, with_recall=with_recall)

    def install(self, *agents: str, has_server: bool = False, with_recall: bool = False) -> list[Outcome]:
        """Install to these agents, or to all that are here."""
        return install(self.settings, self.order(*agents, has_server=has_server, with_recall=with_recall))

    def put(self, *agents: str) -> None:
        """Write what would be installed, with a server, without trying or remembering it: servers start slowly."""
        for change in plan(self.settings, self.order(*agents, has_server=True)):
            for file in change.files:
                file.path.write_bytes((file.after or "").encode())

    def uninstall(self, *agents: str) -> list[Outcome]:
        """Take it out again."""
        return uninstall(self.settings, agents)

    def all(self) -> dict[str, bytes | None]:
        """Every file of the user and its bytes, and every folder."""
        root = self.settings.user_home
        found = sorted(root.rglob("*"))
        return {str(path.relative_to(root)): path.read_bytes() if path.is_file() else None for path in found}
