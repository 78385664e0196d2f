"""Values that lie below the labels of a hierarchy which was made of a column's values: at least one a label."""

from __future__ import annotations

import datetime
import re
from fractions import Fraction
from typing import TYPE_CHECKING

from incrowd.tables.hierarchy import Dates, Intervals, Prefix

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["values_below"]

WHOLE = re.compile(r"([0-9]+)-[0-9]+|([0-9]+)\+")
HALF_OPEN = re.compile(r"\[(-?[0-9./]+), -?[0-9./]+\)|>= (-?[0-9./]+)")
DATE = re.compile(r"([0-9]{4})(?:-(?:([0-9]{2})|Q([1-4])))?")
YEARS = re.compile(r"([0-9]{1,3})0s")  # a decade, or a century


def values_below(spec: Intervals | Dates | Prefix, labels: Sequence[str]) -> list[str] | None:
    """Return one value below every label, and the labels that are values themselves.

    The labels are cells that a release shows, without the star. It is None where the levels depend on values that no
    label tells: prefixes of no given lengths. A value is made up, so that the hierarchy has a place for its label;
    others may exist beside it. Labels that the hierarchy does not make are returned as they are.
    """
    if isinstance(spec, Prefix):
        return _of_prefixes(spec, labels) if spec.lengths else None
    if isinstance(spec, Dates):
        return _each_once(_of_date(label) for label in labels)
    return _of_intervals(spec, labels)


def _of_prefixes(spec: Prefix, labels: Sequence[str]) -> list[str]:
    longest = max(spec.lengths) + 1
    return _each_once(
        label[:-1].ljust(longest, "0") if label.endswith("*") and len(label) - 1 in spec.lengths else label
        for label in labels
    )


def _of_date(label: str) -> str:
    years, found = YEARS.fullmatch(label), DATE.fullmatch(label)
    if years is not None:
        return datetime.date(max(int(years[1]) * 10, 1), 1, 1).isoformat()
    if found is None:
        return label
    month = int(found[2]) if found[2] else 3 * int(found[3]) - 2 if found[3] else 1
    year = int(found[1])
    return datetime.date(max(year, 1), month, 1).isoformat() if 1 <= month <= 12 else label


def _of_intervals(spec: Intervals, labels: Sequence[str]) -> list[str]:
    out = []
    for label in labels:
        whole, half = WHOLE.fullmatch(label), HALF_OPEN.fullmatch(label)
        if whole is not None:
            out.append(whole[1] or whole[2])
        elif half is not None:
            # a number that is not whole, as some must be where labels are half open
            out.append(_decimal(Fraction(half[1] or half[2]) + min(spec.widths[0], Fraction(1)) / 2))
        else:
            out.append(label)
    return _each_once(out)


def _decimal(number: Fraction) -> str:
    return str(number.numerator) if number.denominator == 1 else str(float(number))


def _each_once(values: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(values))
