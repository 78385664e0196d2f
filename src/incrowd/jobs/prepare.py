"""A policy fitted to a table, and the table read, checked and compressed: what every job begins with.

What a stage needs of the policy is derived here, once, and carried as a value: by `FittedPolicy` for whoever holds
the original table, by `Prepared` for whoever looks for a release of it.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from incrowd.check.mask import allowed_vectors
from incrowd.jobs.check import read_again
from incrowd.policy.questions import check_rows, star_of
from incrowd.policy.words import spelled_out
from incrowd.tables import costs
from incrowd.tables.column_counts import count_columns, looks_at_table, with_values_alone
from incrowd.tables.compress import advise, compress, grouped_rows, hierarchy_lines, places
from incrowd.tables.hierarchy import Fitted
from incrowd.tables.mask.on_grid import on_line, patterns_of
from incrowd.tables.models.parse import names_of
from incrowd.tables.range_columns import ranged_names
from incrowd.tables.read import open_source, with_roles
from incrowd.tables.read.hierarchies import fit_hierarchies
from incrowd.tables.read.table import propose_hierarchies
from incrowd.tables.recoding import load_recoding
from incrowd.tables.values import Problem
from incrowd.tables.verify.rules import Rules, read_rules, reading_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from contextlib import AbstractContextManager

    from incrowd.policy.job import Policy
    from incrowd.tables.column_counts import ColumnCounts
    from incrowd.tables.engine.base import Engine
    from incrowd.tables.hierarchy import Hierarchy
    from incrowd.tables.hierarchy.number_ranges import NumberRanges
    from incrowd.tables.hierarchy.proposals import Proposal
    from incrowd.tables.mask import Patterns
    from incrowd.tables.recoding.levels import Recoding
    from incrowd.tables.table import Compressed, Grouped, Opened, Table
    from incrowd.tables.values import Int64, Levels, RowTypes

    Grids = Mapping[str, NumberRanges]
    Nodes = Mapping[str, tuple[Hierarchy, Int64]]


@dataclass(frozen=True, slots=True, eq=False)
class FittedPolicy:
    """A policy with what follows from it for one original table.

    `hierarchies`: checked against the values of the table, by column. `patterns`: the mask over the quasi-identifiers'
    levels. `star`: text of a star (None: NULL). `text`: quasi-identifiers that become text: those that the mask could
    change, unless stars are NULL. `judged`: sensitive columns that a requirement judges. `rules`: what the check holds
    a release to. `counts`: by column, where the cost looks at the table.
    """

    policy: Policy
    hierarchies: Mapping[str, Fitted]
    patterns: Patterns
    star: str | None
    text: tuple[str, ...]
    judged: tuple[str, ...]
    recoding: Recoding
    rules: Rules
    counts: Mapping[str, ColumnCounts]
    proposals: tuple[Proposal, ...] = ()

    def nodes(self, lines: Sequence[Int64 | None]) -> Nodes:
        """Return by column the hierarchy and the line of every value code in it, a (d,) int64 array.

        `lines` has m entries: per quasi-identifier the line of each of its d value codes, None where it has no
        hierarchy. Columns without a hierarchy are left out of the result.
        """
        return {
            name: (self.hierarchies[name].hierarchy, line)
            for name, line in zip(self.policy.quasi_identifiers, lines, strict=True)
            if line is not None
        }


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """A table compressed to its row types, in arrays, with the policy that was fitted to it.

    `nodes`: mapping of str to (Hierarchy, (d,) int64), as `FittedPolicy.nodes` gives them. `places`: tuple of (d,)
    int64 or None, length m, as in `Problem`. `ranges`: the grids of the columns that may show any of their ranges.
    """

    fitted: FittedPolicy
    table: Table
    nodes: Nodes
    types: Compressed
    places: tuple[Int64 | None, ...]
    ranges: Mapping[str, NumberRanges] = field(default_factory=dict)

    def problem(self, policy: Policy | None = None) -> Problem:
        """Return the problem that a solver gets.

        `policy` takes the place of the one prepared for; it differs from that in its thresholds alone. `InputError` is
        raised if k is more than the rows.
        """
        policy = policy or self.fitted.policy
        check_rows(policy, self.table.rows)
        types, domain = self.types.types, self.types.domain
        levels, scale = cost_levels(policy, types, self.nodes, self.fitted.counts)
        limit = policy.suppression_limit
        problem = Problem(
            types=types,
            levels=levels,
            patterns=self.fitted.patterns,
            k=int(policy.k or 1),
            outliers=policy.outliers,
            scale=scale,
            columns=policy.quasi_identifiers,
            places=self.places,
            requirements=() if domain is None else tuple(model.bind(domain) for model in policy.requirements),
            sensitive=None if domain is None else domain.sensitive,
            most_suppressed=None if limit is None else math.floor(limit * types.n),
        )
        if not self.ranges:
            return beside_gaps(problem, self.fitted.rules) if self.fitted.rules.gaps else problem
        from incrowd.tables.recoding.grid import problem_with_ranges  # with a solver's libraries

        return problem_with_ranges(problem, self.ranges, policy, self.nodes)


MOST_LISTED = 1 << 16  # level vectors that are looked through


def beside_gaps(problem: Problem, rules: Rules) -> Problem:
    """Return a problem in which a missing value is paid as a star already, and so looks like one at every level.

    What all rows cost as they are is taken off later (`user_units`). An instance in which it stands as a value of its
    own costs the same and holds fewer rows. So what is proven is of all releases, if what the mask of the `rules`
    allows it allows with more stars where values are missing too (docs/certificate.md, [T8]).
    """
    levels, every = list(problem.levels), math.prod(top + 1 for top in problem.top)
    for j in rules.gapped:
        cost = levels[j].cost.copy()
        cost[0, 0] = cost[-1, 0]
        levels[j] = replace(levels[j], cost=cost)
    sure = problem.patterns.count() == every
    if not sure and every <= MOST_LISTED:
        allowed = allowed_vectors(rules.mask, problem.top)
        sure = allowed == allowed_vectors(rules.mask, problem.top, rules.gapped, problem.outliers)
    return replace(problem, levels=tuple(levels), gaps=tuple(rules.gapped), unsure=not sure)


def fit_policy(
    engine: Engine, opened: Opened, policy: Policy, ranges: Mapping[str, NumberRanges] = MappingProxyType({})
) -> FittedPolicy:
    """Return a policy fitted to an original table.

    The policy has at least one quasi-identifier. `ranges` holds the grids of columns whose ranges a search begins with
    as hierarchies. `PolicyError` or `InputError` is raised if a hierarchy cannot be read or lacks values of the table,
    or the mask does not fit the columns. The values of every column with a hierarchy are collected once, twice where it
    was proposed. Memory grows with the distinct values and with the patterns that the mask allows.
    """
    names, star = policy.quasi_identifiers, star_of(policy)
    fit = functools.partial(fit_hierarchies, engine, opened, star=star, encoding=policy.reading.encoding)
    hierarchies = fit(policy.hierarchies, complete=policy.complete_hierarchies)
    hierarchies |= {name: Fitted(grid.chain(alone=on_line(policy)), missing=False) for name, grid in ranges.items()}
    proposals: tuple[Proposal, ...] = ()
    if policy.other_hierarchies == "auto":
        proposals = propose_hierarchies(engine, opened, [name for name in names if name not in hierarchies])
        specs = [(one.column, one.spec) for one in proposals if one.spec is not None]
        hierarchies |= fit(specs, complete=True)
        policy = spelled_out(policy, proposals)
    alone = with_values_alone(policy.cost, names, policy.hierarchies)
    hierarchies |= fit([one for one in alone if one[0] not in hierarchies], complete=policy.complete_hierarchies)
    counts = count_columns(engine, opened, policy.cost, names, hierarchies)
    patterns = patterns_of(policy, hierarchies)
    changing = tuple(name for name, level in zip(names, patterns.reach(), strict=True) if level)
    text = () if star is None else changing
    return FittedPolicy(
        policy=policy,
        hierarchies=hierarchies,
        patterns=patterns,
        star=star,
        text=text,
        judged=names_of(policy.requirements),
        recoding=load_recoding(policy.recoding),
        rules=read_rules(engine, opened, read_again(policy)),
        counts=counts,
        proposals=proposals,
    )


def prepare(
    engine: Engine,
    source: Any,
    policy: Policy,
    clock: Callable[[str], AbstractContextManager[None]],
    body: Callable[[FittedPolicy, Table, Grids, Grouped], Any] | None = None,
) -> Any:
    """Read a table under its policy and compress it to row types: a `Prepared`, or what `body` makes of them.

    `source` is a path, frame, Arrow table and so on. `clock` times the stages ``read`` and ``compress``. `body` gets
    the row types as they were counted, in the engine. Wrong use or bad input raises `PolicyError` or `InputError`, in
    one sentence. It takes one pass over the table and one grouping
    in the engine; what is kept here grows with the row types.
    """
    with clock("read"):
        again = bool(policy.hierarchies) or policy.other_hierarchies == "auto" or bool(ranged_names(policy))
        opened = open_source(engine, source, policy.reading, once=not (again or looks_at_table(policy.cost)))
        fitted, table, ranges = _fitted(engine, opened, policy)
    with clock("compress"):
        grouped = grouped_rows(table, fitted.judged)
        return (body or compressed)(fitted, table, ranges, grouped)


def prepare_opened(engine: Engine, opened: Opened, policy: Policy) -> Prepared:
    """Do what `prepare` does with a table that is open already; the engine forgets what it kept for that."""
    fitted, table, ranges = _fitted(engine, opened, policy)
    return compressed(fitted, table, ranges, grouped_rows(table, fitted.judged))


def _fitted(engine: Engine, opened: Opened, policy: Policy) -> tuple[FittedPolicy, Table, Grids]:
    """Return a policy fitted to a table that is open, the table under it, and its grids; the open one is forgotten."""
    roles = policy.roles
    roles.check(opened.names, quotable=opened.quotable)
    ranges: Grids = {}
    if load_recoding(policy.recoding).on_grid:
        from incrowd.tables.recoding.grid import fit_ranges  # with a solver's libraries

        ranges = fit_ranges(engine, opened, policy)
    fitted = fit_policy(engine, opened, policy, ranges)
    dated = {name for name, grid in ranges.items() if grid.numbers.dates}
    roles = replace(roles, numeric=tuple(name for name in roles.numeric if name not in dated))
    table = with_roles(engine, opened, roles, hierarchies=fitted.hierarchies, text=fitted.text, star=fitted.star)
    engine.forget(opened.data)
    check_rows(policy, table.rows)
    return fitted, table, ranges


def compressed(fitted: FittedPolicy, table: Table, ranges: Grids, grouped: Grouped) -> Prepared:
    """Return a table with its row types in memory."""
    types = compress(table, fitted.judged, grouped)
    table = advise(table, types)
    nodes = fitted.nodes(hierarchy_lines(table, types))
    return Prepared(fitted, table, nodes, types, places(table, types), ranges)


def cost_levels(
    policy: Policy, types: RowTypes, nodes: Nodes, counts: Mapping[str, ColumnCounts]
) -> tuple[tuple[Levels, ...], int]:
    """Return the levels of every quasi-identifier with their costs as whole numbers, and the scale.

    The m levels hold scaled costs; the scale is the scaled cost of one unit of the user's cost. Of the policy its cost,
    weights and quasi-identifiers are used, and `nodes` is as `FittedPolicy.nodes` gives it. `counts` is by column, for
    costs that look at the table. `PolicyError` is raised if the check cannot count the cost, or the weights cannot be
    added up exactly over so many rows.
    """
    reading_of(policy.cost)  # what the check cannot count is refused before any work
    return costs.cost_levels(
        policy.cost, policy.quasi_identifiers, types.sizes, rows=types.n, nodes=nodes, weights=dict(policy.weights),
        types=types, numeric=policy.numeric, counts=counts,
    )  # fmt: skip
