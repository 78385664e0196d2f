"""Why a solver will not start, or ends without a release: the reasons that several share."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd import registry
from incrowd.errors import Infeasible
from incrowd.tables.row_numbers import added_up
from incrowd.tables.solve.shared.requirement_check import requirements_in_words
from incrowd.tables.values import Plan, RowTypes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from incrowd.tables.protocols import Solver
    from incrowd.tables.values import Int64, Problem


def beyond_k(problem: Problem) -> str | None:
    """Return why a solver that knows k-anonymity alone will not start, or None."""
    if problem.requirements:
        return "it makes releases k-anonymous and knows no further requirement"
    return None


def none_by_program(problem: Problem) -> Infeasible:
    """Return the error that says there is no release, by an integer program's word."""
    return Infeasible(
        f"no release meets {requirements_in_words(problem)} under this mask, by the word of an integer program; "
        "allow full suppression, allow more patterns or ask for less",
        requirement=requirements_in_words(problem),
        proven=False,
    )


def none_in_time(problem: Problem) -> Infeasible:
    """Return the error that says no release was found, where more time may find one."""
    return Infeasible(
        f"no release with {requirements_in_words(problem)} was found in time; allow full suppression or give more time",
        requirement=requirements_in_words(problem),
        proven=False,
    )


# A problem without its requirements: row types that differ in sensitive values alone become one.
def k_alone(problem: Problem) -> Problem:
    """Return the problem of k-anonymity alone; every release of the problem is one of it, and its bounds hold."""
    types = problem.types
    fresh, number = _fresh(problem), merged_types(problem)
    counts = added_up(number, types.counts, int(number[-1]) + 1)
    return dataclasses.replace(
        problem,
        types=RowTypes(np.ascontiguousarray(types.codes[fresh]), counts, types.sizes),
        requirements=(),
        sensitive=None,
    )


def merged_types(problem: Problem) -> Int64:
    """Return for each row type its number among the types of k alone, increasing, shape (t,)."""
    number: Int64 = np.cumsum(_fresh(problem), dtype=np.int64) - 1
    return number


def _fresh(problem: Problem) -> NDArray[np.bool_]:
    """Return which row types differ from the one before in more than sensitive values."""
    codes = problem.types.codes
    fresh = np.ones(len(codes), np.bool_)
    fresh[1:] = (codes[1:] != codes[:-1]).any(axis=1)
    return fresh


def without_kinds(problem: Problem, plan: Plan) -> tuple[Problem, Plan]:
    """Return the problem of k-anonymity alone, and the plan as a plan of it."""
    number = merged_types(problem)
    parts, place = np.unique(number[plan.part_type] * plan.classes + plan.part_class, return_inverse=True)
    rows = added_up(place.reshape(-1), plan.part_rows, parts.size)
    whose, class_ = np.divmod(parts, plan.classes)
    return k_alone(problem), Plan(plan.levels, whose.astype(np.int32), class_.astype(np.int32), rows)


# A solver's options are its fields: what it takes of what a job says.
def option_types(name: str) -> dict[str, str]:
    """Return the options of a registered solver with their annotations; PolicyError: no solver has that name."""
    return {one.name: str(one.type) for one in dataclasses.fields(registry.load("solvers", name)) if one.init}


def option_names(name: str) -> frozenset[str]:
    """Return the options of a registered solver; PolicyError is raised if no solver has that name."""
    return frozenset(option_types(name))


def solver_with(name: str, options: Mapping[str, Any]) -> Solver:
    """Return a registered solver with those of some options that it knows; None leaves an option at its default.

    Options that the solver does not have are left out. Raises PolicyError if no solver has that name, or it refuses a
    value.
    """
    known = option_names(name)
    taken = {option: value for option, value in options.items() if option in known and value is not None}
    solver: Solver = registry.load("solvers", name)(**taken)
    return solver


# What a search needs at the least: the problem laid out for its kernels, and a plan.

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
