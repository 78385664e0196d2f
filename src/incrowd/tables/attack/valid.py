"""Premise P0: whether a release meets its policy, as far as the release shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    import ibis.expr.types as ir

    from incrowd.tables.attack.values import Released
    from incrowd.tables.engine.base import Engine

__all__ = ["broken_rules", "nothing_hidden", "stars_before"]


def broken_rules(released: Released) -> list[dict[str, int | str]]:
    """Return which rules of the policy a release breaks: ``rule`` and ``classes`` that break it.

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


def nothing_hidden(released: Released) -> list[str]:
    """Return what to say of a release that shows every cell as it is: its labels may be another tool's."""
    if (released.levels > 0).any():
        return []
    return [
        "no cell shows a star or a label of a hierarchy; if another tool made the release, say with --star what it "
        "writes for a hidden cell, and with --hierarchy what its labels stand for"
    ]


def stars_before(engine: Engine, rows: ir.Table, columns: Mapping[str, str], star: str | None) -> list[str]:
    """Return what to say of an original that holds the star itself: its cells are taken for hidden ones.

    `rows` is the original, and `columns` has the engine's name of each quasi-identifier by the user's. `star` is what
    the release writes for a hidden cell (None: missing cells, of which is told elsewhere).
    """
    if star is None:
        return []
    with engine.guard("looking for stars in the original"):
        counts = {f"n{j}": (engine.text(rows[c]) == star).sum().cast("int64") for j, c in enumerate(columns.values())}
        found = engine.one(rows.aggregate(**counts))
    held = [name for j, name in enumerate(columns) if found[f"n{j}"]]
    if not held:
        return []
    return [
        f"the original itself holds the star {star!r} as a value in {', '.join(held)}, which nothing tells from a "
        "hidden cell, so that findings there may be wrong; release it with another --star"
    ]
