"""What threads of Amp become, where the golden case does not tell."""

import json
from pathlib import Path

from noctuary.testing import messages
from noctuary.transcripts.amp import Amp
from noctuary.transcripts.items import Place


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
