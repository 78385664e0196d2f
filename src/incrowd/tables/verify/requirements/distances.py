"""How far apart sensitive values are, as the check reads it: places on a line, nodes of a tree, a matrix.

Distances are whole numbers over a common scale; the largest possible one is the scale itself.
"""

from __future__ import annotations

import itertools
import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.errors import PolicyError, count_of
from incrowd.settings import MOST_DIGITS, exact_number

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from numpy.typing import NDArray


NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?")

Values = tuple[str | None, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """Values at places of a line.

    `place`: (d,) int64, of every value. `steps`: lengths from each place to the next; the distance of two values is
    what lies between, over the sum of all.
    """

    place: NDArray[np.int64]
    steps: list[int]


@dataclass(frozen=True, slots=True, eq=False)
class Tree:
    """Values as leaves of a tree of one height H: two that meet at height h are h / H apart.

    `nodes`: (H,) list of (d,) int64, node of every value at the heights 0 ... H - 1.
    """

    nodes: list[NDArray[np.int64]]


@dataclass(frozen=True, slots=True, eq=False)
class Matrix:
    """Values as far apart as a matrix says. `costs`: (d, d) object, whole numbers: distances times `scale`."""

    costs: NDArray[Any]
    scale: int


def tree_of(values: Values, lines: Sequence[Sequence[str]], column: str) -> Tree:
    """Return the tree that lines from the values to the root describe.

    `values` are those of the column, sorted, and each line of the hierarchy leads from a value to the root. The
    column's name is for messages. Raise `PolicyError` if a value has no line.
    """
    by_value = {line[0]: line for line in lines}
    lacking = [value for value in values if value is None or value not in by_value]
    if lacking:
        raise PolicyError(
            f"hierarchy of column {column!r} has no line for {len(lacking):,} of its "
            f"{count_of(len(values), 'value')}; every value needs one, and an empty cell can have none"
        )
    height = len(lines[0]) - 1
    levels = [[by_value[value][level] for value in values if value is not None] for level in range(height)]
    return Tree([np.unique(np.array(names, object), return_inverse=True)[1].reshape(-1) for names in levels])


def line_of_ranks(values: Values, order: Sequence[str], column: str) -> Line:
    """Return the values' ranks: in `order` if there is one, else among numbers if all are, else among texts.

    `values` are those of the column, sorted, and `order` is empty where they are to be sorted. The column's name is for
    messages. Raise `PolicyError` for NULL, or a value that `order` does not have.
    """
    texts = _without_null(values, column, "ordered")
    if order:
        return Line(_places_in(order, texts, column), [1] * (len(order) - 1))
    parsed = [_number(text) for text in texts]
    if None in parsed:
        rank = {text: i for i, text in enumerate(sorted(texts, key=str.encode))}
        return Line(np.array([rank[text] for text in texts], np.int64), [1] * (len(texts) - 1))
    places, domain = _sorted_numbers([number for number in parsed if number is not None])
    return Line(places, [1] * (len(domain) - 1))


def line_of_numbers(values: Values, column: str) -> Line:
    """Return the values as the numbers that they are.

    `values` are those of the column, sorted, and its name is for messages. Raise `PolicyError` for NULL or text.
    """
    parsed = [_number(text) for text in _without_null(values, column, "numeric")]
    numbers = [number for number in parsed if number is not None]
    texts = len(parsed) - len(numbers)
    if texts:
        raise PolicyError(
            f"numeric distance: {texts:,} of the {count_of(len(values), 'value')} of column {column!r} "
            f"{'is no number' if texts == 1 else 'are no numbers'}; use the ordered or equal distance"
        )
    places, domain = _sorted_numbers(numbers)
    scale = math.lcm(*(number.denominator for number in domain))
    steps = [int((high - low) * scale) for low, high in itertools.pairwise(domain)]
    shared = math.gcd(*steps) if steps else 1
    return Line(places, [step // shared for step in steps])


def matrix_of(values: Values, rows: Sequence[Sequence[Fraction]], order: Sequence[str], column: str) -> Matrix:
    """Return the distances between the values that a matrix over `order` (or over the sorted values) says.

    `values` are those of the column, sorted, and its name is for messages. `rows` is a square of distances from 0 to 1,
    and `order` says which values its rows are of; it is empty for the sorted values. Raise `PolicyError` if the matrix
    does not fit the values, or is no matrix of distances of which the largest is 1.
    """
    texts = _without_null(values, column, "given")
    if order and len(order) != len(rows):
        raise PolicyError(
            f"column {column!r}: order names {count_of(len(order), 'value')}, the distance matrix has "
            f"{count_of(len(rows), 'row')}"
        )
    if not order and len(texts) != len(rows):
        raise PolicyError(
            f"the distance matrix has {count_of(len(rows), 'row')}, column {column!r} has "
            f"{count_of(len(texts), 'value')}; name the values of its rows with order=[...]"
        )
    lacks = "the distance matrix has no row for"
    places = _places_in(order, texts, column, lacks) if order else line_of_ranks(values, (), column).place
    if len(set(places.tolist())) < len(texts):
        raise PolicyError(f"column {column!r} has equal numbers in two spellings; name the values with order=[...]")
    scale = math.lcm(*(entry.denominator for row in rows for entry in row))
    whole = np.array([[int(entry * scale) for entry in row] for row in rows], dtype=object)
    good = (whole == whole.T).all() and not whole.diagonal().any() and whole.min() >= 0 and whole.max() in (0, scale)
    if not good:
        raise PolicyError(
            f"the distance matrix of column {column!r} must be symmetric, 0 on its diagonal, never negative, and its "
            "largest entry 1"
        )
    return Matrix(whole[np.ix_(places, places)], scale)


def _sorted_numbers(numbers: list[Fraction]) -> tuple[NDArray[np.int64], list[Fraction]]:
    domain = sorted(set(numbers))
    place = {number: i for i, number in enumerate(domain)}
    return np.array([place[number] for number in numbers], np.int64), domain


def _places_in(
    order: Sequence[str], texts: Sequence[str], column: str, lacks: str = "order lacks"
) -> NDArray[np.int64]:
    place = {value: i for i, value in enumerate(order)}
    lacking = sum(text not in place for text in texts)
    if lacking:
        raise PolicyError(
            f"{lacks} {lacking:,} of the {count_of(len(texts), 'value')} of column {column!r}; name every value"
        )
    return np.array([place[text] for text in texts], np.int64)


def _without_null(values: Values, column: str, kind: str) -> list[str]:
    if None in values:
        raise PolicyError(
            f"{kind} distance: column {column!r} has missing values, which have no place in it; use the equal "
            "distance or fill them"
        )
    return [value for value in values if value is not None]


def _number(text: str) -> Fraction | None:
    return exact_number(text) if len(text) <= MOST_DIGITS and NUMBER.fullmatch(text) else None
