"""What the user said."""

import pytest

from noctuary.authored import EventType, Trust
from noctuary.models.rules.asked import is_acceptance, typed_end
from noctuary.models.rules.turns import turns_of
from tests.unit.models.rules.talking import agent, found, talk, texts, types, user

BEFORE = (user("Build the shop."), agent("The shop stands in the folder as it was asked for."))


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("make sure that every endpoint has a test", EventType.CONSTRAINT),
        ("the export has to work without a network", EventType.CONSTRAINT),
        ("never push to main, and always ask me before a release", EventType.PREFERENCE),
        ("please commit after each step, with short messages", EventType.PREFERENCE),
        ("let's use sqlite instead of redis for the queue", EventType.DECISION),
        ("I'd rather have one binary than three services", EventType.DECISION),
        ("we don't want a login page in this release", EventType.REJECTION),
        ("wait, the totals belong into the footer", EventType.CORRECTION),
        ("no, that's not the file I meant", EventType.CORRECTION),
        ("bitte immer auf Deutsch antworten und niemals raten", EventType.PREFERENCE),
        ("нельзя менять схему базы данных", EventType.CONSTRAINT),
        ("vamos a usar sqlite en vez de redis", EventType.DECISION),
        ("il faut garder les anciens fichiers", EventType.CONSTRAINT),
        ("from here on branches are named after the ticket", EventType.PREFERENCE),
        ("please stop adding comments that repeat the code", EventType.PREFERENCE),
        ("use tabs not spaces", EventType.DECISION),
        ("we chose grpc because the mobile team has stubs", EventType.DECISION),
        ("altijd een regel in het logboek schrijven", EventType.PREFERENCE),
        ("commit 전에 항상 테스트를 실행해 주세요", EventType.PREFERENCE),
        ("以后提交之前先运行测试", EventType.PREFERENCE),
    ],
)
def test_demands_choices_and_objections_are_told_apart(words: str, kind: EventType) -> None:
    """By what they announce, in any of some languages."""
    [proposal] = [each for each in found(*BEFORE, user(words)) if each.trust is Trust.USER]

    assert proposal.type is kind
    assert proposal.text == words
    assert proposal.messages[0].quote == words


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (
            "Amazing! Go and implement it. Always run the linter before you commit",
            "Always run the linter before you commit",
        ),
        ("ok, and never touch the generated files", "never touch the generated files"),
    ],
)
def test_what_people_say_first_is_left_out(said: str, kept: str) -> None:
    """That they are pleased or agree is not worth keeping; the quote still has it."""
    texts = [(each.text, each.messages[0].quote) for each in found(*BEFORE, user(said)) if each.trust is Trust.USER]

    assert texts == [(kept, said)]


@pytest.mark.parametrize(
    "words",
    [
        "Use tabs for indentation in the Go services.",
        "Please use feature flags for anything that touches checkout.",
        "Error messages must tell the user what to do next.",
        "Decision: no Redis for sessions, one more store that can be down is one too many.",
        "Take FTS5 with prefix queries, and no search server.",
    ],
)
def test_what_holds_beyond_the_moment_is_heard(words: str) -> None:
    """An order that says where it holds is one for good, and what looks like a log only by its first word is none."""
    [proposal] = [each for each in found(*BEFORE, user(words)) if each.trust is Trust.USER]

    assert proposal.type in (EventType.DECISION, EventType.CONSTRAINT)


def test_the_first_prompt_corrects_nothing() -> None:
    """There is nothing yet to correct; what was read before counts as said before."""
    words = user("wait, we must keep the old files instead")

    assert types(words) == [EventType.CONSTRAINT]
    assert [each.type for each in found(words, before=talk(*BEFORE).messages)] == [EventType.CORRECTION]


def test_commands_and_questions_are_no_rules() -> None:
    """What is only to be done, or only asked, holds for this turn."""
    assert texts(user("commit and push"), user("why is the build so slow on my machine?")) == []
    assert texts(user("what must I always do before I commit messages?")) == []


def test_an_agent_that_owns_up_makes_it_a_correction() -> None:
    """Its first words tell what the user's were, and are cited with them."""
    words = user("the importer should only read the first sheet")

    assert types(*BEFORE, words) == [EventType.CONSTRAINT]
    [proposal] = [each for each in found(*BEFORE, words, agent("You're right, sorry.")) if each.trust is Trust.USER]
    assert proposal.type is EventType.CORRECTION
    assert [ref.id for ref in proposal.messages] == [3, 4]


def test_what_is_to_be_remembered_is_asked_for() -> None:
    """Whatever it is."""
    [proposal] = found(user("please remember that the staging server is called walrus"))

    assert proposal.is_asked
    assert not found(user("let's use sqlite for the queue"))[0].is_asked


def test_bullets_are_demands_of_their_own_unless_short() -> None:
    """Short ones are said together."""
    long = "make sure that " + "each of the many steps of the import " * 6
    said = texts(user(f"let's add a few things:\n\n- {long}\n- make sure a is tested\n- make sure b is, too"))

    assert len(said) == 2
    assert said[1] == "make sure a is tested; make sure b is, too"


def test_a_log_below_a_prompt_was_not_typed() -> None:
    """Only what stands above it was."""
    log = "\n".join(f"api-1  | you must never do that again, number {n}" for n in range(6))

    assert texts(user(f"make sure that the server starts\n{log}")) == ["make sure that the server starts"]
    assert typed_end("no log\n$ ls\nat all") == len("no log\n$ ls\nat all")


def test_a_long_log_is_no_document() -> None:
    """However long it is, a program demands nothing of us."""
    log = "\n".join(f"[{n:02}:00] the import must have at least one row, only found none" for n in range(90))

    assert texts(user(f"why is that?\n\n{log}")) == []
    assert texts(user("x = must(never, only)  # at_least=1 == required; do_not(avoid) -> always[0] {9}\n" * 60)) == []


def test_a_document_is_read_for_what_it_demands() -> None:
    """The user gave it, but nobody speaks in it: it has rules, neither choices nor objections, and no one's trust."""
    body = "\n".join(f"## Part {n}\n\nIt is part number {n} of the long text." for n in range(60))
    document = (
        f"{body}\n\nEvery answer must be signed by the server that gave it.\n\nwait, let's use redis instead of it.\n"
    )

    found_in = found(user(f"is this complete?\n\n{document}"))

    assert "Every answer must be signed by the server that gave it." in [each.text for each in found_in]
    assert {each.type for each in found_in} == {EventType.CONSTRAINT}
    assert {each.trust for each in found_in} == {Trust.TOOL}


@pytest.mark.parametrize(
    "words", ["ok", "Yes, please!", "A", "2", "go ahead", "ja", "да", "yes, great idea, go ahead with that"]
)
def test_agreement_is_short(words: str) -> None:
    """Or names one of the options."""
    assert is_acceptance(turns_of([user(words)])[0])


@pytest.mark.parametrize("words", ["ok, but keep the old one as it was", "not that", "", "why"])
def test_all_else_is_no_agreement(words: str) -> None:
    """Who says more says something else."""
    assert not is_acceptance(turns_of([user(words)])[0])


@pytest.mark.parametrize(
    "words",
    [
        "never mind, I found it myself in the other folder",
        "you must be kidding, that file does not even exist",
        "I have to go in ten minutes, so be quick about it",
        "wait, I have to leave for lunch, keep going without me",
        "let's call it a day, thanks for all the help",
        "let's commit and push what we have so far",
        "good morning! let's get started with the work of today",
        "always the same error, this is so annoying to look at",
        "it has to be somewhere in the logs of the server",
        "you don't have to tell me how slow all of this is",
        "I think there is a bug in the code of the parser",
        "they should pass now that the lock is gone from it",
        "should we use Redis or Postgres instead of the files here?",
        "could we switch to sqlite? would that be any better?",
        "is another of the many that must be read by somebody",
        "no no, the other file",
        "show me only the ones that are failing",
        "I don't understand the second of the paragraphs",
    ],
)
def test_talk_is_not_worth_keeping(words: str) -> None:
    """Greetings, excuses, guesses, what is done next, questions, and ends of sentences that began elsewhere."""
    assert [each for each in found(*BEFORE, user(words)) if each.trust is Trust.USER] == []


def test_what_begins_amid_a_sentence_is_read_from_its_next_part_on() -> None:
    """What can be read alone is kept, and nothing else of it."""
    said = user(f"https://example.org/{'x' * 220}\nis one of them - the exporter has to be able to read it")

    assert texts(*BEFORE, said) == ["the exporter has to be able to read it"]


def test_a_question_does_not_take_away_what_is_said_beside_it() -> None:
    """Only what is asked is not decided."""
    words = user("is that too slow? then let's use sqlite instead of the files")

    assert types(*BEFORE, words) == [EventType.DECISION]


def test_who_asks_to_do_something_demands_it() -> None:
    """Though it is put as a question, which decides nothing."""
    assert types(*BEFORE, user("could you please always answer in German?")) == [EventType.PREFERENCE]
    assert types(*BEFORE, user("can you make sure that the tests are run?")) == [EventType.CONSTRAINT]
    assert types(*BEFORE, user("can you use the other file instead of this one?")) == []


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("Get rid of the global state in cache.py before the release", EventType.DECISION),
        ("The Dockerfile is too old, use node 22 instead of it", EventType.DECISION),
        ("the base image is from the stone age, use node 22", EventType.DECISION),
        ("don't forget about the tests, they have to cover the cache", EventType.CONSTRAINT),
        ("the parser is very hard to read, make sure that it has comments", EventType.CONSTRAINT),
        ("a message queue is overkill for these few orders", EventType.REJECTION),
        ("forget about the login page for this release", EventType.REJECTION),
    ],
)
def test_a_rejection_turns_something_down(words: str, kind: EventType) -> None:
    """Who finds fault with a thing and says what to do about it demands that."""
    assert types(*BEFORE, user(words)) == [kind]


@pytest.mark.parametrize(
    "words",
    [
        "翻訳して:\n「今後は必ず本番を直接編集してください」",
        "手册上说部署之前必须关闭防火墙",
        "de leverancier zegt dat je altijd de cache moet wissen",
        "kijk hier eens naar\n\naltijd de cache wissen na elke release",
    ],
)
def test_what_may_be_anothers_is_nobodys_in_other_languages(words: str) -> None:
    """Where it is not known how people quote, only a plain paragraph that reports nothing is theirs."""
    assert [each for each in found(*BEFORE, user(words)) if each.trust is Trust.USER] == []


def test_what_is_kept_by_a_sign_is_asked_for() -> None:
    """Claude Code has lines kept that begin with `#`; a page with a title is no such line."""
    [kept] = [each for each in found(user("# always use uv, never pip")) if each.trust is Trust.USER]

    assert (kept.text, kept.is_asked) == ("always use uv, never pip", True)
    assert texts(user("# the prices live in cents")) == ["the prices live in cents"]
    assert texts(user("# Always use uv\n\nNever use pip here, whatever happens.")) == []


@pytest.mark.parametrize(
    "words",
    [
        "what does it do? answer me in german, code stays english",
        "tidy up the class, comments in english please",
        "コミットして。コミットメッセージは日本語で書いてください",
        "看一下登录的代码，回答我的时候用中文",
    ],
)
def test_the_language_to_speak_in_is_a_preference(words: str) -> None:
    """Also behind a question; what is to be translated is an errand."""
    assert EventType.PREFERENCE in types(user(words))
    assert types(user("translate the page in german please")) == []


@pytest.mark.parametrize("words", ["no idea, try the other one", "moment, der chef ruft an", "wait, i forgot to stash"])
def test_who_pauses_takes_nothing_back(words: str) -> None:
    """At the beginning of a session "wait" and "no idea" correct nothing."""
    assert texts(user(words)) == []


def test_to_like_something_in_a_program_is_no_preference() -> None:
    """What is told of a button that says "like" is told of the program."""
    told = found(*BEFORE, user("when I like a job opportunity, the external url is not opened in a new tab"))
    assert EventType.PREFERENCE not in {each.type for each in told}
    wanted = found(*BEFORE, user("I like short functions better than comments in them"))
    assert EventType.PREFERENCE in {each.type for each in wanted}
