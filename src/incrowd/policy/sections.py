"""Under which heading a setting stands where there are many of them, such as in ``--help``."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["SECTIONS", "section_of"]

SECTIONS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "Roles of the columns": ("quasi_identifiers", "sensitive", "identifiers", "other", "numeric"),
        "What is promised": ("k", "l", "t", "require", "sensitive_distance", "outliers", "suppression_limit"),
        "What may change, and what it costs": (
            "hierarchies", "other_hierarchies", "complete_hierarchies", "recoding", "round", "max_stars", "keep",
            "together", "at_most_one", "never_together", "max_level", "patterns", "full_suppression", "cost", "weights",
        ),
        "What is written": (
            "output", "certificate", "report", "dry_run", "keep_best", "keep_order", "suppressed", "star",
            "spreadsheet_safe", "quiet_facts",
        ),
        "The search": (
            "solver", "time_limit", "gap", "work", "seed", "ties", "recursion", "reduce", "blunt", "memory",
            "types_in_memory", "engine",
        ),
        "How the table is read": ("header", "columns", "delimiter", "encoding", "na", "strip"),
    }
)  # fmt: skip
"""Names of settings by heading, in the order in which they are shown."""


def section_of(name: str) -> str | None:
    """Return the heading of a setting by the setting's own name, or None where it has none."""
    return next((title for title, names in SECTIONS.items() if name in names), None)
