"""Memories in their table: what the database counts by itself."""

from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given
from hypothesis import strategies as st

from noctuary.store import open_store
from noctuary.store.memories import MemoryStatus

SAVED = st.tuples(
    st.sampled_from(["ana", "bea"]),
    st.sampled_from(["m-1", "m-2", "m-3"]),
    st.sampled_from(["", "shop"]),
    st.sampled_from([str(status) for status in MemoryStatus]),
    st.sampled_from(["", "cache", "payments"]),
)


@given(steps=st.lists(SAVED | st.sampled_from(["ana", "bea"]), max_size=30))
def test_topics_are_counted_whatever_happens_to_memories(steps: list[tuple[str, str, str, str, str] | str]) -> None:
    """Made, changed, moved to another project or topic, held no longer, or folded anew: only what holds counts."""
    kept: dict[tuple[str, str], tuple[str, str, str]] = {}
    with TemporaryDirectory() as folder:
        store = open_store(Path(folder) / "noctuary.db")
        for step in steps:
            if isinstance(step, str):
                store.database.fetch("remove_folded_memories", owner=step, project=None)
                kept = {key: value for key, value in kept.items() if key[0] != step}
                continue
            owner, name, project, status, topic = step
            row = (owner, name, project, "fact", "x", status, 1, None, None, "e", "{}", topic, 0, 0.0, "unknown")
            store.database.run_many("save_memory", [row])
            kept[owner, name] = (project, status, topic)
        counted = {
            (owner, project): store.memories.topics(owner, project)
            for owner in ("ana", "bea")
            for project in ("", "shop")
        }
        store.close()

    held = {key: value for key, value in kept.items() if value[1] == MemoryStatus.ACTIVE}
    for (owner, project), topics in counted.items():
        of_both = [topic for (whose, _), (where, _, topic) in held.items() if (whose, where) == (owner, project)]
        assert topics == dict(Counter(of_both))
