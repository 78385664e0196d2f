"""Certificates read and recounted for a stranger who holds the original and the release."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from incrowd import stages
from incrowd.errors import InputError
from incrowd.tables.verify import bound, matching_bound
from incrowd.tables.verify.faithful import reads_as_star
from incrowd.tables.verify.groups import judge_patterns, recount_patterns
from incrowd.tables.verify.types import count_types

if TYPE_CHECKING:
    from incrowd.job import Policy
    from incrowd.tables.backend import Engine
    from incrowd.tables.mask import Patterns
    from incrowd.tables.table import Opened
    from incrowd.tables.values import Violation

__all__ = ["Rechecked", "read_certificate", "recheck"]


@dataclass(frozen=True, slots=True)
class Rechecked:
    """A certificate recounted, in the user's units."""

    violations: tuple[Violation, ...]
    cost: Fraction
    lower_bound: Fraction
    proven: bool


def read_certificate(source: str | Path | Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a certificate from its file, or as it is.

    Raises
    ------
    InputError
        If the file cannot be read or holds no certificate.
    """
    if isinstance(source, Mapping):
        return source
    name = f"certificate '{Path(source).name}'"
    try:
        read = json.loads(Path(source).read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{name} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise InputError(f"{name} is no JSON; give the file that --certificate wrote") from None
    if not isinstance(read, dict):
        raise InputError(f"{name} is no certificate; give the file that --certificate wrote")
    return read


def recheck(
    engine: Engine,
    original: Opened,
    released: Opened,
    policy: Policy,
    patterns: Patterns,
    certificate: Mapping[str, Any],
) -> Rechecked:
    """Recount a certificate from the two tables: row types from the original, the cost from the release."""
    text, star = stages.text_columns(policy, patterns), stages.star_of(policy)
    before = [original.data[f"c{original.names.index(name)}"] for name in policy.quasi_identifiers]
    columns = [engine.text(c) if name in text else c for name, c in zip(policy.quasi_identifiers, before, strict=True)]
    types = count_types(engine, original.data, columns)
    sizes = [int(rank) + 1 for rank in types.codes.max(axis=0)]
    levels, scale = stages.cost_levels(policy, sizes, int(types.counts.sum()))
    cost = None
    if star is not None and set(policy.quasi_identifiers) <= set(released.names):
        after = [released.data[f"c{released.names.index(name)}"] for name in policy.quasi_identifiers]
        used = recount_patterns(engine, released.data, [reads_as_star(c, star) for c in after], None)
        cost = int(judge_patterns(used, stages.rules_of(policy)).cost[0] * scale)
    table = bound.Table(
        codes=types.codes,
        counts=types.counts,
        levels=levels,
        allows=patterns.allows,
        k=int(policy.k or 1),
        outliers=policy.outliers,
        scale=scale,
    )
    if certificate.get("certificate") == matching_bound.NAME:
        found = matching_bound.recheck(table, patterns, certificate, cost)
    else:
        found = bound.recheck(table, certificate, cost)
    return Rechecked(found.violations, Fraction(found.cost, scale), Fraction(found.lower_bound, scale), found.proven)
