"""Summaries of what came before."""

from noctuary.authored import EventType, Trust
from noctuary.models.rules.summaries import is_summary
from noctuary.records import Kind, Message, Relation, Role
from tests.unit.models.rules.talking import SESSION, agent, found, texts, types, user

SUMMARY = """<analysis>
Everything must be looked at, always and never otherwise.
</analysis>
<summary>
1. Primary Request and Intent:
   The user asked for a shop with a gateway in front of the store.
   - Each page has to load within two seconds on a phone
   - Commit after each page with a short message of its own

2. Files and Code Sections:
   - `shop.py`: the shop must never be opened twice by the same worker

3. Errors and fixes:
   - **Empty basket**: The total was missing because nobody summed nothing; now zero is shown

4. Problem Solving:
   - **Prices**: Kept in cents so that nothing is rounded by the browser

5. All user messages:
   - "no, we don't need to show the taxes on each page"

6. Current Work:
   The second page was written and has not been committed yet by anyone.
</summary>"""


def test_the_sections_tell_what_stands_in_them() -> None:
    """What was asked, what went wrong, what was chosen, what the user objected to, and what is left."""
    kinds = types(agent(SUMMARY))

    assert kinds == [
        EventType.CONSTRAINT,
        EventType.CONSTRAINT,
        EventType.PREFERENCE,
        EventType.FINDING,
        EventType.DECISION,
        EventType.CORRECTION,
        EventType.FINDING,
    ]


def test_a_summary_is_the_agents_word() -> None:
    """Even where it quotes the user."""
    assert {proposal.trust for proposal in found(agent(SUMMARY))} == {Trust.AGENT}


def test_neither_files_nor_thoughts_are_read() -> None:
    """They stand in sections of their own."""
    said = " ".join(texts(agent(SUMMARY)))

    assert "opened twice" not in said
    assert "looked at" not in said


def test_a_summary_counts_only_at_the_beginning() -> None:
    """What it sums up of this session was read in this session."""
    summary = Message(Role.SYSTEM, SUMMARY, Kind.SUMMARY)

    assert len(texts(summary, user("go on"))) == 7
    assert texts(user("Build it"), agent("Ok."), user("go on"), summary) == []


def test_who_was_sent_to_sum_up_is_read() -> None:
    """After its orders."""
    orders = agent(
        "Sum it up:\n1. Primary Request and Intent:\n2. Errors and fixes:\n3. Problem Solving:\n4. Current Work:"
    )
    session = SESSION._replace(relation=Relation.SUBAGENT)

    assert len(found(orders, agent(SUMMARY), session=session)) == 7


def test_other_texts_are_no_summaries() -> None:
    """Two numbers do not make one."""
    assert is_summary(agent(SUMMARY))
    assert not is_summary(agent("<summary>\n1. Primary Request and Intent:\n2. Current Work:"))
    assert not is_summary(agent(SUMMARY.replace("<summary>", "")))
