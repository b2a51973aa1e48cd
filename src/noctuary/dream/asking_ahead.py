"""Where the database is elsewhere, what sessions meet is asked for before the turn to write, and all of it together.

Workers of one owner wait for each other's turns, so a turn has to be short: in it only what others wrote meanwhile is
looked at, and all that has to be of this very moment is asked at once.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import NamedTuple

from noctuary.authored import Event
from noctuary.dream.merging.history import History, dated, guard
from noctuary.dream.merging.suggesting import task_id
from noctuary.dream.merging.tracing import Sources
from noctuary.dream.merging.what_was_read import memory_id
from noctuary.dream.night import Night
from noctuary.ledger.ledger import Write
from noctuary.proposals import Conversation, Proposal
from noctuary.store.ahead import names_of, question_of_memories, question_of_topics, questions_about
from noctuary.store.database import Foreseeing, Question
from noctuary.store.tombstones import question_of_said
from noctuary.store.words_ahead import WordsAhead


class Coming(NamedTuple):
    """A session that is about to be written down, and what may be written of it."""

    session: str
    project: str
    proposals: Sequence[Proposal]
    sources: Sources | None = None  # of what an agent says


class Ahead:
    """What was asked for sessions that are written down together."""

    def __init__(self, night: Night, coming: Sequence[Coming]) -> None:
        """Look up what is near to all that may be written; before the turn."""
        self._night = night
        self._coming = [one._replace(proposals=dated(one.proposals)) for one in coming]
        self._topics: dict[str, set[str]] = {}  # by project
        self.words = WordsAhead(night.store.database, night.owner)
        for project in self._projects():
            history = History(
                night.store, night.owner, project, is_of_one_moment=True, likeness=night.likeness, words=self.words
            )
            here = [one.proposals for one in self._coming if one.project == project]
            history.foresee([said.text for proposals in here for said in proposals])
            for proposals in here:
                guard(history, proposals)  # what is read and compared now is remembered, and takes no time in the turn
        for one in self._coming:
            if one.sources:
                one.sources.look_up(one.proposals)

    @contextmanager
    def known(self) -> Iterator[None]:
        """Within the turn: what was found is true now, and what else will be asked has been asked."""
        database, ledger, owner = self._night.store.database, self._night.ledger, self._night.owner
        memories = [memory_id(one.project, said) for one in self._coming for said in one.proposals if said.messages]
        asked = question_of_memories(owner, memories)
        topics = {project: question_of_topics(owner, project) for project in self._projects()}
        questions = [*self.words.questions(), asked, *topics.values(), question_of_said(owner), *self._about_sessions()]
        with database.foresee(questions) if isinstance(database, Foreseeing) else nullcontext():
            self.words.catch_up()
            ledger.note_number(self.words.following)
            ledger.note_absent({*memories} - names_of(database, asked))
            self._topics = {project: names_of(database, question) for project, question in topics.items()}
            yield

    def topics(self, project: str) -> set[str]:
        """The topics of a project, to which those are added that are made in this turn."""
        return self._topics[project]

    def noting(self, conversation: Conversation, write: Write) -> Write:
        """What is written is known to the sessions that are written after it, in the same turn."""
        if conversation.known:  # what says the same as before may be taken for that
            self.words.forget()

        def noted(event: Event) -> Event:
            written = write(event)
            self.words.note(written)
            return written

        return noted

    def _projects(self) -> list[str]:
        return [*dict.fromkeys(one.project for one in self._coming)]

    def _about_sessions(self) -> Iterator[Question]:
        """Nothing, if two parts of a session are among them: what is written of one changes what the other sees."""
        if len({one.session for one in self._coming}) == len(self._coming):
            for one in self._coming:
                yield from questions_about(self._night.owner, one.session, task_id(one.project, one.session))
