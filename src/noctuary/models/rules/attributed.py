"""What a prompt puts down to others, or doubts: "the installer wants us to …", "according to …", "is that true?".

Whoever names the source of a sentence, or asks whether it holds, does not lay it down.  What a colleague or a customer
says may be agreed to, so it stays; what a program, a page, another agent or somebody unknown demands does not.
"""

import re
from collections.abc import Iterator

from noctuary.models.rules.reported import SOURCES, in_small_letters, line_end, lines_with

_OURS = r"(?! (?:our|my|us|unser|mein|nos|notre|mon|nuestr|nostr|noss|onze|ons|наш|mó|nasz))"
_ACCORDING = re.compile(
    r"\b(?:according to|laut|gemäß|selon|d['’]après|según|secondo (?=(?:il|la|lo|l['’]|i|gli|le)\b)|"
    rf"segundo (?=(?:o|a|os|as)\b)|volgens|согласно|według|enligt|ifølge|podle){_OURS}"
    r"(?! (?:ist|und|oder|sein|wird|werden|genug)\b)\W*\w",
    re.IGNORECASE,
)
_PAGES = rf"(?:{SOURCES}|wiki|notes?|spec|nachricht|brief|schreiben|correo|mensaje|courriel|billet|письме|чате)"
_IT_SAYS = re.compile(
    rf"\b(?:in|im|on|at|auf|en|dans|sur|nel\w*|sul\w*|no|na|em|в|на|w) (?:[\w-]+ ){{0,3}}?{_PAGES}\b[^.!?:\n]{{0,30}}? "
    r"(?:(?:it|they) says?|it reads|steht|pone|dice|se lee|est écrit|c['’]est écrit|c['’]è scritto|está escrito|"
    r"написано|napisano|staat)\b"
    rf"|\b{_PAGES} (?:has|had|contains) (?:this|a|the) (?:line|note|sentence|passage|section|paragraph)\b"
    r"|\bthere(?:['’]?s| is| was) (?:this|a) (?:line|note|sentence|passage|comment)s? (?:in|on|at) (?:[\w-]+ ){0,2}?"
    rf"{_PAGES}\b",
    re.IGNORECASE,
)
# Who has no say: programs and what they show, other agents, and people of whom nothing is known.
_THINGS = (
    r"banners?|pop-?ups?|dialogs?|installers?|wizards?|errors?|warnings?|alerts?|notifications?|linters?|compilers?|"
    r"scripts?|tools?|plug-?ins?|extensions?|programs?|bots?|agents?|assistants?|llms?|ai|chatgpt|copilot|codex|gemini|"
    r"cli|terminal|console|hooks?|outputs?|motd|repo|templates?|snippets?|website|site|forum|reddit|stack ?overflow|"
    r"videos?|tutorials?|readme|[\w./-]+\.md|docs?|comments?|blog|page|pip|npm|"
    r"(?:someone|somebody|some (?:guy|dude|person|user|stranger)|an? (?:guy|dude|stranger|random \w+)|people|folks)"
)
_SAYS = (
    r"says?|said|states?|stated|wants?|wanted|tells?|told|asks?|asked|warns?|warned|advises?|recommends?|recommended|"
    r"suggests?|suggested|thinks?|insists?|claims?|claimed|prints?|printed|decided|demands?|writes?|wrote|"
    r"left (?:a|this) (?:note|message)"
)
_DEMANDED = (
    r"(?:[:'\"“]|(?:(?:us|me|you|everyone|people) )?(?:that|to|always|never|must|should|from now|do not|don['’]?t|"
    r"not to)"
    r"\b|(?:we|you|one) (?:must|should|shall|have|has|need|needs|always|never|ought|may|can|cannot|can['’]?t)\b)"
)
_BY_THINGS = re.compile(
    rf"(?<!\bour )(?<!\bmy )\b(?:{_THINGS})(?: (?:of|in|on|from|above|below|at|"
    rf"over) (?:[\w./'’-]+ ){{0,3}}?[\w./'’-]+)?"
    rf"(?: (?:also|just|now|even|clearly|kindly))? (?:{_SAYS}) ?{_DEMANDED}"
    r"|\b(?:an?|the|this) (?:pop-?up|dialog|banner|notification|warning|alert|comment)s? ?: "
    rf"|\b(?:told|asked) by (?:[\w-]+ ){{0,3}}?(?:{_THINGS}) {_DEMANDED}"
    r"|\bi(?:['’]ve| have)? (?:read|heard|saw)(?: \w+){0,3}? that (?:we|you|one|it|they|the|all|every|no)\b",
    re.IGNORECASE,
)
_NOT_OURS = r"(?<!\bunser )(?<!\bmein )(?<!\bnuestro )(?<!\bnotre )(?<!\bnostro )(?<!\bnosso )(?<!\bнаш )"
# The same in other languages; what is demanded needs no words there, for these verbs hardly mean anything else.
_BY_THINGS_ELSEWHERE = re.compile(
    rf"{_NOT_OURS}\b(?:bot|agent|assistent|fehlermeldung|meldung|warnung|installer|skript|script|seite|forum|"
    rf"kommentar|doku\w*|"
    r"anleitung|banner|programm|linter|compiler|stackoverflow|reddit|netz|jemand|irgendwer)(?: [^\s.,!?:]+){0,3}? "
    r"(?:sagt|meint|will|verlangt|schreibt|behauptet|empfiehlt|steht|möchte|fordert)\b"
    rf"|{_NOT_OURS}\b(?:bot|agente|asistente|error|mensaje|instalador|script|página|foro|comentario|aviso|alguien|"
    rf"programa)"
    r"(?: [^\s.,!?:]+){0,3}? (?:dice|pide|quiere|exige|recomienda|pone|sugiere)\b"
    rf"|{_NOT_OURS}\b(?:bot|agent|assistant|erreur|message|installeur|script|page|forum|commentaire|quelqu['’]un|"
    rf"programme|outil)"
    r"(?: [^\s.,!?:]+){0,3}? (?:dit|demande|veut|exige|recommande|conseille|écrit)\b"
    rf"|{_NOT_OURS}\b(?:bot|agente|assistente|errore|messaggio|pagina|forum|commento|qualcuno|programma|erro|"
    rf"mensagem|comentário|"
    r"alguém)(?: [^\s.,!?:]+){0,3}? (?:chiede|vuole|esige|consiglia|pede|quer|exige|recomenda|manda|diz|dice)\b"
    rf"|{_NOT_OURS}\b(?:бот|агент|ассистент|ошибка|сообщение|установщик|скрипт|страница|комментарий|"
    rf"кто-то)(?: [^\s.,!?:]+){{0,3}}? "
    r"(?:говорит|просит|хочет|требует|пишет|советует|рекомендует)\b",
    re.IGNORECASE,
)
# What asks at the end whether all before it is so, or what is thought of it; who leaves out the mark asks all the same.
_DOUBTED = re.compile(
    r"(?:^|(?<=[.!,:;\"”»'])\s+)(?:(?:(?:and|so|but|hm+|wait|is|are|can|could) )*(?:that|this|it) (?:really |actually |"
    r"even )?"
    r"(?:be )?(?:true|legit\w*|real|right|correct|serious|so|a scam|phishing|possible|sane|safe)|"
    r"(?:any )?(?:thoughts|opinions)|what do you (?:think|make of (?:it|that|this))|your (?:take|opinion)|"
    r"do (?:you|we) (?:really )?(?:agree|need (?:that|this|it)|want (?:that|this|it))|should (?:we|i)|"
    r"(?:kann das |ist das |das )?(?:wirklich |überhaupt )?(?:stimmt das|stimmen|wahr|echt|ernst(?: gemeint)?)|"
    r"was (?:hältst du davon|meinst du|denkst du)|(?:c['’]est |est-ce )(?:vrai|sérieux)|tu en penses quoi|"
    r"qu['’]en penses[ -]tu|¿?(?:es (?:eso )?)?(?:verdad|cierto)|¿?qué (?:opinas|hago)|(?:è )?vero|cosa ne pensi|"
    r"(?:é )?verdade|o que (?:você )?acha|klopt dat|(?:это )?правда|что (?:ты )?думаешь)"
    r"(?: ?\?|[ .…]*$)"
    r"|(?:^|(?<=[.!,:;\"”»'])\s+)(?:true|legit|really|fake|scam|phishing|stimmt|richtig) ?\?",
    re.IGNORECASE | re.MULTILINE,
)
# With each sign what is in all lines that it finds, in small letters: most lines are held against none of them.
_SIGNS = (
    (
        _ACCORDING,
        (
            "according", "laut ", "laut:", "gemäß ", "selon ", "après ", "según ", "secondo ", "segundo ", "volgens ",
            "согласно ", "według ", "enligt ", "ifølge ", "podle ",
        ),
    ),
    (
        _IT_SAYS,
        (
            "it say", "they say", "it reads", "steht", " pone", " dice", " se lee", "écrit", "scritto", "escrito",
            "написано", "napisano", "staat", " line", " note", " sentence", " passage", " section", " paragraph",
            " comment",
        ),
    ),
    (
        _BY_THINGS,
        (
            " say", " said", " state", " want", " tell", " told", " ask", " warn", " advise", " recommend",
            " suggest", " think", " insist", " claim", " print", " decided", " demand", " write", " wrote", " left ",
            "popup", "pop-up", "dialog", "banner", "notification", "warning", "alert", "comment", " read", " heard",
            " saw", "told by", "asked by", "i read", "i heard", "i saw",
        ),
    ),
    (
        _BY_THINGS_ELSEWHERE,
        (
            " sagt", " meint", " will", " verlangt", " schreibt", " behauptet", " empfiehlt", " steht", " möchte",
            " fordert", " dice", " pide", " quiere", " exige", " recomienda", " pone", " sugiere", " dit", " demande",
            " veut", " recommande", " conseille", " écrit", " chiede", " vuole", " esige", " consiglia", " pede",
            " quer", " recomenda", " manda", " diz", " говорит", " просит", " хочет", " требует", " пишет",
            " советует", " рекомендует",
        ),
    ),
)  # fmt: skip
_OF_DOUBT = (
    "true", "legit", "real", "right", "correct", "serious", " so", "scam", "phishing", "possible", "sane", "safe",
    "thoughts", "opinion", "what do you", "your take", "agree", "need th", "need it", "want th", "want it", "should",
    "stimm", "wahr", "echt", "ernst", "hältst", "meinst", "denkst", "vrai", "sérieux", "penses", "verdad", "cierto",
    "opinas", "hago", "vero", "pensi", "acha", "klopt", "правда", "думаешь", "fake", "richtig",
)  # fmt: skip
_COLON_NEAR = 60  # characters after which a colon still belongs to the source
_LONGEST = 2_000  # characters before it in which a sentence may begin
_BEGINS = (". ", "! ", "? ")
_ENDS = re.compile(r"[.!?](?=\s)|\n|\Z")


def attributed_in(content: str) -> Iterator[tuple[int, int]]:
    """The sentences that somebody puts down to others, and all that is doubted."""
    small = in_small_letters(content)
    for sign, marks in _SIGNS:
        for line in lines_with(small, marks):
            for found in sign.finditer(content, line, line_end(content, line)):
                yield _start_of(content, found.start(), line), _end_of(content, found.end())
    paragraph = asked = 0
    for line in lines_with(small, _OF_DOUBT):
        for found in _DOUBTED.finditer(content, line, line_end(content, line)):
            paragraph = max(paragraph, content.rfind("\n\n", asked, found.start()) + 1)
            asked = found.start()
            yield paragraph, found.end()


def _start_of(content: str, at: int, line: int) -> int:
    """Where the sentence begins that a place in a line is in."""
    first = max(line, at - _LONGEST)
    return max([first, *(found + 1 for mark in _BEGINS if (found := content.rfind(mark, first, at)) >= 0)])


def _end_of(content: str, at: int) -> int:
    """Where a sentence ends; what a colon announces goes on to the end of the line."""
    line_end = content.find("\n", at)
    line_end = len(content) if line_end < 0 else line_end
    sentence = _ENDS.search(content, at)
    sentence_end = sentence.start() if sentence else len(content)
    colon = content.find(":", at - 2, min(at + _COLON_NEAR, sentence_end))
    return line_end if colon >= 0 else sentence_end
