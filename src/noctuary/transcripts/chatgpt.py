"""ChatGPT: the export that one downloads, and what its desktop program kept before it began to encrypt it.

A conversation is a tree, because prompts can be edited and answers made again.  The branch that is shown is told, and
then what was left, as taken back.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from noctuary.transcripts.chatgpt_messages import Teller
from noctuary.transcripts.documents import Entry, Talk, version_of
from noctuary.transcripts.drafts import taken_back
from noctuary.transcripts.exports import Conversation, Versioned, read_export, sources_in
from noctuary.transcripts.fields import dict_of, text_of, time_ms
from noctuary.transcripts.finding import entries, is_file, those_at
from noctuary.transcripts.items import Facts, Item, Place, Source
from noctuary.transcripts.unfamiliar import names, new_fields
from noctuary.transcripts.whole_logs import Oddities

_CONVERSATION = names(
    "id conversation_id title create_time update_time mapping moderation_results current_node plugin_ids gizmo_id",
    "gizmo_type is_archived is_starred safe_urls blocked_urls default_model_slug conversation_origin voice",
    "async_status disabled_tool_ids is_do_not_remember conversation_template_id memory_scope context_scopes",
    "sugar_item_id sugar_item_visible is_study_mode owner is_read_only pinned_time",
)
_NAMELESS = ("New chat", "New conversation")


class ChatGpt:
    """The adapter."""

    name = "chatgpt"
    globally_unique = False

    def find(self, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:  # noqa: ARG002 (of the protocol)
        """What the desktop program kept unencrypted; an export is somewhere, and has to be named."""
        for folder in entries(home / "Library" / "Application Support" / "com.openai.chat"):
            if folder.name.startswith("conversations-"):
                for path in entries(folder):
                    if path.suffix == ".json" and is_file(path):
                        yield Source(adapter=self.name, path=path, session="", is_log=False)

    def find_at(self, path: Path, home: Path, environ: Mapping[str, str]) -> Iterator[Source]:
        """The conversation at this path, if it lies where `find` looks."""
        return those_at(path, self.find(home, environ)) if path.suffix == ".json" else iter(())

    def sources_in(self, path: Path) -> Iterator[Source]:
        """The export at this path: the archive, its unpacked folder, or the file of conversations."""
        return sources_in(self.name, path)

    def read(self, source: Source, place: Place) -> Iterator[Item]:
        """Yield what is new in the export."""
        return read_export(source.path, place, _version, _talk, "ChatGPT")


def _version(conversation: Conversation) -> Versioned | None:
    mapping, session = conversation.get("mapping"), _id(conversation)
    if type(mapping) is not dict or not session:
        return None
    # The desktop program wrote no time of the last change, so what is there has to tell.
    changed = conversation.get("update_time") or max(map(_time, mapping.values()), default=0)
    return session, version_of(changed, conversation.get("current_node"), len(mapping))


def _time(node: object) -> int:
    """When the message of a node was written."""
    return time_ms(dict_of(node, "message").get("create_time")) if type(node) is dict else 0


def _id(conversation: Conversation) -> str:
    return text_of(conversation, "conversation_id") or text_of(conversation, "id")


def _talk(conversation: Conversation) -> Talk:
    oddities: Oddities = [*new_fields("conversation", conversation, _CONVERSATION)]
    mapping, teller = dict_of(conversation, "mapping"), Teller(oddities)
    shown = _branch(mapping, conversation.get("current_node"))
    told, model = _told(mapping, [*shown], teller, 1), teller.model
    left = _told(mapping, [name for name in mapping if name not in shown], teller, len(shown) + 1)
    told += [entry._replace(drafts=taken_back([*entry.drafts])) for entry in left]  # edited, or answered again
    title = text_of(conversation, "title")
    facts = Facts(
        session=_id(conversation),
        title=title if title not in _NAMELESS else None,
        model=model or text_of(conversation, "default_model_slug") or None,
    )
    return Talk(facts, told, oddities, started_ms=time_ms(conversation.get("create_time")))


def _told(mapping: Conversation, nodes: list[str], teller: Teller, first: int) -> list[Entry]:
    """What some nodes say, numbered in their order."""
    told = []
    for number, node in enumerate(nodes, first):
        message = dict_of(mapping[node], "message") if type(mapping[node]) is dict else {}
        drafts = teller.drafts(message, node, number) if message else []
        if drafts:
            told.append(Entry(node, drafts, time_ms(message.get("create_time")), number))
    return told


def _branch(mapping: Conversation, current: object) -> dict[str, None]:
    """The nodes from the root to the one that is shown; where that is not said, to the one that was written last."""
    node = current if type(current) is str and current in mapping else _last(mapping)
    branch: dict[str, None] = {}
    while type(node) is str and node not in branch and type(mapping.get(node)) is dict:
        branch[node] = None
        node = mapping[node].get("parent")
    return dict.fromkeys(reversed(branch))


def _last(mapping: Conversation) -> str | None:
    nodes = {name: node for name, node in mapping.items() if type(node) is dict}
    parents = {node.get("parent") for node in nodes.values() if type(node.get("parent")) is str}
    leaves = [name for name in nodes if name not in parents] or list(nodes)
    return max(reversed(leaves), key=lambda name: _time(nodes[name]), default=None)
