"""Requirements as linear rows on a group's counts: what an integer program is told.

A requirement says its rows itself (`Requirement.linear_rows`, each with its reason where it is written):

- *largest share* (frequency l-diversity, alpha-k), *beta*: `tables/models/value_counts.py`, `beta_likeness.py`;
- *distinct values* (also p-sensitive): `value_counts.py`;
- *the joint kind*, of a few dozen combinations: `joint.py`;
- *t-closeness* in a tree, on a line, in any metric (Theorem 9 of [1]): `closeness.py`.

One that has none may have cuts instead: `no_good_cuts`.

References
----------
.. [1] H. Liang, H. Yuan, "On the complexity of t-closeness anonymization and related problems", Theorem 9.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from incrowd.tables.linear_rows import LinearRows
    from incrowd.tables.values import Problem

__all__ = ["stated_rows"]


def stated_rows(problem: Problem) -> list[LinearRows]:
    """Return the linear rows of a problem's requirements, as far as they have any."""
    found = (requirement.linear_rows() for requirement in problem.requirements)
    return [rows for rows in found if rows is not None]
