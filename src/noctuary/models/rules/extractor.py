"""The extractor that reads by rules: offline, without a model, in less time than the import of the session took."""

from noctuary.authored import Trust
from noctuary.models.rules.asked import from_prompts, is_acceptance
from noctuary.models.rules.candidates import Candidate
from noctuary.models.rules.checks import from_checks
from noctuary.models.rules.choices import from_choices
from noctuary.models.rules.choosing import choose
from noctuary.models.rules.documents import from_documents
from noctuary.models.rules.proposing import proposal
from noctuary.models.rules.replying import from_replies
from noctuary.models.rules.said import from_answers, from_work
from noctuary.models.rules.summaries import from_summary, is_summary
from noctuary.models.rules.turns import Turn, readable, turns_of
from noctuary.proposals import Conversation, Extraction
from noctuary.records import Relation


class RulesExtractor:
    """Finds what a session decided and found by its structure; see `Extractor` for what it promises."""

    name = "rules"

    def extract(self, conversation: Conversation) -> Extraction:
        """What is worth keeping of this part of a session, in the order in which it was said."""
        messages = readable(conversation.messages)
        chosen = choose(candidates(conversation), messages)
        return Extraction([proposal(conversation.session.id, candidate) for candidate in chosen])


def candidates(conversation: Conversation) -> list[Candidate]:
    """All that might be worth keeping, however little speaks for it."""
    is_begun = bool(conversation.before)
    is_errand = conversation.session.relation is Relation.SUBAGENT and not is_begun
    turns = turns_of(readable(conversation.messages), is_errand=is_errand)
    found: list[Candidate] = []
    for turn in turns:
        after = turns[turn.place + 1] if turn.place + 1 < len(turns) else None
        found += from_replies(turn, turns[turn.place - 1] if turn.place else None)
        found += _in_turn(turn, after, is_first=turn.place == 0 and not is_begun)
    found += from_documents(turns)
    return [_said_by_agent(each) for each in found] if conversation.session.relation is Relation.SUBAGENT else found


def _said_by_agent(candidate: Candidate) -> Candidate:
    """What looks like the user's word in a session that an agent started, which gave it its orders."""
    if candidate.trust is not Trust.USER:
        return candidate
    return candidate._replace(trust=Trust.AGENT, is_asked=False)


def _in_turn(turn: Turn, after: Turn | None, *, is_first: bool) -> list[Candidate]:
    if is_first and (summary := next((message for message in turn.work if is_summary(message)), None)):
        return [*from_prompts(turn, is_first), *from_summary(summary)]
    accepted = after.prompts[0] if after is not None and is_acceptance(after) else None
    return [
        *from_prompts(turn, is_first),
        *from_choices(turn),
        *from_answers(turn, accepted),
        *from_work(turn),
        *from_checks(turn),
    ]
