"""Forty ordinary sessions, in which next to nothing is said that anybody wants to know next month."""

import pytest

from noctuary.dream.life.completing import end_session
from noctuary.dream.night import Night
from noctuary.dream.run import dream
from noctuary.dreams import Trigger
from noctuary.models.rules.extractor import RulesExtractor
from noctuary.records import Kind, Message, Role
from noctuary.store.memories import MemoryStatus
from tests.unit.dream.nights import add_session
from tests.unit.dream.proposing import DAY_MS, texts

pytestmark = pytest.mark.slow

A_HANDFUL = 3
PROMPTS = """hello
good morning, let's start with the open tickets
correct the spelling in line 12 of CHANGES.md please
let's push it
make sure it builds before you go on
run the suite once more? it should be green now
ok let's pick up where we stopped yesterday
no, not that folder, the one above please check again
swap red for blue in theme.css line 9
I think there is a leak somewhere in the worker
why does the list take so long to appear?
use the log I pasted to find the slow query in it
you need to be in the backend folder to start that script
it has to be one of the env files, look again
wait, I have to take a call, go on without me
let's see what it prints if you stop the worker now
ah I see, let's do the second one then
I don't have to say how odd this one is
the page is blank again, can you check? must be the cache
now do the same for the two other pages as well
I have to be away in 5 minutes so keep it short
let's run that again but with the flag off this time
push the logo 2px down, it should sit on the line
it still fails, I get KeyError: cannot find 'name' in the row
never mind, it was in the other window
always the same warning, this drives me mad
you must be joking, that table is not even there
ich denke man muss das noch mal ansehen, bitte schau
soll ich das immer so machen oder nur manchmal
давай попробуем ещё раз запустить это сегодня
Traceback (most recent call last): File "b.py", line 8, in <module> ValueError: must be positive
$ make all > error: you must give a target
let's call it a night, thanks a lot for it
I want to see how the queue works before we touch it
call the argument order_id instead of oid in that method
the branch needs to be merged, can you do it now
should we take Kafka or NATS here? I think NATS is ok
put a note there so that we can find it again
make sure to also bump the version in this branch
that's not what I meant, undo the last edit please"""
ANSWERS = """Done. I corrected the spelling in line 12 of `CHANGES.md`.
I ran the suite: 31 passed, 2 failed because `test_y` has no fixture.
The worker is running now on port 4000; I restarted it because it hung.
I've put the note there and bumped the version.
Committed as 1234abc and pushed to origin/next.
I moved the logo 2px down so that it sits on the line.
Let me know whether I should go on.
I couldn't find the file `bar.ts`, so I created it instead of changing it.
All checks are green now. Next I can tidy up the tests if you want."""
ASKED, ANSWERED = PROMPTS.split("\n"), ANSWERS.split("\n")


def test_ordinary_sessions_leave_next_to_nothing(night: Night) -> None:
    """Errands, questions, sighs, logs and reports of work are no memories."""
    for number, asked in enumerate(ASKED):
        ts_ms = night.now_ms() - (len(ASKED) - number) * DAY_MS
        said = [
            Message(Role.USER, asked, ts_ms=ts_ms),
            Message(Role.ASSISTANT, "make test", Kind.TOOL_CALL, tool_name="Bash", call_id="c", ts_ms=ts_ms + 1),
            Message(Role.TOOL, "ok", Kind.TOOL_RESULT, tool_name="Bash", call_id="c", ts_ms=ts_ms + 2),
            Message(Role.ASSISTANT, ANSWERED[number % len(ANSWERED)], ts_ms=ts_ms + 3),
        ]
        add_session(night, f"s-{number}", *said, ts_ms=ts_ms + 4)
        end_session(night, f"s-{number}")

    dream(night, RulesExtractor(), trigger=Trigger.MANUAL)

    assert len(texts(night)) <= A_HANDFUL, texts(night)
    assert len(texts(night, MemoryStatus.PROPOSED)) <= len(ASKED) // 2
