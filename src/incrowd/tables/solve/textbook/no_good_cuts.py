"""Cuts for requirements without finitely many linear rows: each cuts off one group that fails, and none that meets it.

- *entropy* l-diversity of a group with shares p: H(p) >= log l. For every distribution q, - sum p_v log q_v >= H(p)
  (Gibbs), so every group has to satisfy sum c_v (-log q_v) >= N log l. A group that fails, with shares p, is cut off
  by q near p: (1 - e) p, the rest on values it has not, with e so small that H(p) - log(1 - e) < log l.
- *recursive* (c, l)-diversity: r_1 < c (r_l + r_(l+1) + ...), r sorted. The right side is c (N - the l - 1 largest), so
  for every value v and every set T of l - 1 values a group has c_v + c sum_(u in T) c_u < c N. With c = a / b all
  is whole, so the slack is at least 1, and at least N / n. A group that fails is cut off by its largest values.

Both sets of cuts together say exactly what the requirement says, so adding those that the engine's solutions break
ends at the optimum; it ends because groups are finitely many.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.models.entropy import EntropyDiverse
from incrowd.tables.models.value_counts import Recursive
from incrowd.tables.solve.shared.requirement_check import kinds_of
from incrowd.tables.solve.textbook.requirement_rows import Cone

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from incrowd.tables.protocols import Requirement
    from incrowd.tables.values import Int64, Plan, Problem

__all__ = ["cut_of", "cuts_against", "has_cuts"]


def has_cuts(requirement: Requirement) -> bool:
    """Return whether a requirement is met by cuts."""
    return isinstance(requirement, (EntropyDiverse, Recursive))


def cuts_against(problem: Problem, plan: Plan) -> Iterator[tuple[bytes, Cone]]:
    """Yield a cut with a name of its own for every group of a plan that fails a requirement met by cuts."""
    kinds = kinds_of(problem)[plan.part_type]
    for number, requirement in enumerate(problem.requirements):
        if not isinstance(requirement, (EntropyDiverse, Recursive)):
            continue
        met = requirement.meets(plan.part_group, kinds, plan.part_rows, plan.groups)
        for group in np.flatnonzero(~met):
            mine = plan.part_group == group
            counts = np.zeros(requirement.totals.size, np.int64)
            np.add.at(counts, requirement.code[kinds[mine]], plan.part_rows[mine])
            yield bytes([number]) + (counts // np.gcd.reduce(counts)).tobytes(), cut_of(requirement, counts)


def cut_of(requirement: EntropyDiverse | Recursive, counts: Int64) -> Cone:
    """Return a row that holds for every group that meets a requirement, and not for one of these counts.

    Parameters
    ----------
    requirement : EntropyDiverse or Recursive
    counts : (v,) int64
        Rows of each value in a group that fails.
    """
    if isinstance(requirement, EntropyDiverse):
        row, size = _entropy(counts, math.log(requirement.l))
    else:
        row, size = _recursive(counts, requirement.l, float(requirement.c), requirement)
    return Cone(
        code=np.asarray(requirement.code, np.int64), counts=row[None, :], size=np.array([size]),
        extra=np.zeros((1, 0)), opened=np.zeros(1),
    )  # fmt: skip


def _entropy(counts: Int64, least: float) -> tuple[NDArray[np.float64], float]:
    share = counts / counts.sum()
    held = share > 0
    reached = -float((share[held] * np.log(share[held])).sum())
    # Half of what the group lacks may be spent on the values that it has not.
    spare = -math.expm1(-(least - reached) / 2) if not held.all() else 0.0
    shares = np.where(held, share * (1 - spare), spare / max(int((~held).sum()), 1))
    return np.log(shares), least


def _recursive(counts: Int64, l: int, c: float, requirement: Recursive) -> tuple[NDArray[np.float64], float]:  # noqa: E741
    order = np.argsort(-counts, kind="stable")
    row = np.zeros(counts.size)
    row[order[0]] += 1
    row[order[: l - 1]] += c
    return row, 1 / (requirement.c.denominator * requirement.n) - c
