"""A memory for tests of the page: sessions of months, one that is long, one that is hostile, and some work."""

from datetime import UTC, datetime, timedelta

from noctuary.app import Memory
from noctuary.records import Kind, Message, Relation, Role, Session, Status
from noctuary.testing import FakeClock

NOW = datetime(2026, 6, 12, 16, 20, tzinfo=UTC)
SHOP, BLOG = "/home/ana/code/shop", "/home/ana/code/blog"
LONG, HOSTILE, REDIS = "long-session", "hostile <id>/../&?#'\"", "3b0f6a52-redis"
LONG_MESSAGES = 3_000
# Markup, a link that would run, text turned around, sequences for terminals, NUL, and characters without a width.
EVIL = (
    '<script>window.evil = 1</script><img src=x onerror="window.evil = 1"> [click](javascript:window.evil=1) '
    "\u202egnp.exe\u202c \x1b[2J\x1b]0;title\x07red\x1b[31m nul\x00here in\u200bvis\u2060ible \U000e0041tag "
    "{{ 7*7 }} {% raw %} `<b>code</b>` **<i>bold</i>**\n# <u>heading</u>\n"
    "```html\n</code></pre><script>window.evil = 1</script>\n```"
)
_ANSWER = """\
The Redis container keeps sessions **in memory only**: `docker-compose.yml` gives it no volume, so every deploy \
empties it.

## Two ways out

- a volume for Redis
- a table `sessions` in SQLite, which is backed up already

```sql
create table sessions (
    id         text primary key,
    data       blob not null,
    expires_at integer not null
) without rowid;
```

I would take the second."""
_FAILED = """\
....................F...
FAILED tests/sessions/test_expiry.py::test_expired - AssertionError: 31 != 30
1 failed, 23 passed in 1.84s"""
_DONE = """\
Fixed: a session that expires this very second is over. All 24 tests pass; Redis is gone from `docker-compose.yml` \
and from `requirements.txt`."""
_EDIT = "file_path: src/shop/sessions.py\nold_string: <= now\nnew_string: < now"
_THOUGHT = "The container has no volume.\nEither give it one, or keep sessions somewhere else."


def clock() -> FakeClock:
    """The time at which tests look at it."""
    return FakeClock(NOW)


def fill(memory: Memory) -> None:
    """Put everything in."""
    _redis(memory)
    _months(memory)
    _long(memory)
    _hostile(memory)
    _work(memory)


def at(day: int, minute: int = 0) -> int:
    """A moment so many days before now, at nine and so many minutes."""
    return round((NOW.replace(hour=9, minute=0) - timedelta(days=day) + timedelta(minutes=minute)).timestamp() * 1000)


def _redis(memory: Memory) -> None:
    """A conversation as they are."""
    said = [
        (Role.USER, Kind.TEXT, None, "Why do sessions vanish after every deploy? Redis is restarted each time."),
        (Role.ASSISTANT, Kind.THINKING, None, _THOUGHT),
        (Role.ASSISTANT, Kind.TEXT, None, _ANSWER),
        (Role.USER, Kind.TEXT, None, "SQLite. We drop Redis: one less service to run. But keep sessions 30 days."),
        (Role.ASSISTANT, Kind.TOOL_CALL, "Bash", "command: pytest tests/sessions -q\ndescription: Run the tests"),
        (Role.TOOL, Kind.TOOL_RESULT, "Bash", _FAILED),
        (Role.ASSISTANT, Kind.TOOL_CALL, "Edit", _EDIT),
        (Role.TOOL, Kind.TOOL_RESULT, "Edit", "The file src/shop/sessions.py has been updated."),
        (Role.ASSISTANT, Kind.TEXT, None, _DONE),
    ]
    messages = [
        Message(role, text, kind, ts_ms=at(0, 2 * number), tool_name=tool, source_line=number + 1)
        for number, (role, kind, tool, text) in enumerate(said)
    ]
    memory.add_session(
        Session(
            REDIS,
            agent="claude-code",
            project=SHOP,
            title="Session store: SQLite table instead of Redis",
            cwd=f"{SHOP}/src",
            branch="no-redis",
            model="claude-sonnet-4-5",
            source_path="/home/ana/.claude/projects/shop/3b0f6a52.jsonl",
            status=Status.ENDED,
        ),
        messages,
    )


_TITLES = (
    "Flaky tax test: time zone bug",
    "Idempotent payment webhook",
    "Fast catalogue search with FTS5",
    "消費税の端数処理を税率ごとに一回だけ切り捨てる",
    "Feed of the blog is empty on Mondays",
    "Rate limits for the public API",
    "حذف الجلسات المنتهية من قاعدة البيانات",
    "Move images to object storage",
    "Invoices as PDF/A",
    "Why is the build slow?",
)


def _months(memory: Memory) -> None:
    """Sessions of the last months, more of them on some days than on others."""
    for day in range(1, 110):
        if day % 7 in (1, 2) or day % 11 == 3:
            continue
        title = _TITLES[day % len(_TITLES)]
        number = 4 + (day * 37) % 61
        messages = [
            Message(
                Role.USER if place % 2 == 0 else Role.ASSISTANT,
                f"{title}, step {place + 1}: we looked at the logs of day {day} and wrote a test for it.",
                ts_ms=at(day, place),
                source_line=place + 1,
            )
            for place in range(number)
        ]
        agent, project = (("codex", BLOG), ("claude-code", SHOP), ("cursor", SHOP))[day % 3]
        parent, relation = (REDIS, Relation.FORK) if day == 3 else (None, None)
        session = Session(
            f"day-{day:03}", agent=agent, project=project, title=title, parent=parent, relation=relation, branch="main"
        )
        memory.add_session(session, messages)


def _long(memory: Memory) -> None:
    """A session of thousands of messages, with output that is long, too."""
    messages = []
    for place in range(LONG_MESSAGES):
        if place % 4 == 3:
            output = "\n".join(f"{number:5}  line of output {place}" for number in range(400 if place == 203 else 12))
            messages.append(Message(Role.TOOL, output, Kind.TOOL_RESULT, ts_ms=at(5, place), tool_name="Bash"))
        else:
            role = (Role.USER, Role.ASSISTANT, Role.ASSISTANT)[place % 4]
            kind = Kind.TOOL_CALL if place % 4 == 2 else Kind.TEXT
            tool = "Bash" if kind is Kind.TOOL_CALL else None
            text = f"Step {place + 1} of the migration, table number {place % 97}."
            messages.append(Message(role, text, kind, ts_ms=at(5, place), tool_name=tool))
    session = Session(LONG, agent="claude-code", project=SHOP, title="The long migration of every table")
    memory.add_session(session, messages)


def _hostile(memory: Memory) -> None:
    """A session of somebody who means harm, in every field that there is."""
    session = Session(
        HOSTILE,
        agent="<b>agent</b>",
        project=f"{BLOG}/<img src=x onerror=alert(1)>",
        title=f"Evil \u202e<script>window.evil = 1</script> {EVIL[:60]}",
        cwd="javascript:window.evil=1",
        branch="'\"><script>window.evil = 1</script>",
        model="\x1b[31mmodel",
        source_path="</code><script>window.evil = 1</script>",
    )
    kinds = ((Role.USER, Kind.TEXT), (Role.ASSISTANT, Kind.TEXT), (Role.ASSISTANT, Kind.THINKING))
    messages = [
        Message(role, f"zanzibar {EVIL}", kind, ts_ms=at(90, place)) for place, (role, kind) in enumerate(kinds)
    ]
    tool = Message(Role.TOOL, EVIL, Kind.TOOL_RESULT, ts_ms=at(90, 5), tool_name="<script>evil()</script>")
    memory.add_session(session, [*messages, tool])


def _work(memory: Memory) -> None:
    """Some work, so that something is due."""
    work = memory.work(SHOP)
    goal = work.open_goal("No Redis in production")
    first = work.open_task("Write the schema", parent=goal, priority="high")
    second = work.open_task("Import the sessions", parent=goal)
    work.depend(second, first)
    memory.work(BLOG).open_task("Find out about Mondays")
