"""The extractor that reads by rules: offline, without a model, in less time than the import of the session took."""

from noctuary.authored import MessageRef
from noctuary.models.rules.asked import from_prompts, is_acceptance
from noctuary.models.rules.candidates import Candidate
from noctuary.models.rules.choosing import choose
from noctuary.models.rules.documents import from_documents
from noctuary.models.rules.said import from_answers, from_work
from noctuary.models.rules.summaries import from_summary, is_summary
from noctuary.models.rules.tools import from_tools
from noctuary.models.rules.turns import readable, turns_of
from noctuary.proposals import Conversation, Extraction, Proposal
from noctuary.records import Relation


class RulesExtractor:
    """Finds what a session decided and found by its structure; see `Extractor` for what it promises."""

    name = "rules"

    def extract(self, conversation: Conversation) -> Extraction:
        """What is worth keeping of this part of a session, in the order in which it was said."""
        messages = readable(conversation.messages)
        session = conversation.session.id
        return Extraction([_proposal(session, found) for found in choose(candidates(conversation), messages)])


def candidates(conversation: Conversation) -> list[Candidate]:
    """All that might be worth keeping, however little speaks for it."""
    messages = readable(conversation.messages)
    found: list[Candidate] = []
    turns = turns_of(messages, is_errand=conversation.session.relation is Relation.SUBAGENT and not conversation.before)
    for turn, after in zip(turns, [*turns[1:], None], strict=True):
        found += from_prompts(turn, is_first=turn.place == 0 and not conversation.before)
        if turn.answer is not None and is_summary(turn.answer):
            found += from_summary(turn.answer)
            continue
        found += from_answers(turn, after.prompts[0] if after is not None and is_acceptance(after) else None)
        found += from_work(turn)
        found += from_tools(turn)
    found += from_documents(turns)
    return found


def _proposal(session: str, found: Candidate) -> Proposal:
    message = found.message
    quote = message.content[found.start : found.end]
    refs = [MessageRef(session, message.id, quote, message.source_line)]
    refs += [MessageRef(session, other.id, "", other.source_line) for other in found.support]
    return Proposal(
        found.type,
        found.text,
        refs,
        ts_ms=message.ts_ms,
        trust=found.trust,
        confidence=max(0.1, min(0.9, found.score / 10)),
        is_asked=found.is_asked,
        topic=found.topic,
    )
