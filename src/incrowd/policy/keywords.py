"""Every keyword of `incrowd.anonymize` and its kin with its type, for editors and type checkers.

Written by `make docs` from the settings; a test fails where it is out of date.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypedDict

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction
    from pathlib import Path

    from incrowd.tables.hierarchy import Spec
    from incrowd.tables.mask import PatternMask

    Number = Fraction | float | str

__all__ = ["CheckKeywords", "Keywords"]


class CheckKeywords(TypedDict, total=False):
    """The settings of a job, none of them needed: what a policy or a default says holds where one is left out."""

    quasi_identifiers: Sequence[str] | str
    """Columns an attacker may know; only these are changed."""

    sensitive: Sequence[str] | str
    """Columns whose values must not be learned."""

    identifiers: Sequence[str] | str
    """Columns that name a person; they never reach the release."""

    other: Literal["keep", "drop"]
    """What happens to columns without a role."""

    numeric: Sequence[str] | str
    """Quasi-identifiers whose values are numbers."""

    k: int | None
    """Every row looks like at least k-1 others."""

    l: Number | None  # noqa: E741
    """No value of a sensitive column in more than 1/l of a class, for each of them."""

    t: Number | None
    """Values of each sensitive column spread in every class as in the table, up to a distance of t."""

    require: Sequence[Any] | str
    """A model that every class has to meet, its columns are sensitive."""

    sensitive_distance: Mapping[str, str]
    """How far apart values are for t: equal, ordered, numeric, hierarchical:FILE, or FILE.csv with a matrix."""

    mask: PatternMask | Mapping[str, Any]
    """Which combinations of columns may change, as a whole."""

    max_stars: int | None
    """At most this many stars in a row."""

    keep: Sequence[str] | str
    """Columns that are never changed."""

    together: Sequence[Sequence[str]] | Sequence[str] | str
    """Columns that change together or not at all."""

    at_most_one: Sequence[Sequence[str]] | Sequence[str] | str
    """Columns of which at most one changes in a row."""

    never_together: Sequence[Sequence[str]] | Sequence[str] | str
    """Columns that never all change in one row."""

    max_level: Mapping[str, int]
    """Highest level a column may reach."""

    patterns: Sequence[Sequence[str]] | Sequence[str] | str
    """The allowed patterns themselves, one a time: the columns that become stars."""

    full_suppression: bool | None
    """Whether a row may be fully suppressed whatever the other rules say."""

    weights: Mapping[str, Number]
    """What a star costs in a column (default 1)."""

    cost: str
    """What a changed cell costs, before its column's weight (workload:FILE: by the queries of a file)."""

    hierarchies: Mapping[str, Spec | Path | str | Mapping[str, Any]]
    """What a column may be generalized to: ARX's CSV, or intervals:5,10,20 (with 90+ an open top), dates,
    prefix."""

    other_hierarchies: Literal["none", "auto"]
    """What quasi-identifiers without a hierarchy get: none, or auto: one by their values, as --hierarchies auto."""

    complete_hierarchies: bool | None
    """Put values that a hierarchy lacks, or that are no numbers or dates, under its root, instead of refusing
    them."""

    recoding: Literal["levels", "ranges", "grid", "global"]
    """What a changed cell shows: its hierarchy's label or a star; numbers as the range of their class (ranges, with
    solver mondrian); numbers and dates as ranges between the lines of a grid (grid); or one level a column for the
    whole table, with rows that fail there suppressed (global)."""

    round: Number | None
    """With --recoding grid: ranges end at multiples of this (days for dates); default: chosen from the table."""

    suppression_limit: Number | None
    """Share of the rows that may be fully suppressed at most."""

    outliers: Literal["forbid", "suppress"]
    """Whether fully suppressed rows need a crowd too (forbid) or may be fewer than k (suppress)."""

    suppressed: Literal["text", "null"]
    """How a suppressed cell is written: as the star text, or as NULL."""

    star: str | None
    """The text of a suppressed cell."""

    header: bool | None
    """Whether the first line names the columns (default: it does, unless it looks like data)."""

    columns: Sequence[str] | str
    """Names of all columns, in order."""

    delimiter: str | None
    """The character between fields (default: detected)."""

    encoding: str | None
    """The file's encoding."""

    na: Sequence[str] | str
    """A text that stands for a missing value, beside the empty field."""

    strip: bool | None
    """Strip blanks around fields."""

    output: Path | str | None
    """Where the release goes (-: standard output)."""

    report: Path | str | None
    """Where the report goes, one HTML file."""

    save_policy: Path | str | None
    """Where the policy goes as it was asked, for `incrowd verify --policy` and others."""

    solver: str
    """Auto, exact or the name of a solver, its own options behind it (greedy:ties=first)."""

    time_limit: float | None
    """Limit on solving and bounding."""

    gap: float | None
    """Stop when the relative gap to the bound is at most this."""

    work: int | None
    """Limit on solving in moves instead of seconds, for equal results everywhere."""

    seed: int | None
    """Decides which of equal rows get which pattern."""

    blunt: int | None
    """A release at random (never by --seed), at most 1, 3 or 10 % dearer: a cheapest one rules values out."""

    quiet_facts: bool | None
    """For recipients: leave out cost, bound, gap, solver and status."""

    keep_order: bool | None
    """Keep the input's row order (a risk: rows can be joined by position)."""

    spreadsheet_safe: bool | None
    """In CSV, ' before texts that a spreadsheet would run as formulas."""

    keep_best: bool | None
    """When interrupted, write the best release so far."""

    dry_run: bool | None
    """Do everything but write."""

    memory: str | None
    """Limit on what the whole process holds, tables, search and libraries together."""

    types_in_memory: int | None
    """Row types solved in memory at most (default: what fits)."""

    engine: Literal["duckdb", "spark"]
    """The table engine; spark needs PySpark 4.0 (the extra spark) and Java."""

    qi: Sequence[str] | str
    """The same as ``quasi_identifiers``."""

    identifier: Sequence[str] | str
    """The same as ``identifiers``."""

    requirements: Sequence[Any] | str
    """The same as ``require``."""

    weight: Mapping[str, Number]
    """The same as ``weights``."""

    hierarchy: Mapping[str, Spec | Path | str | Mapping[str, Any]]
    """The same as ``hierarchies``."""

    pattern: Sequence[Sequence[str]] | Sequence[str] | str
    """The same as ``patterns``."""


class Keywords(CheckKeywords, total=False):
    """The same, with the certificate that a job writes; a check reads one instead."""

    certificate: Path | str | None
    """Where what proves the lower bound goes, for `incrowd verify --certificate` (FILE.gz: packed)."""
