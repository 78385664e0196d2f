"""How far apart sensitive values are: from texts, trees and matrices to whole numbers."""

from __future__ import annotations

import functools
import itertools
import math
import re
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.errors import InputError, PolicyError, count_of
from incrowd.settings import MOST_DIGITS, as_fraction, exact_number, fraction_text
from incrowd.tables.hierarchy.specs import lines_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from incrowd.tables.values import Int64

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?")
Matrix = tuple[tuple[Fraction, ...], ...]


def metric(matrix: Any, *, rescale: bool) -> Matrix:
    """Return a matrix of distances, (s, s), in fractions; O(s^3) time.

    The given matrix holds numbers, fractions or texts of them; `rescale` divides by the maximum. PolicyError, which
    names the place, is raised if it is not square, not symmetric, has a negative entry or a diagonal that is not 0,
    breaks the triangle inequality, or has another maximum than 1 (unless `rescale`d).
    """
    try:
        rows = [[as_fraction(x, "an entry of the distance matrix") for x in row] for row in matrix]
    except TypeError:
        raise PolicyError("distance must be a word or a square matrix of numbers") from None
    size = len(rows)
    if not size or any(len(row) != size for row in rows):
        raise PolicyError("the distance matrix must be square: as many columns as rows")
    for i in range(size):
        if rows[i][i] != 0:
            raise PolicyError(f"the distance matrix must be 0 on its diagonal, but entry {i + 1},{i + 1} is not")
        for j in range(i):
            if rows[i][j] != rows[j][i]:
                raise PolicyError(f"the distance matrix must be symmetric, but entries {i + 1},{j + 1} differ")
            if rows[i][j] < 0:
                raise PolicyError(f"the distance matrix must not be negative, but entry {i + 1},{j + 1} is")
    most = max(max(row) for row in rows)
    whole, scale = _whole(rows)
    if max(scale, int(abs(whole).max())) < 1 << 61:  # sums of two have 64 bits, and are quicker so
        whole = whole.astype(np.int64)
    for j in range(size):
        longer = whole > whole[:, j, None] + whole[None, j, :]
        if longer.any():
            a, b = np.argwhere(longer)[0]
            raise PolicyError(
                f"the distance matrix breaks the triangle inequality: from {a + 1} to {b + 1} is farther than by "
                f"way of {j + 1}"
            )
    if most not in (0, 1):
        if not rescale:
            raise PolicyError(
                f"the largest distance must be 1, not {fraction_text(most)}; rescale=True divides by it "
                "(rescale=true in require and in policies)"
            )  # fmt: skip
        rows = [[x / most for x in row] for row in rows]
    return tuple(tuple(row) for row in rows)


def _whole(rows: Sequence[Sequence[Fraction]]) -> tuple[NDArray[Any], int]:
    """Return a matrix of fractions as whole numbers, and their scale."""
    scale = math.lcm(*(x.denominator for row in rows for x in row))
    return np.array([[int(x * scale) for x in row] for row in rows], dtype=object), scale


def tree_lines(given: Any) -> tuple[tuple[str, ...], ...]:
    """Return the lines of a tree, each from the value to the root; none where nothing was given.

    `given` is a CSV file, its lines of cells, or an object with `lines`, whose root ``*`` is added. InputError is
    raised if a file cannot be read, PolicyError if the lines are no tree of one height: a value twice, lines of several
    lengths, no common root, or equal nodes below different ones.
    """
    if given is None or (isinstance(given, (tuple, list)) and not given):
        return ()
    if hasattr(given, "lines"):  # a hierarchy of the table's: its star is implied
        given = [(*line, "*") for line in given.lines]
    if isinstance(given, (str, Path)):
        name = f"hierarchy file {Path(given).name!r}"
        try:
            given = lines_of(Path(given), name, "")
        except InputError:
            raise InputError(f"{name} cannot be read as UTF-8 text") from None
    try:
        rows = tuple(tuple(str(cell) for cell in line) for line in given)
    except TypeError:
        raise PolicyError("hierarchy must be a CSV file or its lines, each from the value to the root") from None
    if len({len(row) for row in rows}) != 1 or len(rows[0]) < 2:
        raise PolicyError("hierarchy needs lines of one length, each from the value to the root (at least 2 fields)")
    if len({row[0] for row in rows}) < len(rows):
        raise PolicyError("hierarchy has a value on two lines: give each value one line")
    if len({row[-1] for row in rows}) > 1:
        raise PolicyError("hierarchy needs one root: the last field of every line must be the same, for example *")
    for level in range(1, len(rows[0]) - 1):
        above: dict[str, str] = {}
        if any(above.setdefault(row[level], row[level + 1]) != row[level + 1] for row in rows):
            raise PolicyError(f"hierarchy has equal nodes at level {level} below different ones: it is no tree")
    return rows


def tree(values: Sequence[str | None], lines: Sequence[Sequence[str]], column: str) -> list[Int64]:
    """Return the node of every value at each level below the root: (d,) int64 arrays, from the values up.

    Nodes are numbered by their first value. The values come in code order, None for NULL, and `lines` as `tree_lines`
    returns them. PolicyError is raised if a value has no line; NULL never has one.
    """
    if None in values:
        raise PolicyError(
            f"column {column!r} has empty cells, which have no place in a hierarchy; give them a value of their "
            "own with a line in the hierarchy, or take the equal distance"
        )
    line_of = {line[0]: line for line in lines}
    missing = sum(value not in line_of for value in values)
    if missing:
        raise PolicyError(
            f"hierarchy of column {column!r} has no line for {missing:,} of its {count_of(len(values), 'value')}; "
            "every value needs one"
        )
    found = []
    for level in range(len(lines[0]) - 1):
        names: dict[str, int] = {}
        found.append(
            np.array([names.setdefault(line_of[v][level], len(names)) for v in values if v is not None], np.int64)
        )
    return found


def ranks(values: Sequence[str | None], order: Sequence[str], column: str) -> tuple[Int64, list[int]]:
    """Return the place of every value in the sorted domain, shape (d,), and the steps between places (all 1).

    The values come in code order, None for NULL. `order` lists all values in their order; where it is empty they are
    sorted by number if all are numbers, else by code. PolicyError is raised for NULL, or a value that `order` does not
    have.
    """
    shown = _no_null(values, column, "ordered")
    if order:
        return _in_order(shown, order, column), [1] * (len(order) - 1)
    known = _numbers(shown)
    if len(known) < len(shown):
        return np.arange(len(shown), dtype=np.int64), [1] * (len(shown) - 1)  # codes are ranks by UTF-8 bytes
    places, domain = _sorted(known)
    return places, [1] * (len(domain) - 1)


def numbers(values: Sequence[str | None], column: str) -> tuple[Int64, list[int]]:
    """Return the place of every number among the sorted ones, shape (d,), and the steps between places.

    The steps are whole numbers without a common divisor, in proportion to the true ones. The values come in code order,
    None for NULL; PolicyError is raised for NULL or text.
    """
    known = _numbers(_no_null(values, column, "numeric"))
    text = len(values) - len(known)
    if text:
        raise PolicyError(
            f"numeric distance: {text:,} of the {count_of(len(values), 'value')} of column {column!r} "
            f"{'is no number' if text == 1 else 'are no numbers'}; use the "
            "ordered or equal distance"
        )
    places, domain = _sorted(known)
    scale = math.lcm(*(x.denominator for x in domain))
    steps = [int((b - a) * scale) for a, b in itertools.pairwise(domain)]
    common = math.gcd(*steps) if steps else 1
    return places, [step // common for step in steps]


def costs(
    values: Sequence[str | None], matrix: Matrix, order: Sequence[str], column: str
) -> tuple[NDArray[Any], int]:  # fmt: skip
    """Return the matrix over the values in code order as whole numbers, and what a distance of 1 is in them.

    `matrix` is as `metric` returns it, and `order` names the value of each of its rows (empty: the sorted values). None
    among the values is NULL. PolicyError is raised if the matrix does not fit the values.
    """
    shown = _no_null(values, column, "given")
    if order and len(order) != len(matrix):
        raise PolicyError(
            f"column {column!r}: order names {count_of(len(order), 'value')}, the distance matrix has "
            f"{count_of(len(matrix), 'row')}"
        )
    if not order and len(shown) != len(matrix):
        raise PolicyError(
            f"the distance matrix has {count_of(len(matrix), 'row')}, column {column!r} has "
            f"{count_of(len(shown), 'value')}; name the values "
            "of its rows with order=[...]"
        )
    places = (
        _in_order(shown, order, column, "the distance matrix has no row for") if order else ranks(shown, (), column)[0]
    )
    if len(set(places.tolist())) < len(shown):
        raise PolicyError(f"column {column!r} has equal numbers in two spellings; name the values with order=[...]")
    whole, scale = _whole(matrix)
    return whole[np.ix_(places, places)], scale


def are_numbers(values: Sequence[str | None]) -> bool:
    """Return whether all values are numbers; None is NULL, which is no number."""
    return None not in values and len(_numbers([value for value in values if value is not None])) == len(values)


def _in_order(values: Sequence[str], order: Sequence[str], column: str, lacks: str = "order lacks") -> Int64:
    place = {value: i for i, value in enumerate(order)}
    missing = sum(value not in place for value in values)
    if missing:
        known = count_of(len(values), "value")
        raise PolicyError(f"{lacks} {missing:,} of the {known} of column {column!r}; name every value")
    return np.array([place[value] for value in values], np.int64)


def _no_null(values: Sequence[str | None], column: str, kind: str) -> list[str]:
    if None in values:
        raise PolicyError(
            f"{kind} distance: column {column!r} has missing values, which have no place in it; use the equal "
            "distance or fill them"
        )
    return [value for value in values if value is not None]


def _numbers(values: Sequence[str]) -> list[Fraction]:
    """Return those of some values that are numbers."""
    return [exact_number(value) for value in values if len(value) <= MOST_DIGITS and NUMBER.fullmatch(value)]


def _sorted(numbers: Sequence[Fraction]) -> tuple[Int64, list[Fraction]]:
    """Return the place of every number among the different ones, shape (d,), and these in order."""
    domain = sorted(set(numbers))
    place = {number: i for i, number in enumerate(domain)}
    return np.array([place[number] for number in numbers], np.int64), domain


# A file of distances between sensitive values: a square matrix, its header and its first column name the values.
#
# ``` ,flu,cold,gout flu,0,0.5,1 cold,0.5,0,1 gout,1,1,0 ``` CSV in UTF-8; ``;``, tab, ``,`` or ``|`` between fields,
# whichever of them comes first in that list and stands in the first line; blanks around fields do not count; what the
# first field says does not matter. Numbers are decimals or fractions. Values of a sensitive column stand in it, so
# messages name rows and columns by their numbers alone.
MOST_VALUES = 256
MOST_BYTES = 1 << 23
# all distances are whole numbers of one unit, which is at least 1 / MOST_UNITS
MOST_UNITS = 10**18
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
    no whole numbers of one unit of at least 10^-18, or they are no metric with maximum 1. O(s^3) time and O(s^2) memory
    for the s values that are allowed, whatever the file holds. What a text says is remembered, for a policy is asked
    for its models often.
    """
    name = f"distance file {Path(file).name!r}"
    gone = "does not exist, or is no file; name a CSV file with a matrix of distances"
    return _parsed(lines_of(Path(file), name, gone, encodings=("UTF-8-sig",), most=MOST_BYTES), name, rescale)


@functools.lru_cache(maxsize=4)
def _parsed(lines: tuple[tuple[str, ...], ...], name: str, rescale: bool) -> tuple[tuple[str, ...], Matrix]:
    values, rows = _square(lines, name)
    try:
        return values, metric(rows, rescale=rescale)
    except PolicyError as error:
        raise PolicyError(f"{name}: {error}") from None


def _square(lines: Sequence[tuple[str, ...]], name: str) -> tuple[tuple[str, ...], Matrix]:
    head, *lines = lines or [()]
    values = head[1:]
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
        if line[0] != values[i - 1]:
            raise PolicyError(
                f"{name}: row {i} and column {i} of distances have other names; name the same values in the same order"
            )
        row = enumerate(line[1:], 1)
        rows.append(tuple(_distance(cell, known, f"{name}: row {i}, column {j}") for j, cell in row))
    if len(rows) < len(values):
        raise PolicyError(f"{name} has {len(rows):,} rows of distances for {len(values):,} columns; it must be square")
    units = 1
    for number in known.values():
        units = math.lcm(units, number.denominator)
        if units > MOST_UNITS or abs(number) * units > MOST_UNITS:
            raise PolicyError(f"{name}: its numbers need more than 18 digits to be counted in one unit; round them")
    return values, tuple(rows)


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
