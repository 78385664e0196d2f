"""Every figure of a release's usefulness, asked one after the other."""

from __future__ import annotations

import contextlib
import dataclasses
from typing import TYPE_CHECKING, Any

from incrowd.errors import InputError, PolicyError
from incrowd.progress import Watch
from incrowd.tables.usefulness.associations import associations
from incrowd.tables.usefulness.count_queries import count_errors
from incrowd.tables.usefulness.distinction import distinction
from incrowd.tables.usefulness.features import can_learn
from incrowd.tables.usefulness.prediction import prediction

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from incrowd.tables.usefulness.coded_tables import CodedTables

__all__ = ["MOST_QUERIES", "figures_of", "refuse_questions"]

MOST_QUERIES = 1_000_000
NO_LEARNING = "without scikit-learn (incrowd[usefulness]) no model was asked to tell the tables apart"
CUT_SHORT = "not all questions were asked: the limit of time or memory came first"


def figures_of(
    tables: CodedTables,
    *,
    seed: int,
    queries: int = 1000,
    target: str | None = None,
    models: bool = True,
    watch: Watch | None = None,
    timed: Callable[[str], AbstractContextManager[Any]] | None = None,
) -> dict[str, Any]:
    """Return what analysts would find in a release, beside what they would find in its original.

    These are names and numbers, never a cell. `seed` is that of all that is drawn, and `queries` the number of random
    counts, 1 to `MOST_QUERIES`. `target` is a column that a model is to predict, which needs scikit-learn; `models`
    says whether a model is asked to tell the tables apart.

    The time of `watch` is shared: half of it for counts, half of the rest for associations; models that were begun end.
    `timed` is called with the name of each stage, for a context that times it.
    """
    watch, timed = watch or Watch(), timed or contextlib.nullcontext
    notes = []
    counted = watch.share(0.5)
    with timed("counts"):
        counts = count_errors(tables, seed=seed, queries=queries, watch=counted)
    with timed("associations"):
        pairs = associations(tables, seed=seed, watch=watch.share(0.5))
    apart = predicted = None
    with timed("models"):
        if models and not can_learn():
            notes.append(NO_LEARNING)
        elif models and not watch.stopped and any(column.size > 1 for column in tables.columns):
            apart = distinction(tables, seed=seed)
        if target is not None:
            predicted = prediction(tables, target, seed=seed, watch=watch)
    if watch.stopped or (counted.stopped and counts.queries < queries):
        notes.append(CUT_SHORT)
    return {
        "rows": tables.n,
        "released_rows": int(tables.released_rows.sum()),
        "columns": [column.name for column in tables.columns],
        "counts": dataclasses.asdict(counts),
        "associations": {**dataclasses.asdict(pairs), "furthest": list(pairs.furthest)},
        "distinction": None if apart is None else dataclasses.asdict(apart),
        "prediction": None if predicted is None else dataclasses.asdict(predicted),
        "seed": seed,
        "notes": notes,
    }


def refuse_questions(target: str | None, queries: Any) -> None:
    """Refuse what cannot be asked of any release.

    `target` is the column that a model is to predict, and `queries` the number of random counts. Raises PolicyError or
    InputError if the counts are no number from 1 to `MOST_QUERIES`, or if a target is named without scikit-learn.
    """
    if isinstance(queries, bool) or not isinstance(queries, int) or not 1 <= queries <= MOST_QUERIES:
        raise PolicyError(f"queries must be a whole number from 1 to {MOST_QUERIES:,}, not {queries}")
    if target is not None and not can_learn():
        raise InputError("--target needs scikit-learn; install it with pip install '.[usefulness]'")
