"""Functions of Spark's that Ibis has no word for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import ibis
import ibis.expr.datatypes as dt

if TYPE_CHECKING:
    from collections.abc import Callable


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


# Texts of floats as DuckDB spells them, for engines that spell them otherwise.
def speller() -> Callable[[Any], list[str | None]]:
    """Return the function from a NumPy array of floats to their texts, NaN to None.

    It names nothing outside itself, so that it can be sent to processes that do not have this package. Of 64 bits: the
    shortest text that is read back as the same number, as Python's `repr`. Of 32 bits too, except where DuckDB's search
    for it (Grisu) cannot tell: where a shorter text lies exactly between two numbers, or as far from the number as
    another one of its length. It then spells the number as one of 64 bits.
    """

    def spelled(values: Any) -> list[str | None]:
        from decimal import Decimal

        import numpy as np

        def single(value: Any) -> str:
            text = np.format_float_scientific(value, trim="-")
            exact, half = Decimal(float(value)), Decimal(float(np.spacing(abs(value)))) / 2
            digits = sum(map(str.isdigit, text.partition("e")[0]))
            off, coarser = (abs(Decimal(shown) - exact) for shown in (text, f"{exact:.{max(digits - 2, 0)}e}"))
            unit = Decimal(1).scaleb(exact.adjusted() - digits + 1)
            doubtful = off * 2 == unit or half in (off, coarser)
            return repr(float(value)) if doubtful else repr(float(text))

        short = values.dtype == np.float32
        return [None if v != v else single(v) if short and v and abs(v) != np.inf else repr(float(v)) for v in values]

    return spelled
