"""The keys of a policy beside the fields' own names: the words of a mask, other names, and where what is written.

A key is the name of the command line's option with underscores, in keywords and in policy files.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from incrowd.settings import Setting

if TYPE_CHECKING:
    from collections.abc import Mapping

DEFAULT_COST = "leaves"

MASK_SETTINGS: dict[str, Setting] = {
    "max_stars": Setting(help="at most this many stars in a row", shape="integer", least=0, metavar="N"),
    "keep": Setting(help="columns that are never changed", shape="list", metavar="a,b"),
    "together": Setting(help="columns that change together or not at all", shape="groups", metavar="a,b"),
    "at_most_one": Setting(help="columns of which at most one changes in a row", shape="groups", metavar="a,b,c"),
    "never_together": Setting(help="columns that never all change in one row", shape="groups", metavar="a,b"),
    "max_level": Setting(help="highest level a column may reach", shape="levels", metavar="a=N"),
    "patterns": Setting(
        help="the allowed patterns themselves, one a time: the columns that become stars", shape="groups",
        option="--pattern", metavar="a,b",
    ),
    "full_suppression": Setting(
        help="whether a row may be fully suppressed whatever the other rules say", shape="flag",
        off_option="--no-full-suppression", off_help="take full suppression out of the mask",
    ),
}  # fmt: skip

ALIASES = {
    "qi": "quasi_identifiers",
    "identifier": "identifiers",
    "requirements": "require",
    "weight": "weights",
    "hierarchy": "hierarchies",
    "pattern": "patterns",
}

APART = ("weights", "hierarchies", "require", "sensitive_distance")  # of the policy's own keys: tables in a file
# of a job's own keys: written from the policy file's folder
PATHS = ("source", "output", "certificate", "report", "save_policy")


# Under which heading a setting stands where there are many of them, such as in ``--help``.
SECTIONS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "Roles of the columns": ("quasi_identifiers", "sensitive", "identifiers", "other", "numeric"),
        "What is promised": ("k", "l", "t", "require", "sensitive_distance", "outliers", "suppression_limit"),
        "What may change, and what it costs": (
            "hierarchies", "other_hierarchies", "complete_hierarchies", "recoding", "round", "max_stars", "keep",
            "together", "at_most_one", "never_together", "max_level", "patterns", "full_suppression", "cost", "weights",
        ),
        "What is written": (
            "output", "certificate", "report", "save_policy", "dry_run", "keep_best", "keep_order", "suppressed",
            "star", "spreadsheet_safe", "quiet_facts",
        ),
        "The search": (
            "solver", "time_limit", "gap", "work", "seed", "blunt", "memory",
            "types_in_memory", "engine",
        ),
        "How the table is read": ("header", "columns", "delimiter", "encoding", "na", "strip"),
    }
)  # fmt: skip
"""Names of settings by heading, in the order in which they are shown."""


def section_of(name: str) -> str | None:
    """Return the heading of a setting by the setting's own name, or None where it has none."""
    return next((title for title, names in SECTIONS.items() if name in names), None)
