"""Texts of floats are DuckDB's, digit for digit."""

import random
import struct

import numpy as np
import pyarrow as pa
import pytest

from incrowd.tables.engine.base import Engine
from incrowd.tables.engine.spark_functions import speller

KNOWN = [
    1e16,
    1e15,
    123456789.0,
    0.1,
    1e-5,
    1e-4,
    2e23,
    float("inf"),
    5e-324,
    8.41e21,
    -0.5,
    0.0,
    1e22,
    9007199254740993,
]


def bits(rng, kind):
    return struct.unpack(kind, rng.randbytes(8 if kind == "d" else 4))[0]


def dyadic(rng):
    """A short sum of powers of two: its texts tie."""
    return rng.choice([1, -1]) * rng.getrandbits(rng.randrange(1, 54)) * 2.0 ** rng.randrange(-60, 12)


@pytest.mark.parametrize(("bits_of", "kind"), [("d", pa.float64()), ("f", pa.float32())])
def test_texts_of_floats_are_duckdbs(bits_of, kind):
    rng = random.Random(11)
    drawn = [*KNOWN, *(bits(rng, bits_of) for _ in range(20_000)), *(dyadic(rng) for _ in range(20_000))]
    with np.errstate(over="ignore"):
        values = np.array(drawn).astype(kind.to_pandas_dtype())
    values[values == 0] = 0  # a zero below zero is not spelled
    with Engine() as engine:
        table = engine.put(pa.table({"f": pa.array(values, kind)}))
        expected = engine.fetch(table.select(t=engine.text(table.f))).column("t").to_pylist()
    assert speller()(values) == expected
