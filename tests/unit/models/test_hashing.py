"""The model without weights."""

from noctuary.models.hashing import HashingEmbedder
from tests.unit.models.building import np


def test_words_alone_count() -> None:
    """Case, order and punctuation do not matter; it knows no synonyms and no word order."""
    first, second = HashingEmbedder().passages(["Redis, the CACHE!", "the cache (redis)"])

    assert np.allclose(first, second)


def test_vectors_are_the_same_everywhere() -> None:
    """What was stored on one machine can be searched on another."""
    found = HashingEmbedder(8).passages(["redis"])

    assert found.tolist() == HashingEmbedder(8).passages(["redis"]).tolist()
    assert (found != 0).sum() <= 4


def test_dimensions_are_told_apart() -> None:
    """Vectors of two lengths have two names."""
    assert HashingEmbedder(8).name != HashingEmbedder(16).name
