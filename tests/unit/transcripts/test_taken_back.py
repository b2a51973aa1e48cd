"""What is told of a document whose entries change, go, and come back."""

from noctuary.records import Kind, Role
from noctuary.transcripts.documents import Entry, Talk, read_document
from noctuary.transcripts.drafts import Draft
from noctuary.transcripts.items import Facts, Item, Mark, Place, Rewound, Said


def read(place: Place, **said: str) -> list[Item]:
    """What is told of a document with these entries."""
    entries = [Entry(key, [Draft(Role.USER, Kind.TEXT, None, text)], 1, 1) for key, text in said.items()]
    return list(read_document(place, lambda: [Talk(Facts(session="s"), entries)]))


def place_after(items: list[Item]) -> Place:
    return next(item.place for item in items if isinstance(item, Mark))


def changes(items: list[Item]) -> tuple[list[str | None], list[str]]:
    """The uids that were told, and those that were taken back."""
    told = [item.message.uid for item in items if isinstance(item, Said)]
    return told, [uid for item in items if isinstance(item, Rewound) for uid in item.uids]


def test_what_comes_back_has_a_new_name() -> None:
    """What was taken back under its old name is hidden for good, so an entry that is back is told under another."""
    first = read(Place(), a="one", b="two")
    without = read(place_after(first), a="one")
    still_without = read(place_after(without), a="one")
    back = read(place_after(still_without), a="one", b="two")
    unchanged = read(place_after(back), a="one", b="two")
    again_without = read(place_after(unchanged), a="one")

    (_, b), _ = changes(first)
    assert changes(without) == ([], [b])
    assert changes(still_without) == ([], [])
    [new], none = changes(back)
    assert (new != b, none) == (True, [])
    assert changes(unchanged) == ([], [])
    assert changes(again_without) == ([], [new])


def test_what_comes_back_as_something_else_is_new() -> None:
    """An entry that is back and says something else has the name of what it says."""
    first = read(Place(), b="two")
    without = read(place_after(first))
    other = read(place_after(without), b="three")

    assert changes(other) == changes(read(Place(), b="three"))


def test_what_changes_is_replaced() -> None:
    """The old message is taken back, and the new one told."""
    first = read(Place(), a="on")
    second = read(place_after(first), a="one")

    assert changes(second)[1] == changes(first)[0]
    assert changes(second)[0] == changes(read(Place(), a="one"))[0]


def test_two_entries_of_one_name_are_told_apart() -> None:
    """Whatever an agent calls its entries, each is told once, and none is taken for another."""
    drafts = [Draft(Role.USER, Kind.TEXT, None, "one")]
    entries = [Entry("a", drafts, 1, number) for number in range(3)]

    def talks() -> list[Talk]:
        return [Talk(Facts(session="s"), entries)]

    first = list(read_document(Place(), talks))
    second = list(read_document(place_after(first), talks))

    assert len(set(changes(first)[0])) == 3
    assert changes(second) == ([], [])
