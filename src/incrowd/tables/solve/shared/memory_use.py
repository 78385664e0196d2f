"""What a search needs at the least: the problem laid out for its kernels, and a plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from incrowd.tables.values import Problem

__all__ = ["LISTED_PAIR", "SEARCHED_PAIR", "least_bytes", "search_bytes"]

# Bytes of a pair of a row type and an instance: in a list with what is made from it, and in a search over it.
LISTED_PAIR, SEARCHED_PAIR = 60, 100
# Bytes of a line of the layout (node, hash and cost of a level) for each type; of a type in a plan; of a column in it.
LINE, TYPE, COLUMN = 20, 200, 12
# Patterns of which all are held at once where a mask has no more.
PATTERNS = 1 << 20
# Instances that a search keeps of a row type, and pairs that it keeps at most, both as measured.
KEPT, MOST_KEPT = 60, 6_000_000


def least_bytes(problem: Problem) -> int:
    """Return about how many bytes any solver takes for a problem, within a factor of two.

    Measured as the rise of the process while the greedy runs, on Adult and on 260,000 row types of nine columns.
    """
    lines = sum(level.height + 1 for level in problem.levels)
    m = problem.types.m
    kinds = 0 if problem.sensitive is None else 8 * len(problem.sensitive.names)
    patterns = min(problem.patterns.count(), PATTERNS)
    return problem.types.t * (LINE * lines + COLUMN * m + TYPE + kinds) + patterns * (2 * m + 16)


def search_bytes(problem: Problem) -> int:
    """Return about how many bytes a search and its bound take beside the least, within a factor of three."""
    pairs = min(problem.types.t * min(problem.patterns.count(), KEPT), MOST_KEPT)
    return pairs * (LISTED_PAIR + SEARCHED_PAIR)
