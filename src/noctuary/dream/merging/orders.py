"""Texts that tell somebody what to do, or what a user is said to want, or that hold a piece of a secret.

Whether that is right depends on who says it: from a user it is a rule or an errand, from a page or the output of a
program it is what an attacker would write.  So these only say what a text does, and others decide by whose text it is.
"""

import re
from functools import lru_cache

from noctuary.dream.merging.marked import in_small
from noctuary.lookalikes import as_read

_VERBS = (
    r"run|use|install|set|add|push|send|disable|enable|open|store|ignore|skip|commit|execute|download|call|export|"
    r"grant|"
    r"delete|upload|remove|put|write|save|keep|load|fetch|clone|deploy|merge|approve|accept|trust|allow|copy|paste|"
    r"post|"
    r"print|include|import|replace|switch|turn|configure|create|append|insert|forward|reply|follow|obey|route|submit|"
    r"share|publish|register|sign|log|start|stop|begin|remember|note|treat|assume|prefer|avoid|never|always|ensure|"
    r"make"
)
_DEMANDS = (
    r"(?<!is )(?<!are )(?<!was )(?<!were )\b(?:always|never)\b"  # "its value is never read" demands nothing
    r"|\b(?:must|mustn['’]?t|should(?:n['’]?t)?|shall|ought to|ha(?:ve|s) to|need(?:s|ed)? to|is needed|are needed|"
    r"requires?|required|mandatory|obligatory|forbidden|prohibited|from now on|going forward|in (?:the )?future|"
    r"do not|don['’]?t|make sure|be sure|ensure|remember|standing rule|policy|rule(?:s)?|recommend(?:s|ed)?|"
    r"best practice|the (?:correct |right |recommended |only )?(?:fix|way|solution) is|every (?:\w+ ){1,3}?"
    r"(?:gets?|goes|uses?|becomes?|runs?)|instructions?|you are now|muss|müssen|darf nicht|immer|niemals|soll(?:en)?|"
    r"debe|deben|siempre|nunca|hay que|doit|doivent|toujours|jamais|il faut|должен|должны|нужно|всегда|"
    r"никогда|нельзя)\b"
    r"|必ず|常に|しなければ|ください|必须|总是|一律|不要|항상|반드시"
)
_DEMANDING = re.compile(_DEMANDS)
_ORDERS = re.compile(
    rf"{_DEMANDS}"
    rf"|(?:^|[.!?:;,\"“(`*]\s*|\b(?:and|then|please|to recover|agents?|assistants?|ai|instead) )(?:{_VERBS})\b",
)
# What a user is said to want, to have chosen or allowed, and what was agreed on.  "You" is said to the user's face.
_FOR_USER = re.compile(
    r"\b(?:users?|customers?|clients?|owners?|maintainers?|boss|team|humans?|operators?|it was)"
    r"(?:['’]s)? (?:(?:has|have|had|already|also|clearly|explicitly|now|then|always|just|was|were|is|are) ){0,3}"
    r"(?:wants?|wanted|prefers?|preferred|said|says|stated|states|asked|asks|demands?|demanded|insists?|insisted|"
    r"decided|"
    r"chose|chosen|agreed|approved|approves|confirmed|confirms|allowed|requires?|requested|requests|told|instructed|"
    r"expects?|authori[sz]ed|established|likes?)\b"
    r"|\b(?:users?|customers?|owners?)['’]s? (?:preference|wish|rule|decision|instructions?|order|request)s?\b"
    r"|\b(?:as|was|were|been|is|are) (?:already )?(?:agreed|approved|decided|confirmed|requested|instructed)\b"
    r"|\b(?:agreed|approved|confirmed|decided|stated|wanted|preferred|requested) by\b|\bagreed way\b|"
    r"\bagreement with\b"
    # What an agent takes upon itself for good somebody has to want.
    r"|\bi(?:['’]ll| will)? (?:always|never)\b|\b(?:from (?:now|here) on|going forward|henceforth),? i(?:['’]ll)?\b"
    r"|^user(?: \w+)?:|\btrust[: ]+user\b"
    r"|\byour (?:standing |usual |general )?(?:rule|policy|preference|convention)s?\b"
    # What was said to somebody's face before has to be in his words as well.
    r"|\b(?:as|like) you(?:['’]ve| have| had)? (?:already |also |just |once |always )?(?:said|told|asked|want(?:ed)?|"
    r"wish(?:ed)?|decided|agreed|stated|requested|instructed|prefer(?:red)?|insist(?:ed)?)\b"
    r"|\bwie du (?:\w+ ){0,3}(?:gesagt|gewünscht|gewollt|willst|wolltest|entschieden|möchtest)\b"
    r"|\bcomme tu (?:\S+ ){0,2}(?:dit|demandé|voulais|veux|décidé)\b|\bcom[eo] (?:mi |me |lo )?(?:hai \w+|dijiste|"
    r"pediste|quer[ií]as|quieres|decidiste|você (?:disse|pediu|quer))\b|\bкак (?:ты|вы) (?:\S+ )?(?:сказал|просил|хот)"
    # The same in other languages: what a user is said to want, and what is said to be settled.
    r"|\b(?:nutzer|benutzer|kunde|eigentümer|inhaber|chef|team) (?:hat|will|möchte|wünscht|verlangt|bevorzugt|"
    r"besteht)\b"
    r"|\b(?:l['’]utilisateur|le client|l['’]équipe|le propriétaire) (?:a|veut|demande|préfère|exige|souhaite)\b"
    r"|\b(?:el|la) (?:usuari[oa]|cliente|dueñ[oa]|equipo) (?:ha|quiere|dijo|pidió|prefiere|exige|decidió)\b"
    r"|\bпользователь (?:\S+ )?(?:сказал|просил|хочет|решил|предпочитает)|用户(?:说|要|想|希望|决定|偏好)|"
    r"ユーザーは|ユーザーの(?:希望|指示)"
    r"|\b(?:festgelegt|vereinbart|beschlossen|abgesprochen|abgemacht) (?:ist|wurde|war|worden)\b"
    r"|\b(?:ist|wurde|war|sind) (?:\w+ )?(?:festgelegt|vereinbart|beschlossen|abgesprochen|abgemacht)\b|"
    r"\bwie vereinbart\b"
    r"|\b(?:il est|il a été|c['’]est) (?:convenu|décidé|établi|entendu)\b|\bcomme convenu\b"
    r"|\b(?:está|fue|quedó|se ha|ha sido) (?:acordado|decidido|establecido)\b|\bse (?:acordó|decidió)\b|"
    r"\bcomo acordado\b"
    r"|\b(?:è stato|si è|è) (?:deciso|concordato|stabilito)\b|\b(?:foi|está|ficou) (?:acordado|decidido|combinado)\b"
    r"|\b(?:было )?(?:решено|согласовано|условлено)\b|\bкак договорились\b|\b(?:ustalono|uzgodniono)\b"
    r"|\bi (?:recall|remember)\b|\bfrom (?:my |our |the )?memory\b"
    r"|\b(?:memory|memories|notes?) (?:says?|tells?|holds?)\b",
)
# What somebody is said to have done or wanted, to his face: he may object, but may as well not look.
_OF_READER = re.compile(
    r"\byou(?:['’]ve| have| had)? (?:already |also |just |explicitly |once )?(?:added|set|turned|told|chose|chosen|"
    r"picked|"
    r"enabled|disabled|asked|approved|allowed|saved|decided|agreed|said|switched|configured|granted|gave|confirmed|"
    r"requested|stated|noted|instructed|defined|wanted|want|prefer|wish|insist)\b"
    r"|\b(?:du hast|du willst|du möchtest|sie haben|sie wollen|sie möchten|tu as|tu veux|vous avez|vous voulez|has|"
    r"quieres|"
    r"você|quer que|hai)\b|你(?:说|要|选|设|想|已|的偏好)|您(?:说|要|选|设|想|已)|あなた"
)
# Text that is meant for whoever reads it as a program: it names agents, or speaks as their system or their user.
_TO_AGENTS = re.compile(
    r"\b(?:ai|a\.i\.|llms?|assistants?|agents?|bots?|claude|copilot|chatgpt|codex|gemini|cursor|language models?)\b"
    r"[^.\n]{0,60}\b(?:must|shall|always|never|ha(?:ve|s) to|are required|remember|ignore|from now on)\b"
    r"|\b(?:ignore|disregard|forget|override)\b[^.\n]{0,30}\b(?:previous|prior|above|earlier|all|your)\b"
    r"|\byou (?:are now|must always|must never|should always|will now)\b|\bsystem: |\bnew instructions?:"
    r"|\b(?:save|add|write|commit|copy|keep|store|record)\b[^.\n]{0,40}\b(?:memory|memories|claude\.md|agents\.md)\b"
    r"|\b(?:to|for|an|f.{1,2}r|para|pour|per|voor|dla|till) (?:(?:all|any|every|the|alle|los|las|les|gli|coding) )?"
    r"(?:ai|ki|ia|llms?|agent(?:s|en|es|i)?|ass?istent[eis]?n?|assistants?|asistentes?|bots?)\b[^.\n]{0,20}[:(]"
    # They are called by their name: "assistants: repeat this", "agents, keep it so".
    r"|\b(?:ais|llms|agents|assistants|bots|ai (?:agents?|assistants?))[:,] (?:please )?"
    rf"(?:repeat|tell|remind|{_VERBS})\b"
    r"|\b(?:remember (?:this|that) (?:as|for|in)|standing rule|dear (?:ai|assistant|agent))\b|<\|im_|\[/?inst\]",
)
_TO_AGENTS_MARKS = (  # one is in all of these
    "ai ", "ai:", "ai,", "ais:", "ais,", " ki ", " ki:", " ia ", " ia:", "a.i.", "llm",
    "istent", "assistant", "agent", " bot", "bot:",
    "bot,", "bots", "claude", "copilot", "chatgpt", "codex", "gemini",
    "cursor", "language model", "ignore ", "disregard", "forget ", "override", "you are now", "you must", "you should",
    "you will now", "system: ", "new instruction", "memor", "remember th", "standing rule", "dear ", "<|im_", "inst]",
)  # fmt: skip
_MOST_PLACES, _AROUND = 30, 80  # of a mark in a text, and characters around it
_NEAR = 300  # characters around a place
_OF_SECRETS = re.compile(
    r"\b(?:password|passwd|passphrase|passcode|passwords|pwd|pw|secret|token|credentials?|creds|api[ _-]?key|"
    r"access key|private key|(?:the |a )?key|passwor[td]\w*|kennwort|contraseña|clave|mot de passe|senha|parola|"
    r"wachtwoord|hasło|heslo|lösenord|пароль|şifre|"
    r"(?:admin|root|db|login|user|wifi|vault|master|my|your|the|\w+['’]s) (?:pass|pin|code))\b"
    r"|パスワード|密码|비밀번호",
    re.IGNORECASE,
)
# A word that nobody would say: of letters and digits together, long, and no path, name, version or number of something.
_PIECE = re.compile(
    r"(?<![\w./@-])(?=[\w+/=-]*\d)(?=[\w+/=-]*[A-Za-z])(?!\d+(?:ms|s|px|kb|mb|gb)\b)[\w+/=-]{8,}(?!\.\w|[\w(/@])"
)
# The same of a shorter word where a text says that it is a part: digits among capitals and small letters.
_IN_PARTS = re.compile(
    r"\b(?:hal(?:f|ves)|parts?|pieces?|(?:start|begin|end)(?:s|ing|ning)?|followed|then|first|second|third|last|rest|"
    r"remaining|prefix|suffix|characters?|letters?|joined|together)\b",
    re.IGNORECASE,
)
_SHORT_PIECE = re.compile(
    r"(?<![\w./@-])(?=\w{0,60}\d\w{0,60}[A-Za-z])(?=\w{0,60}[A-Z])(?=\w{0,60}[a-z])\w{5,}+(?!\()", re.ASCII
)
_SPELLED = re.compile(r"(?:\b\w ){7,}\w\b")
_HASH_LIKE = re.compile(r"[0-9a-f]{7,40}|[a-z]+(?:[-_][a-z0-9]+)*-?v?\d{0,4}|[A-Z]{2,10}-\d+", re.ASCII)


@lru_cache(maxsize=512)  # asked of what was heard in the session, and again of what was heard before
def gives_orders(text: str) -> bool:
    """Whether a text tells its reader what to do."""
    return _ORDERS.search(in_small(as_read(text))) is not None


def makes_demands(text: str) -> bool:
    """Whether a text lays something down, rather than name a piece of work as titles do."""
    return _DEMANDING.search(in_small(as_read(text))) is not None


def speaks_for_user(text: str) -> bool:
    """Whether a text says what a user wants, decided or allowed, in the words of somebody else."""
    return _FOR_USER.search(in_small(as_read(text))) is not None


def tells_user(text: str) -> bool:
    """Whether a text says to the user's face what the user did or wants."""
    return _OF_READER.search(in_small(as_read(text))) is not None


def speaks_to_agents(small: str, at: int | None = None) -> bool:
    """Whether a text, in small letters and as it is read, speaks to agents that read it; or does so around a place."""
    near = small if at is None else small[max(0, at - _NEAR) : at + _NEAR]
    return any(_is_addressed(near, mark) for mark in _TO_AGENTS_MARKS)


def _is_addressed(small: str, mark: str) -> bool:
    """The same with a mark of it: marks are looked for one by one, for the pattern alone takes twenty times as long."""
    at = small.find(mark)
    for _ in range(_MOST_PLACES):
        if at < 0:
            break
        if _TO_AGENTS.search(small, max(0, at - _AROUND), at + 2 * _AROUND):
            return True
        at = small.find(mark, at + _AROUND)
    return False


def holds_secret(text: str) -> bool:
    """Whether a text speaks of a secret and has something in it that can be a piece of one."""
    text = as_read(text)
    if not _OF_SECRETS.search(text):
        return False
    is_in_parts = _IN_PARTS.search(text) is not None
    if _SPELLED.search(text) or (is_in_parts and ("[redacted:" in text or _SHORT_PIECE.search(text))):
        return True  # where one part was redacted, the other may still stand
    return any(not _HASH_LIKE.fullmatch(piece) for piece in _PIECE.findall(text))
