"""What a report shows beyond the facts of ``--json``: aggregates of a release, computed when a report is made."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.tables.measures import ClassSizes, MeasureContext, class_sizes
from incrowd.tables.measures.nice_bins import size_bins
from incrowd.tables.measures.risks import risks_of, unique_rows
from incrowd.tables.measures.shown_values import shown_values
from incrowd.tables.recoding import load_recoding

if TYPE_CHECKING:
    from collections.abc import Mapping

    from incrowd.tables.table import Expanded
    from incrowd.tables.values import Problem, RowTypes

__all__ = ["details_of"]

UNASKED = 5  # rows that must show a value before a report names it, where k is 1 and says nothing


def details_of(expanded: Expanded, problem: Problem, facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the details of a release.

    The engine of `expanded` is still open, and `facts` are as `incrowd.report.facts.release.facts_of` returns them. The
    details are ``class_sizes``: classes and rows by class size; ``columns_after``: what each quasi-identifier shows,
    values named where at least k rows of the release show them (5 for k = 1); ``before``: the risks of the original,
    shares rounded to whole percents; ``levels_top``: the level of a star by column (2 where cells show ranges, whose
    level 1 may be either); ``least_shown``: that k or 5.

    They are aggregates in the engine over the parts of the release (and, with hierarchies, one GROUP BY per column over
    its rows); what leaves the engine grows with neither.
    """
    context = MeasureContext.of(problem)
    sizes = class_sizes(expanded, context)
    least = problem.k if problem.k > 1 else UNASKED
    recoding = load_recoding(facts.get("recoding", "levels"))
    columns = shown_values(expanded, context, least=least, ranges=not recoding.levels_name_stars)
    return {
        "class_sizes": size_bins(sizes.classes, problem.k),
        "columns_after": [dataclasses.asdict(column) for column in columns],
        "before": _before(problem.types),
        "levels_top": dict(zip(facts["quasi_identifiers"], recoding.star_levels(problem), strict=True)),
        "least_shown": least,
    }


def _before(types: RowTypes) -> dict[str, Any]:
    """Return how risky the original is, in whole percents: exact counts beside the release's would reveal too much."""
    differs = np.ones(types.t, bool)
    differs[1:] = (types.codes[1:] != types.codes[:-1]).any(axis=1)  # equal codes stand side by side
    alike = np.add.reduceat(types.counts, np.flatnonzero(differs)) if types.t else types.counts
    size, times = np.unique(alike, return_counts=True)
    sizes = ClassSizes(tuple(zip(size.tolist(), times.tolist(), strict=True)), 0)
    risks = risks_of(sizes)
    return {
        "unique_percent": _percent(unique_rows(sizes) / types.n),
        "prosecutor_percent": _percent(risks["prosecutor"]),
        "prosecutor_mean_percent": _percent(risks["prosecutor_mean"]),
        "above": [{"threshold": a["threshold"], "percent": _percent(a["fraction"])} for a in risks["above"]],
    }


def _percent(share: float | None) -> int:
    """Return a share in whole percents; 0 and 100 mean none and all, and what is not quite that becomes 1 or 99."""
    if share is None:
        return 0
    return 0 if share == 0 else 100 if share == 1 else min(99, max(1, round(100 * share)))
