"""What a change costs, as `incrowd.check` reads it: from a hierarchy's lines, and the engine's counts of values.

Nothing here is taken from what the solvers use. A release whose cost has no reading in the check is refused.
"""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from types import MappingProxyType, SimpleNamespace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from incrowd.check.exact import Unreadable
from incrowd.check.hierarchies import READINGS, Held, held_of
from incrowd.check.policy import LOOKING
from incrowd.errors import PolicyError, count_of
from incrowd.tables.values import Levels

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from numpy.typing import NDArray

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.table import Opened

MOST_PAIRS = 10**6 + 1  # of a value and a target's: one more than is taken
MOST = 2**62  # half of what 64 bits hold, so that sums of two costs fit too

Costs = list[list[Fraction]]
"""Of every line (a leaf) of a hierarchy at level 0, 1, ... h: lists of h + 1 fractions, one list a line."""


class Fitted(Protocol):
    """A hierarchy bound to a column: the check's own, or in a job, before it is published, the job's."""

    @property
    def height(self) -> int:
        """The star's level."""
        ...

    @property
    def hierarchy(self) -> Any:
        """Its ``lines``, ``level_costs`` and ``node_costs``, and whether it is ``packed`` of ranges that overlap."""
        ...

    def shown(self) -> list[tuple[str | None, ...]]:
        """Return per line the value and its labels as cells; where a missing value is shown as it is, None."""
        ...


def reading_of(cost: str) -> str:
    """Return the name of a cost that a policy names. Raise `PolicyError` if the check has no reading of it."""
    name = cost.partition(":")[0]
    if name not in READINGS:
        known = ", ".join(READINGS)
        raise PolicyError(f"cost {name!r} cannot be verified: the check has no reading of it, only of {known}")
    return name


def held_columns(engine: Engine, opened: Opened, policy: Any, names: Collection[str]) -> dict[str, Held]:
    """Return what an original table holds of some columns, where the policy's cost looks at that; else nothing.

    One GROUP BY a column, and one for every query of a workload that has a target beside it.
    """
    if policy.cost not in ("ncp", *LOOKING):
        return {}

    def counted(columns: Sequence[str]) -> Counter[tuple[str | None, ...]]:
        texts = {f"v{i}": engine.text(opened.data[f"c{opened.names.index(name)}"]) for i, name in enumerate(columns)}
        with engine.guard("counting values for the cost"):
            lines = opened.data.select(**texts).group_by(list(texts)).aggregate(n=lambda rows: rows.count())
            found = engine.fetch(lines.limit(MOST_PAIRS) if len(columns) > 1 else lines)
        values = zip(*(found.column(name).to_pylist() for name in texts), strict=True)
        return Counter(dict(zip(values, found.column("n").to_pylist(), strict=True)))

    return {name: held_of(policy, name, opened.names, counted) for name in names}


def read_costs(cost: str, fitted: Fitted, weight: Fraction = Fraction(1), held: Held | None = None) -> Costs:
    """Return what showing each leaf of a hierarchy at each level costs, (L, h + 1) as lists, times a weight.

    The hierarchy has L leaves and height h, and the column's weight is at least 0. `held` is what the table holds of
    the column, for costs that look at it. Takes O(L h) time and memory.
    """
    tree = fitted.hierarchy
    own = SimpleNamespace(
        lines=tree.lines, shown=fitted.shown(), height=tree.height, level_costs=tree.level_costs,
        node_costs=dict(tree.node_costs or ()),
    )  # fmt: skip
    return _weighed(cost, own, held or Held(Counter()), weight)


def star_cost(cost: str, weight: Fraction = Fraction(1)) -> Fraction:
    """Return what a star costs in a column without a hierarchy, times its weight: nothing lies below the star."""
    alone = [("a value",)]
    flat = SimpleNamespace(lines=alone, shown=alone, height=1, level_costs=None, node_costs={})
    return _weighed(cost, flat, Held(Counter({"a value": 1})), weight)[0][1]


def _weighed(cost: str, tree: SimpleNamespace, held: Held, weight: Fraction) -> Costs:
    try:
        found: Costs = READINGS[reading_of(cost)](tree, held)  # type: ignore[no-untyped-call]
    except Unreadable as error:
        raise PolicyError(f"cost {cost!r} cannot be verified: {error}") from None
    if weight == 1:
        return found
    # told apart by identity, which is quick: few objects stand for many nodes
    weighed = {key: value * weight for key, value in {id(value): value for line in found for value in line}.items()}
    return [[weighed[id(value)] for value in line] for line in found]


def read_levels(
    cost: str,
    columns: Sequence[str],
    sizes: Sequence[int],
    hierarchies: Mapping[str, tuple[Fitted, NDArray[np.int64]]],
    weights: Mapping[str, Fraction],
    *,
    rows: int,
    held: Mapping[str, Held] = MappingProxyType({}),
) -> tuple[tuple[Levels, ...], int]:
    """Return every column's levels with whole costs, and how many of them one unit of the user's cost is.

    `columns` and `sizes`, the distinct values of each column, have length m. `hierarchies` has, per column with one,
    the hierarchy and (d,) int64, the line of each of its values. `held` is by column, for costs that look at the table.
    Takes O(L h + d h) time and memory per column. Raise `PolicyError` if the check has no reading of the cost, or its
    numbers do not fit in 64 bits over all rows.
    """
    told: list[Costs] = []
    for column in columns:
        weight, tree = weights.get(column, Fraction(1)), hierarchies.get(column)
        plain = [[Fraction(0), star_cost(cost, weight)]]
        told.append(plain if tree is None else read_costs(cost, tree[0], weight, held.get(column)))
    distinct = {id(value): value for column in told for line in column for value in line}
    scale = math.lcm(1, *(value.denominator for value in distinct.values()))
    largest = max(distinct.values(), default=Fraction(0))
    if max(Fraction(scale), rows * len(columns) * largest * scale) >= MOST:
        raise PolicyError(
            "the weights have too many digits or lie too far apart to be added up exactly over "
            f"{count_of(rows, 'row')}; round them"
        )
    whole = {key: int(value * scale) for key, value in distinct.items()}
    out = []
    for column, size, costs in zip(columns, sizes, told, strict=True):
        scaled = np.array([[whole[id(value)] for value in line] for line in costs], np.int64)
        if column in hierarchies:
            fitted, lines = hierarchies[column]
            out.append(Levels(_nodes(fitted, lines), np.ascontiguousarray(scaled[lines].T)))
        else:
            up = np.stack([np.arange(size, dtype=np.int32), np.zeros(size, np.int32)])
            out.append(Levels(up, np.ascontiguousarray(np.repeat(scaled.T, size, axis=1))))
    return tuple(out), scale


def _nodes(fitted: Fitted, lines: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return which values share a label at each level, (h + 1, d): equal numbers, equal labels; the star is 0."""
    up, shown = np.zeros((fitted.height + 1, len(lines)), np.int32), fitted.hierarchy.lines
    up[0] = np.arange(len(lines))
    for level in range(1, fitted.height):
        first = {label: i for i, label in enumerate(dict.fromkeys(line[level] for line in shown))}
        numbers = np.array([first[shown[line][level]] for line in lines.tolist()], np.int64)
        up[level] = np.unique(numbers, return_inverse=True)[1].reshape(-1)
    return up
