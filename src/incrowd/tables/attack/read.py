"""A released table as an attacker reads it: its classes, by one GROUP BY in the engine."""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.errors import InputError, PolicyError
from incrowd.tables.attack.domains import column_domain, hierarchy_lines
from incrowd.tables.attack.rules import candidates
from incrowd.tables.attack.values import AttackColumn, Released
from incrowd.tables.coded import coded
from incrowd.tables.column_counts import looks_at_table
from incrowd.tables.costs import cost_levels
from incrowd.tables.mask import Mask
from incrowd.tables.row_numbers import added_up
from incrowd.tables.values import Domain, Levels, Sensitive

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    import ibis.expr.types as ir
    from numpy.typing import NDArray

    from incrowd.tables.attack.domains import ColumnDomain
    from incrowd.tables.attack.values import Asked
    from incrowd.tables.engine.base import Engine
    from incrowd.tables.protocols import Requirement
    from incrowd.tables.values import Int8, Int32, Int64

BY_LEVEL = ("cells", "levels")  # costs that do not look at how many values a label stands for
NOBODY = "no value is shown"  # stands for the values of a column that shows none; never printed


def read_release(engine: Engine, rows: ir.Table, columns: Mapping[str, str], asked: Asked) -> Released:
    """Return a release by its classes.

    The engine holds the release, and `rows` are the released rows. `columns` is the engine's name of each column of the
    release by the user's, and `asked` is the policy that the release was made under. InputError or PolicyError is
    raised if a column is missing, or shows what the policy does not explain. It takes one GROUP BY over the rows; what
    is kept grows with the classes, and with the sensitive combinations in each where something is required of them.
    """
    names, star = asked.names, asked.star
    judged = tuple(dict.fromkeys(column for model in asked.requirements for column in model.judged))
    missing = [name for name in (*names, *judged) if name not in columns]
    if missing:
        where = "--qi" if missing[0] in names else "--sensitive"
        raise InputError(
            f"the release has no column {missing[0]!r}; name its columns as the policy does, or mend {where}"
        )
    with engine.guard("counting the classes of the release"):
        codes, counts, texts = coded(engine, rows, [columns[name] for name in (*names, *judged)])
    if not counts.size:
        raise InputError("the release has no rows")
    unknown = sorted(set(asked.domains) - set(names))
    if unknown:
        raise PolicyError(f"a domain is given for {unknown[0]!r}, which is not among the quasi-identifiers")
    found = {
        name: column_domain(
            name, texts[j], star=star, spec=asked.hierarchies.get(name), fitted=asked.fitted.get(name),
            domain=asked.domains.get(name), complete=asked.complete, encoding=asked.encoding,
        )
        for j, name in enumerate(names)
    }  # fmt: skip
    return _released(asked, found, codes, counts, texts, judged)


def _released(
    asked: Asked,
    domains: Mapping[str, ColumnDomain],
    codes: Int32,
    counts: Int64,
    texts: Sequence[tuple[str | None, ...]],
    judged: tuple[str, ...],
) -> Released:
    names, m = asked.names, len(asked.names)
    values = [domains[name].values or (NOBODY,) for name in names]
    made = [name for name in names if domains[name].made == "labels"]
    told = not looks_at_table(asked.cost)
    known = told and (not made or asked.cost in BY_LEVEL)
    notes: tuple[str, ...] = ()
    if told and not known:
        notes = (
            f"the cost looks at how many values a label of {', '.join(made)} stands for, which no release tells: "
            "nothing is inferred from costs; domains lists the values, or cost cells does without them",
        )
    fitted = hierarchy_lines(domains)
    nodes = {n: (one.hierarchy, np.arange(len(one.hierarchy.lines), dtype=np.int64)) for n, one in fitted.items()}
    levels, scale = cost_levels(
        asked.cost if known else "cells", names, [len(v) for v in values], rows=int(counts.sum()), nodes=nodes,
        weights=asked.weights,
    )  # fmt: skip
    starts = np.ones(len(codes), np.bool_)
    starts[1:] = (codes[1:, :m] != codes[:-1, :m]).any(axis=1)
    unit_class = (np.cumsum(starts) - 1).astype(np.int32)
    sizes = added_up(unit_class, counts, int(starts.sum()))
    shown = codes[starts][:, :m]
    level, rep = np.zeros(shown.shape, np.int8), np.zeros(shown.shape, np.int32)
    columns = []
    for j, name in enumerate(names):
        at, value = _places(domains[name], values[j], texts[j], asked.star, levels[j])
        level[:, j], rep[:, j] = at[shown[:, j]], value[shown[:, j]]
        plain = np.zeros(len(values[j]), np.int64)
        kept = level[:, j] == 0
        np.add.at(plain, rep[kept, j], sizes[kept])
        closed = domains[name].closed and bool(domains[name].values)
        columns.append(AttackColumn(name, tuple(values[j]), closed, levels[j], plain))
    patterns = asked.mask.compile(names, [column.levels.height for column in columns])
    kinds, requirements = _required(asked, judged, codes[:, m:], counts, texts[m:])
    limit = asked.suppression_limit
    return Released(
        columns=tuple(columns), levels=level, reps=rep, sizes=sizes, unit_class=unit_class, unit_kind=kinds,
        unit_rows=counts, k=asked.k, outliers=asked.outliers, patterns=patterns, scale=scale,
        requirements=requirements, most_suppressed=None if limit is None else int(limit * int(counts.sum())),
        costs_known=known, notes=notes, made=tuple(made),
    )  # fmt: skip


def _places(
    domain: ColumnDomain, values: Sequence[str | None], labels: Sequence[str | None], star: str | None, levels: Levels
) -> tuple[Int8, Int32]:
    """Return level and a value below for each label of the release: the lowest level at which the label stands."""
    place: dict[str | None, tuple[int, int]] = {value: (0, i) for i, value in enumerate(values)}
    if domain.fitted is not None:
        lines = domain.fitted.shown
        for level in range(1, levels.height):
            for i, line in enumerate(lines):
                place.setdefault(line[level], (level, i))
    place[star] = (levels.height, 0)  # a star is what the policy calls one, whatever else it spells
    found = [place[label] for label in labels]
    return np.array([at for at, _ in found], np.int8), np.array([value for _, value in found], np.int32)


def _required(
    asked: Asked, judged: tuple[str, ...], codes: Int32, counts: Int64, texts: Sequence[tuple[str | None, ...]]
) -> tuple[Int32, tuple[Requirement, ...]]:
    """Return the combination of sensitive values of each unit, and the requirements bound to them."""
    if not judged:
        return np.zeros(len(codes), np.int32), ()
    kinds, which = np.unique(codes, axis=0, return_inverse=True)
    which = which.reshape(-1)
    rows: NDArray[np.int64] = np.bincount(which, weights=counts, minlength=len(kinds)).astype(np.int64)
    sensitive = Sensitive(kinds.astype(np.int32), judged, tuple(len(text) for text in texts))
    domain = Domain(sensitive, tuple(tuple(text) for text in texts), rows)
    return which.astype(np.int32), tuple(model.bind(domain) for model in asked.requirements)


# Premise P0: whether a release meets its policy, as far as the release shows.
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
        "no cell shows a star or a label of a hierarchy; if another tool made the release, say as star what it "
        "writes for a hidden cell, and with hierarchies what its labels stand for"
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
        "hidden cell, so that findings there may be wrong; release it with another star"
    ]


# What a release of ranges says by its labels alone: `recoding=ranges` names values that rows of the class have.
#
# ``[17-34]`` names the least and the largest number of a class (`incrowd.tables.expand`). Ranges on a grid end at its
# lines, which are no values, so nothing is claimed of them beyond what a cell says.
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
    docs/papers/attacks.md, rule E1.
    """
    names = asked.names
    missing = [name for name in names if name not in columns]
    if missing:
        raise InputError(
            f"the release has no column {missing[0]!r}; name its columns as the policy does, or mend quasi_identifiers"
        )
    with engine.guard("counting the classes of the release"):
        codes, sizes, texts = coded(engine, rows, [columns[name] for name in names])
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


# A release of one recoding for the whole table, in the terms of rules that speak of classes.
def at_one_vector(released: Released) -> tuple[Released, list[dict[str, int | str]]]:
    """Return a release with every shown class at the one vector, and the vectors left that a rule may turn to.

    `released` is as it is read, each class at the lowest levels that its cells allow. The mask of the release returned
    allows that vector and full suppression alone: whatever release of these rows uses no other is one of this recoding.
    Where no row is shown the vector is unknown, and full suppression alone is left. Where labels stand at several
    levels and the mask allows none of the lowest, its costs count as unknown, so that nothing is inferred from them.
    The list that is returned beside it holds ``recoding`` with the classes at other levels than the rest, if there are
    any.

    References
    ----------
    docs/papers/attacks.md, "One recoding for the whole table".
    """
    shown = ~released.full
    if not shown.any():
        return _allowing(released, [released.top.tolist()]), []
    low, high = _readings(released)
    vector = low[shown].max(axis=0)
    outside = shown & (high < vector).any(axis=1)
    if outside.any():
        return released, [{"rule": "recoding", "classes": int(outside.sum())}]
    certain = released.patterns.allows(vector.tolist())
    if not certain:
        costs = [[int(cost) for cost in column.levels.cost.min(axis=1)] for column in released.columns]
        above = released.patterns.cheapest_above(vector.tolist(), costs)
        if above is None or (np.array(above) > high[shown].min(axis=0)).any():
            return released, [{"rule": "mask", "classes": int(shown.sum())}]
        vector = np.array(above, np.int8)
    levels = np.where(shown[:, None], vector[None, :], released.levels).astype(np.int8)
    allowed = [vector.tolist()]
    if released.patterns.allows_full_suppression:
        allowed.append(released.top.tolist())
    known = released.costs_known and certain
    return _allowing(dataclasses.replace(released, levels=levels, costs_known=known), allowed), []


def _allowing(released: Released, vectors: list[list[int]]) -> Released:
    """Return a release whose mask allows some vectors alone."""
    names = [column.name for column in released.columns]
    mask = Mask(patterns=[dict(zip(names, one, strict=True)) for one in vectors])
    patterns = mask.compile(names, [column.levels.height for column in released.columns])
    return dataclasses.replace(released, patterns=patterns)


def _readings(released: Released) -> tuple[np.ndarray, np.ndarray]:
    """Return lowest and highest levels at which each class stands for what it shows, shape (c, m) each."""
    high = released.levels.copy()
    for j, column in enumerate(released.columns):
        here = candidates(released, j)
        for level in range(1, column.levels.height):  # what is no star is not read at the top
            counts = np.bincount(column.levels.up[level], minlength=1)
            same = counts[column.levels.up[level, released.reps[:, j]]] == here
            high[same & (released.levels[:, j] < level), j] = level
    return released.levels, high
