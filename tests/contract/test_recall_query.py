"""What every recall backend promises about queries: any text, in any language, with any punctuation, is one."""

import string
from collections.abc import Iterator
from itertools import count

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from noctuary.recall.contract import RecallStore
from tests.contract.building import BACKENDS, best, find, new_backend, search, tell

MANY = settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.mark.parametrize(
    ("content", "query"),
    [
        ("这个团队很好", "团"),
        ("这个团队很好", "好"),
        ("昨天我们的支付服务在上海挂了", "支付服务"),
        ("昨天我们的支付服务在上海挂了", "支付服务?"),
        ("昨天我们的支付服务在上海挂了", "支付服务？"),
        ("昨天我们的支付服务在上海挂了", "支付服务！"),
        ("昨天我们的支付服务在上海挂了", "“支付服务”"),
        ("昨天我们的支付服务在上海挂了", '"支付服务"'),
        ("我们上次说的那家咖啡馆在南京西路", "上次说的咖啡"),
        ("我们上次说的那家咖啡馆在南京西路", "咖啡馆在哪里？"),
        ("去年在广西的桂林开会", "广西 桂林"),
        ("我们用 redis 做了缓存", "redis缓存"),
        ("用Redis做缓存", "Redis"),
        ("用Redis做缓存", "redis 缓存"),
        ("サーバーが落ちました", "サーバー"),
        ("デプロイに失敗した", "デプロイ"),
        ("ログインの画面", "ログイン画面"),
        ("결제 서비스가 중단되었습니다", "결제"),
        ("결제 서비스가 중단되었습니다", "서비스"),
        ("การชำระเงินล้มเหลว", "ชำระเงิน"),
        ("𠮷野家で会議", "𠮷野家"),
    ],
)
def test_unspaced_scripts(recall: RecallStore, content: str, query: str) -> None:
    """Inside text without spaces every piece is found, from one character on, and marked."""
    tell(recall, "s", content)
    tell(recall, "other", "nothing of the kind")

    assert find(recall, query) == ["s"]


def test_a_chinese_match_is_marked_at_its_place(recall: RecallStore) -> None:
    """The hit is the message that has it, and the snippet shows where."""
    tell(recall, "s", "你好", "昨天我们的支付服务在上海挂了", "再见")

    hit = best(recall, "支付服务")
    assert hit.anchor_id == 2
    assert ">>>支付服务<<<" in hit.snippet


@pytest.mark.parametrize(
    ("content", "query"),
    [
        ("fixed in #123 yesterday", "#123"),
        ("look at src/main.py first", "src/main.py"),
        ("look at src/main.py first", "main.py"),
        ("look at src/main.py first", "main"),
        ("I don't know", "don't"),
        ("it is 50% done", "50%"),
        ("write to alice@example.com", "alice@example.com"),
        ("it costs $5 a month", "$5"),
        ("the pair a,b here", "a,b"),
        ("error E-1234 came up", "E-1234"),
        ("error: happened today", "error: happened"),
        ("set max_retries to 5", "max_retries"),
        ("set max_retries to 5", "retries"),
        ("set maxRetries to 5", "maxRetries"),
        ("set maxRetries to 5", "maxretries"),
        ("set maxRetries to 5", "retry"),
        ("set HTTPServerError there", "server"),
        ("call foo.bar.baz()", "foo.bar.baz"),
        ("run with --no-cache", "--no-cache"),
        ("rm -rf build", "-rf"),
        ("see https://example.com/a?b=c&d=1", "https://example.com/a?b=c&d=1"),
        ("C++ and C# code", "C++"),
        ("if a && b", "&&"),
        ("x => y", "=>"),
        ("version 3.11.2 works", "3.11.2"),
        ("commit 9fe9c314 broke it", "9fe9c314"),
        ("sha 9fe9c314ab broke it", "9fe9*"),
        ("emoji 🚀 launch", "🚀"),
    ],
)
def test_punctuation_finds_its_literal(recall: RecallStore, content: str, query: str) -> None:
    """Names, paths, numbers and signs are found as they are typed, and by their parts."""
    tell(recall, "other", "nothing of the kind")
    tell(recall, "s", content)

    assert find(recall, query)[:1] == ["s"]


def test_a_percent_sign_is_no_wildcard(recall: RecallStore) -> None:
    """`100%` does not find everything that begins with 100, nor `_` everything."""
    tell(recall, "percent", "coverage reached 100% today")
    tell(recall, "longer", "there are 1001 nights")
    tell(recall, "words", "maxxretries")

    assert find(recall, "100%") == ["percent"]
    assert find(recall, "max_retries") == []
    assert find(recall, "%") == ["percent"]


@pytest.mark.parametrize("sign", string.punctuation)
def test_every_sign_is_valid_alone_and_inside(recall: RecallStore, sign: str) -> None:
    """No sign is an error; between two words it keeps neither from being found."""
    tell(recall, "s", f"the apricot{sign}orchard")

    search(recall, sign)
    search(recall, sign * 7)
    assert find(recall, f"apricot{sign}orchard") == ["s"]
    assert find(recall, f"apricot {sign} orchard") == ["s"]
    assert find(recall, f"apricot{sign}") == ["s"]


@pytest.mark.parametrize(
    "query",
    [
        "apricot AND orchard",
        "apricot OR nothing",
        "apricot NOT orchard",
        "NOT apricot",
        "apricot NEAR orchard",
        "NEAR(apricot orchard, 5)",
        "text:apricot",
        "^apricot",
        "(apricot",
        "apricot)",
        '"apricot',
        'apricot" orchard',
        "apricot + orchard",
        "{text}: apricot",
        "apricot*orchard",
        "'apricot'; drop table messages; --",
        "apricot\0orchard",
        "what did we agree about the apricot orchard?",
    ],
)
def test_operators_are_plain_text(recall: RecallStore, query: str) -> None:
    """What means something to a database means nothing here."""
    tell(recall, "s", "the apricot orchard")
    for i in range(5):
        tell(recall, f"other{i}", "something else")

    assert find(recall, query) == ["s"]


@pytest.mark.parametrize("word", ["AND", "OR", "NOT", "NEAR", "the", "what"])
def test_a_word_that_says_little_is_found_if_it_is_all_there_is(recall: RecallStore, word: str) -> None:
    """A query of nothing but such words is still a query."""
    tell(recall, "s", f"they wrote {word} in capitals")
    tell(recall, "other", "nothing else")

    assert find(recall, word) == ["s"]


CONVERSATIONS = {
    "redis": "We dropped Redis because the sessions fit into SQLite and nobody wants another daemon.",
    "backup": "The cluster backup decision: nightly snapshots to S3, kept for thirty days.",
    "tax": "VAT is rounded per line, not per invoice, as the accountant asked.",
    "flaky": "The flaky test depends on the time zone of the runner; we freeze the clock now.",
    "rechnung": "Wir haben die Zahlung auf Rechnung abgeschaltet, weil zu viele Mahnungen nötig waren.",
    "livraison": "La livraison gratuite commence à cinquante euros, décidé avec le service marketing.",
    "servidor": "El servidor de correo se cayó por un certificado caducado; lo renovamos con un cron.",
    "сервер": "Мы перенесли базу данных на новый сервер, потому что старый диск был заполнен.",
    "fatura": "A fatura eletrônica é enviada por fila, com três tentativas antes do erro.",
    "fattura": "La coda delle email è bloccata quando il server SMTP risponde con errore 421.",
    "日本": "決済サービスのタイムアウトは三十秒に変更しました。",
    "中文": "我们决定把缓存从内存改成磁盘，因为重启以后数据会丢失。",
}


@pytest.fixture(scope="module", params=BACKENDS)
def conversations(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RecallStore]:
    """A dozen conversations in many languages."""
    with new_backend(request.param, tmp_path_factory.mktemp("recall")) as backend:
        recall = backend.open()
        for name, text in CONVERSATIONS.items():
            tell(recall, name, text)
        yield recall


@pytest.mark.parametrize(
    ("question", "session"),
    [
        ("why did we drop redis?", "redis"),
        ("Why was it again that we got rid of the Redis daemon?", "redis"),
        ("what did we decide about cluster backups", "backup"),
        ("How long do we keep the snapshots?", "backup"),
        ("how do we round the VAT on invoices?", "tax"),
        ("which tests were flaky and why", "flaky"),
        ("Warum haben wir die Zahlung auf Rechnung abgeschaltet?", "rechnung"),
        ("Wieso waren so viele Mahnungen nötig", "rechnung"),
        ("à partir de combien la livraison est-elle gratuite ?", "livraison"),
        ("¿Por qué se cayó el servidor de correo?", "servidor"),
        ("по какой причине перенесли базу данных?", "сервер"),
        ("quantas tentativas tem a fatura eletronica?", "fatura"),
        ("perché la coda delle email si blocca", "fattura"),
        ("決済サービスのタイムアウトは何秒ですか？", "日本"),
        ("为什么把缓存改成磁盘？", "中文"),
    ],
)
def test_natural_questions(conversations: RecallStore, question: str, session: str) -> None:
    """A question finds its answer although not all of its words occur in it."""
    assert find(conversations, question)[:1] == [session]


@MANY
@given(text=st.text(max_size=60) | st.text(alphabet=string.punctuation + ' aé支"*:-', max_size=30))
@example(text="\ud800")
@example(text="a\ud800b")
@example(text='"\udfff"')
@example(text="-\ud800 x")
@example(text="project:\ud800 x")
@example(text="session:\0 x")
@example(text="after:9999-12-31 x")
@example(text="after:99999y x")
@example(text="before:0001-01-01 x")
@example(text="role:nobody x")
@example(text="x " * 5000)
def test_any_text_is_a_query(conversations: RecallStore, text: str) -> None:
    """Nothing that can be typed is an error."""
    found = search(conversations, text)

    assert found.query == text
    assert len(found.hits) <= len(CONVERSATIONS)


# Without letters whose marks SQLite does not fold but we do, such as ё and ά.
LETTERS = st.sampled_from("abcdeghilnrstyABCDEIRS0123456789") | st.sampled_from(
    "äöüßéèçñøłİığşабвгЖαβÅ支付服务广西桂林あがパー한국어요กขค"
)
WORDS = st.text(LETTERS, min_size=1, max_size=8)
TEXTS = st.lists(st.tuples(WORDS, st.sampled_from([" ", ", ", "_", "-", ".", "/", "。", "'", "\n"])), max_size=6)


_owners = count()


@MANY
@given(before=TEXTS, word=WORDS, after=TEXTS, other=WORDS)
def test_backends_agree(each_kind: list[RecallStore], before: object, word: str, after: object, other: str) -> None:
    """A word either finds a message in every backend or in none; a whole word of the message always does."""
    pieces = [*_joined(before), word, " ", *_joined(after)]
    owner = f"owner{next(_owners)}"
    for recall in each_kind:
        tell(recall, "s", "".join(pieces), owner=owner)

    assert [find(recall, f" {word} ", owner=owner) for recall in each_kind] in (
        [["s"]] * len(each_kind),
        [[]] * len(each_kind),
    )
    answers = [find(recall, other, owner=owner) for recall in each_kind]
    assert answers == answers[:1] * len(each_kind)
    prefixed = [find(recall, f"{other[:2]}*", owner=owner) for recall in each_kind]
    assert prefixed == prefixed[:1] * len(each_kind)


def _joined(pieces: object) -> list[str]:
    assert isinstance(pieces, list)
    return ["".join(piece) for piece in pieces]
