"""Following: what changed since it was brought in, by size and time."""

import os
from pathlib import Path

from noctuary.importing.following import Follower
from noctuary.settings import Settings
from noctuary.testing import ClaudeTranscript, CodexTranscript

ONE, TWO = "6f1c1f6e-0000-4000-8000-000000000001", "6f1c1f6e-0000-4000-8000-000000000002"


def follower_of(home: Path) -> Follower:
    """Somebody who follows the agents of a user, and has seen nothing yet."""
    return Follower(Settings.load({"USER": "ana"}, home=home / "memory", user_home=home))


def names(follower: Follower) -> list[str]:
    """The sessions that changed."""
    return sorted(each.source.session for each in follower.changed())


def test_everything_is_new_at_first(tmp_path: Path) -> None:
    """Whoever has just begun to follow knows nothing."""
    ClaudeTranscript(ONE).say("Hello").save(tmp_path)
    CodexTranscript("019c9b17-0000-7000-8000-000000000001").prompt("Hello").save(tmp_path)

    assert len(names(follower_of(tmp_path))) == 2


def test_what_was_brought_in_is_not_new(tmp_path: Path) -> None:
    """Only what has grown, was written again or came since is."""
    one = ClaudeTranscript(ONE).say("Hello")
    one.save(tmp_path)
    follower = follower_of(tmp_path)
    follower.brought_in(follower.changed())
    assert names(follower) == []

    one.reply("Good morning").save(tmp_path)
    ClaudeTranscript(TWO).say("Hello").save(tmp_path)

    assert names(follower) == [ONE, TWO]


def test_what_was_not_brought_in_stays_new(tmp_path: Path) -> None:
    """An import that failed is tried again at the next look."""
    ClaudeTranscript(ONE).say("Hello").save(tmp_path)
    follower = follower_of(tmp_path)

    assert names(follower) == names(follower) == [ONE]


def test_what_was_written_while_it_was_brought_in_is_new(tmp_path: Path) -> None:
    """What counts is how a file was seen, not how it is when the import ends."""
    one = ClaudeTranscript(ONE).say("Hello")
    one.save(tmp_path)
    follower = follower_of(tmp_path)
    seen = follower.changed()

    one.reply("Good morning").save(tmp_path)
    follower.brought_in(seen)

    assert names(follower) == [ONE]


def test_the_same_size_at_another_time_is_a_change(tmp_path: Path) -> None:
    """A transcript can be rewritten without growing."""
    path = ClaudeTranscript(ONE).say("Hello").save(tmp_path)
    follower = follower_of(tmp_path)
    follower.brought_in(follower.changed())

    os.utime(path, ns=(0, path.stat().st_mtime_ns + 1_000_000))

    assert names(follower) == [ONE]


def test_what_is_gone_is_forgotten(tmp_path: Path) -> None:
    """Nothing is kept in mind of files that are deleted; if one comes back it is new."""
    path = ClaudeTranscript(ONE).say("Hello").save(tmp_path)
    content, times = path.read_bytes(), (path.stat().st_atime_ns, path.stat().st_mtime_ns)
    follower = follower_of(tmp_path)
    follower.brought_in(follower.changed())

    path.unlink()
    assert names(follower) == []
    path.write_bytes(content)
    os.utime(path, ns=times)

    assert names(follower) == [ONE]
