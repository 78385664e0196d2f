"""Stage 1: the policy's hierarchies made and checked against the table, before anything else runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa

from incrowd.errors import PolicyError, count_of
from incrowd.tables.hierarchy import Fitted, Hierarchy, HierarchyFile
from incrowd.tables.hierarchy.values import MISSING
from incrowd.tables.read.table import counted, listed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import ibis.expr.types as ir

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.hierarchy import Spec
    from incrowd.tables.table import Opened


def fit_hierarchies(
    engine: Engine, opened: Opened, specs: Sequence[tuple[str, Spec]], *, complete: bool = False,
    star: str | None = "*", encoding: str = "utf-8",
) -> dict[str, Fitted]:  # fmt: skip
    """Return the hierarchy of every column that has one, with a line for each of its values.

    `opened` is the table as it came in. `complete` puts values that a hierarchy lacks, or that are no numbers or dates
    where it is made of such, under its root: they are shown as they are or as a star. No label may be the text `star`,
    and `encoding` is tried for a file that is not UTF-8. The PolicyError raised is one sentence with every fault of
    every column, by column and count, never a value. There is one GROUP BY per column; outside the engine are the lines
    of the hierarchies, and for made ones the distinct values.
    """
    named = [one for one in specs if one[0] in opened.names]  # of others the roles say so

    def kept(name: str) -> ir.Table:
        with engine.guard(f"counting the values of column {name!r}"):
            return engine.keep(counted(engine, opened, name))

    return fit_counted(engine, opened.label, named, kept, complete=complete, star=star, encoding=encoding)


def fit_counted(
    engine: Engine, label: str, specs: Sequence[tuple[str, Spec]], rows_of: Callable[[str], ir.Table], **how: Any
) -> dict[str, Fitted]:
    """Return what `fit_hierarchies` does, from values that were counted; the table is not read again.

    `label` is what messages call the table. `rows_of` gives what `counted` gives of a column, in the engine.
    `how` holds `complete`, `star` and `encoding`.
    """
    fitted, faults = {}, []
    for name, spec in specs:
        try:
            fitted[name] = _fit(engine, label, rows_of(name), spec, **how)
        except PolicyError as error:
            faults.append(f"column {name!r}: {error}")
    if faults:
        raise PolicyError("; ".join(faults))
    return fitted


def _fit(
    engine: Engine, label: str, rows: ir.Table, spec: Spec, *, complete: bool, star: str | None, encoding: str
) -> Fitted:
    if isinstance(spec, (Hierarchy, HierarchyFile)):
        hierarchy = spec if isinstance(spec, Hierarchy) else spec.load(encoding)
        values, counts, missing = _lacking(engine, label, rows, hierarchy)
        lacked = len(values) - (None in values)
        if lacked and lacked == int(engine.one(rows.aggregate(n=rows.v.count()))["n"]):
            raise PolicyError(
                f"none of the column's {count_of(lacked, 'distinct value')} has a line in its hierarchy; is it that of "
                "another column, or are the values written otherwise there?"
            )
        if values and not complete:
            raise PolicyError(
                f"its hierarchy lacks {len(values):,} of the column's values, in {count_of(sum(counts), 'row')}"
                f"{' (a missing value needs the line NULL)' if None in values else ''}; add a line for each, or put "
                "them under the root (complete_hierarchies = true)"
            )
        hierarchy = (
            hierarchy.completed([MISSING if value is None else value for value in values]) if values else hierarchy
        )
    else:
        with engine.guard("listing the values of a column"):
            values, _ = listed(engine, rows)
        missing = None in values
        hierarchy = Hierarchy(lines=spec.lines([value for value in values if value is not None], complete=complete))
        hierarchy = hierarchy.completed([MISSING]) if missing else hierarchy
    if star is not None and star != "*" and any(star in line[1:] for line in hierarchy.lines):
        raise PolicyError(f"a label of its hierarchy is the star text {star!r}; choose another star")
    return Fitted(hierarchy, missing)


def _lacking(
    engine: Engine, label: str, rows: ir.Table, hierarchy: Hierarchy
) -> tuple[list[str | None], list[int], bool]:
    """Return the values without a line, their rows, and whether NULL occurs."""
    leaves = pa.table({"leaf": pa.array([line[0] for line in hierarchy.lines], pa.string())})
    with engine.guard(f"checking the hierarchies of {label}"):
        null = bool(engine.one(rows.aggregate(n=rows.v.isnull().sum()))["n"])
        known = engine.put(leaves)
        # a missing value takes the line NULL; that text then needs a line of its own
        known = known.mutate(leaf=known.leaf.nullif(MISSING)) if null else known
        absent = rows.left_join(known.mutate(hit=True), rows.v.identical_to(known.leaf))
        return *listed(engine, absent.filter(absent.hit.isnull())), null
