"""The audit of a table as it is: how risky it would be to hand it out."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from incrowd import registry
from incrowd.errors import PolicyError, count_of
from incrowd.jobs import stages
from incrowd.jobs.flow import Clock
from incrowd.policy.toml import shareable
from incrowd.progress import Watch
from incrowd.report.facts.release import peak_mb
from incrowd.report.pages.html import check_report
from incrowd.report.text.audit import audit_summary
from incrowd.tables.engine.open import open_engine
from incrowd.tables.measures.audit import audit_columns, audit_models, audit_pairs
from incrowd.tables.measures.class_table import group_rows
from incrowd.tables.measures.kept_columns import kept_columns
from incrowd.tables.measures.nice_bins import size_bins
from incrowd.tables.measures.risks import MEANINGS, risks_of, unique_rows
from incrowd.tables.read import label_of, open_source, with_roles
from incrowd.version import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from incrowd.policy.job import Job, Policy
    from incrowd.tables.measures.class_table import AuditedClasses
    from incrowd.tables.roles import Roles
    from incrowd.tables.table import Opened, Table

__all__ = ["AuditResult", "audit"]


def audit(job: Job, watch: Watch | None = None) -> AuditResult:
    """Measure the classes, risks and most telling columns of a table, and whether it meets what is asked.

    Parameters
    ----------
    job : Job
        Its source and policy: roles, how it is read, what is asked (``k``), the outlier rule and the star.
        Without quasi-identifiers every column but the identifiers and the sensitive ones is taken for one.
    watch : Watch, optional
        Hears events.

    Returns
    -------
    AuditResult
        Names and numbers; no cell.

    Raises
    ------
    PolicyError, InputError
        Wrong use or bad input, in one sentence.

    Notes
    -----
    GROUP BYs in the engine: one over the rows, the others over the row types, one per column, per column left
    out and per pair, within a work limit. Memory beyond the engine's limit is spilled to a private folder.
    """
    clock = Clock(watch or Watch())
    policy = job.policy
    if job.report is not None:
        check_report(job.report, job.source)
    star = stages.star_of(policy)
    with open_engine(job.engine, job.memory, job.source) as engine:
        with clock("read"):
            opened = open_source(engine, job.source, policy.reading, once=True)
            table = with_roles(engine, opened, roles_of(policy, opened), text=(), star=None)
            engine.forget(opened.data)
        with clock("classes"):
            classes = group_rows(table, star=star, outliers=policy.outliers)
            models = audit_models(classes, known_models(), asked_of(policy), table.roles.sensitive)
        with clock("columns"):
            columns, apart = audit_columns(classes, star, lambda **done: clock.watch.tell("columns", **done))
            kept = kept_columns(table)
        with clock("pairs"):
            pairs = audit_pairs(classes, apart, lambda **done: clock.watch.tell("pairs", **done))
        facts = facts_of(table, classes, outlier_rule=policy.outliers)
        facts["class_sizes"] = size_bins(classes.sizes.classes, 1)
    m = len(columns)
    facts |= {
        "models": models,
        "columns": columns,
        "pairs": pairs,
        "pairs_possible": m * (m - 1) // 2,
        "kept_columns": [dataclasses.asdict(column) for column in kept],
        "assumed_quasi_identifiers": not policy.quasi_identifiers,
        "table": label_of(job.source).strip("'"),
        "notes": list(table.notes),
        "seconds": clock.report({}),
        "peak_mb": peak_mb(),
        "version": __version__,
    }
    result = AuditResult(facts, shareable(policy))
    if job.report is not None:
        result.report(job.report)
    return result


def roles_of(policy: Policy, opened: Opened) -> Roles:
    """Return the policy's roles; without quasi-identifiers every column of no other role is one."""
    if policy.quasi_identifiers:
        other = policy.other if opened.quotable else "drop"  # their names may be a person's data
        return dataclasses.replace(policy.roles, numeric=(), other=other)
    if not opened.quotable:
        raise PolicyError(
            f"no quasi-identifiers are named, and the first line of {opened.label} looks like a row of data, so its "
            "fields are not repeated as names: name them with --qi, or say --no-header"
        )
    taken = {*policy.identifiers, *policy.all_sensitive}
    left = tuple(name for name in opened.names if name not in taken)
    if not left:
        raise PolicyError(
            f"every column of {opened.label} is an identifier or sensitive: name quasi-identifiers (--qi)"
        )
    assumed = dataclasses.replace(policy, quasi_identifiers=left, numeric=())
    return assumed.roles


def known_models() -> list[type]:
    """Return the registered models."""
    return [registry.load("models", name) for name in registry.names("models")]


def asked_of(policy: Policy) -> list[Any]:
    """Return the models the table is held to."""
    alone = [] if policy.k is None else [registry.load("models", "k-anonymity")(k=policy.k)]
    return [*alone, *policy.requirements]


def facts_of(table: Table, classes: AuditedClasses, *, outlier_rule: str) -> dict[str, Any]:
    """Return what the classes alone say."""
    sizes = classes.sizes
    unique = unique_rows(sizes)
    some = bool(sizes.classes)
    return {
        "rows": table.rows,
        "quasi_identifiers": [c.name for c in table.quasi_identifiers],
        "classes": {
            "count": sizes.count,
            "min": sizes.classes[0][0] if some else None,
            "mean": sizes.rows / sizes.count if some else None,
            "max": sizes.classes[-1][0] if some else None,
        },
        "k": sizes.classes[0][0] if some else None,
        "unique_rows": unique,
        "unique_fraction": unique / table.rows,
        "outliers": sizes.outliers,
        "outlier_rule": outlier_rule,
        "risks": risks_of(sizes),
        "risk_meanings": MEANINGS,
    }


@dataclass(frozen=True, slots=True)
class AuditResult:
    """What an audit found.

    Attributes
    ----------
    facts : dict
        Everything, as in ``--json``: names and numbers, never a cell.
    policy : str
        What was asked, as a policy file for a reader elsewhere.
    """

    facts: dict[str, Any]
    policy: str = ""

    def __repr__(self) -> str:
        asked = any(model["asked"] is not None for model in self.models)
        verdict = "nothing was asked" if not asked else f"{'meets' if self.ok else 'does NOT meet'} what was asked"
        unique = count_of(self.unique_rows, "unique row")
        return f"<Audit of {count_of(self.rows, 'row')}: k={self.k}, {unique}, {verdict}>"

    @property
    def ok(self) -> bool:
        """Whether the table meets everything that was asked (also where nothing was)."""
        return all(model["ok"] is not False for model in self.models)

    @property
    def rows(self) -> int:
        """Rows of the table."""
        return int(self.facts["rows"])

    @property
    def quasi_identifiers(self) -> tuple[str, ...]:
        """Columns the attacker is taken to know."""
        return tuple(self.facts["quasi_identifiers"])

    @property
    def classes(self) -> dict[str, Any]:
        """Classes of rows that look alike: count, min, mean and max size in rows."""
        return dict(self.facts["classes"])

    @property
    def k(self) -> int | None:
        """Size of the smallest class (None: every row is an outlier)."""
        return self.facts["k"]  # type: ignore[no-any-return]

    @property
    def unique_rows(self) -> int:
        """Rows that are alone in their class."""
        return int(self.facts["unique_rows"])

    @property
    def unique_fraction(self) -> float:
        """Their share of all rows."""
        return float(self.facts["unique_fraction"])

    @property
    def risks(self) -> dict[str, Any]:
        """Prosecutor, journalist and marketer risk; ``facts["risk_meanings"]`` says what each is."""
        return dict(self.facts["risks"])

    @property
    def models(self) -> Sequence[dict[str, Any]]:
        """Per model and sensitive column the threshold reached, and whether it is what was asked."""
        return list(self.facts["models"])

    @property
    def columns(self) -> Sequence[dict[str, Any]]:
        """What each quasi-identifier gives away."""
        return list(self.facts["columns"])

    @property
    def pairs(self) -> Sequence[dict[str, Any]]:
        """What pairs of quasi-identifiers give away, the most telling first."""
        return list(self.facts["pairs"])

    def to_json(self) -> str:
        """Return the facts as JSON."""
        return json.dumps(self.facts, indent=2, ensure_ascii=False)

    def summary(self) -> str:
        """Return what was found, in words."""
        return audit_summary(self.facts)

    def report(self, path: str | Path) -> None:
        """Write the report: one HTML file, without script or request. It names columns and counts, never a value."""
        from incrowd.report.pages.audit import audit_page
        from incrowd.report.pages.html import write_page

        write_page(audit_page({**self.facts, "policy": self.policy}), path)

    def _repr_html_(self) -> str:
        from incrowd.report.pages.audit import audit_card

        return audit_card(self.facts)
