"""Vectors as all models give them."""

import pytest

from noctuary.errors import ModelDamaged
from noctuary.models.vectors import unit_rows
from tests.unit.models.building import np


@pytest.mark.parametrize("scale", [1e-42, 1e-30, 1.0, 1e30, 3e38])
def test_rows_of_any_size_get_length_one(scale: float) -> None:
    """Neither tiny nor huge numbers are lost on the way."""
    found = unit_rows(np.array([[scale, -scale], [0, 0]], dtype=np.float32), "tiny")

    assert np.allclose(found, [[0.5**0.5, -(0.5**0.5)], [0, 0]], atol=1e-3)
    assert found.dtype == np.float32


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
def test_what_is_no_number_is_refused(number: float) -> None:
    """The error names the model."""
    with pytest.raises(ModelDamaged, match="tiny"):
        unit_rows(np.array([[1, number]], dtype=np.float32), "tiny")
