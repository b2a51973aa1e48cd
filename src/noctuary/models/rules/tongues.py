"""Rules and decisions in languages of which it is not known how people quote in them.

In those only what is beyond doubt typed by whoever speaks counts: a prompt of one paragraph without quotes and colons,
and of it no sentence that tells what another says.
"""

import re
from collections.abc import Mapping

from noctuary.authored import EventType
from noctuary.models.rules.lexicon import Lexicon, normal
from noctuary.models.rules.reported import SOURCES

_HARDLY_ELSE = 3.0  # is the weight of what hardly means anything else
_SPACED = Lexicon(
    {
        EventType.PREFERENCE: {
            _HARDLY_ELSE: """sempre, dora in poi, preferisco, prefiro, a partir de agora, altijd, nooit, voortaan,
                zawsze, nigdy, od teraz, wolę, vždy, nikdy, alltid, aldrig, altid, aldri, her zaman, asla, завжди,
                ніколи, हमेशा, دائما, أبدا, aina, älä koskaan, ei koskaan, mindig, soha, mostantól, întotdeauna, mereu,
                niciodată, πάντα, ποτέ, תמיד, אף פעם, לעולם לא, selalu, jangan, mulai sekarang, luôn, không bao giờ,
                từ nay, uvijek, uvek, nikad, nikada, винаги, никога, bundan sonra, hiçbir zaman, hädanefter,
                fremover, fra nå av, odtąd, od teď, preferuji, föredrar, foretrækker, foretrekker, tercih ederim,
                mai più, jamás, daqui em diante, liever, віддаю перевагу, कभी नहीं, non usare, non toccare,
                non modificare, non fare, não use, não usa, não mexa, não altere, não faça, no uses, no uséis,
                no cambies, no hagas, no borres, nutilise pas, nutilisez pas, ne touche pas, ne touchez pas,
                ne fais pas, ne change pas,
                ne modifie pas, gebruik geen, gebruik nooit, niet gebruiken, mat karna, mat karo,
                kabhi mat, hamesha, nie używaj, nie ruszaj, nie zmieniaj,
                nepoužívej, använd inte, använd aldrig, brug ikke, bruk ikke, kullanma, dokunma, не используй,
                не используйте, не меняй, не пиши, не делай, не використовуй, älä käytä, ne használj, nu folosi,
                bitte kein, bitte keine, bitte keinen, bitte nicht, nicht anfassen, ohne rückfrage, per favore non,
                jangan pakai, đừng dùng, μην, אל תשתמש, لا تستخدم""",
        },
        EventType.CONSTRAINT: {
            _HARDLY_ELSE: """deve, devono, devem, bisogna, tem que, moet, moeten, mag niet, musi, muszą, należy,
                nie wolno, musí, nesmí, måste, повинен, повинні, треба, يجب,
                täytyy, ei saa, kell, nem szabad, trebuie, πρέπει, חייב,
                צריך, אסור, harus, tidak boleh, mora, ne smije, ne sme, трябва, får inte,
                doivent, deben, darf nur, dürfen nur, ne peut pas, ne peuvent pas, no puede, no pueden,
                må ikke, zorunlu, gerekiyor, vietato, proibido, não pode, não podem, nelze, चाहिए""",
        },
        EventType.DECISION: {
            _HARDLY_ELSE: """abbiamo deciso, invece di, em vez de, we hebben besloten, in plaats van, zamiast, místo,
                i stället för, i stedet for, yerine, замість, vi har bestämt, vi bestämde, vi har beslutat,
                vi har besluttet,
                vi har valgt, vi har bestemt, abbiamo scelto, decidemos, decidiu se, resolvemos, postanowiliśmy,
                zdecydowaliśmy, rozhodli jsme, karar verdik, вирішили, päätimme, sijaan, úgy döntöttünk, helyett,
                am decis, în loc de, αποφασίσαμε, αντί, החלטנו, במקום, قررنا, بدلا من, हमने तय, kami memutuskan,
                kita putuskan, chúng tôi quyết định, thay vì, odlučili smo, umjesto, решихме, kiezen voor,
                gekozen voor, vamos manter, vamos usar, vamos ficar com, vamos seguir com, vamos adotar, ficamos com,
                seguimos con, mantenemos, on reste sur, nous restons sur, restiamo su, teniamo,
                wir benutzen, wir verwenden, wir nutzen, wir setzen, wir machen, wir arbeiten, sondern,
                anstatt, usiamo, utilizziamo, usamos, utilizamos, on utilise, nous utilisons, we gebruiken,
                gebruiken we, używamy, korzystamy, používáme, vi använder, vi bruger, vi bruker, kullanıyoruz,
                мы используем, у нас, используем, а не, и не, y no, et pas, et non, e não, en niet,
                a nie, och inte, und nicht, aber nicht,
                og ikke, não o, sino, ми використовуємо, käytämme, használunk, folosim, χρησιμοποιούμε, אנחנו משתמשים,
                نستخدم, kami pakai, kita pakai, chúng tôi dùng, quedamos en, hemos quedado""",
        },
    }
)
_UNSPACED = {
    EventType.PREFERENCE: (
        *("必ず", "常に", "今後", "いつも", "以后", "以後", "始终", "总是", "一律", "从现在起"),
        *("항상", "앞으로", "언제나", "เสมอ", "ทุกครั้ง", "以降は", "今后", "優先", "优先", "请用", "請用", "请使用"),
        *("统一", "統一", "毎回", "每次", "매번"),
    ),
    EventType.CONSTRAINT: (
        *("必须", "必須", "务必", "務必", "不得", "禁止", "不要", "しなければ", "ないでください", "てはいけない"),
        *(
            "반드시",
            "절대",
            "하지 마",
            "해야",
            "ต้อง",
            "ห้าม",
            "절대로",
            "别用",
            "不许",
            "しないで",
            "厳禁",
            "使わないで",
            "触らないで",
        ),
        *("不能", "只能", "只用", "请勿", "別用", "쓰지 마", "지 말", "안 됩니다", "อย่า"),
        *("只支持", "只接受", "只允许", "仅支持", "仅限", "のみ対応", "決まりです", "ルールです"),
    ),
    EventType.DECISION: (
        *("決めました", "にしましょう", "ことにした", "ことにしま", "でいきましょう", "を採用", "方針", "の代わりに"),
        *("决定", "決定", "改用", "就用", "换成", "代替", "而不是", "결정했", "결정됐", "대신", "기로 했", "ตัดสินใจ"),
        *(
            "ではなく",
            "じゃなくて",
            "を使います",
            "を使っています",
            "我们用",
            "我们使用",
            "而是",
            "우리는",
            "말고",
            "사용합니다",
        ),
    ),
}
# How much or how many of something there may be, and what comes before what.
_LIMIT = re.compile(
    r" (?:höchstens|mindestens|maximal|minimal|como (?:máximo|mucho|mínimo)|al menos|au (?:plus|moins|maximum|"
    r"minimum)|"
    r"en moins de|no (?:máximo|mínimo)|pelo menos|al massimo|almeno|не (?:более|менее|больше|меньше)|hoogstens|"
    r"minstens) "
    r"(?:\S+ )?\d"
    r"|(?:最多|最少|至少|不超过|不低于|不高于|不少于|最大)\s?[\d一二三四五六七八九十百两]"
    r"|[\d一二三四五六七八九十百两]\s?\S{0,3}(?:以内|以下|以上|まで)"
)
_WAY = re.compile(
    r"^ (?:lieber|besser|mejor|plutôt|mieux vaut|melhor|meglio|liever|лучше) .+ (?:als|que|che|dan|чем) "
    r"|^ (?:préviens|demande|frag|sag|avisa|pregunta|pergunta|avise|chiedi|avverti|спроси|предупреди)\S*(?: \S+)?"
    r"(?: \S+){0,2}? (?:avant|bevor|vorher|antes|prima|перед|прежде) "
    # In Japanese somebody asks for a thing to be so: what is wanted of this one file is an errand.
    r"|^(?!.*(?:この(?!プロジェクト|リポジトリ)|その|これ|それ|あの|もう一度|ちょっと)).{2,40}は.{2,40}"
    r"(?:てください|で下さい|でお願いします|にすること|する決まり|がルール|が必要です|必須)"
)
_FOREIGN_SIGNS = frozenset(':：>"“”„«»「」『』〈〉《》<{|')
# What people put before a colon to say that they now lay something down themselves; no text may be named there.
_ANNOUNCED = re.compile(
    r"^\s*(?:kurz(?:e)? )?(?:zur info|info|übrigens|nebenbei|wichtig|achtung|hinweis|merke|regel|entscheidung|"
    rf"entschieden|"
    r"beschlossen|pour info|à noter|attention|règle|décision|rappel|para que sepas|importante|ojo|nota|regla|decisión|"
    r"aviso|regola|decisione|attenzione|regra|decisão|atenção|ter info|let op|besluit|belangrijk|uwaga|zasada|decyzja|"
    r"ważne|важно|правило|решение|к сведению|внимание|важливо|рішення|увага|viktigt|beslut|obs|kural|karar|önemli|"
    rf"catatan|aturan|keputusan|penting)\b(?![^:\n]*\b(?:{SOURCES}|nachricht|kund\w+|"
    rf"chef\w*)\b)(?: [^\s:,]+){{0,6}} ?:(?= )",
    re.IGNORECASE,
)
_RELAYED = re.compile(
    r"\b(?:dice|dicono|scrive|secondo|diz|dizem|escreve|segundo|zegt|zeggen|schrijft|volgens|mówi|mówią|pisze|według|"
    r"říká|píše|podle|säger|skriver|enligt|siger|sier|ifølge|diyor|yazıyor|göre|каже|пише|згідно|يقول|कहता|says?|"
    r"said)\b"
    r"|\b(?:sanoo|kirjoittaa|mukaan|mondja|írja|szerint|spune|scrie|conform|λέει|γράφει|σύμφωνα|אומר|כתוב|לפי|kata|"
    r"bilang|tulis|menurut|nói|(?<!luôn )(?<!phải )(?<!hãy )viết|theo|kaže|piše|prema|казва|според|kirjoitti|sagde|"
    r"skrev|sade|skrifar|povídá|"
    r"disse|escreveu|scrisse|detto|zei|schreef|powiedział|napisał|řekl|napsal|dedi|yazdı|сказав|написав|قال|كتب)\b"
    # What is to be written is asked for; what is written somewhere is told.
    r"|言(?:って|われ|う)|書(?:いて(?!くだ|下さ|ほし|欲し|ね|もら)|かれ)|によると|によれば|とのこと|って[。.]?$"
    r"|说(?!明)|說(?!明)|[写寫](?:着|著|道|了|的是|明|有|过|過)|[上里中面档件]写|声称|称[:，,]|稱[:，,]|根据|根據"
    r"|บอก|เขียนว่า|ตามที่"
    r"|라고|다고|따르면|래요|대요"
)


def asked_elsewhere(prompt: str, norm: str) -> Mapping[EventType, float]:
    """How much in a normal text of a prompt speaks for each type in these languages."""
    weights = _SPACED.weigh(norm)
    if _LIMIT.search(norm) or _WAY.search(norm):
        weights[EventType.CONSTRAINT] = weights.get(EventType.CONSTRAINT, 0.0) + _HARDLY_ELSE
    if not norm.isascii():
        for kind, cues in _UNSPACED.items():
            if any(cue in norm for cue in cues):
                weights[kind] = weights.get(kind, 0.0) + _HARDLY_ELSE
    return weights if weights and is_plainly_own(prompt, norm) else {}


def announced(text: str) -> str:
    """What somebody says behind words that only announce it: "kurz zur Info: …"; else all of it."""
    return _ANNOUNCED.sub("", text, count=1)


def is_plainly_own(prompt: str, norm: str) -> bool:
    """Whether a prompt quotes nobody and tells of nobody's words, in any of these languages."""
    return _is_plain(prompt) and not _RELAYED.search(norm)


def may_relay(text: str) -> bool:
    """Whether a text demands something in these languages, and may only tell or quote what another demands."""
    norm = normal(text)
    is_demand = bool(_SPACED.weigh(norm)) or any(cue in norm for cues in _UNSPACED.values() for cue in cues)
    return is_demand and not is_plainly_own(text, norm)


def _is_plain(prompt: str) -> bool:
    """Whether nothing in a prompt sets words apart."""
    return "\n\n" not in prompt.strip() and _FOREIGN_SIGNS.isdisjoint(announced(prompt))
