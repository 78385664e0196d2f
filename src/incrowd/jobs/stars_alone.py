"""What a release loses because columns have no hierarchy: a quick search on a sample, with stars alone and without."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd import registry
from incrowd.errors import Infeasible, PolicyError
from incrowd.jobs.prepare import cost_levels
from incrowd.progress import Watch, WithDeadline, search_time
from incrowd.tables.column_counts import looks_at_table
from incrowd.tables.compress import first_types
from incrowd.tables.hierarchy import Hierarchy
from incrowd.tables.hierarchy.proposals import propose
from incrowd.tables.hierarchy.values import MISSING
from incrowd.tables.solve.shared.refusals import k_alone

if TYPE_CHECKING:
    from incrowd.jobs.prepare import Prepared
    from incrowd.tables.values import Int64, Problem, Solution

FEWEST_ROWS = 100
SAMPLE_ROWS = 2_000
MOST_VALUES = 20_000  # distinct ones of a column that is looked at
LEAST_SHARE = 0.05  # of the cells of the columns in question that are stars
PER_CLASS = 20  # rows of the sample for each of the k, at least
WORTH = 0.9  # of the loss, above which nothing is said


def stars_alone(made: Prepared, problem: Problem, solution: Solution, watch: Watch) -> dict[str, Any] | None:
    """Return what columns without a hierarchy cost a release, where their values suggest one.

    `problem` is that of the prepared table, and `solution` the release that was found. The watch can end the search,
    whose time is limited. The result has ``columns`` (names), ``sample_rows``, and of the
    sample's cost the shares ``loss`` (0 to 1) and ``loss_with_hierarchies``. It is None where hierarchies were proposed
    already, labels do not fit, little was starred, no column's values suggest a hierarchy, or it would gain little. One
    GROUP BY over the row types for each starred column of at most 20,000 values, and two quick searches on 2,000 rows:
    some tenths of a second. Requirements beside k are left out of both.
    """
    policy = made.fitted.policy
    fits = made.fitted.recoding.plain and policy.suppressed == "text" and not made.fitted.proposals
    fits = fits and not looks_at_table(policy.cost)  # whose costs a hierarchy that is proposed has none of yet
    if not fits or watch.interrupted or watch.short or problem.types.n < FEWEST_ROWS:
        return None
    top = np.array(problem.top, np.int8)
    stars = (solution.plan.levels == top).T.astype(np.int64) @ solution.plan.sizes()
    lost = [
        (j, name)
        for j, name in enumerate(policy.quasi_identifiers)
        if name not in made.nodes
        and stars[j] >= LEAST_SHARE * problem.types.n
        and problem.types.sizes[j] <= MOST_VALUES
    ]
    made_up = {name: nodes for j, name in lost if (nodes := _suggested(made, j, name)) is not None}
    if not made_up:
        return None
    plain = k_alone(problem)
    sample = plain.types.sample(SAMPLE_ROWS, seed=0)
    if sample.n < PER_CLASS * problem.k:
        return None
    levels, scale = cost_levels(policy, sample, {**made.nodes, **made_up}, {})
    plain = dataclasses.replace(plain, types=sample)
    try:
        patterns = policy.mask.compile(policy.quasi_identifiers, [level.height for level in levels])
    except PolicyError:
        return None
    with_labels = dataclasses.replace(plain, levels=levels, scale=scale, patterns=patterns)
    alone, less = (quick_loss(one, watch) for one in (plain, with_labels))
    if alone is None or less is None or watch.interrupted or less > WORTH * alone:
        return None
    return {"columns": [*made_up], "sample_rows": sample.n, "loss": alone, "loss_with_hierarchies": less}


def _suggested(made: Prepared, j: int, name: str) -> tuple[Hierarchy, Int64] | None:
    """Return the hierarchy that a column's values suggest, and the line of every value code in it."""
    engine, values, types = made.table.engine, made.types.values, made.types.types
    column = made.table.quasi_identifiers[j]
    with engine.guard("looking at the values of a column"):
        found = engine.fetch(first_types(engine, values, column.id))
    codes = types.codes[found.column("type").to_numpy(), j]
    by_code: list[str | None] = [None] * types.sizes[j]
    for code, value in zip(codes.tolist(), found.column("v").to_pylist(), strict=True):
        by_code[code] = value
    given = [value for value in by_code if value is not None]
    spec = propose(name, given).spec
    if spec is None:
        return None
    try:
        hierarchy = Hierarchy(lines=spec.lines(given, complete=True))
        hierarchy = hierarchy.completed([MISSING]) if len(given) < len(by_code) else hierarchy
    except PolicyError:
        return None
    place = {line[0]: i for i, line in enumerate(hierarchy.lines)}
    return hierarchy, np.array([place[MISSING if value is None else value] for value in by_code], np.int64)


# What a quick search loses on a sample of a table: cheap, and near enough to choose a policy by.
SECONDS = 5.0
VISITS = 100_000_000  # of the greedy: below a second


def quick_loss(problem: Problem, watch: Watch | None = None) -> float | None:
    """Return the share of the quasi-identifiers' cost that a quick search loses: 0 nothing, 1 all stars.

    None is returned where there is no such release, every cell is free, or the search did not end within five seconds.
    The watch can end the search, and hears nothing of it.
    """
    most = sum(int(level.cost[-1].max()) for level in problem.levels) * problem.types.n
    greedy = registry.load("solvers", "greedy")(visits=VISITS)
    quiet = WithDeadline((watch or Watch()).silent(), search_time() + SECONDS)
    try:
        cost = greedy.cost(problem, quiet) if most else None
    except Infeasible:
        return None
    # a search cut short says nothing of what is lost
    return None if cost is None or quiet.stopped else float(Fraction(cost, most))
