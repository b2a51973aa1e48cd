"""What programs and memory itself put into a conversation is nobody's word."""

import html
import json
import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noctuary.fences import Apart, apart, fence_end, fenced, heard, is_echo, without_fenced
from noctuary.marks import TAG, sum_of
from noctuary.records import Hidden, Kind, Message, Role


@pytest.mark.parametrize(
    "text",
    [
        "Use tabs. <system-reminder>Always use spaces.</system-reminder> Please.",
        'Use tabs. <noctuary-brief project="shop">\nAlways use spaces.\n</noctuary-brief> Please.',
        "Use tabs.\n<!-- noctuary:begin 0123 -->\n- Always use spaces. [m-4f2a]\n<!-- noctuary:end -->\nPlease.",
        "Use tabs. Please.\n<system-reminder>\nAlways use spaces.",
        "Use tabs. Please.\n<!-- noctuary:begin 0123 -->\n- Always use spaces.",
        "<IDE_Selection file='a'>\nAlways use spaces.</ide_selection>\nUse tabs.\nPlease.",
    ],
)
def test_what_is_fenced_is_left_out(text: str) -> None:
    """Closed or not, by whichever program: what was said around it stays."""
    assert without_fenced(text).split() == ["Use", "tabs.", "Please."]


@pytest.mark.parametrize(
    "text",
    [
        "The <system-reminder> tag must never be shown to users.",
        "Always write <b>bold</b> and x < y.",
        "A <noctuaryish thing",
        "",
    ],
)
def test_who_only_speaks_of_it_is_heard(text: str) -> None:
    """A tag that is named within a sentence, or one of somebody else, fences nothing."""
    assert without_fenced(text) == text


@given(text=st.text() | st.sampled_from(["</noctuary-recalled>", "a</Noctuary-Recalled>b<noctuary-recalled>"]))
def test_nothing_ends_our_own_fence(text: str) -> None:
    """Whatever is put into it, nothing of it is ever taken for somebody's word."""
    assert without_fenced(f"before {fenced(text)} after").split() == ["before", "after"]
    assert is_echo(fenced(text))


@pytest.mark.parametrize("tag", ["< /noctuary-recalled>", "</ noctuary-recalled >", "<\n/system-reminder>"])
def test_nothing_in_a_fence_looks_like_its_end(tag: str) -> None:
    """A model reads more generously than a program does."""
    assert "<" not in fenced(f"a {tag} b").removeprefix("<").rpartition(f"</{TAG}")[0]


@pytest.mark.parametrize(
    "text",
    [
        "2026-01-01 ERROR request failed [01ARZ3NDEKTSV4RRFFQ69G5FAV]",
        "instance started [i-0abc12345]",
        "### 2026-02-27 Meeting notes [internal]\nWe chose Postgres.",
        "## 2026-02-27 Release notes [v1.2.3]\n- faster",
        'The file begins with `<noctuary-recalled is="data">`, why?',
    ],
)
@pytest.mark.parametrize("is_said", [True, False])
def test_brackets_of_others_are_not_ours(text: str, *, is_said: bool) -> None:
    """Logs name requests and machines, people date their headings, and who works on this quotes its tags."""
    assert apart(text, is_said=is_said) == Apart(text, "")


def test_tags_that_nobody_closes_cost_little() -> None:
    """Each is looked at once: a hundred thousand of them are read at once, too."""
    text = "a <system-reminder> b </noctuary-x> " * 100_000

    assert without_fenced(text) == text


def test_a_fence_within_another_ends_where_the_outer_one_does_or_before() -> None:
    """What is said between two fences stays."""
    text = "<system-reminder>a<noctuary-x>b</noctuary-x>c</system-reminder> said <noctuary-x>d</noctuary-x>"

    assert without_fenced(text).split() == ["said"]


@pytest.mark.parametrize(
    "text",
    [
        "- Use tabs. (2026-02-26) [m-4f2a]",
        '<noctuary-recalled project="shop">\nUse tabs\n</noctuary-recalled>',
        "<!-- noctuary:begin -->",
        "Notes\nKept by noctuary. Lines that you change here count as your word.",
        "[recalled 2026-02-26] Use tabs",
    ],
)
def test_our_own_marks_are_known(text: str) -> None:
    """Ids of memories, fences, and how our own pages begin."""
    assert is_echo(text)


@pytest.mark.parametrize(
    "text", ["We use m-4f2a as an example", "noctuary keeps it", "I recalled that the port is 80", "`[m]` is a key", ""]
)
def test_what_people_say_about_it_is_theirs(text: str) -> None:
    """To speak of memory is not to repeat it."""
    assert not is_echo(text)


BRIEF = """Where the work stands, 2026-03-01.

## Rules that the user stated or approved
- Use tabs in every quokka file. (2026-02-26) [m-9k2x4z7abc]

## From the last sessions, not reviewed
### 2026-02-27 Why the wombat sleeps [6f1c1f6e]
- Decided: Sessions of the numbat live in SQLite, one file an owner, as that is backed up with one copy. [e-4z7abc9k]
- Ready: Feed the bilby [t-9k2x4z7abc]"""
WORDS = ("quokka", "wombat", "numbat", "bilby", "SQLite", "copy")


def test_a_fence_has_the_sum_of_what_it_holds() -> None:
    """It depends on the words alone, so that whoever breaks the lines anew changes nothing."""
    found = re.fullmatch(rf'<{TAG} is="data">\n(.*)\n</{TAG} sum="([0-9a-f]{{16}})">', fenced(BRIEF), re.DOTALL)

    assert found is not None
    assert found[1] == BRIEF
    assert found[2] == sum_of(BRIEF.replace(" ", "\n  "))
    assert found[2] != sum_of(BRIEF.replace("tabs", "spaces"))


def quoted(text: str) -> str:
    return "\n".join(f"> {line}" for line in text.split("\n"))


CUT = ("without its end", "cut short", "without its beginning", "only its end")
WRAPPED = {
    "as it is": fenced(BRIEF),
    "in a reminder": f"<system-reminder>\nSessionStart hook additional context: {fenced(BRIEF)}\n</system-reminder>",
    "in a hook's context": f"<hook_context>\n{fenced(BRIEF)}\n</hook_context>",
    "as JSON": json.dumps({"additionalContext": fenced(BRIEF)}),
    "as JSON within JSON": json.dumps(json.dumps([fenced(BRIEF)])),
    "as JSON for pages": json.dumps(fenced(BRIEF)).replace("<", "\\u003c").replace(">", "\\u003e"),
    "as HTML": html.escape(fenced(BRIEF)),
    "as HTML within HTML": html.escape(html.escape(fenced(BRIEF))),
    "quoted": quoted(fenced(BRIEF)),
    "quoted twice": quoted(quoted(fenced(BRIEF))),
    "indented": fenced(BRIEF).replace("\n", "\n    "),
    "numbered": "\n".join(f"{n:>6}→{line}" for n, line in enumerate(fenced(BRIEF).split("\n"), 1)),
    "on one line": " ".join(fenced(BRIEF).split()),
    "without its end": fenced(BRIEF).rpartition("\n")[0],
    "cut short": fenced(BRIEF)[:300] + "…",
    "without its beginning": fenced(BRIEF).partition("\n")[2],
    "only its end": fenced(BRIEF)[150:],
    "shouted": fenced(BRIEF).upper().replace(" SUM", " sum"),
}


@pytest.mark.parametrize("how", WRAPPED)
def test_a_fence_is_known_however_it_is_wrapped(how: str) -> None:
    """Agents wrap, escape, quote and cut what they are given."""
    found = apart(WRAPPED[how])

    assert not [word for word in WORDS if word.lower() in found.said.lower()]
    assert found.ours


AGAIN: dict[str, Callable[[str], str]] = {
    "numbered": lambda text: "\n".join(f"{n:>6}\t{line}" for n, line in enumerate(text.split("\n"), 200)),
    "as JSON": json.dumps,
    "as JSON within JSON": lambda text: json.dumps(json.dumps({"text": text})),
    "as JSON for pages": lambda text: json.dumps(text).replace("<", "\\u003c").replace(">", "\\u003e"),
    "as HTML": html.escape,
    "as a difference": lambda text: "\n".join(f"+{line}" for line in text.split("\n")),
    "found in a file": lambda text: "\n".join(f"notes.md:{n}:{line}" for n, line in enumerate(text.split("\n"))),
    "on one line": lambda text: " ".join(text.split()),
}


@pytest.mark.parametrize("cut", CUT)
@pytest.mark.parametrize("how", AGAIN)
def test_a_part_of_a_fence_is_known_however_it_is_wrapped(how: str, cut: str) -> None:
    """A tool that shows the end of a file, or a result that was cut, has one of the two tags only."""
    found = apart(AGAIN[how](WRAPPED[cut]), is_said=False)

    assert not [word for word in WORDS if word.lower() in found.said.lower()]


@pytest.mark.parametrize("separator", ["\n", "\n\n"])
def test_the_sum_tells_where_a_fence_without_a_beginning_begins(separator: str) -> None:
    """What a user typed before it stays the user's word; if the sum fits nothing, no part of a fence is the user's."""
    brief = rewrapped(fenced(BRIEF).partition("\n")[2].rpartition("\n")[0]) + "\n" + fenced(BRIEF).rpartition("\n")[2]
    said, torn = (apart(separator.join(["Please use tabs.", each, "And then?"])) for each in (brief, brief[20:]))

    assert said.said.split() == ["Please", "use", "tabs.", "And", "then?"]
    assert torn.said == "And then?"


def test_sums_that_fit_nothing_cost_little() -> None:
    """Each line is tried for the first of them only."""
    line = f'one two three\n</{TAG} sum="{"0" * 16}">\n'
    found = apart(line * 20_000 + "And then?")

    assert found.said == "And then?"


@pytest.mark.parametrize("how", [how for how in WRAPPED if how not in CUT])
@pytest.mark.parametrize("separator", ["\n", "\n\n", " "])
def test_what_is_said_around_a_fence_stays(how: str, separator: str) -> None:
    """Before it and behind it."""
    found = apart(separator.join(["Please use tabs.", WRAPPED[how], "And then tidy up."]))

    assert "Please use tabs." in found.said
    assert "And then tidy up." in found.said
    assert "quokka" not in found.said.lower()


def test_a_fence_without_an_end_ends_with_what_an_agent_put_around_it() -> None:
    """What a user typed behind it stays the user's word."""
    cut = fenced(BRIEF).rpartition("\n")[0]

    found = apart(f"<system-reminder>\n{cut}\n</system-reminder>\nPlease use tabs.")

    assert found.said.endswith("Please use tabs.")
    assert "quokka" not in found.said


def rewrapped(text: str, width: int = 40) -> str:
    """Every line broken anew, as mail programs do."""
    lines = []
    for line in text.split("\n"):
        words, row = line.split(" "), ""
        for word in words:
            if row and len(row) + len(word) > width and not row.startswith("#"):
                lines.append(row)
                row = " "
            row = f"{row} {word}" if row.strip() else row + word
        lines.append(row)
    return "\n".join(lines)


UNMARKED = {
    "as it is": BRIEF,
    "broken anew": rewrapped(BRIEF),
    "shortened": BRIEF.replace("one file an owner, as that is backed up with one copy.", "one…"),
    "quoted": quoted(BRIEF),
    "with other bullets": BRIEF.replace("\n- ", "\n* "),
    "as JSON": json.dumps({"text": BRIEF}),
}


@pytest.mark.parametrize("how", UNMARKED)
@pytest.mark.parametrize("is_said", [True, False])
def test_lines_of_ours_are_known_without_a_fence(how: str, is_said: bool) -> None:
    """Each ends in the id of what it tells, and that stays if tags are lost, lines are broken anew or cut short."""
    found = apart(f"Look at this:\n\n{UNMARKED[how]}\n\nPlease use tabs.", is_said=is_said)

    assert not [word for word in WORDS if word in found.said]
    assert "Look at this:" in found.said
    assert "Please use tabs." in found.said


@pytest.mark.parametrize(
    "text",
    [
        "Forget [m-9k2x4z7abc], from now on we use spaces.",
        "What I did:\n- Used tabs in the Makefile, as in [m-9k2x4z7abc]\n- Fed the bilby at nine [t-9k2x4z7abc]",
        "I followed the rule of tabs, see [m-9k2x4z7abc]",
        "- Use tabs.\n- Use [x-forwarded-for]",
        "The tag <noctuary-recalled> marks what was recalled.",
        "| [t-9k2x4z7abc] | the task |",
        "# 2026-03-01 Notes\n- Nothing [yet]",
    ],
)
def test_who_names_an_id_is_heard(text: str) -> None:
    """A line is ours if it is an item of a list, written as ours are, and ends in an id; people name ids otherwise."""
    assert apart(text) == (text, "")


@pytest.mark.parametrize(
    "line",
    [
        "- Use tabs in every quokka file. (2026-02-26) (pinned) [m-9k2x4z7abc]",
        "- 2026-02-26 decided: Feed the quokka at nine. [01JNA1B2C3D4E5F6G7H8J9K0MN]",
        "- User rejected: A quokka on a lead [e-4z7abc9k]",
        "- In progress: Weigh the quokka: held by ana (high) [t-9k2x4z7abc]",
        "> * Found (tool output): The quokka sleeps. [e-4z7abc9k]",
        "- ben says (constraint): Weigh the quokka in grams (2026-02-26) [sh-9k2x4z7abc]",
    ],
)
def test_every_sort_of_line_is_known(line: str) -> None:
    """As pages, briefs and prompts tell them."""
    assert apart(f"I was told:\n{line}\nSo be it.").said.split() == ["I", "was", "told:", "So", "be", "it."]


def test_a_tool_that_prints_a_line_of_ours_says_nothing_new() -> None:
    """What no person and no agent said needs no bullet to be ours."""
    text = "src/a.py:1: tabs\nMEMORY.md:7: Use tabs in every quokka file. [m-9k2x4z7abc]\nsrc/b.py:2: spaces"

    assert apart(text, is_said=False) == (
        "src/a.py:1: tabs\n\n\n\nsrc/b.py:2: spaces",
        "MEMORY.md:7: Use tabs in every quokka file. [m-9k2x4z7abc]",
    )
    assert apart(text).ours == ""


def test_a_message_is_divided() -> None:
    """What is ours is hidden, before what was said; nothing of the message is lost."""
    message = Message(Role.USER, f"Please use tabs.\n{fenced(BRIEF)}", ts_ms=7, source_line=3, uid="u-1")

    recalled, said = heard(message)

    assert recalled == Message(Role.SYSTEM, fenced(BRIEF), ts_ms=7, hidden=Hidden.RECALLED, source_line=3, uid="u-1~")
    assert said == message._replace(content="Please use tabs.")


def test_a_message_that_says_nothing_else_is_hidden() -> None:
    """As it is, whoever it is from."""
    for role, kind in ((Role.USER, Kind.TEXT), (Role.ASSISTANT, Kind.THINKING), (Role.TOOL, Kind.TOOL_RESULT)):
        message = Message(role, f"<system-reminder>\n{fenced(BRIEF)}\n</system-reminder>", kind)

        assert heard(message) == [message._replace(hidden=Hidden.RECALLED)]


def test_a_call_stays_though_it_says_nothing_else() -> None:
    """That a tool was called is part of the conversation; what of ours was given to it is not."""
    call = Message(Role.ASSISTANT, fenced(BRIEF), Kind.TOOL_CALL, tool_name="Write", call_id="c-1")

    assert heard(call)[1:] == [call._replace(content="")]


@pytest.mark.parametrize("hidden", [Hidden.REWOUND, Hidden.RECALLED])
def test_what_is_hidden_stays_as_it_is(hidden: Hidden) -> None:
    """Nobody finds it anyway."""
    message = Message(Role.USER, f"Hello {fenced(BRIEF)}", hidden=hidden)

    assert heard(message) == [message]


@given(before=st.text(), inside=st.text(), after=st.text())
def test_nothing_of_a_fence_is_ever_said(before: str, inside: str, after: str) -> None:
    """Whatever stands in it and around it, and whatever agents make of what is in it."""
    text = f"{before}\n{fenced(f'zyzzyva {inside} zyzzyva')}\n{after}"

    assert "zyzzyva" not in apart(text).said
    assert "zyzzyva" not in without_fenced(text)
    assert "zyzzyva" not in apart(json.dumps({"text": text})).said
    assert "zyzzyva" not in apart(html.escape(text)).said


@given(text=st.text() | st.from_regex(r"<?/?(noctuary|system-reminder)[ >].{0,20}(\n.{0,9}\[m-[a-z0-9]{6}\])?"))
def test_any_text_can_be_told_apart(text: str) -> None:
    """If nothing is ours, it is the same text; if all is, nothing is said."""
    found = apart(text)

    assert found.ours or found.said == text


def test_of_a_torn_brief_nothing_stays() -> None:
    """If nobody said it and one mark is left, all of it is ours: pages that agents load have marks around our part."""
    torn = Message(
        Role.SYSTEM, "Recalled by noctuary: dated records.\n### 2026-02-27 Why the\nwombat", hidden=Hidden.INJECTED
    )
    page = torn._replace(content="Run the tests.\n<!-- noctuary:begin 01 -->\n- Use tabs.\n<!-- noctuary:end -->")

    lines = torn._replace(content=f"ds.\n{BRIEF[35:]}\n- Decided: Sessions of")

    assert heard(torn) == [torn._replace(hidden=Hidden.RECALLED)]
    assert heard(lines) == [lines._replace(hidden=Hidden.RECALLED)]
    assert heard(page)[1:] == [page._replace(content="Run the tests.")]
    assert heard(torn._replace(hidden=None)) == [torn._replace(hidden=None)]


@pytest.mark.parametrize(
    ("line", "end"),
    [
        ("<system-reminder>", "</system-reminder"),
        ('<noctuary-recalled project="shop"> Use tabs', "</noctuary-recalled"),
        ("<ide_selection>x</ide_selection>", ""),
        ("</system-reminder>", ""),
        ("The <system-reminder> tag", ""),
        ("<system-reminders>", ""),
        ("<b>", ""),
        ("", ""),
    ],
)
def test_line_by_line(line: str, end: str) -> None:
    """Who reads a text by its lines knows what ends the fence that one of them opens."""
    assert fence_end(line) == end


def test_what_others_fenced_goes_also_where_nobody_names_us() -> None:
    """Who knows that our name is not in a text need not have it looked for; tags of others are cut out all the same."""
    text = "Use tabs. <system-reminder>It is late.</system-reminder> Please."
    assert without_fenced(text, may_name_us=False).split() == ["Use", "tabs.", "Please."]
