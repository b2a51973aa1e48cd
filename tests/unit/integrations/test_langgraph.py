"""A store of LangGraph that is this memory."""

import asyncio
import threading
from typing import Any

import pytest
from langgraph.store.base import GetOp, InvalidNamespaceError, ListNamespacesOp, PutOp, SearchOp
from langgraph.store.memory import InMemoryStore

from noctuary.app import Memory
from noctuary.integrations.langgraph import NoctuaryStore

pytestmark = pytest.mark.slow

ANA, BEN = ("users", "ana"), ("users", "ben")


@pytest.fixture
def store(memory: Memory) -> NoctuaryStore:
    return NoctuaryStore(memory, "shop")


def filled(store: Any) -> Any:
    """A store with a few things in it."""
    store.put(ANA, "editor", {"text": "Ana prefers tabs.", "level": 3, "tags": {"kind": "rule"}})
    store.put(ANA, "shell", {"text": "Ana uses the fish shell.", "level": 5})
    store.put(BEN, "editor", {"text": "Ben prefers spaces.", "level": 1})
    store.put(("docs", "v1"), "intro", {"title": "Welcome"})
    return store


def test_put_get_delete(store: NoctuaryStore, memory: Memory) -> None:
    """Values come back as they were, with their times; what is deleted is gone."""
    filled(store)

    found = store.get(ANA, "editor")
    assert found is not None
    assert (found.namespace, found.key) == (ANA, "editor")
    assert found.value == {"text": "Ana prefers tabs.", "level": 3, "tags": {"kind": "rule"}}
    assert found.created_at.timestamp() * 1000 == memory.clock.now_ms()
    store.delete(ANA, "editor")
    assert store.get(ANA, "editor") is None
    assert store.get(ANA, "nothing") is None
    store.delete(ANA, "nothing")


def test_what_is_put_is_remembered(store: NoctuaryStore, memory: Memory) -> None:
    """Every item is a sentence of the memory, so that briefs and pages tell it."""
    filled(store)

    assert "Ana prefers tabs." in [one.text for one in memory.work("shop").memories()]
    assert "Ana prefers tabs." in memory.brief("shop")


FILTERS: list[dict[str, Any]] = [
    {"level": 3},
    {"level": {"$gt": 2}},
    {"level": {"$gte": 3, "$lt": 5}},
    {"level": {"$ne": 3}},
    {"level": {"$lte": 1}},
    {"level": {"$eq": 5}},
    {"level": 3, "text": "Ana prefers tabs."},
    {"nothing": 1},
]


@pytest.mark.parametrize("wanted", FILTERS)
@pytest.mark.parametrize("prefix", [(), ("users",), ANA])
def test_filters_mean_what_they_mean_elsewhere(
    store: NoctuaryStore, prefix: tuple[str, ...], wanted: dict[str, Any]
) -> None:
    """The same items as LangGraph's own store finds."""
    ours, theirs = filled(store), filled(InMemoryStore())
    with_level = {"level": {"$ne": None}}  # that store cannot compare what is not there
    by = {**with_level, **wanted} if "level" not in wanted else wanted
    prefix = prefix or ("users",)

    names = [{(item.namespace, item.key) for item in each.search(prefix, filter=by)} for each in (ours, theirs)]

    assert names[0] == names[1]


def test_what_cannot_be_compared_is_not_found(store: NoctuaryStore) -> None:
    """A text is not greater than a number, and neither is nothing."""
    filled(store)

    assert store.search((), filter={"text": {"$gt": 3}}) == []
    assert store.search((), filter={"level": {"$gt": 0}}, limit=2, offset=2) != []
    assert store.search((), filter={"tags": {"kind": "rule"}})[0].key == "editor"


def test_items_are_found_by_words(store: NoctuaryStore) -> None:
    """The best first, with a score; what has no word of the query is not found."""
    filled(store)

    found = store.search(("users",), query="who prefers tabs?")
    assert [(item.namespace, item.key) for item in found] == [(ANA, "editor"), (BEN, "editor")]
    assert found[0].score is not None
    assert found[1].score is not None
    assert found[0].score > found[1].score
    assert store.search(BEN, query="tabs zeppelin") == []
    assert [item.key for item in store.search((), query="welcome")] == ["intro"]
    assert len(store.search((), limit=2)) == 2
    assert len(store.search((), limit=10, offset=3)) == 1


def test_what_is_not_indexed_is_not_found(store: NoctuaryStore) -> None:
    """But it can be read by its name."""
    store.put(ANA, "hidden", {"text": "Ana prefers tabs."}, index=False)

    assert store.search((), query="tabs") == []
    assert store.get(ANA, "hidden") is not None
    assert len(store.search(())) == 1


NAMESPACES: list[dict[str, Any]] = [
    {},
    {"prefix": ("users",)},
    {"suffix": ("ana",)},
    {"prefix": ("users", "*")},
    {"prefix": ("*", "v1")},
    {"prefix": ("users",), "suffix": ("ben",)},
    {"max_depth": 1},
    {"limit": 1, "offset": 1},
    {"prefix": ("nothing",)},
    {"suffix": ("users", "ana", "more")},
]


@pytest.mark.parametrize("wanted", NAMESPACES)
def test_namespaces_are_listed_as_elsewhere(store: NoctuaryStore, wanted: dict[str, Any]) -> None:
    """The same as LangGraph's own store lists."""
    assert filled(store).list_namespaces(**wanted) == filled(InMemoryStore()).list_namespaces(**wanted)


def test_many_operations_at_once(store: NoctuaryStore) -> None:
    """What is asked is answered from before; of several puts under one name the last is kept."""
    store.put(ANA, "editor", {"text": "Before"})

    results = store.batch(
        [
            PutOp(ANA, "editor", {"text": "First"}),
            GetOp(ANA, "editor"),
            PutOp(ANA, "editor", {"text": "Last"}),
            SearchOp(("users",)),
            ListNamespacesOp(),
        ]
    )

    assert results[0] is results[2] is None
    assert getattr(results[1], "value", None) == {"text": "Before"}
    assert [len(each) for each in results[3:] if isinstance(each, list)] == [1, 1]
    found = store.get(ANA, "editor")
    assert found is not None
    assert found.value == {"text": "Last"}


def test_without_blocking(store: NoctuaryStore) -> None:
    """The same for programs with an event loop."""

    async def use() -> list[str]:
        await store.aput(ANA, "editor", {"text": "Tabs"})
        assert await store.aget(ANA, "editor") is not None
        found = [item.key for item in await store.asearch((), query="tabs")]
        assert await store.alist_namespaces() == [ANA]
        await store.adelete(ANA, "editor")
        assert await store.aget(ANA, "editor") is None
        return found

    assert asyncio.run(use()) == ["editor"]


def test_several_threads_at_once(store: NoctuaryStore) -> None:
    """Each put is kept."""

    def keep(name: int) -> None:
        for number in range(5):
            store.put(ANA, f"{name}-{number}", {"n": number})

    threads = [threading.Thread(target=keep, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(store.search(ANA, limit=100)) == 20


def test_names_that_are_none(store: NoctuaryStore) -> None:
    """LangGraph's own rules hold."""
    with pytest.raises(InvalidNamespaceError):
        store.put((), "k", {})
    with pytest.raises(InvalidNamespaceError):
        store.put(("a.b",), "k", {})
    assert store.get((), "k") is None


def test_secrets_are_left_out(store: NoctuaryStore) -> None:
    """As everywhere in a memory."""
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    store.put(ANA, "token", {"token": secret})

    assert secret not in str(store.get(ANA, "token"))
