"""How useful a release still is, from the two tables alone."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.errors import InputError, PolicyError
from incrowd.jobs.clock import Clock
from incrowd.jobs.memory_share import memory_kept
from incrowd.jobs.verify import opened_pair, refuse_cut_off
from incrowd.progress import Watch
from incrowd.report.facts.release import peak_mb
from incrowd.results.usefulness import Usefulness
from incrowd.tables.engine.open import open_engine
from incrowd.tables.read import label_of
from incrowd.tables.usefulness.associations import associations
from incrowd.tables.usefulness.coded_tables import CodedTables, coded_column, coded_rows
from incrowd.tables.usefulness.count_queries import count_errors
from incrowd.tables.usefulness.distinction import distinction
from incrowd.tables.usefulness.features import can_learn
from incrowd.tables.usefulness.prediction import prediction
from incrowd.tables.verify.release.common_coding import alike
from incrowd.tables.verify.release.range_labels import read_labels
from incrowd.version import __version__

if TYPE_CHECKING:
    from incrowd.jobs.prepare import FittedPolicy
    from incrowd.policy.job import Job
    from incrowd.tables.engine.base import Engine
    from incrowd.tables.table import Opened
    from incrowd.tables.values import Int64

__all__ = ["usefulness"]

NO_LEARNING = "without scikit-learn (incrowd[usefulness]) no model was asked to tell the tables apart"


def usefulness(original: Any, released: Any, job: Job, *, target: str | None = None, queries: int = 1000) -> Usefulness:
    """Hold what analysts would find in a release against what they would find in the original.

    Parameters
    ----------
    original, released : path, frame or Arrow table
        `original` is read as the policy says, `released` as `incrowd` writes it.
    job : Job
        Its policy says which columns changed and how; its seed draws the queries. The limit of a search is
        none here.
    target : str, optional
        Column that a model is to predict.
    queries : int
        Random counts that are asked.

    Returns
    -------
    Usefulness

    Raises
    ------
    IncrowdError
        If a table cannot be read, the release shows texts that the policy does not explain, a column is missing, or
        a target is named without scikit-learn.

    Notes
    -----
    One GROUP BY over each table; what is kept grows with the distinct rows of the quasi-identifiers and sensitive
    columns, 4 bytes a column.
    """
    if not 1 <= queries <= 1_000_000:
        raise PolicyError(f"queries must be a whole number from 1 to 1,000,000, not {queries}")
    if target is not None and not can_learn():
        raise InputError("--target needs scikit-learn; install it with pip install '.[usefulness]'")
    refuse_cut_off(released)
    clock = Clock(Watch())
    with (
        memory_kept(job, clock.watch, original, released) as memory,
        open_engine(job.engine, memory.engine, original, released) as engine,
        clock("read"),
    ):
        before, after, fitted = opened_pair(engine, original, released, job)
        tables = _tables(engine, before, after, fitted, target)
    seed = job.seed or 0
    notes = []
    with clock("counts"):
        counts = count_errors(tables, seed=seed, queries=queries, watch=clock.watch)
    with clock("associations"):
        pairs = associations(tables, seed=seed, watch=clock.watch)
    apart = predicted = None
    with clock("models"):
        if not can_learn():
            notes.append(NO_LEARNING)
        elif any(column.size > 1 for column in tables.columns):
            apart = distinction(tables, seed=seed)
        if target is not None:
            predicted = prediction(tables, target, seed=seed, watch=clock.watch)
    facts = {
        "original": label_of(original).strip("'"),
        "release": label_of(released).strip("'"),
        "rows": tables.n,
        "released_rows": int(tables.released_rows.sum()),
        "columns": [column.name for column in tables.columns],
        "counts": dataclasses.asdict(counts),
        "associations": {**dataclasses.asdict(pairs), "furthest": list(pairs.furthest)},
        "distinction": None if apart is None else dataclasses.asdict(apart),
        "prediction": None if predicted is None else dataclasses.asdict(predicted),
        "seed": seed,
        "notes": notes,
        "seconds": clock.report({}),
        "peak_mb": peak_mb(),
        "version": __version__,
    }
    return Usefulness(facts)


def _tables(engine: Engine, before: Opened, after: Opened, fitted: FittedPolicy, target: str | None) -> CodedTables:
    """Return both tables coded, with their quasi-identifiers, their sensitive columns and the target."""
    policy = fitted.policy
    roles = policy.roles
    kept = [name for name in roles.kept(before.names) if name not in roles.quasi_identifiers]
    if target is not None and target not in (*roles.quasi_identifiers, *kept):
        raise InputError(f"column {target!r}, named with --target, is not in the release of {before.label}")
    missing = [name for name in (*roles.quasi_identifiers, *kept) if name not in after.names]
    if missing:
        raise InputError(f"{after.label} has no column {missing[0]!r}, which {before.label} has; is it its release?")
    coding = alike(before, after, roles, engine, text=fitted.text, star=fitted.star)
    asked = {*roles.sensitive, *fitted.judged, *([] if target is None else [target])}
    names = {f"q{j}": name for j, name in enumerate(roles.quasi_identifiers)}
    names |= {f"o{j}": name for j, name in enumerate(coding.others) if name in asked}
    with engine.guard("counting the rows of both tables"):
        read = []
        for table in (coding.original, coding.released):
            texts = table.select(**{short: engine.text(table[short]) for short in names})
            grouped = texts.group_by(list(names)).aggregate(n=lambda r: r.count().cast("int64"))
            read.append(coded_rows(engine.fetch(grouped), list(names)))
    (codes, rows, values), (shown, counts, labels) = read
    columns = []
    for j, name in enumerate(names.values()):
        ranges: dict[str | None, Int64] | None = None
        changing = name in fitted.policy.quasi_identifiers
        if changing and fitted.recoding.name == "ranges":
            reading = read_labels(values[j], labels[j], name)
            ends = np.cumsum(np.bincount(reading.label, minlength=len(reading.labels)))
            # pairs of a label stand together
            ranges = dict(zip(reading.labels, np.split(reading.value, ends[:-1]), strict=False))
        columns.append(coded_column(
            name, values[j], labels[j], changing=changing, star=fitted.star, fitted=fitted.hierarchies.get(name),
            ranges=ranges,
        ))  # fmt: skip
    return CodedTables(tuple(columns), codes, rows, shown, counts)
