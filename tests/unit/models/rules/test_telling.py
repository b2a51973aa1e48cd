"""How people tell what is so in other languages."""

import pytest

from noctuary.authored import EventType
from noctuary.models.rules.stating import HARDLY, LIKELY
from noctuary.models.rules.telling import told_elsewhere
from tests.unit.models.rules.talking import found, user


@pytest.mark.parametrize(
    "text",
    [
        "der Testserver hat nur 4 GB Arbeitsspeicher",
        "bei uns macht Jonas die Freigaben",
        "la tabla pedidos tiene 80 millones de filas",
        "on n'utilise pas d'ORM dans ce projet",
        "o banco de produção só aceita conexões pela VPN",
        "il cliente vuole che tutto sia in italiano",
        "het project draait op twee servers in Utrecht",
        "наши пользователи работают в основном с телефона",
        "我们的服务器在新加坡",
        "うちのチームではレビューは二人必要です",
    ],
)
def test_what_is_so_is_told(text: str) -> None:
    """It begins with the thing, or with where it holds; by itself it says little."""
    assert told_elsewhere(text) == {EventType.FINDING: HARDLY}


@pytest.mark.parametrize(
    "text",
    [
        "lösch die Datei wieder",
        "die Seite ist heute kaputt",
        "muéstrame el diff de la tabla",
        "la página está rota otra vez",
        "montre-moi le fichier en entier",
        "le serveur est encore en panne",
        "roda os testes de novo",
        "把这个文件删掉吧",
        "このファイルを消してください",
        "der Server steht wo?",
        "the page is on the server",
        "請求書PDFの消費税の端数処理が1円ずれています。原因を調べてください。",
        "der Testserver hat nur 4 GB Speicher. Reicht das?",
    ],
)
def test_errands_and_what_is_wrong_today_are_not(text: str) -> None:
    """Who begins with what is to be done wants it done; and English has its own rules."""
    assert told_elsewhere(text) == {}


def test_what_somebody_wants_to_be_known_counts_for_more() -> None:
    """Told by the way, it is told to be known."""
    assert told_elsewhere("pour info, le serveur redémarre chaque nuit à 3 h") == {EventType.FINDING: LIKELY}


@pytest.mark.parametrize(
    "text",
    [
        "die Datei darf höchstens 5 MB groß sein",
        "les tests doivent passer en moins de 5 minutes",
        "préviens-moi avant de toucher à la base",
        "lieber viele kleine Commits als ein großer",
        "APIのタイムアウトは5秒にしてください",
        "测试覆盖率不能低于80%",
    ],
)
def test_limits_and_ways_rule_in_any_language(text: str) -> None:
    """How much there may be at most, what comes before what, and what is rather so than so."""
    assert [each.type for each in found(user(text))] == [EventType.CONSTRAINT]


def test_what_another_is_said_to_say_is_not_told_by_the_user() -> None:
    """Nor what stands between quotes, or below a first paragraph."""
    assert found(user("der Kunde schreibt der Server hat 4 GB Speicher")) == []
    assert found(user("der Hinweis „der Server hat 4 GB Speicher“ stört")) == []
