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
    sensitive: Sequence[str] | str
    identifiers: Sequence[str] | str
    other: Literal["keep", "drop"]
    numeric: Sequence[str] | str
    k: int | None
    l: Number | None  # noqa: E741
    t: Number | None
    require: Sequence[Any] | str
    sensitive_distance: Mapping[str, str]
    mask: PatternMask | Mapping[str, Any]
    max_stars: int | None
    keep: Sequence[str] | str
    together: Sequence[Sequence[str]] | Sequence[str] | str
    at_most_one: Sequence[Sequence[str]] | Sequence[str] | str
    never_together: Sequence[Sequence[str]] | Sequence[str] | str
    max_level: Mapping[str, int]
    patterns: Sequence[Sequence[str]] | Sequence[str] | str
    full_suppression: bool | None
    weights: Mapping[str, Number]
    cost: str
    hierarchies: Mapping[str, Spec | Path | str | Mapping[str, Any]]
    other_hierarchies: Literal["none", "auto"]
    complete_hierarchies: bool | None
    recoding: Literal["levels", "ranges", "grid", "global"]
    round: Number | None
    suppression_limit: Number | None
    outliers: Literal["forbid", "suppress"]
    suppressed: Literal["text", "null"]
    star: str | None
    header: bool | None
    columns: Sequence[str] | str
    delimiter: str | None
    encoding: str | None
    na: Sequence[str] | str
    strip: bool | None
    output: Path | str | None
    report: Path | str | None
    save_policy: Path | str | None
    solver: str
    time_limit: float | None
    gap: float | None
    work: int | None
    seed: int | None
    blunt: int | None
    quiet_facts: bool | None
    keep_order: bool | None
    spreadsheet_safe: bool | None
    keep_best: bool | None
    dry_run: bool | None
    memory: str | None
    types_in_memory: int | None
    engine: Literal["duckdb", "spark"]
    qi: Sequence[str] | str
    identifier: Sequence[str] | str
    requirements: Sequence[Any] | str
    weight: Mapping[str, Number]
    hierarchy: Mapping[str, Spec | Path | str | Mapping[str, Any]]
    pattern: Sequence[Sequence[str]] | Sequence[str] | str


class Keywords(CheckKeywords, total=False):
    """The same, with the certificate that a job writes; a check reads one instead."""

    certificate: Path | str | None
