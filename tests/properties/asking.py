"""A drawn question put to the library through its door, and its answer held against the oracle."""

from __future__ import annotations

import pyarrow as pa

import incrowd
from incrowd.errors import Infeasible, SolverDeclined
from incrowd.jobs.row_types import REFUTED
from incrowd.progress import Reached

EXACT = ("exact", "ilp", "two_phase", "subset_dp", "chain", "matching", "matching_textbook", "matching_local")
SOLVERS = (
    "greedy", "matching", "improve", "exact", "ilp", "two_phase", "subset_dp", "chain", "approximation", "instance_cover",
    "ball_cover", "forest", "mondrian", "lattice", "ranges", "matching_local", "matching_textbook",
)  # fmt: skip


def table_of(asked):
    """The table of a question."""
    columns = zip(*asked.rows, strict=True)
    return pa.table({name: pa.array(cells, pa.string()) for name, cells in zip(asked.columns, columns, strict=True)})


def policy_of(asked):
    """Its policy, with its hierarchies."""
    if not asked.lines:
        return dict(asked.said)
    made = {}
    for name, lines in asked.lines.items():
        own = asked.own.get(name)
        costs = {}
        if own is not None:
            costs = {"level_costs": own[1:]} if isinstance(own, list) else {"node_costs": own}
        made[name] = incrowd.Hierarchy(lines=lines, **costs)
    return {**asked.said, "hierarchies": made}


def ask(asked, solver="auto", **options):
    """The release of a question by a solver; no bound that was told meanwhile is above what it costs, and no cost below.

    But for what is done to a release afterwards: it may be blunted.
    """
    told = Reached()
    release = incrowd.anonymize(
        table_of(asked), solver=solver, **{"on_event": told.take, **policy_of(asked), **options}
    )
    assert told.bound is None or told.units(told.bound) <= release.exact_cost
    if told.cost is not None and "blunt" not in {*asked.said, *options}:
        assert told.units(told.cost) >= release.exact_cost
    assert REFUTED not in release.facts["notes"]
    return release


def rows_of(table):
    """The names and rows of a table."""
    return table.column_names, [tuple(row.values()) for row in table.to_pylist()]


def gapped(asked, in_engine=False):
    """Whether a class of stars and missing values is not looked for: where the mask does not allow more stars there."""
    gaps = {j for cells in asked.cells for j, cell in enumerate(cells) if cell is None} if asked.null else ()
    plain = {*range(len(asked.heights))} - {*gaps}
    alone = asked.suppress and any(all(vector[j] for j in plain) for vector in asked.vectors)
    starred = [j for j in gaps if alone or any(vector[j] for vector in asked.vectors)]
    more = {(*vector[:j], 1, *vector[j + 1 :]) for vector in asked.vectors for j in starred}
    return not more <= set(asked.vectors) or bool(gaps and in_engine)


def held(asked, release):
    """Hold what a release says of itself against its rows; return its cost."""
    cost, sizes, outliers = asked.judged(*rows_of(release.table))
    if asked.null:  # a missing cell of the release may be shown as it is or starred; what is told is one such reading
        gaps = sum(asked.weight(j) for row in asked.cells for j, cell in enumerate(row) if cell is None)
        assert cost <= release.exact_cost <= cost + gaps
        cost = release.exact_cost
    assert release.exact_cost == cost
    facts = release.facts
    assert facts["outliers"] == outliers
    assert facts["classes"]["count"] == len(sizes)
    if sizes:
        told = facts["classes"]
        assert (told["min"], told["max"], told["mean"]) == (sizes[0], sizes[-1], sum(sizes) / len(sizes))
    assert release.exact_lower_bound <= cost
    proven = release.exact_lower_bound == cost and not gapped(asked, "types_in_engine" in release.facts)
    assert release.optimal == (release.status == "optimal") == proven
    return cost


def answered(asked, solver, least, *, proves=None, **options):
    """Put a question to a solver, and hold its answer against the least cost (None: there is no release).

    `proves`: whether it has to find the least, by default what its name promises. Returns the release, or None where the
    solver declines, or finds none that is not there.
    """
    try:
        release = ask(asked, solver, **options)
    except SolverDeclined:
        return None
    except Infeasible as error:
        if proves is not False and (solver in EXACT or solver == "auto") and not gapped(asked):
            assert least is None, "a release was not found"
        assert least is None or not error.proven, "a release was said not to exist"
        return None
    assert least is not None, "a release was made where there is none"
    cost = held(asked, release)
    assert release.exact_lower_bound <= least <= cost
    if proves is None:
        proves = solver in EXACT and not gapped(asked)
    if proves:
        assert cost == least
    return release
