"""Texts of floats are DuckDB's, digit for digit."""

import random

import numpy as np
import pyarrow as pa
import pytest

from incrowd.tables.engine.base import Engine
from incrowd.tables.engine.spark_functions import speller
from table_kinds import drawn_floats


@pytest.mark.parametrize(("bits_of", "kind"), [("d", pa.float64()), ("f", pa.float32())])
def test_texts_of_floats_are_duckdbs(bits_of, kind):
    with np.errstate(over="ignore"):
        values = np.array(drawn_floats(random.Random(11), 20_000, bits_of)).astype(kind.to_pandas_dtype())
    values[values == 0] = 0  # a zero below zero is not spelled
    with Engine() as engine:
        table = engine.put(pa.table({"f": pa.array(values, kind)}))
        expected = engine.fetch(table.select(t=engine.text(table.f))).column("t").to_pylist()
    assert speller()(values) == expected
