"""Words that say little about what is looked for; data, kept apart from the code that uses it."""

# Words that carry no topic.  They are dropped, unless the query has nothing else.
STOP_WORDS = frozenset(
    """
    a about after all also am an and any are as at be because been before being both but by can could d did do does
    doing don down during each few for from further had has have having he her here hers him his how i if im in into
    is isn it its itself just let ll m may me might more most must my myself no nor not now of off on once one only or
    other our ours out over own re s same shall she should so some such t than that the their them then there these
    they this those through to too under until up us ve very was wasn we were what when where which while who whom
    why will with won would you your yours
    """.split()  # noqa: SIM905 - a block of words reads better than a list of quoted ones
)

# Words people ask *with* rather than *about*: "do you remember how many times we actually talked about …".
ASKING_WORDS = frozenset(
    """
    actual actually along already always amount another anybody anyone anything around ask asked asks back best besides
    bit came change changed chat come comes conversation current currently different discuss discussed earlier earliest
    else even ever every everything exactly find first found gave get give given go going good got happen happened help
    however instead interesting kind know last latest like look looked lot made make makes many maybe mean mention
    mentioned much need never new nothing number often order ourselves part past please previous previously put
    quite rather real really recall recent recently recommend recommended remember remind right said say says second
    seem set show side someone something sometimes sort sorts still stuff suggest suggested take taken talk talked tell
    thing things think third thought three time times told took total tried try two type use used useful want wanted way
    went whether whole without yet
    """.split()  # noqa: SIM905
)

# A question with one of these asks for a reason …
WHY_WORDS = frozenset(
    ["why", "reason", "reasons", "decide", "decided", "decision", "reject", "rejected", "warum", "pourquoi"]
)

# … a message with one of these may give it …
REASON_WORDS = (
    "because", "reason", "so that", "in order to", "root cause", "caused by", "due to", "otherwise", "not worth",
    "trade-off", "tradeoff", "rather than", "instead of", "weil ", "parce que", "porque",
)  # fmt: skip

# … and one with these says what came of it.
DECISION_WORDS = (
    "decision", "decided", "we decide", "rejected", "i reject", "let's go with", "we go with", "we'll go with",
    "we keep ", "i'd rather", "entschieden", "décidé", "decidido",
)  # fmt: skip
