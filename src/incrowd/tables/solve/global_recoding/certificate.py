"""The certificate of one recoding: its level vector, for whoever walks the lattice again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from incrowd.tables.solve.shared.certificate_head import head

if TYPE_CHECKING:
    from collections.abc import Sequence

    from incrowd.tables.values import Bound, Problem

__all__ = ["NAME", "VERSION", "by_walk"]

NAME, VERSION = "incrowd single recoding bound", 1


def by_walk(problem: Problem, vector: Sequence[int], suppressed: int, cost: int, bound: Bound) -> dict[str, Any]:
    """Return the certificate of a release under one level vector, (m,).

    `suppressed` is the number of its fully suppressed rows, and `cost` its scaled cost; `bound` says that no release
    under one vector costs less.
    """
    return {
        **head(problem, cost, bound, NAME, VERSION),
        "requirements": [requirement.rule for requirement in problem.requirements],
        "most_suppressed": problem.types.n if problem.most_suppressed is None else problem.most_suppressed,
        "levels": [int(level) for level in vector],
        "suppressed_rows": suppressed,
    }
