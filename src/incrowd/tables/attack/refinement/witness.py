"""From an original of a part to the exchanges that would have made its release cheaper."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.errors import Infeasible
from incrowd.progress import Behind, search_time
from incrowd.registry import load
from incrowd.tables.attack.refinement.exchange import least_moves
from incrowd.tables.values import Levels, Problem, RowTypes

if TYPE_CHECKING:
    from incrowd.progress import Watch
    from incrowd.tables.attack.refinement.exchange import Ground, Instance, Moves
    from incrowd.tables.attack.refinement.part import Part
    from incrowd.tables.protocols import Solver
    from incrowd.tables.values import Int64, Plan

__all__ = ["cheaper_by"]

SECONDS = 5.0
QUICKEST = ("matching", "exact")


def cheaper_by(ground: Ground, rows: list[Int64], watch: Watch) -> list[Moves] | None:
    """Return exchanges that an original of a part allows; none where it has no cheaper release, None where unknown.

    Parameters
    ----------
    ground : Ground
    rows : list of (r,) int64
        Rows of each type, class by class.
    watch : Watch

    Notes
    -----
    What the solver says is not trusted: an exchange counts once `Ground.gain` has added it up.
    """
    part = ground.part
    problem, where = _problem(part, rows)
    quiet = Behind(watch, min(watch.deadline or np.inf, search_time() + SECONDS))
    quiet.on_event = None
    try:
        found = _solver(problem).solve(problem, quiet)
    except Infeasible:
        return None
    moves = _moves(part, problem, found.plan, where)
    cheaper = least_moves(ground, moves) if moves else []
    now = int((part.released.costs[part.classes] * part.sizes).sum())
    return cheaper if cheaper or now - found.bound.value <= ground.slack else None


def _solver(problem: Problem) -> Solver:
    """Return an exact solver for a small table: the quickest that takes it."""
    for name in QUICKEST:
        solver = load("solvers", name)()
        if solver.declines(problem) is None:
            break
    return solver  # type: ignore[no-any-return]


def _problem(part: Part, rows: list[Int64]) -> tuple[Problem, list[list[tuple[int, int, int]]]]:
    """Return the table of an original, and for each of its types the rows by class and type of the part."""
    released, m = part.released, part.released.m
    up = [[level.up[:, : column.size]] for level, column in zip(part.levels, released.columns, strict=True)]
    cost = [[level.cost[:, : column.size]] for level, column in zip(part.levels, released.columns, strict=True)]
    sizes = [column.size for column in released.columns]
    held: dict[tuple[int, ...], list[tuple[int, int, int]]] = {}
    for place, counts in enumerate(rows):
        unknown = part.unknown(place)
        for row in np.flatnonzero(counts).tolist():
            many = int(counts[row])
            for _ in range(many if unknown[row] else 1):
                code = part.types[place][row].tolist()
                for j in range(m):
                    if code[j] >= released.columns[j].size:
                        up[j].append(_own(part, j, code[j], sizes[j]))
                        cost[j].append(part.levels[j].cost[:, [code[j]]])
                        code[j] = sizes[j]
                        sizes[j] += 1
                held.setdefault(tuple(code), []).append((place, row, 1 if unknown[row] else many))
    ordered = sorted(held)
    levels = tuple(
        Levels(np.concatenate(ups, axis=1).astype(np.int32), np.concatenate(costs, axis=1))
        for ups, costs in zip(up, cost, strict=True)
    )
    counts = np.array([sum(n for _, _, n in held[code]) for code in ordered], np.int64)
    types = RowTypes(np.array(ordered, np.int32).reshape(-1, m), counts, tuple(sizes))
    most = released.most_suppressed
    if most is not None:
        inside = int(part.sizes[released.full[part.classes]].sum())
        most = max(most - int(released.sizes[released.full].sum()) + inside, 0)
    problem = Problem(
        types, levels, released.patterns, released.k, released.outliers, scale=released.scale, most_suppressed=most
    )
    return problem, [held[code] for code in ordered]


def _own(part: Part, j: int, code: int, name: int) -> np.ndarray:
    """Return the nodes of one unknown value of one row, which no other row shares below what its class shows."""
    place = code - part.released.columns[j].size
    column = part.levels[j].up[:, [code]].copy()
    lower = np.arange(len(column)) < part.released.levels[part.classes[place], j]
    column[lower, 0] = int(part.levels[j].up.max()) + 1 + name
    column[0, 0] = name
    return column


def _moves(part: Part, problem: Problem, plan: Plan, where: list[list[tuple[int, int, int]]]) -> Moves:
    """Return which rows a plan shows elsewhere than their class does; as many as can be stay."""
    nodes = plan.nodes(problem).tolist()
    instances = [(tuple(v), tuple(n)) for v, n in zip(plan.levels.tolist(), nodes, strict=True)]
    moves: Moves = {}
    for kind, sources in enumerate(where):
        here = plan.part_type == kind
        room: dict[Instance, int] = {}
        for group, rows in zip(plan.part_group[here].tolist(), plan.part_rows[here].tolist(), strict=True):
            room[instances[group]] = room.get(instances[group], 0) + int(rows)
        left = []
        for place, row, many in sources:
            own = part.instance(place)
            stay = min(many, room.get(own, 0))
            if stay:
                room[own] -= stay
            left.append((place, row, many - stay))
        targets = [(target, rows) for target, rows in room.items() if rows]
        for place, row, unplaced in left:
            many = unplaced
            while many:
                target, rows = targets.pop()
                used = min(many, rows)
                moves[place, target, row] = moves.get((place, target, row), 0) + used
                many -= used
                if rows > used:
                    targets.append((target, rows - used))
    return moves
