"""What threads of Amp become, where the golden case does not tell."""

import json
from pathlib import Path

from noctuary.testing import messages
from noctuary.transcripts.amp import Amp
from noctuary.transcripts.items import Facts, Place


def test_messages_that_hold_a_text_instead_of_blocks(tmp_path: Path) -> None:
    """A thread that keeps what was said under `text` says it all the same."""
    path = tmp_path / ".local/share/amp/threads/T-1.json"
    path.parent.mkdir(parents=True)
    said = [
        {"role": role, "text": text} for role, text in (("user", "Rename it"), ("assistant", "Done"), ("info", "!"))
    ]
    path.write_text(json.dumps({"id": "T-1", "messages": said}))
    (source,) = Amp().find(tmp_path, {})

    told = messages(list(Amp().read(source, Place())))

    assert [(str(message.role), message.content) for message in told] == [
        ("user", "Rename it"),
        ("assistant", "Done"),
        ("system", "!"),
    ]


def test_a_folder_that_is_no_address_costs_only_itself(tmp_path: Path) -> None:
    """What was said is told, wherever it was."""
    path = tmp_path / ".local/share/amp/threads/T-1.json"
    path.parent.mkdir(parents=True)
    tree = {"uri": "file://[", "repository": {"ref": 7}}
    said = [{"role": "user", "content": [{"type": "text", "text": "Rename it"}, {"type": ["text"]}, 7]}]
    thread = {"env": {"initial": {"trees": ["no", tree]}}, "relationships": [3, {"role": "child"}], "messages": said}
    path.write_text(json.dumps(thread))
    (source,) = Amp().find(tmp_path, {})

    items = list(Amp().read(source, Place()))

    assert [message.content for message in messages(items)] == ["Rename it"]
    assert [(item.cwd, item.branch, item.parent) for item in items if isinstance(item, Facts)] == [(None, None, None)]
