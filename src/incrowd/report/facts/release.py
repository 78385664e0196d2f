"""Facts of a release: one dict, from which JSON and the text summary are made. Names and counts, never a cell."""

from __future__ import annotations

import contextlib
import sys
from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.tables.user_units import in_units
from incrowd.tables.values import Advice
from incrowd.version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from incrowd.tables.measures.kept_columns import KeptColumn
    from incrowd.tables.table import Expanded
    from incrowd.tables.values import Problem, Solution
    from incrowd.tables.verdict import Verdict

__all__ = ["facts_of", "notes_by_kind", "number"]

MOST_PATTERNS = 1000


def number(value: Fraction) -> int | float:
    """Return a whole number as an int, any other as the nearest float.

    OverflowError is raised if it is no whole number and beyond the range of floats.
    """
    return int(value) if value.denominator == 1 else float(value)


def facts_of(
    *,
    expanded: Expanded,
    problem: Problem,
    solution: Solution,
    verdict: Verdict,
    measures: Mapping[str, Any],
    kept: Sequence[KeptColumn],
    mask: Sequence[str],
    settings: Mapping[str, Any],
    seconds: Mapping[str, float],
) -> dict[str, Any]:
    """Return the facts of a release.

    They are as in ``--json``: costs in the user's units, shares from 0 to 1, sizes in rows; at most 1000 patterns.
    `expanded`, `problem`, `solution` and `verdict` are what was made, asked, found and recounted, and `measures` are
    values by the measure's name. `mask` is the mask in words. `settings` are what was asked besides (``keep_order``,
    ``suppressed``, ``seed``, ...), and `seconds` are wall seconds per stage, with ``total``.
    """
    table = expanded.table
    cost = in_units(problem, solution.plan.cost(problem))
    bound = in_units(problem, solution.bound.value)
    checked = in_units(problem, min(solution.bound.checked, solution.bound.value))
    rows, m = table.rows, problem.types.m
    stars = _stars(problem, solution)
    facts: dict[str, Any] = {
        "rows": rows,
        "columns": len(table.columns),
        "quasi_identifiers": [c.name for c in table.quasi_identifiers],
        "row_types": problem.types.t,
        "k": problem.k,
        "requirements": [_required(line) for line in verdict.requirements],
        "k_anonymous": verdict.ok and not 0 < verdict.outliers < problem.k,
        "cost": number(cost),
        "suppressed_cells": int(stars.sum()),
        "changed_cells": int(measures["changed_cells"]["cells"]),
        "suppressed_fraction": int(stars.sum()) / (rows * m),
        "lower_bound": number(bound),
        "lower_bound_checked": number(checked),
        "gap": _gap(cost, bound),
        "optimal": cost == bound and not problem.gaps,
        "proof": solution.bound.proof,
        "status": solution.status,
        "solver": solution.solver,
        "outliers": verdict.outliers,
        "classes": {
            "count": verdict.classes,
            "min": verdict.smallest if verdict.classes else None,
            "mean": (rows - verdict.outliers) / verdict.classes if verdict.classes else None,
            "max": verdict.largest if verdict.classes else None,
        },
        "measures": dict(measures),
        "bound_method": solution.bound.method,
        "outlier_rule": problem.outliers,
        "fully_suppressed_rows": _full(problem, solution),
        "mask": list(mask),
        "patterns_allowed": problem.patterns.count(),
        "patterns_used": _used(table.roles.quasi_identifiers, problem, solution),
        "stars_per_column": [
            {"name": c.name, "suppressed": int(n), "fraction": int(n) / rows}
            for c, n in zip(table.quasi_identifiers, stars, strict=True)
        ],
        "levels_per_column": _levels(table.roles.quasi_identifiers, problem, solution),
        "kept_columns": [
            {"name": c.name, "role": c.role, "distinct": c.distinct, "nearly_unique": c.nearly_unique} for c in kept
        ],
        "dropped_identifiers": len(table.roles.identifiers),
        "notes": list(table.notes),
        **notes_by_kind(solution.notes),
        "seconds": {name: round(value, 4) for name, value in seconds.items()},
        "peak_mb": peak_mb(),
        **settings,
        "version": __version__,
    }
    for name, exact in (("cost", cost), ("lower_bound", bound)):
        if exact.denominator != 1:
            facts[f"{name}_exact"] = f"{exact.numerator}/{exact.denominator}"
    return facts


def notes_by_kind(notes: Sequence[str]) -> dict[str, list[str]]:
    """Return the notes of a solver by kind: its own words, and advice that everybody should read.

    An `Advice` among the notes is advice, and any other text is the solver's own words. The keys are ``solver_notes``
    and ``advice``, each a list in the order given.
    """
    told: dict[str, list[str]] = {"solver_notes": [], "advice": []}
    for note in notes:
        told["advice" if isinstance(note, Advice) else "solver_notes"].append(str(note))
    return told


def _required(line: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a model reached, and as a fraction too where no float is exact."""
    reached = line["reached"]
    if not isinstance(reached, Fraction):
        return dict(line)
    told = number(reached)
    exact = Fraction(repr(told)) == reached
    return {**line, "reached": told} | (
        {} if exact else {"reached_exact": f"{reached.numerator}/{reached.denominator}"}
    )


def _gap(cost: Fraction, bound: Fraction) -> float | None:
    if cost == bound:
        return 0.0
    return float((cost - bound) / bound) if bound > 0 else None


def _stars(problem: Problem, solution: Solution) -> np.ndarray:
    """Return the stars per quasi-identifier."""
    top = np.array(problem.top, np.int8)
    starred = (solution.plan.levels == top) & (top > 0)
    return np.asarray(starred.T.astype(np.int64) @ solution.plan.sizes())


def _levels(names: Sequence[str], problem: Problem, solution: Solution) -> list[dict[str, Any]]:
    """Return per quasi-identifier the rows at level 0, 1, ... up to the top."""
    sizes = solution.plan.sizes()
    told = []
    for j, (name, top) in enumerate(zip(names, problem.top, strict=True)):
        rows = np.bincount(solution.plan.levels[:, j], weights=sizes, minlength=int(top) + 1)
        told.append({"name": name, "rows": rows.astype(np.int64).tolist()})
    return told


def _full(problem: Problem, solution: Solution) -> int:
    full = (solution.plan.levels == np.array(problem.top, np.int8)).all(axis=1)
    return int(solution.plan.sizes()[full].sum())


def _used(names: Sequence[str], problem: Problem, solution: Solution) -> list[dict[str, Any]]:
    """Return the patterns in use by falling number of rows: levels of the changed columns, rows and classes."""
    rows: Counter[tuple[int, ...]] = Counter()
    groups: Counter[tuple[int, ...]] = Counter()
    for vector, size, classes in zip(*solution.plan.by_pattern(), strict=True):
        rows[vector] += size
        groups[vector] += classes
    order = sorted(rows, key=lambda vector: (-rows[vector], vector))[:MOST_PATTERNS]
    return [
        {
            "levels": {name: level for name, level in zip(names, vector, strict=True) if level},
            "rows": rows[vector],
            "classes": groups[vector],
        }
        for vector in order
    ]


def peak_mb() -> float | None:
    """Return the most memory this process has held so far, in MB (None where the system does not report it)."""
    with contextlib.suppress(ImportError):
        import resource

        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return round(peak / (1e6 if sys.platform == "darwin" else 1024), 1)
    return None
