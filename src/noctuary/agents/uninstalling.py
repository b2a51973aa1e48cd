"""Uninstall: take out of the settings of each agent what install put in, and nothing else."""

from collections.abc import Sequence
from pathlib import Path

from noctuary.agents import settings_files, toml_text
from noctuary.agents.changes import AgentChange, FileChange, Outcome
from noctuary.agents.commands import is_our_server
from noctuary.agents.known import TITLES, agents_of
from noctuary.agents.remembered import (
    Remembered,
    digest_of,
    done_last,
    drop_backup,
    drop_empty_folders,
    remember,
    remembered,
)
from noctuary.agents.removing import removed
from noctuary.errors import BadSettings, NoctuaryError
from noctuary.settings import Settings

OURS = "noctuary"


def plan_removal(settings: Settings, names: Sequence[str] = ()) -> list[AgentChange]:
    """What would be taken out, agent by agent; nothing is."""
    changes = []
    for name, paths in _files(settings, names).items():
        files = [_plan_of_file(path, settings) for path in paths]
        files = [each for each in files if each.is_change or each.problem]
        changes += [AgentChange(name, _title(name), tuple(files))] if files else []
    return changes


def uninstall(settings: Settings, names: Sequence[str] = ()) -> list[Outcome]:
    """Take it out; a file or folder that install made goes, if nothing else is in it."""
    outcomes = []
    for change in plan_removal(settings, names):
        outcome = Outcome(change.name, change.title, problems=tuple(change.problems))
        for file in change.files:
            if file.is_change:
                outcome = _taken_out(file.path, outcome, settings)
        outcomes.append(outcome)
    _forget_what_is_gone(settings)
    return outcomes


def _taken_out(path: Path, outcome: Outcome, settings: Settings) -> Outcome:
    try:
        target = settings_files.target_of(path)
        take_out(target, settings)
    except BadSettings as error:
        return outcome._replace(problems=(*outcome.problems, f"{path}: {error}; the file was left alone."))
    except NoctuaryError as error:
        return outcome._replace(problems=(*outcome.problems, str(error)))
    if target.exists():
        return outcome._replace(written=(*outcome.written, path))
    return outcome._replace(removed=(*outcome.removed, path))


def take_out(target: Path, settings: Settings) -> None:
    """Take what is ours out of one file, as it is now."""
    known = remembered(settings.home)
    text = settings_files.text_of(target)
    before = done_last(settings, target, text)
    if text is not None:
        rest = _without_ours(target, text, before)
        if before and not before.existed and is_blank(rest):
            settings_files.remove(target, before.folders)
            rest = ""
        elif rest != text:
            settings_files.check_may_write(target)
            settings_files.replace(target, rest)
        if before and digest_of(rest) == before.before:
            drop_backup(settings.home, target)
    if known.pop(str(target), None):
        remember(settings.home, known)
        drop_empty_folders(settings.home)


def is_blank(text: str) -> bool:
    """Whether nothing is left in a file that we made."""
    return text.strip("\ufeff \t\r\n") in ("", "{}")


def _plan_of_file(path: Path, settings: Settings) -> FileChange:
    try:
        target = settings_files.target_of(path)
        text = settings_files.text_of(target)
        if text is None:
            return FileChange(path)
        before = done_last(settings, target, text)
        rest = _without_ours(target, text, before)
        if rest != text:
            settings_files.check_may_write(target)
        goes = before is not None and not before.existed and is_blank(rest)
        return FileChange(path, text, None if goes else rest, ("what install added",))
    except BadSettings as error:
        if str(path) not in remembered(settings.home) and not _names_us(path):
            return FileChange(path)  # cannot be read, but nothing of ours was ever in it
        return FileChange(path, problem=f"{str(error).rstrip('.')}; the file was left alone.")


def _names_us(path: Path) -> bool:
    try:
        return path.is_file() and b"noctuary" in path.read_bytes()
    except OSError:
        return False


def _without_ours(path: Path, text: str, before: Remembered | None) -> str:
    if before and before.agent == OURS:
        return toml_text.without_recall(text, before)
    if path.suffix != ".toml":
        return removed(text, before)
    entry = toml_text.server_in(text)
    return toml_text.without_server(text, before) if entry is None or is_our_server(entry) else text


def _files(settings: Settings, names: Sequence[str]) -> dict[str, list[Path]]:
    """The files to look at, by agent: those that agents have now, and those that install wrote to once."""
    found: dict[str, list[Path]] = {}
    for agent in agents_of(settings):
        found[agent.name] = list(dict.fromkeys(path for path in (agent.hooks, agent.servers) if path))
    targets = {str(_target(path)) for paths in found.values() for path in paths}
    known = remembered(settings.home)
    for path, each in known.items():
        if path not in targets:
            found.setdefault(each.agent, []).append(Path(path))
    stays = any(each.agent not in (*names, OURS) for each in known.values()) if names else False
    return {name: paths for name, paths in found.items() if not names or name in names or (name == OURS and not stays)}


def _target(path: Path) -> Path:
    try:
        return settings_files.target_of(path)
    except BadSettings:
        return path


def _title(name: str) -> str:
    return TITLES.get(name, "Noctuary itself")


def _forget_what_is_gone(settings: Settings) -> None:
    """Forget files that are not there any more."""
    known = remembered(settings.home)
    there = {path: each for path, each in known.items() if Path(path).exists()}
    if there != known:
        remember(settings.home, there)
        drop_empty_folders(settings.home)
