"""Grok Build: what a sample cannot show of its updates."""

from pathlib import Path
from typing import Any

from noctuary import Memory
from noctuary.records import Relation
from noctuary.testing import messages, write_lines
from noctuary.transcripts.grok import Grok
from noctuary.transcripts.items import Facts, Mark, Place, Rewound
from tests.unit.transcripts.foreign_homes import as_shown

FOLDER = ".grok/sessions/%2Fhome%2Fana%2Fcode%2Fshop/s1"


def chunk(kind: str, text: str, prompt: int | None = None) -> dict[str, Any]:
    update = {"sessionUpdate": f"{kind}_chunk", "content": {"type": "text", "text": text}}
    meta = {} if prompt is None else {"_meta": {"promptIndex": prompt}}
    return {"timestamp": 1772355600, "method": "session/update", "params": {"sessionId": "s1", "update": update | meta}}


def contents(home: Path) -> list[str]:
    [source] = Grok().find(home, {})
    return as_shown(list(Grok().read(source, Place())))


def test_an_answer_that_is_still_written_is_replaced(tmp_path: Path) -> None:
    """Words that came since the last import belong to the same message, which is stored once in the end."""
    path = tmp_path / "home" / FOLDER / "updates.jsonl"
    said = [chunk("user_message", "Hello", 0), chunk("agent_message", "Good")]
    write_lines(path, said)
    with Memory.open(tmp_path / "memory", user_home=tmp_path / "home") as memory:
        memory.import_transcripts()
        write_lines(path, [*said, chunk("agent_message", " day.")])
        second = memory.import_transcripts()
        window = memory.show("s1").messages

    assert (second.messages, second.rewound) == (1, 1)
    assert [message.content for message in window] == ["Hello", "Good day."]


def test_a_rewind_takes_back_from_its_prompt_on(tmp_path: Path) -> None:
    """Prompts are counted from 0; one that does not exist takes nothing back.  What is taken back is told as that."""
    path = tmp_path / FOLDER / "updates.jsonl"
    talk = [chunk("user_message", "One", 0), chunk("agent_message", "1"), chunk("user_message", "Two", 1)]
    write_lines(path, talk)
    [source] = Grok().find(tmp_path, {})
    mark = list(Grok().read(source, Place()))[-1]
    assert isinstance(mark, Mark)
    marker: dict[str, Any] = {"sessionUpdate": "rewind_marker", "target_prompt_index": 7}
    far = {"method": "_x.ai/session/update", "params": {"update": dict(marker)}}
    near = {"method": "_x.ai/session/update", "params": {"update": marker | {"target_prompt_index": 1}}}
    write_lines(path, [*talk, far, near])

    [rewound] = [item for item in Grok().read(source, mark.place) if isinstance(item, Rewound)]

    assert len(rewound.uids) == 1
    assert contents(tmp_path) == ["One", "1", "(Two)"]


def test_a_prompt_that_is_sent_again_takes_the_place_of_the_first(tmp_path: Path) -> None:
    """The number of a prompt that is there already means: from here on anew."""
    talk = [chunk("user_message", "One", 0), chunk("agent_message", "1"), chunk("user_message", "Eins", 0)]
    write_lines(tmp_path / FOLDER / "updates.jsonl", talk)

    assert contents(tmp_path) == ["Eins"]


def test_what_a_sub_agent_says_in_its_own_folder_is_not_told_twice(tmp_path: Path) -> None:
    """Its updates in the log of its parent are left to its own; its summary names the parent."""
    theirs = chunk("agent_message", "Found.")
    theirs["params"]["sessionId"] = "s2"
    write_lines(tmp_path / FOLDER / "updates.jsonl", [chunk("user_message", "Search", 0), theirs])
    child = tmp_path / FOLDER.replace("s1", "s2")
    write_lines(child / "updates.jsonl", [theirs])
    (child / "summary.json").write_text('{"parent_session_id": "s1", "session_kind": "subagent"}')

    told = {source.session: list(Grok().read(source, Place())) for source in Grok().find(tmp_path, {})}

    assert [message.content for message in messages(told["s1"])] == ["Search"]
    [facts] = [item for item in told["s2"] if isinstance(item, Facts)]
    assert (facts.parent, facts.relation, facts.cwd) == ("s1", Relation.SUBAGENT, "/home/ana/code/shop")


def test_the_home_can_be_elsewhere(tmp_path: Path) -> None:
    """As the environment says; a folder without a log is no session."""
    write_lines(tmp_path / "g/sessions/x/s1/chat_history.jsonl", [])
    (tmp_path / "g/sessions/x/s2").mkdir()

    assert [source.session for source in Grok().find(tmp_path, {"GROK_HOME": "~/g"})] == ["s1"]


def test_fields_of_any_type_raise_nothing(tmp_path: Path) -> None:
    """A field of the wrong type counts as absent, in both files."""
    odds: list[Any] = [None, 5, [], {}, "x", [5], {"type": []}, {"type": "text", "text": 5}]
    for odd in odds:
        updates = [
            odd if type(odd) is dict else {"params": odd},
            {"params": {"sessionId": odd, "_meta": odd, "update": {"sessionUpdate": odd}}},
            {"params": {"update": {"sessionUpdate": "user_message_chunk", "content": odd, "_meta": odd}}},
            {"params": {"update": {"sessionUpdate": "tool_call", "toolCallId": odd, "rawInput": odd, "_meta": odd}}},
            {"params": {"update": {"sessionUpdate": "tool_call_update", "content": [odd], "rawOutput": odd}}},
            {"params": {"update": {"sessionUpdate": "rewind_marker", "target_prompt_index": odd}}},
        ]
        kinds = ["user", "assistant", "reasoning", "tool_result"]
        items = [{"type": kind, "content": odd, "tool_calls": [odd], "reasoning": odd} for kind in kinds]
        write_lines(tmp_path / FOLDER / "updates.jsonl", updates)
        write_lines(tmp_path / FOLDER.replace("s1", "s2") / "chat_history.jsonl", [*items, {"type": odd}])
        for source in Grok().find(tmp_path, {}):
            assert isinstance(list(Grok().read(source, Place()))[-1], Mark)
