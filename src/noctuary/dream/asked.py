"""What models answered is kept until the session it is about is completed, so that nothing is paid for twice."""

from noctuary.models.extractor import Extractor
from noctuary.proposals import Conversation, Extraction
from noctuary.store.dreams import Dreams


class KeptAnswers:
    """Answers about one session at a time, in the store."""

    def __init__(self, dreams: Dreams, owner: str) -> None:
        self.dreams = dreams
        self.owner = owner
        self.session = ""

    def get(self, key: str) -> str | None:
        """What was answered, if it was asked before."""
        return self.dreams.answer(self.owner, self.session, key)

    def put(self, key: str, answer: str) -> None:
        """Keep an answer."""
        self.dreams.save_answer(self.owner, self.session, key, answer)


class KeepingExtractor:
    """An extractor whose answers are kept with the session they are about."""

    def __init__(self, extractor: Extractor, answers: KeptAnswers) -> None:
        self.name = extractor.name
        self._extractor = extractor
        self._answers = answers

    def extract(self, conversation: Conversation) -> Extraction:
        """What is worth keeping of this part of a session."""
        self._answers.session = conversation.session.id
        return self._extractor.extract(conversation)
