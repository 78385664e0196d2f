"""The keys of a policy beside the fields' own names: the words of a mask, other names, and where what is written.

A key is the name of the command line's option with underscores, in keywords and in policy files.
"""

from __future__ import annotations

from incrowd.settings import Setting

__all__ = ["ALIASES", "APART", "DEFAULT_COST", "MASK_SETTINGS", "PATHS"]

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
PATHS = ("source", "output", "certificate", "report")  # of a job's own keys: written from the policy file's folder
