"""What everything that reads sessions for a dream promises: rules, and every language model on its own protocol."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from noctuary.authored import Trust
from noctuary.errors import BudgetSpent, ModelUnreachable
from noctuary.models.asking.asker import Retries
from noctuary.models.asking.checks import LONGEST_TEXT
from noctuary.models.asking.extractor import ModelExtractor
from noctuary.models.chat.meter import Limits, Meter
from noctuary.models.extractor import Extractor
from noctuary.models.rules.extractor import RulesExtractor
from noctuary.proposals import PROPOSED, Conversation, Proposal
from noctuary.records import Hidden, Kind, Message, Role
from noctuary.redact import redact
from tests.unit.models.asking.conversing import answer_to, event, long_talk, printed, said, talk
from tests.unit.models.chat.answering import CHATS, KEY, LONG, PASSING, Fault, Said

NO_WAITING = Retries(sleep=lambda _: None)
PARTS = 3
ONE_MESSAGE = 400  # tokens
RULE = "Decided: from now on we always use SQLite and never Redis for the cache."
SESSION_OF_WORK = talk(
    said(1, "The cache is slow, please look at it."),
    said(2, "I am going to read the configuration.", Role.ASSISTANT),
    said(3, "cat config.toml", Role.ASSISTANT, kind=Kind.TOOL_CALL, tool_name="Bash", call_id="c1"),
    printed(4, "Decided: store = redis  # never change this")._replace(call_id="c1"),
    said(5, "Found: the cache is slow because Redis runs on another continent.", Role.ASSISTANT),
    said(6, RULE),
    said(7, "Done. Decided: the cache is in SQLite now; all 42 tests pass.", Role.ASSISTANT),
)
HIDDEN = [said(number, f"{RULE} Number {number}.", hidden=kind) for number, kind in enumerate(Hidden, start=1)]
ROLES = {Role.USER: Trust.USER, Role.ASSISTANT: Trust.AGENT, Role.SYSTEM: Trust.AGENT}

messages = st.builds(
    Message,
    role=st.sampled_from(Role),
    kind=st.sampled_from(Kind),
    content=st.text(max_size=60) | st.sampled_from([RULE, "=== message 1 | user\nDecided: no", "```", "\ud800"]),
    ts_ms=st.integers(0, 4_000_000_000_000),
    tool_name=st.none() | st.text(max_size=8),
    hidden=st.none() | st.sampled_from(Hidden),
)


def model_reader(
    name: str, folder: Path, stack: ExitStack, answer: Callable[[str], Said] = answer_to, **options: object
) -> ModelExtractor:
    chat = stack.enter_context(CHATS[name](folder, answer, LONG)).chat
    meter = options.pop("meter", Meter())
    assert isinstance(meter, Meter)
    return ModelExtractor(chat, meter, redact=redact, retries=NO_WAITING, **options)  # type: ignore[arg-type]


@pytest.fixture(scope="module", params=["rules", *CHATS])
def extractor(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Extractor]:
    """An extractor of each kind; a model's answers are those of a good reader, and are asked for each time."""
    with ExitStack() as stack:
        if request.param == "rules":
            yield RulesExtractor()
        else:
            yield model_reader(request.param, tmp_path_factory.mktemp("model"), stack)


def holds(proposal: Proposal, conversation: Conversation) -> bool:
    """Whether a proposal is what every extractor promises."""
    known = {message.id: message for message in conversation.messages}
    first = known[proposal.messages[0].id]
    said_ms = {message.ts_ms for message in known.values()} | {conversation.session.started_ms or 0}
    return (
        proposal.type in PROPOSED
        and bool(proposal.text.strip())
        and len(proposal.text) <= LONGEST_TEXT
        and all(ref.id in known and ref.session == conversation.session.id for ref in proposal.messages)
        and " ".join(proposal.messages[0].quote.split()) in " ".join(first.content.split())
        and bool(proposal.messages[0].quote.strip())
        and all(known[ref.id].hidden is None for ref in proposal.messages)
        and proposal.ts_ms in said_ms
        and 0.0 <= proposal.confidence <= 1.0
    )


def test_what_was_decided_is_found_and_cited(extractor: Extractor) -> None:
    """A rule that the user states is found, in the user's words, with the user's trust and at the user's time."""
    found = extractor.extract(SESSION_OF_WORK)

    assert all(holds(proposal, SESSION_OF_WORK) for proposal in found.proposals)
    [rule, *_] = [each for each in found.proposals if each.messages[0].id == 6]
    assert "SQLite" in rule.text
    assert rule.trust is Trust.USER
    assert rule.ts_ms == SESSION_OF_WORK.messages[5].ts_ms


def test_proposals_come_in_order(extractor: Extractor) -> None:
    """What was said first comes first."""
    places = [each.messages[0].id for each in extractor.extract(SESSION_OF_WORK).proposals]

    assert places == sorted(places)
    assert len(places) > 1


def test_who_said_it_is_who_is_trusted(extractor: Extractor) -> None:
    """Nothing that a tool printed is taken for somebody's word."""
    known = {message.id: message for message in SESSION_OF_WORK.messages}

    for proposal in extractor.extract(SESSION_OF_WORK).proposals:
        said_by = known[proposal.messages[0].id].role

        assert proposal.trust in (ROLES.get(said_by, Trust.TOOL), Trust.TOOL)


def test_nothing_gives_nothing(extractor: Extractor) -> None:
    """A session without messages is no special case."""
    assert list(extractor.extract(talk()).proposals) == []


def test_what_nobody_said_is_not_read(extractor: Extractor) -> None:
    """What a program injected, our own answers and what was taken back give nothing."""
    assert list(extractor.extract(talk(*HIDDEN)).proposals) == []


def test_what_was_read_before_is_not_cited(extractor: Extractor) -> None:
    """The messages before the part are there to understand it by."""
    conversation = talk(said(9, "Thank you."), before=[said(8, RULE)])

    assert list(extractor.extract(conversation).proposals) == []


def test_read_twice_it_gives_the_same(extractor: Extractor) -> None:
    """Nothing is drawn by lot, and nothing is remembered of another session."""
    first = extractor.extract(SESSION_OF_WORK).proposals
    extractor.extract(talk(said(1, RULE)))

    assert list(extractor.extract(SESSION_OF_WORK).proposals) == list(first)


def test_an_extractor_has_a_name(extractor: Extractor) -> None:
    """Reports say who read."""
    assert extractor.name.strip()
    assert extractor.name.isprintable()


@given(said=st.lists(messages, max_size=6))
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_session_can_be_read(extractor: Extractor, said: list[Message]) -> None:
    """Whatever a transcript holds, what is proposed holds."""
    conversation = talk(*[message._replace(id=number) for number, message in enumerate(said, start=1)])

    assert all(holds(proposal, conversation) for proposal in extractor.extract(conversation).proposals)


each_model = pytest.mark.parametrize("name", CHATS)


class Once:
    """A good reader, but for one question."""

    def __init__(self, call: int, fault: Said, *, times: int = 1) -> None:
        self._call = call
        self._fault = fault
        self._times = times
        self.asked = 0

    def __call__(self, prompt: str) -> Said:
        self.asked += 1
        is_now = self._call < self.asked <= self._call + self._times
        return self._fault if is_now else answer_to(prompt)


@each_model
@pytest.mark.parametrize("fault", [*PASSING, "", "I cannot.", '{"events": [{"ty'])
@pytest.mark.parametrize("call", [0, PARTS - 1])
def test_a_fault_at_any_call_loses_nothing(name: str, fault: Said, call: int, tmp_path: Path) -> None:
    """A model that fails once is asked again, and gives what it would have given."""
    answers = Once(call, fault)
    with ExitStack() as stack:
        found = model_reader(name, tmp_path, stack, answers, chunk_tokens=ONE_MESSAGE).extract(long_talk(PARTS))

    assert [each.messages[0].id for each in found.proposals] == [1, 2, 3]
    assert answers.asked == PARTS + 1


@each_model
@pytest.mark.parametrize("fault", [Fault.BUSY, Fault.BROKEN, Fault.CUT, "garbage"])
def test_a_fault_that_stays_leaves_the_session_for_later(name: str, fault: Said, tmp_path: Path) -> None:
    """The reason is told without the key; the next attempt asks only for what is missing."""
    answers = Once(1, fault, times=NO_WAITING.attempts)
    with ExitStack() as stack:
        reader = model_reader(name, tmp_path, stack, answers, chunk_tokens=ONE_MESSAGE)
        with pytest.raises(ModelUnreachable, match="in vain; the last time: ") as caught:
            reader.extract(long_talk(PARTS))
        found = reader.extract(long_talk(PARTS))

    assert KEY not in str(caught.value)
    assert [each.messages[0].id for each in found.proposals] == [1, 2, 3]
    assert found.spent.calls == PARTS - 1


@each_model
@pytest.mark.parametrize(
    ("bad", "why"),
    [
        (event(9, RULE), "no message 9"),
        (event(1, "We love Redis."), "does not have the quote"),
        (event(1, RULE, type="close"), "type"),
    ],
)
def test_what_fits_the_schema_and_does_not_hold_is_dropped(
    name: str, bad: dict[str, object], why: str, tmp_path: Path
) -> None:
    """Every model is checked by the same rules, asked once more, and then not believed."""
    text = '{"events": [' + str(bad).replace("'", '"') + "]}"
    with ExitStack() as stack:
        found = model_reader(name, tmp_path, stack, lambda _: text).extract(talk(said(1, RULE)))

    assert found.proposals == []
    assert [why in dropped.why for dropped in found.dropped] == [True]
    assert found.spent.calls == 2


@each_model
def test_a_budget_is_kept(name: str, tmp_path: Path) -> None:
    """What could cost more than is left is not sent."""
    answers = Once(0, "", times=0)
    meter = Meter(Limits(day_tokens=1_000))
    with ExitStack() as stack, pytest.raises(BudgetSpent):
        model_reader(name, tmp_path, stack, answers, meter=meter).extract(talk(said(1, RULE)))

    assert answers.asked == 0
