"""What a release of ranges says by its labels alone: `recoding=ranges` names values that rows of the class have.

``[17-34]`` names the least and the largest number of a class (`incrowd.tables.expand`).
Ranges on a grid end at its lines, which are no values, so nothing is claimed of them beyond what a cell says.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.errors import InputError
from incrowd.tables.attack.domains import column_domain
from incrowd.tables.usefulness.coded_tables import coded_rows

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    import ibis.expr.types as ir
    from numpy.typing import NDArray

    from incrowd.tables.attack.terms import Asked
    from incrowd.tables.engine.base import Engine
    from incrowd.tables.values import Int64

__all__ = ["facts_of_ranges"]

NUMBER = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,4})?"
ENDS = re.compile(rf"\[{NUMBER}-{NUMBER}\]")
GRID = re.compile(r"(< |>= ).*|.+ to .+|[0-9][0-9.]*-[0-9][0-9.]*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class _Column:
    """One quasi-identifier by its labels: which are stars, which hide a value, and how many values each names."""

    starred: NDArray[np.bool_]
    hidden: NDArray[np.bool_]
    named: Int64


def facts_of_ranges(
    engine: Engine, rows: ir.Table, columns: Mapping[str, str], asked: Asked, *, grid: bool, numeric: Collection[str],
    standing: str,
) -> dict[str, Any]:  # fmt: skip
    """Return what labels of ranges say, in names and counts, as `facts_of_attack` does for levels.

    The engine holds the release, and `rows` are the released rows. `columns` is the engine's name of each column of the
    release by the user's, and `asked` is the policy. `grid` says whether ranges end on the lines of a grid, and
    `numeric` are the columns that show such ranges. `standing` says how it stands that this program wrote the labels
    (P3): ``proven``, ``assumed`` or ``no``. InputError is raised if a column is missing or the release is empty.

    References
    ----------
    papers/attacks.md, rule E1.
    """
    names = asked.names
    missing = [name for name in names if name not in columns]
    if missing:
        raise InputError(f"the release has no column {missing[0]!r}; name its columns as the policy does, or mend --qi")
    with engine.guard("counting the classes of the release"):
        short = {f"q{j}": engine.text(rows[columns[name]]) for j, name in enumerate(names)}
        grouped = rows.select(**short).group_by(list(short)).aggregate(n=lambda r: r.count().cast("int64"))
        codes, sizes, texts = coded_rows(engine.fetch(grouped), list(short))
    if not sizes.size:
        raise InputError("the release has no rows")
    read = [_column(name, texts[j], asked, grid=grid, ranged=name in numeric) for j, name in enumerate(names)]
    starred, hidden, named = (
        np.stack([getattr(column, part)[codes[:, j]] for j, column in enumerate(read)], axis=1)
        for part in ("starred", "hidden", "named")
    )
    free = starred.all(axis=1) if asked.outliers == "suppress" else np.zeros(sizes.size, np.bool_)
    small = int(((sizes < asked.k) & ~free).sum())
    valid = "no" if small else "proven"
    if small:
        standing, named = "no", named * 0
    told = "no" if grid or standing == "no" else standing
    certain = told == "proven"
    occurs = int(named.sum()) if told != "no" else 0
    cells = hidden * sizes[:, None]
    return {
        "rows": int(sizes.sum()), "classes": int(sizes.size),
        "starred_cells": int((starred * sizes[:, None]).sum()), "hidden_cells": int(cells.sum()),
        "premises": {"valid": valid, "bound": "no", "settled": "no", "program": standing},
        "contradicted": False, "bound_contradicted": False,
        "broken": [{"rule": "k", "classes": small}] if small else [],
        "excluded_cells": 0, "excluded_mass": None, "determined_cells": 0, "claimed_cells": 0, "claimed_mass": None,
        "claimed_determined": 0, "wrong": None, "claimed_wrong": None, "known_rows": 0,
        "named_values": occurs, "named_certain": certain,
        "rules": [
            {"rule": "ends", "premise": "program", "standing": told, "excluded": 0, "excluded_mass": None,
             "determined": 0, "wrong": None, "most_wrong": None}
        ],
        "by_column": [
            {"name": name, "hidden": int(cells[:, j].sum()), "excluded": 0, "claimed": 0, "determined": 0,
             "domain_known": False}
            for j, name in enumerate(names)
        ],
        "insiders": _insiders(sizes, named) | {"standing": told, "complete": True}
        if told != "no"
        else {"cells": 0, "determined": 0, "together": 0, "by_size": [], "standing": "no", "complete": True},
        "complete": True,
    }  # fmt: skip


def _column(name: str, labels: Sequence[str | None], asked: Asked, *, grid: bool, ranged: bool) -> _Column:
    starred = np.array([label == asked.star for label in labels], np.bool_)
    named = np.zeros(len(labels), np.int64)
    if not grid:
        if ranged:
            named[[label is not None and bool(ENDS.fullmatch(label)) for label in labels]] = 2
        hidden = starred | (named > 0)
    elif ranged:
        hidden = starred | np.array([label is not None and bool(GRID.fullmatch(label)) for label in labels], np.bool_)
    else:
        found = column_domain(
            name, labels, star=asked.star, spec=asked.hierarchies.get(name), domain=asked.domains.get(name),
            complete=asked.complete, encoding=asked.encoding,
        )  # fmt: skip
        values = set(found.values)
        hidden = starred | np.array([label not in values for label in labels], np.bool_)
    return _Column(starred, hidden, np.where(starred, 0, named))


def _insiders(sizes: Int64, named: Int64) -> dict[str, Any]:
    """Return what members of a class of two learn: each of the two numbers that a label names is had once."""
    known = int(2 * (named[sizes == 2] > 0).sum())
    by_size = [{"size": 2, "cells": known, "determined": known}] if known else []
    return {"cells": known, "determined": known, "together": 0, "by_size": by_size}
