"""Texts of floats as DuckDB spells them, for engines that spell them otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["speller"]


def speller() -> Callable[[Any], list[str | None]]:
    """Return the function from a NumPy array of floats to their texts, NaN to None.

    It names nothing outside itself, so that it can be sent to processes that do not have this package.

    Notes
    -----
    Of 64 bits: the shortest text that is read back as the same number, as Python's `repr`. Of 32 bits too, except where
    DuckDB's search for it (Grisu) cannot tell: where a shorter text lies exactly between two numbers, or as far from
    the number as another one of its length. It then spells the number as one of 64 bits.
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
