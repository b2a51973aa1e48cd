"""What a sweep does with the notes of hooks: each once, whoever left them, and nothing that a hostile note asks for."""

import json
import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from noctuary import brief_file
from noctuary.app import Memory, sweep_state
from noctuary.app.sweeping import EVERYTHING_MS, LAGGING_MS, MOST_TRIES, QUICK_BYTES, Swept
from noctuary.dreams import DreamStatus, Eligibility, RunStatus
from noctuary.errors import BadSettings, SessionNotFound
from noctuary.forgetting import Forgotten
from noctuary.inbox import FOLDER, NAME, Note, is_empty
from noctuary.records import Kind, Relation, Status
from noctuary.settings import Settings
from noctuary.testing import ClaudeTranscript, CodexTranscript, FakeClock, write_lines
from tests.unit.importing.machine import finds, said

pytestmark = pytest.mark.slow

NOW = datetime(2026, 3, 3, 9, 0, tzinfo=UTC)
ONE, TWO = "6f1c1f6e-0000-4000-8000-000000000001", "6f1c1f6e-0000-4000-8000-000000000002"
CODEX_ONE, CODEX_TWO = "019c9b17-0000-7000-8000-000000000001", "019c9b17-0000-7000-8000-000000000002"
CHOICE = "Let's keep sessions in SQLite, not Redis, because they must survive a deploy."
RULE = "From now on, never call datetime.now() without a zone; always pass the zone of the shop."


class Machine:
    """A user with agents, hooks that leave notes, and a memory that sweeps them."""

    def __init__(self, folder: Path, owner: str = "ana", **environ: str) -> None:
        self.home, self.user_home = folder / "memory", folder / "home"
        self.shop = folder / "shop"
        self.shop.mkdir(parents=True, exist_ok=True)
        self.clock = FakeClock(NOW)
        settings = Settings.load({"USER": "ana", **environ}, home=self.home, owner=owner, user_home=self.user_home)
        self.memory = Memory.from_settings(settings, self.clock)

    def knows_the_rest(self) -> "Machine":
        """Every transcript that no hook names was looked at just now."""
        sweep_state.imported(self.home, self.clock.now_ms())
        return self

    def claude(self, session: str = ONE, **more: Any) -> ClaudeTranscript:
        """A transcript of Claude Code in the folder of the shop."""
        return ClaudeTranscript(session, cwd=str(self.shop), **more)

    def codex(self, session: str = CODEX_ONE, **more: Any) -> CodexTranscript:
        """A rollout of Codex in the folder of the shop."""
        return CodexTranscript(session, cwd=str(self.shop), branch=None, **more)

    def hook(self, event: str, session: str = ONE, transcript: Path | str = "", **more: Any) -> None:
        """Leave a note as a hook does."""
        note = Note(event, self.clock.now_ms(), "claude-code", session, str(self.shop), str(transcript))
        given = {**{name: value for name, value in note._asdict().items() if value}, **more}
        path = self.home / FOLDER / NAME
        path.parent.mkdir(exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(given) + "\n")

    def sweep(self) -> Swept:
        """Sweep; whatever there was, nothing waits afterwards that somebody could be told of."""
        swept = self.memory.sweep()
        assert is_empty(self.home)
        return swept

    def brief_path(self, owner: str = "", folder: Path | None = None) -> Path:
        """Where a hook looks for the brief of a folder."""
        return Path(brief_file.path_of(str(self.home), owner, str(folder or self.shop)))

    def brief(self, owner: str = "") -> str | None:
        """What a session in the shop would be told; None if there is no brief."""
        read = brief_file.read(str(self.brief_path(owner)))
        return read.text if read else None


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    made = Machine(tmp_path)
    with made.memory:
        yield made


def test_a_session_that_ended_is_imported_and_completed(machine: Machine) -> None:
    """Its transcript is named by the note, and nothing else is needed."""
    machine.knows_the_rest()
    path = machine.claude().say(CHOICE).reply("Done.").save(machine.user_home)
    machine.hook("Stop", transcript=path)
    machine.hook("SessionEnd", transcript=path, reason="clear")

    swept = machine.sweep()

    assert (swept.notes, swept.messages, swept.sessions, swept.ended, swept.kept) == (2, 2, 1, (ONE,), 0)
    assert (swept.dropped, swept.problems, swept.lock) == ((), (), "acquired")
    assert machine.memory.session(ONE).status is Status.ENDED
    assert machine.memory.dreams.eligibility(ONE) is Eligibility.ELIGIBLE
    assert swept.dream is not None
    assert swept.dream.status is RunStatus.NOT_DUE


def test_a_stop_ends_no_session(machine: Machine) -> None:
    """The agent has answered, and its user goes on; what was said so far is found."""
    path = machine.claude().say(CHOICE).save(machine.user_home)
    machine.hook("Stop", transcript=path)

    assert machine.sweep().ended == ()
    assert machine.memory.session(ONE).status is Status.ACTIVE
    assert machine.memory.dreams.eligibility(ONE) is Eligibility.NOT_COMPLETED
    assert finds(machine.memory, "survive deploy")


def test_what_was_dealt_with_before_changes_nothing(machine: Machine) -> None:
    """A sweep that was killed is followed by one that is given the same notes."""
    path = machine.claude().say(CHOICE).reply("Done.").save(machine.user_home)
    for _ in range(3):
        machine.hook("SessionEnd", transcript=path)
        machine.sweep()

    assert said(machine.memory, ONE) == [CHOICE, "Done."]
    records = machine.memory.store.dreams.of_session("ana", ONE)
    assert [(record.epoch, record.status) for record in records] == [(1, DreamStatus.PENDING)]


def test_only_what_is_named_is_read(machine: Machine) -> None:
    """By its path, or by its session if the agent tells no path; what costs is what is new."""
    machine.knows_the_rest()
    machine.claude(ONE).say(CHOICE).save(machine.user_home)
    machine.claude(TWO).say(RULE).save(machine.user_home)
    machine.codex().prompt("Which port does the till use?").save(machine.user_home)
    machine.hook("Stop", CODEX_ONE, agent="codex")
    machine.hook("Stop", TWO)

    machine.sweep()

    assert {session.id for session in machine.memory.sessions()} == {CODEX_ONE, TWO}


def test_agents_of_a_session_are_read_with_it(machine: Machine) -> None:
    """Their transcripts lie beside it, and the note of one names its own."""
    machine.knows_the_rest()
    machine.claude().say(CHOICE).save(machine.user_home)
    machine.claude(agent="a1").say("Look for flaky tests.").reply("There is one: the time zone.").save(
        machine.user_home
    )
    other = machine.claude(TWO, agent="b2").say("Count the tills.").reply("Four tills.").save(machine.user_home)
    machine.claude(TWO, agent="c3").say("Count the lamps.").reply("Nine lamps.").save(machine.user_home)
    machine.hook("Stop", ONE)
    machine.hook("SubagentStop", "unknown", other)

    machine.sweep()

    assert {session.id for session in machine.memory.sessions()} == {ONE, "agent-a1", "agent-b2"}


def test_what_no_hook_names_is_read_now_and_then(machine: Machine) -> None:
    """Agents that have no hooks, or had none at the time, are not left out; but not looked for at every sweep."""
    machine.claude(ONE).say(CHOICE).save(machine.user_home)
    assert machine.sweep().messages == 1
    machine.claude(TWO).say(RULE).save(machine.user_home)
    assert machine.sweep().messages == 0

    machine.clock.advance(timedelta(milliseconds=EVERYTHING_MS))

    assert machine.sweep().messages == 1


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd",
        "/etc/shadow",
        "/dev/zero",
        "/",
        "relative.jsonl",
        "",
        "\0",
        "/a\0b",
        "\ud800",
        "/" + "x" * 5_000,
        "/proc/self/mem",
        "{outside}",
        "{link}",
    ],
)
def test_a_note_makes_nobody_read_a_file(machine: Machine, path: str) -> None:
    """Only what agents keep where we look for it is a transcript, even if a file elsewhere looks like one."""
    machine.knows_the_rest()
    outside = machine.claude().say("the secret of another").save(machine.shop / "elsewhere")
    inside = machine.claude(TWO).say(CHOICE).save(machine.user_home)
    link = machine.shop / inside.name
    link.symlink_to(outside)
    machine.hook("SessionEnd", "nobody", path.format(outside=outside, link=link), cwd=path)

    swept = machine.sweep()

    assert (swept.messages, swept.problems) == (0, ())
    assert machine.memory.sessions() == []


@pytest.mark.parametrize("event", ["SessionStart", "SessionEnd", "PostCompact", "SubagentStop"])
@pytest.mark.parametrize("odd", ["\ud800", "/\udc80", "\0", "x" * 5_000, "../..", "/\n"])
def test_no_note_stops_a_sweep(machine: Machine, event: str, odd: str) -> None:
    """Or it would be in the way of all that come after it, for ever."""
    machine.knows_the_rest()
    for name in ("session", "cwd", "transcript", "summary", "reason", "agent"):
        machine.hook(event, **{"session": ONE, "summary": "lamps", name: odd})

    assert machine.sweep().problems == ()


def test_a_link_to_a_transcript_names_it(machine: Machine) -> None:
    """Whatever way an agent takes to its own folder."""
    machine.knows_the_rest()
    path = machine.claude().say(CHOICE).save(machine.user_home)
    (machine.shop / "home").symlink_to(machine.user_home)
    machine.hook("Stop", "", machine.shop / "home" / path.relative_to(machine.user_home))

    assert machine.sweep().messages == 1


def test_a_session_without_transcript_is_waited_for(machine: Machine) -> None:
    """The agent may write it later; when it is there the session is ended as if it had been there at once."""
    machine.knows_the_rest()
    machine.hook("SessionEnd", ONE)
    assert machine.sweep().kept == 1
    machine.claude().say(CHOICE).save(machine.user_home)

    swept = machine.sweep()

    assert (swept.notes, swept.kept, swept.ended, swept.messages) == (0, 0, (ONE,), 1)
    assert machine.sweep() == Swept(dream=machine.sweep().dream)


def test_many_sweeps_at_once_give_up_nothing(machine: Machine) -> None:
    """A transcript may lag behind its hooks, and other sessions start sweeps meanwhile: the note waits all the same."""
    machine.hook("SessionEnd", ONE)
    for _ in range(MOST_TRIES + 2):
        assert (machine.sweep().kept, machine.sweep().dropped) == (1, ())

    machine.claude().say(CHOICE).reply("Done.").save(machine.user_home)
    machine.memory.import_transcripts()

    assert machine.sweep().ended == (ONE,)


def test_a_session_that_never_comes_is_given_up(machine: Machine) -> None:
    """After some sweeps, and an hour, its note is dropped, and the log is told."""
    machine.hook("SessionEnd", "never")
    machine.clock.advance(timedelta(milliseconds=LAGGING_MS))
    for _ in range(MOST_TRIES - 1):
        swept = machine.sweep()
        assert (swept.kept, swept.dropped) == (1, ())

    swept = machine.sweep()

    assert swept.kept == 0
    assert swept.dropped == ("SessionEnd of session never: it was never imported",)
    assert machine.sweep().dropped == ()


def test_agents_whose_transcripts_nobody_reads_are_not_waited_for(machine: Machine) -> None:
    """There will be no session of theirs."""
    machine.hook("SessionEnd", "a-conversation", agent="windsurf")

    assert (machine.sweep().kept, machine.sweep().dropped) == (0, ())


def test_agents_whose_format_somebody_described_are_waited_for(machine: Machine) -> None:
    """Their transcripts are read as any other: a note of theirs brings them in, and a session of theirs ends."""
    formats = machine.memory.settings.formats
    formats.mkdir(parents=True)
    described = 'agent = "owl"\nfiles = ["~/.owl/*.jsonl"]\n[fields]\nrole = "role"\ntext = "text"\n'
    (formats / "owl.toml").write_text(described, encoding="utf-8")
    lines = [{"role": "user", "text": "Where do owls sleep?"}, {"role": "assistant", "text": "In the barn."}]
    transcript = machine.user_home / ".owl" / "night.jsonl"
    write_lines(transcript, lines)
    machine.knows_the_rest().hook("SessionEnd", "night", transcript, agent="owl")

    swept = machine.sweep()

    assert (swept.messages, swept.ended, swept.dropped) == (2, ("night",), ())


def test_a_session_of_codex_is_over_when_the_next_begins(machine: Machine) -> None:
    """Codex does not say that one is over; in the same folder, and quiet, it is."""
    machine.codex(CODEX_ONE).prompt(CHOICE).reply("Done.").save(machine.user_home)
    machine.hook("Stop", CODEX_ONE, agent="codex")
    assert machine.sweep().ended == ()

    machine.hook("SessionStart", CODEX_TWO, agent="codex", reason="startup")

    assert machine.sweep().ended == (CODEX_ONE,)
    assert machine.memory.session(CODEX_ONE).status is Status.ENDED


@pytest.mark.parametrize("what", ["another folder", "another agent", "the same session", "just now"])
def test_a_session_of_codex_that_may_go_on_is_not_over(machine: Machine, what: str) -> None:
    """In another terminal, resumed, or alive a moment ago."""
    start = NOW - timedelta(seconds=30) if what == "just now" else NOW - timedelta(hours=3)
    machine.codex(CODEX_ONE, start=start).prompt(CHOICE).reply("Done.").save(machine.user_home)
    machine.hook("Stop", CODEX_ONE, agent="codex")
    session = CODEX_ONE if what == "the same session" else CODEX_TWO
    cwd = str(machine.shop.parent) if what == "another folder" else str(machine.shop)
    machine.hook("SessionStart", session, agent="claude-code" if what == "another agent" else "codex", cwd=cwd)

    assert machine.sweep().ended == ()


SUMMARY = "The user moved the sessions to SQLite. Next: an index on the expiry of vouchers."


def test_a_summary_that_no_transcript_has_is_kept(machine: Machine) -> None:
    """It is found, as a part of its session, without secrets and without what is ours in it."""
    machine.claude().say(CHOICE).save(machine.user_home)
    recalled = "<noctuary-recalled>\nThe till is green.\n</noctuary-recalled>"
    secret = "ghp_" + "a1B2c3D4e5" * 4
    machine.hook("PostCompact", summary=f"{recalled}\n{SUMMARY} The token is {secret}.")
    machine.clock.advance(timedelta(minutes=5))

    assert machine.sweep().summaries == 1
    [(part, text)] = finds(machine.memory, "expiry vouchers")
    session = machine.memory.session(part)
    assert (session.parent, session.relation, session.agent) == (ONE, Relation.SUBAGENT, "claude-code")
    assert session.project == machine.memory.session(ONE).project
    assert text.startswith(SUMMARY)
    assert secret not in text
    assert finds(machine.memory, "till green") == []
    assert machine.memory.show(part).messages[0].kind is Kind.SUMMARY


def test_a_summary_is_kept_once(machine: Machine) -> None:
    """However often its note comes."""
    machine.claude().say(CHOICE).save(machine.user_home)
    machine.hook("PostCompact", summary=SUMMARY)
    machine.clock.advance(timedelta(minutes=5))
    first = machine.sweep()
    machine.hook("PostCompact", summary=SUMMARY)

    assert (first.summaries, machine.sweep().summaries) == (1, 0)
    assert len(finds(machine.memory, "expiry vouchers")) == 1


def test_a_summary_that_the_transcript_has_is_not_kept_twice(machine: Machine) -> None:
    """Agents write it there with a sentence before it, and perhaps a moment after their hooks ran."""
    machine.hook("PostCompact", TWO, summary="Nothing but lamps.")
    other = machine.claude(TWO).say(RULE)
    other.save(machine.user_home)
    assert machine.sweep().kept == 1
    other.compact("This session is being continued from a previous conversation.\n\nNothing but   lamps.")
    other.save(machine.user_home)
    machine.hook("Stop", TWO)
    swept = machine.sweep()

    assert (swept.summaries, swept.kept) == (0, 0)
    assert [session for session, _ in finds(machine.memory, "lamps")] == [TWO]


def test_a_summary_of_what_was_forgotten_is_not_kept(machine: Machine) -> None:
    """Neither of a session that is to stay forgotten, nor with a text that is."""
    machine.claude().say(CHOICE).save(machine.user_home)
    machine.claude(TWO).say(RULE).save(machine.user_home)
    machine.sweep()
    machine.memory.forget(Forgotten(session=ONE))
    machine.memory.forget(Forgotten(text="purple lamp"))
    machine.hook("PostCompact", ONE, summary=SUMMARY)
    machine.hook("PostCompact", TWO, summary="They bought a purple lamp.")
    machine.clock.advance(timedelta(minutes=5))

    swept = machine.sweep()

    assert (swept.summaries, swept.kept) == (0, 0)
    with pytest.raises(SessionNotFound):
        machine.memory.session(ONE)


def test_a_summary_goes_with_its_session(machine: Machine) -> None:
    """Whoever forgets the session forgets what sums it up."""
    machine.claude().say(CHOICE).save(machine.user_home)
    machine.hook("PostCompact", summary=SUMMARY)
    machine.clock.advance(timedelta(minutes=5))
    machine.sweep()

    machine.memory.forget(Forgotten(session=ONE))

    assert finds(machine.memory, "expiry vouchers") == []


def test_a_session_that_starts_has_its_brief(machine: Machine) -> None:
    """It tells of what was imported in the same sweep."""
    path = machine.claude().say(CHOICE).reply("Done.").save(machine.user_home)
    machine.hook("SessionEnd", transcript=path)
    machine.hook("SessionStart", TWO)

    assert machine.sweep().briefs >= 1
    assert "SQLite" in (machine.brief() or "")
    assert machine.brief_path().stat().st_mode & 0o777 == 0o600


def test_who_waits_for_a_brief_does_not_wait_for_a_long_import(machine: Machine) -> None:
    """It is written before and after; of a short import it is written once, with all that came."""
    machine.knows_the_rest()
    long = machine.claude().say(CHOICE)
    for number in range(3):
        long.call("Read", {"file": f"{number}.log"}).result(f"{number} " * (QUICK_BYTES // 6))
    machine.hook("Stop", transcript=long.save(machine.user_home))
    machine.hook("SessionStart", TWO)
    assert machine.sweep().briefs == 2
    assert "SQLite" in (machine.brief() or "")

    machine.hook("Stop", transcript=long.say(RULE).save(machine.user_home))
    machine.hook("SessionStart", TWO)

    assert machine.sweep().briefs == 1


def test_what_changes_later_is_in_the_brief_of_its_folder(machine: Machine) -> None:
    """Without anybody starting a session: what was imported, and what was written down."""
    machine.hook("SessionStart", ONE)
    machine.sweep()
    machine.claude().say(CHOICE).reply("Done.").save(machine.user_home)
    machine.hook("Stop", ONE)
    assert machine.sweep().briefs == 1
    assert "SQLite" in (machine.brief() or "")
    assert machine.sweep().briefs == 0

    machine.memory.work(machine.memory.project_of(machine.shop)).remember("The till answers on port 4711.")

    assert machine.sweep().briefs == 1
    assert "4711" in (machine.brief() or "")


def test_a_folder_that_nobody_asked_for_has_no_brief(machine: Machine) -> None:
    """Only a session that starts asks for one."""
    path = machine.claude().say(CHOICE).save(machine.user_home)
    machine.hook("Stop", transcript=path)

    assert machine.sweep().briefs == 0
    assert not (machine.home / brief_file.FOLDER).exists()


def test_briefs_that_nobody_uses_go(machine: Machine) -> None:
    """Two months after the last note of their folder; a note of any kind is use."""
    till = machine.shop.parent / "till"
    machine.hook("SessionStart", ONE)
    machine.hook("SessionStart", TWO, cwd=str(till))
    machine.sweep()
    machine.clock.advance(timedelta(days=40))
    machine.hook("Stop", ONE)
    machine.sweep()
    assert machine.brief_path(folder=till).exists()
    machine.clock.advance(timedelta(days=30))
    machine.hook("Stop", "of another folder", cwd=str(machine.home))

    machine.sweep()

    assert machine.brief_path().exists()
    left = [path.name for path in (machine.home / brief_file.FOLDER).iterdir()]
    assert {name.partition(".")[0] for name in left} == {machine.brief_path().name}


def test_a_list_of_folders_that_cannot_be_read_is_none(machine: Machine) -> None:
    """It is written again when a session starts."""
    (machine.home / "state").mkdir(exist_ok=True)
    for content in (b"[[", b"7", b'[["", "/a"], [1, 2, 3], null]', b"\xff"):
        (machine.home / "state" / "folders.json").write_bytes(content)
        machine.hook("SessionStart", ONE)
        assert machine.sweep().briefs >= 1


def test_notes_go_to_the_owner_they_name(machine: Machine) -> None:
    """What is imported, ended and told is that owner's, and nobody else's."""
    machine.knows_the_rest()
    machine.claude(ONE).say(CHOICE).save(machine.user_home)
    machine.claude(TWO).say(RULE).save(machine.user_home)
    machine.hook("SessionEnd", ONE, owner="work")
    machine.hook("SessionEnd", TWO)
    machine.hook("SessionStart", "next", owner="work")

    swept = machine.sweep()

    assert swept.ended == (TWO, ONE)
    assert [session.id for session in machine.memory.sessions()] == [TWO]
    other = Memory.from_settings(machine.memory.settings._replace(owner="work"), machine.clock)
    with other:
        assert [session.id for session in other.sessions()] == [ONE]
    assert "SQLite" in (machine.brief("work") or "")
    assert machine.brief() is None


def test_where_owners_are_kept_apart_nothing_is_read_unnamed(machine: Machine) -> None:
    """Whose a transcript is, only its hook knows."""
    machine.claude(ONE).say(CHOICE).save(machine.user_home)
    machine.hook("SessionStart", "next", owner="work")

    assert machine.sweep().messages == 0
    machine.clock.advance(timedelta(days=2))
    assert machine.sweep().messages == 0


def test_a_sweep_for_one_owner_does_not_take_what_is_another_s(tmp_path: Path) -> None:
    """Notes without an owner are those of whoever hooks serve that are told of nobody."""
    machine = Machine(tmp_path, owner="work")
    machine.claude(ONE).say(CHOICE).save(machine.user_home)
    machine.hook("SessionEnd", ONE)
    with machine.memory:
        assert machine.sweep().ended == (ONE,)
        assert machine.memory.sessions() == []
    with Memory.from_settings(machine.memory.settings._replace(owner="ana"), machine.clock) as usual:
        assert [session.id for session in usual.sessions()] == [ONE]


def test_a_due_dream_is_had(machine: Machine) -> None:
    """Enough sessions have ended; what the dream found is in the brief."""
    (machine.home / "config.toml").write_text("[dream]\nsession_count = 1\n", encoding="utf-8")
    again = Machine(machine.home.parent)
    path = again.claude().say(CHOICE).reply("Done.").say(RULE).reply("All right.").save(again.user_home)
    again.hook("SessionStart", "before")
    again.hook("SessionEnd", transcript=path)
    with again.memory:
        swept = again.sweep()

    assert swept.dream is not None
    assert (swept.dream.status, swept.dream.processed) == (RunStatus.COMPLETED, 1)
    assert "zone of the shop" in (again.brief() or "")


def test_inside_a_dream_nothing_is_swept(tmp_path: Path) -> None:
    """A model that a dream asks is an agent with hooks; what it does is no session of its user's."""
    machine = Machine(tmp_path, NOCTUARY_DREAMING="1")
    machine.hook("Stop", ONE)
    with machine.memory:
        assert machine.memory.sweep() == Swept(lock="nested")
    assert not is_empty(machine.home)


def test_one_sweep_at_a_time(machine: Machine) -> None:
    """Whoever comes second says so and leaves everything to the first."""
    machine.hook("Stop", ONE)
    with sweep_state.lock(machine.home, "sweep") as is_mine:
        assert is_mine
        assert machine.memory.sweep() == Swept(lock="busy")
    assert not is_empty(machine.home)

    assert machine.sweep().notes == 1


def test_what_goes_wrong_is_left_as_a_word(machine: Machine) -> None:
    """A brief that cannot be written stops nothing else; a hook can say it, until a sweep goes well."""
    path = machine.claude().say(CHOICE).save(machine.user_home)
    (machine.home / brief_file.FOLDER).write_text("in the way", encoding="utf-8")
    machine.hook("SessionStart", ONE)
    machine.hook("SessionEnd", ONE, path)

    swept = machine.sweep()

    assert swept.ended == (ONE,)
    assert [brief_file.FOLDER in problem for problem in swept.problems] == [True]
    moment, _, sentence = sweep_state.failed_path(machine.home).read_text(encoding="utf-8").partition(" ")
    assert moment == str(machine.clock.now_ms())
    assert sentence.strip() == swept.problems[0]
    (machine.home / brief_file.FOLDER).unlink()
    assert machine.sweep().briefs == 1
    assert not sweep_state.failed_path(machine.home).exists()


def test_who_is_back_can_be_missed_again(machine: Machine) -> None:
    """A shell noted that the user was told that we are gone; a sweep shows that we are not."""
    told = sweep_state.hook_folder(machine.home) / "told-gone"
    told.mkdir(parents=True)
    machine.sweep()

    assert not told.exists()


def test_settings_that_make_no_sense_leave_the_notes(machine: Machine) -> None:
    """A session cannot be ended without knowing how dreams are to be; the note waits until somebody mends it."""
    path = machine.claude().say(CHOICE).save(machine.user_home)
    machine.hook("SessionEnd", transcript=path)
    (machine.home / "config.toml").write_text("[dream]\nsession_count = 0\n", encoding="utf-8")
    with Machine(machine.home.parent).memory as broken, pytest.raises(BadSettings):
        broken.sweep()
    assert not is_empty(machine.home)

    assert machine.sweep().ended == (ONE,)


def test_what_hooks_noted_of_sessions_long_ago_goes(machine: Machine) -> None:
    """What a session was told matters as long as it may go on."""
    folder = machine.home / "state" / "told"
    folder.mkdir(parents=True)
    now = NOW.timestamp()
    for name, age in (("old", 40 * 86_400), ("new", 86_400)):
        (folder / name).write_text("m-1\n", encoding="utf-8")
        os.utime(folder / name, (now - age, now - age))

    machine.sweep()

    assert [path.name for path in folder.iterdir()] == ["new"]


def test_what_a_killed_sweep_left_half_written_goes(machine: Machine) -> None:
    """A day later nobody is writing to it any more; what may still be written to stays."""
    folder = machine.home / brief_file.FOLDER
    folder.mkdir(parents=True)
    now = NOW.timestamp()
    for name, age in ((".old.12", 2 * 86_400), (".new.13", 60), ("old", 2 * 86_400)):
        (folder / name).touch()
        os.utime(folder / name, (now - age, now - age))

    machine.sweep()

    assert {path.name for path in folder.iterdir()} == {".new.13", "old"}


def test_the_doctor_can_tell_when_it_was(machine: Machine) -> None:
    """The last sweep, and the newest note that one has dealt with."""
    machine.hook("Stop", ONE)
    left_ms = machine.clock.now_ms()
    machine.clock.advance(timedelta(hours=1))
    machine.sweep()

    assert sweep_state.times(machine.home) == sweep_state.Times(machine.clock.now_ms(), left_ms)
