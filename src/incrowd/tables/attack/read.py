"""A released table as an attacker reads it: its classes, by one GROUP BY in the engine."""

from __future__ import annotations

import dataclasses
import re
from typing import TYPE_CHECKING

import numpy as np

from incrowd.errors import InputError, PolicyError
from incrowd.tables.attack.domains import column_domain
from incrowd.tables.attack.rules import candidates
from incrowd.tables.attack.values import AttackColumn, Released
from incrowd.tables.coded import coded
from incrowd.tables.column_counts import looks_at_table
from incrowd.tables.costs import cost_levels
from incrowd.tables.mask import Mask
from incrowd.tables.row_numbers import added_up, row_numbers
from incrowd.tables.values import Domain, Levels, Sensitive

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from incrowd.tables.attack.values import Asked
    from incrowd.tables.coded import Coded
    from incrowd.tables.engine.base import Engine
    from incrowd.tables.protocols import Requirement
    from incrowd.tables.table import Opened
    from incrowd.tables.values import Int32, Int64

BY_LEVEL = ("cells", "levels")  # costs that do not look at how many values a label stands for


def read_release(engine: Engine, release: Opened, asked: Asked) -> Released:
    """Return a release by its classes.

    `asked` is the policy that the release was made under. InputError or PolicyError is raised if a column is missing,
    or shows what the policy does not explain. It takes one GROUP BY over the rows; what is kept grows with the classes,
    and with the sensitive combinations in each where something is required of them.
    """
    names, m, judged = asked.names, len(asked.names), asked.judged
    codes, counts, texts = _coded(engine, release, asked, judged)
    unknown = sorted(set(asked.domains) - set(names))
    if unknown:
        raise PolicyError(f"a domain is given for {unknown[0]!r}, which is not among the quasi-identifiers")
    domains = [column_domain(name, texts[j], asked) for j, name in enumerate(names)]
    made = tuple(name for name, domain in zip(names, domains, strict=True) if domain.made == "labels")
    told = not looks_at_table(asked.cost)
    known = told and (not made or asked.cost in BY_LEVEL)
    notes: tuple[str, ...] = ()
    if told and not known:
        notes = (
            f"the cost looks at how many values a label of {', '.join(made)} stands for, which no release tells: "
            "nothing is inferred from costs; domains lists the values, or cost cells does without them",
        )
    many = [len(domain.values) for domain in domains]
    nodes = {
        name: (domain.fitted.hierarchy, np.arange(size, dtype=np.int64))
        for name, domain, size in zip(names, domains, many, strict=True)
        if domain.fitted is not None
    }
    levels, scale = cost_levels(
        asked.cost if known else "cells", names, many, rows=int(counts.sum()), nodes=nodes, weights=asked.weights
    )
    first, unit_class = row_numbers(codes[:, :m].T, len(codes))
    sizes, shown = added_up(unit_class, counts, len(first)), codes[first, :m]
    level, rep = np.zeros(shown.shape, np.int8), np.zeros(shown.shape, np.int32)
    columns = []
    for j, (name, domain) in enumerate(zip(names, domains, strict=True)):
        place = domain.places(asked.star)
        level[:, j], rep[:, j] = np.array([place[label] for label in texts[j]])[shown[:, j]].T
        kept = level[:, j] == 0
        plain = added_up(rep[kept, j], sizes[kept], many[j])
        columns.append(AttackColumn(name, domain.values, domain.closed, levels[j], plain))
    kinds, requirements = _required(asked, judged, codes[:, m:], counts, texts[m:])
    limit = asked.suppression_limit
    return Released(
        columns=tuple(columns), levels=level, reps=rep, sizes=sizes, unit_class=unit_class.astype(np.int32),
        unit_kind=kinds, unit_rows=counts, k=asked.k, outliers=asked.outliers,
        patterns=asked.mask.compile(names, [one.height for one in levels]), scale=scale, requirements=requirements,
        most_suppressed=None if limit is None else int(limit * int(counts.sum())), costs_known=known, notes=notes,
        made=made,
    )  # fmt: skip


def _coded(engine: Engine, release: Opened, asked: Asked, judged: Sequence[str] = ()) -> Coded:
    """Return a release's distinct rows, of its quasi-identifiers and of what requirements judge, in codes."""
    missing = [name for name in (*asked.names, *judged) if name not in release.names]
    if missing:
        where = "quasi_identifiers" if missing[0] in asked.names else "sensitive"
        raise InputError(
            f"the release has no column {missing[0]!r}; name its columns as the policy does, or mend {where}"
        )
    with engine.guard("counting the classes of the release"):
        found = coded(engine, release.data, [release.ids[name] for name in (*asked.names, *judged)])
    if not found[1].size:
        raise InputError("the release has no rows")
    return found


def _required(
    asked: Asked, judged: tuple[str, ...], codes: Int32, counts: Int64, texts: Sequence[tuple[str | None, ...]]
) -> tuple[Int32, tuple[Requirement, ...]]:
    """Return the combination of sensitive values of each unit, and the requirements bound to them."""
    if not judged:
        return np.zeros(len(codes), np.int32), ()
    first, which = row_numbers(codes.T, len(codes))
    sensitive = Sensitive(codes[first], judged, tuple(len(text) for text in texts))
    domain = Domain(sensitive, tuple(texts), added_up(which, counts, len(first)))
    return which.astype(np.int32), tuple(model.bind(domain) for model in asked.requirements)


# Premise P0: whether a release meets its policy, as far as the release shows.
def broken_rules(released: Released) -> list[dict[str, int | str]]:
    """Return which rules of the policy a release breaks: ``rule`` and ``classes`` that break it.

    What only the original tells (whether the shown cells are its own) is for `incrowd verify`.
    """
    vectors, which = released.vectors
    forbidden = np.array([not released.patterns.allows(vector.tolist()) for vector in vectors], np.bool_)
    broken = {"k": ((released.sizes < released.k) & ~released.free).sum(), "mask": forbidden[which].sum()}
    if released.most_suppressed is not None:
        broken["suppression_limit"] = released.sizes[released.full].sum() > released.most_suppressed
    for requirement in released.requirements:
        broken[requirement.rule] = (
            ~requirement.meets(
                released.unit_class.astype(np.int64), released.unit_kind, released.unit_rows, released.sizes.size
            )
        ).sum()
    return [{"rule": rule, "classes": int(count)} for rule, count in broken.items() if count]


def nothing_hidden(released: Released) -> list[str]:
    """Return what to say of a release that shows every cell as it is: its labels may be another tool's."""
    if (released.levels > 0).any():
        return []
    return [
        "no cell shows a star or a label of a hierarchy; if another tool made the release, say as star what it "
        "writes for a hidden cell, and with hierarchies what its labels stand for"
    ]


def stars_before(engine: Engine, original: Opened, asked: Asked) -> list[str]:
    """Return what to say of an original that holds the star itself: its cells are taken for hidden ones.

    Nothing where missing cells are the stars, of which is told elsewhere.
    """
    star = asked.star
    if star is None:
        return []
    cells = {f"n{j}": engine.text(original.data[original.ids[name]]) for j, name in enumerate(asked.names)}
    with engine.guard("looking for stars in the original"):
        sums = {short: (cell == star).sum().cast("int64") for short, cell in cells.items()}
        found = engine.one(original.data.aggregate(**sums))
    held = [name for j, name in enumerate(asked.names) if found[f"n{j}"]]
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


def read_ranges(
    engine: Engine, release: Opened, asked: Asked, *, grid: bool, numeric: Collection[str]
) -> tuple[Released, Int64]:
    """Return a release of ranges by its classes, and how many values the label of each cell names, shape (c, m).

    `grid` says whether ranges end on the lines of a grid, and `numeric` are
    the columns that show such ranges. A cell stands at level 0 where it shows a value, at 1 where it shows a label; no
    value below a label is known, and of the policy k alone is kept.
    """
    codes, sizes, texts = _coded(engine, release, asked)
    levels, named = np.zeros(codes.shape, np.int8), np.zeros(codes.shape, np.int64)
    shown = []
    for j, (name, labels) in enumerate(zip(asked.names, texts, strict=True)):
        if grid and name not in numeric:
            values = set(column_domain(name, labels, asked).values)
            hidden = [label not in values for label in labels]
        else:
            form = GRID if grid else ENDS
            hidden = [name in numeric and form.fullmatch(label or "") is not None for label in labels]
        level = np.where([label == asked.star for label in labels], 2, hidden)
        levels[:, j] = level[codes[:, j]]
        named[:, j] = 2 * (levels[:, j] == 1) * (not grid)
        every = np.arange(len(labels))
        nodes = np.stack((every, every, every * 0)).astype(np.int32)
        shown.append(AttackColumn(name, labels, False, Levels(nodes, np.zeros(nodes.shape, np.int64)), every * 0))
    alone = np.arange(sizes.size, dtype=np.int32)
    released = Released(
        columns=tuple(shown), levels=levels, reps=codes, sizes=sizes, unit_class=alone, unit_kind=alone * 0,
        unit_rows=sizes, k=asked.k, outliers=asked.outliers, patterns=Mask().compile(asked.names, [2] * len(shown)),
    )  # fmt: skip
    return released, named


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
