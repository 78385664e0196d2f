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
from incrowd.tables.verify.groups import recount_loss
from incrowd.tables.verify.halves import halved_columns, telling
from incrowd.tables.verify.types import count_types

if TYPE_CHECKING:
    import ibis.expr.types as ir

    from incrowd.job import Policy
    from incrowd.tables.backend import Engine
    from incrowd.tables.hierarchy import Fitted
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
    hierarchies: Mapping[str, Fitted],
    certificate: Mapping[str, Any],
) -> Rechecked:
    """Recount a certificate from the two tables: row types from the original, the cost from the release."""
    patterns = stages.patterns_of(policy, hierarchies)
    text, star = stages.text_columns(policy, patterns), stages.star_of(policy)
    before = [original.data[f"c{original.names.index(name)}"] for name in policy.quasi_identifiers]
    columns = [engine.text(c) if name in text else c for name, c in zip(policy.quasi_identifiers, before, strict=True)]
    climbed = {j: hierarchies[name] for j, name in enumerate(policy.quasi_identifiers) if name in hierarchies}
    m, matched = len(columns), certificate.get("certificate") == matching_bound.NAME
    judged = _judged(original, policy) if matched and certificate.get("diverse") is True else []
    types = count_types(engine, original.data, [*columns, *judged], climbed)
    codes, sens = types.codes[:, :m], telling(types.codes[:, m:]) if judged else None
    sizes = [int(rank) + 1 for rank in codes.max(axis=0)]
    nodes = stages.nodes_of(policy, hierarchies, types.lines[:m])
    levels, scale = stages.cost_levels(policy, sizes, int(types.counts.sum()), nodes)
    cost = None
    if star is not None and set(policy.quasi_identifiers) <= set(released.names):
        after = [released.data[f"c{released.names.index(name)}"] for name in policy.quasi_identifiers]
        cells = [c.get_name() for c in after]
        marks = [reads_as_star(c, star) for c in after]
        rules = stages.rules_of(policy, hierarchies)
        loss = recount_loss(engine, released.data, cells, marks, rules, text=text)
        low, high = (int(end * scale) for end in loss.cost)
        claimed = certificate.get("cost")
        # a label that stands at several levels may cost more than its lowest reading
        cost = claimed if isinstance(claimed, int) and low <= claimed <= high else low
    table = bound.Table(
        codes=codes,
        counts=types.counts,
        levels=levels,
        allows=patterns.allows,
        k=int(policy.k or 1),
        outliers=policy.outliers,
        scale=scale,
    )
    if matched:
        found = matching_bound.recheck(table, patterns, certificate, cost, sens)
    else:
        found = bound.recheck(table, certificate, cost)
    return Rechecked(found.violations, Fraction(found.cost, scale), Fraction(found.lower_bound, scale), found.proven)


def _judged(original: Opened, policy: Policy) -> list[ir.Value]:
    """Return the sensitive columns by which a certificate of 2-diversity tells row types apart, in the table's order.

    Only columns of which the policy lets no value have more than half of a class: the bound holds for no others.
    """
    asked = stages.judged_columns(policy)
    if set(asked) - halved_columns(policy.requirements):
        return []
    return [original.data[f"c{original.names.index(name)}"] for name in original.names if name in asked]
