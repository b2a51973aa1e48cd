"""What every recall backend promises about an answer: which hits, in which order, and what each of them shows."""

import pytest

from noctuary.recall.candidates import RARE_ROWS
from noctuary.recall.contract import MOST_HITS, RecallStore
from noctuary.recall.searching import NOTHING_ABOUT, NOTHING_ASKED, NOTHING_FOUND, NOTHING_STRONG
from noctuary.recall.snippets import OPEN
from noctuary.records import Hidden, Kind, Role
from tests.contract.building import (
    DAY,
    NOW,
    OWNER,
    ask,
    at,
    best,
    find,
    named,
    say,
    search,
    tell,
)


@pytest.mark.parametrize("text", ["", " ", "\n\t ", "\u3000"])
def test_a_blank_query_finds_nothing(recall: RecallStore, text: str) -> None:
    """Nothing asked is nothing found, not an error, and the answer says so."""
    tell(recall, "s", "hello")

    found = search(recall, text)
    assert (list(found.hits), found.note) == ([], NOTHING_ASKED)


def test_finding_nothing_is_an_answer(recall: RecallStore) -> None:
    """The answer says that it is complete, so that nobody searches again and again."""
    tell(recall, "s", "hello")

    found = search(recall, "apricot")
    assert (list(found.hits), found.note) == ([], NOTHING_FOUND)


def test_an_empty_store_is_searched_like_any(recall: RecallStore) -> None:
    """Before anything is stored, nothing is found, and nothing breaks."""
    assert find(recall, "apricot") == []
    assert find(recall, "=>") == []
    assert list(recall.recent(OWNER)) == []
    assert recall.delete_session(OWNER, "s") is False


def test_nothing_strong_enough_is_said_honestly(recall: RecallStore) -> None:
    """A common word alone does not make an answer to a question about something else."""
    for i in range(30):
        tell(recall, f"s{i}", f"the project has a server number {i}")

    found = search(recall, "kubernetes ingress certificate rotation for the project")
    assert (list(found.hits), found.note) == ([], NOTHING_STRONG)


@pytest.mark.parametrize("word", ["don't", "3"])
def test_a_contraction_or_a_number_alone_is_no_answer(recall: RecallStore, word: str) -> None:
    """What has nothing of a question but an everyday word is no answer, also if that word has a sign or a digit."""
    for i in range(30):
        tell(recall, f"s{i}", "we don't have 3 servers")

    found = search(recall, f"why {word} kubernetes ingress certificates rotate")
    assert list(found.hits) == []
    assert found.note in (NOTHING_FOUND, NOTHING_STRONG)


def test_an_answer_says_how_strong_it_is(recall: RecallStore) -> None:
    """From nothing to certain; what is shown is at least as likely an answer as not."""
    for i in range(30):
        tell(recall, f"s{i}", f"the project has a server number {i}")
    tell(recall, "fruit", "the apricot orchard")

    def strong(text: str) -> float:
        return search(recall, text).strength

    assert strong("apricot orchard") == 1
    assert strong("kubernetes ingress certificate rotation for the project") < 0.5
    assert 0.5 <= strong("apricot kubernetes ingress certificate") < 1
    assert strong("kubernetes") == strong("") == 0


def test_what_is_about_somebody_else_is_no_answer(recall: RecallStore) -> None:
    """Who asks for one of the speakers is not told what another one did, but told so."""
    tell(recall, "s", *["Caroline: Hello.", "Melanie: Hi."] * 3, "Melanie: I ran the charity race.")

    found = search(recall, "did Caroline run the charity race?")
    assert (list(found.hits), found.note) == ([], NOTHING_ABOUT)
    assert best(recall, "did Melanie run the charity race?").anchor_id == 7
    assert best(recall, "who ran the charity race?").anchor_id == 7


@pytest.mark.parametrize(
    ("said", "question", "answer"),
    [
        (["Error: ENOENT"], "why did Error: ENOENT happen", "ENOENT happened because the folder was missing"),
        (["Error: ENOENT"] * 5, "why did the Error with a missing folder happen", "it was missing, the folder"),
        (["Plan: later"], "what is the plan for the migration?", "the migration moves to May"),
        (["Decision: keep it"] * 4, "the decision about the backup of redis", "Redis has no backup, so we drop it"),
        (["User: hi", "Assistant: yes"] * 5, "which user password column is hashed", "the password column is hashed"),
        (["fix: one", "feat: two"] * 5, "fix for the login cache", "feat: a login cache"),
        (["http://localhost: refused"] * 5, "why is http://localhost refused", "refused as nobody started it"),
    ],
)
def test_a_label_that_is_no_person_keeps_nothing_back(
    recall: RecallStore, said: list[str], question: str, answer: str
) -> None:
    """A message may begin with a word and a colon without anybody of that name speaking."""
    for i in range(20):
        tell(recall, f"s{i}", f"the server number {i} works")
    tell(recall, "labels", *said)
    tell(recall, "answer", answer)

    assert "answer" in find(recall, question)


@pytest.mark.parametrize("name", ["Zoë", "O'Brien", "Jean-Luc", "Łukasz", "Олег", "小明", "D’Arcy"])
@pytest.mark.parametrize("question", ["who is {}?", "what did {} do", "{}", "{}'s"])
def test_stop_words_and_a_name(recall: RecallStore, name: str, question: str) -> None:
    """Who asks for somebody and nothing else finds what they said, whatever the name looks like."""
    for i in range(20):
        tell(recall, f"s{i}", f"the server number {i} works")
    tell(recall, "talk", *[f"{name}: It rains.", "Ben: It pours."] * 3)

    hit = best(recall, question.format(name))
    assert hit.session.id == "talk"


@pytest.mark.parametrize(
    "text",
    [
        "apricot " * 1_250_000,
        "apricot " + "a" * 10_000_000,
        "apricot last week " * 500_000,
        "apricot" + ": " * 5_000_000,
    ],
    ids=["words", "a word", "times", "signs"],
)
def test_a_question_of_ten_megabytes(recall: RecallStore, text: str) -> None:
    """It is read as far as a query goes, and answered."""
    tell(recall, "other", *["the server works"] * 50)
    tell(recall, "s", *["Ana: the apricot is ripe", "Ben: fine"] * 3, "an apricot")

    assert find(recall, text) == ["s"]


@pytest.mark.slow
def test_a_word_that_is_nowhere_hides_none(recall: RecallStore) -> None:
    """A word of many messages, too many to be read, is found also beside one that nobody ever said."""
    for i in range(1 + RARE_ROWS // 8):
        tell(recall, f"s{i}", *(["we use redis here"] + ["the server works"] * 4) * 8)

    assert find(recall, "redis unheardof") == find(recall, "redis") != []
    assert "redis" in best(recall, "unheardof redis").anchor.content


@pytest.mark.parametrize(("limit", "count"), [(-5, 0), (0, 0), (1, 1), (3, 3), (10**12, 6)])
def test_a_search_is_limited(recall: RecallStore, limit: int, count: int) -> None:
    """At most as many hits as asked for; any number is valid."""
    for name in "abcdef":
        tell(recall, name, "apricot")

    assert len(find(recall, "apricot", limit=limit)) == count
    assert len(recall.search_messages(OWNER, ask("apricot"), limit).hits) == count


def test_an_answer_has_an_end(recall: RecallStore) -> None:
    """However many hits are asked for, there is a greatest number of them."""
    tell(recall, "s", *["apricot"] * (MOST_HITS + 10))

    assert 1 < len(recall.search_messages(OWNER, ask("apricot"), 10**9).hits) <= MOST_HITS


def test_a_session_takes_one_place(recall: RecallStore) -> None:
    """Sessions are listed once, messages one by one if that is what is asked for."""
    tell(recall, "s", "apricot jam", "apricot tart", "apricot ice")

    assert find(recall, "apricot") == ["s"]
    assert {hit.anchor_id for hit in recall.search_messages(OWNER, ask("apricot")).hits} == {1, 2, 3}


def test_a_chatty_session_does_not_hide_others(recall: RecallStore) -> None:
    """Hundreds of matches in one session, the newest of all, leave room for the others."""
    for name in "abc":
        tell(recall, name, f"we talked about apricot in {name}", start=NOW - 100 * DAY)
    tell(recall, "chatty", *(f"apricot again {i}" for i in range(500)), start=NOW)

    assert set(find(recall, "apricot", limit=4)) == {"a", "b", "c", "chatty"}


def test_the_message_with_most_words_comes_first(recall: RecallStore) -> None:
    """Who has all that was asked for comes before who has some of it."""
    tell(recall, "one", "the apricot was ripe", start=NOW)
    tell(recall, "three", "the apricot orchard needs a ladder", start=NOW - 90 * DAY)
    tell(recall, "two", "an apricot orchard far away", start=NOW - 10 * DAY)

    assert find(recall, "apricot orchard ladder")[0] == "three"
    assert find(recall, "ladder orchard apricot")[0] == "three"


def test_order_of_words_does_not_matter(recall: RecallStore) -> None:
    """Words are found in any order."""
    tell(recall, "s", "deploy the payment service")

    assert find(recall, "payment deploy") == find(recall, "deploy payment") == ["s"]


def test_rare_words_count_more(recall: RecallStore) -> None:
    """A word that is everywhere says less than one that is in one place."""
    for i in range(20):
        tell(recall, f"common{i}", "the build failed on the server", start=NOW)
    tell(recall, "rare", "the apricot module failed", start=NOW - 200 * DAY)

    assert find(recall, "build apricot")[0] == "rare"


def test_talk_weighs_more_than_output(recall: RecallStore) -> None:
    """What people said comes before what tools printed."""
    tell(recall, "printed", say("the apricot index is stale", Role.TOOL, kind=Kind.TOOL_RESULT), start=NOW)
    tell(recall, "said", "the apricot index is stale", start=NOW - 300 * DAY)

    assert find(recall, "apricot index") == ["said", "printed"]


def test_of_two_equals_the_newer_comes_first(recall: RecallStore) -> None:
    """Time decides where words do not."""
    tell(recall, "older", "the apricot index is stale", start=NOW - 400 * DAY)
    tell(recall, "newer", "the apricot index is stale", start=NOW - DAY)

    assert find(recall, "apricot index") == ["newer", "older"]


def test_a_session_is_found_by_its_title(recall: RecallStore) -> None:
    """A session named for its subject is found by that name, although nobody said it again."""
    named(recall, "titled", "can you look at this?", "done", title="Apricot orchard irrigation")
    tell(recall, "other", "something else")

    assert find(recall, "apricot irrigation") == ["titled"]


def test_a_title_speaks_for_its_session(recall: RecallStore) -> None:
    """Of two that say the same, the one named for it comes first."""
    named(recall, "named", "water the apricot", title="Apricot")
    named(recall, "unnamed", "water the apricot", title="Garden")

    assert find(recall, "apricot")[0] == "named"


@pytest.mark.parametrize(
    "question", ["apricot jam", "why did Ana cook apricot jam yesterday?", "src/jam.py", '"apricot jam"', "Ana jam*"]
)
def test_a_hit_says_why(recall: RecallStore, question: str) -> None:
    """The reasons of every hit add up to its score, whatever they are, by sessions and by messages."""
    for name in ("a", "b"):
        talk = [say("Ana: apricot jam because of src/jam.py"), say("Ben: I chose jam"), say("fine", Role.ASSISTANT)]
        tell(recall, name, *talk * 3)
    named(recall, "c", "jam", title="Apricot jam")

    hits = [*search(recall, question).hits, *recall.search_messages(OWNER, ask(question), 50).hits]
    assert len(hits) > 2
    for hit in hits:
        assert hit.score > 0
        assert sum(reason.value for reason in hit.why) == pytest.approx(hit.score, abs=0.001)
        assert len({reason.name for reason in hit.why}) == len(hit.why)


@pytest.mark.parametrize(
    ("content", "query", "marked"),
    [
        ("the apricot is ripe", "apricot", "the >>>apricot<<< is ripe"),
        ("apricots are ripening", "apricot ripened", ">>>apricots<<< are >>>ripening<<<"),
        ("say Apricot", "APRICOT", "say >>>Apricot<<<"),
        ("İstanbul İİİ apricot", "apricot", "İstanbul İİİ >>>apricot<<<"),
        ("İstanbul", "istanbul", ">>>İstanbul<<<"),
        ("un Café noir", "cafe", "un >>>Café<<< noir"),
        ("un cafe\u0301 noir", "café", "un >>>cafe\u0301<<< noir"),
        ("Straße frei", "straße", ">>>Straße<<< frei"),
        ("我们的支付服务挂了", "支付服务", "我们的>>>支付服务<<<挂了"),
        ("ｱｲｳ がくせいです", "がくせい", "ｱｲｳ >>>がくせい<<<です"),
        ("한국어 문장입니다", "한국어", ">>>한국어<<< 문장입니다"),
        ("set maxRetries to 5", "retries", "set >>>maxRetries<<< to 5"),
        ("open src/main.py now", "src/main.py", "open >>>src/main.py<<< now"),
        ("x => y", "=>", "x >>>=><<< y"),
        ("deploying now", "deplo*", ">>>deploying<<< now"),
        ("connection was refused", '"was refused"', "connection >>>was<<< >>>refused<<<"),
    ],
)
def test_matches_are_marked_in_the_original(recall: RecallStore, content: str, query: str, marked: str) -> None:
    """Markers stand around what matched, in the text as it was written, on every route."""
    tell(recall, "s", content)

    assert best(recall, query).snippet == marked


def test_one_character_is_marked(recall: RecallStore) -> None:
    """A query of one character marks where it stands."""
    tell(recall, "s", "这个团队很好")

    assert ">>>团" in best(recall, "团").snippet


def test_markers_in_the_text_are_escaped(recall: RecallStore) -> None:
    """Ours can be told from those that somebody wrote."""
    tell(recall, "s", "git shows <<< and >>> around an apricot >>>like this<<<")

    assert best(recall, "apricot").snippet == ("git shows \\<<< and \\>>> around an >>>apricot<<< \\>>>like this\\<<<")


def test_a_snippet_is_short_and_shows_the_match(recall: RecallStore) -> None:
    """Of a long text the part that matched is shown, with signs of what was left out."""
    tell(recall, "s", "before " * 3000 + "the apricot here" + " after" * 3000)

    shown = best(recall, "apricot").snippet
    assert ">>>apricot<<<" in shown
    assert len(shown) < 300
    assert shown.startswith("…")
    assert shown.endswith("…")


def test_the_match_far_into_a_long_message_is_marked(recall: RecallStore) -> None:
    """Also behind the first hundred thousand words the match is shown."""
    tell(recall, "s", "lorem ipsum " * 50_000 + "apricot")

    assert ">>>apricot<<<" in best(recall, "apricot").snippet


def test_a_hit_shows_its_surroundings(recall: RecallStore) -> None:
    """The anchor, the messages around it, and how many there are beyond."""
    tell(recall, "s", *(f"filler {i}" for i in range(1, 15)), "apricot", *(f"filler {i}" for i in range(16, 31)))

    hit = best(recall, "apricot")
    assert hit.anchor_id == 15
    assert [m.id for m in hit.window] == list(range(10, 21))
    assert (hit.before, hit.after) == (9, 10)


def test_bookends_are_strictly_outside_the_window(recall: RecallStore) -> None:
    """How a session began and ended is shown once, not again in the window."""
    tell(recall, "noise", *["x"] * 7)
    tell(recall, "s", *(f"filler {i}" for i in range(1, 15)), "apricot", *(f"filler {i}" for i in range(16, 31)))
    tell(recall, "short", "apricot", "b")

    by_session = {hit.session.id: hit for hit in search(recall, "apricot").hits}
    assert [m.id for m in by_session["s"].bookend_start] == [1, 2, 3]
    assert [m.id for m in by_session["s"].bookend_end] == [28, 29, 30]
    assert (list(by_session["short"].bookend_start), list(by_session["short"].bookend_end)) == ([], [])


def test_bookends_are_talk(recall: RecallStore) -> None:
    """Only what users and agents said: no tools, thoughts, summaries, hidden or empty messages."""
    no_talk = [
        say("printed", Role.TOOL, kind=Kind.TOOL_RESULT),
        say("thought", Role.ASSISTANT, kind=Kind.THINKING),
        say("called", Role.ASSISTANT, kind=Kind.TOOL_CALL),
        say("summed up", Role.USER, kind=Kind.SUMMARY),
        say("system", Role.SYSTEM),
        say("injected", hidden=Hidden.INJECTED),
        say(""),
    ]
    tell(recall, "s", *no_talk, "asked", say("answered", Role.ASSISTANT), *["x"] * 6, "apricot", *["x"] * 6, *no_talk)

    hit = best(recall, "apricot")
    assert [m.content for m in hit.bookend_start][:2] == ["asked", "answered"]
    assert [m.content for m in hit.bookend_end] == ["x"]


def test_the_current_session_can_be_left_out(recall: RecallStore) -> None:
    """A session asks about others, not about itself."""
    tell(recall, "current", "what about the apricot?")
    tell(recall, "past", "the apricot is ripe")

    assert find(recall, "apricot", exclude_sessions=["current"]) == ["past"]
    assert find(recall, "apricot", exclude_sessions=["current", "past"]) == []


def test_roles_narrow_a_search(recall: RecallStore) -> None:
    """Only who is asked for is heard."""
    tell(recall, "user", "the apricot of the user")
    tell(recall, "assistant", say("the apricot of the agent", Role.ASSISTANT))
    tell(recall, "tool", say("the apricot of the tool", Role.TOOL, kind=Kind.TOOL_RESULT))

    assert find(recall, "role:user apricot") == ["user"]
    assert find(recall, "apricot role:assistant") == ["assistant"]
    assert find(recall, "role:tool apricot") == ["tool"]
    assert set(find(recall, "role:tool role:user apricot")) == {"tool", "user"}


def test_agent_project_and_session_narrow_a_search(recall: RecallStore) -> None:
    """A project goes by its last parts too, a session by its beginning."""
    named(recall, "abc-1", "apricot", agent="codex", project="/home/ana/code/shop")
    named(recall, "abd-2", "apricot", agent="claude-code", project="/home/ana/code/work_shop")
    tell(recall, "xyz", "apricot")

    assert find(recall, "agent:codex apricot") == ["abc-1"]
    assert find(recall, "project:shop apricot") == ["abc-1"]
    assert find(recall, "project:code/shop/ apricot") == ["abc-1"]
    assert find(recall, "project:/home/ana/code/work_shop apricot") == ["abd-2"]
    assert find(recall, "project:work%shop apricot") == []
    assert find(recall, "session:abd apricot") == ["abd-2"]
    assert set(find(recall, "session:ab apricot")) == {"abc-1", "abd-2"}
    assert find(recall, "session:a_d apricot") == []


def test_times_narrow_a_search(recall: RecallStore) -> None:
    """After includes its moment, before does not."""
    for name, moment in [("january", at(2026, 1, 15)), ("february", at(2026, 2, 15))]:
        tell(recall, name, say("apricot", ts_ms=moment))

    assert find(recall, "apricot after:2026-02-01") == ["february"]
    assert find(recall, "apricot before:2026-02-01") == ["january"]
    assert find(recall, "apricot after:2026-01-15 before:2026-02-15") == ["january"]
    assert find(recall, "apricot after:30d") == ["february"]


def test_times_narrow_within_a_session(recall: RecallStore) -> None:
    """Of a long session only the messages of that time are found."""
    tell(recall, "s", say("an old apricot", ts_ms=at(2026, 1, 1)), say("a new apricot", ts_ms=at(2026, 2, 1)))

    assert best(recall, "apricot before:2026-01-20").anchor_id == 1
    assert best(recall, "apricot after:2026-01-20").anchor_id == 2
    assert find(recall, "old after:2026-01-20") == []


def test_a_word_can_be_left_out(recall: RecallStore) -> None:
    """A minus sign before a word or a phrase keeps away what has it."""
    tell(recall, "jam", "apricot jam recipe")
    tell(recall, "ice", "apricot ice cream")

    assert find(recall, "apricot -jam") == ["ice"]
    assert find(recall, 'apricot -"ice cream"') == ["jam"]
    assert find(recall, "apricot -recipes -cream") == []


def test_a_phrase_must_occur(recall: RecallStore) -> None:
    """Words in quotes are found only side by side."""
    tell(recall, "beside", "connection refused by the host")
    tell(recall, "apart", "the connection was not refused")

    assert find(recall, '"connection refused"') == ["beside"]
    assert find(recall, '"refused connection"') == []
    assert find(recall, 'host "connection refused"') == ["beside"]


def test_a_beginning_finds_whole_words(recall: RecallStore) -> None:
    """An asterisk at the end stands for any ending, nowhere else."""
    tell(recall, "s", "apricots everywhere")

    assert find(recall, "apri*") == ["s"]
    assert find(recall, "apri") == []
    assert find(recall, "*cots") == []


def test_a_phrase_that_occurs_is_an_answer(recall: RecallStore) -> None:
    """Other words of the query need not occur beside a phrase that does."""
    tell(recall, "s", "connection refused by the host")

    assert find(recall, 'docker "connection refused"') == ["s"]


def test_what_narrows_a_search_holds_for_every_hit(recall: RecallStore) -> None:
    """Neighbours of a match do not slip in past a role, a phrase or a word that was left out."""
    tell(recall, "s", "is the apricot ripe?", say("yes, very", Role.ASSISTANT), "and the draft?")

    def anchors(text: str) -> set[int]:
        return {hit.anchor_id for hit in recall.search_messages(OWNER, ask(text), 10).hits}

    assert 2 not in anchors("role:user apricot")
    assert 3 not in anchors("apricot -draft")
    assert anchors('"apricot ripe"') == {1}


def test_a_hit_found_by_its_neighbour_is_marked_too(recall: RecallStore) -> None:
    """Every hit shows why it is one: an answer without a word of the query shows the nearest message that has one."""
    tell(recall, "s", "Which cache for sessions, redis?", "Fine.", "Unrelated and long. " * 40)

    hits = recall.search_messages(OWNER, ask("redis"), 10).hits

    assert len(hits) > 1
    assert all(OPEN in hit.snippet for hit in hits)
