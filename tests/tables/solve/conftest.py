"""Real tables as row types, every star of height 1."""

from __future__ import annotations

import pytest

from oracles.problems import types_of

ADULT = [0, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]
ADULT_2 = [0, 1, 3, 5, 6, 8, 9, 13, 14]


def _types(data_dir, columns):
    lines = (data_dir / "adult.data").read_text().splitlines()
    rows = [[field.strip() for field in line.split(",")] for line in lines if line.strip()]
    codes = []
    for j in columns:
        values = {value: code for code, value in enumerate(sorted({row[j] for row in rows}))}
        codes.append([values[row[j]] for row in rows])
    return types_of(list(zip(*codes, strict=True)))


@pytest.fixture(scope="session")
def adult_types(data_dir):
    """UCI Adult without fnlwgt: 32,561 rows, 14 columns."""
    return _types(data_dir, ADULT)


@pytest.fixture(scope="session")
def adult2_types(data_dir):
    """UCI Adult, the paper's 9 columns."""
    return _types(data_dir, ADULT_2)
