"""The verbs by which the coding agents on this machine come to use a memory, and by which they stop.

They need no database: a memory that nothing is kept in yet can be installed, too.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from noctuary.agents import installing, uninstalling
from noctuary.agents.changes import AgentChange, Outcome
from noctuary.agents.commands import Calls
from noctuary.agents.known import TITLES, agents_of
from noctuary.app import sweep_state
from noctuary.errors import NotFound, StoreBusy
from noctuary.settings import Settings

AGENTS = tuple(TITLES)  # all that we know


class Installation:
    """What is to be put into the settings of which agents."""

    def __init__(
        self,
        settings: Settings,
        *,
        agents: Sequence[str] = (),
        home: Path | None = None,
        owner: str | None = None,
        with_recall: bool = False,
    ) -> None:
        """`home` and `owner` are for the agents to say, if it is not the usual memory; NotFound of a missing agent."""
        self.settings = settings
        known = {agent.name: agent for agent in agents_of(settings)}
        for name in agents:
            if not known[name].is_here(settings):
                looked = " or ".join(f"the command `{command}`" for command in known[name].commands)
                raise NotFound(
                    f"{known[name].title} is not on this machine: there is no {known[name].folder}, nor {looked}. "
                    "Start it once, then run this again."
                )
        self.order = installing.Order(
            calls=Calls.by_this_python(home, owner, sweep_state.hook_folder(settings.home)),
            agents=tuple(agents),
            has_server=installing.has_server_library(),
            with_recall=with_recall,
        )

    def plan(self) -> list[AgentChange]:
        """What would be done; nothing is."""
        return installing.plan(self.settings, self.order)

    def carry_out(self) -> list[Outcome]:
        """Do it, and try what was put in; StoreBusy if somebody else is at it."""
        with _alone(self.settings):
            return installing.install(self.settings, self.order)


class Removal:
    """What install put into the settings of agents, to be taken out again."""

    def __init__(self, settings: Settings, *, agents: Sequence[str] = ()) -> None:
        self.settings = settings
        self.agents = tuple(agents)

    def plan(self) -> list[AgentChange]:
        """What would be done; nothing is."""
        return uninstalling.plan_removal(self.settings, self.agents)

    def carry_out(self) -> list[Outcome]:
        """Do it; StoreBusy if somebody else is at it."""
        with _alone(self.settings):
            return uninstalling.uninstall(self.settings, self.agents)


@contextmanager
def _alone(settings: Settings) -> Iterator[None]:
    """Two at once would each remember only what it did itself, and one could never be taken out."""
    with sweep_state.lock(settings.home, "install") as is_mine:
        if not is_mine:
            raise StoreBusy("Another install or uninstall of this memory is at it. Run this again when it has ended.")
        yield
