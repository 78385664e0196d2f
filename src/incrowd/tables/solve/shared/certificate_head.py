"""What every certificate begins with, and how one goes over to another release under the same bound."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from incrowd.tables.values import Bound, Problem

__all__ = ["head", "of_release"]


def head(problem: Problem, cost: int, bound: Bound, name: str, version: int) -> dict[str, Any]:
    """Return what every certificate begins with, whatever proves its bound.

    `cost` is the scaled cost of the release, and `bound` the lower bound that the certificate proves. `name` is what
    the certificate calls itself, and `version` is that of its form.
    """
    return {
        "certificate": name,
        "version": version,
        "for": "those who hold the original: row types are numbered as they stand in the sorted table",
        "rows": problem.types.n,
        "row_types": problem.types.t,
        "k": problem.k,
        "outliers": problem.outliers,
        "scale": problem.scale,
        "cost": cost,
        "lower_bound": bound.value,
        "lower_bound_checked": bound.checked,
        "proof": bound.proof,
    }


def of_release(
    certificate: Mapping[str, Any] | None, cost: int, bound: Bound, claimed: Bound | None = None
) -> dict[str, Any] | None:
    """Return a certificate of another release under the same bound, with its cost and claims in place of the old.

    The `certificate` recounts `bound`. `claimed` is what is claimed of the release, if that is more.
    """
    if certificate is None:
        return None
    claimed = claimed or bound
    claims = {"cost": cost, "lower_bound": claimed.value, "lower_bound_checked": bound.checked}
    return {**certificate, **claims, "proof": dataclasses.replace(claimed, checked=bound.checked).proof}
