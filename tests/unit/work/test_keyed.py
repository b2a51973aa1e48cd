"""Values that programs keep under names of their own."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from noctuary.app import Memory
from noctuary.app.keyed import Keyed
from noctuary.errors import BadInput
from noctuary.settings import Settings
from noctuary.store.memories import MemoryStatus, is_of_user
from noctuary.testing import FakeClock

PATH = ("users", "ana")
TABS = {"text": "Ana prefers tabs in Makefiles.", "level": 3, "deep": {"list": [1, None, True, "x"]}}


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def memory(tmp_path: Path, clock: FakeClock) -> Iterator[Memory]:
    with Memory.from_settings(Settings(tmp_path / "memory", "ana", tmp_path / "user", {}), clock) as opened:
        yield opened


@pytest.fixture
def keyed(memory: Memory) -> Keyed:
    return Keyed(memory, "shop")


def test_what_is_put_is_there(keyed: Keyed, memory: Memory) -> None:
    """The value as it was, and a sentence that the memory keeps."""
    keyed.put(PATH, "editor", TABS)

    found = keyed.get(PATH, "editor")
    assert found is not None
    assert (found.path, found.key, found.value) == (PATH, "editor", TABS)
    assert found.created_ms == found.updated_ms == memory.clock.now_ms()
    assert [one.text for one in memory.work("shop").memories()] == [TABS["text"]]
    assert keyed.get(PATH, "other") is keyed.get(("users",), "editor") is None
    assert Keyed(memory, "other").get(PATH, "editor") is None


def test_what_is_put_again_takes_its_place(keyed: Keyed, memory: Memory, clock: FakeClock) -> None:
    """In the same words or in others."""
    keyed.put(PATH, "editor", TABS)
    made_ms = clock.now_ms()
    for value in ({**TABS, "level": 4}, {"text": "Ana prefers spaces."}):
        clock.advance(timedelta(hours=1))
        keyed.put(PATH, "editor", value)

        found = keyed.get(PATH, "editor")
        assert found is not None
        assert (found.value, found.created_ms, found.updated_ms) == (value, made_ms, clock.now_ms())
    assert [one.text for one in memory.work("shop").memories()] == ["Ana prefers spaces."]
    assert len(keyed.items()) == 1


def test_what_a_user_said_yes_to_is_not_what_a_program_puts_in_its_place(keyed: Keyed, memory: Memory) -> None:
    """The yes was to the words that stood there."""
    keyed.put(PATH, "editor", TABS)
    assert is_of_user(memory.work("shop").remember(str(TABS["text"])))

    keyed.put(PATH, "editor", {"text": "Ana prefers no review."})

    [kept] = memory.work("shop").memories()
    assert kept.text == "Ana prefers no review."
    assert not is_of_user(kept)


def test_what_is_dropped_is_gone(keyed: Keyed, memory: Memory) -> None:
    """From here and from pages; it can be put again."""
    keyed.put(PATH, "editor", TABS)

    assert keyed.drop(PATH, "editor")
    assert not keyed.drop(PATH, "editor")
    assert keyed.get(PATH, "editor") is None
    assert keyed.items() == []
    assert memory.work("shop").memories() == []
    keyed.put(PATH, "editor", TABS)
    assert keyed.get(PATH, "editor") is not None
    assert [one.status for one in memory.work("shop").memories()] == [MemoryStatus.ACTIVE]


def test_values_outlive_what_becomes_of_their_sentence(keyed: Keyed, memory: Memory) -> None:
    """Somebody retires the memory: the program still has its value."""
    keyed.put(PATH, "editor", TABS)
    memory.work("shop").retire(memory.work("shop").memories()[0].id)

    found = keyed.get(PATH, "editor")
    assert found is not None
    assert found.value == TABS
    assert len(keyed.items()) == 1


def test_they_are_made_again_from_the_journal(keyed: Keyed, memory: Memory) -> None:
    """Like all that is written down."""
    keyed.put(PATH, "editor", TABS)
    keyed.put(PATH, "shell", {"name": "fish"})
    keyed.drop(PATH, "shell")
    before = keyed.items()

    memory.rebuild()

    assert keyed.items() == before
    assert memory.doctor().is_healthy


def test_items_below_a_path(keyed: Keyed, clock: FakeClock) -> None:
    """What was put last comes first."""
    for path in (("a",), ("a", "b"), ("ab",)):
        clock.advance(timedelta(seconds=1))
        keyed.put(path, "k", {"text": "/".join(path)})

    assert [item.path for item in keyed.items()] == [("ab",), ("a", "b"), ("a",)]
    assert [item.path for item in keyed.items(("a",))] == [("a", "b"), ("a",)]


def test_items_are_found_by_their_words(keyed: Keyed) -> None:
    """In the sentence, the value or the name; rare words count for more, and what has none is not found."""
    keyed.put(PATH, "editor", TABS)
    keyed.put(PATH, "shell", {"text": "Ana prefers the fish shell.", "since": "marsupial"})
    keyed.put(PATH, "secret", {"text": "Ana prefers tabs."}, is_findable=False)
    items = keyed.items()

    assert [each.item.key for each in keyed.ranked(items, "does Ana prefer tabs")] == ["editor", "shell"]
    assert [each.item.key for each in keyed.ranked(items, "marsupials")] == ["shell"]
    assert keyed.ranked(items, "fish")[0].score == 1
    assert keyed.ranked(items, "zeppelin") == keyed.ranked(items, "") == []


def test_a_value_that_says_nothing_is_told_by_its_name(keyed: Keyed, memory: Memory) -> None:
    """Every memory is a sentence."""
    keyed.put(PATH, "limits", {"rows": 7})
    keyed.put(PATH, "long", {"rows": "x" * 1000})

    texts = {one.text for one in memory.work("shop").memories()}
    assert 'limits: {"rows": 7}' in texts
    assert max(map(len, texts)) <= 300


@pytest.mark.parametrize(
    ("path", "key", "value"),
    [
        ((), "k", {}),
        (("a", ""), "k", {}),
        (("a",), "", {}),
        (("a",), "k", {"a": object()}),
        (("a",), "k", {"a": 1e999}),
    ],
)
def test_what_cannot_be_kept_is_refused(
    keyed: Keyed, path: tuple[str, ...], key: str, value: dict[str, object]
) -> None:
    """With a sentence that says why."""
    with pytest.raises(BadInput):
        keyed.put(path, key, value)


_WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["C"]), min_size=1, max_size=8).filter(str.strip)


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(paths=st.lists(st.lists(_WORDS, min_size=1, max_size=3).map(tuple), min_size=2, max_size=4, unique=True))
def test_no_two_names_are_one(keyed: Keyed, paths: list[tuple[str, ...]]) -> None:
    """However a path is cut into words."""
    for number, path in enumerate(paths):
        keyed.put(path, "k", {"number": number})

    found = [keyed.get(path, "k") for path in paths]
    assert [item and item.value["number"] for item in found] == [*range(len(paths))]
