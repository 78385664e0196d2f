"""The audit of a table as it is: how risky it would be to hand it out."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from incrowd import registry
from incrowd.errors import PolicyError
from incrowd.jobs.shares import FEWER, Clock, memory_kept
from incrowd.policy.document import shareable
from incrowd.policy.questions import star_of
from incrowd.progress import Watch
from incrowd.report.document import check_report
from incrowd.results.audit import AuditResult
from incrowd.results.release_facts import peak_mb
from incrowd.tables.engine.open import open_engine
from incrowd.tables.measures.audit import audit_columns, audit_models, audit_pairs, class_rows
from incrowd.tables.measures.context import kept_columns
from incrowd.tables.measures.nice_bins import size_bins
from incrowd.tables.measures.risks import MEANINGS, risks_of, unique_rows
from incrowd.tables.read import label_of, open_source, with_roles
from incrowd.version import __version__

if TYPE_CHECKING:
    from incrowd.policy.job import Job, Policy
    from incrowd.tables.roles import Roles
    from incrowd.tables.table import Opened


def audit(job: Job, watch: Watch | None = None) -> AuditResult:
    """Measure the classes and risks of a table and what its columns give away, and whether it meets the policy.

    `job` gives its source and policy: roles, how it is read, what is asked (``k``), the outlier rule and the star.
    Without quasi-identifiers every column but the identifiers and the sensitive ones is taken for one. The result holds
    names and numbers, and no cell. PolicyError or InputError says in one sentence what is wrong use or bad input; `Cut`
    is raised where the watch says stop. GROUP BYs in the engine: one over the rows, the others over the row types, one
    per column, per column left out and per pair, within a work limit. Memory beyond the engine's limit is spilled to a
    private folder.
    """
    clock = Clock(watch or Watch())
    policy = job.policy
    if job.report is not None:
        check_report(job.report, job.source)
    star = star_of(policy)
    with (
        memory_kept(job, clock.watch, ways=FEWER) as memory,
        open_engine(job.engine, memory.engine, job.source) as engine,
        engine.stoppable(clock.watch),
    ):
        with clock("read"):
            opened = open_source(engine, job.source, policy.reading, once=True)
            table = with_roles(engine, opened, roles_of(policy, opened), text=(), star=None)
            engine.forget(opened.data)
        with clock("classes"):
            classes = class_rows(table, star=star, outliers=policy.outliers)
            known = {name: registry.load("models", name) for name in registry.names("models")}
            alone = [] if policy.k is None else [known["k-anonymity"](k=policy.k)]
            models = audit_models(classes, [*known.values()], [*alone, *policy.requirements], table.roles.sensitive)
        with clock("columns"):
            columns, apart = audit_columns(classes, lambda **done: clock.watch.report("columns", **done))
            kept = kept_columns(table)
        with clock("pairs"):
            pairs = audit_pairs(classes, apart, lambda **done: clock.watch.report("pairs", **done))
        sizes = classes.sizes
    unique, counted = unique_rows(sizes), sizes.facts()
    result = AuditResult(
        rows=table.rows,
        quasi_identifiers=tuple(column.name for column in table.quasi_identifiers),
        classes=counted,
        k=counted["min"],
        unique_rows=unique,
        unique_fraction=unique / table.rows,
        outliers=sizes.outliers,
        outlier_rule=policy.outliers,
        risks=risks_of(sizes),
        risk_meanings=MEANINGS,
        class_sizes=size_bins(sizes.classes, 1),
        models=models,
        columns=columns,
        pairs=pairs,
        pairs_possible=len(columns) * (len(columns) - 1) // 2,
        kept_columns=kept,
        assumed_quasi_identifiers=not policy.quasi_identifiers,
        table=label_of(job.source).strip("'"),
        notes=list(table.notes),
        seconds=clock.report({}),
        peak_mb=peak_mb(),
        version=__version__,
        policy=shareable(policy),
    )
    if job.report is not None:
        result.report(job.report)
    return result


def roles_of(policy: Policy, opened: Opened) -> Roles:
    """Return the policy's roles; without quasi-identifiers every column of no other role is one.

    `opened` is the table, with the names of its columns. PolicyError is raised if none is named and none is left, or
    the names of the columns may be a row of data.
    """
    if policy.quasi_identifiers:
        other = policy.other if opened.quotable else "drop"  # their names may be a person's data
        return dataclasses.replace(policy.roles, numeric=(), other=other)
    if not opened.quotable:
        raise PolicyError(
            f"no quasi-identifiers are named, and the first line of {opened.label} looks like a row of data, so its "
            "fields are not repeated as names: name them as quasi_identifiers, or say header = false"
        )
    taken = {*policy.identifiers, *policy.all_sensitive}
    left = tuple(name for name in opened.names if name not in taken)
    if not left:
        raise PolicyError(f"every column of {opened.label} is an identifier or sensitive: name quasi_identifiers")
    assumed = dataclasses.replace(policy, quasi_identifiers=left, numeric=())
    return assumed.roles
