"""What is shared, in the words of the command line."""

from collections.abc import Iterator, Sequence

from noctuary.doors.cli.paint import bold, one_line, wrapped
from noctuary.doors.cli.tables import facts, table
from noctuary.moments import show_day, show_time
from noctuary.store.sharing import Content, DeedDone, Share

_HEADS = ("ID", "TEAM", "STATE", "KIND", "BY", "DAY", "TEXT")
_INDENT = "  "


def shares_told(shares: Sequence[Share]) -> list[str]:
    """A table of what is shared."""
    return table(_HEADS, [_row(share) for share in shares])


def content_told(content: Content) -> Iterator[str]:
    """Everything that others see of a memory before a reviewer does something to it."""
    yield bold(f"{content.kind}: {wrapped(one_line(content.text), _INDENT)}")
    holds = " to ".join(filter(None, (show_day(content.valid_from_ms), show_day(content.valid_to_ms))))
    yield from facts(
        (
            ("topic", one_line(content.topic)),
            ("said by", f"{one_line(content.said_by)}, on {show_day(content.said_ms)}"),
            ("trust", one_line(content.trust)),
            ("holds", holds),
            ("memory", f"{one_line(content.memory)}, kept on {show_day(content.recorded_ms)}"),
            ("entry", one_line(content.event)),
        )
    )
    for cited in content.cited:
        quote = f": “{one_line(cited.quote)}”" if cited.quote else ""
        yield f"{_INDENT}{wrapped(f'rests on {one_line(cited.session)} message {cited.message}{quote}', _INDENT * 2)}"


def share_told(share: Share) -> Iterator[str]:
    """One thing that is shared, all of it."""
    yield bold(f"{share.id}  {share.state} in {one_line(share.team_name)}, from {one_line(share.publisher)}")
    if share.wording:
        yield f"{_INDENT}the team reads: {wrapped(one_line(share.wording), _INDENT * 2)}"
    yield from (f"{_INDENT}{line}" for line in content_told(share.content))
    review = f"{one_line(share.reviewer)}, {show_time(share.reviewed_ms)}" if share.reviewer else ""
    if share.reviewer == share.publisher:
        review += ", who published it"
    yield from facts(
        (("proposed", show_time(share.proposed_ms)), ("reviewed by", review), ("because", one_line(share.reason)))
    )


def history_row(done: DeedDone) -> tuple[str, ...]:
    """One line of the history of a team."""
    of_whom = f" of {one_line(done.publisher)}" if done.publisher else ""
    return show_time(done.at_ms), one_line(done.who), done.what, f"{one_line(done.about) or 'the team'}{of_whom}"


def _row(share: Share) -> tuple[str, ...]:
    day = show_day(share.content.said_ms)
    who, team = one_line(share.publisher), one_line(share.team_name)
    return share.id, team, share.state, share.content.kind, who, day, one_line(share.text)
