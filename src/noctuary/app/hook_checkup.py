"""How hooks are, for the doctor: what they left, whether anybody deals with it, and whether agents can start them."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from noctuary import agents, inbox
from noctuary.app import sweep_state
from noctuary.errors import NoctuaryError
from noctuary.health import Checked, Finding
from noctuary.hook_settings import hook_settings
from noctuary.settings import Settings

_DAY_MS = 86_400_000
_SLOW_MS = 600_000  # how long a hook leaves alone what was too slow
_UNSAID = "not even why could be written down, as on a disk that is full"
_NONE = "none has run yet. `noctuary install` adds them to the coding agents on this machine"


def check_up(settings: Settings, now_ms: int) -> Checked:
    """Look at all of it, whether or not there is a memory yet; nothing is changed."""
    try:
        problems = list(_problems(settings, now_ms))
        newest_ms = _newest_ms(settings.home)
    except NoctuaryError as error:
        problems, newest_ms = [str(error)], 0
    if problems:
        more = f" (and {len(problems) - 1:,} more)" if len(problems) > 1 else ""
        return Checked(name="hooks", finding=Finding.WARNING, detail=f"{problems[0]}{more}")
    detail = f"the last note is of {_shown(newest_ms)}; {_swept(settings.home)}" if newest_ms else _none_yet(settings)
    return Checked(name="hooks", finding=Finding.OK, detail=detail)


def _none_yet(settings: Settings) -> str:
    titles = [each.title for each in agents.installed(settings) if each.has_hooks]
    return f"in the settings of {', '.join(titles)}; none has run yet" if titles else _NONE


def _problems(settings: Settings, now_ms: int) -> Iterator[str]:
    """What is wrong, what matters most first."""
    home = settings.home
    hook_settings(settings.hooks_table)
    yield from (f"{each.title}: {each.problem}" for each in agents.installed(settings) if each.problem)
    yield from _trouble(home)
    oldest_ms = min((note.at_ms for note in inbox.waiting(home)), default=now_ms)
    if now_ms - oldest_ms > _DAY_MS:
        yield (
            f"they leave notes, the oldest of {_shown(oldest_ms)}, but no sweep deals with them. "
            f"`noctuary sweep` does, or says what is wrong; {sweep_state.log_path(home)} says what sweeps did."
        )
    if (slow := _slow(home, now_ms)) > 1:
        yield f"{slow} of them were too slow in the last ten minutes, and said nothing; on a busy machine that passes."


def _trouble(home: Path) -> Iterator[str]:
    """What hooks and sweeps left word of."""
    for name, what in (("failed", "the sweep of their notes failed"), ("unwritten", "they could not leave a note")):
        try:
            line = (sweep_state.hook_folder(home) / name).read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        moment, _, why = line.partition(" ")
        at = f" on {_shown(int(moment))}" if moment.isdigit() and len(moment) < 15 else ""
        yield f"{what}{at}: {why.strip() or _UNSAID}"


def _slow(home: Path, now_ms: int) -> int:
    """How many hooks of the last minutes were not done when their time was over."""
    names = [path.name.split("-") for path in sweep_state.hook_folder(home).glob("slow-*-*-*")]
    moments = [int(parts[2]) for parts in names if parts[2].isdigit() and len(parts[2]) < 15]
    return sum(0 <= now_ms - moment < _SLOW_MS for moment in moments)


def _newest_ms(home: Path) -> int:
    return max((note.at_ms for note in inbox.waiting(home)), default=0) or sweep_state.times(home).note_ms


def _swept(home: Path) -> str:
    waiting, swept_ms = len(inbox.waiting(home)), sweep_state.times(home).swept_ms
    last = f"the last sweep was on {_shown(swept_ms)}" if swept_ms else "no sweep has been yet"
    return f"{last}, {waiting:,} wait{'s' if waiting == 1 else ''} for the next" if waiting else last


def _shown(at_ms: int) -> str:
    return f"{datetime.fromtimestamp(at_ms / 1000, UTC):%Y-%m-%d %H:%M}"
