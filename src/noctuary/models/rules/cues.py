"""What sentences announce, in the words of agents and of people, in five languages; others are in `tongues.py`.

Apostrophes and punctuation are left out, because people leave them out: see `lexicon.normal`.  The weights are round:
3 is what hardly means anything else, 2 what mostly means it, 1 what only helps.
"""

import re

from noctuary.authored import EventType
from noctuary.models.rules.lexicon import Lexicon

SAID = Lexicon(
    {
        EventType.FINDING: {
            2.0: """root cause, the cause, caused by, the issue is, the issue was, the issue, the problem is, turns out,
                turned out, because, due to, the reason, is missing, are missing, was missing, doesnt exist,
                does not exist, didnt exist, not supported, doesnt support, does not support, none of, culprit,
                the bug, even though, comes from, came from, stems from, wont work, doesnt work, does not work,
                cant resolve, cannot resolve, rejects, mismatch, thats why, which is why, explains why, race condition,
                so i, so we, since the, which needs, which requires, because of, crashes on, crashes when,
                crashes if, fails when, fails if, breaks when, breaks if,
                only works, only accepts, hangs when, times out, silently,
                memory leak, off by one, fails because, failed because, wasnt set, never called, weil, ursache,
                das problem, liegt an, причина, потому что, проблема, porque, la causa, el problema, parce que,
                la cause, le problème""",
            1.0: """found, confirmed, there is no, theres no, there isnt, there are no, only one, actually, requires,
                defaults to, by default, in practice, is a different, incompatible, deprecated, untracked, is empty,
                only partially, informational, reported, means, moved, hardcoded, hard coded, stale, outdated,
                duplicate, wasnt, werent, gefunden, nicht gefunden, найден, encontré,
                trouvé""",
        },
        EventType.DECISION: {
            2.0: """instead of, rather than, decided, going with, go with, chose, chosen, opted, best fit, stick with,
                settled on, source of truth, responsibility, in favor of, trade off, tradeoff, compromise, switched to,
                so that, to avoid, acceptable, left out, i left, left untouched, leave as is, deliberately,
                resolved by, overrides, entschieden, statt, stattdessen, решили, вместо, en lugar de, en vez de,
                decidimos, au lieu de, plutôt que, décidé""",
            1.0: """added, replaced, made, changed, created, moved, removed, wired, implemented, renamed, introduced,
                refactored, converted, extracted, rewrote, migrated, now uses, gated on, recommend, kept, keep,
                will use, used for, uses, i suggest, i propose, my suggestion, my proposal, ich schlage vor, propongo,
                je propose, предлагаю""",
        },
        EventType.CONSTRAINT: {
            3.0: """must, must not, never, cannot, required, not allowed, out of scope, exclusively, mandatory,
                at least, at most, no more than, do not, only when, not just, was denied, muss, müssen, darf nicht,
                niemals, должен, должна, должно, должны, нельзя, никогда, debe, deben, nunca, doit, doivent, jamais""",
            1.0: """only, should, limited to, always, need to, needs to, ensure, have to, has to, nur, immer, только,
                всегда, solo, siempre, toujours, seulement""",
        },
        EventType.EVIDENCE: {
            2.0: """passed, passes, failed, fails, failing, failures, failure, returns 200, returned 200, exit code,
                no longer, succeeded, build successful, tests pass, all tests, test suite, type check, errors,
                0 failures, 0 errors, compiles, verified, reproduced, measured,
                bestanden, fehlgeschlagen, прошли, упали, pasaron, fallaron, réussi, échoué""",
            1.0: "tests, returned, successful, successfully, benchmark, coverage, total, faster, slower, lint, green",
        },
        EventType.HYPOTHESIS: {
            2.0: """likely, probably, suspect, might be, may be, possibly, perhaps, my guess, could be, appears,
                hypothesis, i might, should fix, should work, should resolve, should now work, wahrscheinlich,
                vermutlich, вероятно, возможно, probablemente, quizás, probablement, peut être""",
            1.0: "i think, seems, unclear, not sure",
        },
        EventType.CORRECTION: {
            2.0: """you want, youre right, you are right, i misunderstood, i was wrong, my mistake, du hast recht,
                вы правы, tienes razón, vous avez raison""",
        },
        EventType.REJECTION: {
            2.0: """not worth, overkill, no need, ruled out, rejected, decided against, unnecessary, doesnt need,
                dont need, would just be, isnt needed, not needed, abgelehnt, nicht nötig, не нужно, отказались,
                descartado, no hace falta, rejeté, pas besoin""",
        },
    }
)

ASKED = Lexicon(
    {
        EventType.PREFERENCE: {
            3.0: """always, never, from now on, in the future, every time, whenever, each time, before every,
                after every, before each, after each, answer in, reply in, i prefer, i dont like, i hate,
                dont ask, stop asking, without asking, commit changes, commit after, commit as, commit each,
                commit every, commit often, commit messages, as you go, before you commit, immer, niemals, nie,
                ab jetzt, всегда, никогда, siempre, nunca, toujours, jamais, from here on, from today on, going forward,
                from this point on, prefer, would rather not, by convention, our convention, as a rule, rule of thumb,
                künftig, in zukunft, von nun an, ab sofort, stets, grundsätzlich, bevorzuge, впредь, отныне,
                предпочитаю, prefiero, a partir de ahora, de ahora en adelante, désormais, dorénavant, je préfère,
                à partir de maintenant, nevr, nver, neevr, nevver, neverr, allways, alway, alwyas, alwas, alwys, awlays,
                alwayz, perfer, preffer, in general, at all times, no matter what,
                under no circumstances, on no account, new convention, house rule, ground rule""",
            1.0: "i like",
            -3.0: """never mind, always the same, as always, like always, never seen, never heard, never knew, i never,
                i like it, i like that, i like this, i like the, when i like, if i like, after i like, once i like""",
        },
        EventType.CONSTRAINT: {
            3.0: """must, has to, have to, needs to, make sure, required, exclusively, cannot, at least, not allowed,
                we expect, ensure, requirement, want something that, muss, müssen, darf nicht, должен, должна, должно,
                должны, нельзя, debe, tiene que, asegúrate, doit, il faut, hay que, обязательно, нужно, надо,
                il ne faut pas, on doit, hands off, dont touch, do not touch, stay away from, keep away from,
                off limits, leave alone, finger weg, pas touche, no toques, не трогай""",
            1.0: """should, only, need to, cant, eventually, so i can, so we can, support, dont, avoid, follow,
                prioritize, before you, before any, before every, before each, use at least, will be, keep, without,
                shouldnt, should not, do not, stick to, at most, nur, только, solo, seulement""",
            # What somebody must do himself, need not do, or takes for certain is no demand.
            -3.0: """i have to, i must, ive to, i had to, you have to be kidding, must be kidding, must be joking,
                no longer have to, somewhere, must have been,
                must be because, must be why, it must be the, that must be the, must be the""",
            -4.0: "dont have to, do not have to, doesnt have to, does not have to",
            -1.0: """i dont understand, i dont know, i dont see, i dont think, i dont get, i dont care, i dont mind,
                i dont remember, i dont have, i dont recall, i dont believe,
                should pass, should work, should be fine, should be ok, should be there, should exist""",
        },
        EventType.DECISION: {
            3.0: """lets, we decided, we have decided, weve decided, i decided, ive decided, id rather, instead of,
                go with, switch to, replace, get rid of, need to be, lass uns, statt,
                вместо, давай, en vez de, vamos a, au lieu de, plutôt, lets go for, lets go with, we chose, weve chosen,
                we picked, we settled on, we agreed, going with, wir haben entschieden, wir haben beschlossen,
                wir nehmen, мы решили, решили, decidimos, hemos decidido, en lugar de, on a décidé,
                nous avons décidé, lets settle, decison, deicded, decieded, on garde, on part sur, nos quedamos con,
                wir bleiben bei, остановились на""",
            1.0: """i think, is great, is fine, sounds good, rather than, we want, i want, go for, use, we do, call it,
                works for me, better to, would be better, i agree""",
            # Who says what is done next decides nothing.
            -3.0: """that lets, which lets, it lets, this lets, i dont know, lets go, lets get started, lets get going,
                lets start, lets begin, lets continue, lets commit, lets push, lets merge, lets see, lets look,
                lets take a look, lets have a look, lets check, lets try that, lets try again, lets try it, lets test,
                lets run, lets fix, lets debug, lets do it, lets do this, lets do that, lets move on, lets proceed,
                lets wrap, lets finish, lets hurry, lets call it a, lets call it done, lets stop, lets wait, lets talk,
                давай посмотрим""",
        },
        EventType.REJECTION: {
            2.0: "not worth, are not worth, is not worth, isnt worth, arent worth",
            4.0: """dont want, do not want, not interested, forget about, ich will kein, не хочу, no quiero,
                je ne veux pas""",
            -4.0: "dont forget about, do not forget about, never forget about, not forget about",
        },
        EventType.CORRECTION: {
            2.0: """on second thought, on second thoughts, changed my mind, scratch that, come to think of it,
                thats not, thats an, thats wrong, not what, i said, i meant, you forgot, you missed, instead,
                dont need to, should have, revert, why did you, just tell, falsch, неправильно, no es, ce nest pas""",
        },
    }
)

# What is said of something that is turned down, unless what is to be done about it is said with it.
TURNED_DOWN = (
    " is not possible ", " tried already ", " already tried ", " ruled out ", " off the table ", " too old ",
    " overkill ", " too complex ", " too complicated ", " not worth ", " zu kompliziert ",
)  # fmt: skip
# What people say besides: greetings, excuses, and how they feel.
CHATTER = (
    " never mind ", " nevermind ", " forget it ", " youre the best ", " you are the best ", " good job ",
    " well done ", " you must be kidding ", " must be joking ", " call it a day ", " good morning ",
    " i have to go ", " i have to leave ", " i need to go ", " gotta go ", " be right back ",
    " good night ", " good evening ", " see you ", " have a nice ", " have a good ", " guten morgen ", " buenos días ",
    " bonjour ", " доброе утро ",
)  # fmt: skip

# What headings say stands below them.
HEADINGS = Lexicon(
    {
        EventType.EVIDENCE: {3.0: "verification, verified, validation, test results, tests, checks, results, tested"},
        EventType.DECISION: {
            3.0: """changes, changed, what changed, what i did, decision, decisions, implemented, fix, approach, built,
                solution, problem solving, stack, what i changed, key components, features""",
        },
        EventType.FINDING: {
            3.0: """cause, findings, issue, issues, problem, problems, why, note, notes, how it works, behavior, gaps,
                errors, what i found, root cause""",
        },
        EventType.CONSTRAINT: {
            3.0: """requirements, constraints, rules, non goals, out of scope, limitations, expectations,
                deliverables""",
        },
    }
)

# How sentences begin that only announce what is done next.
INTENTS = (
    " ill ", " then ill ", " let me ", " im going to ", " i will ", " next i", " now ", " next ", " lets ", " im ",
    " first ", " want me to ", " would you like ", " do you want ", " if you want ", " should i ", " shall i ",
    " i can ", " heres ", " here is ", " here are ", " i need to ",
    " i should ", " i understand ", " please confirm ", " please let me know ", " let me know ",
    " send ", " try ", " what ", " which ", " does this ", " how ", " also update ", " the user wants ",
    " the user is asking ", " looking at ", " ich werde ", " voy a ", " je vais ", " сейчас ",
)  # fmt: skip
QUESTIONS = (
    " why ", " what ", " whats ", " how ", " is ", " are ", " does ", " do ", " can ", " could ", " where ", " which ",
    " explain ", " explore ", " review ", " investigate ", " analyze ", " understand ", " tell me ", " show me ",
    " find out ", " compare ", " check ", " look ", " read ", " research ", " warum ", " wie ", " was ", " почему ",
    " как ", " por qué ", " cómo ", " pourquoi ",
)  # fmt: skip
REQUESTS = (
    " can you ", " could you ", " would you ", " will you ", " please ", " kannst du ", " könntest du ", " puedes ",
    " peux tu ", " можешь ",
)  # fmt: skip
REFUSALS = (" no ", " nein ", " нет ", " non ")  # of an answer to a question
DENIALS = (" no ", " nope ", " actually ", " instead ", " not ", " nein ", " нет ", " non ")
NO_DENIALS = (" no idea ", " no clue ", " no worries ", " no problem ", " no rush ", " no hurry ", " not sure ")
OBJECTIONS = (
    *DENIALS, " wait ", " oh ", " hmm ", " stop ", " hold on ", " sorry ", " moment ", " подожди ", " espera ",
    " attends ",
)  # fmt: skip
ACKNOWLEDGEMENTS = (
    " youre right ", " youre absolutely right ", " oh youre ", " good catch ", " my mistake ", " i misunderstood ",
    " sorry ", " apologies ", " switching to ", " you are right ", " du hast recht ", " ты прав ", " вы правы ",
    " tienes razón ", " tu as raison ", " vous avez raison ",
)  # fmt: skip
OWNED_UP = (" i was wrong ", " my mistake ", " i misunderstood ", " i misread ", " sorry ", " apologies ")
# What an agent says of its own orders holds for the agent, not for the work.
ABOUT_ORDERS = re.compile(
    r" system prompt | my (?:instructions|prompt|guidelines|orders|training) | (?:instructed|tells?|told) me to "
    r"| i (?:was|am|have been) (?:instructed|told) to | as an ai | as a language model "
)
ACCEPTANCES = frozenset(
    {
        "ok", "okay", "yes", "yep", "yeah", "sure", "go", "sounds", "great", "perfect", "lgtm", "approved", "agreed",
        "proceed", "continue", "do", "ja", "genau", "да", "хорошо", "sí", "vale", "oui",
    }
)  # fmt: skip
# Words of which an agreement may have any number.
ASSENT = ACCEPTANCES | frozenset(
    {
        "please", "that", "it", "this", "idea", "plan", "good", "nice", "fine", "ahead", "for", "and", "with", "lets",
        "works", "me", "to", "so", "very", "much", "thanks", "thank", "you", "exactly", "right", "cool", "love", "i",
        "makes", "sense", "bitte", "gern", "gerne", "gut", "idee", "machen", "mach", "das", "passt", "danke",
        "buena", "adelante", "hazlo", "gracias", "bonne", "idée", "vas", "y", "merci", "boa", "ideia", "pode", "fazer",
    }
)  # fmt: skip
REMEMBER = (
    " remember that ", " remember this ", " please remember ", " merk dir ", " запомни ", " recuerda ",
    " souviens toi ", " keep in mind ", " bear in mind ", " for the record ", " just so you know ", " fyi ",
    " heads up ", " please to remember ",
    " dont forget that ", " denk daran ", " vergiss nicht ", " no olvides ", " noublie pas ", " не забудь ",
)  # fmt: skip
