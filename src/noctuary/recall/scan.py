"""How alike every message is to a question: all vectors, compared one by one, and exactly.

A vector is kept as a byte a dimension.  A million of 384 are 384 MB; the processor compares them about as fast as it
reads them (`simsimd`, or numpy alone at five times the cost), so no approximate index is needed, none has to be built,
and what is not looked at (other owners, other projects) is left out before anything is compared.
"""

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from noctuary.store.keys import LENGTH_BITS, VOICE_BITS
from noctuary.store.vectors import LOW_BITS, NOTHING, SessionVectors

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

simd: Any = None
with suppress(ImportError):  # numpy does it too, only slower
    simd = import_module("simsimd")

STEPS = 127  # of a code either way
VOICE_MASK = (1 << VOICE_BITS) - 1
ENOUGH_TO_COMPARE = 50  # messages
FEW = 50_000  # vectors: below this, sharing the work among threads costs more than it saves


class Packed(NamedTuple):
    """Vectors as they are stored."""

    scales: bytes
    codes: bytes


def packed(vectors: "Array") -> Packed:
    """One byte a dimension, and for each vector the factor that gives its numbers back.

    Of all factors it is the one that loses least; what is given back is never longer than the vector was, so that
    nothing is more alike than 1.
    """
    greatest = np.abs(vectors).max(axis=1, keepdims=True, initial=0.0).astype(np.float64)
    steps = np.where(greatest > 0, greatest, 1.0) / STEPS
    codes = np.clip(np.rint(vectors / steps), -STEPS, STEPS)
    squares = np.einsum("ij,ij->i", codes, codes)
    products = np.einsum("ij,ij->i", vectors, codes)
    scales = np.where(squares > 0, products / np.where(squares > 0, squares, 1.0), NOTHING)
    return Packed(scales.astype("<f4").tobytes(), codes.astype(np.int8).tobytes())


class Likeness:
    """How alike each message is to the question, from -1 to 1: its best passage decides."""

    def __init__(self, keys: "Array", values: "Array") -> None:
        self.keys = keys  # in ascending order
        self.values = values

    def __len__(self) -> int:
        return len(self.keys)

    @cached_property
    def best(self) -> float:
        """That of the message most alike."""
        return float(self.values.max()) if len(self) else 0.0

    @cached_property
    def usual(self) -> tuple[float, float]:
        """Mean and standard deviation: what being alike is worth depends on how alike everything is."""
        return (float(self.values.mean()), float(self.values.std())) if len(self) else (0.0, 0.0)

    @property
    def least(self) -> float:
        """Below this a message is not alike at all; of few messages nothing is usual, so there it is 0."""
        return self.usual[0] - self.usual[1] if len(self) >= ENOUGH_TO_COMPARE else 0.0

    @property
    def excess(self) -> float:
        """How far the most alike stands out from the usual, from 0 to 1, whatever a model's usual is.

        Of few messages nothing is usual; there it is how alike the most alike is.
        """
        usual = self.usual[0] if len(self) >= ENOUGH_TO_COMPARE else 0.0
        return max(0.0, (self.best - usual) / max(1 - usual, 1e-6))

    def nearest(self, most: int, sessions: Sequence[int] | None = None, voices: Sequence[int] = ()) -> list[int]:
        """Keys of the messages most alike, the best first, of equals the newer; of these sessions and voices, if any.

        They are chosen before they are cut to `most`, so that what may not be found takes nobody's place.
        """
        chosen = np.arange(len(self))[::-1]
        if sessions is not None:
            chosen = chosen[_is_of(self.keys[chosen] >> LOW_BITS, sessions)]
        if voices:
            chosen = chosen[_is_of(self.keys[chosen] >> LENGTH_BITS & VOICE_MASK, voices)]
        if most < 1:
            return []
        values = self.values[chosen]
        if len(values) > most:
            chosen = chosen[values >= np.partition(values, -most)[-most]]  # a few more, if there are equals
        ranked = chosen[np.argsort(-self.values[chosen], kind="stable")][:most]
        return [int(key) for key in self.keys[ranked]]

    def of(self, keys: Iterable[int]) -> dict[int, float]:
        """That of each of these messages which has vectors."""
        wanted = np.fromiter(keys, dtype=np.int64)
        if not len(self) or not len(wanted):
            return {}
        at = np.minimum(np.searchsorted(self.keys, wanted), len(self) - 1)
        found = zip(wanted.tolist(), self.keys[at].tolist(), self.values[at].tolist(), strict=True)
        return {key: value for key, stored, value in found if key == stored}


def asked_elsewhere(question: "Array") -> tuple[list[int], float]:
    """The codes of a question's vector and its factor, for whoever compares them with those that are stored."""
    scales, codes = packed(question.reshape(1, -1))
    return np.frombuffer(codes, dtype=np.int8).tolist(), float(np.frombuffer(scales, dtype="<f4")[0])


def told_elsewhere(keys: bytes, alike: bytes) -> Likeness:
    """What a server told: the key and the likeness of each passage, in any order, as it sends numbers."""
    every, values = np.frombuffer(keys, dtype=">i8").astype(np.int64), np.frombuffer(alike, dtype=">f8").astype(float)
    order = np.argsort(every, kind="stable")
    return _best_of_each(every[order], values[order])


def _best_of_each(keys: "Array", values: "Array") -> Likeness:
    """Of each message its best passage; keys are in order."""
    starts = np.flatnonzero(np.diff(keys, prepend=-1))
    return Likeness(keys[starts], np.maximum.reduceat(values, starts) if len(keys) else values)


class Matrix:
    """The vectors of many sessions, ready to be compared."""

    def __init__(self, keys: "Array", scales: "Array", codes: "Array") -> None:
        self.keys = keys
        self.scales = scales
        self.codes = codes

    @classmethod
    def of_rows(cls, rows: Iterable[Sequence[Any]], dimension: int) -> "Matrix":
        """From the rows of `Vectors.rows`; what does not add up or cannot be is left out, not trusted."""
        whole = [
            row for row in sorted(rows, key=lambda row: int(row[0])) if SessionVectors(*row[1:]).adds_up(dimension)
        ]
        lows = np.frombuffer(b"".join(row[1] for row in whole), dtype="<u4").astype(np.int64)
        sessions = np.repeat(
            np.array([row[0] for row in whole], dtype=np.int64), [len(row[1]) // 4 for row in whole] or 0
        )
        keys = (sessions << LOW_BITS) | lows
        scales = np.frombuffer(b"".join(row[2] for row in whole), dtype="<f4")
        codes = np.frombuffer(b"".join(row[3] for row in whole), dtype=np.int8).reshape(-1, dimension)
        order = _in_order(keys, (scales >= 0) & (scales <= 1))  # no step of a vector of length 1 is worth more
        return cls(keys, scales, codes) if order is None else cls(keys[order], scales[order], codes[order])

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def size(self) -> int:
        """Bytes in memory."""
        return int(self.codes.nbytes + self.scales.nbytes + self.keys.nbytes)

    def among(self, sessions: Sequence[int]) -> "Matrix":
        """Only what belongs to these sessions."""
        chosen = _is_of(self.keys >> LOW_BITS, sessions)
        return Matrix(self.keys[chosen], self.scales[chosen], self.codes[chosen])

    def compare(self, question: "Array") -> Likeness:
        """How alike every message is to the question's vector."""
        if not len(self):
            return Likeness(self.keys, np.zeros(0, dtype=np.float32))
        scales, codes = packed(question.reshape(1, -1))
        products = numpy_products if simd is None else simd_products
        values = products(self.codes, np.frombuffer(codes, dtype=np.int8)) * (
            self.scales * np.frombuffer(scales, dtype="<f4")[0]
        )
        starts = self._starts
        return Likeness(self.keys[starts], np.maximum.reduceat(values, starts))

    @cached_property
    def _starts(self) -> "Array":
        """Where each message's passages begin; they stand side by side."""
        return np.flatnonzero(np.diff(self.keys, prepend=-1))


def _is_of(sessions: "Array", wanted: Sequence[int]) -> "Array":
    return np.isin(sessions, np.fromiter(wanted, dtype=np.int64, count=len(wanted)))


def _in_order(keys: "Array", is_sound: "Array") -> "Array | None":
    """Where the sound vectors stand, by their keys; None if all are and stand so already."""
    if is_sound.all() and (np.diff(keys) >= 0).all():
        return None
    wanted = np.flatnonzero(is_sound)
    return wanted[np.argsort(keys[wanted], kind="stable")]


def simd_products(codes: "Array", question: "Array") -> "Array":
    """The inner product of each row with the question, by `simsimd`, on as many processors as are worth it."""
    threads = 0 if len(codes) > FEW else 1  # 0 is as many as there are
    return np.asarray(simd.cdist(question.reshape(1, -1), codes, "dot", threads=threads)).reshape(-1)


def numpy_products(codes: "Array", question: "Array") -> "Array":
    """The same by numpy alone."""
    if len(codes) <= FEW:
        return _some_products(codes, question)
    parts = [codes[start : start + FEW] for start in range(0, len(codes), FEW)]
    with ThreadPoolExecutor() as threads:
        return np.concatenate(list(threads.map(lambda part: _some_products(part, question), parts)))


def _some_products(codes: "Array", question: "Array") -> "Array":
    products: Array = np.einsum("ij,j->i", codes, question, dtype=np.int32)
    return products
