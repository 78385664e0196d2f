"""Levels: a changed cell shows a label of its column's hierarchy, or a star at the top."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from incrowd.tables.expand import expand
from incrowd.tables.measures import MeasureContext
from incrowd.tables.verify.release.faithful import verify_by_key

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from incrowd.tables.table import Compressed, Expanded, Table
    from incrowd.tables.values import Plan, Problem
    from incrowd.tables.verdict import Verdict
    from incrowd.tables.verify.rules import Rules


class Recoding:
    """What a changed cell shows and what follows; here its level says: 0 its value, the top a star, else a label.

    It holds nothing but its rules, so that one object serves every release. `option`: the option that a solver of such
    releases has, and is given as true; `without_option` says why one without it is declined. `plain`: whether every
    class shows its level vector whatever others show, and nothing else is asked: so that equal rows may be taken away
    first, the bound of k-anonymity alone stands under requirements, and a class may show the lowest level that holds
    for all its rows. `single`: whether one vector shows every row. `on_grid`: whether ranged columns end on the lines
    of a grid. `shows_ranges`: whether a cell's level does not say if it shows a star. `own_solver`: the solver that
    ``auto`` and ``exact`` stand for, None where they choose by themselves. `no_certificate`: why a certificate cannot
    be recounted, None where it can.
    """

    name = "levels"
    option: str | None = None
    without_option = ""
    plain = True
    single = False
    on_grid = False
    shows_ranges = False
    own_solver: str | None = None
    no_certificate: str | None = None

    def declines(self, options: Collection[str]) -> str | None:
        """Return why a solver with options of these names cannot make such a release, or None."""
        return None if self.option is None or self.option in options else self.without_option

    def star_levels(self, problem: Problem) -> Sequence[int]:
        """Return by quasi-identifier the least level at which a cell surely shows a star."""
        return problem.top

    def expand(self, table: Table, types: Compressed, plan: Plan, *, star: str | None, seed: int) -> Expanded:
        """Return the released rows of a plan, computed once.

        `star` is the text of a star (None: NULL), and `seed` decides which of equal rows get which pattern. InputError
        is raised if the table holds values that the release could not show.
        """
        return expand(table, types, plan, star=star, seed=seed)

    def recount(self, release: Expanded, rules: Rules) -> Verdict:
        """Return the verdict on a release against the table it came from, row by row; `rules` are what it must meet."""
        return verify_by_key(release, rules)

    def measure_context(self, problem: Problem, numeric: Sequence[str]) -> MeasureContext:
        """Return what a measure must know of a release; `numeric` are the quasi-identifiers that hold numbers."""
        return MeasureContext(problem=problem, numeric=tuple(numeric), ranges=self.shows_ranges)

    def facts(self, release: Expanded, problem: Problem) -> dict[str, Any]:
        """Return the facts that cannot be had from the plan's levels, in place of those that are."""
        del release, problem
        return {}


# One recoding for the whole table: every shown row at the same level vector, all others suppressed whole.
class SingleRecoding(Recoding):
    """Its releases are releases of levels; the check asks besides that one vector shows every row."""

    name = "global"
    option = "single"
    without_option = (
        "it recodes every class by itself; recoding=global goes with solver lattice, which auto and exact choose"
    )
    plain = False
    single = True
    own_solver = "lattice"
