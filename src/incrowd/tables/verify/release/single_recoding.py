"""Recount of how many rows are fully suppressed, and of whether one level vector shows all the others.

A label that a hierarchy repeats can be read at several levels, so every shown row allows a box of vectors: all rows are
shown at one vector if a vector of the mask lies in the boxes of all.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from incrowd.tables.verdict import Violation
from incrowd.tables.verify.release.groups import fits
from incrowd.tables.verify.release.hierarchy_levels import labels_of, readings

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    import ibis.expr.types as ir

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.verify.release.groups import Rules


@dataclass(frozen=True, slots=True)
class Shown:
    """At which levels the rows of a release are shown.

    `suppressed`: rows of stars alone. `low`, `high`: lowest and highest level of each column at which all other rows
    can be read; a column where none can has `low` above `high`. Without other rows every level can be. `outside`: rows
    that are not read at the levels of the most frequent reading; 0 where all are.
    """

    rows: int
    suppressed: int
    low: tuple[int, ...]
    high: tuple[int, ...]
    outside: int

    def holds(self, vector: Sequence[int]) -> bool:
        """Return whether every row that is not fully suppressed can be read at a level vector."""
        return all(a <= level <= b for a, level, b in zip(self.low, vector, self.high, strict=True))


def recount_recoding(
    engine: Engine,
    rows: ir.Table,
    cells: Sequence[str],
    starred: Sequence[ir.Value],
    rules: Rules,
    *,
    text: Collection[str],
) -> tuple[Violation, ...]:
    """Return what is wrong with the suppressed rows and the recoding of a release; nothing where neither is asked.

    The violations are ``suppression limit`` with the rows above it, and ``recoding`` with the rows at other levels than
    most. `cells` are the m columns of the quasi-identifiers in the released rows, `starred` says of each whether a
    released cell is a star, and `text` are those that were turned into text. It costs as much as `recount_shown`.
    """
    if not rules.single and rules.suppression_limit is None:
        return ()
    shown = recount_shown(engine, rows, cells, starred, rules, text=text)
    found = []
    if rules.suppression_limit is not None:  # [U2]
        over = shown.suppressed - math.floor(rules.suppression_limit * shown.rows)
        if over > 0:
            found.append(Violation("suppression limit", over))
    if rules.single and shown.suppressed < shown.rows:  # [U1]
        one = all(a <= b for a, b in zip(shown.low, shown.high, strict=True))
        if not one or not fits(shown.low, shown.high, rules.reading()):
            found.append(Violation("recoding", max(shown.outside, 1)))
    return tuple(found)


def recount_shown(
    engine: Engine,
    rows: ir.Table,
    cells: Sequence[str],
    starred: Sequence[ir.Value],
    rules: Rules,
    *,
    text: Collection[str],
) -> Shown:
    """Return at which levels the rows of a release are shown.

    `cells` are the m columns of the quasi-identifiers in the released rows, and `starred` says of each whether a
    released cell is a star. `text` are those that were turned into text; only they can hold labels. It takes one join
    per column with a hierarchy and one GROUP BY over the rows.
    """
    ladders = {j: rules.hierarchies[n] for j, n in enumerate(rules.names) if n in rules.hierarchies and n in text}
    labels = {j: labels_of(engine, fitted) for j, fitted in ladders.items()}
    read, names = readings(rows, cells, starred, labels)
    tops = tuple(rules.heights()[name] for name in rules.names)
    number = suppressed = 0
    low, high = (0,) * len(tops), tops
    boxes = []
    for bottom, top, held in _readings_in_use(engine, read, names):
        number += held
        if bottom == tops:
            suppressed += held
            continue
        boxes.append((held, bottom, top))
        low = tuple(map(max, low, bottom))
        high = tuple(map(min, high, top))
    outside = 0
    if boxes:
        _, bottom, top = max(boxes)
        outside = sum(
            held for held, a, b in boxes if any(x > z or y < w for x, y, w, z in zip(a, b, bottom, top, strict=True))
        )
    return Shown(number, suppressed, low, high, outside)


def _readings_in_use(
    engine: Engine, read: ir.Table, names: Sequence[tuple[str, str]]
) -> list[tuple[tuple[int, ...], tuple[int, ...], int]]:
    """Return lowest levels, highest levels and rows of every reading."""
    ends = [end for pair in names for end in pair]
    with engine.guard("recounting the recoding"):
        used = read.select(*ends).group_by(ends).aggregate(n=lambda r: r.count())
        found = engine.fetch(used).to_pylist()
    return [(tuple(int(f[lo]) for lo, _ in names), tuple(int(f[hi]) for _, hi in names), int(f["n"])) for f in found]
