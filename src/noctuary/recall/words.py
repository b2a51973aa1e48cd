"""Words that say little about what is looked for; data, kept apart from the code that uses it."""

# Words that carry no topic.  They are dropped, unless the query has nothing else.
STOP_WORDS = frozenset(
    """
    a about after all also am an and any are as at be because been before being both but by can could d did do does
    doing don down during each few for from further had has have having he her here hers him his how i if im in into
    is isn it its itself just let ll m may me might more most must my myself no nor not now of off on once only or
    other our ours out over own re s same shall she should so some such t than that the their them then there these
    they this those through to too under until up us ve very was wasn we were what when where which while who whom
    why will with won would you your yours
    """.split()  # noqa: SIM905 - a block of words reads better than a list of quoted ones
)

# Words people ask *with* rather than *about*: "do you remember how many times we recently talked about …".
ASKING_WORDS = frozenset(
    """
    amount ask asked best bit chat conversation current currently different discuss discussed earlier earliest find
    first found get go going good got help interesting kind know last latest like lot made make many mention mentioned
    much need new number often order past please previous previously recall recent recently recommend recommended
    remember remind said say sort suggest suggested take talk talked tell thing things think thought told took total
    tried try type use used useful want wanted way went
    """.split()  # noqa: SIM905
)
