"""The protocols of what plugs in: solvers, requirements, costs, sets of patterns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from fractions import Fraction

    import numpy as np
    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.count_rules import CountRule, LinearRows
    from incrowd.tables.values import Int32, Int64, PatternBlock, Problem, Solution


class PatternSet(Protocol):
    """The set of allowed level vectors over the quasi-identifiers of one table (a compiled mask)."""

    @property
    def heights(self) -> tuple[int, ...]:
        """Top level per column."""

    @property
    def allows_full_suppression(self) -> bool:
        """Whether the all-star vector belongs to the set."""

    @property
    def written(self) -> tuple[tuple[int, ...], ...]:
        """The vectors that the user listed, in the order written; none where the mask lists no patterns."""

    def allows(self, vector: Sequence[int]) -> bool:
        """Whether the level vector belongs to the set."""

    def count(self) -> int:
        """Return the number of vectors, without listing them."""

    def reach(self) -> tuple[int, ...]:
        """Return per column the highest level that any vector of the set gives it."""

    def by_cost(self, costs: Sequence[Sequence[int]], ties: Sequence[Sequence[int]]) -> Iterator[PatternBlock]:
        """Yield all vectors, cheapest first, in blocks; lazily, so that a huge set can be broken off.

        ``costs[j][l]`` is the cost of level l in column j. Among equal costs: fewer stars first, then the larger sum of
        ``ties[j][l]``, then the lexicographic order of the vectors.
        """

    def cheapest_above(self, vector: Sequence[int], costs: Sequence[Sequence[int]]) -> tuple[int, ...] | None:
        """Return a cheapest vector of the set that is at least `vector` in every column (None: there is none).

        Ties are broken as in `by_cost` (without `ties`).
        """


class Solver(Protocol):
    """Row types -> plan; one paper each. The object is its options: a frozen dataclass."""

    name: str

    def declines(self, problem: Problem) -> str | None:
        """Return why this solver will not start on the problem, or None."""

    def solve(self, problem: Problem, watch: Watch) -> Solution:
        """Return the best plan found, with its bound.

        Infeasible is raised when no release exists, or none was found; the error says which.
        """


class Requirement(Protocol):
    """A model bound to a table: integers alone, decided exactly.

    `closed_under_union`: whether the union of two groups that meet it meets it. `rule`: itself as it is written in a
    policy, for messages. `code`: (kinds,) int, what it looks at of each combination of sensitive values: a value of its
    column, or its own numbering. `by_cuts`: whether `cut_against` says exactly what it asks for, where `linear_rows`
    cannot. `judged`: the sensitive columns it judges.
    """

    @property
    def code(self) -> Int32:
        """What it looks at of each combination of sensitive values."""

    @property
    def by_cuts(self) -> bool:
        """Whether `cut_against` says exactly what it asks for."""

    @property
    def closed_under_union(self) -> bool:
        """Whether the union of two groups that meet it meets it."""

    @property
    def rule(self) -> str:
        """Itself as it is written in a policy, for messages."""

    @property
    def judged(self) -> tuple[str, ...]:
        """The sensitive columns it judges."""

    def describe(self) -> str:
        """Return the requirement in words, settings only."""

    def meets(self, group: NDArray[Any], kind: NDArray[Any], count: NDArray[Any], groups: int) -> NDArray[np.bool_]:
        """Return which groups meet it, shape (groups,): true for a group without rows.

        `group`, `kind` and `count`, all (e,), give the group of each entry, below `groups` and in any order, its
        combination of sensitive values (`RowTypes.kinds`) and its rows, at least 1; a pair of group and kind may come
        more than once.
        """

    def linear_rows(self) -> LinearRows | None:
        """Return linear rows that say exactly what it asks for, or None where none are known."""

    def count_rules(self) -> tuple[CountRule, ...]:
        """Return rules on the rows per value that every group that meets it meets; none: nothing is known."""

    def cut_against(self, counts: Int64) -> LinearRows:
        """Return a row that holds for every group that meets it, and not for one with these rows per value of `code`.

        Asked only where ``by_cuts``.
        """

    def counts_of(self, kind: NDArray[Any], rows: NDArray[Any]) -> Int64:
        """Return the rows per value of `code` in one group, shape (v,)."""


class Cost(Protocol):
    """What a change costs; one each.

    Its options are filled in by name: ``hierarchies``, ``numbers``, ``rows`` and ``counts``, see `costs.choose`. One
    that charges values shown as they are says so by ``offset = True``: the sum of all rows as they are is taken off.
    """

    name: str
    summary: str

    def node_costs(self, column: str, up: Int32) -> list[list[Fraction]]:
        """Return the cost of showing value v at level l, in the user's units, shape (h + 1, d) as lists."""
