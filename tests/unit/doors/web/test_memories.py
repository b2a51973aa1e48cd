"""Pages of memories."""

from itertools import chain

import pytest

from noctuary.access import Scope
from noctuary.app import Memory
from noctuary.doors.web.wording import session_address
from noctuary.store.memories import MemoryStatus
from tests.unit.doors.web.dreaming import EVIL, ROUND, changing, dreamt
from tests.unit.doors.web.visiting import BLOG, SHOP, Shown, owner, visitor

pytestmark = pytest.mark.usefixtures("database")
WRITER = owner(scopes=(Scope.READ, Scope.WRITE))


def texts(page: Shown) -> list[str]:
    """The memories of a list, in order."""
    return [one.said for one in page.all("a", class_="title")]


def test_memories_are_listed_and_narrowed(memory: Memory) -> None:
    """By kind, topic, project, words, pin and whether they hold; each filter is kept by the others' links."""
    work = memory.work(SHOP)
    work.remember("Prices are cents", kind="constraint", topic="money", pinned=True)
    work.remember("Indent with tabs", kind="preference")
    work.retire(work.remember("Tests need Redis").id)
    memory.work(BLOG).remember("Posts are Markdown", topic="money")
    with visitor(memory) as ana:

        def found(query: str) -> set[str]:
            return {*texts(ana.see(f"/memories?{query}"))}

        assert found("") == {"Prices are cents", "Indent with tabs", "Posts are Markdown"}
        assert found("kind=constraint") == found("pinned=yes") == found("words=CENT") == {"Prices are cents"}
        assert found(f"project={SHOP}") == {"Prices are cents", "Indent with tabs"}
        assert found("topic=money") == {"Prices are cents", "Posts are Markdown"}
        assert found("held=no") == {"Tests need Redis"}
        assert found("kind=nonsense&words=%25") == set()
        links = ana.see("/memories?kind=constraint").one("nav", **{"aria-label": "Topics"})
        assert links.said == "money 2"
        assert ana.see("/memories?kind=fact").all("a", href="/memories?kind=fact&topic=money")


@pytest.mark.slow
def test_thousands_of_memories_come_in_parts(memory: Memory) -> None:
    """Each is on one page, no page has more than it needs, and the page behind the last is empty."""
    end = (None, None, "e", "{}", "topic", 0, 0.0, "unknown")
    rows = [("ana", f"m-{n:04}", SHOP, "fact", f"Fact {n}", "active", 1 + n, *end) for n in range(3_000)]
    rows = [(*row[:11], f"t{n % 90}", *row[12:]) for n, row in enumerate(rows)]
    memory.store.database.run_many("save_memory", rows)
    seen, place, longest = [], "/memories", 0
    with visitor(memory) as ana:
        while place:
            page = ana.see(place)
            seen.append(texts(page))
            longest = max(
                longest, len(page.all("option")), len(page.one("nav", **{"aria-label": "Topics"}).said.split())
            )
            place = next((one.get("href") for one in page.all("a", rel="next")), "")
        assert "No memory matches" in ana.see("/memories?page=900").said

    assert [*chain(*seen)] == [f"Fact {n}" for n in range(2_999, -1, -1)]
    assert max(map(len, seen)) == 40
    assert longest < 60


def test_a_memory_is_shown_with_what_it_rests_on(memory: Memory) -> None:
    """The message it was said in, who said it, since when it holds, whether it was confirmed and checked."""
    dreamt(memory, "s1", EVIL)
    kept = memory.work(SHOP).memories()[0]
    with visitor(memory, WRITER) as ana:
        page = ana.see(f"/memories/{kept.id}")

    assert page.one("h1").said == EVIL
    assert [one.get("href") for one in page.all("a") if " · message " in one.said] == [session_address("s1", 1)]
    for words in ("said by you", "written by a dream", "confirmed", "checked", kept.id, SHOP):
        assert words in page.said
    assert all("static" in one.get("src") for one in page.all("script"))


def test_a_memory_is_pinned_and_unpinned(memory: Memory) -> None:
    """One button does both, and it says which."""
    kept = memory.work(SHOP).remember("Prices are cents")
    with visitor(memory, WRITER) as ana:
        pinned = Shown(ana.client.post(f"/memories/{kept.id}/pin", data={"pinned": "yes"}).text)
        free = Shown(ana.client.post(f"/memories/{kept.id}/pin", data={"pinned": "no"}).text)

    assert "pinned" in [one.said for one in pinned.all("span", class_="pill")]
    assert pinned.one("input", name="pinned").get("value") == "no"
    assert "pinned" not in [one.said for one in free.all("span", class_="pill")]


def test_other_words_take_its_place_and_its_past_is_told(memory: Memory) -> None:
    """The new memory names the old one and the old one the new; MEMORY.md has the new words."""
    kept = memory.work(SHOP).remember("Prices are cents")
    with visitor(memory, owner(scopes=tuple(Scope))) as ana:
        new = Shown(ana.client.post(f"/memories/{kept.id}/edit", data={"text": "Prices are whole cents"}).text)
        old = ana.see(f"/memories/{kept.id}")
        file = ana.see(f"/memories/file?project={SHOP}")
        late = Shown(ana.client.post(f"/memories/{kept.id}/edit", data={"text": "again"}).text)
        twice = Shown(ana.client.post(f"/memories/{kept.id}/edit", data={"text": "Prices are whole cents"}).text)
        empty = ana.client.post(f"/memories/{memory.work(SHOP).memories()[0].id}/edit", data={"text": "  "})

    assert new.one("h1").said == "Prices are whole cents"
    assert "Prices are cents" in new.one("ul", class_="difference").said
    assert "Prices are whole cents" in old.one("p", class_="note").said
    assert changing(old) == []
    assert "Prices are whole cents" in file.said
    assert empty.status_code == 422
    assert late.one(role="status").said.startswith("Nothing was changed")
    assert (twice.one("h1").said, twice.one(role="status").said) == (new.one("h1").said, new.one(role="status").said)
    assert [one.text for one in memory.work(SHOP).memories()] == ["Prices are whole cents"]


def test_a_memory_is_forgotten_for_good(memory: Memory) -> None:
    """It leaves every list, and the reason is in the journal."""
    kept = memory.work(SHOP).remember("Prices are cents")
    with visitor(memory, WRITER) as ana:
        page = Shown(ana.client.post(f"/memories/{kept.id}/forget", data={"reason": "A joke"}).text)
        again = Shown(ana.client.post(f"/memories/{kept.id}/forget").text)
        pinned = Shown(ana.client.post(f"/memories/{kept.id}/pin").text)

    assert page.one(role="status").said.startswith("Forgotten")
    assert texts(page) == []
    assert again.one(role="status").said == page.one(role="status").said
    assert pinned.one(role="status").said.startswith("Nothing was changed")
    found = memory.store.memories.find("ana", kept.id)
    assert found is not None
    assert found.status is MemoryStatus.RETRACTED


@pytest.mark.parametrize("verb", ["pin", "edit", "forget"])
def test_changes_need_the_right_to_write_and_the_project(memory: Memory, verb: str) -> None:
    """Whoever may only read, or whose key is for another project, changes nothing; not even what is of all projects."""
    kept = memory.work(SHOP).remember("Prices are cents")
    everywhere = memory.work("").remember("Answers in English", everywhere=True)
    before = memory.store.events.count("ana")
    with visitor(memory, owner(scopes=(Scope.READ, Scope.DREAM))) as reader:
        assert reader.client.post(f"/memories/{kept.id}/{verb}", data={"text": "Else"}).status_code == 403
        assert changing(reader.see(f"/memories/{kept.id}")) == []
    with visitor(memory, owner(BLOG, tuple(Scope))) as other:
        for one in (kept, everywhere):
            assert other.client.post(f"/memories/{one.id}/{verb}", data={"text": "Else"}).status_code == 404
            other.see(f"/memories/{one.id}", status=404)

    assert memory.store.events.count("ana") == before


def test_to_edit_is_to_speak_for_the_user(memory: Memory) -> None:
    """A key that an agent may hold can pin and forget; only one with all rights says anything as the user's word."""
    kept = memory.work(SHOP).remember("Prices are cents")
    with visitor(memory, owner(SHOP, (Scope.READ, Scope.WRITE))) as agent:
        shown = changing(agent.see(f"/memories/{kept.id}"))
        refused = agent.client.post(f"/memories/{kept.id}/edit", data={"text": "Prices are whatever the agent says"})

    assert [str(form.get("action")).rsplit("/", 1)[-1] for form in shown] == ["pin", "forget"]
    assert refused.status_code == 403


def test_a_key_for_one_project_sees_its_memories_alone(memory: Memory) -> None:
    """In lists, in numbers, in topics and in MEMORY.md, whatever the address asks for."""
    memory.work(SHOP).remember("Prices are cents", topic="money")
    dreamt(memory, "s2", ROUND, project=BLOG)
    memory.work(BLOG).remember("Posts are Markdown", topic="feeds")
    with visitor(memory, owner(SHOP)) as ana:
        page, file = ana.see(f"/memories?project={BLOG}"), ana.see(f"/memories/file?project={BLOG}")

    assert texts(page) == ["Prices are cents"]
    assert "1 current memory" in page.said
    for words in (BLOG, "feeds", "Markdown", ROUND):
        assert words not in page.said + file.said


def test_memory_md_is_shown_with_links(memory: Memory) -> None:
    """Every line that is a memory leads to it; comments for programs are left out; a project without one says so."""
    dreamt(memory, "s1", ROUND, EVIL)
    names = {one.id: one.text for one in memory.work(SHOP).memories()}
    with visitor(memory) as ana:
        page = ana.see(f"/memories/file?project={SHOP}")
        nothing = ana.see(f"/memories/file?project={BLOG}")

    items = page.all("p", class_="item")
    links = {one.get("href"): one.said for one in page.all("a") if one.get("href").startswith("/memories/m-")}
    assert links == {f"/memories/{name}": text for name, text in names.items()}
    assert len(items) == len(names) == 2
    assert all("static" in one.get("src") for one in page.all("script"))
    assert "noctuary:begin" not in page.said
    assert "There is no MEMORY.md" in nothing.said


def test_memory_md_says_what_was_said(memory: Memory) -> None:
    """Words are shown as they were said, not as Markdown has to write them; code is code, and notes stand apart."""
    dreamt(memory, "s1", ROUND)
    kept = memory.work(SHOP).remember("# `List<int>` is <b>never</b> returned by `prices()`", kind="constraint")
    memory.dreams.pin(kept.id, SHOP, is_pinned=True)
    with visitor(memory) as ana:
        page = ana.see(f"/memories/file?project={SHOP}")

    assert page.one("a", href=f"/memories/{kept.id}").said == "# List<int> is <b>never</b> returned by prices()"
    assert "List<int>" in [one.said for one in page.all("code")]
    item = next(one.said for one in page.all("p", class_="item") if "List<int>" in one.said)
    assert item.endswith("2026-03-01 pinned")
    assert [one.tag for one in page.elements if one.tag in ("h1", "h2", "h3", "h4")][:2] == ["h1", "h2"]


def test_memory_md_begins_with_one_that_is_there(memory: Memory) -> None:
    """Who asks for no project sees the file of the one where most is remembered, and never that there is none."""
    with visitor(memory) as ana:
        assert "There is no MEMORY.md for all projects yet" in ana.see("/memories/file").said
        dreamt(memory, "s1", ROUND, EVIL)
        dreamt(memory, "s2", ROUND, project=BLOG)
        page, everywhere = ana.see("/memories/file"), ana.see("/memories/file?project=*")

    assert page.one("h1").said == "MEMORY.md of shop"
    assert [one.get("value") for one in page.all("option") if "selected" in one.attributes] == [SHOP]
    assert "There is no MEMORY.md" in everywhere.said
