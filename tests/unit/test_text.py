"""How a text becomes the words it is found by."""

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noctuary.text import (
    clean,
    fold,
    identifier_parts,
    is_unspaced,
    pairs,
    respelled,
    respelled_words,
    searchable,
    searchable_bytes,
    tokens,
)

# Letters and signs with two spellings, and some with one: of scripts with spaces, and of scripts without.
SPACED = "aZeßẞıİđłøæœёЁяήΉςσάαأإآاةىيیكکوالלהבמשק\u05b8\u05bc\u064e\u0651क़फ\u093cज़াড়ＡｚＴ０٣۴०"
UNSPACED = "ｶﾞﾊﾟガハ\u3099\u309a각한\u1112\u1161\u11ab支\uf900ไ"
INDEXED = [
    ("Straße", "Strasse"), ("STRAẞE", "strasse"), ("ığdır", "IĞDIR"), ("ISPARTA", "ısparta"), ("đặt", "dat"),
    ("łódź", "Lodz"), ("smørrebrød", "smorrebrod"), ("œuvre", "oeuvre"), ("отчёт", "отчет"), ("Ёлка", "елка"),
    ("λάθος", "ΛΑΘΟΣ"), ("Ρόδος", "ροδος"), ("أحمد", "احمد"), ("القاعدة", "قاعده"), ("مُحَمَّد", "محمد"), ("كـتاب", "كتاب"),
    ("كتابی", "کتابي"), ("שֵׁם", "שם"), ("התשלומים", "תשלומים"), ("फ़ैसला", "फैसला"), ("जाँच", "जांच"),
    ("ＵＴＦ８", "utf8"), ("ｻﾄｳ", "サトウ"), ("ｶﾞｷﾞ", "ガギ"), ("\u304b\u3099く", "がく"),
    ("\u1112\u1161\u11ab글", "한글"), ("٤٥", "45"),
]  # fmt: skip


def terms(text: str) -> list[tuple[str, ...]]:
    """The terms of each word."""
    return [token.terms for token in tokens(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hello, world!", [("hello",), ("world",)]),
        ("deployed deploys", [("deploi",), ("deploi",)]),
        ("max_retries src/main.py", [("max",), ("retri",), ("src",), ("main",), ("py",)]),
        ("maxRetries", [("maxretri", "max", "retri")]),
        ("HTTPServer2", [("httpserver2", "http", "server", "2")]),
        ("Café cafe\u0301", [("cafe",), ("cafe",)]),
        ("支付服务", [("支付",), ("付服",), ("服务",), ("务",)]),
        ("团", [("团",)]),
        ("用Redis做", [("用",), ("redi",), ("做",)]),
        ("don't", [("don",), ("t",)]),
        ("… — !?", []),
        ("", []),
    ],
)
def test_words_and_their_terms(text: str, expected: list[tuple[str, ...]]) -> None:
    """Words are folded and stemmed, names taken apart, unspaced text paired, signs left out."""
    assert terms(text) == expected


@given(text=st.text(max_size=80))
def test_tokens_stand_where_they_say(text: str) -> None:
    """Places are those of the original string, in order, and never empty."""
    found = list(tokens(text))

    assert all(0 <= token.start < token.end <= len(text) for token in found)
    assert [token.start for token in found] == sorted(token.start for token in found)
    assert all(token.terms for token in found)


@given(text=st.text("aAbB_0é支付あ한 .", max_size=40))
def test_nothing_of_a_text_is_lost(text: str) -> None:
    """Every letter and digit belongs to some word."""
    covered = {place for token in tokens(text) for place in range(token.start, token.end)}

    assert {place for place, letter in enumerate(text) if letter.isalnum()} <= covered


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain words stay", "plain words stay"),
        ("支付", " 支付 付 "),
        ("用Redis做", " 用 Redis 做 "),
        ("set maxRetries", "set maxRetries\nmax Retries"),
        ("aB cD aB", "aB cD aB\na B c D"),
    ],
)
def test_text_is_prepared_for_an_index(text: str, expected: str) -> None:
    """Pairs for unspaced scripts, and the parts of names at the end."""
    assert searchable(text) == expected


def test_long_runs_are_no_names() -> None:
    """Base64 and the like are not taken apart."""
    run = "aB" * 200

    assert searchable(run) == run
    assert identifier_parts("aBcDeFgHiJkLmNoPqRsT") == ()


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("déploiement", ()),
        ("maxRetries", ("max", "Retries")),
        ("HTTPServerError", ("HTTP", "Server", "Error")),
        ("utf8", ("utf", "8")),
        ("plain", ()),
        ("CAPITALS", ()),
        ("", ()),
    ],
)
def test_names_are_taken_apart_at_their_case(word: str, parts: tuple[str, ...]) -> None:
    """Small after capital and digit after letter begin a part; a word of one part has none."""
    assert identifier_parts(word) == parts


def test_pairs_begin_at_every_character() -> None:
    """So that one, two or many characters find their place."""
    assert pairs("支付服务") == ["支付", "付服", "服务", "务"]
    assert pairs("") == []


@pytest.mark.parametrize(
    ("word", "folded"),
    [("ÉCOLE", "ecole"), ("Straße", "straße"), ("İstanbul", "istanbul"), ("Ёлка", "елка"), ("Ångström", "angstrom")],
)
def test_case_and_accents_are_folded(word: str, folded: str) -> None:
    """Words are found however they are written."""
    assert fold(word) == folded


@pytest.mark.parametrize("text", ["支付", "がくせい", "パーティー", "한국어", "ไทย", "𠮷"])
def test_unspaced_scripts_are_known(text: str) -> None:
    """Han with its extensions, Kana, Hangul and Thai are written without spaces."""
    assert is_unspaced(text)
    assert not is_unspaced(text + "a")


@pytest.mark.parametrize("text", ["が", "パ", "한국", "각"])
def test_folding_leaves_unspaced_scripts_alone(text: str) -> None:
    """Kana keep their marks and Hangul its syllables: what is looked for must be what was indexed."""
    assert fold(text) == text


@given(text=st.text(st.characters(exclude_categories=()), max_size=40))
def test_cleaned_text_can_be_stored(text: str) -> None:
    """Without NUL and lone surrogates any text is valid UTF-8; the rest stays as it was."""
    cleaned = clean(text)

    assert "\0" not in cleaned
    assert cleaned.encode().decode() == cleaned
    assert clean(cleaned) == cleaned


def test_clean_text_is_given_back_as_it_is() -> None:
    """Good text costs no copy, and pairs of surrogates become the character they stand for."""
    text = "good text 😀"

    assert clean(text) is text
    assert clean("\ud83d\ude00 \ud83d") == "😀 \ufffd"


@settings(max_examples=300, deadline=None)
@given(text=st.text("abcdeghilnrstyABCDE019 _-./äöüßéñабвЖα支付あ한", max_size=40))
def test_the_index_has_every_term(text: str) -> None:
    """What `tokens` says a text is found by, SQLite finds in what `searchable` gives it."""
    tokenizer = apsw.Connection(":memory:").fts5_tokenizer("porter", ["unicode61", "remove_diacritics", "2"])
    prepared = searchable(text).encode()
    found = tokenizer(prepared, apsw.FTS5_TOKENIZE_DOCUMENT, None, include_offsets=False)

    assert {term for word in tokens(text) for term in word.terms} <= {term for word in found for term in word}


def by_sqlite(text: str) -> set[str]:
    """The words that SQLite would have of a text in its index."""
    tokenizer = apsw.Connection(":memory:").fts5_tokenizer("porter", ["unicode61", "remove_diacritics", "2"])
    found = tokenizer(text.encode(), apsw.FTS5_TOKENIZE_DOCUMENT, None, include_offsets=False)
    return {str(term) for word in found for term in word}


@pytest.mark.parametrize(("written", "asked"), INDEXED)
def test_a_word_is_found_by_its_other_spelling(written: str, asked: str) -> None:
    """Letters with two spellings, vowel signs, width and articles written with the word do not hide it."""
    assert by_sqlite(searchable(respelled(asked))) <= by_sqlite(searchable(written))
    assert terms(respelled(asked))[0][0] in terms(written)[0]


@pytest.mark.parametrize("written", [written for written, _ in INDEXED])
def test_a_word_is_found_as_it_stands(written: str) -> None:
    """The other spelling is added and replaces nothing: what an older index found is still found."""
    paired = " ".join(pairs(written)) if is_unspaced(written) else written

    assert by_sqlite(paired) <= by_sqlite(searchable(written))


@given(word=st.text(SPACED, max_size=12) | st.text(UNSPACED, max_size=12))
def test_the_plainest_spelling_has_no_plainer_one(word: str) -> None:
    """Respelling twice is respelling once."""
    once = respelled(word)

    assert respelled(once) == once
    assert respelled_words(word) == once


@settings(deadline=None)
@given(words=st.lists(st.sampled_from([word for couple in INDEXED for word in couple]), max_size=6))
def test_the_index_has_the_plainest_spelling_of_every_word(words: list[str]) -> None:
    """Whatever stands around it."""
    text = " / ".join(words)

    assert by_sqlite(searchable(respelled_words(text))) <= by_sqlite(searchable(text))


@given(text=st.text(SPACED + UNSPACED + " .-", max_size=30))
def test_a_composed_character_stands_where_its_parts_do(text: str) -> None:
    """Places are those of the original text, also where two signs make one letter; nothing is left out."""
    covered = {place for token in tokens(text) for place in range(token.start, token.end)}

    assert {place for place, letter in enumerate(text) if letter.isalnum()} <= covered
    assert all(0 <= token.start < token.end <= len(text) for token in tokens(text))


@pytest.mark.parametrize("text", ["plain words", "déjà vu, señor – Köln “ok” 😀"[:-2], "обычный текст", "שלם"])
def test_text_without_other_spellings_costs_no_copy(text: str) -> None:
    """Text that needs no preparation is given back itself, for imports have much of it."""
    encoded = text.encode()

    assert searchable_bytes(encoded) is encoded
