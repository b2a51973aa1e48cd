"""What hooks do about trouble: tell it once, and leave alone for a while what has been too slow.

All of it is small files in `state/hook/` of the home folder, which `noctuary doctor` reads:

    failed                        the sweep did not work: `<milliseconds> <sentence>`; the next that works removes it
    unwritten                     hooks cannot leave notes: likewise; removed when one can again
    told-failed, told-unwritten   the sentence that the user was shown; as long as it is the same, nothing is said
    told-gone                     the user was shown that we are gone, by the shell that looks for us (`agents`)
    asked                         when a sweep was started for notes that still wait: milliseconds
    slow-<kind>-<ms>-<pid>        something slow that was begun and not ended, by a hook whose time was over
"""

import time

from noctuary.brief_file import content_of
from noctuary.doors.hook import home as files

FAILED, UNWRITTEN = "failed", "unwritten"
START, PROMPT = "start", "prompt"  # what can be slow
_MOST_SLOW, _MINUTES_OFF = 3, 10
_STILL_RUNNING_MS = 1_200
_MINUTES_OF_A_SWEEP = 15
_LONGEST, _MOST_RECORDED = 500, 400  # characters of a sentence


def folder_of(home: str) -> str:
    """Where all this lies."""
    return f"{home}/state/hook"


def record(home: str, name: str, sentence: str, now_ms: int) -> None:
    """Leave word that something does not work; silently nothing if that cannot be written either."""
    path = f"{folder_of(home)}/{name}"
    if _sentence_in(path) != sentence[:_MOST_RECORDED]:
        _write(path, f"{now_ms} {sentence[:_MOST_RECORDED]}\n")


def clear(home: str, name: str) -> None:
    """It works again."""
    files.remove(f"{folder_of(home)}/{name}")


def untold(home: str) -> str:
    """What the user has not been shown yet, shown with this; nothing if it cannot be kept that it was."""
    for name in (FAILED, UNWRITTEN):
        told = f"{folder_of(home)}/told-{name}"
        sentence = _sentence_in(f"{folder_of(home)}/{name}")
        if not sentence:
            files.remove(told)
        elif _text_in(told) != sentence and _write(told, sentence):
            return f"noctuary: {sentence}"
    return ""


def asked_ms(home: str) -> int:
    """When a sweep was started for notes that waited then; 0 if it is not known."""
    written = _text_in(f"{folder_of(home)}/asked")
    return int(written) if written.isascii() and written.isdigit() and len(written) < 20 else 0


def ask(home: str, since_ms: int, now_ms: int) -> None:
    """A sweep is started for notes that wait since then; if one was long ago, and they still wait, it is recorded."""
    asked = asked_ms(home)
    if not since_ms or not since_ms <= asked <= now_ms:  # later than now: a clock was set back
        _write(f"{folder_of(home)}/asked", str(now_ms))
    elif now_ms - asked > _MINUTES_OF_A_SWEEP * 60_000:
        sentence = f"a sweep of the inbox was started at {_moment(asked)}, and notes from before it still wait; "
        record(home, FAILED, sentence + "`noctuary doctor` says more.", now_ms)


def begin(home: str, kind: str, now_ms: int, process: int) -> str | None:
    """A mark that something slow has begun, for `end`; None if it has been too slow lately, or nobody could tell."""
    folder, slow = folder_of(home), 0
    for name in files.names_in(folder):
        age = _age(name, kind, now_ms)
        if age is None:
            continue
        if age > _MINUTES_OFF * 60_000 or age < -_STILL_RUNNING_MS:  # a clock was set back
            files.remove(f"{folder}/{name}")
        elif age > _STILL_RUNNING_MS:
            slow += 1
    if slow >= _MOST_SLOW:
        return None
    mark = f"{folder}/slow-{kind}-{now_ms}-{process}"
    return mark if _write(mark, "") else None


def end(mark: str) -> None:
    """What had begun is done, in time."""
    files.remove(mark)


def _age(name: str, kind: str, now_ms: int) -> int | None:
    """How long ago something of this kind was begun, if this is the mark of it."""
    start = f"slow-{kind}-"
    begun = name[len(start) :].partition("-")[0]
    is_mark = name.startswith(start) and begun.isascii() and begun.isdigit() and len(begun) < 20
    return now_ms - int(begun) if is_mark else None


def _moment(now_ms: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now_ms // 1_000))


def _sentence_in(path: str) -> str:
    return _text_in(path).partition(" ")[2].strip()


def _text_in(path: str) -> str:
    """The first line of a file, without what could disturb a terminal."""
    line = content_of(path, 4 * _LONGEST).decode("utf-8", "replace").partition("\n")[0]
    return "".join(letter if letter.isprintable() else " " for letter in line)[:_LONGEST].strip()


def _write(path: str, text: str) -> bool:
    try:
        files.replace_content(path, text.encode("utf-8", "replace"))
    except (OSError, ValueError):
        return False
    return True
