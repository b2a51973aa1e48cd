"""The scan: what is packed compares as it did, keys survive, and the order is exact."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from noctuary.models.hashing import HashingEmbedder
from noctuary.recall.scan import FEW, STEPS, Likeness, Matrix, numpy_products, packed, simd, simd_products
from noctuary.store import keys

Array = NDArray[Any]
Row = tuple[int, bytes, bytes, bytes]

needs_simd = pytest.mark.skipif(simd is None, reason="simsimd is not installed")


def unit(rows: Array) -> Array:
    """The rows with length 1; those of length 0 as they are."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(lengths > 0, lengths, 1), dtype=np.float32)


def some_vectors(seed: int, count: int, dimension: int) -> Array:
    return unit(np.random.default_rng(seed).standard_normal((count, dimension)))


def unpacked(vectors: Array) -> Array:
    """What the packed vectors stand for."""
    scales, codes = packed(vectors)
    steps = np.frombuffer(codes, dtype=np.int8).reshape(vectors.shape)
    return np.asarray(steps * np.frombuffer(scales, dtype="<f4")[:, None])


def row(session: int, lows: list[int], vectors: Array) -> Row:
    """A row as the store gives it."""
    return (session, np.array(lows, dtype="<u4").tobytes(), *packed(vectors))


def low(place: int, voice: int = keys.USER) -> int:
    return keys.pack(0, place, voice, 3)


@st.composite
def vector_rows(draw: st.DrawFn) -> Array:
    """A few vectors of length 1, or 0, of any shape: flat, peaked, sparse."""
    count, dimension = draw(st.integers(1, 6)), draw(st.integers(1, 48))
    numbers = st.floats(-1, 1, width=32, allow_subnormal=False) | st.just(0.0)
    values = draw(st.lists(numbers, min_size=count * dimension, max_size=count * dimension))
    return unit(np.array(values, dtype=np.float32).reshape(count, dimension))


@given(vector_rows())
def test_packing_loses_at_most_half_a_step(vectors: Array) -> None:
    """What comes back is no further away than half a step a number, of which the greatest number has 127."""
    half = np.abs(vectors).max(axis=1) / STEPS / 2

    lost = np.linalg.norm(unpacked(vectors) - vectors, axis=1)
    assert (lost <= half * np.sqrt(vectors.shape[1]) + 1e-6).all()


@given(vector_rows())
def test_nothing_is_more_alike_than_one(vectors: Array) -> None:
    """However vectors are rounded, they are alike from -1 to 1, and none is more like another than like itself."""
    matrix = Matrix.of_rows([row(1, [low(i + 1) for i in range(len(vectors))], vectors)], vectors.shape[1])

    for i, vector in enumerate(vectors):
        values = matrix.compare(vector).values
        assert np.abs(values).max() <= 1 + 1e-5
        assert values[i] == pytest.approx(float(vector @ vector), abs=0.01)


@pytest.mark.parametrize("kind", ["dense", "of few words"])
@pytest.mark.parametrize("dimension", [64, 256, 384, 1024])
def test_packed_products_are_within_a_hundredth(dimension: int, kind: str) -> None:
    """Compared as bytes, vectors are as alike as they are compared as numbers, within 0.01."""
    words = [" ".join(f"word{i % 7} thing{i * j}" for j in range(i % 5 + 1)) for i in range(500)]
    vectors = some_vectors(1, 500, dimension) if kind == "dense" else HashingEmbedder(dimension).passages(words)
    matrix = Matrix.of_rows([row(1, [low(i + 1) for i in range(500)], vectors)], dimension)

    for question in [*some_vectors(2, 20, dimension), *vectors[:20]]:
        assert np.abs(matrix.compare(question).values - vectors @ question).max() < 0.01


@given(vector_rows(), st.data())
def test_comparing_is_the_product_of_what_was_packed(vectors: Array, data: st.DataObject) -> None:
    """Comparing adds no error to that of packing, whatever the vectors."""
    question = vectors[data.draw(st.integers(0, len(vectors) - 1))]
    matrix = Matrix.of_rows([row(1, [low(i + 1) for i in range(len(vectors))], vectors)], vectors.shape[1])

    expected = unpacked(vectors) @ unpacked(question.reshape(1, -1))[0]
    assert np.allclose(matrix.compare(question).values, expected, atol=1e-5)


@pytest.mark.parametrize("numbers", [[3e-44, -1e-44], [1e-45, 0.0], [1e15, -1e15], [1.0, -1.0]])
def test_packing_never_wraps_around(numbers: list[float]) -> None:
    """However small or great the numbers are, none comes back with the wrong sign."""
    vectors = np.array([numbers], dtype=np.float32)

    assert (unpacked(vectors) * vectors >= 0).all()


@needs_simd
@given(st.integers(0, 2**32 - 1), st.integers(1, 400), st.integers(1, 300))
def test_simsimd_and_numpy_agree(seed: int, dimension: int, count: int) -> None:
    """Which library multiplies makes no difference, to the last bit, for any length of vector."""
    codes = np.random.default_rng(seed).integers(-STEPS, STEPS, (count, dimension), np.int8, endpoint=True)

    assert np.array_equal(simd_products(codes, codes[0]), numpy_products(codes, codes[0]))


@needs_simd
@pytest.mark.parametrize("count", [FEW, FEW + 1, 2 * FEW + 7])
def test_sharing_the_work_changes_nothing(count: int) -> None:
    """Above some number the work is shared among threads: the products and their order are the same."""
    codes = np.random.default_rng(count).integers(-STEPS, STEPS, (count, 8), np.int8, endpoint=True)
    expected = (codes.astype(np.int64) * codes[5].astype(np.int64)).sum(axis=1)

    assert np.array_equal(simd_products(codes, codes[5]), expected)
    assert np.array_equal(numpy_products(codes, codes[5]), expected)


def test_greatest_products_do_not_overflow() -> None:
    """Vectors of the greatest length models have, all at their greatest, are multiplied exactly."""
    codes = np.full((3, 8192), STEPS, dtype=np.int8)
    codes[1] = -STEPS
    expected = [STEPS * STEPS * 8192 * sign for sign in (1, -1, 1)]

    assert numpy_products(codes, codes[0]).tolist() == expected
    assert simd is None or simd_products(codes, codes[0]).tolist() == expected


@st.composite
def sessions_of_messages(draw: st.DrawFn) -> dict[int, list[tuple[int, int]]]:
    """Session numbers, each with the keys' low halves and how many passages each message has."""
    numbers = draw(st.lists(st.integers(1, 2**31 - 1), unique=True, max_size=6))
    messages = st.tuples(st.integers(1, 2**32 - 1), st.integers(1, 3))
    return {no: sorted(dict(draw(st.lists(messages, max_size=6))).items()) for no in numbers}


def rows_of(made: dict[int, list[tuple[int, int]]], seed: int = 1, dimension: int = 16) -> list[Row]:
    """Rows with random vectors, in the order in which the sessions are given."""
    chance = np.random.default_rng(seed)
    rows = []
    for no, messages in made.items():
        lows = [low for low, passages in messages for _ in range(passages)]
        rows.append(row(no, lows, unit(chance.standard_normal((len(lows), dimension)))))
    return rows


@given(sessions_of_messages())
def test_keys_survive(made: dict[int, list[tuple[int, int]]]) -> None:
    """Every message is there once, under its own key, in ascending order, whatever order the rows come in."""
    question = some_vectors(9, 1, 16)
    likeness = Matrix.of_rows(rows_of(made), 16).compare(question)

    expected = sorted(no << keys.SESSION_SHIFT | low for no, messages in made.items() for low, _ in messages)
    assert likeness.keys.tolist() == expected
    assert likeness.of(expected).keys() == set(expected)
    assert len(likeness) == len(expected)


@given(sessions_of_messages())
def test_best_passage_decides(made: dict[int, list[tuple[int, int]]]) -> None:
    """A message is as alike as its most alike passage."""
    question, rows = some_vectors(9, 1, 16), rows_of(made)
    likeness = Matrix.of_rows(rows, 16).compare(question)

    best: dict[int, float] = {}
    for no, lows, scales, codes in rows:
        steps = np.frombuffer(codes, dtype=np.int8).reshape(-1, 16) * np.frombuffer(scales, dtype="<f4")[:, None]
        for low, value in zip(np.frombuffer(lows, dtype="<u4").tolist(), steps @ unpacked(question)[0], strict=True):
            key = no << keys.SESSION_SHIFT | low
            best[key] = max(best.get(key, -2.0), float(value))
    assert likeness.of(best) == pytest.approx(best, abs=1e-5)


@given(sessions_of_messages(), st.data())
def test_filtering_before_equals_filtering_after(made: dict[int, list[tuple[int, int]]], data: st.DataObject) -> None:
    """To look at some sessions only gives what they have in a look at all: of rows, in a matrix, and in the end."""
    question, rows = some_vectors(9, 1, 16), rows_of(made)
    wanted = data.draw(st.lists(st.sampled_from([*made, 77]), unique=True))
    whole = Matrix.of_rows(rows, 16)
    expected = {
        key: value
        for key, value in whole.compare(question).of(whole.keys.tolist()).items()
        if keys.session_of(key) in wanted
    }

    for narrowed in (Matrix.of_rows([r for r in rows if r[0] in wanted], 16), whole.among(wanted)):
        assert narrowed.compare(question).of(whole.keys.tolist()) == pytest.approx(expected)
    ranked = sorted(expected, key=lambda key: (-expected[key], -key))
    assert whole.compare(question).nearest(1_000, wanted) == ranked
    assert whole.compare(question).nearest(2, wanted) == ranked[:2]


@given(
    st.dictionaries(st.integers(1, 2**62), st.sampled_from([-1.0, -0.25, 0.0, 0.25, 0.5, 0.5001, 1.0]), max_size=40),
    st.integers(0, 45),
)
def test_nearest_is_the_sorted_order(values: dict[int, float], most: int) -> None:
    """The nearest are exactly the first of all in order: by likeness, equals by age, the newest first."""
    ordered = sorted(values)
    likeness = Likeness(np.array(ordered, np.int64), np.array([values[key] for key in ordered], np.float64))

    assert likeness.nearest(most) == sorted(values, key=lambda key: (-values[key], -key))[:most]


def test_voices_are_chosen_before_the_best() -> None:
    """Who looks for what a person said gets as much of it as there is, however much an agent said that is alike."""
    lows = [low(1), *(low(place, keys.ASSISTANT) for place in range(2, 100)), low(100), low(101, keys.OUTPUT)]
    vectors = some_vectors(5, len(lows), 32)
    vectors[1:99] = vectors[1]
    likeness = Matrix.of_rows([row(3, lows, vectors)], 32).compare(vectors[1])

    def places(voices: tuple[int, ...]) -> list[int]:
        return sorted(keys.place_of(key) for key in likeness.nearest(5, None, voices))

    assert places((keys.USER,)) == [1, 100]
    assert places((keys.USER, keys.OUTPUT)) == [1, 100, 101]
    assert places(()) == [95, 96, 97, 98, 99]
    assert places((keys.SUMMARY,)) == []


@pytest.mark.parametrize(
    "damaged",
    [
        (5, b"", bytes(4), bytes(8)),
        (5, bytes(4), b"", bytes(8)),
        (5, bytes(4), bytes(4), b""),
        (5, bytes(3), bytes(4), bytes(8)),
        (5, bytes(4), bytes(4), bytes(7)),
        (5, bytes(4), bytes(4), bytes(16)),
        (5, bytes(8), bytes(4), bytes(8)),
        (5, b"\0\1\0\0", np.array([np.nan], "<f4").tobytes(), b"\1" * 8),
        (5, b"\0\1\0\0", np.array([np.inf], "<f4").tobytes(), b"\1" * 8),
        (5, b"\0\1\0\0", np.array([-0.5], "<f4").tobytes(), b"\1" * 8),
        (5, b"\0\1\0\0", np.array([1e30], "<f4").tobytes(), b"\1" * 8),
    ],
)
def test_what_does_not_add_up_is_left_out(damaged: Row) -> None:
    """A row with lengths that do not fit, of another dimension or with impossible factors counts as absent."""
    vectors = some_vectors(7, 4, 8)
    rows = [row(4, [low(1), low(2)], vectors[:2]), row(6, [low(1), low(2)], vectors[2:])]

    whole, beside = Matrix.of_rows(rows, 8), Matrix.of_rows([damaged, *rows], 8)

    assert beside.keys.tolist() == whole.keys.tolist()
    assert np.array_equal(beside.compare(vectors[3]).values, whole.compare(vectors[3]).values)


def test_passages_out_of_order_are_put_in_order() -> None:
    """Messages are found by their keys even if a row has them in another order."""
    vectors = some_vectors(8, 3, 8)
    mixed = Matrix.of_rows([row(4, [low(3), low(1), low(2)], vectors)], 8).compare(vectors[1])

    assert mixed.keys.tolist() == [4 << keys.SESSION_SHIFT | low(place) for place in (1, 2, 3)]
    assert mixed.nearest(1) == [4 << keys.SESSION_SHIFT | low(1)]


def test_nothing_stored() -> None:
    """An empty memory is compared with as any other, and is like nothing."""
    for rows in ([], [(1, b"", b"", b"")]):
        matrix = Matrix.of_rows(rows, 8)
        likeness = matrix.compare(some_vectors(1, 1, 8))
        assert (len(matrix), len(likeness), matrix.size) == (0, 0, 0)
        assert (likeness.best, likeness.usual) == (0.0, (0.0, 0.0))
        assert (likeness.nearest(5), likeness.of([1, 2])) == ([], {})
        assert len(matrix.among([1]).compare(some_vectors(1, 1, 8))) == 0


@settings(max_examples=20)
@given(st.integers(1, 20), st.integers(1, 64))
def test_zero_vectors(count: int, dimension: int) -> None:
    """A text without a single word has no direction: it is like nothing, and nothing breaks."""
    zeros = np.zeros((count, dimension), dtype=np.float32)
    some = some_vectors(count, count, dimension)
    lows = [low(place + 1) for place in range(count)]

    asked = Matrix.of_rows([row(1, lows, some)], dimension).compare(zeros[:1])
    stored = Matrix.of_rows([row(1, lows, zeros)], dimension).compare(some[:1])

    for likeness in (asked, stored):
        assert likeness.values.tolist() == [0.0] * count
        assert (likeness.best, likeness.usual) == (0.0, (0.0, 0.0))
        assert [keys.place_of(key) for key in likeness.nearest(3)] == list(range(count, 0, -1))[:3]


def test_usual_and_best() -> None:
    """How alike messages usually are, and the most alike of them."""
    likeness = Likeness(np.array([1, 2, 3]), np.array([0.1, 0.5, 0.3]))

    assert likeness.best == 0.5
    assert likeness.usual == pytest.approx((0.3, np.std([0.1, 0.5, 0.3])))
    assert likeness.of([3, 7]) == pytest.approx({3: 0.3})
