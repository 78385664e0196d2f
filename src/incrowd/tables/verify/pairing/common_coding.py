"""Two tables made comparable: the original and the released rows with the same columns, spelled alike.

Typed columns of one type are compared as they are, all others by the engine's one spelling; where either table is CSV
an empty text is NULL.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import ibis

from incrowd.tables.verify.release.groups import reads_as_star

if TYPE_CHECKING:
    from collections.abc import Mapping

    import ibis.expr.types as ir

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.table import Opened
    from incrowd.tables.verify.rules import Rules


@dataclass(frozen=True, slots=True, eq=False)
class CommonCoding:
    """Both tables with the same columns, spelled alike.

    `original`, `released`: ``q0``, ``q1``, ... (quasi-identifiers in the policy's order), ``o0``, ``o1``, ... (other
    columns). `others`: names of the other columns. `star`: the star text (None: NULL).
    """

    original: ir.Table
    released: ir.Table
    others: tuple[str, ...]
    star: str | None

    @property
    def cells(self) -> list[str]:
        """Columns of the quasi-identifiers."""
        return [name for name in self.released.columns if name[0] == "q"]

    def star_at(self, rows: ir.Table, j: int) -> ir.Value:
        """Return whether cell j of released rows reads as a star."""
        return reads_as_star(rows[f"q{j}"], self.star)


def alike(original: Opened, released: Opened, rules: Rules, engine: Engine) -> CommonCoding:
    """Return both tables with their common columns spelled alike.

    `released` has every kept column of `original`.
    """
    names, text, star = rules.names, rules.text, rules.policy.star
    before: dict[str, ir.Value] = {}
    after: dict[str, ir.Value] = {}
    no_empty = "csv" in (original.kind, released.kind)
    others = [name for name in rules.kept if name not in names]
    index = {name: f"q{j}" for j, name in enumerate(names)}
    index.update({name: f"o{j}" for j, name in enumerate(others)})
    for name, short in index.items():
        one, two = (side.data[side.ids[name]] for side in (original, released))
        # what are floats in one of the tables are floats in both
        if one.type().is_floating() and name in released.whole:
            two = two.cast(released.whole[name])
        elif two.type().is_floating() and name in original.whole:
            one = one.cast(original.whole[name])
        if name in text or one.type().copy(nullable=True) != two.type().copy(nullable=True):
            one, two = engine.text(one), engine.text(two)
        else:
            one, two = engine.plain(one), engine.plain(two)
        if no_empty and one.type().is_string():
            one, two = one.nullif(""), two.nullif("")
        before[short], after[short] = one, two
    with engine.guard(f"comparing {released.label} with {original.label}"):
        (one, two), _ = engine.keep_listed([original.data.select(**before), released.data.select(**after)])
    return CommonCoding(one, two, tuple(others), star)


def excess(tables: CommonCoding, engine: Engine) -> tuple[int, Mapping[str, int]]:
    """Return the released rows whose other columns the original has less often: as they stand together, and per column.

    Both tables are spelled alike. The mapping has the columns with such rows, which are not looked for where there are
    none in all of them together. It takes two GROUP BYs and a join for all columns, and where something is wrong two
    more for each.
    """
    if not tables.others:
        return 0, {}
    with engine.guard("comparing the other columns"):
        every = _more(tables, engine, [f"o{j}" for j in range(len(tables.others))])
        if not every:
            return 0, {}
        found = {name: _more(tables, engine, [f"o{j}"]) for j, name in enumerate(tables.others)}
    return every, {name: count for name, count in found.items() if count}


def _more(tables: CommonCoding, engine: Engine, columns: list[str]) -> int:
    """Return how many rows the release has more than the original, counted per combination of some columns."""
    had = tables.original.group_by(columns).aggregate(had=lambda r: r.count())
    has = tables.released.group_by(columns).aggregate(has=lambda r: r.count())
    had = had.rename({f"was_{column}": column for column in columns})
    both = has.left_join(had, [has[column].identical_to(had[f"was_{column}"]) for column in columns])
    more = ibis.greatest(both["has"] - both.had.fill_null(0), 0).sum().fill_null(0)
    return int(engine.one(both.aggregate(more=more))["more"])
