"""A file of distances between sensitive values: a square matrix, its header and its first column name the values.

```
,flu,cold,gout
flu,0,0.5,1
cold,0.5,0,1
gout,1,1,0
```

CSV in UTF-8; ``;``, tab, ``,`` or ``|`` between fields, whichever of them comes first in that list and stands in the
first line; blanks around fields do not count; what the first field says does not matter. Numbers are decimals or
fractions. Values of a sensitive column stand in it, so messages name rows and columns by their numbers alone.
"""

from __future__ import annotations

import csv
import functools
import io
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from incrowd.errors import InputError, PolicyError
from incrowd.settings import MOST_DIGITS, exact_number
from incrowd.tables.models.distances import Matrix, metric

if TYPE_CHECKING:
    from fractions import Fraction

__all__ = ["MOST_VALUES", "named_file", "read_distances"]

MOST_VALUES = 256
MOST_LETTERS = 100_000  # of a cell
MOST_BYTES = 1 << 23
# all distances are whole numbers of one unit, which is at least 1 / MOST_UNITS
MOST_UNITS = 10**18
DELIMITERS = (";", "\t", ",", "|")
KINDS = ("hierarchical", "matrix")


def named_file(distance: Any) -> tuple[str, str] | None:
    """Return the kind (``matrix`` or ``hierarchical``) and the file of a distance that names one.

    That is ``matrix:FILE``, ``hierarchical:FILE``, or a text or path that ends in ``.csv``, which is a matrix; anything
    else names none, and the answer is None.
    """
    text = str(distance) if isinstance(distance, (str, Path)) else ""
    kind, sign, file = text.partition(":")
    if sign and kind in KINDS:
        return kind, file
    return ("matrix", text) if text.lower().endswith(".csv") else None


def read_distances(file: str, *, rescale: bool) -> tuple[tuple[str, ...], Matrix]:
    """Return the s values that a file of distances names, and the metric on them, (s, s) in fractions.

    `rescale` divides by the largest distance. InputError is raised if the file cannot be read, is larger than 8 MB, or
    no CSV; PolicyError if it holds no square of numbers, names a value twice or more than 256 of them, its numbers are
    no whole numbers of one unit of at least 10^-18, or they are no metric with maximum 1.

    O(s^3) time and O(s^2) memory for the s values that are allowed, whatever the file holds. What a text says is
    remembered, for a policy is asked for its models often.
    """
    path = Path(file)
    name = f"distance file {path.name!r}"
    return _parsed(_text(path, name), name, rescale)


@functools.lru_cache(maxsize=4)
def _parsed(text: str, name: str, rescale: bool) -> tuple[tuple[str, ...], Matrix]:
    values, rows = _square(text, name)
    try:
        return values, metric(rows, rescale=rescale)
    except PolicyError as error:
        raise PolicyError(f"{name}: {error}") from None


def _square(text: str, name: str) -> tuple[tuple[str, ...], Matrix]:
    lines = _records(text, name)
    head: list[str] = next(lines, [])
    values = tuple(cell.strip() for cell in head[1:])
    if not values:
        raise PolicyError(f"{name} has no values: its first line names them, after an empty field")
    if len(values) > MOST_VALUES:
        raise PolicyError(f"{name} has {len(values):,} columns of distances, more than {MOST_VALUES}")
    seen: dict[str, int] = {}
    for j, value in enumerate(values, 1):
        if not value:
            raise PolicyError(f"{name}: column {j} of distances has no name; give it the value it is of")
        if seen.setdefault(value, j) != j:
            raise PolicyError(f"{name} names a value twice: in columns {seen[value]} and {j} of distances")
    rows: list[tuple[Fraction, ...]] = []
    known: dict[str, Fraction] = {}
    for i, line in enumerate(lines, 1):
        if i > len(values):
            raise PolicyError(f"{name} has more rows of distances than its {len(values):,} columns; it must be square")
        if len(line) != len(head):
            raise PolicyError(
                f"{name}: row {i} of distances has {len(line) - 1:,} of them, not {len(values):,} as the first line "
                "has values; it must be square"
            )
        if line[0].strip() != values[i - 1]:
            raise PolicyError(
                f"{name}: row {i} and column {i} of distances have other names; name the same values in the same order"
            )
        row = enumerate(line[1:], 1)
        rows.append(tuple(_distance(cell.strip(), known, f"{name}: row {i}, column {j}") for j, cell in row))
    if len(rows) < len(values):
        raise PolicyError(f"{name} has {len(rows):,} rows of distances for {len(values):,} columns; it must be square")
    units = 1
    for number in known.values():
        units = math.lcm(units, number.denominator)
        if units > MOST_UNITS or abs(number) * units > MOST_UNITS:
            raise PolicyError(f"{name}: its numbers need more than 18 digits to be counted in one unit; round them")
    return values, tuple(rows)


def _text(path: Path, name: str) -> str:
    try:
        if not path.is_file():
            raise InputError(f"{name} does not exist, or is no file; name a CSV file with a matrix of distances")
        with path.open("rb") as file:
            raw = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise InputError(f"{name} cannot be read: {error.strerror}") from None
    except ValueError:  # a zero byte or half a surrogate pair in it
        raise InputError(f"{name} is no name that a file can have") from None
    if len(raw) > MOST_BYTES:
        raise InputError(f"{name} is larger than {MOST_BYTES >> 20} MB, more than any matrix of {MOST_VALUES} values")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise InputError(f"{name} is not UTF-8 text; save it as UTF-8")
    return text


def _records(text: str, name: str) -> Any:
    """Yield the records that are not empty."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    sign = next((sign for sign in DELIMITERS if sign in first), ",")
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=sign, strict=True)
    while True:
        try:
            line = next(lines)
            if max(map(len, line), default=0) > MOST_LETTERS:  # the reader's own limit is the process's, not ours
                raise csv.Error
        except StopIteration:
            return
        except csv.Error:
            raise InputError(f"{name} has a quote that is never closed or not doubled; mend that line") from None
        if any(line):
            yield line


def _distance(cell: str, known: dict[str, Fraction], place: str) -> Fraction:
    """Return a number; what was read before is known."""
    if cell not in known:
        try:
            known[cell] = exact_number(cell)
        except ValueError:
            raise PolicyError(
                f"{place} of distances is no number such as 0, 0.5 or 1/3 of at most {MOST_DIGITS} characters"
            ) from None
    return known[cell]
