"""What an audit of a table as it is found."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from incrowd.errors import count_of
from incrowd.policy.python_calls import lines_in_python
from incrowd.report.text.audit import audit_summary
from incrowd.tables.measures.risks import MEANINGS, risks_of, unique_rows

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from incrowd.tables.measures.class_table import AuditedClasses
    from incrowd.tables.table import Table


def audit_facts(table: Table, classes: AuditedClasses, *, outlier_rule: str) -> dict[str, Any]:
    """Return the facts that follow from the class sizes.

    They are the part of ``--json`` that the class sizes give: rows, k, unique rows, outliers and risks. The classes are
    those of the table's rows, and `outlier_rule` is ``forbid`` or ``suppress``.
    """
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
        """Prosecutor, journalist and marketer risk; ``facts["risk_meanings"]`` explains each."""
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
        """What pairs of quasi-identifiers give away, those that give away most first."""
        return list(self.facts["pairs"])

    def to_json(self) -> str:
        """Return the facts as JSON."""
        return json.dumps(self.facts, indent=2, ensure_ascii=False)

    def summary(self) -> str:
        """Return what was found, in words."""
        return lines_in_python(self.shell_summary())

    def shell_summary(self) -> str:
        """Return the summary in the words of the command line: options in place of keywords."""
        return audit_summary(self.facts)

    def report(self, path: str | Path) -> None:
        """Write the report: one HTML file, without script or request. It names columns and counts, never a value.

        Parameters
        ----------
        path : str or Path
            Of the HTML file.

        Raises
        ------
        InputError
            If it cannot be written.
        """
        from incrowd.report.pages.audit import audit_page
        from incrowd.report.pages.page import write_page

        write_page(audit_page({**self.facts, "policy": self.policy}), path)

    def _repr_html_(self) -> str:
        from incrowd.report.pages.audit import audit_card

        return audit_card(self.facts)
