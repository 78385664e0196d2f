"""Generalization hierarchies: what a value may be shown as between itself and a star."""

from incrowd.tables.hierarchy.builders import Dates, Intervals, Prefix
from incrowd.tables.hierarchy.specs import (
    Fitted,
    HierarchyFile,
    Spec,
    as_spec,
    option_text,
    plain_spec,
)
from incrowd.tables.hierarchy.values import Hierarchy

__all__ = [
    "Dates",
    "Fitted",
    "Hierarchy",
    "HierarchyFile",
    "Intervals",
    "Prefix",
    "Spec",
    "as_spec",
    "option_text",
    "plain_spec",
]
