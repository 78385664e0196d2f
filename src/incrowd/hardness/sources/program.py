"""Zero-one programs of the source problems: solved by HiGHS, recounted in integers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from incrowd.milp import Outcome, Program, rows_of, solve

Line = tuple[Mapping[int, int], int | None, int | None]


def minimise(costs: Sequence[int], lines: Sequence[Line]) -> tuple[int, ...] | None:
    """Return the variables that are one in a cheapest 0/1 solution, or None if there is none.

    `costs` are whole numbers, one per variable. Each of `lines` is (coefficients, least, most): ``least <= sum of
    coefficient * variable <= most``, where None means no such side. RuntimeError is raised if the engine neither solves
    the program nor finds it infeasible, or its solution breaks a line. That nothing is cheaper rests on HiGHS; the
    tests compare with trying everything. No time limit: the time can grow exponentially with the variables.
    """
    count = len(costs)
    if count == 0:
        feasible = all((low or 0) <= 0 and (high is None or high >= 0) for _, low, high in lines)
        return () if feasible else None
    at = [(r, v, c) for r, (line, _, _) in enumerate(lines) for v, c in sorted(line.items())]
    entries = np.array(at, np.int64).reshape(-1, 3)
    lower = np.array([-np.inf if low is None else low for _, low, _ in lines], np.float64)
    upper = np.array([np.inf if high is None else high for _, _, high in lines], np.float64)
    program = Program(
        cost=np.array(costs, np.float64),
        lower=np.zeros(count),
        upper=np.ones(count),
        whole=np.ones(count, np.bool_),
        rows=rows_of([(entries[:, 0], entries[:, 1], entries[:, 2])], [(lower, upper)]),
    )
    answer = solve(program, abs_gap=0.5)
    if answer.outcome is Outcome.INFEASIBLE:
        return None
    if answer.outcome is not Outcome.OPTIMAL or answer.x is None:
        raise RuntimeError(f"the integer program ended with {answer.outcome.value}")
    chosen = tuple(int(v) for v in np.flatnonzero(answer.x > 0.5))
    ones = set(chosen)
    for line, low, high in lines:
        total = sum(c for v, c in line.items() if v in ones)
        if (low is not None and total < low) or (high is not None and total > high):
            raise RuntimeError("the integer program's solution breaks one of its lines")
    return chosen


def choose(
    parts: Sequence[Sequence[int]],
    things: int,
    *,
    least: int | None = None,
    most: int | None = None,
    costs: Sequence[int] | None = None,
) -> tuple[int, ...] | None:
    """Return a cheapest choice of parts in which every thing lies in `least` to `most` of them, or None.

    The choice is given as indices of parts, ascending. `parts` holds the things (0 to ``things - 1``) of each part.
    Where `least` or `most` is None there is no such side. `costs` are whole numbers for the parts, 1 each by default.
    RuntimeError is raised if the engine neither solves the program nor finds it infeasible.
    """
    lines: list[dict[int, int]] = [{} for _ in range(things)]
    for part, members in enumerate(parts):
        for thing in members:
            lines[thing][part] = 1
    price = [1] * len(parts) if costs is None else costs
    return minimise(price, [(line, least, most) for line in lines])
