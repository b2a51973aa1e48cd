"""What was read but not yet stored: messages by session, facts, and what to hide; written in one transaction.

A transcript tells most facts of a session only once, so they are kept for as long as it is being read: a session that
is first stored by a later batch has them all.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from noctuary.fences import apart, divided, heard, may_hold
from noctuary.importing.files import printable
from noctuary.importing.projects import project_of
from noctuary.importing.told import Told
from noctuary.lazily import lazy_module
from noctuary.records import Hidden, Kind, Message, Session, TitleSource
from noctuary.store.tombstones import Graveyard
from noctuary.text import clean
from noctuary.transcripts.items import Facts, Rewound, Said, Source

if TYPE_CHECKING:
    from noctuary import redact
    from noctuary.importing import our_answers
else:
    our_answers = lazy_module("noctuary.importing.our_answers")
    redact = lazy_module("noctuary.redact")  # a hundred patterns to compile, and most imports find nothing new

MOST_MESSAGES = 4_000
MOST_CHARACTERS = 4_000_000
_BY_TOOLS = (Kind.TOOL_CALL, Kind.TOOL_RESULT)
_INJECTED = Hidden.INJECTED
LONGEST_TITLE = 200
MOST_SESSIONS = 1_000  # whose facts are kept; a transcript has one session and its sub-agents


@dataclass(slots=True)
class PendingSession:
    """What is known of one session and what is still to be stored of it."""

    session: Session
    repository: str | None = None
    project: str | None = None
    messages: list[Message] = field(default_factory=list)
    rewound: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Batch:
    """Items of one transcript since the last mark; cheap to drop if reading fails."""

    source: Source
    graveyard: Graveyard
    owner: str
    told: Told
    sessions: dict[str, PendingSession] = field(default_factory=dict)
    facts: dict[str, PendingSession] = field(default_factory=dict)  # of sessions handed over before
    recalls: set[str] = field(default_factory=set)  # open calls of our own tools: their results are not news
    printing: set[str] = field(default_factory=set)  # open calls of what prints secrets
    characters: int = 0
    count: int = 0
    forgotten: int = 0
    _is_anything_buried: bool = field(init=False)  # known once, for every message is asked about

    def __post_init__(self) -> None:
        self._is_anything_buried = self.graveyard.holds_words

    @property
    def is_full(self) -> bool:
        """Whether it is time to write, so that transactions stay short and memory small."""
        return self.count >= MOST_MESSAGES or self.characters >= MOST_CHARACTERS

    def learn(self, facts: Facts) -> None:
        """Note what was learnt about a session."""
        pending = self._pending(facts.session)
        pending.repository = facts.repository or pending.repository
        pending.project = facts.project or pending.project
        known = pending.session
        title, title_source = known.title, known.title_source
        if facts.title and _is_better(facts.title_source, title_source) and not self._is_forgotten(facts.title):
            title, title_source = _one_line(facts.title), facts.title_source
        pending.session = known._replace(
            cwd=known.cwd or facts.cwd,
            branch=facts.branch or known.branch,
            model=facts.model or known.model,
            parent=known.parent or facts.parent,
            relation=known.relation or facts.relation,
            source=known.source or facts.source,
            title=title,
            title_source=title_source,
        )

    def say(self, said: Said) -> None:
        """Take in a message: cleaned, redacted, and without what it repeats of what we told."""
        session_id, message = said
        content = self._redacted(message)
        if self._is_anything_buried and self._is_buried(session_id, content):
            self.forgotten += 1
            self._drop_title(session_id, content)
            return
        hidden = message.hidden
        if hidden is None and message.kind in _BY_TOOLS:
            hidden = self._recalled(message)
        if content is not message.content or hidden is not message.hidden:
            message = message._replace(content=content, hidden=hidden)
        pending = self.sessions.get(session_id) or self._pending(session_id)
        if hidden is _INJECTED or may_hold(content):
            for part in heard(message):
                pending.messages += self._unmarked(part) if part.hidden is _INJECTED else [part]
        else:
            pending.messages.append(message)
        self.characters += len(content)
        self.count += 1

    def _redacted(self, message: Message) -> str:
        """The content without secrets; what a command printed that prints one is looked at more closely."""
        content = clean(message.content)
        if redact.is_printed(content, message.kind, message.call_id, self.printing):
            return redact.redact_printed(content)
        return redact.redact(content)

    def _unmarked(self, message: Message) -> list[Message]:
        """What nobody said may be ours though no mark is left: then it says what memory holds, word for word."""
        return divided(message, self.told.apart(message.content))

    def take_back(self, rewound: Rewound) -> None:
        """Note messages the user took back."""
        self._pending(rewound.session).rewound += rewound.uids

    def take(self) -> list[PendingSession]:
        """All that is pending; the batch is empty afterwards."""
        taken = list(self.sessions.values())
        for pending in taken:
            project = pending.project or project_of(pending.session.cwd, pending.repository)
            pending.session = pending.session._replace(project=project)
            self._keep_facts(pending)
        self.sessions, self.characters, self.count = {}, 0, 0
        return taken

    def _pending(self, session_id: str) -> PendingSession:
        if session_id not in self.sessions:
            known = self.facts.get(session_id)
            self.sessions[session_id] = (
                PendingSession(known.session, known.repository, known.project)
                if known
                else PendingSession(self._first_facts(session_id))
            )
        return self.sessions[session_id]

    def _keep_facts(self, pending: PendingSession) -> None:
        if len(self.facts) >= MOST_SESSIONS and pending.session.id not in self.facts:
            del self.facts[next(iter(self.facts))]
        self.facts[pending.session.id] = PendingSession(pending.session, pending.repository, pending.project)

    def _is_buried(self, session_id: str, content: str) -> bool:
        return self._is_forgotten(content) or self.graveyard.holds_content(self.owner, session_id, content)

    def _is_forgotten(self, text: str) -> bool:
        return self.graveyard.holds_text(self.owner, text)

    def _drop_title(self, session_id: str, content: str) -> None:
        """A title made of a prompt goes with the prompt."""
        pending = self._pending(session_id)
        if pending.session.title_source is TitleSource.PROMPT and is_made_of(pending.session.title, content):
            pending.session = pending.session._replace(title=None, title_source=None)

    def _first_facts(self, session_id: str) -> Session:
        source = self.source
        is_main = session_id == source.session
        title = source.title if is_main and source.title and not self._is_forgotten(source.title) else None
        return Session(
            id=session_id,
            owner=self.owner,
            agent=source.adapter,
            source_path=printable(source.path),
            parent=source.parent if is_main else None,
            relation=source.relation if is_main else None,
            title=_one_line(title) if title else None,
            title_source=TitleSource.GIVEN if title else None,
        )

    def _recalled(self, message: Message) -> Hidden | None:
        """Our own answers come back as tool results; storing them would make memory echo itself."""
        if message.kind is Kind.TOOL_CALL:
            if message.call_id and our_answers.is_ours(message):
                self.recalls.add(message.call_id)
            return None
        if message.call_id in self.recalls:
            self.recalls.discard(message.call_id or "")
            return Hidden.RECALLED
        return Hidden.RECALLED if our_answers.is_ours(message) else None


def _is_better(new: TitleSource | None, old: TitleSource | None) -> bool:
    order: Iterable[TitleSource] = list(TitleSource)
    ranks = {source: rank for rank, source in enumerate(order)}
    if old is None or new is None:
        return old is None
    return ranks[new] < ranks[old] or (new is old and new is not TitleSource.PROMPT)


def is_made_of(title: str | None, content: str) -> bool:
    """Whether the title is how the content begins."""
    return bool(title) and " ".join(content.split()).startswith((title or "").rstrip("…").rstrip())


def _one_line(title: str) -> str:
    return " ".join(apart(redact.redact(clean(title))).said.split())[:LONGEST_TITLE]
