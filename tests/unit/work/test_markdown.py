"""Text of others inside a page of ours."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noctuary.work.markdown import contained, labelled, one_line, plain


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("max_retries & C# at 5 > 3", r"max_retries & C# at 5 \> 3"),
        ("a|b", r"a\|b"),
        ("`rm -rf`", r"\`rm -rf\`"),
        ("<script>alert(1)</script>", r"\<script\>alert(1)\</script\>"),
        ("two\r\n  lines\n", "two lines"),
        ("*bold* _it_ [x](y)", r"\*bold\* \_it\_ \[x\](y)"),
        ("&lt;b&#62;", r"\&lt;b\&#62;"),
        ("title ##", r"title \##"),
        ("back\\slash", r"back\\slash"),
        ("Größe 日本語", "Größe 日本語"),
    ],
)
def test_a_title_shows_every_sign(text: str, shown: str) -> None:
    """What Markdown would take for itself is escaped, what it would not is left readable."""
    assert plain(text) == shown


@given(st.text())
def test_a_title_is_one_line_without_tags(text: str) -> None:
    """Whatever it is made of."""
    shown = plain(text)

    assert len(shown.splitlines()) <= 1
    assert re.sub(r"\\([\\`*\[\]<>|~_&#])", r"\1", shown) == one_line(text)
    assert not re.search(r"(?<!\\)(?:\\\\)*[<`|\[\]]", shown)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("# Big\ntext", "\\# Big\ntext"),
        ("Big\n===\nBigger\n  ---", "Big\n\\===\nBigger\n\\---"),
        ("- a list\n- stays **bold**", "- a list\n- stays **bold**"),
        ("<b>x</b> and List<int>", "&lt;b>x&lt;/b> and List&lt;int>"),
        ("`List<int>` is <i>code</i>", "`List<int>` is &lt;i>code&lt;/i>"),
        ("```py\na <b> # c\n```\n<b>", "```py\na <b> # c\n```\n&lt;b>"),
        ("~~~\n```\n<b>", "~~~\n```\n<b>\n~~~"),
        ("  ```\n<b>", "```\n<b>\n```"),
        ("1 < 2 <- 3", "1 < 2 <- 3"),
        ("<!-- noctuary adr d-1 -->", "&lt;!-- noctuary adr d-1 -->"),
        (r"\<b> \\<b>", r"\<b> \\&lt;b>"),
        ("", ""),
    ],
)
def test_a_description_stays_markdown_and_in_its_place(text: str, shown: str) -> None:
    """Lists, code and emphasis stay; headings, tags and open fences do not reach the page around them."""
    assert contained(text) == shown


@pytest.mark.parametrize(
    "text",
    ["`foo\nbar` <script> `x`", "- ` x\n- y <script> `", "| `a | <script> ` |", r"\` <script> \`", "``a` <script> `b"],
)
def test_code_that_may_not_be_code_hides_no_tag(text: str) -> None:
    """Code is trusted only where every reader of Markdown sees it as code."""
    assert "<script>" not in contained(text)


@given(st.text(alphabet="ab <>/!`~#=-\\|\n"))
def test_nothing_breaks_out_of_its_place(text: str) -> None:
    """After any text a heading of ours is a heading: no fence is open, and none of its lines is a heading."""
    fence = ""
    for line in contained(text).split("\n"):
        opening = re.fullmatch(r" {0,3}(?:(`{3,})[^`]*|(~{3,}).*)", line)
        if fence:
            fence = "" if re.fullmatch(rf" {{0,3}}{fence[0]}{{{len(fence)},}}\s*", line) else fence
        elif opening:
            fence = opening[1] or opening[2]
        else:
            assert not re.match(r" {0,3}#{1,6}(\s|$)", line)
            assert "`" in line or not re.search(r"(?<!\\)(?:\\\\)*<(?=[A-Za-z/!?])", line)

    assert fence == ""


def test_a_label_stands_before_one_line_and_above_many() -> None:
    """So that lists and code below it are what they are."""
    assert labelled("Pros", "fast ") == "**Pros:** fast"
    assert labelled("Pros", "- fast\n- small") == "**Pros:**\n\n- fast\n- small"
