"""Verbs of a day of work, step by step: tasks, decisions, teams, what other tools kept, and the settings of agents.

Each step holds from when it has returned, whatever happens later; to complete it is to do what does not hold yet.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from noctuary.agents import installing, uninstalling
from noctuary.agents.commands import Calls
from noctuary.app import Memory
from noctuary.graph import Node, NodeStatus
from noctuary.records import Session, Status
from noctuary.settings import Settings
from noctuary.store.memories import MemoryChoice
from noctuary.switching.tools import Tool
from tests.faults.knowing import OWNER, SHOP, open_memory
from tests.faults.night_verbs import after_dream
from tests.faults.verbs import START_MS, Done, Verb, add_sessions, again, nothing, said
from tests.unit.switching.tools import claude_mem

TITLE, CHOICE, GOAL, TEAM, LIVE = "Move sessions to SQLite", "Which store", "Ship the shop", "Shop", "live"
SETTINGS = {"model": "opus", "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}}


class Step(NamedTuple):
    """Something that is done at once, and how it is known to be done."""

    do: Callable[[Memory], object]
    holds: Callable[[Memory], bool]


def of_steps(prepare: Callable[[Path], None], *steps: Step) -> Verb:
    """One step behind the other."""

    def act(root: Path, done: Done) -> None:
        with open_memory(root) as memory:
            for step in steps:
                step.do(memory)
                done()

    def complete(root: Path) -> None:
        with open_memory(root) as memory:
            for step in steps:
                if not step.holds(memory):
                    step.do(memory)
            memory.dream(project="nowhere")  # writes pages that are due

    return Verb(prepare, act, [_holding(step) for step in steps], complete)


def _holding(step: Step) -> Callable[[Path], bool]:
    def holds(root: Path) -> bool:
        with open_memory(root) as memory:
            return step.holds(memory)

    return holds


# Working: a task and a decision, a memory that is pinned, sessions that end.


def _before_work(root: Path) -> None:
    after_dream(root)
    with open_memory(root) as memory:
        memory.work(SHOP).open_goal(GOAL)
        memory.add_session(Session(id=LIVE, project=SHOP, started_ms=START_MS, agent="codex"), said(4))


def _task(memory: Memory) -> Node:
    return next(task for task in memory.work(SHOP).tasks() if task.title == TITLE)


def _goal(memory: Memory) -> str:
    return next(goal.id for goal in memory.work(SHOP).goals() if goal.title == GOAL)


def _is_pinned(memory: Memory) -> bool:
    return memory.store.memories.page(OWNER, MemoryChoice(is_pinned=True), 9)[1] == 1


def _pin(memory: Memory) -> None:
    memory.dreams.pin(min(one.id for one in memory.work(SHOP).memories()), SHOP)


def _options(memory: Memory) -> list[Node]:
    return [each.node for each in memory.work(SHOP).find_nodes("Postgres") if each.node.title == "Postgres"]


WORK = (
    Step(
        lambda memory: memory.work(SHOP).claim(_task(memory), "coder"),
        lambda memory: bool(_task(memory).lease_ms) or _task(memory).status == NodeStatus.COMPLETED,
    ),
    Step(_pin, _is_pinned),
    Step(
        lambda memory: memory.work(SHOP).log_decision(CHOICE, options=["Postgres", "SQLite"]),
        lambda memory: len(_options(memory)) == 1,
    ),
    Step(
        lambda memory: memory.work(SHOP).start_session(_goal(memory)),
        lambda memory: len(memory.work(SHOP).work_sessions(_goal(memory))) == 1,
    ),
    Step(
        lambda memory: memory.work(SHOP).end_session(summary="The table is there."),
        lambda memory: [bool(each.ended_ms) for each in memory.work(SHOP).work_sessions(_goal(memory))] == [True],
    ),
    Step(
        lambda memory: memory.work(SHOP).close(_task(memory), outcome="It works"),
        lambda memory: _task(memory).status == NodeStatus.COMPLETED,
    ),
    Step(
        lambda memory: memory.dreams.end_session(LIVE),
        lambda memory: memory.session(LIVE).status == Status.ENDED,
    ),
)


# Sharing: a team, somebody in it, and what is published to it.


def _rule(memory: Memory) -> str:
    return min(one.id for one in memory.work(SHOP).memories())


SHARE = (
    Step(lambda memory: memory.team.make(TEAM), lambda memory: len(memory.team.teams()) == 1),
    Step(
        lambda memory: memory.team.invite(TEAM, "ben"),
        lambda memory: [each.owner for each in memory.team.members(TEAM)] == [OWNER, "ben"],
    ),
    Step(lambda memory: memory.team.bind(TEAM, SHOP), lambda memory: len(memory.team.bindings(SHOP)) == 1),
    Step(
        lambda memory: memory.team.publish(TEAM, memory=_rule(memory)),
        lambda memory: len(memory.team.mine()) == 1,
    ),
    Step(
        lambda memory: memory.team.accept(memory.team.mine()[0].id),
        lambda memory: len(memory.team.shared(TEAM)) == 1,
    ),
)


# Embedding: a model that needs nobody is chosen, and every message is given its vectors.


def _before_embed(root: Path) -> None:
    with open_memory(root) as memory:
        add_sessions(memory, 3)


EMBED = (
    Step(lambda memory: memory.use_model("hashing"), lambda memory: len(memory.used_models()) == 1),
    Step(
        lambda memory: memory.embed(),
        lambda memory: [coverage.is_full for _, coverage in memory.used_models()] == [True],
    ),
)


# Switching: what another tool kept is brought in.


def _before_switch(root: Path) -> None:
    with open_memory(root) as memory:
        add_sessions(memory, 1)
    claude_mem(root / "theirs.db")


def _switch(root: Path, done: Done) -> None:
    with open_memory(root) as memory:
        memory.switch_from(Tool.CLAUDE_MEM, root / "theirs.db", project=SHOP)
        done()


def _is_switched(root: Path) -> bool:
    with open_memory(root) as memory:
        found = memory.switch_from(Tool.CLAUDE_MEM, root / "theirs.db", project=SHOP, dry_run=True)
        return (found.messages, found.entries, found.proposed) == (0, 0, 0) and found.known > 0


# Installing: hooks are put into the settings of an agent, which are somebody else's file.


def _settings(root: Path) -> Settings:
    return Settings(home=root / "home", owner=OWNER, user_home=root / "user", environ={})


def _file(root: Path) -> Path:
    return root / "user" / ".claude" / "settings.json"


def _before_install(root: Path) -> None:
    open_memory(root).close()
    _file(root).parent.mkdir(parents=True)
    _file(root).write_text(json.dumps(SETTINGS))
    _file(root).chmod(0o600)


def _install(root: Path, done: Done) -> None:
    order = installing.Order(Calls.by_this_python(root / "home", OWNER), ["claude-code"], has_server=False)
    (outcome,) = installing.install(_settings(root), order)
    assert not outcome.problems, outcome
    done()


def _is_installed(root: Path) -> bool:
    found: dict[str, Any] = json.loads(_file(root).read_text())
    return len(found["hooks"]) > 1 and found["model"] == "opus"


def _install_rest(root: Path) -> None:
    """What stands there is sound, a second install completes it, and it can be taken out as if it had never been."""
    assert json.loads(_file(root).read_text())["hooks"]["Stop"][0] == SETTINGS["hooks"]["Stop"][0]  # type: ignore[index]
    _install(root, nothing)
    assert _is_installed(root)
    uninstalling.uninstall(_settings(root), ["claude-code"])
    assert json.loads(_file(root).read_text()) == SETTINGS


STEP_VERBS: dict[str, Verb] = {
    "work": of_steps(_before_work, *WORK),
    "share": of_steps(after_dream, *SHARE),
    "embed": of_steps(_before_embed, *EMBED),
    "switch": Verb(_before_switch, _switch, [_is_switched], again(_switch)),
    "install": Verb(_before_install, _install, [_is_installed], _install_rest),
}
