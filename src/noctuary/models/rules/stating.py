"""How people say what holds without a word that rules: "no deploys on Fridays", "commits need a sign-off".

Most of what people type is an errand, a question or a complaint.  What is left states how things are done here, who
works with what, or what was tried before; it is known by how its sentence is built, so that any words will do.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from noctuary.authored import EventType

LIKELY = 1.1  # more than a word that only helps, less than any that rules: what was laid down comes first
_SENTENCE = re.compile(r"(?<=[.!?;:])\s+|\n+")  # what a colon announces is a sentence of its own
_CLAUSE = re.compile(r",\s+|\s(?=but |because |otherwise )")  # what people put behind a comma may be one as well
_CAUSE = re.compile(r"(?:because|since)\b", re.IGNORECASE)
_OPENING = re.compile(
    r"(?:(?:\[[^\[\]\n]{1,20}\]|ok(?:ay)?|then|otherwise|well|no+|nope|nah|nein|and|but|so|also|because|since|"
    r"actually|sorry|yes|yeah|"
    r"btw|by the way|fyi|ps|p\.s|note|nb|hey|hi|please|pls|again|remember|here|just|oh|hm+|right|true|as said|"
    r"i told you(?: already)?|like i said|for context|heads up|that['’]?s (?:wrong|not (?:right|true|correct)))"
    r"(?:[,:.!…-]+\s*|\s+))+",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"(?:btw|by the way|fyi|nb|ps|p\.s|for context|heads up)\b", re.IGNORECASE)
# What is wrong just now is to be mended, not kept; and what one wants done is an errand.
_OF_THE_DAY = re.compile(
    r"\b(?:fail(?:s|ed|ing)?|broken|broke|missing|crash(?:es|ed|ing)?|"
    r"(?<!as )(?<!own )errors?(?! (?:messages?|codes?|handling|types?|pages?|budget|rates?|boundar\w+|logs?))|"
    r"exception|stuck|gone|lost|loses?|"
    r"wrong|duplicated?|empty|stale|hangs?|hung|leak\w*|times? out|timed out|flak\w+|too (?:long|often)|going to|"
    r"weird|strange|mess|messy|ugly|annoying|confusing|awful|horrible|terrible|unreadable|(?:is|are|got|so|very|too|"
    r"really|feels) slow|chok\w+|struggl\w+|"
    r"doesn['’]?t work|not working|isn['’]?t working|still(?!.* until\b)|again|today|currently|right now|yesterday|"
    r"just now|looks?|seems?|trying to|want to|need you to|can you|could you|would you|let me know)\b"
)
_NO = re.compile(
    r"(?:absolutely |really |definitely )?(?:no|zero|kein|keine|keinen|nada de|pas de|plus de|nessun\w?|geen|żadnych|"
    r"никаких|inga) (?!(?:need|idea|problem|worries|thanks|rush|way|longer|one|clue|luck|matter|doubt|it|i|we|you|"
    r"this|"
    r"that|the|he|she|they|there|not)\b)"
    r"(?:(?!(?:is|are|was|were|has|have|had|shows?|appears?|found|happens?|got|gets?|works?|comes?|"
    r"came)\b)[^\s,.!?]+ )"
    r"{1,5}?(?:in|on|without|after|before|unless|during|outside|inside|anywhere|except|until|for|from|please|at|over|"
    r"within|between|under|into|per|im|in der|auf|ohne|nach|vor|für|en|dans|sin|sans|sur|w|bez|в|на|без)\b"
)
# Things of a kind, and what they all do.
_OF_A_KIND = re.compile(
    r"(?:(?:all|our|new|most|public|internal|any) )?(?!(?:this|is|was|as|does|has|its|us|yes|thus|plus|always|lets|"
    r"perhaps|sometimes|these|those|things|thanks)\b)(?:[\w/-]+ ){0,2}?[\w-]{2,}(?<!s)s (?:(?:in|of|for|on|with|under|"
    r"from|at|between|that|which) (?:[\w./-]+ ){1,4}?)?"
    r"(?:(?:always|never|only|must|should|all) )?(?:need|go|live|get|start|end|begin|come|belong|use|stay|happen|run|"
    r"follow|carry|return|sit|expire|land|ship|point|map|take|have|(?:are|get) (?:\w+ ){0,2}?(?:[\w-]+ed|written|kept|"
    r"sent|put|set|built|made|done|run|read-only|immutable|optional|mandatory|private|public|lower ?case|upper ?case|"
    r"sorted|in|on|per|always|never|only|allowed|forbidden))\b"
)
_WE = re.compile(
    r"(?:here |(?:for|in|on|at|with|inside|outside|since|until) (?:[\w./'’-]+ ){1,4}?)?we(?:['’]?ve| have|['’]?re|"
    r" are)? (?:(?:never|always|only|"
    r"already|all|usually|generally|don['’]?t|do not|no longer|just|once|even|both|mostly|deliberately|intentionally|"
    r"have|now|also|got|had|here) )*(?P<verb>use|using|stay|staying|keep|keeping|run|running|tried|dropped|threw|"
    r"moved|migrated|switched|deploy|host|ship|store|pin|target|support|follow|write|name|put|log|build|release|tag|"
    r"squash|"
    r"rebase|rely|depend|call|treat|avoid|burned|bitten|standardi[sz]ed?|prefer|work with|abandoned|gave up|removed|"
    r"rejected|ditched|stopped|take|took|pick|picked|stick|stuck (?:with|on)|on|bound to|limited to|a team|allowed|"
    r"version|document|cache|"
    r"encrypt|sign|review|commit to|test (?:on|with|against)|work in|speak|own|maintain|license|pay|sell|serve)\b"
)
# Who decides for others: "I rejected the plugin approach because …", "management ruled out …".
_ONE_DECIDES = re.compile(
    r"(?:i|they|management|legal|security|ops|(?:the|our|my) [\w-]+(?: [\w-]+)?)(?:['’]ve| have| has| had)? "
    r"(?:already |just |also |now |once |recently )?(?:rejected|abandoned|ruled out|turned down|vetoed|banned|"
    r"forb[ai]de?s?|"
    r"chose|picked|settled on|opted for|standardi[sz]ed on|signed off on|insists? on|insisted on|wants? no|"
    r"prefers?|refuses?|doesn['’]?t want|don['’]?t want|does not want) \w"
)
_IS_REFUSED = re.compile(r"reject|abandon|ruled out|turned down|veto|bann|forb|wants? no|refus|n['’]?t want|not want")
_NOBODY = re.compile(
    r"(?:nothing|nobody|no one|none of (?:us|our|the|these))(?: else)?(?: \w+){1,3}? "
    r"(?:to|into|in|from|with|without|outside|until|before|unless|except|but|anymore|any ?more|on|over)\b"
)
_NOTHING_YET = re.compile(r"\b(?:happen|work|chang|show|appear|com(?:es|ing)|respon|answer|matter|left|print|render)")
_GIVEN_UP = frozenset(
    {
        "tried", "dropped", "threw", "abandoned", "gave up", "removed", "rejected", "ditched", "stopped", "burned",
        "bitten",
    }
)  # fmt: skip
_MY_PLACE = re.compile(
    r"(?:i['’]?m|i am) (?:on(?! (?:the (?!\w+ team)|my way|it\b|a (?:call|break|train|bus|plane)\b|vacation|holiday|"
    r"call\b))|using|running|stuck (?:with|on)|working (?:on a|with|from)|colou?r ?blind|new to)\b|"
    r"i (?:use|work with|work on an?|run|only have|speak|live in)\b|"
    r"my (?!(?:\w+ )?(?:battery|connection|network|internet|wifi|vpn)\b)(?:mac|macbook|laptop|machine|computer|"
    r"editor|terminal|shell|setup|environment|os|keyboard|screen|time ?zone|"
    r"name|team|company|boss|box|pc)\b(?! (?:crash|freez|died|broke))"
)
_CONTRAST = re.compile(
    r"\w(?:,| and| but|;| -) not (?:(?:the|a|an|in|on|by|with|to|for|at) )?[\w./@:-]+(?: [\w./-]+)?\W*$"
)
_NO_CONTRAST = re.compile(r"\bnot (?:sure|yet|working|only|just|so|really|much|too|even|bad|good|great|sure|all|now)\b")
# How somebody wants to be dealt with, and what is to stay as it is.
_WAYS = re.compile(
    r"(?:treat|consider|regard|count) (?!this\b|that\b|it\b)(?:[\w-]+ ){1,4}?as \w|"
    r"(?:explain|describe|phrase|word) (?:things|everything|stuff|it all|concepts|your \w+|changes|code) |"
    r"(?:rather|better) (?:[\w-]+ ){1,6}?than \w|"
    r"i (?:want|expect|like|need) (?!to\b|you to\b)(?:[\w/-]+ ){1,5}?(?:before|after|without|never|always|only|until|"
    r"unless) |"
    r"(?:ask|tell|warn|ping|consult|check with) (?:me|us|\w+) before |"
    r"be (?!(?:there|back|right|able|sure|done|careful to)\b)(?:more |less |very |as )?[a-z]+(?: (?:in|with|about|"
    r"when|"
    r"and|as|on|to)\b|, )|"
    r"(?:leave|keep) (?:[\w./'’-]+ ){1,6}?(?:as (?:it is|they are|is)|alone|untouched|unchanged|in place|"
    r"out of|in sync|short|small|simple|flat|separate|together)\b"
)
_TOO_MUCH = re.compile(
    r"\b(?:is|are|was|were|would be|feels|seems) (?:way |far |simply |just |a bit |much )?too (?:much|heavy|big|"
    r"expensive|slow|large|complex|complicated|fragile|risky|immature|new|old|verbose|magic\w*|clever|limited) "
    r"(?:for|to)\b|"
    r"\bit['’]?s a (?:hard |clear |firm )?no\b|\bthat['’]?s a (?:hard |clear |firm )?no (?:for|to|from)\b|"
    r"\b(?:did(?:n['’]?t| not)|never) work(?:ed)? (?:out )?for us\b|\b(?:not an option|a no-?go|a dead end|"
    r"out of the question|off the table)\b|\b(?:threw|kicked|ripped) (?:it|that|them) out\b|\bgave up on\b"
)
_ANYWHERE = re.compile(
    r"\b(?:everywhere|across the board|as a rule|in all (?:of )?(?:our|the) [\w-]+s|überall|partout)\b"
)
# Which language people are to be spoken to in.
_TONGUE = re.compile(
    r"\b(?:in|auf|en|em|på|op|in het|w|po) (?:plain |simple |british |american )?(?:english|german|french|spanish|"
    r"italian|portuguese|dutch|polish|russian|japanese|chinese|korean|turkish|swedish|danish|norwegian|deutsch|"
    r"englisch|español|"
    r"inglés|français|anglais|inglese|italiano|português|inglês|nederlands|engels|polsku|angielsku|svenska|"
    r"engelska)\b|"
    r"по-(?:русски|английски)|日本語で|英語で|中国語で|用(?:中文|英文|日文|英语|汉语)|(?:한국어|영어|일본어)로"
)
_SPEAKING = re.compile(
    r"\b(?:answer|repl|respond|speak|talk|write|written|comment|commit|message|docs?\b|documentation|explain|antwort|"
    r"schreib|sprich|kommentar|respon|escrib|habl|coment|répon|écri|parle|rispond|scriv|pisz|odpowiad|отвеча|пиши)|"
    r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]"
)
_TRANSLATES = re.compile(r"\b(?:translat|übersetz|tradu|перевед)|翻[訳译]|訳して|번역")
_SETS = re.compile(  # "ok but make it ten minutes": agreed, with a change
    r"(?:ok(?:ay)?|yes|yeah|yep|fine|good|great|nice|sure|lgtm|looks good|sounds good|almost|works|agreed|ja|gut|"
    r"passt|"
    r"sí|oui|да)[,.!]? (?:but|except|just|only|though|aber|nur|pero|mais|но) ",
    re.IGNORECASE,
)
# What announces that all below it holds here.
_LAYS_DOWN = re.compile(
    r"\b(?:conventions?|rules|guidelines|standards|principles|policies|house style|code style|style guide|preferences|"
    r"ground rules|do['’]?s and don['’]?ts|requirements|constraints|regeln|konventionen|vorgaben|reglas|règles|"
    r"правила|"
    r"things? to (?:remember|keep in mind|know)|how we (?:do|work|write|build)|what i (?:want|expect|like))\b",
    re.IGNORECASE,
)
# Things that are so: something with a verb that tells, and no order, wish or question before it.
_TELLS = re.compile(
    r"(?:(?:our|the|my|their|a|an|in|on|for|at|only|both|all|each|some|most|us) )?"
    r"(?!(?:it|this|that|these|those|there|i|you|he|she|they|we|what|which|who|how|why|when|where|if|let|lets|please|"
    r"pls|"
    r"can|could|would|will|should|shall|do|does|did|is|are|was|were|has|have|had|make|add|use|fix|now|then|not|ok|"
    r"okay|"
    r"push|put|open|close|run|delete|remove|rename|move|show|try|check|look|start|stop|commit|write|give|tell|go|find|"
    r"update|change|replace|set|wait|undo|revert|skip|continue|explain|commit|merge|rebase|install|create|build|"
    r"yes|no|maybe|everything|nothing|something|anything|one|same|next|first|other|another|problem|issue|bug|error|"
    r"result|"
    r"output|thing|reason|idea|question|answer|test|tests|build)\b)"
    r"(?:[\w./@'’-]+,? ){1,6}?(?:is|are|was|has|have|needs?|uses?|runs?|lives?|belongs?|goes|comes?|means|reviews?|"
    r"owns?|decides?|expects?|accepts?|allows?|supports?|requires?|handles?|maintains?|pays?|wants?|gets?|only|"
    r"costs?|takes?|"
    r"ends?|starts?|expires?|stays?|keeps?|knows?|speaks?|works? (?:on|with|in|for)|gehören|gehört|läuft|"
    r"liegt|\w{3,}(?<!s)s (?:on|in|at|to|from|with|by|via|through|under|as|after|before|until|every|each|"
    r"no|off|out|up|per|a|an|the|us|our|all|only|them|itself|\d+)|(?:is|are)n['’]t|don['’]t|doesn['’]t|can(?:not|"
    r"['’]t)?|may|"
    r"heißt|sind|ist|hat|haben|es|son|está|tiene|est|sont|è|sono|ha|é|são|tem) [\w#`\"'$€£<>~]"
)
# The same of any verb, where it is clear what is spoken of: "the mobile app still calls v1".
_DOES = re.compile(
    r"(?:the|our|my|their|each|every) (?:[\w./-]+ ){1,4}?(?:still |already |also |always |now |"
    r"only )?[a-z]{2,}[^s\W\d_]s "
    r"[\w#`\"'$€£<>~]"
)
# What is to be done with all of a kind, and why.
_ALL_WITH_REASON = re.compile(
    r"(?!(?:why|what|how|when|where|did|do|does|is|are|can|could|run|check|test|delete)\b)\w+ (?:up )?(?:every|each|"
    r"all|any) "
    r"[^.?!]{3,90}\b(?:so (?:that|it|they|we|you)|because|since|otherwise|or else)\b"
)
_PAIRED = re.compile(
    r"[\w-]+(?: [\w-]+){0,2} (?:in|for|on|to) [\w.-]+,? (?:and )?[\w-]+(?: [\w-]+){0,2} (?:in|for|on|to) [\w.-]+\W*$"
)
# What another says is not told by who repeats it.
RELAYS = re.compile(
    r"\b(?:sagt|sagte|schreibt|schrieb|meint|behauptet|laut|steht (?:dass|drin)|dice|dicen|dijo|escribe|según|dit|"
    r"disent|"
    r"écrit|affirme|selon|d['’]après|secondo|segundo|volgens|пишет|говорит|согласно)\b"
)
_OF_SECRETS = re.compile(r"\b(?:pass(?:word|phrase|code|wd)?|pwd?|pin|secret|token|key|creds?|credentials?|code)\b")
# Who leaves out the mark asks all the same.
# Where a secret is kept and who has it is no secret.
_KEPT = re.compile(
    r"\b(?:lives?|comes? from|belongs?|goes|rotates?|expires?|(?:is|are) (?:read|kept|stored|taken|rotated))\b"
)
_ASKS = re.compile(
    r"(?:\?|\b(?:why|how come|any ideas?|any clue|warum|wieso|pourquoi|por qué|почему))\W*$", re.IGNORECASE
)
_FEWEST_OF_ALL = 4  # words: fewer say nothing to who was not there
_FEWEST = 5  # words of what is so
HARDLY = 0.2  # is the weight of what is only told: whatever else was said comes first
_LONGEST = 400
_OFTEN_MISSPELT = ("always", "never", "prefer", "instead", "should", "please", "decided", "without")
_NO_MISSPELLINGS = frozenset(
    {"newer", "nerve", "ever", "shoulder", "shoulds", "pleased", "preface", "decides", "decide"}
)
_ONE_OFF = 1  # letters that two spellings may differ in


def by_build(text: str) -> dict[EventType, float]:
    """How much the build of the sentences of a text speaks for each type."""
    weights: dict[EventType, float] = {}
    sentences = [each for each in _SENTENCE.split(text[:_LONGEST]) if not _ASKS.search(each)]
    told = [clause for each in sentences for clause in _told_apart(each)]
    for clause in told:
        if clause.count(" ") + 1 >= _FEWEST_OF_ALL:
            weights.update(dict.fromkeys(_kinds(clause), LIKELY))
    if not weights and any(map(_is_told, told)):
        weights[EventType.FINDING] = HARDLY
    return weights


def _told_apart(sentence: str) -> Iterator[str]:
    """A sentence and its parts, each of which may state something: a cause does not, of what is wrong just now."""
    is_complaint = _OF_THE_DAY.search(sentence.lower()) is not None
    for part in dict.fromkeys((sentence, *_CLAUSE.split(sentence))):
        if not (is_complaint and _CAUSE.match(part)):
            yield part


def chooses_language(text: str) -> bool:
    """Whether somebody says in which language to speak or write."""
    small = text.lower()
    return bool(_TONGUE.search(small) and _SPEAKING.search(small)) and not _TRANSLATES.search(small)


def respelt(norm: str) -> str:
    """A normal text with the words that rule as they are spelt, if one letter is too many, missing or displaced."""
    words = [_respelt(word) for word in norm.split()]
    return f" {' '.join(words)} "


@lru_cache(maxsize=2_048)
def _respelt(word: str) -> str:
    if not word.isascii() or word in _NO_MISSPELLINGS:
        return word
    near = (right for right in _OFTEN_MISSPELT if right[0] == word[0] and abs(len(right) - len(word)) <= _ONE_OFF)
    return next((right for right in near if _is_nearly(word, right)), word)


def _is_nearly(word: str, right: str) -> bool:
    """Whether a letter was added, left out, or changed its place with the next one; another letter is another word."""
    if len(word) == len(right):
        at = next((place for place, pair in enumerate(zip(word, right, strict=True)) if pair[0] != pair[1]), -2)
        return at >= 0 and word[:at] + word[at + 1 : at + 2] + word[at] + word[at + 2 :] == right
    longer, shorter = (word, right) if len(word) > len(right) else (right, word)
    return any(longer[:at] + longer[at + 1 :] == shorter for at in range(1, len(longer)))


def lays_down_below(heading: str) -> bool:
    """Whether what somebody puts above a list says that the list holds from then on."""
    return _LAYS_DOWN.search(heading) is not None


def _kinds(sentence: str) -> Iterator[EventType]:
    if _SETS.match(sentence):
        yield EventType.CORRECTION
    is_aside = _ASIDE.match(sentence) is not None
    opened = _OPENING.match(sentence)
    begun = sentence[opened.end() :] if opened else sentence
    small = begun.lower()
    if _NO.match(small) or (opened and _NO.match(sentence.lower())):
        yield EventType.CONSTRAINT
    if _CONTRAST.search(small) and not _NO_CONTRAST.search(small):
        yield EventType.DECISION
    if _ONE_DECIDES.match(small):
        yield EventType.REJECTION if _IS_REFUSED.search(small) else EventType.DECISION
    if _NOBODY.match(small) and not _NOTHING_YET.search(small):
        yield EventType.CONSTRAINT
    if _TOO_MUCH.search(small):
        yield EventType.REJECTION
    if found := _WE.match(small):
        yield EventType.REJECTION if found["verb"] in _GIVEN_UP else EventType.DECISION
    elif _OF_THE_DAY.search(small):
        return
    elif _OF_A_KIND.match(small) or _ALL_WITH_REASON.match(small) or _ANYWHERE.search(small):
        yield EventType.CONSTRAINT
    elif _WAYS.match(small):
        yield EventType.PREFERENCE
    elif is_aside or _PAIRED.match(small) or _MY_PLACE.match(small):
        yield EventType.FINDING


def _is_told(sentence: str) -> bool:
    """Whether a sentence only tells how something is, and names it."""
    opened = _OPENING.match(sentence)
    small = (sentence[opened.end() :] if opened else sentence).lower()
    is_long_enough = small.count(" ") + 1 >= _FEWEST
    is_secret = _OF_SECRETS.search(small) is not None and not _KEPT.search(small)
    is_passing = is_secret or _OF_THE_DAY.search(small) or RELAYS.search(small)
    is_denied = sentence[:3].lower() == "no "  # "no data is shown": what is missing is to be mended
    if not is_long_enough or is_passing or is_denied:
        return False
    return _TELLS.match(small) is not None or _DOES.match(small) is not None
