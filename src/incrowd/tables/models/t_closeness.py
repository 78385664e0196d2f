"""t-closeness: in every group the sensitive values are spread much as in the whole table."""

from __future__ import annotations

import dataclasses
from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Self, final

import numpy as np

from incrowd.errors import PolicyError, did_you_mean
from incrowd.kernels.transport import least_cost
from incrowd.settings import fraction_text, setting, shortened
from incrowd.tables.count_rules import CountRule, Family, LinearRows
from incrowd.tables.models import distances
from incrowd.tables.models.distances import named_file, read_distances
from incrowd.tables.models.requirement import (
    ColumnRequirement,
    SensitiveModel,
    Tally,
    at_most,
    largest_ratio,
    tally,
    wide,
)
from incrowd.tables.row_numbers import added_up

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from incrowd.tables.protocols import Requirement
    from incrowd.tables.values import Domain, Int32, Int64

KINDS = ("equal", "ordered", "numeric", "hierarchical")


@final
@dataclass(frozen=True, slots=True)
class TCloseness(SensitiveModel):
    """The earth mover's distance from every group's values to the whole table's is at most t.

    Parameters
    ----------
    t : number
        From 0 to 1.
    column : str
        The sensitive column.
    distance : {"equal", "ordered", "numeric", "hierarchical"}, matrix, or path of a CSV file
        How far apart two values are, at most 1:

        - equal: any two values 1;
        - ordered: ranks in the sorted domain, |i - j| / (m - 1): numbers if all values are, else text by UTF-8
          bytes, or as `order` has them;
        - numeric: |x - y| / range;
        - hierarchical: height of the lowest common ancestor / height of the tree in `hierarchy`;
        - a matrix over the values in that order: a metric with maximum 1;
        - a file with such a matrix, ``FILE.csv`` or ``matrix:FILE``, whose header and first column name the values.
    rescale : bool
        Divide the matrix by its maximum.
    order : sequence of str, optional
        All values in their order, for ``"ordered"`` and a matrix.
    hierarchy : path or lines, optional
        For ``"hierarchical"``: one line a value, from the value to the root, as in ARX's CSV.

    Raises
    ------
    PolicyError
        For a t out of range or a matrix that is no metric; when bound, for values that the distance cannot measure
        (NULL, or text for ``"numeric"``).

    Notes
    -----
    The reference is the whole table, suppressed rows and all. Closed under union, for the distance is convex.
    Decided in integers. Closed forms for all but a matrix: O(values log values) per group; a matrix takes a
    transportation problem per group, about O(d^3) for d values.

    References
    ----------
    N. Li, T. Li, S. Venkatasubramanian, "t-Closeness: Privacy Beyond k-Anonymity and l-Diversity", ICDE 2007; the
    metric space as in H. Liang, H. Yuan, DASFAA 2013, Section 2.1.
    """

    t: Fraction = setting(
        dataclasses.MISSING, "how far a class may be from the whole table", "fraction", least=0, most=1, metavar="X"
    )
    column: str = setting(dataclasses.MISSING, "the sensitive column", "text")
    distance: str | tuple[tuple[Fraction, ...], ...] = setting(
        "equal", "how far apart two values are: " + ", ".join(KINDS) + ", a matrix or its CSV file", "distance"
    )
    rescale: bool = setting(False, "divide the matrix by its maximum", "flag")
    order: tuple[str, ...] = setting((), "all values in their order", "list")
    hierarchy: tuple[tuple[str, ...], ...] = setting((), "the tree of the values: a CSV file or its lines", "distance")

    name = "t-closeness"
    cites = ("LiLiVenkatasubramanian2007",)
    summary = "sensitive values of every class spread as in the whole table, up to t"

    def __post_init__(self) -> None:
        self.cleaned()
        named = named_file(self.distance)
        if named is not None and named[0] == "matrix":
            if self.order:
                raise PolicyError(
                    f"t-closeness of {self.column!r}: a file of distances names its values; leave out order"
                )
            values, matrix = read_distances(named[1], rescale=self.rescale)
            object.__setattr__(self, "order", values)
            object.__setattr__(self, "distance", matrix)
        elif isinstance(self.distance, str):
            if self.distance not in KINDS:
                raise PolicyError(
                    f"distance must be {', '.join(repr(k) for k in KINDS)}, or a matrix from a CSV file (FILE.csv or "
                    f"matrix:FILE), not {shortened(self.distance)}{did_you_mean(self.distance, KINDS)}"
                )
        else:
            object.__setattr__(self, "distance", distances.metric(self.distance, rescale=self.rescale))
        object.__setattr__(self, "hierarchy", distances.tree_lines(self.hierarchy))
        if (self.distance == "hierarchical") != bool(self.hierarchy):
            raise PolicyError(
                f"t-closeness of {self.column!r}: distance='hierarchical' and hierarchy (a CSV file, one line a value) "
                "go together"
            )
        if self.rescale and isinstance(self.distance, str):
            raise PolicyError(f"rescale divides a matrix; distance={self.distance!r} needs none")
        if self.order and self.distance not in ("ordered",) and isinstance(self.distance, str):
            raise PolicyError(f"order belongs to distance='ordered' or a matrix, not to {self.distance!r}")
        if len(set(self.order)) < len(self.order):
            raise PolicyError(f"order of t-closeness of {self.column!r} has a value twice: name each once")

    def describe(self) -> str:
        """Return the requirement in words."""
        kind = self.distance if isinstance(self.distance, str) else "given"
        return (
            f"t-closeness of {self.column} with t={fraction_text(self.t)}, {kind} distance: every class at most that "
            "far from the whole table"
        )

    @classmethod
    def probes(cls, column: str, values: Sequence[str | None]) -> tuple[TCloseness, ...]:
        """Return the forms that an audit measures on a column with these values."""
        zero = Fraction(0)
        ordered = () if None in values else (cls(zero, column, "ordered"),)
        numeric = (cls(zero, column, "numeric"),) if distances.are_numbers(values) else ()
        return (cls(zero, column), *ordered, *numeric)

    def bind(self, domain: Domain) -> Requirement:
        """Return the requirement on one table.

        Raises
        ------
        PolicyError
            If the distance cannot measure the column's values.
        """
        values = domain.values[domain.column(self.column)]
        parts: dict[str, Any] = TreeClose.parts(self, domain)
        if self.distance == "equal":  # any two values meet at the root
            return TreeClose.on(t=self.t, nodes=[np.arange(len(values))], **parts)
        if self.distance == "hierarchical":
            return TreeClose.on(t=self.t, nodes=distances.tree(values, self.hierarchy, self.column), **parts)
        if self.distance == "ordered":
            places, steps = distances.ranks(values, self.order, self.column)
            return LineClose.on(t=self.t, places=places, steps=steps, **parts)
        if self.distance == "numeric":
            places, steps = distances.numbers(values, self.column)
            return LineClose.on(t=self.t, places=places, steps=steps, **parts)
        assert not isinstance(self.distance, str)
        costs, scale = distances.costs(values, self.distance, self.order, self.column)
        return TransportClose(t=self.t, costs=costs, scale=scale, **parts)


# t-closeness bound to a table: the earth mover's distance of every group, in whole numbers.
#
# With n rows in the table and N in a group, all masses are multiplied by n N: value v has n c_v in the group and N C_v
# in the table.

# of a row: above it distances are taken as shares of the largest
MOST_COEFFICIENT = 1e6
ONE = Fraction(1)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Close(ColumnRequirement):
    """The distance of every group to the whole table is at most t."""

    t: Fraction

    def judge(self, counted: Tally) -> NDArray[np.bool_]:
        """Return which groups meet it, shape (groups,)."""
        work, unit = self.work(counted, self.t)
        return at_most(work, counted.sizes, self.t * unit)

    def reach(self, counted: Tally) -> Fraction | None:
        """Return the least t that every group meets."""
        shown = counted.sizes > 0
        work, unit = self.work(counted)
        most = largest_ratio(work[shown], counted.sizes[shown])
        return None if most is None else most / unit

    @abstractmethod
    def work(self, counted: Tally, most: Fraction = ONE) -> tuple[NDArray[Any], int]:
        """Return how far every group is from the table: W, and u such that a group of N rows is W / (N u) away.

        W has shape (groups,) and is of whole numbers, int64 or object; one above `most` N u need not be exact.
        """


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class TreeClose(Close):
    """Values in a tree of height H, the equal distance (H = 1) among them: the mean over levels of half the L1 norm.

    An edge to a node at height h < H is 1/(2H) long and is crossed by what its subtree has too much or too little.
    `nodes`: (H,) list of (d,) int64, node of every value at heights 0 ... H - 1. `sums`: (H,) list of int64 arrays,
    rows of the table below each of them.
    """

    nodes: list[Int64]
    sums: list[Int64]

    @classmethod
    def on(cls, *, nodes: list[Int64], totals: Int64, **parts: Any) -> Self:
        """Return the requirement for a tree over the values.

        `nodes` holds for each of the heights 0 ... H - 1 the node of every value, (d,) int64, numbered from 0 at each
        height. `totals`, (d,), holds the rows of the table with each value; `parts` are the other fields.
        """
        sums = [added_up(node, totals, int(node.max(initial=-1)) + 1) for node in nodes]
        return cls(nodes=nodes, sums=sums, totals=totals, **parts)

    def work(self, counted: Tally, most: Fraction = ONE) -> tuple[NDArray[Any], int]:
        """Return how far every group is from the table, as `Close` has it."""
        del most
        n, height = self.n, len(self.nodes)
        kind = wide(2 * n * height * int(counted.sizes.max(initial=0)))
        total: NDArray[Any] = np.zeros(counted.groups, kind)
        for node, below in zip(self.nodes, self.sums, strict=True):
            at = counted
            if below.size < self.totals.size:  # else every value is a node of its own
                at = tally(counted.group, node[counted.value], counted.rows, counted.groups, below.size)
            table = below[at.value] if at is not counted else below[node[at.value]]
            size: NDArray[Any] = at.sizes.astype(kind)
            total += at.sums(np.abs(at.rows.astype(kind) * n - table.astype(kind) * size[at.group]))
            total += size * (n - at.sums(table).astype(kind)) * (size > 0)
        return total, 2 * n * height

    def linear_rows(self) -> LinearRows:
        """Return one row an edge of the tree, and one for their sum.

        An edge of length 1/(2H) above node x is crossed by what x has too much or too little, and over the nodes of one
        height both come to the same. So z_x >= c_x / N - C_x / n times N, and sum z_x <= t H N.
        """
        counts, size = [], []
        for node, below in zip(self.nodes, self.sums, strict=True):
            for x, rows in enumerate(below.tolist()):
                counts.append((node == x).astype(np.float64))
                size.append(-rows / self.n)
        edges = len(size)
        counts.append(np.zeros(self.totals.size))
        size.append(-float(self.t) * len(self.nodes))
        return LinearRows.of(self.code, counts, size, np.concatenate((-np.eye(edges), np.ones((1, edges)))))

    def count_rules(self) -> tuple[CountRule, ...]:
        """Return the distance in the tree."""
        return self.on_counts(Family.TREE, level=float(self.t), node=np.stack(self.nodes).astype(np.int32))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LineClose(Close):
    """Values on a line: the sum over the steps between neighbours of what has to cross them.

    `code`, `totals`: of the places on the line, not of the values. `steps`: (places - 1,) list of int, lengths of the
    steps.
    """

    steps: list[int]

    @classmethod
    def on(cls, *, places: Int64, steps: list[int], code: Int32, totals: Int64, **parts: Any) -> Self:
        """Return the requirement for values at some places of the line.

        `places`, (d,), holds the place of every value from 0, and `steps` the lengths of the steps between neighbouring
        places, one fewer than there are places. `code`, (c,), is the value of each kind, and `totals`, (d,), the rows
        of the table with each value; `parts` are the other fields.
        """
        at = added_up(places, totals, len(steps) + 1)
        return cls(steps=steps, code=places[code].astype(np.int32), totals=at, **parts)

    def work(self, counted: Tally, most: Fraction = ONE) -> tuple[NDArray[Any], int]:
        """Return how far every group is from the table, as `Close` has it.

        Between two values that a group has its cumulated rows stand still, so that prefix sums over the table give each
        stretch at once: O(log d) per value of a group.
        """
        del most
        n, span = self.n, sum(self.steps)
        kind = wide(2 * n * max(span, 1) * int(counted.sizes.max(initial=0)))
        below = np.cumsum(self.totals)[:-1]  # rows of the table up to each step
        step: NDArray[Any] = np.array(self.steps, kind)
        length = np.concatenate((np.zeros(1, kind), np.cumsum(step)))  # of the steps before each place
        mass = np.concatenate((np.zeros(1, kind), np.cumsum(step * below.astype(kind))))
        begins = counted.begins()
        have = np.cumsum(counted.rows)
        have -= (have - counted.rows)[np.minimum(begins[counted.group], have.size - 1)] if have.size else 0
        last = np.ones(have.size, np.bool_)
        last[:-1] = counted.group[1:] != counted.group[:-1]
        low = counted.value
        high = np.where(last, len(self.steps), np.roll(low, -1))
        size = counted.sizes[counted.group]
        cross = np.clip(np.searchsorted(below, have * n // np.maximum(size, 1), side="right"), low, high)
        here: NDArray[Any] = have.astype(kind) * n
        there: NDArray[Any] = size.astype(kind)
        over = here * (length[cross] - length[low]) - there * (mass[cross] - mass[low])
        under = there * (mass[high] - mass[cross]) - here * (length[high] - length[cross])
        total = counted.sums(over + under)
        first = np.roll(last, 1) if last.size else last
        total[counted.group[first]] += there[first] * mass[low[first]]
        return total, n * max(span, 1)

    def linear_rows(self) -> LinearRows:
        """Return two rows a step, and one for their sum.

        z_s >= |below_s(c) - N below_s(C) / n| for the step s between neighbours, and sum length_s z_s <= t span N.
        """
        places, steps = self.totals.size, len(self.steps)
        span = max(sum(self.steps), 1)
        below = np.tri(steps, places)
        share = np.cumsum(self.totals)[:steps] / self.n
        counts = np.concatenate((below, -below, np.zeros((1, places))))
        size = np.concatenate((-share, share, [-float(self.t)]))
        lengths = np.array(self.steps, np.float64).reshape(1, steps) / span
        return LinearRows.of(self.code, counts, size, np.concatenate((-np.eye(steps), -np.eye(steps), lengths)))

    def count_rules(self) -> tuple[CountRule, ...]:
        """Return the distance on the line; its values are the places."""
        length = np.array(self.steps, np.float64) / max(sum(self.steps), 1)
        return self.on_counts(Family.LINE, level=float(self.t), length=length)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class TransportClose(Close):
    """Values in any metric: a transportation problem per group.

    What group and table share stays where it is (triangle inequality); the rest is moved at least cost. `costs`: (d, d)
    int, distances times `scale`.
    """

    costs: NDArray[Any]
    scale: int

    def work(self, counted: Tally, most: Fraction = ONE) -> tuple[NDArray[Any], int]:
        """Return how far every group is from the table, as `Close` has it; too far is left once that is sure."""
        total, unit, begins = np.zeros(counted.groups, object), self.n * self.scale, counted.begins()
        for g in np.flatnonzero(counted.sizes):
            mine, size = slice(begins[g], begins[g + 1]), int(counted.sizes[g])
            excess = -self.totals * size
            excess[counted.value[mine]] += counted.rows[mine] * self.n
            total[g] = self._moved(excess, size, most.numerator * unit * size // most.denominator)
        return total, unit

    def _moved(self, excess: Int64, size: int, limit: int) -> int:
        """Return the least work, or any more than `limit` where it is above it."""
        more, less = np.flatnonzero(excess > 0), np.flatnonzero(excess < 0)
        if not more.size:
            return 0
        costs = self.costs[np.ix_(more, less)]
        kind = wide(4 * self.n * size * (self.scale + 1))
        solve: Callable[..., Any] = least_cost if kind is np.int64 else least_cost.py_func
        moved = solve(excess[more].astype(kind), -excess[less].astype(kind), costs.astype(kind), limit)
        return int(moved)

    def linear_rows(self) -> LinearRows:
        """Return one row a value, and one for the cost of what is moved.

        Notes
        -----
        f_vw is the mass moved from v to w, times N, which makes the rows linear. In a metric mass may as well pass
        through other values, so only what leaves v more than enters it counts: it is at least c_v - N C_v / n for every
        v (both sides add up to 0, so it is that), and sum d_vw f_vw <= t N. The paper's equations for both ends say the
        same with twice as many rows.

        References
        ----------
        H. Liang, H. Yuan, "On the complexity of t-closeness anonymization and related problems", Theorem 9.
        """
        values, n, down = self.totals.size, self.n, self.t.denominator
        source, target = np.nonzero(~np.eye(values, dtype=np.bool_))
        moves = np.arange(source.size)
        extra = np.zeros((values + 1, source.size))
        extra[source, moves] -= n
        extra[target, moves] += n
        # engines in floating point refuse very large coefficients
        unit = self.scale * down if self.scale * down > MOST_COEFFICIENT else 1
        extra[values] = (self.costs[source, target] * down / unit).astype(np.float64)
        counts = np.concatenate((n * np.eye(values), np.zeros((1, values))))
        size = np.concatenate((-self.totals, [-(self.t.numerator * self.scale / unit)]))
        return LinearRows.of(self.code, counts, size, extra)

    def count_rules(self) -> tuple[CountRule, ...]:
        """Return the distance in the metric."""
        distance = np.array(self.costs, np.float64) / self.scale
        return self.on_counts(Family.TRANSPORT, level=float(self.t), distance=distance)
