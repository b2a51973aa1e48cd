"""What is asked before a dream writes down several sessions, for whoever asks all of it at once."""

import json
from collections.abc import Iterator, Sequence

from noctuary.store.database import Database, Question


def questions_about(owner: str, session: str, task: str) -> Iterator[Question]:
    """All that is asked about a session; `task` is the one that may be its own."""
    yield "find_session", {"owner": owner, "id": session}
    yield "task_of_session", {"owner": owner, "session": session}
    yield "nodes_by_id", {"owner": owner, "ids": json.dumps([task])}
    yield "cited_messages", {"owner": owner, "session": session}
    yield "dream_records_of", {"owner": owner, "session": session}


def question_of_memories(owner: str, ids: Sequence[str]) -> Question:
    """Which of these memories there are."""
    return "known_memories", {"owner": owner, "ids": json.dumps([*ids])}


def question_of_topics(owner: str, project: str) -> Question:
    """Which topics there are in a project."""
    return "memory_topic_names", {"owner": owner, "project": project}


def names_of(database: Database, question: Question) -> set[str]:
    """The names that a question gives."""
    query, values = question
    return {row[0] for row in database.fetch(query, **values)}
