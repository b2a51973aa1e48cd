"""What is read by its address, and prompts that a user picks."""

import pytest

from noctuary.doors.mcp.keeper import Keeper
from noctuary.doors.mcp.prompts import prompt
from noctuary.doors.mcp.resources import read, resources
from noctuary.errors import BadInput, NoctuaryError, NotFound
from noctuary.fences import without_fenced
from tests.unit.doors.mcp.serving import CALLER, START_MS, Served
from tests.unit.doors.mcp.test_working import opened


def test_what_there_is_to_read_is_listed(served: Served) -> None:
    """MEMORY.md of the project, packs of open tasks, and the last sessions."""
    served.keep("aaaa/1", ["Hello", "Hi"], title="A greeting")
    name, closed = opened(served), opened(served, "Closed")
    served("task", action="close", task=closed)

    assert [each.uri for each in resources(served.keeper, CALLER)] == [
        *("noctuary://memory", f"noctuary://pack/{name}", "noctuary://session/aaaa%2F1"),
    ]


def test_each_of_them_can_be_read(served: Served) -> None:
    """As it is listed, and fenced as what is recalled."""
    served.keep("aaaa/1", ["Hello", "Hi"], title="A greeting")
    opened(served)
    texts = [read(served.keeper, CALLER, each.uri)[0] for each in resources(served.keeper, CALLER)]

    assert "No dream has written a MEMORY.md" in texts[0]
    assert "# Move sessions" in texts[1]
    assert "Hello" in texts[2]
    assert all(without_fenced(text).strip() == "" for text in texts)


def test_memory_md_is_what_dreams_wrote_and_people_edited(served: Served) -> None:
    """It is read as it lies there."""
    served.keep("aaaa-1", ["Decision: no Redis for sessions, SQLite is enough.", "Done."], project=served.project)
    with served.keeper.writing() as memory:
        memory.dreams.run()
    name = served.project.replace("/", "%2F")

    assert "Redis" in read(served.keeper, CALLER, "noctuary://memory")[0]
    assert "Redis" in read(served.keeper, CALLER, f"noctuary://memory/{name}")[0]


def test_listing_makes_no_memory(served: Served) -> None:
    """Agents list resources when they start, also where there is nothing yet."""
    assert [each.uri for each in resources(served.keeper, CALLER)] == ["noctuary://memory"]
    assert not served.keeper.serving.settings.home.exists()


@pytest.mark.parametrize(
    "uri",
    [
        *("noctuary://pack/t-none", "noctuary://session/none", "noctuary://pack/", "noctuary://nothing/x"),
        *("file:///etc/passwd", "noctuary:", "", "noctuary://session/%00%ff"),
    ],
)
def test_what_there_is_not_is_not_found(served: Served, uri: str) -> None:
    """Whatever the address is, a sentence says so."""
    with pytest.raises(NotFound):
        read(served.keeper, CALLER, uri)


def test_a_server_of_no_project_has_no_page_of_its_own(served: Served) -> None:
    """Over HTTP the project is named."""
    many = Served(Keeper(served.keeper.serving._replace(folder=None)))

    assert resources(many.keeper, CALLER) == []
    with pytest.raises(BadInput, match="no project of its own"):
        read(many.keeper, CALLER, "noctuary://memory")
    many.keeper.close()


def test_resume_is_the_pack_of_the_task_at_hand(served: Served) -> None:
    """Without one, what a session is told at its start."""
    assert "Nothing is written down" in prompt(served.keeper, CALLER, "resume", {})
    served("remember", text="The staging database is reset every night")
    assert "staging database" in prompt(served.keeper, CALLER, "resume", {})
    name = opened(served)

    assert "# Move sessions" in prompt(served.keeper, CALLER, "resume", {"task": name})
    assert "# Move sessions" in prompt(served.keeper, CALLER, "resume", None)
    with pytest.raises(NotFound):
        prompt(served.keeper, CALLER, "resume", {"task": "t-none"})


def test_review_lists_what_dreams_proposed(served: Served) -> None:
    """Accepting is left to the user: the prompt says how, and no tool does it."""
    assert "No proposal waits" in prompt(served.keeper, CALLER, "review", {})
    said = ["Decision: no Redis for sessions, SQLite is enough.", "Done.", "Never use tabs in this project.", "Okay."]
    served.keep("aaaa-1", said, project=served.project, start_ms=START_MS)
    with served.keeper.writing() as memory:
        memory.dreams.run()
    text = prompt(served.keeper, CALLER, "review", {})

    assert "noctuary dream review --accept ID" in text
    assert "Redis" in text


@pytest.mark.parametrize(("name", "arguments"), [("nothing", {}), ("resume", {"who": "me"}), ("review", {"task": "t"})])
def test_prompts_refuse_what_they_do_not_know(served: Served, name: str, arguments: dict[str, str]) -> None:
    """With a sentence."""
    with pytest.raises(NoctuaryError):
        prompt(served.keeper, CALLER, name, arguments)
