"""Functions of Spark's that Ibis has no word for."""

from __future__ import annotations

from typing import Any

import ibis
import ibis.expr.datatypes as dt

from incrowd.tables.engine.floats import speller

__all__ = ["conv", "decode", "encode", "in_hex", "own_number", "shortest", "teach", "typeof", "unhex"]


@ibis.udf.scalar.builtin(name="unhex", signature=((dt.string,), dt.binary))
def unhex(text: Any) -> Any:
    """Return the bytes that a text of hexadecimal digits names."""


@ibis.udf.scalar.builtin(name="decode", signature=((dt.binary, dt.string), dt.string))
def decode(data: Any, charset: Any) -> Any:
    """Return bytes as text."""


@ibis.udf.scalar.builtin(name="encode", signature=((dt.string, dt.string), dt.binary))
def encode(text: Any, charset: Any) -> Any:
    """Return text as bytes."""


@ibis.udf.scalar.builtin(name="hex", signature=((dt.binary,), dt.string))
def in_hex(data: Any) -> Any:
    """Return bytes as hexadecimal digits."""


@ibis.udf.scalar.builtin(name="conv", signature=((dt.string, dt.int32, dt.int32), dt.string))
def conv(digits: Any, base: Any, other: Any) -> Any:
    """Return the digits of a number in another base."""


@ibis.udf.scalar.builtin(name="typeof", signature=((dt.timestamp,), dt.string))
def typeof(value: Any) -> Any:
    """Return Spark's name of a type: Ibis has one for times with and without a zone."""


@ibis.udf.scalar.builtin(name="incrowd_shortest", signature=((dt.float64,), dt.string))
def shortest(value: Any) -> Any:
    """Return the shortest text of a float; see `teach`."""


@ibis.udf.scalar.builtin(name="monotonically_increasing_id", signature=((), dt.int64))
def own_number() -> Any:
    """Return a number that no other row of the table has."""


def teach(session: Any) -> None:
    """Give a session a function that spells floats as Python and DuckDB do."""
    import pandas as pd
    from pyspark.sql.functions import pandas_udf

    spelled = speller()

    def shortest(values: Any) -> Any:
        import pandas

        return pandas.Series(spelled(values.to_numpy()), dtype=object)

    shortest.__annotations__ = {"values": pd.Series, "return": pd.Series}
    session.udf.register("incrowd_shortest", pandas_udf(shortest, "string"))
