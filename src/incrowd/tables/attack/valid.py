"""Premise P0: whether a release meets its policy, as far as the release shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from incrowd.tables.attack.values import Released

__all__ = ["broken_rules"]


def broken_rules(released: Released) -> list[dict[str, int | str]]:
    """Return which rules of the policy a release breaks: ``rule`` and ``classes`` that break it.

    Parameters
    ----------
    released : Released

    Notes
    -----
    What only the original tells (whether the shown cells are its own) is for `incrowd verify`.
    """
    found: list[dict[str, int | str]] = []

    def add(rule: str, count: int) -> None:
        if count:
            found.append({"rule": rule, "classes": count})

    add("k", int(((released.sizes < released.k) & ~released.free).sum()))
    vectors, which = released.vectors
    forbidden = np.array([not released.patterns.allows(vector.tolist()) for vector in vectors], np.bool_)
    add("mask", int(forbidden[which].sum()))
    if released.most_suppressed is not None:
        add("suppression_limit", int(released.sizes[released.full].sum() > released.most_suppressed))
    for requirement in released.requirements:
        met = requirement.meets(
            released.unit_class.astype(np.int64), released.unit_kind, released.unit_rows, released.sizes.size
        )
        add(requirement.rule, int((~met).sum()))
    return found
