"""How people tell what is so in other languages: "der Testserver hat 4 GB", "on n'utilise pas d'ORM", "服务器在新加坡".

An errand begins with what is to be done; what is so begins with the thing it is told of, or with where it holds.  That
needs few words of a language, and says little: whoever tells something lays nothing down by it.
"""

import re

from noctuary.authored import EventType
from noctuary.models.rules.stating import HARDLY, LIKELY, RELAYS

_ENDS = re.compile(r"(?<=[.!?;])\s+|(?<=[。！？；])|\n+")
_MOST_WORDS = 40  # of a sentence: what is longer is hardly typed
_FEWEST = 4


def _any_of(words: str) -> str:
    """A pattern for one of the words and phrases that commas are between."""
    return "|".join(" ".join(word.split()) for word in words.split(","))


# How people begin who tell something by the way, or want it to be known.
_ASIDE = re.compile(
    r"(?:pour info|à noter|au fait|pour rappel|attention|zur info|übrigens|nebenbei|achtung|vorsicht|wichtig|hinweis|"
    r"por cierto|para que sepas|a propósito|ojo|aviso|aliás|a propósito|só para saber|atenção|cuidado|tra l['’]altro|"
    r"per inciso|attenzione|кстати|к сведению|внимание|trouwens|let op|ter info|förresten|przy okazji|"
    r"uwaga)\b[\s,:!–-]*",
    re.IGNORECASE,
)
_ASIDE_UNSPACED = re.compile(
    r"(?:ちなみに|なお|注意[:：、]|補足|顺便说一下|顺便说|顺便|提醒一下|注意[:：，]|说明一下|참고로)"
)
# Of each language: how a sentence begins that tells of a thing, and what it goes on with, so that it is that language.
_LANGUAGES = (
    (
        r"""die, der, das, den, dem, ein, eine, unser\w*, mein\w*, euer, eure\w*, alle, jede\w*, bei (?:uns|mir),
        hier, kein\w*, wir, man, nachts, tagsüber, morgens, abends, im, in (?:der|den|dem|diesem|unser\w*), am,
        an der, auf (?:der|dem), für, nur, ab, seit, bis, aus, zwischen, unter, neue,
        (?!was|wie|wo|wann|wer|warum|wieso|das|es|ich|da|du|ihr|so|dann)\w\w\w+(?=
        (?:heißen|heißt|sind|ist|werden|wird|haben|hat|müssen|muss|kommen|kommt|gehören|gehört|liegen|liegt|laufen|läuft|beginnen|beginnt|gehen|geht|dürfen|darf|sollen|soll|bleiben|bleibt|brauchen|braucht|bekommen|bekommt|nutzen|nutzt|verwenden|verwendet|macht|(?:schreiben|machen|nehmen|testen|bauen|halten|nennen)
        wir)\b)""",
        r"""ist, sind, hat, haben, wird, werden, darf, dürfen, soll, sollen, muss, müssen, kann, können, braucht,
        brauchen, läuft, laufen, heißt, heißen, gilt, gelten, gehört, gehören, liegt, liegen, steht, stehen,
        macht, machen, nutzt, nutzen, kommt, kommen, geht, gehen, bleibt, bleiben, möchte, möchten, will,
        wollen, bekommt, bekommen, beginnt, beginnen, endet, enden, kostet, erlaubt, verlangt, erwartet,
        akzeptiert, unterstützt, lehnt, prüft, entscheidet, hält, trägt, spricht, verwendet, verwenden, benutzt,
        benutzen, arbeitet, arbeiten, schreibt, schreiben, nimmt, nehmen, gibt, wir [a-zäöüß]+en, [a-zäöüß]+en
        wir, speichert, liefert, schickt, sendet, startet, schließt, öffnet, zahlt, betreibt, betreut""",
    ),
    (
        r"""el, la, los, las, un, una, nuestr\w+, mis?, cada, todos, todas, todo, aquí, en
        (?:este|esta|el|la|los|las|nuestr\w+), para, no se, se, sólo, solo, ningún, ninguna, nadie, tenemos,
        usamos, a partir de, entre""",
        r"""el, los, las, del, que, con, por, para, es, son, está, están, tiene, tienen, se, al, lo, su, sus, un,
        una, siempre, llevan?, hay""",
    ),
    (
        r"""le, la, les, un, une, nos, notre, mon, ma, mes, chaque, tous, toutes, tout, on, nous, chez nous, ici, en
        (?:prod\w*|interne), pour (?:les?|la|nos|ce|chaque), dans (?:ce|cette|nos|le|la|les|notre), aux?,
        aucune?, seuls?, seules?, l['’]\w+""",
        r"""du, des, que, avec, par, pour, en, est, sont, ont, se, ne, pas, dans, sur, aux?, chaque, le, les,
        n['’]\w+, d['’]\w+, à""",
    ),
    (
        r"""o, a, os, as, um, uma, nosso, nossa, nossos, nossas, meu, minha, cada, todos, todas, todo, toda, a
        gente, aqui, no, na, nos, nas, em, para, ninguém, nenhum, nenhuma, só, se, temos, usamos, entre""",
        r"""são, é, tem, têm, não, só, pela, pelo, da, do, das, dos, na, no, com, que, toda, todo, mais, até, à, às,
        ao, uma, está, pra""",
    ),
    (
        r"""il, lo, la, i, gli, le, un, una, nostr\w+, ogni, tutti, tutte, qui, da noi, nessun\w*, si, non si, per
        (?:il|la|i|le), l['’]\w+""",
        r"""di, del, della, dei, delle, che, con, è, sono, hanno, si, nel, nella, più, al, dal, alle, sempre, viene,
        vengono, ogni""",
    ),
    (
        r"""de, het, een, onze, elke, alle, bij ons, hier, geen, wij, we, in (?:dit|deze|ons), voor""",
        r"""is, zijn, heeft, hebben, moet, mag, wordt, worden, van, met, voor, niet, het, draait, staat, gaat, komt""",
    ),
    (
        r"""наш\w*, кажд\w+, все, всё, люб\w+, у нас, в (?:этом|нашем|проде|проекте), только, никто, мой, моя, база,
        сервер""",
        r"""на, в, с, по, для, до, от, не, из, и, это, через, только, раз""",
    ),
)
_SENTENCES = tuple(
    re.compile(rf"(?:{_any_of(begins)})\b(?=.*?\b(?:{_any_of(goes_on)})\b)") for begins, goes_on in _LANGUAGES
)
# What is wrong or wanted just now, and what is only said about what was done.
_OF_THE_DAY = re.compile(
    r"\b(?:gerade|heute|gestern|morgen|jetzt|noch|schon wieder|wieder|kaputt|fehl(?:t|en|te|ten)|fehler(?!meld|code|"
    r"text)\w*|leider|geht nicht|komisch|"
    r"problem\w*|abgestürzt|langsam|rot|grün|sieht|scheint|glaube|"
    r"hoy|ayer|mañana|ahora|todavía|aún|otra vez|falla\w*|falló|error\w*|roto|rota|lento|lenta|parece|creo|"
    r"problema\w*|"
    r"aujourd['’]hui|hier(?= (?:soir|matin|on|nous|j))|demain|maintenant|encore|plante\w*|panne|cassée?|"
    r"erreurs?(?! doi)|"
    r"échou\w+|marche pas|fonctionne pas|lente?|semble|crois|problèmes?|vide|"
    r"hoje|ontem|amanhã|agora|ainda|de novo|falh\w+|erro|quebr\w+|parece|acho|"
    r"oggi|ieri|domani|adesso|ancora|errore|rotto|sembra|credo|vandaag|gisteren|morgen|nu|nog|fout|kapot|lijkt|"
    r"сегодня|вчера|завтра|сейчас|ещё|еще|опять|ошибк\w+|слома\w+|упал\w*|кажется|думаю)\b"
)
_TOLD_UNSPACED = re.compile(
    r"[はがにをで].*(?:です|ます|である|ている|ません|ない|した|する|なっています)[。．]?$|"
    r"(?:是|在|有|用|由|为|只|都|每|支持|需要|负责|运行|使用|采用|保存|发布|来自|属于|放|走)"
)
_NOT_UNSPACED = re.compile(
    r"^(?:把|再|帮|打开|運行|运行|看|请看|继续|删|等|试|改|加|写|提交|推送|解释|为什么|为啥|怎么|什么|这个(?:文件|函数|地方)|那个|我先|我去|我再)"
    r"|[?？吗呢吧]|一下|看看|试试|报错|出错|错误了|失败|挂了|坏了|现在|刚才|今天|好像|似乎|谢谢|可以了|没问题"
    r"|ありがとう|お願いします|ください|でしょうか|ですか|ますか|エラーが|動かない|動きません|失敗|落ち|壊れ|さっき|今日|まだ|もう一度|いい感じ"
    r"|この(?:ファイル|関数|行|部分)|その|あの|思います|見えます|ようです"
)
_REQUEST = re.compile(r"(?:ください|下さい|お願いします|してほしい|してくれ)(?:ませんか)?[。．!！]?$|^(?:请|帮我|麻烦)")
_SIGNS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_FEWEST_SIGNS, _MOST_SIGNS = 7, 90


def told_elsewhere(text: str) -> dict[EventType, float]:
    """How much the sentences of a text in one of these languages speak for each type."""
    sentences = _ENDS.split(text)
    told = [sentence for sentence in sentences if _is_told(sentence)]
    if any(map(_is_by_the_way, told)):
        return {EventType.FINDING: LIKELY}
    if told and not any(map(_asks, sentences)):  # else it is told for the sake of what is asked
        return {EventType.FINDING: HARDLY}
    return {}


def _is_told(sentence: str) -> bool:
    """Whether a sentence only tells how something is."""
    if _SIGNS.search(sentence):
        return _is_told_unspaced(sentence)
    small = _ahead(sentence).lower()
    count = small.count(" ") + 1
    if not _FEWEST <= count <= _MOST_WORDS or small.rstrip().endswith("?") or _is_passing(small):
        return False
    return any(begins.match(small) for begins in _SENTENCES)


def _asks(sentence: str) -> bool:
    """Whether a sentence wants something done or known."""
    return sentence.rstrip().endswith(("?", "？")) or _REQUEST.search(sentence) is not None


def _is_passing(small: str) -> bool:
    return _OF_THE_DAY.search(small) is not None or RELAYS.search(small) is not None


def _is_by_the_way(sentence: str) -> bool:
    """Whether somebody wants it to be known."""
    return _ASIDE.match(sentence) is not None or _ASIDE_UNSPACED.match(sentence) is not None


def _ahead(sentence: str) -> str:
    """The sentence without what only announces it."""
    found = _ASIDE.match(sentence)
    return sentence[found.end() :] if found else sentence


def _is_told_unspaced(sentence: str) -> bool:
    signs = len(_SIGNS.findall(sentence))
    if not _FEWEST_SIGNS <= signs <= _MOST_SIGNS or _NOT_UNSPACED.search(sentence):
        return False
    return _TOLD_UNSPACED.search(sentence) is not None
