"""Ranges: a changed number shows the range of its class, the least and the greatest number; other columns a star."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.tables.expand import expand_ranges
from incrowd.tables.measures.nodes import behind, star_facts
from incrowd.tables.recoding.levels import Recoding

if TYPE_CHECKING:
    from collections.abc import Sequence

    from incrowd.tables.table import Compressed, Expanded, Table
    from incrowd.tables.values import Plan, Problem


class RangeRecoding(Recoding):
    """A number above level 0 shows what its class holds, which may come to a star; see `Recoding`.

    Classes of ranges have at least k rows each, so no row is an outlier. Their lower bounds come without a
    certificate.
    """

    name = "ranges"
    option = "ranges"
    without_option = "it shows levels, no ranges; for recoding=ranges name a solver that makes them, like mondrian"
    plain = False
    shows_ranges = True
    no_certificate: str | None = "a release of ranges comes without a certificate; verify it without one"

    def star_levels(self, problem: Problem) -> Sequence[int]:
        """Return 2 for every numeric column, whose level 1 may show a range or a star."""
        return [1 if line is None else 2 for line in problem.places]

    def expand(self, table: Table, types: Compressed, plan: Plan, *, star: str | None, seed: int) -> Expanded:
        """Return the released rows of a plan whose classes show ranges."""
        assert star is not None  # a policy of ranges whose stars are NULL is refused
        return expand_ranges(table, types, plan, star=star, seed=seed)

    def facts(self, release: Expanded, problem: Problem) -> dict[str, Any]:
        """Return the facts of stars, which only the values of each class say."""
        columns = behind(release, self.measure_context(problem, ()))
        stars = [int(column.rows[column.star].sum()) for column in columns]
        full = columns[0].rows[np.logical_and.reduce([column.star for column in columns])]
        return star_facts(release.table, stars, int(full.sum()))
