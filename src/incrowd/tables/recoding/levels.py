"""Levels: a changed cell shows a label of its column's hierarchy, or a star at the top."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from incrowd.tables.expand import expand
from incrowd.tables.measures import MeasureContext
from incrowd.tables.verify.release.faithful import verify_by_key
from incrowd.tables.verify.release.pairing import verify_tables

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.roles import Roles
    from incrowd.tables.table import Compressed, Expanded, Opened, Table
    from incrowd.tables.values import Outliers, Plan, Problem
    from incrowd.tables.verdict import Verdict, Violation
    from incrowd.tables.verify.pairing.portions import Room
    from incrowd.tables.verify.release.groups import Rules


class LevelRecoding:
    """A cell's level says what it shows: 0 its value, the top a star, between them a label; see `Recoding`."""

    name = "levels"
    solver_options: Mapping[str, Any] = MappingProxyType({})
    may_cap_copies = True
    takes_bound_of_k = True
    levels_name_stars = True
    lowers_levels = True
    own_solver: str | None = None
    no_certificate: str | None = None

    def declines(self, options: Collection[str]) -> str | None:
        """Return None: every solver makes levels."""

    def outliers(self, asked: Outliers) -> Outliers:
        """Return the rule that is asked."""
        return asked

    def star_levels(self, problem: Problem) -> Sequence[int]:
        """Return the top level of every quasi-identifier."""
        return problem.top

    def expand(self, table: Table, types: Compressed, plan: Plan, *, star: str | None, seed: int) -> Expanded:
        """Return the released rows of a plan."""
        return expand(table, types, plan, star=star, seed=seed)

    def recount(self, release: Expanded, rules: Rules) -> Verdict:
        """Return the verdict on a release by its row keys."""
        return verify_by_key(release, rules)

    def released_rules(
        self, engine: Engine, original: Opened, released: Opened, roles: Roles, rules: Rules, star: str | None
    ) -> Rules:
        """Return the rules: the policy names every label."""
        return rules

    def recount_tables(
        self,
        engine: Engine,
        original: Opened,
        released: Opened,
        roles: Roles,
        rules: Rules,
        *,
        text: Collection[str],
        star: str | None,
        room: Room | None = None,
    ) -> tuple[Violation, ...]:
        """Return what is wrong with a release, from the two tables alone."""
        return verify_tables(engine, original, released, roles, rules, text=text, star=star, room=room)

    def measure_context(self, problem: Problem, numeric: Sequence[str]) -> MeasureContext:
        """Return the context in which changed cells are nodes of hierarchies."""
        return MeasureContext.of(problem, numeric=tuple(numeric))

    def facts(self, release: Expanded) -> dict[str, Any]:
        """Return nothing: the plan's levels say everything."""
        return {}


# One recoding for the whole table: every shown row at the same level vector, all others suppressed whole.
OPTION = "single"


class SingleRecoding(LevelRecoding):
    """Its releases are releases of levels; the check asks besides that one vector shows every row; see `Recoding`."""

    name = "global"
    solver_options: Mapping[str, Any] = MappingProxyType({OPTION: True})
    may_cap_copies = False
    takes_bound_of_k = False
    lowers_levels = False
    own_solver = "lattice"

    def declines(self, options: Collection[str]) -> str | None:
        """Return why a solver that recodes every class by itself cannot be taken, or None."""
        if OPTION in options:
            return None
        return "it recodes every class by itself; recoding=global goes with solver lattice, which auto and exact choose"
