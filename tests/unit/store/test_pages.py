"""Generations of pages, and what is noted of a page besides them."""

from noctuary import Memory
from noctuary.store.pages import Generation

OWNER, PROJECT = "ana", "/home/ana/code/shop"


def test_the_last_generation_is_the_newest(memory: Memory) -> None:
    """Of those written at one time it is the one with the smaller digest, and marks are no generations."""
    given = [Generation("bb", "two", 2_000), Generation("aa", "one", 1_000), Generation("ab", "three", 2_000)]
    for generation in given:
        memory.store.pages.add(OWNER, PROJECT, generation)
    memory.store.pages.mark_due(OWNER, PROJECT)

    assert memory.store.pages.last(OWNER, PROJECT) == Generation("ab", "three", 2_000)
    assert [each.digest for each in memory.store.pages.generations(OWNER, PROJECT)] == ["ab", "bb", "aa"]
    assert memory.store.pages.last(OWNER, "/elsewhere") is None


def test_marks_are_told_apart_from_generations(memory: Memory) -> None:
    """What a page had seen, which edits were taken in and which topics have files is known whatever was written."""
    memory.store.pages.add(OWNER, PROJECT, Generation("seen:no", "a page", 1_000))
    memory.store.pages.mark_written(OWNER, PROJECT, "01J0")
    memory.store.pages.mark_taken(OWNER, PROJECT, "cc")
    memory.store.pages.save_topic(OWNER, PROJECT, "git: how", "dd", "")

    assert memory.store.pages.seen(OWNER, PROJECT) == "01J0"
    assert memory.store.pages.is_taken(OWNER, PROJECT, "cc")
    assert not memory.store.pages.is_taken(OWNER, PROJECT, "dd")
    assert memory.store.pages.topics(OWNER, PROJECT) == ["git: how"]
