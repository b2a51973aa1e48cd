"""Exact words win: whatever a model takes for alike, who types a name, a path or an error finds where it stands."""

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from noctuary.recall.database import DatabaseRecall
from noctuary.recall.meaning import Understanding
from noctuary.recall.query import parse
from noctuary.recall.scan import Likeness
from noctuary.records import Message, Role, Session
from noctuary.store import Store, keys, open_store
from noctuary.testing import FakeClock

OWNER = "ana"
NOW = FakeClock().now_ms()
LITERALS = ["max_retries", "E-4711", "ERR_4711", "src/shop/tax.py", "parseUserId", "a1b2c3d4", "--no-verify"]
CAPITALS = "ECONNREFUSED"
TOKENS = [*LITERALS, CAPITALS]
WORDS = ["server", "queue", "table", "deploy", "index", "cache", "build", "branch", "merge", "worker", "retry"]
WORDS += ["price", "order", "basket", "user", "page", "style", "colour", "layout", "button", "query", "schema"]
WORDS += ["backup", "restore", "token", "login", "session", "cookie", "header"]
UNKNOWN = ["zeppelin", "sprocket", "marmalade", "production"]  # nobody ever said these

Values = Callable[[Sequence[int]], Sequence[float]]


class Talk:
    """A store of random talk in which one message has a token that no other has."""

    def __init__(self, folder: Path, seed: int, token: str, size: int) -> None:
        chance = random.Random(seed)
        self.store = open_store(folder / "noctuary.db")
        self.values: Values = lambda found: [0.0] * len(found)
        self.recall = DatabaseRecall(self.store, FakeClock(), self.understand)
        lines = [" ".join(chance.choices(WORDS, k=chance.randrange(4, 30))) for _ in range(size)]
        self.common = [word for word in WORDS if sum(word in line for line in lines) > size // 4]
        at = chance.randrange(size)
        place = chance.randrange(len(lines[at].split()) + 1)
        words = lines[at].split()
        self.right = lines[at] = " ".join([*words[:place], token, *words[place:]])
        with self.store.database.transaction():
            while lines:
                many = chance.randrange(1, 6)
                said = [Message(role=chance.choice(SPEAKERS), content=line, ts_ms=NOW) for line in lines[:many]]
                self.recall.add_session(OWNER, Session(id=f"s{len(lines)}"), said)
                del lines[:many]

    def understand(self, _question: str, _picked: Sequence[int] | None) -> Understanding:
        """As alike as the test says."""
        found = sorted(self.store.messages.containing(""))
        return Understanding(Likeness(np.array(found, np.int64), np.array(self.values(found), np.float64)))

    def first(self, text: str) -> str:
        """What the first of all messages found says."""
        return self.recall.search_messages(OWNER, parse(text, NOW), 10).hits[0].anchor.content

    def first_by_words(self, text: str) -> str:
        """The same without a model."""
        return (
            DatabaseRecall(self.store, FakeClock()).search_messages(OWNER, parse(text, NOW), 10).hits[0].anchor.content
        )

    def first_session(self, text: str) -> str:
        """What the best message of the first of all sessions found says."""
        return self.recall.search(OWNER, parse(text, NOW), 10).hits[0].anchor.content

    def against(self, liked: int) -> Values:
        """A model that likes one message best of all and the right one least."""
        wrong = [key for key in self.store.messages.containing("") if not self._is_right(key)]
        best = wrong[liked % len(wrong)]
        return lambda found: [1.0 if key == best else -1.0 if self._is_right(key) else 0.0 for key in found]

    def _is_right(self, key: int) -> bool:
        return self.store.messages.texts([key])[key][1] == self.right


SPEAKERS = [Role.USER, Role.ASSISTANT]


@contextmanager
def talk(seed: int, token: str, size: int) -> Iterator[Talk]:
    with TemporaryDirectory() as folder:
        made = Talk(Path(folder), seed, token, size)
        yield made
        made.store.close()


seeds = st.integers(0, 2**32)
sizes = st.integers(12, 60)


@settings(max_examples=40, deadline=None)
@given(seeds, st.sampled_from(TOKENS), sizes, st.integers(0, 1_000))
def test_a_token_against_a_model_that_likes_another(seed: int, token: str, size: int, liked: int) -> None:
    """The message with the token is first, though the model likes any other best and this one least."""
    with talk(seed, token, size) as made:
        made.values = made.against(liked)

        assert made.first(token) == made.right
        assert made.first_session(token) == made.right


@settings(max_examples=40, deadline=None)
@given(seeds, st.sampled_from(TOKENS), sizes)
def test_a_token_against_any_model(seed: int, token: str, size: int) -> None:
    """Whatever a model says of all messages, the one with the token is first."""
    with talk(seed, token, size) as made:
        chance = random.Random(seed)
        made.values = lambda found: [chance.uniform(-1, 1) for _ in found]

        assert made.first(token) == made.right
        assert made.first_session(token) == made.right


@settings(max_examples=25, deadline=None)
@given(seeds, st.sampled_from(TOKENS), st.integers(120, 200), st.integers(0, 1_000), st.integers(1, 2))
def test_a_token_beside_common_words(seed: int, token: str, size: int, liked: int, many: int) -> None:
    """Also if common words stand beside the token, which the message the model likes may have and this one not."""
    with talk(seed, token, size) as made:
        made.values = made.against(liked)
        words = random.Random(seed).sample(made.common, min(many, len(made.common)))
        assume(made.first_by_words(" ".join([token, *words])) == made.right)

        assert made.first(" ".join([token, *words])) == made.right


@settings(max_examples=40, deadline=None)
@given(seeds, st.sampled_from(LITERALS), sizes, st.integers(0, 1_000), st.permutations(UNKNOWN), st.integers(1, 3))
def test_a_token_beside_unknown_words(
    seed: int, token: str, size: int, liked: int, words: list[str], many: int
) -> None:
    """Also if the question has words that nobody ever said: the token is what can be found of it."""
    with talk(seed, token, size) as made:
        made.values = made.against(liked)

        assert made.first(" ".join([*words[:many], token])) == made.right


def test_a_word_in_capitals_beside_unknown_words() -> None:
    """The same holds for an error that is one word in capitals."""
    with talk(1, CAPITALS, 60) as made:
        made.values = made.against(1)
        question = f"zeppelin sprocket {CAPITALS}"
        assert made.first_by_words(question) == made.right

        assert made.first(question) == made.right


@settings(max_examples=20, deadline=None)
@given(seeds, st.sampled_from(TOKENS), sizes)
def test_without_direction(seed: int, token: str, size: int) -> None:
    """A model to which all are equally alike, or nothing is, changes nothing."""
    with talk(seed, token, size) as made:
        for same in (0.0, 0.7, -0.2):
            made.values = lambda found, value=same: [value] * len(found)  # type: ignore[misc]
            assert made.first(token) == made.right


@pytest.mark.parametrize("token", TOKENS)
def test_meaning_never_hides_a_word(tmp_path: Path, token: str) -> None:
    """A message that has what was typed is among the hits even if sixty others are more alike."""
    made = Talk(tmp_path, 1, token, 200)
    made.values = made.against(3)

    assert made.right in [hit.anchor.content for hit in made.recall.search_messages(OWNER, parse(token, NOW), 5).hits]
    made.store.close()


def test_of_two_with_the_same_words_the_more_alike_is_first(tmp_path: Path) -> None:
    """Where words cannot tell, meaning does."""
    store = open_store(tmp_path / "noctuary.db")
    made = DatabaseRecall(store, FakeClock())
    for number in range(6):
        made.append(OWNER, f"s{number}", Message(role=Role.USER, content=f"apricot number {number}", ts_ms=NOW))
        made.append(OWNER, f"t{number}", Message(role=Role.USER, content=f"other {number} talk", ts_ms=NOW))

    for liked in range(6):
        recall = DatabaseRecall(store, FakeClock(), liking(store, f"apricot number {liked}"))
        hits = recall.search(OWNER, parse("apricot", NOW), 10).hits
        assert hits[0].anchor.content == f"apricot number {liked}"
        assert "meaning" in {why.name for why in hits[0].why}
    store.close()


def liking(store: Store, text: str) -> Callable[[str, Sequence[int] | None], Understanding]:
    """A model that likes one text."""

    def understand(_question: str, _picked: Sequence[int] | None) -> Understanding:
        found = store.messages.texts(store.messages.containing(""))
        ordered = sorted(found)
        values = [1.0 if found[key][1] == text else 0.0 for key in ordered]
        assert keys.place_of(ordered[0]) == 1
        return Understanding(Likeness(np.array(ordered, np.int64), np.array(values)))

    return understand
