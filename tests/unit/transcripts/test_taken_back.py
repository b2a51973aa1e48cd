"""What is told of a document whose entries change, go, and come back."""

import pytest

from noctuary.records import Hidden, Kind, Role
from noctuary.transcripts.documents import Entry, Talk, read_document
from noctuary.transcripts.drafts import Draft, taken_back
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


class TestKeptByItsAgent:
    """Entries that were taken back, and that their agent still has."""

    ONE = Entry("a", [Draft(Role.USER, Kind.TEXT, None, "one")], 1, 1)
    TWO = Entry("b", [Draft(Role.USER, Kind.TEXT, None, "two"), Draft(Role.USER, Kind.TEXT, None, "more")], 2, 2)
    GONE = TWO._replace(drafts=taken_back([*TWO.drafts]))

    def read(self, place: Place, *entries: Entry) -> list[Item]:
        """What is told of a document with these entries."""
        return list(read_document(place, lambda: [Talk(Facts(session="s"), entries)]))

    def test_told_as_taken_back(self) -> None:
        """What was taken back before anybody read it is told once, as what it is."""
        first = self.read(Place(), self.ONE, self.GONE)
        again = self.read(place_after(first), self.ONE, self.GONE)

        told = {item.message.content: item.message.hidden for item in first if isinstance(item, Said)}
        assert told == {"one": None, "two": Hidden.REWOUND, "more": Hidden.REWOUND}
        assert changes(again) == ([], [])

    def test_taken_back_after_it_was_read(self) -> None:
        """It is taken back under the name by which it was told, once, and told no more."""
        first = self.read(Place(), self.ONE, self.TWO)
        second = self.read(place_after(first), self.ONE, self.GONE)
        third = self.read(place_after(second), self.ONE, self.GONE)

        assert changes(second) == ([], changes(first)[0][1:])
        assert changes(third) == ([], [])

    def test_names_do_not_depend_on_when_it_was_read(self) -> None:
        """Before it was taken back or after: the same messages."""
        assert changes(self.read(Place(), self.ONE, self.GONE)) == changes(self.read(Place(), self.ONE, self.TWO))

    @pytest.mark.parametrize("entry", [TWO, TWO._replace(drafts=TWO.drafts[:1])])
    def test_part_of_it_again(self, entry: Entry) -> None:
        """What an agent took back and then brings back is told under a name of its own, and not as taken back."""
        gone = entry._replace(drafts=taken_back([*entry.drafts]))
        first = self.read(Place(), self.ONE, gone)
        back = self.read(place_after(first), self.ONE, entry)

        told = [item.message for item in back if isinstance(item, Said)]
        assert [message.hidden for message in told] == [None] * len(entry.drafts)
        assert not {message.uid for message in told} & set(changes(first)[0])
